import assert from "node:assert/strict";
import test from "node:test";
import { headline, turningPoint } from "/web/colony/story.js";
import { INFECTION_FACES } from "/web/colony/labels.js";

test("where a game stands", () => {
  const at = (phase, round, morale) => headline({ phase, round, morale }, { rounds: 10 });
  assert.equal(at("registration", 0, 20), "waiting for players");
  assert.equal(at("preparation", 0, 20), "choosing survivors");
  assert.equal(at("turns", 8, 3), "round 8, morale 3");
  assert.equal(at("over", 10, 6), "survived 10 rounds, morale 6");
  assert.equal(at("over", 10, 0), "round 10, morale 0");
});

test("a lost game turns in the round that costs most morale", () => {
  const index = { figures: ["food", "morale"], points: [[1, 50, [0, 20]], [2, 90, [3, 18]], [3, 140, [1, 9]], [3, 180, [1, 0]]] };
  assert.deepEqual(turningPoint(index, { outcome: "lost: the morale fell to 0" }), { step: 90, words: "Round 2 cost 9 morale, more than any other" });
  assert.equal(turningPoint(index, { outcome: "won" }), null);
  assert.equal(turningPoint({ ...index, points: index.points.slice(0, 1) }, { outcome: "lost" }), null);
  assert.equal(turningPoint({ ...index, figures: ["food"] }, { outcome: "lost" }), null);
});

test("the infection die has twelve faces", () => {
  const many = (face) => INFECTION_FACES.filter((one) => one === face).length;
  assert.deepEqual([many(""), many("wound"), many("frostbite"), many("bite")], [6, 3, 2, 1]);
});

import assert from "node:assert/strict";
import test from "node:test";
import { lastAction, scene } from "/web/treasure/scene.js";

const player = (name, at = null) => ({ name, account: null, standing: null, collected: false, at });
const secrets = (more) => ({ at: [0, 0], fort: [1, 0], treasure: [2, 0], collected: false, treasure_seen: false, enemy_fort_seen: false, seen: ["s."], shown_enemy: [9, 9], progress: null, ...more });
const things = (picture, sight) => scene(picture, sight).things.map(({ kind, player, taken, invented }) => [kind, player + 1, taken && "taken", invented && "invented"].filter(Boolean).join(" "));

test("a running game shows only the places that all may know", () => {
  const picture = { players: [player("Ana", [3, 3]), player("Bo")], hidden: null };
  for (const sight of ["all", "first", "second"]) assert.deepEqual(things(picture, sight), ["avatar 1"]);
});

test("after the end everything is shown", () => {
  const picture = { players: [player("Ana"), player("Bo")], hidden: { players: [secrets({ collected: true }), secrets({ at: null })] } };
  assert.deepEqual(things(picture, "all"), ["fort 1", "treasure 1 taken", "avatar 1", "fort 2", "treasure 2"]);
  assert.equal(scene(picture, "all").seen, null);
});

test("the sight of one player", () => {
  const sees = (more, other = {}) => ({ players: [player("Ana"), player("Bo", other.at ?? null)], hidden: { players: [secrets(more), secrets({})] } });
  assert.deepEqual(things(sees({}), "first"), ["fort 1", "avatar 1", "avatar 2 invented"]);
  assert.deepEqual(things(sees({ treasure_seen: true }), "first"), ["fort 1", "treasure 1", "avatar 1", "avatar 2 invented"]);
  assert.deepEqual(things(sees({ treasure_seen: true, collected: true }), "first"), ["fort 1", "avatar 1", "avatar 2 invented"]);
  assert.deepEqual(things(sees({ enemy_fort_seen: true }, { at: [5, 5] }), "first"), ["fort 1", "fort 2", "avatar 1", "avatar 2"]);
  assert.deepEqual(things(sees({ enemy_fort_seen: true }), "second"), ["fort 2", "avatar 2", "avatar 1 invented"], "the other one's knowledge does not count");
  assert.deepEqual(scene(sees({}), "first").seen, ["s."]);
  assert.deepEqual(scene(sees({ seen: null }), "first").seen, []);
});

test("the last action, as far as it is known", () => {
  const players = [player("Ana"), player("Bo")];
  const words = (last, first = null) => lastAction({ last, players }, [first, null]);
  assert.equal(words(null), "");
  assert.equal(words({ player: 0, step: null }), "Last: Ana");
  assert.equal(words({ player: 0, step: "Up" }), "Last: Ana went up");
  assert.equal(words({ player: 0, step: null }, secrets({ at: [4, 2] })), "Last: Ana, now at (4, 2)");
  assert.equal(words({ player: 0, step: "Up" }, secrets({ progress: { direction: "Right", left: 2 } })), "Last: Ana is on the way right, 2 more to go");
  assert.equal(words({ player: 1, step: null }, secrets({})), "Last: Bo", "the secrets of the other player stay secret");
});

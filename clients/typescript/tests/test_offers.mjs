// Commands that are chosen from offers.

import assert from "node:assert/strict";
import test from "node:test";

import { installed } from "./support.mjs";

const { choices, fill, randomCommand, seededRandom } = await installed("holdfast-client");

const OFFERS = {
  title: "Your turn.",
  offers: [
    { label: "Never", command: { Never: {} }, impossible: "It is late." },
    { label: "Bet", title: "Which?", offers: [{
      label: "coins", command: { Bet: { coins: 1, name: "x", why: "?" } }, arguments: [
        { field: "coins", label: "Coins", range: { least: 3, most: 4 } },
        { field: "name", label: "Name", text: { least: 1, most: 5, name: true } },
        { field: "why", label: "Why", free: { about: "anything" } }],
    }] },
    { label: "Peek", command: "Peek", uncertain: true },
    { label: "Give up", aside: true, title: "Sure?", offers: [{ label: "Yes", command: { Resign: {} } }] },
  ],
};

test("choices are what is possible", () => {
  assert.deepEqual(choices(OFFERS).map(({ labels }) => labels), [["Bet", "coins"], ["Peek"]]);
  assert.deepEqual(choices(OFFERS, { aside: true }).at(-1), {
    labels: ["Give up", "Yes"], command: { Resign: {} }, arguments: [], aside: true, uncertain: false,
  });
  assert.equal(choices(OFFERS)[1].uncertain, true);
});

test("arguments are filled in within their limits", () => {
  const [bet, peek] = choices(OFFERS);
  assert.deepEqual(fill(bet, { coins: 4, name: "Bo" }), { Bet: { coins: 4, name: "Bo", why: "?" } });
  assert.deepEqual(fill(peek, {}), "Peek");
  for (const values of [{ coins: 2 }, { coins: 5 }, { coins: 3.5 }, { coins: "3" }, { name: "" }, { name: "Johann" }, { other: 1 }]) {
    assert.throws(() => fill(bet, values), { name: "BadArgument" }, JSON.stringify(values));
  }
  // Characters, not units of UTF-16.
  assert.deepEqual(fill(bet, { name: "🎲🎲🎲🎲🎲" }).Bet.name, "🎲🎲🎲🎲🎲");
});

test("random commands are possible, and the same for the same seed", () => {
  const draw = (seed) => {
    const random = seededRandom(seed);
    return Array.from({ length: 60 }, () => JSON.stringify(randomCommand(OFFERS, "Bo", random)));
  };
  assert.deepEqual([...new Set(draw(1))].sort(), [
    '"Peek"', '{"Bet":{"coins":3,"name":"Bo","why":"?"}}', '{"Bet":{"coins":4,"name":"Bo","why":"?"}}']);
  assert.deepEqual(draw(7), draw(7));
  assert.notDeepEqual(draw(7), draw(8));
  assert.equal(randomCommand({ offers: [] }, "Bo", Math.random), null);
});

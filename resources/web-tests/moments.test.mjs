import assert from "node:assert/strict";
import test from "node:test";
import { addParting, firstDifference, forkStep, moments } from "/web/moments.js";

/** A game with these rounds (`[round, step]`) and turns (steps). */
const index = (last, rounds = [], turns = [], entries = []) => ({ last, rounds, turns: turns.map((step) => ["Ana", step]), entries });
const steps = (all) => all.map((moment) => moment.steps.join("-")).join(" ");

test("without rounds and turns, both games move by steps, and the shorter one waits at its end", () => {
  assert.equal(steps(moments(index(2), index(4))), "0-0 1-1 2-2 2-3 2-4");
  assert.equal(steps(moments(index(1, [], [1]), index(2))), "0-0 1-1 1-2", "turns of one game only");
  assert.equal(steps(moments(index(0), index(0))), "0-0");
});

test("turns are counted in their round", () => {
  const a = index(20, [[1, 2], [2, 10]], [3, 6, 11]);
  const b = index(30, [[1, 2], [2, 20], [3, 26]], [3, 9, 15, 21]);
  const all = moments(a, b);
  assert.deepEqual(all.map(({ steps, words }) => `${steps.join("-")} ${words}`), [
    "0-0 the start",
    "2-2 round 1",
    "3-3 round 1, turn 1",
    "6-9 round 1, turn 2",
    "6-15 round 1, turn 3",
    "10-20 round 2",
    "11-21 round 2, turn 1",
    "20-26 round 3",
    "20-30 the end",
  ]);
});

test("moments never go back", () => {
  for (const [a, b] of [[index(9, [[1, 1]], [2, 4]), index(9, [], [1, 2, 3])], [index(5, [[1, 0]]), index(9, [[2, 3]], [4, 4])]]) {
    const all = moments(a, b);
    for (let at = 1; at < all.length; at += 1) assert.ok(all[at].steps.every((step, game) => step >= all[at - 1].steps[game]), steps(all));
    assert.deepEqual(all.at(-1).steps, [a.last, b.last]);
  }
});

test("the moment where games part is one of the timeline", () => {
  const [a, b] = [index(20, [[1, 2], [2, 10]]), index(30, [[1, 2], [2, 20]])];
  const all = moments(a, b);
  assert.equal(addParting(all, 5), 2);
  assert.equal(steps(all), "0-0 2-2 5-5 10-20 20-30");
  assert.equal(addParting(all, 2), 1, "it was there already");
  assert.equal(addParting(all, 0), 0);
  assert.equal(all.length, 5);
});

test("a fork and its parent part after the entry of the fork", () => {
  const game = (name, parent = null) => ({ game: { name, parent }, index: { entries: [3, 0, 2, 4] } });
  const fork = game("fork", { game: "parent", entry: 3 });
  assert.equal(forkStep(game("parent"), fork), 5);
  assert.equal(forkStep(fork, game("parent")), 5);
  assert.equal(forkStep(game("parent"), game("other")), null);
  assert.equal(forkStep(game("parent"), game("fork", { game: "parent", entry: 0 })), 0);
});

test("the first difference is found in public events", () => {
  const entry = (...events) => ({ events: events.map(([step, event]) => ({ step, event })) });
  const a = [entry([1, "x"], [null, "secret"]), entry([2, "y"])];
  assert.equal(firstDifference(a, [entry([1, "x"], [2, "z"])], 0), 2);
  assert.equal(firstDifference(a, [entry([1, "x"], [null, "other"], [2, "y"])], 0), null);
  assert.equal(firstDifference(a, [entry([1, "x"])], 0), null, "one ends before the other");
});

import assert from "node:assert/strict";
import test from "node:test";
import { Chunk, Cursor, Index, STEPS, chunkOf, place } from "/web/chronicle.js";

const event = (step, patch = []) => ({ step, to: "all", refused: false, event: [], text: `event ${step}`, patch });
const entry = (...events) => ({ at: 0, number: 1, by: "Ana", command: [], text: "go", events });

test("the chunk of a step", () => {
  for (const [step, chunk] of [[0, 0], [1, 0], [STEPS, 0], [STEPS + 1, 1], [2 * STEPS, 1], [2 * STEPS + 1, 2]]) {
    assert.equal(chunkOf(step), chunk, `step ${step}`);
  }
});

test("the last number that is not above another", () => {
  for (const [numbers, most, at] of [[[], 5, -1], [[3], 2, -1], [[3], 3, 0], [[0, 3, 3, 7], 3, 2], [[0, 3, 3, 7], 6, 2], [[0, 3, 3, 7], 8, 3]]) {
    assert.equal(place(numbers, most), at, `${numbers} at most ${most}`);
  }
});

test("entries follow each other without a gap", () => {
  const chunk = new Chunk({ step: 10, picture: {} });
  assert.ok(chunk.add(entry(event(11), event(12))));
  assert.ok(!chunk.add(entry(event(14))), "13 is missing");
  assert.ok(chunk.add(entry(event(11), event(12))), "a known entry is no gap");
  assert.equal(chunk.entries.length, 1);
  assert.ok(chunk.add(entry(event(null))), "an entry without steps fits everywhere");
  assert.ok(chunk.add(entry(event(13))));
  assert.deepEqual([9, 10, 13, 14].map((step) => chunk.covers(step)), [false, true, true, false]);
  assert.deepEqual([10, 11, 12, 13].map((step) => chunk.entryOf(step)?.before ?? null), [null, 10, 10, 12]);
});

test("a cursor moves forward and back by patches", () => {
  const chunk = new Chunk({ step: 0, picture: { score: 0, players: [{ "a/b": 1, "c~": null }], list: [] } });
  chunk.add(entry(event(1, [["/score", 0, 5], ["/players/0/a~1b", 1, 2]]), event(2, [["/list", [], [{ x: 1 }]]])));
  chunk.add(entry(event(3, [["/list/0/x", 1, 9], ["/players/0/c~0", null, "here"]])));
  const pictures = [
    { score: 0, players: [{ "a/b": 1, "c~": null }], list: [] },
    { score: 5, players: [{ "a/b": 2, "c~": null }], list: [] },
    { score: 5, players: [{ "a/b": 2, "c~": null }], list: [{ x: 1 }] },
    { score: 5, players: [{ "a/b": 2, "c~": "here" }], list: [{ x: 9 }] },
  ];
  const cursor = new Cursor();
  for (const step of [0, 1, 2, 3, 2, 3, 1, 0, 3, 0, 2]) assert.deepEqual(cursor.move(step, chunk), pictures[step], `step ${step}`);
  assert.deepEqual(chunk.picture, pictures[0], "the checkpoint is not changed");
  assert.deepEqual(chunk.patches[1][0][2], [{ x: 1 }], "a patch is not changed by a later one");
});

test("a whole picture can be replaced", () => {
  const chunk = new Chunk({ step: 0, picture: { a: 1 } });
  chunk.add(entry(event(1, [["", { a: 1 }, { b: 2 }]])));
  const cursor = new Cursor();
  assert.deepEqual(cursor.move(1, chunk), { b: 2 });
  assert.deepEqual(cursor.move(0, chunk), { a: 1 });
});

test("a patch that does not fit is an error", () => {
  for (const pointer of ["/missing", "/a/b", "/__proto__/x", "/constructor", "/list/1"]) {
    const chunk = new Chunk({ step: 0, picture: { a: 1, list: [0] } });
    chunk.add(entry(event(1, [[pointer, null, 1]])));
    assert.throws(() => new Cursor().move(1, chunk), { message: `a change of “${pointer}” does not fit the picture` });
  }
});

// Entries: 2 steps, none, 1 step, 3 steps. Rounds begin at 0 and 3, turns at 1 and 4.
const index = () =>
  new Index({ steps: 6, entries: [2, 0, 1, 3], rounds: [[1, 0], [2, 3]], turns: [["Ana", 1], ["Bo", 4]], figures: [], points: [] });

test("moving by units", () => {
  for (const [unit, step, previous, next] of [
    ["event", 0, 0, 1], ["event", 6, 5, 6],
    ["command", 0, 0, 2], ["command", 2, 0, 3], ["command", 3, 2, 6], ["command", 6, 3, 6],
    ["turn", 0, 0, 1], ["turn", 1, 0, 4], ["turn", 4, 1, 6], ["turn", 5, 4, 6],
    ["round", 2, 0, 3], ["round", 3, 0, 6], ["round", 4, 3, 6],
  ]) {
    assert.equal(index().previous(unit, step), previous, `${unit} before ${step}`);
    assert.equal(index().next(unit, step), next, `${unit} after ${step}`);
  }
});

test("snapping to units", () => {
  for (const [unit, step, to] of [["event", 4, 4], ["command", 1, 0], ["command", 2, 2], ["command", 5, 3], ["round", 5, 3], ["round", 6, 6], ["turn", 0, 0]]) {
    assert.equal(index().snap(unit, step), to, `${unit} at ${step}`);
  }
});

test("command, round and turn of a step", () => {
  assert.deepEqual([0, 1, 2, 3, 4, 6].map((step) => index().command(step)), [0, 1, 1, 3, 4, 4], "the entry without steps counts");
  assert.deepEqual([0, 2, 3, 6].map((step) => index().round(step)), [1, 1, 2, 2]);
  assert.deepEqual([0, 1, 2, 3, 4, 6].map((step) => index().turn(step)), [null, "Ana", "Ana", null, "Bo", "Bo"], "step 3 begins a round without a turn");
});

test("a growing index", () => {
  const growing = index();
  growing.add(0);
  assert.equal(growing.last, 6);
  growing.add(2);
  assert.equal(growing.last, 8);
  assert.equal(growing.next("command", 6), 8);
  assert.equal(growing.command(8), 6);
});

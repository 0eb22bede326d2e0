import assert from "node:assert/strict";
import test from "node:test";
import { Chunk, Index, STEPS } from "/web/chronicle.js";
import { bindings, keyName } from "/web/keys.js";
import { guessRows, rowsOf } from "/web/rows.js";
import { between, linePath, pointX, spots } from "/web/scale.js";
import { thin } from "/web/timeline.js";

test("plots", () => {
  assert.deepEqual([pointX(0, 1, 200), pointX(0, 3, 200), pointX(1, 3, 200), pointX(2, 3, 200)], [100, 0, 100, 200]);
  assert.deepEqual(spots([0, 10, 5], 200, 44), [[0, 44], [100, 0], [200, 22]]);
  assert.deepEqual(spots([-5, 5], 10, 10), [[0, 10], [10, 0]], "negative values are below 0");
  assert.deepEqual(spots([0, 0], 10, 10), [[0, 10], [10, 10]], "a constant 0 is a line at the bottom");
  assert.deepEqual(spots([7], 10, 10), [[5, 0]]);
  assert.equal(linePath([[0, 44], [100, 0.25]]), "M0.0 44.0L100.0 0.3");
  assert.equal(linePath([]), "");
  assert.deepEqual([between(4, 4, 8), between(6, 4, 8), between(8, 4, 8), between(9, 4, 8), between(9, 4, undefined)], [0, 0.5, 1, 1, 0]);
});

test("thinning", () => {
  assert.deepEqual(thin([], 2), []);
  assert.deepEqual(thin([1, 2], 2), [1, 2]);
  assert.deepEqual(thin([1, 2, 3], 2), [1, 3]);
  assert.deepEqual(thin([1, 2, 3, 4, 5], 2), [1, 4]);
});

const event = (step, refused = false) => ({ step, to: step === null ? "Ana" : "all", refused, event: [], text: "", patch: [] });
const entry = (...events) => ({ at: 0, number: 1, by: "Ana", command: [], text: "", events });
const shape = (rows) => rows.map(({ at, event }) => `${at}${event === null ? " command" : event.step === null ? " private" : ""}`);

test("rows of a chunk", () => {
  const chunk = new Chunk({ step: 0, picture: {} });
  for (const one of [entry(event(1), event(null)), entry(event(null, true)), entry(event(2))]) chunk.add(one);
  const rows = (options) => shape(rowsOf(chunk, 0, { last: 2, commands: true, everything: false, ...options }));
  assert.deepEqual(rows({}), ["0 command", "1", "1 command", "1 private", "1 command", "2"], "a refusal has a row, another private event has none");
  assert.deepEqual(rows({ everything: true }), ["0 command", "1", "1 private", "1 command", "1 private", "1 command", "2"]);
  assert.deepEqual(rows({ commands: false }), ["1", "1 private", "2"]);
});

test("an event without words has no row where another one speaks for it", () => {
  const said = (step) => ({ ...event(step), text: "Ana plays a card." });
  const rows = (...events) => {
    const chunk = new Chunk({ step: 0, picture: {} });
    chunk.add(entry(...events));
    return rowsOf(chunk, 0, { last: 9, commands: false, everything: true }).map(({ at, steps }) => (steps ? `${at}: ${steps.join("-")}` : `${at} private`));
  };
  assert.deepEqual(rows(event(1), event(null), said(2)), ["2: 1-2"], "a view, then the move");
  assert.deepEqual(rows(said(1), event(2), event(null)), ["1: 1-2"], "the beginning, then the views");
  assert.deepEqual(rows(said(1), event(2), event(3), said(4)), ["1: 1-1", "4: 2-4"]);
  assert.deepEqual(rows(event(1), event(null)), ["1: 1-1", "1 private"], "nothing else is said");
  assert.deepEqual(rows(event(1), { ...event(null), text: "is told something" }), ["1: 1-1", "1 private"], "a private event does not speak for others");
});

test("an entry over the end of a chunk has its command in the first, and each event in its own", () => {
  const steps = Array.from({ length: STEPS - 1 }, (_, at) => entry(event(at + 1)));
  const long = entry(event(STEPS), event(STEPS + 1));
  const options = { last: STEPS + 1, commands: true, everything: false };
  const first = new Chunk({ step: 0, picture: {} });
  for (const one of [...steps, long]) first.add(one);
  assert.deepEqual(shape(rowsOf(first, 0, options)).slice(-2), [`${STEPS - 1} command`, `${STEPS}`]);
  assert.deepEqual(shape(rowsOf(first, 1, options)), [`${STEPS + 1}`]);
});

test("guessed rows", () => {
  const index = new Index({ steps: STEPS + 2, entries: [STEPS, 0, 2], rounds: [], turns: [], figures: [], points: [] });
  assert.deepEqual(guessRows(index, false), [STEPS, 2]);
  assert.deepEqual(guessRows(index, true), [STEPS + 1, 2 + 2 + 1], "an entry without steps has a command and a refusal");
});

test("keys", () => {
  const done = [];
  const log = (name) => (argument) => done.push(argument === undefined ? name : `${name} ${argument}`);
  const names = ["back", "on", "start", "end", "play", "faster", "search", "match", "fork", "copy", "help"];
  const bound = bindings(Object.fromEntries(names.map((name) => [name, log(name)])));
  const press = (key, shiftKey = false) => bound[keyName({ key, shiftKey })]?.();
  for (const key of ["ArrowLeft", "ArrowDown", "[", "PageDown", " ", "-", "n", "l", "?"]) press(key);
  press("ArrowRight", true);
  press("}", true);
  press("N", true);
  press("q");
  assert.deepEqual(done, ["back event", "on command", "back turn", "on round", "play", "faster -1", "match 1", "end", "help", "on command", "on round", "match -1"]);
});

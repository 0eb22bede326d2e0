import assert from "node:assert/strict";
import test from "node:test";
import { STEPS } from "/web/chronicle.js";
import { FileSource } from "/web/file.js";
import { Remote } from "/web/remote.js";

const game = { name: "a", rulebook: "x", players: [], status: "finished" };
const index = (steps) => ({ steps, entries: [steps], rounds: [], turns: [], figures: [], points: [] });
const event = (step, text = `event ${step}`) => ({ step, to: "all", refused: false, event: [], text, patch: step === null ? undefined : [["/n", step - 1, step]] });
const entry = (first, last, by = "Ana") => ({ at: 0, number: 1, by, command: [], text: "goes", events: Array.from({ length: last - first + 1 }, (_, at) => event(first + at)) });
const checkpoint = (step) => ({ step, picture: { n: step } });

/** A file with these lines; objects become JSON. */
const file = (...lines) => new Blob([lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n")]);
const whole = () => file({ game }, { index: index(3) }, { checkpoint: checkpoint(0) }, { entry: entry(1, 2) }, { entry: entry(3, 3, "Bo") }, "");

test("a whole file", async () => {
  const source = new FileSource(whole());
  assert.deepEqual(await source.open(), { game, index: index(3) });
  const chunk = source.peek(0);
  assert.deepEqual([chunk.first, chunk.last, chunk.entries.length], [0, 3, 2]);
  assert.deepEqual((await source.search("BO goes")).found, [{ step: 3, entry: 1, text: "Bo goes" }]);
  assert.deepEqual((await source.search("event 2")).found.map((match) => match.step), [2]);
  assert.deepEqual(await source.search("nothing"), { found: [], more: false });
});

test("a search ends after 200 matches", async () => {
  const many = Array.from({ length: 201 }, (_, at) => ({ entry: entry(at + 1, at + 1) }));
  const source = new FileSource(file({ game }, { index: index(201) }, { checkpoint: checkpoint(0) }, ...many));
  await source.open();
  const { found, more } = await source.search("goes");
  assert.deepEqual([found.length, more], [200, true]);
});

test("chunks of a file begin at the nearest checkpoint", async () => {
  const last = 2 * STEPS + 1;
  const lines = [{ game }, { index: index(last) }, { checkpoint: checkpoint(0) }, { entry: entry(1, STEPS + 10) }, { checkpoint: checkpoint(STEPS + 10) }, { entry: entry(STEPS + 11, last) }];
  const source = new FileSource(file(...lines));
  await source.open();
  assert.equal(source.peek(1).first, 0, "the checkpoint in the middle is too late");
  assert.equal(source.peek(2).first, STEPS + 10);
  assert.ok([0, 1, 2].every((i) => source.peek(i).covers(Math.min(last, (i + 1) * STEPS))));
});

test("broken files", async () => {
  const start = [{ game }, { index: index(3) }, { checkpoint: checkpoint(0) }];
  const hint = "Choose a file that was downloaded as JSONL from a game's page.";
  for (const [lines, message] of [
    [[""], `The file is empty. ${hint}`],
    [["<html>"], `Line 1 of the file is not JSON. ${hint}`],
    [[{ index: index(1) }], `Line 1 of the file should say which game it is. ${hint}`],
    [[{ game: {} }], `Line 1 of the file does not describe a game. ${hint}`],
    [[{ game }, { index: {} }], `Line 2 of the file is not a complete index. ${hint}`],
    [[{ game }, { other: 1 }], `Line 2 of the file is of no known kind. ${hint}`],
    [[{ game }, "null"], `Line 2 of the file is of no known kind. ${hint}`],
    [[...start, { checkpoint: checkpoint(1) }], `Line 4 of the file should be a checkpoint at step 0. ${hint}`],
    [[...start, { entry: {} }], `Line 4 of the file is not a complete entry. ${hint}`],
    [[...start, { entry: entry(2, 2) }], `Line 4 of the file should continue with step 1, but it has step 2. ${hint}`],
    [[...start, { entry: { events: [{ step: 1 }] } }], `Line 4 of the file has an event without a patch. ${hint}`],
    [[{ game }], "The file ends before its index. The download was probably cut off; download it again."],
    [start.slice(0, 2), "The file has no checkpoint, so there is no picture to start with. Download it again."],
    [[...start, { entry: entry(1, 2) }], "The file ends after step 2 of 3 (line 4). Download it again."],
  ]) {
    await assert.rejects(new FileSource(file(...lines)).open(), { message });
  }
});

/** A host that answers each request when the test says so. */
function host(t) {
  const requests = [];
  t.mock.method(globalThis, "fetch", (address, { signal } = {}) =>
    new Promise((resolve, reject) => {
      signal?.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError")));
      const answer = (...lines) => resolve(new Response(lines.map((line) => JSON.stringify(line)).join("\n")));
      requests.push({ from: Number(new URL(address, "http://host").searchParams.get("from")), answer, reject });
    }),
  );
  return requests;
}
const settle = () => new Promise((done) => setTimeout(done));

test("a slot loads one chunk at a time, and then only the newest", async (t) => {
  const requests = host(t);
  let loaded = 0;
  const remote = new Remote("a", () => (loaded += 1), assert.fail);
  remote.want("show", 0);
  remote.want("show", 1);
  remote.want("show", 2);
  remote.want("ahead", 0);
  assert.deepEqual(requests.map(({ from }) => from), [0], "no second request for the same chunk");
  requests[0].answer({ checkpoint: checkpoint(0) }, { entry: entry(1, 2) });
  await settle();
  assert.deepEqual(requests.map(({ from }) => from), [0, 2 * STEPS], "chunk 1 is no longer wanted");
  assert.deepEqual([loaded, remote.peek(0).last, remote.peek(1)], [1, 2, undefined]);
});

test("live entries go into loaded chunks, and into one that is on its way", async (t) => {
  const requests = host(t);
  const remote = new Remote("a", () => {}, assert.fail);
  remote.want("show", 0);
  remote.append(entry(3, 3), 3);
  requests[0].answer({ checkpoint: checkpoint(0) }, { entry: entry(1, 2) });
  await settle();
  assert.equal(remote.peek(0).last, 3);
  remote.append(entry(4, 5), 5);
  assert.equal(remote.peek(0).last, 5);
  remote.append(entry(8, 8), 8);
  assert.equal(remote.peek(0), undefined, "a chunk with a gap is dropped");
});

test("a gap and a silent host are failures", async (t) => {
  const requests = host(t);
  const failures = [];
  const remote = new Remote("a", assert.fail, (error) => failures.push(error.message));
  remote.want("show", 0);
  requests[0].answer({ checkpoint: checkpoint(0) }, { entry: entry(2, 2) });
  await settle();
  remote.want("show", 0);
  requests[1].reject(new TypeError("no network"));
  await settle();
  assert.deepEqual(failures, ["The host sent a game with a gap in it.", "The host does not answer."]);
});

test("an answer after clear does not count", async (t) => {
  const requests = host(t);
  const remote = new Remote("a", assert.fail, assert.fail);
  remote.want("show", 0);
  remote.clear();
  requests[0].answer({ checkpoint: checkpoint(0) });
  await settle();
  assert.equal(remote.peek(0), undefined);
});

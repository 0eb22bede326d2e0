// What the client does with servers that are none, and with refusals.

import assert from "node:assert/strict";
import test from "node:test";

import { fakeServer, installed } from "./support.mjs";

const { Client, create, join, watch } = await installed("holdfast-client");

const WELCOME = { welcome: { protocol: 3, game: "tea", client: 0, token: "00ff", next: 1, rulebook: "table", edition: "loud", commands: 0, scenario: null } };
const event = (number) => ({ event: { number, event: { Said: { words: "hi" } }, text: null } });
const OVER = { closing: { reason: "game_over", message: "The game is over." } };

test("addresses that are none", async () => {
  for (const address of ["", "tea", "127.0.0.1", "127.0.0.1:99999", "127.0.0.1:http"]) {
    await assert.rejects(Client.open(address, create("x")), { name: "BadArgument" }, address);
  }
  await assert.rejects(Client.open("127.0.0.1:1", create("x")), { name: "ConnectionLost", message: /127.0.0.1:1/ });
});

test("answers that are no messages", async (t) => {
  for (const [answer, words] of [
    ["HTTP/1.1 400 Bad Request", /is this the port of its page/],
    ["what?", /no JSON/],
    ["null", /no message that the client knows/],
    [{ surprise: {} }, /no message that the client knows/],
    [{ welcome: { game: 7 } }, /no message that the client knows/],
    [{ pong: 1 }, /a welcome is expected/],
  ]) {
    const { address } = await fakeServer(t, [answer]);
    await assert.rejects(Client.open(address, create("x")), { name: "BadMessage", message: words });
  }
});

test("a refused hello", async (t) => {
  const { address, heard } = await fakeServer(t, [{ refused: { reason: "full", message: "no seat" } }]);
  await assert.rejects(Client.open(address, join("tea", 1)), { name: "Refused", reason: "full", message: "full: no seat" });
  assert.deepEqual(heard, [{ hello: { protocol: 3, want: { join: { seat: 1 } }, game: "tea", board: true } }]);
});

test("events come in order, without gaps", async (t) => {
  const { address } = await fakeServer(t, [[WELCOME, event(1), event(3)]]);
  const client = await Client.open(address, create("x"));
  assert.equal((await client.next()).number, 1);
  await assert.rejects(client.next(), { name: "BadMessage", message: "event 3 came after event 1" });
  client.close();
});

test("a lost connection is resumed after the last event, and a lost command is reported", async (t) => {
  const again = { welcome: { ...WELCOME.welcome, token: null, next: 2, commands: 0 } };
  const { address, heard } = await fakeServer(t, [[WELCOME, event(1)], null], [again, { pong: 2 }], [OVER]);
  const seen = [];
  const fold = { welcome: ({ next }) => seen.push(`next ${next}`), apply: () => seen.push("event") };
  const client = await Client.open(address, create("x"), { fold });
  await assert.rejects(client.play({ Say: {} }), { name: "Interrupted" });
  assert.equal(client.resumed, 1);
  assert.deepEqual(heard.find(({ hello }) => hello?.want.resume).hello, {
    protocol: 3, want: { resume: { token: "00ff", seen: 1 } }, game: "tea", board: true,
  });
  assert.deepEqual(seen, ["next 1", "event", "next 2"]);
  client.close();
});

test("a spectator goes on where it was", async (t) => {
  const welcome = { welcome: { ...WELCOME.welcome, client: null, token: null } };
  const { address, heard } = await fakeServer(t, [[welcome, event(1), null]], [[welcome, event(2), OVER]]);
  const client = await Client.open(address, watch("tea"));
  const numbers = [];
  for await (const { number } of client) numbers.push(number);
  assert.deepEqual(numbers, [1, 2]);
  assert.equal(client.farewell, "The game is over.");
  assert.deepEqual(heard.map(({ hello }) => hello.want), [{ watch: { seen: 0 } }, { watch: { seen: 1 } }]);
});

test("reasons that are final, and reasons that pass", async (t) => {
  const closing = (reason) => ({ closing: { reason, message: "bye" } });
  const final = await fakeServer(t, [[WELCOME, closing("replaced")]]);
  const client = await Client.open(final.address, create("x"));
  await assert.rejects(client.next(), { name: "Closed", reason: "replaced" });
  for (const reason of ["shutting_down", "store_unavailable", "timeout", "too_slow", "too_many"]) {
    const passing = await fakeServer(t, [[WELCOME, closing(reason)]], [closing(reason)], [[WELCOME, OVER]]);
    const again = await Client.open(passing.address, create("x"));
    assert.equal(await again.next(), null);
    assert.equal(again.resumed, 1, reason);
  }
});

test("a command after the end is no error", async (t) => {
  const late = [{ refused: { reason: "game_over", message: "late" } }, OVER];
  const { address } = await fakeServer(t, [WELCOME, late]);
  const client = await Client.open(address, create("x"));
  assert.deepEqual(await client.play({ Say: {} }), []);
  assert.equal(client.isOver, true);
});

test("old offers are asked for again", async (t) => {
  const offers = (number, after) => ({ offers: { number, after, offers: '{"title":"","offers":[]}' } });
  const { address } = await fakeServer(t, [WELCOME, [event(1), offers(1, 0)], offers(2, 1)]);
  const client = await Client.open(address, create("x"));
  assert.deepEqual(await client.offers(), { title: "", offers: [] });
  client.close();
  const bad = await fakeServer(t, [WELCOME, { offers: { number: 1, after: 0, offers: "[]" } }]);
  const other = await Client.open(bad.address, create("x"));
  await assert.rejects(other.offers(), { name: "BadMessage" });
  other.close();
});

test("patience has an end", async (t) => {
  const { address } = await fakeServer(t, [[WELCOME, null]]);
  const client = await Client.open(address, create("x"), { patienceMs: 200 });
  await assert.rejects(client.next(), { name: "ConnectionLost", message: /not had again in 200 ms/ });
});

test("silence is noticed by the caller", async (t) => {
  const { address } = await fakeServer(t, [WELCOME]);
  const client = await Client.open(address, create("x"));
  await assert.rejects(client.next(20), { name: "TimedOut" });
  client.close();
  await assert.rejects(client.next(), { name: "ConnectionLost" });
});

test("a dead connection is noticed, however short the waits", async (t) => {
  const { address, heard } = await fakeServer(t, [WELCOME, []], [[WELCOME, OVER]]);
  const client = await Client.open(address, create("x"));
  t.mock.timers.enable({ apis: ["Date"], now: Date.now() });
  const wait = async (ms) => {
    t.mock.timers.setTime(Date.now() + ms);
    return client.next(10).catch(({ name }) => name);
  };
  assert.equal(await wait(10_000), "TimedOut");
  assert.deepEqual(heard.length, 1, "it is too early for a ping");
  assert.equal(await wait(10_000), "TimedOut");
  assert.equal(await wait(10_000), "TimedOut");
  assert.deepEqual(heard.slice(1), [{ ping: 0 }]);
  assert.equal(await wait(10_000), null, "the game is over on the next connection");
  assert.equal(client.resumed, 1);
});

test("a turn comes again after a refused command", async (t) => {
  const offers = (number) => ({ offers: { number, after: 0, offers: '{"title":"","offers":[{"label":"go","command":{"Go":{}}}]}' } });
  const refused = { refused: { reason: "too_fast", message: "wait" } };
  const { address } = await fakeServer(t, [WELCOME, offers(1), refused, [], offers(3), OVER]);
  const client = await Client.open(address, create("x"));
  const outcomes = [];
  for await (const { offers: offered } of client.turns()) {
    assert.equal(offered.length, 1);
    outcomes.push(await client.play({ Go: {} }).catch(({ name }) => name));
  }
  assert.deepEqual(outcomes, ["Refused", []]);
});

test("a client that is closed while it reconnects stays closed", async (t) => {
  const { address } = await fakeServer(t, [[WELCOME, null]], [[WELCOME]]);
  const fold = { welcome: () => seen.push(client?.close()) };
  const seen = [];
  let client = null;
  client = await Client.open(address, create("x"), { fold });
  await assert.rejects(client.next(), { name: "ConnectionLost", message: "the client was closed" });
  assert.equal(seen.length, 2);
});

import assert from "node:assert/strict";
import test from "node:test";

/** A WebSocket whose other end is the test. */
class FakeSocket {
  static CONNECTING = 0;
  static OPEN = 1;
  static all = [];
  readyState = 0;
  sent = [];
  constructor(address) {
    this.address = address;
    FakeSocket.all.push(this);
  }
  open() {
    this.readyState = 1;
    this.onopen();
  }
  send(text) {
    this.sent.push(JSON.parse(text));
  }
  receive(message) {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
  close() {
    this.readyState = 3;
  }
}

/** Timers that the test drives. */
const clock = { now: 0, timers: new Map(), next: 1 };
clock.set = (run, ms, every = null) => {
  clock.timers.set(clock.next, { run, due: clock.now + ms, every });
  return clock.next++;
};
clock.tick = (ms) => {
  for (const end = clock.now + ms; ; ) {
    const [first] = [...clock.timers].filter(([, { due }]) => due <= end).sort(([, a], [, b]) => a.due - b.due);
    if (!first) return void (clock.now = end);
    const [id, timer] = first;
    clock.now = timer.due;
    if (timer.every === null) clock.timers.delete(id);
    else timer.due += timer.every;
    timer.run();
  }
};
globalThis.setTimeout = (run, ms) => clock.set(run, ms);
globalThis.setInterval = (run, ms) => clock.set(run, ms, ms);
globalThis.clearTimeout = globalThis.clearInterval = (id) => clock.timers.delete(id);
globalThis.performance = { now: () => clock.now };
globalThis.WebSocket = FakeSocket;
globalThis.location = { origin: "https://host" };
globalThis.document = { hidden: false, addEventListener() {} };
/** What sessions listen for, by the kind of event. */
const listeners = {};
globalThis.addEventListener = (kind, run) => (listeners[kind] ??= []).push(run);
const happens = (kind) => listeners[kind].forEach((run) => run({ persisted: true }));

const { Session, storeSeat, storedSeat } = await import("/web/session.js");

function start(want, token = null) {
  FakeSocket.all = [];
  clock.timers.clear();
  listeners.pagehide = listeners.pageshow = undefined;
  const log = [];
  const session = new Session({
    welcome: () => log.push("welcome"),
    event: (event, text) => log.push(text),
    refused: ({ reason }) => log.push(`refused ${reason}`),
    closing: ({ reason }) => log.push(`closing ${reason}`),
    connected: (yes) => log.push(yes ? "connected" : "lost"),
  });
  session.token = token;
  session.open(want, "g");
  return { session, log };
}

test("a new player says hello, and resumes with the token after a lost connection", () => {
  const { session, log } = start({ join: {} });
  const [socket] = FakeSocket.all;
  assert.equal(socket.address, "wss://host/api/v1/play");
  assert.equal(session.command({ Move: {} }), false, "not connected yet");
  socket.open();
  assert.deepEqual(socket.sent, [{ hello: { protocol: 3, want: { join: {} }, game: "g", board: true } }]);
  socket.receive({ welcome: { game: "g", token: "t" } });
  socket.receive({ event: { number: 7, event: {}, text: "seven" } });
  assert.equal(session.command({ Move: {} }), true);
  assert.deepEqual(socket.sent.at(-1), { command: { Move: {} } });
  socket.onclose();
  clock.tick(499);
  assert.equal(FakeSocket.all.length, 1);
  clock.tick(1);
  const again = FakeSocket.all[1];
  again.open();
  assert.deepEqual(again.sent[0].hello.want, { resume: { token: "t", seen: 7 } });
  assert.deepEqual(log, ["connected", "welcome", "seven", "lost"]);
});

test("a spectator continues after the last event", () => {
  const { session } = start({ watch: {} });
  session.receive({ event: { number: 3, event: {}, text: "" } });
  assert.deepEqual(session.hello().hello.want, { watch: { seen: 3 } });
});

test("retries wait longer and longer, up to ten seconds, and a welcome resets them", () => {
  const { session } = start({ watch: {} });
  for (const pause of [500, 1000, 2000, 4000, 8000, 10000, 10000]) {
    const before = FakeSocket.all.length;
    FakeSocket.all.at(-1).onclose();
    clock.tick(pause - 1);
    assert.equal(FakeSocket.all.length, before, `${pause} ms are not over`);
    clock.tick(1);
    assert.equal(FakeSocket.all.length, before + 1);
  }
  session.receive({ welcome: { game: "g", token: null } });
  FakeSocket.all.at(-1).onclose();
  clock.tick(500);
  assert.equal(FakeSocket.all.length, 9);
});

test("some reasons end a session, others do not", () => {
  for (const [reason, sockets] of [["game_over", 1], ["replaced", 1], ["shutdown", 2], ["slow", 2]]) {
    const { session, log } = start({ watch: {} }, "t");
    session.receive({ closing: { reason, message: "" } });
    FakeSocket.all[0].onclose();
    clock.tick(500);
    assert.equal(FakeSocket.all.length, sockets, reason);
    assert.equal(session.ended, sockets === 1);
    assert.equal(log[0], `closing ${reason}`);
  }
});

test("a silent host is asked, and left if it does not answer", () => {
  const { log } = start({ watch: {} });
  const [socket] = FakeSocket.all;
  socket.open();
  clock.tick(20000);
  assert.equal(socket.sent.length, 1, "20 seconds are not silence yet");
  clock.tick(5000);
  assert.deepEqual(socket.sent.at(-1), { ping: 1 });
  socket.receive({ pong: 1 });
  clock.tick(20000);
  assert.deepEqual(log, [], "the answer counts");
  clock.tick(15000);
  assert.deepEqual(log, ["lost"]);
});

test("a closed session stays closed, and an unknown message does nothing", () => {
  const { session, log } = start({ watch: {} });
  const [socket] = FakeSocket.all;
  socket.open();
  socket.receive({ pong: 1 });
  session.close();
  clock.tick(60000);
  assert.deepEqual([FakeSocket.all.length, socket.readyState, log], [1, 3, []]);
});

test("without storage there are no stored seats", () => {
  storeSeat("g", "t");
  assert.equal(storedSeat("g"), null);
});

test("offers are asked for and answered by their numbers", async () => {
  const { session } = start({ join: {} });
  const [socket] = FakeSocket.all;
  await assert.rejects(session.offers(), /no connection/);
  socket.open();
  const [first, second] = [session.offers(), session.offers()];
  assert.deepEqual(socket.sent.slice(1), [{ offers: 1 }, { offers: 2 }]);
  const answer = (number) => ({ offers: { number, after: 0, offers: JSON.stringify({ title: `answer ${number}`, offers: [] }) } });
  socket.receive(answer(2));
  socket.receive(answer(9));
  socket.receive(answer(1));
  assert.deepEqual([(await first).title, (await second).title], ["answer 1", "answer 2"]);
});

test("offers fail if they are refused or the connection is lost", async () => {
  const { session } = start({ join: {} });
  const [socket] = FakeSocket.all;
  socket.open();
  const refused = session.offers();
  socket.receive({ refused: { reason: "too_large", message: "too many" } });
  await assert.rejects(refused, /too many/);
  const lost = session.offers();
  socket.onclose();
  await assert.rejects(lost, /connection is lost/);
});

test("a session that reports notices asks for them on every connection", () => {
  FakeSocket.all = [];
  clock.timers.clear();
  const heard = [];
  const session = new Session({ welcome() {}, event() {}, refused() {}, closing() {}, connected() {}, notice: (notice) => heard.push(notice) });
  session.open({ join: {} }, "g");
  const [first] = FakeSocket.all;
  assert.equal(session.chat("too early"), false);
  first.open();
  first.receive({ welcome: { game: "g", client: 3, token: "t" } });
  first.receive({ notice: { spectators: 2 } });
  assert.equal(session.chat("hi"), true);
  assert.deepEqual(first.sent.slice(1), [{ notices: true }, { chat: "hi" }]);
  assert.deepEqual([heard, session.client], [[{ spectators: 2 }], 3]);
  first.onclose();
  clock.tick(1000);
  const second = FakeSocket.all[1];
  second.open();
  second.receive({ welcome: { game: "g", client: 3, token: null } });
  assert.deepEqual(second.sent.slice(1), [{ notices: true }]);
});

test("a session without notices does not ask", () => {
  const { session } = start({ join: {} });
  const [socket] = FakeSocket.all;
  socket.open();
  socket.receive({ welcome: { game: "g", client: 1, token: "t" } });
  socket.receive({ notice: { spectators: 2 } });
  assert.equal(socket.sent.length, 1);
  assert.equal(session.client, 1);
});

test("a page that was left has no connection, and resumes when the reader returns", () => {
  const { session, log } = start({ join: {} });
  const [first] = FakeSocket.all;
  first.open();
  first.receive({ welcome: { game: "g", client: 1, token: "t" } });
  happens("pageshow");
  assert.equal(FakeSocket.all.length, 1, "the first pageshow of a page changes nothing");
  happens("pagehide");
  assert.equal(first.readyState, 3);
  clock.tick(60000);
  assert.equal(FakeSocket.all.length, 1, "no page is there");
  happens("pageshow");
  const second = FakeSocket.all[1];
  second.open();
  assert.deepEqual(second.sent[0].hello.want, { resume: { token: "t", seen: 0 } });
  assert.deepEqual(log, ["connected", "welcome"], "the page does not say that the connection is lost");
  session.close();
  happens("pagehide");
  happens("pageshow");
  assert.equal(FakeSocket.all.length, 2, "a session that is over stays over");
});

// A game on the host, in chunks. `Remote` and `FileSource` (file.js) are the two sources of a chronicle:
//   open() -> { game, index }    peek(i) -> a chunk or undefined    want(slot, i): load it, then call `loaded(i)`
//   drop(i): it was too short    search(text) -> { found, more }    follow(told): live entries, where there are any    close()

import { lines, json, path, Refused } from "./api.js";
import { Chunk, STEPS, chunkOf } from "./chronicle.js";

const KEPT = 80;
const TAIL = 1000;
const PATIENCE = 250;

export class Remote {
  remote = true;

  constructor(game, loaded, failed) {
    this.name = game;
    this.loaded = loaded;
    this.failed = failed;
    this.clear();
  }

  clear() {
    this.chunks = new Map();
    this.slots = new Map();
    this.flights = new Map();
    this.tail = [];
    this.generation = (this.generation ?? 0) + 1;
  }

  async open() {
    const [first, second] = await lines(path("games", this.name));
    return { game: first.game, index: second.index };
  }

  peek(i) {
    const chunk = this.chunks.get(i);
    if (chunk) {
      this.chunks.delete(i);
      this.chunks.set(i, chunk);
    }
    return chunk;
  }

  /** Each slot has one request under way; of those that come meanwhile only the newest counts. */
  want(slot, i) {
    if (this.chunks.has(i)) return;
    const under = this.slots.get(slot);
    if (under) {
      under.next = i;
      if (under.i !== i && performance.now() - under.since > PATIENCE) under.control.abort();
      return;
    }
    if (this.flights.has(i)) return;
    const flight = { i, next: i, since: performance.now(), control: new AbortController() };
    this.slots.set(slot, flight);
    this.flights.set(i, flight);
    this.load(slot, flight, this.generation);
  }

  async load(slot, flight, generation) {
    const { i } = flight;
    let failure = null;
    try {
      const address = `${path("games", this.name, "chronicle")}?from=${i * STEPS}&steps=${STEPS}`;
      const chunk = this.assemble(await lines(address, { signal: flight.control.signal }));
      if (generation !== this.generation) return;
      this.keep(i, chunk);
    } catch (error) {
      if (generation !== this.generation) return;
      if (error.name !== "AbortError") failure = error;
    }
    this.slots.delete(slot);
    this.flights.delete(i);
    if (flight.next !== i) this.want(slot, flight.next);
    if (failure) this.failed(failure);
    else if (this.chunks.has(i)) this.loaded(i);
  }

  assemble([head, ...rest]) {
    const chunk = new Chunk(head.checkpoint);
    for (const { entry } of rest) if (entry && !chunk.add(entry)) throw new Refused(0, "gap", "The host sent a game with a gap in it.");
    // What came live while this was on its way.
    for (const entry of this.tail) chunk.add(entry);
    return chunk;
  }

  keep(i, chunk) {
    this.chunks.set(i, chunk);
    for (const old of this.chunks.keys()) {
      if (this.chunks.size <= KEPT) break;
      this.chunks.delete(old);
    }
  }

  /** A chunk that has turned out to be too short. */
  drop(i) {
    this.chunks.delete(i);
  }

  search(text) {
    return json(`${path("games", this.name, "search")}?q=${encodeURIComponent(text)}&limit=200`);
  }

  /** An entry of the running game, after all those known. */
  append(entry, last) {
    this.tail.push(entry);
    if (this.tail.length > TAIL) this.tail.shift();
    const first = entry.events.find((event) => event.step !== null)?.step ?? last;
    for (let i = chunkOf(first); i <= chunkOf(last); i += 1) {
      const chunk = this.chunks.get(i);
      if (chunk && !chunk.add(entry)) this.chunks.delete(i);
    }
  }

  /** Tells of the running game; after a lost connection it goes on where it was. */
  follow(told, last) {
    let pause = 1000;
    const connect = () => {
      const stream = new EventSource(`${path("games", this.name, "live")}?from=${last()}`);
      this.stream = stream;
      const on = (kind, take) =>
        stream.addEventListener(kind, (message) => {
          pause = 1000;
          told.connected(true);
          take(JSON.parse(message.data));
        });
      on("entry", (line) => told.entry(line.entry));
      on("index", (line) => told.index(line.index));
      on("game", (line) => told.game(line.game));
      // Too far back, or ahead of what the host has now: read again, and follow from there.
      on("behind", () => {
        stream.close();
        told.behind();
      });
      on("end", () => {
        stream.close();
        told.end();
      });
      stream.onopen = () => told.connected(true);
      stream.onerror = () => {
        stream.close();
        told.connected(false);
        this.timer = setTimeout(connect, pause);
        pause = Math.min(pause * 2, 15000);
      };
    };
    connect();
  }

  close() {
    clearTimeout(this.timer);
    this.stream?.close();
  }
}

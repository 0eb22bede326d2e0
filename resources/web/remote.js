// A game on the host, loaded in chunks. The other source of a chronicle is file.js; `Source` in types.js is what they have in common.

import { Refused, isAbort, json, lines, path } from "./api.js";
import { Chunk, STEPS, chunkOf } from "./chronicle.js";

/** @import { Entry, Game, IndexLine, SearchResult, Source } from "./types.js" */

const MOST_CHUNKS = 80;
const MOST_TAIL = 1000;
/** A request that takes longer is aborted when the reader wants another chunk. */
const PATIENCE_MS = 250;
const RETRY_MS = 1000;
const LONGEST_RETRY_MS = 15000;

/**
 * A request for a chunk.
 * @typedef {{ i: number, next: number, since: number, control: AbortController }} Flight
 */

/**
 * What a running game reports.
 * @typedef {object} LiveHandlers
 * @property {(entry: Entry) => void} entry
 * @property {(index: IndexLine) => void} index
 * @property {(game: Game) => void} game
 * @property {(yes: boolean) => void} connected
 * @property {() => void | Promise<void>} behind the stream cannot continue from here; the game must be loaded again
 * @property {() => void | Promise<void>} end
 */

/** @implements {Source} */
export class Remote {
  remote = true;
  /** @type {Map<number, Chunk>} the most recently used last */
  #chunks = new Map();
  /** @type {Map<string, Flight>} */
  #slots = new Map();
  /** @type {Set<number>} */
  #loading = new Set();
  /** @type {Entry[]} the newest live entries */
  #tail = [];
  #generation = 0;
  #name;
  #loaded;
  #failed;

  /**
   * @param {string} game
   * @param {() => void} loaded
   * @param {(error: unknown) => void} failed
   */
  constructor(game, loaded, failed) {
    this.#name = game;
    this.#loaded = loaded;
    this.#failed = failed;
  }

  /** Forgets everything; requests in flight no longer count. */
  clear() {
    this.#chunks.clear();
    this.#slots.clear();
    this.#loading.clear();
    this.#tail = [];
    this.#generation += 1;
  }

  async open() {
    const [first, second] = await lines(path("games", this.#name));
    return { game: first.game, index: second.index };
  }

  /** @param {number} i */
  peek(i) {
    const chunk = this.#chunks.get(i);
    if (chunk) {
      this.#chunks.delete(i);
      this.#chunks.set(i, chunk);
    }
    return chunk;
  }

  /**
   * Loads a chunk. Each slot has one request at a time; of the requests that come meanwhile, only the newest counts.
   * @param {string} slot
   * @param {number} i
   */
  want(slot, i) {
    if (this.#chunks.has(i)) return;
    const current = this.#slots.get(slot);
    if (current) {
      current.next = i;
      if (current.i !== i && performance.now() - current.since > PATIENCE_MS) current.control.abort();
      return;
    }
    if (this.#loading.has(i)) return;
    const flight = { i, next: i, since: performance.now(), control: new AbortController() };
    this.#slots.set(slot, flight);
    this.#loading.add(i);
    this.#load(slot, flight, this.#generation);
  }

  /**
   * @param {string} slot
   * @param {Flight} flight
   * @param {number} generation
   */
  async #load(slot, flight, generation) {
    const { i } = flight;
    let failure = null;
    try {
      const address = `${path("games", this.#name, "chronicle")}?from=${i * STEPS}&steps=${STEPS}`;
      const chunk = this.#assemble(await lines(address, { signal: flight.control.signal }));
      if (generation !== this.#generation) return;
      this.#keep(i, chunk);
    } catch (error) {
      if (generation !== this.#generation) return;
      if (!isAbort(error)) failure = error;
    }
    this.#slots.delete(slot);
    this.#loading.delete(i);
    if (flight.next !== i) this.want(slot, flight.next);
    if (failure) this.#failed(failure);
    else if (this.#chunks.has(i)) this.#loaded();
  }

  /** @param {any[]} lines */
  #assemble([head, ...rest]) {
    const chunk = new Chunk(head.checkpoint);
    for (const { entry } of rest) if (entry && !chunk.add(entry)) throw new Refused(0, "gap", "The host sent a game with a gap in it.");
    // Entries that came live during the request.
    for (const entry of this.#tail) chunk.add(entry);
    return chunk;
  }

  /**
   * @param {number} i
   * @param {Chunk} chunk
   */
  #keep(i, chunk) {
    this.#chunks.set(i, chunk);
    for (const old of this.#chunks.keys()) {
      if (this.#chunks.size <= MOST_CHUNKS) break;
      this.#chunks.delete(old);
    }
  }

  /** @param {number} i */
  drop(i) {
    this.#chunks.delete(i);
  }

  /**
   * @param {string} text
   * @returns {Promise<SearchResult>}
   */
  search(text) {
    return json(`${path("games", this.#name, "search")}?q=${encodeURIComponent(text)}&limit=200`);
  }

  /**
   * Adds an entry of the running game.
   * @param {Entry} entry
   * @param {number} last the last step, which this entry made
   */
  append(entry, last) {
    this.#tail.push(entry);
    if (this.#tail.length > MOST_TAIL) this.#tail.shift();
    const first = entry.events.find((event) => event.step !== null)?.step ?? last;
    for (let i = chunkOf(first); i <= chunkOf(last); i += 1) {
      const chunk = this.#chunks.get(i);
      if (chunk && !chunk.add(entry)) this.#chunks.delete(i);
    }
  }

  /**
   * Follows the running game, until the returned function is called. After a lost connection it continues after the last known step.
   * @param {LiveHandlers} handlers
   * @param {() => number} last
   */
  follow(handlers, last) {
    let retry = RETRY_MS;
    let isStopped = false;
    /** @type {EventSource | null} */
    let stream = null;
    /**
     * The stream is over, and the handler loads the rest. A host that has just gone answers later.
     * @param {() => void | Promise<void>} load
     */
    const settle = async (load) => {
      try {
        await load();
      } catch {
        if (isStopped) return;
        handlers.connected(false);
        setTimeout(() => settle(load), retry);
        retry = Math.min(retry * 2, LONGEST_RETRY_MS);
      }
    };
    const connect = () => {
      if (isStopped) return;
      const opened = (stream = new EventSource(`${path("games", this.#name, "live")}?from=${last()}`));
      /** @type {(kind: string, take: (line: any) => void) => void} */
      const on = (kind, take) =>
        opened.addEventListener(kind, (message) => {
          retry = RETRY_MS;
          handlers.connected(true);
          take(JSON.parse(message.data));
        });
      on("entry", (line) => handlers.entry(line.entry));
      on("index", (line) => handlers.index(line.index));
      on("game", (line) => handlers.game(line.game));
      on("behind", () => {
        opened.close();
        settle(handlers.behind);
      });
      on("end", () => {
        opened.close();
        settle(handlers.end);
      });
      opened.onopen = () => handlers.connected(true);
      opened.onerror = () => {
        opened.close();
        handlers.connected(false);
        setTimeout(connect, retry);
        retry = Math.min(retry * 2, LONGEST_RETRY_MS);
      };
    };
    connect();
    return () => {
      isStopped = true;
      stream?.close();
    };
  }
}

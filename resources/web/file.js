// A chronicle from an exported file, which the page reads itself. The other source of a chronicle is remote.js.

import { Chunk, STEPS, place } from "./chronicle.js";

/** @import { Checkpoint, Entry, Game, IndexLine, SearchResult, Source } from "./types.js" */

const MOST_FOUND = 200;
const HINT = "Choose a file that was downloaded as JSONL from a game's page.";

/** @implements {Source} */
export class FileSource {
  remote = false;
  /** @type {Map<number, Chunk>} */
  #chunks = new Map();
  #content = new FileContent();
  #file;

  /** @param {Pick<File, "stream">} file */
  constructor(file) {
    this.#file = file;
  }

  async open() {
    const content = new FileContent();
    let rest = "";
    for await (const text of pieces(this.#file)) {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) content.read(line);
    }
    if (rest !== "") content.read(rest);
    this.#content = content;
    this.#chunks.clear();
    return content.finish();
  }

  /** @param {number} i */
  peek(i) {
    const chunk = this.#chunks.get(i) ?? this.#build(i);
    this.#chunks.set(i, chunk);
    return chunk;
  }

  /** @param {number} i */
  #build(i) {
    const { checkpoints, entries, befores } = this.#content;
    const head = checkpoints[place(checkpoints.map((checkpoint) => checkpoint.step), i * STEPS)] ?? checkpoints[0];
    const chunk = new Chunk(head);
    // Entries without steps belong to the step before them, so those after the last step are included.
    for (let at = head.entry; at < entries.length && befores[at] <= (i + 1) * STEPS; at += 1) chunk.add(entries[at]);
    return chunk;
  }

  // The whole file is loaded, and it does not grow.
  want() {}
  drop() {}
  append() {}

  /**
   * @param {string} text
   * @returns {Promise<SearchResult>}
   */
  async search(text) {
    const wanted = text.toLowerCase();
    const found = [];
    let step = 0;
    for (const entry of this.#content.entries) {
      const by = `${entry.by ?? ""} ${entry.text ?? ""}`;
      if (by.toLowerCase().includes(wanted)) {
        const next = entry.events.find((event) => event.step !== null)?.step ?? step;
        found.push({ step: next, entry: entry.number, text: by });
      }
      for (const event of entry.events) {
        step = event.step ?? step;
        if (event.text?.toLowerCase().includes(wanted)) found.push({ step, entry: entry.number, text: event.text });
      }
      if (found.length > MOST_FOUND) return { found: found.slice(0, MOST_FOUND), more: true };
    }
    return { found, more: false };
  }
}

/** The lines of a file, checked as they are read. */
class FileContent {
  /** @type {Game | null} */
  game = null;
  /** @type {IndexLine | null} */
  index = null;
  /** @type {(Checkpoint & { entry: number })[]} each with the number of entries before it */
  checkpoints = [];
  /** @type {Entry[]} */
  entries = [];
  /** @type {number[]} the step before each entry */
  befores = [];
  #step = 0;
  #line = 0;

  /** @param {string} text */
  read(text) {
    this.#line += 1;
    if (text.trim() === "") return;
    let line;
    try {
      line = JSON.parse(text);
    } catch {
      throw this.#wrong("is not JSON");
    }
    const [kind] = Object.keys(line ?? {});
    const value = line?.[kind];
    if (!this.game && kind !== "game") throw this.#wrong("should say which game it is");
    if (kind === "game") this.#game(value);
    else if (kind === "index") this.#index(value);
    else if (kind === "checkpoint") this.#checkpoint(value);
    else if (kind === "entry") this.#entry(value);
    else throw this.#wrong("is of no known kind");
  }

  /** The game and its index, after the last line. */
  finish() {
    const { game, index } = this;
    if (!game) throw new Error(`The file is empty. ${HINT}`);
    if (!index) throw new Error("The file ends before its index. The download was probably cut off; download it again.");
    if (this.checkpoints.length === 0) throw new Error("The file has no checkpoint, so there is no picture to start with. Download it again.");
    if (this.#step < index.steps) {
      throw new Error(`The file ends after step ${this.#step} of ${index.steps} (line ${this.#line}). Download it again.`);
    }
    return { game, index };
  }

  /** @param {any} value */
  #game(value) {
    if (typeof value?.rulebook !== "string" || !Array.isArray(value.players)) throw this.#wrong("does not describe a game");
    this.game = value;
  }

  /** @param {any} value */
  #index(value) {
    const lists = ["entries", "rounds", "turns", "figures", "points"];
    if (!lists.every((key) => Array.isArray(value?.[key]))) throw this.#wrong("is not a complete index");
    this.index = value;
  }

  /** @param {any} value */
  #checkpoint(value) {
    if (value?.step !== this.#step || typeof value.picture !== "object") throw this.#wrong(`should be a checkpoint at step ${this.#step}`);
    this.checkpoints.push({ ...value, entry: this.entries.length });
  }

  /** @param {any} value */
  #entry(value) {
    if (!Array.isArray(value?.events)) throw this.#wrong("is not a complete entry");
    this.befores.push(this.#step);
    this.entries.push(value);
    for (const event of value.events) {
      if (event.step === null) continue;
      this.#step += 1;
      if (event.step !== this.#step) throw this.#wrong(`should continue with step ${this.#step}, but it has step ${event.step}`);
      if (!Array.isArray(event.patch)) throw this.#wrong("has an event without a patch");
    }
  }

  /** @param {string} what */
  #wrong(what) {
    return new Error(`Line ${this.#line} of the file ${what}. ${HINT}`);
  }
}

/** @param {Pick<File, "stream">} file */
async function* pieces(file) {
  const reader = file.stream().pipeThrough(new TextDecoderStream()).getReader();
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) yield piece.value;
}

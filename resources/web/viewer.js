// The state of the game page: a source, the shown step, and whether the page follows a running game. Draws at most once per frame,
// and calls the parts of the page.

import { Cursor, Index, chunkOf } from "./chronicle.js";
import { messageOf } from "./api.js";

/** @import { Drawing, Entry, Game, IndexLine, Part, Source, Unit } from "./types.js" */

const ADDRESS_PAUSE_MS = 400;
/** @type {IndexLine} */
const NO_STEPS = { steps: 0, entries: [], rounds: [], turns: [], figures: [], points: [] };

export class Viewer {
  /** @type {Game | null} */
  game = null;
  index = new Index(NO_STEPS);
  /** @type {Source | null} null until a game is open */
  source = null;
  /** @type {Drawing | null} */
  drawing = null;
  /** @type {((game: string) => string | null) | null} the address where games of this rulebook are played */
  page = null;
  /** @type {import("./types.js").DrawingModule["turningPoint"] | null} */
  turningPoint = null;
  /** Whether games of this rulebook can be exported as scripts. */
  scripts = false;
  step = 0;
  following = false;
  connected = true;
  /** Whether the picture of the shown step is loaded and drawn. */
  ready = false;
  /** @type {import("./chronicle.js").Chunk | null} the chunk of the shown step, once it is ready */
  chunk = null;
  /** @type {Part[]} */
  parts = [];
  cursor = new Cursor();
  #forward = true;
  #frameRequested = false;
  #addressTimer = 0;
  #failed;

  /** @param {(error: Error) => void} failed */
  constructor(failed) {
    this.#failed = failed;
  }

  /**
   * Shows a game from a source, at a step; null is the end.
   * @param {Source} source
   * @param {{ game: Game, index: IndexLine }} opened
   * @param {Drawing} drawing
   * @param {number | null} step
   */
  open(source, { game, index }, drawing, step) {
    this.source = source;
    this.game = game;
    this.index = new Index(index);
    this.drawing = drawing;
    this.cursor.forget();
    this.following = this.running && (step === null || step >= this.index.last);
    this.step = Math.min(step ?? Infinity, this.index.last);
    for (const part of this.parts) part.opened?.(this);
    this.#frame();
  }

  get running() {
    return this.game?.status === "running";
  }

  /** Whether only public facts are shown. The host gives the seed only where it shows everything. */
  get partial() {
    return this.running && (this.game?.seed ?? null) === null;
  }

  /**
   * The players whose seats a fork at this step has. Before the first round, the game may still wait for some of them.
   * @param {number} step
   */
  players(step) {
    return step >= (this.index.rounds[0]?.[1] ?? 0) ? (this.game?.players ?? []) : [];
  }

  get last() {
    return this.index.last;
  }

  /** @param {number} step */
  go(step) {
    if (!this.source) return;
    const to = Math.max(0, Math.min(this.last, Math.round(step)));
    this.#forward = to >= this.step;
    this.step = to;
    this.following = this.running && to === this.last;
    this.#mark();
    this.refresh();
  }

  /** @param {Unit} unit */
  forwards(unit) {
    this.go(this.index.next(unit, this.step));
  }

  /** @param {Unit} unit */
  backwards(unit) {
    this.go(this.index.previous(unit, this.step));
  }

  /**
   * Adds an entry of the running game.
   * @param {Entry} entry
   */
  add(entry) {
    const steps = entry.events.filter((event) => event.step !== null && event.step > this.last).length;
    if (steps === 0) return;
    this.index.add(steps);
    this.source?.append(entry, this.last);
    this.#grow();
  }

  /**
   * Takes a newer index. Keeps the entries that it does not contain yet.
   * @param {IndexLine} line
   */
  reindex(line) {
    const newer = new Index(line);
    if (newer.last < this.last) {
      const missing = [];
      let last = this.last;
      for (let at = this.index.entries.length - 1; last > newer.last && at >= 0; at -= 1) {
        missing.unshift(this.index.entries[at]);
        last -= this.index.entries[at];
      }
      // Otherwise the two disagree, and the next index decides.
      if (last === newer.last) missing.forEach((steps) => newer.add(steps));
    }
    if (newer.last < this.last) return;
    this.index = newer;
    this.#grow();
  }

  #grow() {
    if (this.following) this.step = this.last;
    this.#mark();
    for (const part of this.parts) part.grown?.(this);
    this.refresh();
  }

  /** A chunk was loaded. */
  loaded() {
    for (const part of this.parts) part.loaded?.();
    this.refresh();
  }

  /** Draws in the next frame. */
  refresh() {
    if (this.#frameRequested) return;
    this.#frameRequested = true;
    requestAnimationFrame(() => {
      this.#frameRequested = false;
      this.#frame();
    });
  }

  #frame() {
    if (!this.source) return;
    const i = chunkOf(this.step);
    const chunk = this.source.peek(i);
    this.chunk = chunk?.covers(this.step) ? chunk : null;
    this.ready = this.chunk !== null;
    if (this.chunk) {
      try {
        this.drawing?.draw(this.cursor.move(this.step, this.chunk));
      } catch (error) {
        this.cursor.forget();
        this.#failed(new Error(`Step ${this.step} cannot be shown: ${messageOf(error)}.`));
      }
      this.#loadAhead(this.source, i);
    } else {
      if (chunk) this.source.drop(i);
      this.source.want("show", i);
    }
    this.#mark();
    for (const part of this.parts) part.show?.(this);
    // The parts may have put off work to the next frame; the page is ready after that.
    requestAnimationFrame(() => (document.body.dataset.ready = String(this.ready && !this.#frameRequested)));
  }

  /**
   * @param {Source} source
   * @param {number} i
   */
  #loadAhead(source, i) {
    const next = this.#forward ? i + 1 : i - 1;
    if (next >= 0 && next <= chunkOf(this.last)) source.want("ahead", next);
  }

  /** Writes the state to the page for stylesheets and tests, and soon to the address. */
  #mark() {
    const { dataset } = document.body;
    dataset.step = String(this.step);
    dataset.last = String(this.last);
    dataset.live = !this.running ? "false" : this.following ? "true" : "behind";
    dataset.ready = "false";
    if (this.#addressTimer) return;
    this.#addressTimer = setTimeout(() => {
      this.#addressTimer = 0;
      this.writeAddress();
    }, ADDRESS_PAUSE_MS);
  }

  /** Puts the shown step into the address of the page. */
  writeAddress() {
    const address = new URL(location.href);
    if (this.following) address.searchParams.delete("step");
    else address.searchParams.set("step", String(this.step));
    if (address.href !== location.href) history.replaceState(null, "", address);
  }
}

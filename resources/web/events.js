// The list of events. Only the rows in view exist as nodes. The number of rows of a chunk that is not loaded is guessed from the index;
// when the true number differs, the list stays where the reader is.

import { byId, closest, cut, find, make, name, say, toggle } from "./dom.js";
import { chunkOf, place } from "./chronicle.js";
import { guessRows, rowsOf } from "./rows.js";

/** @import { Chunk } from "./chronicle.js" */
/** @import { Row } from "./rows.js" */
/** @import { Viewer } from "./viewer.js" */

const HEIGHT = 28;
/** Rows above and below the view that exist as well. */
const SPARE = 6;

/** @typedef {ReturnType<typeof makeRow>} RowNode */

export class Events {
  #viewer;
  #box = byId("events");
  #space = find(this.#box, ".rows");
  #private = byId("private", HTMLInputElement);
  // The scroll position is kept here, and the list is painted a frame after the board: to read or change the position while the board
  // is being drawn would lay out the page twice.
  #top = 0;
  #high = 0;
  /** @type {RowNode[]} */
  #pool = [];
  #shown = -1;
  /** Whether the row of the shown step may be out of view. */
  #astray = false;
  #painting = false;
  /** Whether the list is to be scrolled, and whether the next event of the browser says that it was. */
  #scrolls = false;
  #isOwn = false;
  /** @type {number[]} the true number of rows of loaded chunks */
  #counted = [];
  /** @type {number[]} */
  #guess = [];
  /** @type {number[]} the first row of each chunk */
  #bases = [];
  #total = 0;
  #height = "";
  /** @type {WeakMap<Chunk, { key: string, rows: Row[] }>} */
  #rowsOf = new WeakMap();

  /**
   * @param {Viewer} viewer
   * @param {import("./timeline.js").Timeline} timeline
   */
  constructor(viewer, timeline) {
    this.#viewer = viewer;
    this.#box.addEventListener(
      "scroll",
      () => {
        // The rows for an own scroll are there already.
        if (!this.#isOwn) {
          this.#top = this.#box.scrollTop;
          this.#later();
        }
        this.#isOwn = false;
      },
      { passive: true },
    );
    this.#box.addEventListener("click", (event) => {
      const step = closest(event, ".row")?.dataset.goto;
      if (step) timeline.jump(() => viewer.go(Number(step)));
    });
    this.#private.addEventListener("change", () => this.opened(viewer));
    new ResizeObserver(([{ contentRect }]) => {
      this.#high = contentRect.height;
      this.#later();
    }).observe(this.#box);
  }

  /** @param {Viewer} viewer */
  opened(viewer) {
    this.#counted = [];
    this.#astray = this.#shown >= 0;
    byId("private-label").hidden = viewer.partial;
    this.grown();
  }

  grown() {
    this.#guess = guessRows(this.#viewer.index, !this.#viewer.partial);
    this.#sum();
    this.#later();
  }

  loaded() {
    this.#later();
  }

  /** @param {Viewer} viewer */
  show(viewer) {
    if (!viewer.ready) return;
    if (this.#shown !== viewer.step) this.#astray = true;
    this.#shown = viewer.step;
    if (this.#astray) this.#later();
  }

  /** Scrolls at the end of the frame's work, because the browser computes the layout for it. @param {number} top */
  #scroll(top) {
    this.#top = Math.max(0, Math.min(top, this.#total * HEIGHT - this.#high));
    this.#scrolls = true;
  }

  #apply() {
    this.#scrolls = false;
    const before = this.#box.scrollTop;
    this.#box.scrollTop = this.#top;
    this.#isOwn = this.#box.scrollTop !== before;
  }

  #sum() {
    let rows = 0;
    this.#bases = this.#guess.map((guess, i) => {
      const base = rows;
      rows += this.#counted[i] ?? guess;
      return base;
    });
    this.#total = rows;
    const height = `${rows * HEIGHT}px`;
    if (this.#height !== height) this.#space.style.setProperty("height", height);
    this.#height = height;
  }

  /**
   * Replaces the guessed number of rows of a chunk by the true one. The rows in view stay where they are.
   * @param {number} i
   */
  #recount(i) {
    const rows = this.#rows(i);
    if (!rows || this.#counted[i] === rows.length) return;
    const before = this.#counted[i] ?? this.#guess[i];
    const more = rows.length - before;
    const isAbove = (this.#bases[i] + before) * HEIGHT <= this.#top;
    this.#counted[i] = rows.length;
    this.#sum();
    if (more !== 0 && isAbove) this.#scroll(this.#top + more * HEIGHT);
  }

  /**
   * The rows of a chunk, if it is loaded.
   * @param {number} i
   */
  #rows(i) {
    const chunk = this.#viewer.source?.peek(i);
    if (!chunk) return null;
    const { last, partial } = this.#viewer;
    const everything = this.#private.checked;
    const key = [i, chunk.last, chunk.entries.length, everything, partial].join(" ");
    const known = this.#rowsOf.get(chunk);
    if (known?.key === key) return known.rows;
    const rows = rowsOf(chunk, i, { last, commands: !partial, everything });
    this.#rowsOf.set(chunk, { key, rows });
    return rows;
  }

  /** Scrolls so that the row of the shown step is in view. */
  #reveal() {
    const i = chunkOf(this.#shown);
    const at = this.#rows(i)?.findIndex((row) => this.#isCurrent(row)) ?? -1;
    this.#astray = false;
    this.#recount(i);
    const top = at < 0 ? 0 : (this.#bases[i] + at) * HEIGHT;
    const [above, high] = [this.#top, this.#high];
    if (top >= above + HEIGHT && top + 2 * HEIGHT <= above + high) return;
    const isNear = top > above - high && top < above + 2 * high;
    if (!isNear) this.#scroll(top - high / 2);
    else if (top < above + HEIGHT) this.#scroll(top - HEIGHT);
    else this.#scroll(top + 2 * HEIGHT - high);
  }

  /** Paints in the next frame. */
  #later() {
    if (this.#painting || !this.#viewer.source) return;
    this.#painting = true;
    requestAnimationFrame(() => {
      this.#painting = false;
      if (this.#astray && this.#high > 0) this.#reveal();
      this.#paint();
      if (this.#scrolls) this.#apply();
    });
  }

  #paint() {
    const before = this.#total;
    for (const i of this.#inView()) {
      if (this.#rows(i)) this.#recount(i);
      else this.#viewer.source?.want("list", i);
    }
    // Other chunks may be in view now.
    if (this.#total !== before) this.#later();
    const first = Math.max(0, Math.floor(this.#top / HEIGHT) - SPARE);
    const many = Math.ceil(this.#high / HEIGHT) + 2 * SPARE;
    while (this.#pool.length < many) this.#pool.push(this.#newRow());
    const loaded = new Map(this.#inView().map((i) => [i, this.#rows(i)]));
    let current = null;
    for (let at = first; at < first + this.#pool.length; at += 1) {
      const row = this.#pool[at % this.#pool.length];
      const i = this.#chunkAt(at);
      const content = loaded.get(i)?.[at - this.#bases[i]] ?? null;
      this.#put(row, at < this.#total ? at : -1, content);
      if (this.#isCurrent(content)) current = row.node.id;
    }
    toggle(this.#box, "aria-activedescendant", current !== null, current ?? "");
  }

  /** The numbers of the chunks that have rows in view. */
  #inView() {
    const first = this.#chunkAt(Math.floor(this.#top / HEIGHT) - SPARE);
    const last = this.#chunkAt(Math.ceil((this.#top + this.#high) / HEIGHT) + SPARE);
    return Array.from({ length: last - first + 1 }, (_, at) => first + at);
  }

  /** @param {number} row */
  #chunkAt(row) {
    return Math.max(0, place(this.#bases, row));
  }

  #newRow() {
    const row = makeRow();
    this.#space.append(row.node);
    return row;
  }

  /** @param {Row | null} content */
  #isCurrent(content) {
    const steps = content?.steps;
    return Boolean(steps && steps[0] <= this.#shown && this.#shown <= steps[1]);
  }

  /**
   * @param {RowNode} row
   * @param {number} at its place in the list, or -1 to hide it
   * @param {Row | null} content
   */
  #put(row, at, content) {
    const { node } = row;
    if (row.at !== at) {
      row.at = at;
      node.hidden = at < 0;
      node.id = at < 0 ? "" : `row-${at}`;
      node.style.setProperty("transform", `translateY(${at * HEIGHT}px)`);
      node.setAttribute("aria-posinset", String(at + 1));
    }
    toggle(node, "aria-setsize", true, String(this.#total));
    toggle(node, "aria-selected", true, String(this.#isCurrent(content)));
    if (row.content === content) return;
    row.content = content;
    if (content) writeRow(row, content);
    else clearRow(row);
  }
}

function makeRow() {
  const [number, text, to] = [make("span", { class: "number" }), make("bdi", { class: "text" }), make("span", { class: "to" })];
  const node = make("div", { class: "row", role: "option" }, number, text, to);
  return { node, number, text, to, at: /** @type {number | null} */ (null), content: /** @type {Row | null | undefined} */ (undefined) };
}

/** @param {RowNode} row */
function clearRow({ node, number, text, to }) {
  delete node.dataset.step;
  delete node.dataset.goto;
  node.className = "row";
  for (const part of [number, to]) say(part, "");
  say(text, "…");
}

/**
 * @param {RowNode} row
 * @param {Row} content
 */
function writeRow({ node, number, text, to }, { at, entry, event }) {
  const step = event?.step ?? null;
  if (step === null) delete node.dataset.step;
  else node.dataset.step = String(step);
  const cause = commandWords(entry);
  if (!event) {
    node.className = entry.command ? "row command" : "row command timer";
    node.dataset.goto = String(at + entry.steps);
    say(number, entry.number === null ? "" : `#${entry.number}`);
    name(text, cause, 300);
    say(to, "");
    return;
  }
  node.className = event.refused ? "row refused" : step === null ? "row alone" : "row event";
  node.dataset.goto = String(at);
  say(number, step ?? "");
  // An event without words has at least a name.
  const said = event.text || String(event.event[0]);
  // The words of an event to a single client have no subject: the client is the subject.
  const words = step === null ? `${cut(String(event.to), 40)} ${said}` : said;
  name(text, words, 300);
  text.title = cut(entry.number === null ? words : `${words}\n(${cause})`, 600);
  say(to, step === null && !event.refused ? "private" : "");
}

/** @param {import("./types.js").Entry} entry */
function commandWords(entry) {
  const words = entry.text ?? (entry.command ?? []).map((part) => (typeof part === "string" ? part : JSON.stringify(part))).join(" ");
  return cut(String(entry.by ?? "The clock"), 40) + (words && `: ${words}`);
}

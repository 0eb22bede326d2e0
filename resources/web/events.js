// The list of events. Only the rows in view exist; the rest is height. Rows of chunks that are not loaded are counted
// from the index, and the place of the reader is kept when the true number turns out to be another.

import { byId, cut, make, name, say, toggle } from "./dom.js";
import { STEPS, chunkOf, place } from "./chronicle.js";

const HEIGHT = 28;
const SPARE = 6;

export class Events {
  constructor(viewer) {
    this.viewer = viewer;
    this.box = byId("events");
    this.space = this.box.querySelector(".rows");
    // The place is remembered, and the list follows a frame after the board: to ask or to scroll the box while the
    // board is being drawn would lay out the page twice.
    this.top = 0;
    this.high = 0;
    this.box.addEventListener("scroll", () => ((this.top = this.box.scrollTop), this.later()), { passive: true });
    this.box.addEventListener("click", (event) => {
      const row = event.target.closest(".row");
      if (row?.dataset.goto) viewer.timeline.jump(() => viewer.go(Number(row.dataset.goto)));
    });
    byId("private").addEventListener("change", () => this.opened(viewer));
    new ResizeObserver(([{ contentRect }]) => {
      this.high = contentRect.height;
      this.later();
    }).observe(this.box);
    this.pool = [];
    this.shown = -1;
  }

  opened(viewer) {
    this.counted = [];
    this.astray = this.shown >= 0;
    byId("private-label").hidden = viewer.partial;
    this.count();
    this.later();
  }

  grown() {
    this.count();
    this.later();
  }

  loaded() {
    this.later();
  }

  show(viewer) {
    if (!viewer.ready) return;
    if (this.shown !== viewer.step) this.astray = true;
    this.shown = viewer.step;
    if (this.astray) this.later();
  }

  scroll(top) {
    this.top = Math.max(0, Math.min(top, this.total * HEIGHT - this.high));
    this.box.scrollTop = this.top;
  }

  /** How many rows each chunk has: counted once loaded, else guessed from the index. */
  count() {
    const { index, partial } = this.viewer;
    const guess = new Array(chunkOf(index.last) + 1).fill(0);
    for (let i = 0; i < guess.length; i += 1) guess[i] = Math.min(index.last, (i + 1) * STEPS) - i * STEPS;
    let before = 0;
    for (const steps of index.entries) {
      if (!partial) guess[this.home(before)] += steps === 0 ? 2 : 1;
      before += steps;
    }
    this.guess = guess;
    this.sum();
  }

  /** The chunk that has what comes after a step and before the next one. */
  home(step) {
    return Math.min(chunkOf(step + 1), chunkOf(this.viewer.last));
  }

  sum() {
    let rows = 0;
    this.bases = this.guess.map((guess, i) => {
      const base = rows;
      rows += this.counted[i] ?? guess;
      return base;
    });
    this.total = rows;
    const height = `${rows * HEIGHT}px`;
    if (this.height !== height) this.space.style.setProperty("height", height);
    this.height = height;
  }

  /** Puts in the true number of rows of a chunk; what the reader sees stays where it is. */
  recount(i) {
    const rows = this.rows(i);
    if (!rows || this.counted[i] === rows.length) return;
    const before = this.counted[i] ?? this.guess[i];
    const more = rows.length - before;
    const above = (this.bases[i] + before) * HEIGHT <= this.top;
    this.counted[i] = rows.length;
    this.sum();
    if (more !== 0 && above) this.scroll(this.top + more * HEIGHT);
  }

  /** The rows of a chunk: every command and its events, each with the step that was reached (`at`). */
  rows(i) {
    const chunk = this.viewer.source.peek(i);
    if (!chunk) return null;
    const everything = byId("private").checked;
    const key = `${i} ${chunk.last} ${chunk.entries.length} ${everything} ${this.viewer.partial}`;
    if (chunk.rowsKey === key) return chunk.rows;
    const rows = [];
    for (const entry of chunk.entries) {
      let at = entry.before;
      let home = this.home(at);
      if (!this.viewer.partial && home === i) rows.push({ at, entry, event: null });
      for (const event of entry.events) {
        at = event.step ?? at;
        if (event.step !== null) home = chunkOf(at);
        if (home === i && (event.step !== null || event.refused || everything)) rows.push({ at, entry, event });
      }
    }
    chunk.rowsKey = key;
    chunk.rows = rows;
    return rows;
  }

  /** Scrolls so that the row of the shown step is in view. */
  reveal() {
    const i = chunkOf(this.shown);
    const at = this.rows(i)?.findIndex((row) => row.event?.step === this.shown) ?? -1;
    this.astray = false;
    this.recount(i);
    const top = at < 0 ? 0 : (this.bases[i] + at) * HEIGHT;
    const [above, high] = [this.top, this.high];
    if (top >= above + HEIGHT && top + 2 * HEIGHT <= above + high) return;
    const near = top > above - high && top < above + 2 * high;
    if (!near) this.scroll(top - high / 2);
    else if (top < above + HEIGHT) this.scroll(top - HEIGHT);
    else this.scroll(top + 2 * HEIGHT - high);
  }

  later() {
    if (this.asked || !this.viewer.index) return;
    this.asked = true;
    requestAnimationFrame(() => {
      this.asked = false;
      if (this.astray && this.high > 0) this.reveal();
      this.paint();
    });
  }

  paint() {
    const before = this.total;
    for (const i of this.inView()) {
      if (this.rows(i)) this.recount(i);
      else this.viewer.source.want("list", i);
    }
    // Other chunks may be in view now.
    if (this.total !== before) this.later();
    const first = Math.max(0, Math.floor(this.top / HEIGHT) - SPARE);
    const many = Math.ceil(this.high / HEIGHT) + 2 * SPARE;
    while (this.pool.length < many) this.pool.push(this.row());
    const loaded = new Map(this.inView().map((i) => [i, this.rows(i)]));
    let current = null;
    for (let at = first; at < first + this.pool.length; at += 1) {
      const row = this.pool[at % this.pool.length];
      const i = this.chunkAt(at);
      this.put(row, at < this.total ? at : -1, loaded.get(i)?.[at - this.bases[i]] ?? null);
      if (row.current) current = row.node.id;
    }
    toggle(this.box, "aria-activedescendant", current !== null, current);
  }

  /** The numbers of the chunks that have rows in view. */
  inView() {
    const first = this.chunkAt(Math.floor(this.top / HEIGHT) - SPARE);
    const last = this.chunkAt(Math.ceil((this.top + this.high) / HEIGHT) + SPARE);
    return Array.from({ length: last - first + 1 }, (_, at) => first + at);
  }

  chunkAt(row) {
    return Math.max(0, place(this.bases, row));
  }

  row() {
    const [number, text, to] = [make("span", { class: "number" }), make("bdi", { class: "text" }), make("span", { class: "to" })];
    const node = make("div", { class: "row", role: "option" }, number, text, to);
    this.space.append(node);
    return { node, number, text, to, at: null, told: undefined };
  }

  put(row, at, told) {
    const { node } = row;
    row.current = told?.event?.step === this.shown;
    if (row.at !== at) {
      row.at = at;
      node.hidden = at < 0;
      node.id = at < 0 ? "" : `row-${at}`;
      node.style.setProperty("transform", `translateY(${at * HEIGHT}px)`);
      node.setAttribute("aria-posinset", at + 1);
    }
    toggle(node, "aria-setsize", true, String(this.total));
    toggle(node, "aria-selected", true, String(row.current));
    if (row.told === told) return;
    row.told = told;
    if (told) return this.write(row, told);
    delete node.dataset.step;
    delete node.dataset.goto;
    node.className = "row";
    for (const part of [row.number, row.to]) say(part, "");
    say(row.text, "…");
  }

  write({ node, number, text, to }, { at, entry, event }) {
    const step = event?.step ?? null;
    if (step === null) delete node.dataset.step;
    else node.dataset.step = step;
    const caused = command(entry);
    if (!event) {
      node.className = entry.command ? "row command" : "row command timer";
      node.dataset.goto = at + entry.steps;
      say(number, entry.number === null ? "" : `#${entry.number}`);
      name(text, caused, 300);
      say(to, "");
      return;
    }
    node.className = event.refused ? "row refused" : step === null ? "row alone" : "row event";
    node.dataset.goto = at;
    say(number, step ?? "");
    // What is said to one client alone is said of that client.
    const words = step === null ? `${cut(String(event.to), 40)} ${event.text}` : event.text;
    name(text, words, 300);
    text.title = cut(entry.number === null ? words : `${words}\n(${caused})`, 600);
    say(to, step === null && !event.refused ? "to one alone" : "");
  }
}

function command(entry) {
  const words = entry.text ?? (entry.command ?? []).map((part) => (typeof part === "string" ? part : JSON.stringify(part))).join(" ");
  return cut(String(entry.by ?? "The clock"), 40) + (words && `: ${words}`);
}

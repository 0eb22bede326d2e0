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
    this.box.addEventListener("scroll", () => this.later(), { passive: true });
    this.box.addEventListener("click", (event) => {
      const row = event.target.closest(".row");
      if (row?.dataset.goto) viewer.timeline.jump(() => viewer.go(Number(row.dataset.goto)));
    });
    byId("private").addEventListener("change", () => this.opened(viewer));
    new ResizeObserver(() => this.later()).observe(this.box);
    this.pool = [];
  }

  opened(viewer) {
    this.counted = [];
    this.shown = null;
    byId("private-label").hidden = viewer.running;
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
    if (this.shown !== viewer.step) {
      this.shown = viewer.step;
      this.recount(chunkOf(viewer.step));
      this.reveal();
    }
    this.later();
  }

  /** How many rows each chunk has: counted once loaded, else guessed from the index. */
  count() {
    const { index, running } = this.viewer;
    const guess = new Array(chunkOf(index.last) + 1).fill(0);
    for (let i = 0; i < guess.length; i += 1) guess[i] = Math.min(index.last, (i + 1) * STEPS - 1) - Math.max(1, i * STEPS) + 1;
    let before = 0;
    for (const steps of index.entries) {
      if (!running) guess[chunkOf(before)] += steps === 0 ? 2 : 1;
      before += steps;
    }
    this.guess = guess;
    this.sum();
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
    const more = rows.length - (this.counted[i] ?? this.guess[i]);
    const above = this.bases[i] * HEIGHT < this.box.scrollTop;
    this.counted[i] = rows.length;
    this.sum();
    if (more !== 0 && above) this.box.scrollTop += more * HEIGHT;
  }

  /** The rows of a chunk: every command and its events, each with the step that was reached (`at`). */
  rows(i) {
    const chunk = this.viewer.source.peek(i);
    if (!chunk) return null;
    const everything = byId("private").checked;
    const key = `${chunk.last} ${chunk.entries.length} ${everything} ${this.viewer.running}`;
    if (chunk.rowsKey === key) return chunk.rows;
    const rows = [];
    const take = (row) => chunkOf(row.at) === i && rows.push(row);
    for (const entry of chunk.entries) {
      let at = entry.before;
      if (!this.viewer.running) take({ at, entry, event: null });
      for (const event of entry.events) {
        at = event.step ?? at;
        if (event.step !== null || event.refused || everything) take({ at, entry, event });
      }
    }
    chunk.rowsKey = key;
    chunk.rows = rows;
    return rows;
  }

  /** Scrolls so that the row of the shown step is in view. */
  reveal() {
    const i = chunkOf(this.viewer.step);
    const at = this.rows(i)?.findIndex((row) => row.event && row.event.step === this.viewer.step) ?? -1;
    this.current = this.viewer.step === 0 ? -1 : this.bases[i] + at;
    const top = Math.max(0, this.current) * HEIGHT;
    const high = this.box.clientHeight;
    const above = this.box.scrollTop;
    if (top >= above + HEIGHT && top + 2 * HEIGHT <= above + high) return;
    const near = top > above - high && top < above + 2 * high;
    if (!near) this.box.scrollTop = top - high / 2;
    else if (top < above + HEIGHT) this.box.scrollTop = top - HEIGHT;
    else this.box.scrollTop = top + 2 * HEIGHT - high;
  }

  later() {
    if (this.asked || !this.viewer.index) return;
    this.asked = true;
    requestAnimationFrame(() => {
      this.asked = false;
      this.paint();
    });
  }

  paint() {
    const first = Math.max(0, Math.floor(this.box.scrollTop / HEIGHT) - SPARE);
    const many = Math.ceil(this.box.clientHeight / HEIGHT) + 2 * SPARE;
    const last = Math.min(this.total, first + many);
    for (let i = this.chunkAt(first); i <= this.chunkAt(last - 1) && i < this.bases.length; i += 1) {
      if (this.rows(i)) this.recount(i);
      else this.viewer.source.want("list", i);
    }
    while (this.pool.length < many) this.pool.push(this.row());
    const used = new Set();
    for (let at = first; at < last; at += 1) {
      const row = this.pool[at % this.pool.length];
      used.add(row);
      this.put(row, at);
    }
    for (const row of this.pool) if (!used.has(row)) row.node.hidden = true;
    const marked = this.current >= first && this.current < last;
    toggle(this.box, "aria-activedescendant", marked, `row-${this.current}`);
  }

  chunkAt(row) {
    return Math.max(0, place(this.bases, row));
  }

  row() {
    const [number, text, to] = [make("span", { class: "number" }), make("bdi", { class: "text" }), make("span", { class: "to" })];
    const node = make("div", { class: "row", role: "option" }, number, text, to);
    this.space.append(node);
    return { node, number, text, to, at: -1, told: null };
  }

  put(row, at) {
    const i = this.chunkAt(at);
    const told = this.rows(i)?.[at - this.bases[i]] ?? null;
    row.node.hidden = false;
    if (row.at !== at) {
      row.at = at;
      row.node.style.setProperty("transform", `translateY(${at * HEIGHT}px)`);
      row.node.id = `row-${at}`;
      row.node.setAttribute("aria-posinset", at + 1);
    }
    toggle(row.node, "aria-setsize", true, String(this.total));
    toggle(row.node, "aria-selected", true, String(at === this.current));
    if (row.told === told && told) return;
    row.told = told;
    if (told) this.write(row, told);
    else {
      for (const key of ["step", "goto"]) delete row.node.dataset[key];
      row.node.className = "row";
      for (const part of [row.number, row.to]) say(part, "");
      say(row.text, "…");
    }
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
    name(text, event.refused ? `Refused: ${event.text}` : event.text, 300);
    text.title = cut(entry.text || entry.by ? `${event.text}\n(${caused})` : event.text, 600);
    say(to, step === null && !event.refused ? `to ${cut(String(event.to), 20)}` : "");
  }
}

function command(entry) {
  if (entry.command === null) return "Time passed";
  const words = entry.text ?? entry.command.map((part) => (typeof part === "string" ? part : JSON.stringify(part))).join(" ");
  return `${cut(String(entry.by ?? "Somebody"), 40)}: ${words}`;
}

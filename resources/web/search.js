// The search in the events, with buttons for the next and the previous match.

import { byId, onClick, plural, say } from "./dom.js";
import { explain } from "./api.js";
import { place } from "./chronicle.js";

const TYPING_MS = 200;

export class Search {
  /** @type {number[]} the steps with a match, ascending */
  #steps = [];
  #count = 0;
  #more = false;
  /** @type {string | null} the text that was searched for */
  #text = null;
  /** @type {string | null} */
  #failure = null;
  #requests = 0;
  #timer = 0;
  #viewer;
  #timeline;
  #field = byId("search", HTMLInputElement);

  /**
   * @param {import("./viewer.js").Viewer} viewer
   * @param {import("./timeline.js").Timeline} timeline
   */
  constructor(viewer, timeline) {
    this.#viewer = viewer;
    this.#timeline = timeline;
    this.#field.addEventListener("input", () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#ask(), TYPING_MS);
    });
    byId("search-form").addEventListener("submit", (event) => event.preventDefault());
    this.#field.addEventListener("keydown", async (event) => {
      if (event.key === "Escape") this.#field.blur();
      if (event.key !== "Enter") return;
      event.preventDefault();
      const back = event.shiftKey;
      if (this.#text !== this.#field.value.trim()) await this.#ask();
      this.move(back ? -1 : 1);
    });
    onClick("next-match", () => this.move(1));
    onClick("previous-match", () => this.move(-1));
  }

  opened() {
    this.#text = null;
    if (this.#field.value) this.#ask();
  }

  async #ask() {
    clearTimeout(this.#timer);
    const text = this.#field.value.trim();
    const request = (this.#requests += 1);
    this.#text = text;
    /** @type {import("./types.js").SearchResult} */
    let answer = { found: [], more: false };
    let failure = null;
    try {
      if (text !== "" && this.#viewer.source) answer = await this.#viewer.source.search(text);
    } catch (error) {
      failure = explain(error);
    }
    if (request !== this.#requests) return;
    this.#steps = [...new Set(answer.found.map((match) => match.step))].sort((a, b) => a - b);
    this.#count = answer.found.length;
    this.#more = answer.more;
    this.#failure = failure;
    this.#timeline.matches(this.#steps);
    this.show(this.#viewer);
  }

  /** @param {1 | -1} by */
  move(by) {
    if (this.#steps.length === 0) return;
    const { step } = this.#viewer;
    const next = by > 0 ? place(this.#steps, step) + 1 : place(this.#steps, step - 1);
    const to = this.#steps[(next + this.#steps.length) % this.#steps.length];
    this.#timeline.jump(() => this.#viewer.go(to));
  }

  /** @param {{ step: number }} viewer */
  show({ step }) {
    say(byId("matches"), this.#words(step));
  }

  /** @param {number} step */
  #words(step) {
    if (!this.#text) return "";
    if (this.#failure) return this.#failure;
    if (this.#count === 0) return "nothing found";
    const all = this.#more ? `${this.#count}+ matches` : plural(this.#count, "match", "matches");
    const at = this.#steps.indexOf(step);
    return at < 0 ? all : `${at + 1} of ${this.#steps.length} moments, ${all}`;
  }
}

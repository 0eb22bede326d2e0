// The search in the events, with a next and a previous match.

import { byId, say } from "./dom.js";
import { explain } from "./api.js";
import { place } from "./chronicle.js";

const PAUSE = 200;

export class Search {
  found = [];
  asked = 0;

  constructor(viewer) {
    this.viewer = viewer;
    this.field = byId("search");
    this.field.addEventListener("input", () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.ask(), PAUSE);
    });
    byId("search-form").addEventListener("submit", (event) => event.preventDefault());
    this.field.addEventListener("keydown", async (event) => {
      if (event.key === "Escape") this.field.blur();
      if (event.key !== "Enter") return;
      event.preventDefault();
      const back = event.shiftKey;
      if (this.text !== this.field.value.trim()) await this.ask();
      this.move(back ? -1 : 1);
    });
    byId("next-match").addEventListener("click", () => this.move(1));
    byId("previous-match").addEventListener("click", () => this.move(-1));
  }

  opened() {
    this.text = null;
    if (this.field.value) this.ask();
  }

  async ask() {
    clearTimeout(this.timer);
    const text = this.field.value.trim();
    const turn = (this.asked += 1);
    this.text = text;
    let answer = { found: [], more: false };
    let failure = null;
    try {
      if (text !== "") answer = await this.viewer.source.search(text);
    } catch (error) {
      failure = explain(error);
    }
    if (turn !== this.asked) return;
    this.steps = [...new Set(answer.found.map((match) => match.step))].sort((a, b) => a - b);
    this.found = answer.found;
    this.more = answer.more;
    this.failure = failure;
    this.viewer.timeline.matches(this.steps);
    this.show(this.viewer);
  }

  move(by) {
    if (!this.steps?.length) return;
    const { step } = this.viewer;
    const next = by > 0 ? place(this.steps, step) + 1 : place(this.steps, step - 1);
    const to = this.steps[(next + this.steps.length) % this.steps.length];
    this.viewer.timeline.jump(() => this.viewer.go(to));
  }

  show({ step }) {
    const matches = byId("matches");
    if (!this.text) return say(matches, "");
    if (this.failure) return say(matches, this.failure);
    const many = this.found.length;
    if (many === 0) return say(matches, "nothing found");
    const all = `${many}${this.more ? "+" : ""} ${many === 1 ? "match" : "matches"}`;
    const at = this.steps.indexOf(step);
    return say(matches, at < 0 ? all : `${at + 1} of ${this.steps.length} moments, ${all}`);
  }
}

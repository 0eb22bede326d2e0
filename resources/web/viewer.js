// What is shown: a source, a step, and whether the page follows a running game. Draws at most once per frame and tells the parts.
// A part may have opened(), grown(), loaded(chunk number) and show(); each gets the viewer.

import { Cursor, Index, chunkOf } from "./chronicle.js";

const ADDRESS_PAUSE = 400;

export class Viewer {
  game = null;
  index = null;
  source = null;
  drawing = null;
  step = 0;
  following = false;
  connected = true;
  ready = false;
  parts = [];
  cursor = new Cursor();

  constructor(failed) {
    this.failed = failed;
  }

  /** Takes another source, or the same one anew; `step` null is the start, or the end of a running game. */
  open(source, { game, index }, drawing, step) {
    this.source = source;
    this.game = game;
    this.index = new Index(index);
    this.drawing = drawing;
    this.cursor.forget();
    this.following = this.running && (step === null || step >= this.index.last);
    this.step = this.following ? this.index.last : Math.min(step ?? 0, this.index.last);
    this.tell("opened");
    this.frame();
  }

  get running() {
    return this.game?.status === "running";
  }

  /** Whether there is more to a game than may be seen now: only the seed of a game that is shown whole is told. */
  get partial() {
    return this.running && (this.game.seed ?? null) === null;
  }

  get last() {
    return this.index.last;
  }

  go(step) {
    if (!this.index) return;
    const to = Math.max(0, Math.min(this.last, Math.round(step)));
    this.forward = to >= this.step;
    this.step = to;
    this.following = this.running && to === this.last;
    this.mark();
    this.refresh();
  }

  forwards(unit) {
    this.go(this.index.next(unit, this.step));
  }

  backwards(unit) {
    this.go(this.index.previous(unit, this.step));
  }

  /** An entry of the running game. */
  add(entry) {
    const steps = entry.events.filter((event) => event.step > this.last).length;
    if (steps === 0) return;
    this.index.add(steps);
    this.source.append(entry, this.last);
    this.grow();
  }

  /** A newer index. The entries that it does not know yet stay. */
  reindex(line) {
    const newer = new Index(line);
    if (newer.last < this.last) {
      const missing = [];
      let last = this.last;
      for (let at = this.index.entries.length - 1; last > newer.last && at >= 0; at -= 1) {
        missing.unshift(this.index.entries[at]);
        last -= this.index.entries[at];
      }
      // Otherwise the two disagree; the next index will tell.
      if (last === newer.last) missing.forEach((steps) => newer.add(steps));
    }
    if (newer.last < this.last) return;
    this.index = newer;
    this.grow();
  }

  grow() {
    if (this.following) this.step = this.last;
    this.mark();
    this.tell("grown");
    this.refresh();
  }

  loaded(i) {
    this.tell("loaded", i);
    this.refresh();
  }

  refresh() {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => {
      this.asked = false;
      this.frame();
    });
  }

  frame() {
    const i = chunkOf(this.step);
    const chunk = this.source.peek(i);
    this.ready = Boolean(chunk?.covers(this.step));
    if (this.ready) {
      try {
        this.drawing.draw(this.cursor.move(this.step, chunk));
      } catch (error) {
        this.cursor.forget();
        this.failed(new Error(`Step ${this.step} cannot be shown: ${error.message}.`));
      }
      this.ahead(i);
    } else {
      if (chunk) this.source.drop(i);
      this.source.want("show", i);
    }
    this.chunk = this.ready ? chunk : null;
    this.mark();
    this.tell("show");
    // After what the parts have put off to the next frame.
    requestAnimationFrame(() => (document.body.dataset.ready = this.ready && !this.asked));
  }

  ahead(i) {
    const next = this.forward === false ? i - 1 : i + 1;
    if (next >= 0 && next <= chunkOf(this.last)) this.source.want("ahead", next);
  }

  mark() {
    const { dataset } = document.body;
    dataset.step = this.step;
    dataset.last = this.last;
    dataset.live = !this.running ? "false" : this.following ? "true" : "behind";
    dataset.ready = false;
    if (this.waiting) return;
    this.waiting = setTimeout(() => {
      this.waiting = null;
      this.address();
    }, ADDRESS_PAUSE);
  }

  address() {
    const address = new URL(location.href);
    if (this.following) address.searchParams.delete("step");
    else address.searchParams.set("step", this.step);
    if (address.href !== location.href) history.replaceState(null, "", address);
  }

  tell(what, detail) {
    for (const part of this.parts) part[what]?.(this, detail);
  }
}

// What happens in a game as it is seen and heard: events that deserve it get a moment over the page, and a sound. The page can be used
// meanwhile; a click or a key ends the moment. The words of all events are in the list of what happened.

import { make } from "./dom.js";
import { Sounds } from "./sound.js";

/** @import { DrawingModule, Entry, Moment } from "./types.js" */

const SHOWN_MS = 4000;
/** More moments than this are not waited for: the game is faster than its reader. */
const MOST_WAITING = 2;

export class Moments {
  #sounds = new Sounds();
  #box = make("div", { id: "moment", "aria-hidden": "true", hidden: true });
  /** @type {Moment[]} */
  #waiting = [];
  #timer = 0;
  /** @type {DrawingModule | null} */
  #module = null;
  /** @type {any} */
  #stage = null;
  #wasYours = false;

  constructor() {
    document.body.append(this.#box);
    for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, () => this.#box.hidden || this.#next(), { capture: true });
  }

  /**
   * @param {DrawingModule} module
   * @param {any} stage
   */
  open(module, stage) {
    this.#module = module;
    this.#stage = stage;
  }

  /**
   * Something has happened just now.
   * @param {Entry} entry
   * @param {any} picture after it
   */
  happened({ events }, picture) {
    /** @type {any[][]} */
    const before = [];
    for (const { step, event } of events) {
      if (step === null) continue;
      const sound = this.#module?.sound?.(event);
      if (sound) this.#sounds.play(sound);
      const moment = this.#module?.moment?.(event, { picture, stage: this.#stage, before });
      before.push(event);
      if (moment && this.#waiting.length < MOST_WAITING) this.#waiting.push(moment);
    }
    if (this.#box.hidden && this.#waiting.length > 0) this.#next();
  }

  /** @param {boolean} isYours whether the player has the turn */
  turn(isYours) {
    if (isYours && !this.#wasYours) this.#sounds.play("turn");
    this.#wasYours = isYours;
  }

  #next() {
    clearTimeout(this.#timer);
    const moment = this.#waiting.shift();
    this.#box.hidden = !moment;
    if (!moment) return;
    const picture = make("div", { class: "picture" });
    const words = make("div", { class: "words" }, make("b", {}, moment.title), make("p", {}, moment.words));
    this.#box.dataset.mood = moment.mood;
    this.#box.replaceChildren(make("div", { class: "scene" }, picture, words));
    moment.draw?.(picture, words);
    words.append(make("p", { class: "go" }, "Click or press a key to go on, or wait."));
    this.#timer = setTimeout(() => this.#next(), SHOWN_MS);
  }
}

// Help beside the board: a hint for what to do now, until the player knows, and how the game is played.

import { byId, onClick, say } from "./dom.js";
import { store, stored } from "./stored.js";

/** @import { DrawingModule } from "./types.js" */

const KEY = "hints:";

export class Help {
  /** @type {DrawingModule | null} */
  #module = null;
  #rulebook = "";
  /** @type {any} */
  #stage = null;

  constructor() {
    onClick("hint-done", () => {
      store(KEY + this.#rulebook, "known");
      byId("hint").hidden = true;
      this.#module = null;
    });
  }

  /**
   * @param {string} rulebook
   * @param {DrawingModule} module
   * @param {any} stage
   */
  open(rulebook, module, stage) {
    this.#rulebook = rulebook;
    this.#stage = stage;
    const how = byId("how", HTMLDetailsElement);
    how.hidden = !module.rules;
    module.rules?.(byId("how-words"));
    if (stored(KEY + rulebook) === null) this.#module = module;
  }

  /**
   * @param {any} picture
   * @param {number} seat of the player, -1 without one
   * @param {boolean} mayAct
   */
  show(picture, seat, mayAct) {
    const words = seat >= 0 && mayAct && picture ? (this.#module?.hint?.(picture, this.#stage, seat) ?? null) : null;
    byId("hint").hidden = words === null;
    if (words) say(byId("hint-words"), words);
  }
}

// Help beside the board: a hint for what to do now, until the player knows, and how the game is played.

import { byId, say } from "./dom.js";

/** @import { DrawingModule } from "./types.js" */

const KEY = "hints:";

export class Help {
  /** @type {DrawingModule | null} */
  #module = null;
  #rulebook = "";
  /** @type {any} */
  #stage = null;

  constructor() {
    byId("hint-done").addEventListener("click", () => {
      try {
        localStorage.setItem(KEY + this.#rulebook, "known");
      } catch {
        // Without storage, the hints come back with the next page.
      }
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
    if (!isKnown(rulebook)) this.#module = module;
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

/** @param {string} rulebook */
function isKnown(rulebook) {
  try {
    return localStorage.getItem(KEY + rulebook) !== null;
  } catch {
    return false;
  }
}

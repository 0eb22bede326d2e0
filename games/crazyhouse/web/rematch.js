// The game after a finished one: both players get the same rematch, with the sides changed.

import { byId, say } from "/web/dom.js";
import { json, path, post } from "/web/api.js";
import { other } from "./notation.js";
import { wantSeat } from "./names.js";

/** @import { Match } from "./match.js" */

const RETRY_MS = 3000;
const LONGEST_RETRY_MS = 15000;
const LONGEST_IDLE_RETRY_MS = 60000;

/** @param {string} game */
const playPage = (game) => `/crazyhouse/play/${encodeURIComponent(game)}`;

export class Rematch {
  #game;
  #match;
  #asking = false;
  #retryMs = RETRY_MS;

  /**
   * @param {string} game
   * @param {() => Match} match
   */
  constructor(game, match) {
    this.#game = game;
    this.#match = match;
  }

  /** Asks the host for a rematch that the other player has created, until there is one. */
  async await() {
    if (this.#asking) return;
    this.#asking = true;
    try {
      const { game: next } = await json(path("games", this.#game, "rematch"));
      if (next) {
        this.#offer(next);
        return;
      }
    } catch {
      // The next attempt may succeed.
    }
    // A player in front of the page waits for the rematch; spectators and hidden pages can learn of it later.
    const longest = this.#match().mine && !document.hidden ? LONGEST_RETRY_MS : LONGEST_IDLE_RETRY_MS;
    this.#retryMs = Math.min(this.#retryMs * 1.3, longest);
    setTimeout(() => {
      this.#asking = false;
      this.await();
    }, this.#retryMs);
  }

  /** @param {string} next */
  #offer(next) {
    const link = byId("next", HTMLAnchorElement);
    link.href = playPage(next);
    link.hidden = this.#match().mine !== null;
    if (this.#match().mine) say(byId("rematch"), "Play the rematch");
  }

  /**
   * Creates the rematch, or finds the one that the other player has created, and goes there.
   * @param {string | null} token
   */
  async play(token) {
    const { mine, players } = this.#match();
    if (!mine) return;
    const { game: next } = await post(path("games", this.#game, "rematch"), { token });
    wantSeat(next, { name: players[mine] ?? "Player", side: other(mine) });
    location.assign(playPage(next));
  }
}

// Tells a player that the opponent has left, and offers to claim the win once the host may take the claim.

import { byId, find, say } from "/web/dom.js";
import { awayWords } from "./words.js";

/** @import { Match } from "./match.js" */
/** @import { Notice } from "/web/types.js" */

const TICK_MS = 1000;

export class Away {
  /** @type {number | null} when the opponent left, as `Date.now()`; null: the opponent is there, as far as the page knows */
  #sinceMs = null;
  #match;

  /** @param {() => Match} match */
  constructor(match) {
    this.#match = match;
    setInterval(() => this.show(), TICK_MS);
  }

  /**
   * The host tells who is connected.
   * @param {Notice} notice
   * @param {number | null} client the player at this page
   */
  take(notice, client) {
    const players = notice.snapshot?.players ?? (notice.presence ? [notice.presence] : []);
    const opponent = players.find((player) => player.client !== client);
    if (!opponent) return;
    this.#sinceMs = opponent.away_ms === null ? null : Date.now() - opponent.away_ms;
    this.show();
  }

  show() {
    const { running, mine } = this.#match();
    const away = awayWords(this.#sinceMs === null || !running || mine === null ? null : (Date.now() - this.#sinceMs) / 1000);
    byId("away").hidden = away === null;
    say(find(byId("away"), "p"), away?.words ?? "");
    byId("claim").hidden = !away?.canClaim;
  }
}

// What this browser remembers besides the player's name: the colours of the board, and the seat that the player wants in another game.

import { store, stored } from "/web/stored.js";

/** @import { Side } from "./notation.js" */

/** The colours of the board that the player likes: `blue`, `wood` or `green`. */
export const storedBoard = () => stored("board");

/** @param {string} colours */
export function storeBoard(colours) {
  store("board", colours);
  applyBoard();
}

/** Gives the board the colours that the player likes. */
export function applyBoard() {
  document.documentElement.dataset.board = storedBoard() ?? "blue";
}

/**
 * Remembers the seat that the player wants, for the page of that game.
 * @param {string} game
 * @param {{ name: string, side: Side }} seat
 */
export function wantSeat(game, seat) {
  store(`wish:${game}`, JSON.stringify(seat));
}

/**
 * The seat that the player wants in a game. Forgets it.
 * @param {string} game
 * @returns {{ name: string, side: Side } | null}
 */
export function takeWantedSeat(game) {
  const found = stored(`wish:${game}`);
  store(`wish:${game}`, null);
  return found && JSON.parse(found);
}

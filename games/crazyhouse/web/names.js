// What this browser remembers besides the player's name: the colours of the board, and the seat that the player wants in another game.

/** @import { Side } from "./notation.js" */

/** @param {string} key */
const read = (key) => {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
};

/**
 * @param {string} key
 * @param {string | null} value
 */
const write = (key, value) => {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // Without storage, the player enters it again.
  }
};

/** The colours of the board that the player likes: `blue`, `wood` or `green`. */
export const storedBoard = () => read("board");

/** @param {string} colours */
export function storeBoard(colours) {
  write("board", colours);
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
  write(`wish:${game}`, JSON.stringify(seat));
}

/**
 * The seat that the player wants in a game. Forgets it.
 * @param {string} game
 * @returns {{ name: string, side: Side } | null}
 */
export function takeWantedSeat(game) {
  const found = read(`wish:${game}`);
  write(`wish:${game}`, null);
  return found && JSON.parse(found);
}

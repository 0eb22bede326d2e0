// Asks the host about a position, and marks where a text is not a position.

import { json } from "/web/api.js";
import { make } from "/web/dom.js";
import { wrongColumn } from "./notation.js";

/** @import { Side } from "./notation.js" */

/**
 * The host's answer about a position.
 * @typedef {{ board: string, fen: string | null, next: Side | null, check: Side | null, mate: boolean, moves: string[] }} PositionAnswer
 */

/**
 * @param {string} text `BOARD`, `BOARD w` or `BOARD b`
 * @returns {Promise<PositionAnswer>}
 */
export function askPosition(text) {
  return json(`/api/v1/rulebooks/crazyhouse/position?${encodeURIComponent(text)}`);
}

/**
 * Moves as chess players write them, with `+` and `#`.
 * @param {string} start the position before the first one, `BOARD w` or `BOARD b`
 * @param {string[]} moves such as `e2-e4`
 * @returns {Promise<string[]>}
 */
export async function askSans(start, moves) {
  const text = `[FEN "${start}"]\n\n${moves.join(" ")}`;
  /** @type {{ positions: { san?: string }[] }} */
  const { positions } = await json(`/api/v1/rulebooks/crazyhouse/moves?${encodeURIComponent(text)}`);
  return positions.slice(1).map(({ san }) => san ?? "");
}

/**
 * The text, with a mark at the column that the message of the host names.
 * @param {string} text
 * @param {string} message
 * @returns {(Node | string)[]}
 */
export function marked(text, message) {
  const column = wrongColumn(message);
  if (column === null) return [text];
  const letters = [...text];
  const wrong = letters[column - 1] ?? " ";
  return [letters.slice(0, column - 1).join(""), make("mark", { "data-column": column }, wrong === " " ? "\u00a0" : wrong), letters.slice(column).join("")];
}

// What the host says about a position, and where a text that is none is wrong.

import { json } from "../api.js";
import { make } from "../dom.js";

export const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR/";

/** `BOARD`, `BOARD w` or `BOARD b`. */
export function ask(text) {
  return json(`/api/v1/rulebooks/crazyhouse/position?${encodeURIComponent(text)}`);
}

/** The text with a mark at the column that the answer names. */
export function marked(text, message) {
  const column = Number(/column (\d+)/.exec(message)?.[1] ?? 0);
  if (!column) return [text];
  const letters = [...text];
  const wrong = letters[column - 1] ?? " ";
  return [letters.slice(0, column - 1).join(""), make("mark", { "data-column": column }, wrong === " " ? "\u00a0" : wrong), letters.slice(column).join("")];
}

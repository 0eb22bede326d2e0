// Cards as they lie on a table: a picture, a colour and a name for each kind.

import { sign } from "./art.js";
import { shapeName } from "./draw-icons.js";

/** @import { Card } from "./types.js" */

/** @type {Record<string, string>} */
const COLOURS = { "card-food": "#c4493c", "card-fuel": "#b54a20", "card-stuff": "#8f5f2e", "card-medicine": "#b0302a", "card-lock": "#8a6516", "card-scissors": "#5b6b78", "card-hammer": "#5b6b78", "card-colt": "#4c5963", "card-snowboots": "#7a4a24", "card-swab": "#8a6a20", "card-blueprint": "#2f6fa8" };

/** @param {string} kind */
export const cardColour = (kind) => COLOURS[shapeName("card", kind)] ?? "#5b6b78";

/** @param {string} kind */
export const cardPicture = (kind) => sign(shapeName("card", kind), "card-picture", 48);

/**
 * The name of a card, and what it does if its text says so.
 * @param {Card} card
 */
export function cardWords({ text }) {
  const [name, effect = ""] = text.split(": ");
  return { name, effect };
}

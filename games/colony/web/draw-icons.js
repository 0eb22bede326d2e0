// The icons of the colony, and its dice.

import { draw } from "/web/dom.js";
import { sign } from "./art.js";

/** @param {string} kind */
export function icon(kind) {
  const name = shapeName("icon", kind);
  return sign(document.getElementById(`colony-${name}`) ? name : "icon-card", "icon", 16);
}

/** The name of a shape for a kind of card or injury. @type {(group: string, kind: string) => string} */
export const shapeName = (group, kind) => `${group}-${kind.toLowerCase().replaceAll(/[^a-z]/g, "")}`;

/** @type {Record<number, number[]>} the fields of a die with a pip, of nine */
const PIPS = { 1: [4], 2: [2, 6], 3: [2, 4, 6], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };

/** @param {number} value */
export function die(value) {
  const pips = (PIPS[value] ?? []).map((at) => draw("circle", { cx: 4 + (at % 3) * 4, cy: 4 + Math.floor(at / 3) * 4, r: 1.4 }));
  return draw("svg", { viewBox: "0 0 16 16", class: "die", role: "img", "aria-label": String(value) }, draw("rect", { width: 16, height: 16, rx: 3 }), ...pips);
}

// Cards as they lie on a table: a picture, a colour and a name for each kind.

import { draw } from "/web/dom.js";
import { circle, ellipse, path, rect } from "./art.js";

/** @import { Card } from "./types.js" */

/** @type {(width: number) => SVGElement} */
const shadow = (width) => ellipse(24, 42, width, 3, "#0002");
/** @type {(d: string, stroke: string, width: number) => SVGElement} */
const line = (d, stroke, width) => path(d, "none", { stroke, "stroke-width": width });

/** The colour of a kind, and its picture in a square of 48. @type {Record<string, [colour: string, draw: () => SVGElement[]]>} */
const KINDS = {
  food: ["#c4493c", () => [shadow(15), rect(12, 12, 24, 27, "#c4493c", { rx: 3 }), rect(12, 19, 24, 13, "#f6e7c8"), ellipse(24, 12, 12, 4, "#cfd8de"), ellipse(24, 12, 9, 2.6, "#98a6b0"), path("M16 25.5q6-5 12 0l4-3v6l-4-3q-6 5-12 0z", "#3c6f8f")]],
  fuel: ["#b54a20", () => [shadow(15), path("M11 19l8-9h18v31H11z", "#c2552a"), path("M11 19l8-9h4l-8 9v22h-4z", "#8f3a1b"), path("M24 7h10v5H24z", "#2f2a26"), line("M18 20l14 15M32 20L18 35", "#8f3a1b", 3), rect(19, 8, 5, 5, "#e2b03a")]],
  stuff: ["#8f5f2e", () => [path("M24 6l17 8v19l-17 9-17-9V14z", "#a8743e"), path("M24 23l17-9v19l-17 9z", "#7a4f27"), path("M7 14l17-8 17 8-17 9z", "#cf9c5e"), line("M7 14l17 9v19M24 23l17-9M11 17v18M20 21.5V40M15 10l18 9", "#5a3919", 1.5)]],
  medicine: ["#b0302a", () => [shadow(13), rect(19, 6, 10, 6, "#efe9dd", { rx: 1.5 }), path("M18 12h12l4 6v22q0 2-2 2H16q-2 0-2-2V18z", "#8a5a2b"), rect(14, 22, 20, 14, "#fbf6ea"), path("M22 24h4v3h3v4h-3v3h-4v-3h-3v-4h3z", "#c4322b")]],
  lock: ["#8a6516", () => [path("M15 22v-6a9 9 0 0 1 18 0v6h-5v-6a4 4 0 0 0-8 0v6z", "#8b98a3"), rect(11, 21, 26, 20, "#d9a441", { rx: 4 }), rect(24, 21, 13, 20, "#b07f26", { rx: 4 }), circle(24, 29, 3.5, "#4a3310"), rect(22.5, 30, 3, 7, "#4a3310")]],
  scissors: ["#5b6b78", () => [path("M14 5l14 24-4 2zM34 5L20 29l4 2z", "#9aa8b2"), path("M34 5L22 26l2 5z", "#71808b"), line("M10.5 36a5.5 5.5 0 1 0 11 0 5.5 5.5 0 1 0-11 0M26.5 36a5.5 5.5 0 1 0 11 0 5.5 5.5 0 1 0-11 0", "#b5392c", 4)]],
  hammer: ["#5b6b78", () => [path("M21 16h6l-1 27q-2 2-4 0z", "#a8743e"), path("M10 7h22q6 1 8 8-5-2-8-1H10z", "#75838e"), path("M10 7h6v10h-6z", "#515f69")]],
  colt: ["#4c5963", () => [path("M5 14h36v7H28l-2 5h-6l-4 15H7l4-17-6-3z", "#6d7a85"), path("M11 24L7 41h9l4-15z", "#7a4a24"), rect(18, 12, 10, 11, "#4c5963", { rx: 2 })]],
  snowboots: ["#7a4a24", () => [path("M9 12h12v18l9 5v6H9z", "#7a4a24"), path("M24 10h12v18l8 5v6H27l-3-2z", "#8f5a2d"), rect(7, 8, 16, 7, "#f3ede0", { rx: 3.5 }), rect(22, 6, 16, 7, "#f3ede0", { rx: 3.5 })]],
  swab: ["#8a6a20", () => [path("M33 4l3 2-12 22-4-2z", "#b9854c"), path("M14 25l13 7-4 12q-8 2-15-6z", "#d8b45c"), line("M12 33l-2 6M17 35l-2 7M22 36l-2 8", "#98772f", 1.5)]],
  blueprint: ["#2f6fa8", () => [path("M6 10l36-3v31L6 41z", "#2f6fa8"), line("M12 33V20l10-5 12 4v12M18 33v-7h6v6M12 20l22-1", "#d9ecfa", 1.6)]],
};

/** @param {string} kind */
const kindOf = (kind) => KINDS[kind.toLowerCase().replaceAll(/[^a-z]/g, "")] ?? ["#5b6b78", () => []];

/** @param {string} kind */
export const cardColour = (kind) => kindOf(kind)[0];

/** @param {string} kind */
export const cardPicture = (kind) => draw("svg", { viewBox: "0 0 48 48", class: "card-picture", "aria-hidden": "true" }, ...kindOf(kind)[1]());

/**
 * The name of a card, and what it does if its text says so.
 * @param {Card} card
 */
export function cardWords({ text }) {
  const [name, effect = ""] = text.split(": ");
  return { name, effect };
}

// The icons of the colony. They differ in shape, so that nothing depends on colour alone.

import { draw } from "/web/dom.js";

/** @type {Record<string, string>} */
const FILLED = {
  zombie: "M6.3 1.2a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 0 1 0-5.6zM3.5 7.8H15v2H8.8V15H6.9v-3.5H5.6V15H3.5z",
  child: "M8 2.5a2.6 2.6 0 1 1 0 5.2 2.6 2.6 0 0 1 0-5.2zM4.3 14.5c0-3.6 1.2-6 3.7-6s3.7 2.4 3.7 6z",
  person: "M8 1.5a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM2.5 14.5c0-4 2-6 5.5-6s5.5 2 5.5 6z",
  wound: "M8 1.2c2.6 3.5 4.7 6 4.7 8.7a4.7 4.7 0 0 1-9.4 0C3.3 7.2 5.4 4.7 8 1.2z",
  food: "M4 2h8v2.2H4zM4 5.2h8V14H4zM5.5 7.5v3h5v-3z",
  fuel: "M3 5.5L6.2 2H13v12H3zM7.3 3.8v1.6h3.4V3.8zM5 8v3.6h6V8z",
  stuff: "M8 1.5l6 2.8-6 2.8-6-2.8zM2 5.7l5.4 2.5v6.3L2 12zM14 5.7L8.6 8.2v6.3L14 12z",
  medicine: "M6 2h4v4h4v4h-4v4H6v-4H2V6h4z",
  lock: "M4.5 7V5a3.5 3.5 0 0 1 7 0v2H13v7.5H3V7zM6.3 7h3.4V5a1.7 1.7 0 0 0-3.4 0z",
  hammer: "M2.5 2H10l3 2.6V6.5H2.5zM6 7.5h2.6V15H6z",
  colt: "M1 4h14v3H9.2L8.5 9H6.3L5 14H2l1-7H1z",
  snowboots: "M4.5 1.5h5V8l4.5 2.8V12H4.5zM3.5 13H14v1.8H3.5z",
  swab: "M7.1 1h1.8v8H7.1zM4 9.5h8l1 5.5H3z",
  blueprint: "M1.5 2.5h13v11h-13zM3.5 4.5v7h3.2V8.6h2.6v2.9h3.2v-7z",
  card: "M4 1.5h8v13H4z",
  foot: "M5 1.5c2 0 2.6 2.3 2.3 4.5-.2 1.5-3.8 1.7-4.1.2C2.8 4 3.2 1.5 5 1.5zM3.6 8.2l3.2-.3c.2 1.9-.4 2.7-1.5 2.7s-1.8-.9-1.7-2.4zM11 5.5c2 0 2.4 2.5 1.9 4.6-.4 1.5-3.9 1.3-4-.3C8.7 7.6 9.2 5.5 11 5.5zM9.2 12l3.2.4c-.1 1.8-.8 2.6-1.9 2.4s-1.5-1.2-1.3-2.8z",
  sword: "M13.8 1.5l.7.7-1 4.3-6 5.3 1.2 1.2-1.2 1.2-2-2-2.8 2.8-1.5-1.5L4 10.7l-2-2 1.2-1.2 1.2 1.2 5.3-6z",
  eye: "M7 2a5 5 0 0 1 4 8l3.5 3.5-1.3 1.3-3.4-3.5A5 5 0 1 1 7 2zm0 1.8a3.2 3.2 0 1 0 0 6.4 3.2 3.2 0 0 0 0-6.4z",
  star: "M8 1.5l2 4.4 4.7.5-3.5 3.2 1 4.8L8 12l-4.2 2.4 1-4.8L1.3 6.4 6 5.9z",
  flame: "M8.5 1c.6 2.6 4 4.2 4 8.2A4.5 4.5 0 0 1 8 14.8a4.5 4.5 0 0 1-4.5-4.6c0-2 1-3 1.6-4.2.6 1 1 1.3 1.6 1.5C6.5 5 7 2.5 8.5 1zM8 9c-.9 1-1.7 1.7-1.7 2.9A1.7 1.7 0 0 0 8 13.6a1.7 1.7 0 0 0 1.7-1.7C9.7 10.7 8.7 10 8 9z",
  check: "M6.3 13L1.5 8.3l1.7-1.7 3.1 3 6.5-7 1.7 1.6z",
  dead: "M4 15V6a4 4 0 0 1 8 0v9zM7.2 5.5v1.6H5.8v1.4h1.4v3.5h1.6V8.5h1.4V7.1H8.8V5.5z",
};

/** @type {Record<string, string>} */
const STROKED = {
  barricade: "M4 1.8v12.4M12 1.8v12.4M1.2 4.6l13.6 1.8M1.2 11.6l13.6-1.8",
  frostbite: "M8 1.5v13M2.4 4.8l11.2 6.4M13.6 4.8L2.4 11.2M6 2.8l2 1.7 2-1.7M6 13.2l2-1.7 2 1.7",
  scissors: "M4.5 1.5l6 9.5M11.5 1.5l-6 9.5M4 11.3a1.7 1.7 0 1 0 .1 0M12 11.3a1.7 1.7 0 1 0 .1 0",
  free: "M8 6a2 2 0 1 0 .1 0",
};

/** @param {string} kind */
export function icon(kind) {
  const key = kind.toLowerCase().replaceAll(/[^a-z]/g, "");
  const stroked = STROKED[key];
  const shape = draw("path", { d: stroked ?? FILLED[key] ?? FILLED.card, "fill-rule": "evenodd" });
  return draw("svg", { viewBox: "0 0 16 16", class: stroked ? "icon stroked" : "icon", "aria-hidden": "true" }, shape);
}

/** @type {Record<number, number[]>} the fields of a die with a pip, of nine */
const PIPS = { 1: [4], 2: [2, 6], 3: [2, 4, 6], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };

/** @param {number} value */
export function die(value) {
  const pips = (PIPS[value] ?? []).map((at) => draw("circle", { cx: 4 + (at % 3) * 4, cy: 4 + Math.floor(at / 3) * 4, r: 1.4 }));
  return draw("svg", { viewBox: "0 0 16 16", class: "die", role: "img", "aria-label": String(value) }, draw("rect", { width: 16, height: 16, rx: 3 }), ...pips);
}

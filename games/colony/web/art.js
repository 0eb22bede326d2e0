// The shapes of the winter: faces, houses, zombies, barricades, trees. All are drawn from a name or a number, so a game always looks the
// same. Colours that differ by day and night are variables of draw.css.

import { draw } from "/web/dom.js";

/** @typedef {import("/web/dom.js").Attributes} Attributes */

/** @type {(d: string, fill: string, more?: Attributes) => SVGPathElement} */
export const path = (d, fill, more = {}) => draw("path", { d, fill, ...more });
/** @type {(x: number, y: number, r: number, fill: string, more?: Attributes) => SVGCircleElement} */
export const circle = (cx, cy, r, fill, more = {}) => draw("circle", { cx, cy, r, fill, ...more });
/** @type {(x: number, y: number, width: number, height: number, fill: string, more?: Attributes) => SVGRectElement} */
export const rect = (x, y, width, height, fill, more = {}) => draw("rect", { x, y, width, height, fill, ...more });
/** @type {(x: number, y: number, rx: number, ry: number, fill: string, more?: Attributes) => SVGEllipseElement} */
export const ellipse = (cx, cy, rx, ry, fill, more = {}) => draw("ellipse", { cx, cy, rx, ry, fill, ...more });
/** @type {(x: number, y: number, scale: number, ...children: Node[]) => SVGGElement} */
export const group = (x, y, scale, ...children) => draw("g", { transform: `translate(${short(x)} ${short(y)}) scale(${short(scale)})` }, ...children);

/** A number with at most two digits after the point. @param {number} value */
export const short = (value) => Math.round(value * 100) / 100;

/** @param {string} text */
export function hash(text) {
  let sum = 2166136261;
  for (const letter of text) sum = Math.imul(sum ^ (letter.codePointAt(0) ?? 0), 16777619);
  sum ^= sum >>> 13;
  sum = Math.imul(sum, 0x5bd1e995);
  return (sum ^ (sum >>> 15)) >>> 0;
}

/** Numbers from 0 to 1, the same for the same seed. @param {number} seed */
export function random(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** A shape of shapes.svg. @type {(name: string, more?: Attributes) => SVGUseElement} */
export const shape = (name, more = {}) => draw("use", { href: `#colony-${name}`, ...more });

/** How many crests and zombies there are. */
const CRESTS = 8;
const ZOMBIES = 4;

/** A sign of its own, in a square. @type {(name: string, look: string, size: number) => SVGSVGElement} */
export const sign = (name, look, size) => draw("svg", { viewBox: `0 0 ${size} ${size}`, class: look, "aria-hidden": "true" }, shape(name));

/** @param {number} seat */
export const crest = (seat) => sign(`crest-${seat % CRESTS}`, "crest", 10);

/** A portrait. A few words in the name help. @param {string} name */
export function portrait(name) {
  return draw("svg", { viewBox: "0 0 64 64", class: "portrait", "aria-hidden": "true" }, ...face(name));
}

/** @param {string} name */
function traits(name) {
  const next = random(hash(`${name}!`));
  /** @type {<T>(...choices: T[]) => T} */
  const pick = (...choices) => choices[Math.floor(next() * choices.length)];
  const lower = name.toLowerCase();
  /** @param {RegExp} words */
  const has = (words) => words.test(lower);
  const first = lower.replace(/^(the|dr|old|captain|sister|father|widow|mayor) /, "").split(/[ ,]/)[0];
  const skin = pick("#f3cfae", "#e9bb93", "#d09a6e", "#a8744d", "#f7dcc6");
  let hair = pick("#2c2421", "#5b3a22", "#8f5d2d", "#d2a049", "#a24a24", "#6d6a68");
  let coat = pick("#3d5a80", "#7d3b3b", "#4b6b4f", "#8a6a35", "#5a4a78", "#2f6a70", "#6b4a3a");
  const ground = pick("#24405f", "#4a3a5e", "#2f5553", "#5e4437", "#3d4a5e");
  let scarf = pick("#d9583f", "#e0a93b", "#5fa8b8", "#c9c3b5", "#8f3f63");
  const long = (/[aey]$|^(liv|bodil|solveig|maren|ines)$/.test(first) && !/pelle|joe/.test(first)) || has(/sister|widow|aunt|mrs|midwife|nurse|lady|maid/);
  /** @type {"wool" | "hood" | "brim" | "shawl" | "cap" | "none"} */
  let hat = pick("wool", "hood", "brim", "none", "none", "wool");
  let beard = !long && next() < 0.45;
  let glasses = next() < 0.1;
  const young = has(/boy|girl|child/);
  if (has(/old |widow|father|mayor|grave/)) hair = pick("#c9ccd0", "#9da3a9", "#e2dfd8");
  if (has(/captain|mayor|ferry/)) [hat, beard] = ["cap", true];
  else if (has(/sister|nurse|midwife/)) [hat, scarf] = ["shawl", "#e9eef2"];
  else if (has(/widow|aunt/)) [hat, scarf] = ["shawl", "#3b3b46"];
  else if (has(/keeper|fish|net|seal|sailor/)) hat = "brim";
  else if (has(/smith|baker|father|teacher|cook|dr /)) hat = "none";
  else if (has(/boy|lookout|lamp/)) hat = "wool";
  if (has(/smith|whaler|father|old |deaf/) && !long) beard = true;
  if (has(/dr |teacher|doctor|customs/)) glasses = true;
  if (young || has(/dr /)) beard = false;
  if (has(/dr /)) coat = "#d9dfe3";
  if (has(/father/)) coat = "#23262b";
  if (has(/smith/)) coat = "#5a3b26";
  const tie = Math.floor(next() * 3);
  return { skin, hair, coat, ground, scarf, long, hat, beard, glasses, young, priest: has(/father/), full: has(/captain|old|father|smith/), tie };
}

/** @param {string} name */
function face(name) {
  const { skin, hair, coat, ground, scarf, long, hat, beard, glasses, young, priest, full, tie } = traits(name);
  const shade = (/** @type {string} */ d, /** @type {number} */ opacity) => path(d, "#000", { opacity });
  /** @type {SVGElement[]} */
  const parts = [rect(0, 0, 64, 64, ground), circle(44, 16, 30, "#fff", { opacity: 0.07 })];
  if (hat === "hood") parts.push(circle(32, 30, 21, coat), circle(32, 30, 18, "none", { stroke: "#e4d8c4", "stroke-width": 6 }));
  if (long && hat !== "shawl") parts.push(path("M17 32c-2-16 5-21 15-21s17 5 15 21c0 9 2 14 3 18H14c1-4 3-9 3-18z", hair));
  parts.push(path("M6 66c0-15 11-20 26-20s26 5 26 20z", coat), shade("M32 46c15 0 26 5 26 20H40z", 0.16));
  parts.push(path("M26 40h12v8q-6 5-12 0z", skin), shade("M26 42q6 6 12 0v3q-6 5-12 0z", 0.18));
  if (priest) parts.push(rect(28, 47, 8, 4, "#fff"));
  else if (hat !== "shawl" && tie) parts.push(path("M20 48q12 8 24 0l2 6q-14 8-28 0z", scarf), path("M36 53l8 2-1 11h-8z", scarf), shade("M20 53q12 7 26 1l0 2q-14 7-28 0z", 0.14));
  else parts.push(shade("M22 47l10 10-4 5-10-12zM42 47L32 57l4 5 10-12z", 0.25));
  if (hat !== "shawl" && hat !== "hood") parts.push(circle(20, 31, 3, skin), circle(44, 31, 3, skin));
  parts.push(path("M20 28c0-9 5-14 12-14s12 5 12 14c0 10-5 16-12 16s-12-6-12-16z", skin), shade("M33 14c7 0 11 5 11 14 0 10-5 16-12 16 6-4 8-10 7-17z", 0.12));
  if (young) parts.push(...[25, 27, 37, 39].map((x) => circle(x, 34 + (x % 2), 0.7, "#a0522d")));
  else parts.push(...[25, 39].map((x) => ellipse(x, 34, 3, 2, "#e0563f", { opacity: 0.28 })));
  if (beard) {
    parts.push(path(full ? "M20 30q2 6 6 5 6-3 12 0 4 1 6-5c1 13-5 21-12 21S19 43 20 30z" : "M21 33q2 4 5 3 6-2 12 0 3 1 5-3c0 9-5 13-11 13s-11-4-11-13z", hair));
    parts.push(path("M28 38q4 2 8 0", "none", { stroke: "#6b2f22", "stroke-width": 1.6, "stroke-linecap": "round" }));
  } else parts.push(path(["M28 38q4 3 8 0", "M28.5 38.5h7", "M28 38.5q4-1 8 0"][tie], "none", { stroke: "#8a3b2e", "stroke-width": long ? 2 : 1.6, "stroke-linecap": "round" }));
  parts.push(circle(27, 29.5, 1.7, "#1a1512"), circle(37, 29.5, 1.7, "#1a1512"));
  parts.push(path("M23.5 26q3-2 6-.5M34.5 25.5q3-1.5 6 .5", "none", { stroke: hat === "shawl" ? "#4a3a30" : hair, "stroke-width": 1.6, "stroke-linecap": "round" }));
  parts.push(path("M32 30v4.5l2 .5", "none", { stroke: "#000", "stroke-opacity": 0.3, "stroke-width": 1.4, "stroke-linecap": "round" }));
  if (glasses) parts.push(path("M23 29.5a4 4 0 1 0 8 0 4 4 0 1 0-8 0M33 29.5a4 4 0 1 0 8 0 4 4 0 1 0-8 0M31 29.5h2", "none", { stroke: "#20262c", "stroke-width": 1.3 }));
  parts.push(...worn(hat, { hair, scarf, long }));
  return parts;
}

/** @type {(hat: string, of: { hair: string, scarf: string, long: boolean }) => SVGElement[]} */
function worn(hat, { hair, scarf, long }) {
  switch (hat) {
    case "wool":
      return [path("M18 23c0-12 6-16 14-16s14 4 14 16z", scarf), rect(17, 19, 30, 7, scarf, { rx: 3.5 }), path("M17 22.5h30", "none", { stroke: "#fff", "stroke-opacity": 0.5, "stroke-width": 2 }), circle(32, 7, 4, "#f1ece2")];
    case "hood":
      return [path("M20 24c1-8 6-11 12-11s11 3 12 11q-12-6-24 0z", hair)];
    case "brim":
      return [path("M20 23c0-10 5-15 12-15s12 5 12 15z", "#e2b03a"), path("M13 27c3-6 10-7 19-7s16 1 19 7q-19-6-38 0z", "#c9932a"), path("M32 8c7 0 12 5 12 15H36z", "#000", { opacity: 0.12 })];
    case "shawl":
      return [
        path("M16 36C13 18 21 9 32 9s19 9 16 27c-1 5-3 7-5 9 3-9 3-21-1-25q-10-5-20 0c-4 4-4 16-1 25-2-2-4-4-5-9z", scarf),
        path("M21 45q11 8 22 0l2 6q-13 7-26 0z", scarf),
        path("M22 20q10-5 20 0", "none", { stroke: "#000", "stroke-opacity": 0.2, "stroke-width": 1.5 }),
      ];
    case "cap":
      return [path("M17 19c-1-8 6-11 15-11s16 3 15 11z", "#e8ebee"), rect(18.5, 18, 27, 6, "#1b2638"), path("M18 24q14-4 28 0l1 3q-15-5-30 0z", "#0e1520"), circle(32, 20.5, 2.5, "#e2b03a")];
    default:
      return [path(long ? "M19 30c-1-13 5-18 13-18s14 5 13 18c-2-7-5-10-10-11-4 4-11 5-14 5-1 2-2 4-2 6z" : "M19 28c-2-12 4-18 14-18 9 0 14 6 12 18-1-4-2-6-4-8-6 1-14 0-17-3-2 3-4 6-5 11z", hair)];
  }
}

/** @type {(kind: number, flipped: boolean) => SVGGElement} */
export const zombie = (kind, flipped) => draw("g", { class: "zombie" }, shape(`zombie-${kind % ZOMBIES}`, { transform: flipped ? "scale(-1 1)" : null }));

/** @type {(at: number) => SVGGElement} */
export const child = (at) =>
  draw(
    "g",
    {},
    ellipse(0, 0, 6, 2, "#000", { opacity: 0.4 }),
    path("M-5 0q-1-12 5-12t5 12z", ["#d9583f", "#5fa8b8", "#e0a93b"][at % 3]),
    circle(0, -14, 3.6, "#f0c9a4"),
    path("M-4-14q0-5 4-5t4 5z", ["#8f3f63", "#e9eef2", "#3d5a80"][at % 3]),
  );

// Houses of three solids, in eight forms. The ground line is y = 0, and a house is about 130 wide and 100 high. Windows are lit by the
// class of a group around the house (draw.css).

import { draw } from "/web/dom.js";
import { circle, hash, path, rect, short } from "./art.js";

const PANE = "var(--pane)";

/** @type {(x: number, y: number, width: number, height: number) => SVGElement[]} */
const pane = (x, y, width, height) => [
  rect(x, y, width, height, PANE),
  path(`M${x + width / 2} ${y}v${height}M${x} ${y + height / 2}h${width}`, "none", { stroke: "#000", "stroke-opacity": 0.45 }),
];

/** A row of windows. @type {(x: number, y: number, width: number, height: number, many?: number, gap?: number) => SVGElement[]} */
export const panes = (x, y, width, height, many = 1, gap = 0) => Array.from({ length: many }, (_, at) => pane(x + at * (width + gap), y, width, height)).flat();

/** @type {(x: number, width: number, height: number) => SVGElement[]} */
export const door = (x, width, height) => [rect(x, -height, width, height, "#1d130c"), rect(x + 2, 2 - height, width - 4, height - 2, "#5b3a22")];

/** @type {(x: number, y: number, height: number) => SVGElement[]} */
export const chimney = (x, y, height) => [rect(x, y - height, 8, height, "#3a2f2c"), rect(x - 1, y - height - 3, 10, 4, "var(--snow)")];

/** @type {(colour: string, ...children: SVGElement[]) => SVGElement} */
function walls(colour, ...children) {
  const node = draw("g", {}, ...children);
  node.style.setProperty("--wall", colour);
  return node;
}

/** A house that shows its gable. @type {(x: number, width: number, height: number, roof: number, depth: number, colour: string) => SVGElement} */
export function gable(x, width, height, roof, depth, colour) {
  const [dx, dy, top] = [short(depth * 0.9), short(-depth * 0.28), x + width / 2];
  const eaves = (/** @type {number} */ up, /** @type {string} */ stroke, /** @type {number} */ thick) =>
    path(`M${x - 5} ${-height + up}L${top} ${-height - roof + up - 6}L${x + width + 5} ${-height + up}`, "none", { stroke, "stroke-width": thick, "stroke-linejoin": "round", "stroke-linecap": "round" });
  return walls(
    colour,
    draw("path", { class: "wall-side", d: `M${x + width} 0l${dx} ${dy}v${-height}L${x + width} ${-height}z` }),
    draw("path", { class: "wall", d: `M${x} 0h${width}v${-height}L${top} ${-height - roof}L${x} ${-height}z` }),
    path(`M${top} ${-height - roof - 3}l${dx} ${dy}L${x + width + dx + 5} ${short(dy - height + 4)}L${x + width + 5} ${-height + 5}z`, "var(--snow)"),
    path(`M${x + width + 5} ${-height + 5}l${dx} ${short(dy - 1)}v-4l${-dx} ${-dy}z`, "var(--snow-shade)"),
    eaves(5, "var(--snow-shade)", 6),
    eaves(3, "var(--snow)", 3.5),
  );
}

/** A house that shows its long side. @type {(x: number, width: number, height: number, roof: number, colour: string) => SVGElement} */
export const longhouse = (x, width, height, roof, colour) =>
  walls(
    colour,
    draw("path", { class: "wall", d: `M${x} 0h${width}v${-height}h${-width}z` }),
    draw("path", { class: "wall-side", d: `M${x} ${-height}h${width}v6h${-width}z` }),
    path(`M${x - 5} ${-height + 3}L${x + 7} ${-height - roof}h${width - 14}L${x + width + 5} ${-height + 3}z`, "var(--snow)"),
    path(`M${x - 5} ${-height + 3}l2-5h${width + 6}l2 5z`, "var(--snow-shade)"),
  );

/** @type {(x: number, width: number, height: number, roof: number, colour: string) => SVGElement} */
export const tower = (x, width, height, roof, colour) =>
  walls(
    colour,
    draw("path", { class: "wall", d: `M${x} 0h${width * 0.6}v${-height}h${-width * 0.6}z` }),
    draw("path", { class: "wall-side", d: `M${x + width * 0.6} 0h${width * 0.4}v${-height}h${-width * 0.4}z` }),
    path(`M${x - 4} ${-height}L${x + width * 0.55} ${-height - roof}L${x + width + 4} ${-height}z`, "var(--snow)"),
    path(`M${x + width * 0.6} ${-height}L${x + width * 0.55} ${-height - roof}L${x + width + 4} ${-height}z`, "var(--snow-shade)"),
  );

const COLOURS = ["#b4483f", "#d19a47", "#7d95ab", "#6b9080", "#a5714a", "#c8bfae"];

/** Chapel, boatyard, hall, store, town house, hospital, lighthouse, works. @type {((colour: string) => SVGElement[])[]} */
const FORMS = [
  (c) => [
    gable(-20, 52, 38, 26, 44, c),
    tower(-42, 26, 72, 40, c),
    path("M-28-124v12M-32-119h8", "none", { stroke: "var(--snow)", "stroke-width": 2.5 }),
    ...panes(-37, -58, 7, 14),
    ...panes(-6, -34, 8, 16, 2, 10),
    circle(4, -46, 4, PANE),
    ...door(-36, 12, 20),
    ...panes(40, -34, 7, 12, 2, 9),
  ],
  (c) => [
    gable(-58, 76, 34, 38, 46, c),
    path("M-44 0v-26q24-16 48 0V0z", "#0a0f16"),
    path("M-36 0q2-16 16-20 14 4 16 20z", "#8a5a34"),
    path("M-20-20V0M-30-12q10 4 20 0", "none", { stroke: "#3a2414", "stroke-width": 1.5 }),
    ...panes(-25, -56, 10, 10),
    ...panes(28, -28, 8, 11, 2, 10),
    path("M-40 0h40l10 12h-60z", "var(--plank-edge)"),
  ],
  (c) => [longhouse(-64, 128, 40, 32, c), ...chimney(34, -64, 18), ...panes(-54, -30, 10, 13, 3, 8), ...panes(22, -30, 10, 13, 2, 8), gable(-12, 24, 40, 20, 8, c), ...panes(-4, -52, 9, 10), ...door(-6, 16, 26)],
  (c) => [
    longhouse(-6, 70, 34, 24, c),
    gable(-58, 56, 60, 28, 18, c),
    rect(-32, -96, 4, 14, "#2a1c12"),
    path("M-30-84v22", "none", { stroke: "#2a1c12", "stroke-width": 1.5 }),
    rect(-35, -64, 10, 9, "var(--plank)"),
    ...panes(-50, -50, 9, 11, 2, 21),
    ...door(-40, 22, 28),
    ...panes(16, -24, 9, 11, 3, 7),
  ],
  (c) => [
    longhouse(-60, 120, 50, 22, c),
    tower(-13, 26, 86, 20, c),
    circle(-4, -72, 6, "#f2ead6"),
    path("M-4-76v4l3 2", "none", { stroke: "#222", "stroke-width": 1.3 }),
    ...[-42, -20].flatMap((y) => [...panes(-52, y, 9, 12, 3, 6), ...panes(20, y, 9, 12, 3, 5)]),
    ...door(-8, 16, 26),
    path("M-14 0h28v4h-28z", "var(--snow-shade)"),
  ],
  (c) => [
    longhouse(-10, 74, 36, 24, c),
    ...chimney(40, -56, 16),
    gable(-58, 48, 44, 26, 14, c),
    ...panes(-50, -38, 10, 13, 2, 10),
    ...door(-42, 14, 24),
    ...panes(4, -26, 10, 13, 3, 8),
    path("M-40-64h4v4h4v4h-4v4h-4v-4h-4v-4h4z", "#e7edf2"),
  ],
  (c) => [
    longhouse(0, 60, 28, 22, c),
    ...panes(10, -20, 9, 11, 3, 7),
    walls("#e8e2d6", draw("path", { class: "wall", d: "M-48 0l6-84h16l6 84z" }), draw("path", { class: "wall-side", d: "M-34 0v-84h8l6 84z" })),
    walls(c, draw("path", { class: "wall", d: "M-46-24h24l-1-14h-22z" }), draw("path", { class: "wall", d: "M-43.5-54h19l-.8-12h-17.4z" })),
    rect(-44, -88, 20, 5, "#2b2f36"),
    rect(-40, -100, 12, 12, PANE),
    path("M-43-100h18l-9-10z", "var(--snow)"),
    ...door(-40, 12, 18),
  ],
  (c) => [
    walls(c, draw("path", { class: "wall", d: "M-62 0h108v-38h-108z" })),
    ...[-62, -26, 10].flatMap((x) => [path(`M${x - 3} -36L${x + 30} -64V-36z`, "var(--snow)"), path(`M${x + 30} -64h6v28h-6z`, "var(--snow-shade)")]),
    rect(50, -82, 14, 82, "#4a3a36"),
    rect(48, -85, 18, 5, "var(--snow)"),
    ...panes(-54, -28, 12, 12, 2, 7),
    ...panes(14, -28, 12, 12, 2, 6),
    ...door(-18, 26, 28),
  ],
];

/** @type {[RegExp, number][]} */
const HINTS = [
  [/chapel|church|abbey|temple/, 0],
  [/boat|ship|dock|pier/, 1],
  [/hall|market|inn|school/, 2],
  [/rope|store|ware|barn|depot/, 3],
  [/custom|town|bank|station|court/, 4],
  [/quarant|hosp|clinic|infirm/, 5],
  [/light|tower|keep/, 6],
  [/mill|works|smith|factory/, 7],
];

/**
 * A house for each of these places: by a word of its name, or by all of it. The first eight places have different forms.
 * @param {string[]} names
 * @returns {{ form: number, colour: string, flipped: boolean }[]}
 */
export function houses(names) {
  const used = new Set();
  return names.map((name) => {
    const lower = name.toLowerCase();
    let form = HINTS.find(([words]) => words.test(lower))?.[1] ?? hash(name) % FORMS.length;
    for (let tries = 0; tries < FORMS.length && used.has(form); tries += 1) form = (form + 1) % FORMS.length;
    used.add(form);
    return { form, colour: COLOURS[hash(`${name}c`) % COLOURS.length], flipped: hash(`${name}f`) % 2 === 1 };
  });
}

/** @param {{ form: number, colour: string, flipped: boolean }} house */
export const house = ({ form, colour, flipped }) => draw("g", { transform: flipped ? "scale(-1 1)" : "scale(1)" }, ...FORMS[form](colour));

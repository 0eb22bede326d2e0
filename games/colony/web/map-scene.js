// The land of the map: sky, hills, tracks, woods, the houses and the colony behind its palisade. It shows no state but which windows are
// lit, so it is drawn once for each width.

import { draw } from "/web/dom.js";
import { circle, ellipse, group, hash, path, random, rect, shape, short, zombie } from "./art.js";
import { chimney, door, gable, house, houses, longhouse, panes, tower } from "./houses.js";
import { gates } from "./map-layout.js";

/** @import { Layout, Spot } from "./map-layout.js" */
/** @import { Stage } from "./types.js" */

/** @type {(id: string, ...colours: [number, string][]) => SVGElement} */
const gradient = (id, ...colours) => draw("linearGradient", { id, x1: 0, x2: 0, y1: 0, y2: 1 }, ...colours.map(([offset, colour]) => draw("stop", { offset, "stop-color": colour })));

const shades = () =>
  draw(
    "defs",
    {},
    gradient("sky", [0, "var(--sky-top)"], [1, "var(--sky)"]),
    gradient("land", [0, "var(--land-far)"], [0.45, "var(--land)"], [1, "var(--land-near)"]),
    gradient("hill", [0, "var(--hill)"], [1, "var(--hill-shade)"]),
    draw("radialGradient", { id: "glow" }, ...[[0, 0.62], [0.5, 0.22], [1, 0]].map(([offset, opacity]) => draw("stop", { offset, "stop-color": offset ? "#ff9a3c" : "#ffb648", "stop-opacity": opacity }))),
  );

/**
 * @param {Stage} stage
 * @param {Layout} at
 */
export function scene(stage, at) {
  const { width, height, compact, spots, centre } = at;
  const others = stage.places.filter((_, place) => place !== stage.colony);
  const next = random(hash(others.map((place) => place.name).join()));
  const forms = houses(others.map((place) => place.name));
  const sites = spots.map((spot, place) => ({ y: spot.y, node: site(spot, forms[place], compact) }));
  const home = { y: centre.y, node: colony(at, stage.places[stage.colony]?.entrances ?? 0) };
  const behind = [...sites, home].sort((one, other) => one.y - other.y).map((one) => one.node);
  const svg = draw(
    "svg",
    { class: "land", width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" },
    shades(),
    rect(0, 0, width, height, "url(#land)"),
    ...(compact ? [] : heaven(at, next)),
    ...harbour(at, next),
    ...drifts(at, next),
    ...tracks(at, next),
    ...woods(at, next),
    ...behind,
    ...snow(at, next),
  );
  /** The groups whose windows are lit, by place. @type {SVGGElement[]} */
  const lit = [];
  stage.places.forEach((_, place) => lit.push(place === stage.colony ? home.node : sites[place < stage.colony ? place : place - 1].node));
  return { svg, lit };
}

/** @typedef {() => number} Next */

/** @type {(at: Layout, next: Next) => SVGElement[]} */
function heaven({ width, height, horizon }, next) {
  const stars = Array.from({ length: 50 }, () => circle(short(next() * width), short(next() * horizon), short(0.5 + next()), "#fff", { class: "star", opacity: short(0.3 + next() * 0.6) }));
  /** @type {(y: number, rise: number, fill: string, step: number) => SVGElement} */
  const ridge = (y, rise, fill, step) => {
    let [line, x, isUp] = [`M0 ${y + 60}`, 0, true];
    while (x < width + 60) {
      x += 40 + next() * step;
      isUp = !isUp;
      line += `L${short(x)} ${short(y + (isUp ? -rise * (0.5 + next()) : rise * 0.2 * next()))}`;
    }
    return path(`${line}V${y + 80}H0z`, fill);
  };
  return [
    rect(0, 0, width, horizon + 40, "url(#sky)"),
    ...stars,
    path(`M0 ${horizon - 30}Q${width * 0.25} ${horizon - 80} ${width * 0.5} ${horizon - 40}T${width} ${horizon - 64}`, "none", { stroke: "var(--aurora)", "stroke-width": 40, opacity: 0.13 }),
    ridge(horizon, 34, "var(--ridge)", 70),
    ridge(horizon + 12, 16, "var(--ridge-near)", 90),
    path(`M0 ${horizon + 18}Q${width * 0.2} ${horizon - 4} ${width * 0.45} ${horizon + 12}T${width} ${horizon + 4}V${height}H0z`, "url(#land)"),
  ];
}

/** @type {(at: Layout, next: Next) => SVGElement[]} */
function harbour({ width, height, compact }, next) {
  const shore = height - (compact ? 18 : 44);
  const line = `M${width * 0.3} ${height}Q${width * 0.36} ${shore} ${width * 0.5} ${shore + 4}T${width * 0.7} ${height}`;
  const floes = Array.from({ length: 9 }, () => ellipse(short(width * (0.36 + next() * 0.28)), short(height - 4 - next() * (compact ? 6 : 18)), short(8 + next() * 20), short(2 + next() * 4), "var(--floe)", { opacity: 0.8 }));
  return [path(`${line}z`, "var(--sea)"), path(line, "none", { stroke: "var(--snow)", "stroke-opacity": 0.5, "stroke-width": 3 }), ...floes];
}

/** @type {(at: Layout, next: Next) => SVGElement[]} */
const drifts = ({ width, height, horizon }, next) =>
  Array.from({ length: 26 }, () => {
    const [x, y] = [next() * width, horizon + 50 + next() * (height - horizon - 60)];
    const line = `M${short(x)} ${short(y)}q${short(20 + next() * 30)} ${short(-6 - next() * 8)} ${short(60 + next() * 60)} 0`;
    return path(line, "none", { stroke: "var(--snow)", "stroke-opacity": 0.16, "stroke-width": 3, "stroke-linecap": "round" });
  });

/** One from every place to the colony. @type {(at: Layout, next: Next) => SVGElement[]} */
const tracks = ({ spots, centre, compact }, next) =>
  spots.flatMap((spot) => {
    const [x, y] = [(spot.x + centre.x) / 2 + (next() - 0.5) * 40, (spot.y + centre.y) / 2 + (next() - 0.5) * 24];
    const line = `M${short(centre.x)} ${short(centre.y + 10)}Q${short(x)} ${short(y)} ${short(spot.x)} ${short(spot.y + 24)}`;
    /** @type {(stroke: string, thick: number, more?: Record<string, string | number>) => SVGElement} */
    const stroke = (colour, thick, more = {}) => path(line, "none", { stroke: colour, "stroke-width": thick, "stroke-linecap": "round", ...more });
    return [
      stroke("var(--shade)", compact ? 11 : 24, { "stroke-opacity": 0.3 }),
      stroke("var(--track)", compact ? 8 : 18),
      stroke("var(--shade)", compact ? 2 : 3, { "stroke-opacity": 0.55, "stroke-dasharray": "2 9" }),
    ];
  });

/** Trees where nothing else is. @type {(at: Layout, next: Next) => SVGElement[]} */
function woods({ width, height, horizon, spots, centre, compact }, next) {
  const taken = spots.map(({ x, y, scale }) => ({ x, y, w: (compact ? 62 : 150) * scale, h: (compact ? 66 : 112) * scale }));
  taken.push({ x: centre.x, y: centre.y, w: compact ? 190 : 330, h: compact ? 92 : 165 });
  /** @type {{ x: number, y: number, scale: number }[]} */
  const trees = [];
  for (let tries = 0; tries < (compact ? 60 : 200) && trees.length < (compact ? 14 : 44); tries += 1) {
    const [x, y] = [next() * width, (compact ? 20 : horizon + 44) + next() * (height - horizon - 50)];
    const isFree = taken.every((box) => Math.abs(box.x - x) >= box.w || Math.abs(box.y - y + 16) >= box.h);
    const isWater = Math.abs(x - width / 2) < width * 0.22 && y > height - 80;
    if (isFree && !isWater) trees.push({ x, y, scale: (compact ? 0.45 : 0.7) + next() * 0.35 });
  }
  return trees.sort((one, other) => one.y - other.y).map(({ x, y, scale }) => group(x, y, scale, shape("tree")));
}

/** @type {(at: Layout, next: Next) => SVGElement[]} */
const snow = ({ width, height, compact }, next) =>
  Array.from({ length: compact ? 30 : 90 }, () => circle(short(next() * width), short(next() * height), short(0.6 + next() * 1.4), "#fff", { opacity: short(0.25 + next() * 0.5) }));

/** The hill of a place, around its spot. @param {boolean} compact */
export function hill(compact) {
  const [rx, ry, y] = compact ? [58, 32, 10] : [136, 56, 22];
  const outline = `M${-rx} ${y}C${-rx} ${y - ry * 1.15} ${-rx * 0.4} ${y - ry * 1.3} 0 ${y - ry * 1.2}S${rx} ${y - ry} ${rx} ${y}S${rx * 0.5} ${y + ry} 0 ${y + ry}S${-rx} ${y + ry * 0.8} ${-rx} ${y}z`;
  return { rx, ry, y, outline };
}

/** The ground of the colony within its palisade. @param {boolean} compact */
export const yard = (compact) => (compact ? { rx: 124, ry: 52 } : { rx: 208, ry: 94 });

/**
 * A place outside of the colony: a hill and a house.
 * @param {Spot} spot
 * @param {{ form: number, colour: string, flipped: boolean }} form
 * @param {boolean} compact
 */
function site(spot, form, compact) {
  const { rx, ry, y, outline } = hill(compact);
  const scale = compact ? 0.5 : 0.96;
  const base = compact ? -12 : -20;
  const node = group(
    spot.x,
    spot.y,
    spot.scale,
    ellipse(0, y + 6, rx + 2, ry, "var(--shade)", { opacity: 0.45 }),
    path(outline, "url(#hill)"),
    ellipse(0, y - 4, rx * 0.8, ry * 0.8, "url(#glow)", { class: "glow" }),
    group(0, base, scale, ellipse(8, 0, 76, 9, "var(--shade)", { opacity: 0.55 }), house(form)),
    ellipse(0, base - 20 * scale, 60 * scale, 44 * scale, "url(#glow)", { class: "glow" }),
  );
  node.classList.add("site");
  return node;
}

/** @type {(at: Layout, entrances: number) => SVGGElement} */
function colony({ centre, compact }, entrances) {
  const [{ rx, ry }, scale] = [yard(compact), compact ? 0.62 : 1];
  const next = random(7);
  const open = gates(entrances, true, compact).map(({ angle }) => angle);
  /** @type {(from: number, to: number, high: number) => SVGElement} */
  const palisade = (from, to, high) => {
    let line = "";
    for (let angle = from; angle <= to; angle += compact ? 4.2 : 2.7) {
      if (open.some((gate) => Math.abs(((angle - gate + 540) % 360) - 180) < (compact ? 9 : 7))) continue;
      const turn = (angle * Math.PI) / 180;
      const [x, y, tall] = [short(Math.cos(turn) * rx), short(Math.sin(turn) * ry), short(high + next() * 4)];
      line += `M${short(x - 3.5 * scale)} ${y}v${-tall}l${3.5 * scale} ${-5 * scale}l${3.5 * scale} ${5 * scale}v${tall}z`;
    }
    return path(line, "var(--plank)", { stroke: "var(--plank-edge)" });
  };
  const y = compact ? -14 : -22;
  const smoke = path(`M${38 * scale} ${y - 86 * scale}q8-10 2-18t6-20q4-10-2-20`, "none", { class: "smoke", stroke: "var(--snow)", "stroke-opacity": 0.35, "stroke-width": 7 * scale, "stroke-linecap": "round" });
  const node = group(
    centre.x,
    centre.y,
    centre.scale,
    ellipse(0, 10, rx * 1.12, ry * 1.15, "var(--shade)", { opacity: 0.4 }),
    ellipse(0, 0, rx * 1.08, ry * 1.09, "url(#hill)"),
    ellipse(0, -4, rx * 1.6, ry * 1.7, "url(#glow)"),
    palisade(181, 359, compact ? 14 : 24),
    group(0, y, scale, ...home(compact)),
    ellipse(0, y - 20, rx * 0.6, 50 * scale, "url(#glow)", { opacity: 0.6 }),
    smoke,
    group(compact ? -96 : -168, compact ? 14 : -2, compact ? 0.7 : 1, ellipse(0, 2, 42, 18, "url(#glow)"), shape("fire")),
    palisade(0, 35, compact ? 8 : 14),
    palisade(145, 180, compact ? 8 : 14),
    palisade(36, 144, compact ? 6 : 10),
  );
  node.classList.add("site", "lit");
  return node;
}

/** The houses of the colony. @param {boolean} compact */
const home = (compact) => [
  group(-92, -4, 0.78, gable(-30, 50, 36, 24, 34, "#b4483f"), ...panes(-22, -30, 10, 13, 2, 10), ...chimney(14, -50, 16)),
  group(compact ? 100 : 104, -8, 0.8, tower(-12, 24, 66, 16, "#a5714a"), ...panes(-8, -62, 8, 12), ...panes(-8, -34, 8, 12)),
  longhouse(-58, 112, 40, 34, "#d19a47"),
  gable(-16, 34, 46, 24, 8, "#d19a47"),
  ...chimney(34, -64, 18),
  ...chimney(-46, -64, 14),
  ...panes(-50, -30, 10, 14, 2, 7),
  ...panes(26, -30, 9, 14, 2, 5),
  circle(1, -54, 5, "var(--pane)"),
  ...door(-6, 15, 24),
];

/** The land before the game: the lit colony far from the dead. Its shades are those of the map. */
export function outside() {
  const [width, height, horizon] = [1440, 900, 650];
  const next = random(5);
  const centre = { x: 220, y: height - 60, scale: 1 };
  const at = { width, height, horizon, compact: false, spots: [], centre };
  const houses = group(centre.x, centre.y + 30, 1.3, ellipse(0, -16, 260, 100, "url(#glow)"), ...home(false));
  houses.classList.add("site", "lit");
  return draw(
    "svg",
    { class: "land outside", viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "xMidYMax slice", "aria-hidden": "true" },
    ...heaven(at, next),
    ...woods(at, next),
    houses,
    ...[0, 1, 2, 3].map((kind) => group(width - 260 + kind * 64, height - 14 - (kind % 2) * 12, 1.5, zombie(kind, true))),
    ...snow(at, next),
  );
}

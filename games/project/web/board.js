// The board of the project game: three areas with goals, pieces and pawns, or what one player knows about them.
// A tile is one unit; y goes up, as in the rules.

import { draw as svg, make, say, toggle } from "/web/dom.js";
import { watch } from "/web/draw/bind.js";
import { AGES_MS, ageOf, readTiles, tileWords } from "./tiles.js";

/** @import { Goal, Piece, Player, Stage, Truth } from "./types.js" */
/** @import { Tile } from "./tiles.js" */

/** @type {Record<string, string>} */
const LOOKS = { ".": "nothing", p: "piece", g: "goal", n: "barren", N: "barren" };

/** @param {Stage} stage */
export function board(stage) {
  const { width, height, goal_rows: rows } = stage;
  /** @type {(zone: string, y: number, high: number) => SVGElement} */
  const band = (zone, y, high) => svg("rect", { class: `band ${zone}`, x: 0, y, width, height: high });
  const layer = (/** @type {string} */ kind) => svg("g", { class: kind });
  const [known, goals, pieces, pawns] = ["known", "goals", "pieces", "pawns"].map(layer);
  const canvas = svg(
    "svg",
    { class: "project-board", viewBox: `-0.1 -0.1 ${width + 0.2} ${height + 0.2}`, role: "img", "aria-label": "The board: Red’s goal area above, the task area, Blue’s goal area below" },
    band("red", 0, rows), band("task", rows, height - 2 * rows), band("blue", height - rows, rows),
    known, svg("path", { class: "lines", d: lines(width, height) }), svg("path", { class: "borders", d: `M0 ${rows}H${width}M0 ${height - rows}H${width}` }), goals, pieces, pawns,
  );
  canvas.style.setProperty("--ratio", String(width / height));
  const note = make("p", { class: "tile-note" });
  const legends = [legend(TRUE_SIGNS), legend(KNOWN_SIGNS)];
  const drawTruth = watch((/** @type {Goal[]} */ allGoals, /** @type {Piece[]} */ allPieces) => {
    goals.replaceChildren(...allGoals.map((goal) => goalAt(goal, height)));
    pieces.replaceChildren(...allPieces.map((piece) => pieceAt(piece, height)));
  });
  const drawPawns = watch((/** @type {Player[]} */ all, /** @type {number | null} */ looked) => {
    const there = all.filter((player) => player.x !== null && (looked === null || player.id === looked));
    pawns.replaceChildren(...there.map((player) => pawnAt(player, height)));
  });
  /** @type {Map<string, Tile>} */
  let tiles = new Map();
  let clockMs = 0;
  canvas.addEventListener("pointermove", (event) => {
    const spot = new DOMPoint(event.clientX, event.clientY).matrixTransform(canvas.getScreenCTM()?.inverse());
    const [x, y] = [Math.floor(spot.x), height - 1 - Math.floor(spot.y)];
    const isOutside = x < 0 || y < 0 || x >= width || y >= height;
    const tile = tiles.get(`${x} ${y}`);
    say(note, isOutside ? "" : `(${x}, ${y})${tile ? `: ${tileWords(tile, clockMs)}` : ""}`);
  });
  return {
    node: canvas,
    legend: make("div", { class: "legends" }, ...legends),
    note,
    /**
     * @param {Truth | null} all
     * @param {Player | null} knower the player whose knowledge is shown, or null for everything
     */
    draw(all, knower) {
      toggle(canvas, "data-known", knower !== null);
      legends.forEach((node, at) => (node.hidden = (knower !== null) !== (at === 1)));
      clockMs = all?.clock ?? 0;
      tiles = knower ? readTiles(knower.knows.rows) : new Map();
      drawTruth(knower ? [] : (all?.goals ?? []), knower ? [] : (all?.pieces ?? []));
      drawPawns(all?.players ?? [], knower?.id ?? null);
      known.replaceChildren(...(knower ? knowledge(tiles, clockMs, height) : []));
    },
  };
}

/**
 * @param {number} width
 * @param {number} height
 */
function lines(width, height) {
  const down = Array.from({ length: width + 1 }, (_, x) => `M${x} 0V${height}`);
  const across = Array.from({ length: height + 1 }, (_, y) => `M0 ${y}H${width}`);
  return [...down, ...across].join("");
}

/**
 * @param {Goal} goal
 * @param {number} height
 */
function goalAt({ x, y, team, done }, height) {
  const top = height - 1 - y;
  const node = svg("g", { class: `goal ${String(team).toLowerCase()} ${done ? "done" : "open"}`, "data-tile": `${x} ${y}` }, svg("title", {}, `${team}’s goal at (${x}, ${y}), ${done ? "done" : "open"}`));
  node.append(svg("rect", { x: x + 0.08, y: top + 0.08, width: 0.84, height: 0.84, rx: 0.12 }));
  if (done) node.append(svg("path", { class: "check", d: `M${x + 0.25} ${top + 0.52}l0.18 0.2 0.34 -0.42` }));
  return node;
}

/**
 * @param {Piece} piece
 * @param {number} height
 */
function pieceAt({ x, y, sham }, height) {
  const [cx, cy] = [x + 0.5, height - 1 - y + 0.5];
  const node = svg("g", { class: sham ? "piece sham" : "piece", "data-tile": `${x} ${y}` }, svg("title", {}, `${sham ? "A sham" : "A piece"} at (${x}, ${y})`));
  node.append(svg("rect", { x: cx - 0.33, y: cy - 0.33, width: 0.66, height: 0.66, rx: 0.08, transform: `rotate(45 ${cx} ${cy})` }));
  if (sham) node.append(svg("path", { class: "cross", d: `M${cx - 0.15} ${cy - 0.15}l0.3 0.3m0 -0.3l-0.3 0.3` }));
  return node;
}

/**
 * @param {Pick<Player, "id" | "team" | "x" | "y" | "load" | "leader" | "connection">} player
 * @param {number} height
 */
function pawnAt({ id, team, x, y, load, leader, connection }, height) {
  const [cx, cy] = [(x ?? 0) + 0.5, height - 1 - (y ?? 0) + 0.5];
  const words = `Player ${id} (${team})${leader ? ", leader" : ""} at (${x}, ${y})${load ? `, carries a ${load}` : ""}${connection === "here" ? "" : `, ${connection}`}`;
  const node = svg("g", { class: `pawn ${String(team).toLowerCase()}`, "data-player": id, "data-away": connection !== "here" && "true" }, svg("title", {}, words));
  node.append(svg("circle", { cx, cy, r: 0.32 }), svg("text", { x: cx, y: cy, dy: "0.03" }, String(id)));
  if (load) node.append(svg("circle", { class: `load ${load}`, cx: cx + 0.27, cy: cy - 0.27, r: 0.17 }));
  return node;
}

/**
 * The shapes of what a player knows. All tiles with the same look are one path.
 * @param {Map<string, Tile>} tiles
 * @param {number} clockMs
 * @param {number} height
 */
function knowledge(tiles, clockMs, height) {
  const shapes = new Map();
  const marks = [];
  let heard = "";
  for (const { x, y, object, player, at, from } of tiles.values()) {
    const top = height - 1 - y;
    const look = `tile ${LOOKS[object]} age-${ageOf(clockMs - at)}`;
    shapes.set(look, `${shapes.get(look) ?? ""}M${x} ${top}h1v1h-1z`);
    if (from !== null) heard += `M${x} ${top}h0.3l-0.3 0.3z`;
    if (object === "p" || object === "N") marks.push(svg("rect", { class: "mark", x: x + 0.17, y: top + 0.17, width: 0.66, height: 0.66, transform: `rotate(45 ${x + 0.5} ${top + 0.5})` }));
    if (object === "g") marks.push(svg("path", { class: "check", d: `M${x + 0.25} ${top + 0.52}l0.18 0.2 0.34 -0.42` }));
    if (object === "n" || object === "N") marks.push(svg("path", { class: "cross", d: `M${x + 0.14} ${top + 0.14}l0.72 0.72m0 -0.72l-0.72 0.72` }));
    if (player !== "-") marks.push(svg("circle", { class: player === "b" ? "seen blue" : "seen red", cx: x + 0.5, cy: top + 0.5, r: 0.3 }));
  }
  const corners = heard ? [svg("path", { class: "heard", d: heard })] : [];
  return [...[...shapes].map(([look, d]) => svg("path", { class: look, d })), ...corners, ...marks];
}

/** @type {(sham: boolean) => SVGElement} */
const samplePiece = (sham) => pieceAt({ x: 0, y: 0, sham }, 1);
/** @type {(done: boolean) => SVGElement} */
const sampleGoal = (done) => goalAt({ x: 0, y: 0, team: "Blue", done }, 1);
/** @type {(load: Player["load"], connection?: string) => SVGElement} */
const samplePawn = (load, connection = "here") => pawnAt({ id: 1, team: "Blue", x: 0, y: 0, leader: false, load, connection }, 1);
/** @type {(more: Partial<Tile>, ageMs?: number) => SVGElement} */
const sampleTile = (more, ageMs = 0) => svg("g", { class: "known" }, ...knowledge(new Map([["", { x: 0, y: 0, object: ".", player: "-", distance: null, at: -ageMs, from: null, ...more }]]), 0, 1));

/** @type {[sign: () => SVGElement, words: string][]} the signs of the truth */
const TRUE_SIGNS = [
  [() => samplePiece(false), "piece"], [() => samplePiece(true), "sham"], [() => sampleGoal(false), "open goal"], [() => sampleGoal(true), "goal done"],
  [() => samplePawn("piece"), "player with a piece"], [() => samplePawn("sham"), "player with a sham"], [() => samplePawn(null, "lost"), "connection lost"],
];
/** @type {[sign: () => SVGElement, words: string][]} the signs of what a player knows */
const KNOWN_SIGNS = [
  ...AGES_MS.map((ms) => /** @type {[() => SVGElement, string]} */ ([() => sampleTile({}, ms), `seen in the last ${ms / 1000} s`])),
  [() => sampleTile({}, Infinity), "seen earlier"], [() => sampleTile({ object: "p" }), "a piece, or a sham"], [() => sampleTile({ object: "g" }), "goal done"],
  [() => sampleTile({ object: "n" }), "no goal here"], [() => sampleTile({ player: "b" }), "a player was here"], [() => sampleTile({ from: 1 }), "told by another player"],
];

/** @param {typeof TRUE_SIGNS} signs */
const legend = (signs) => make("ul", { class: "legend", "aria-label": "Signs" }, ...signs.map(([sign, words]) => make("li", {}, svg("svg", { class: "sign", viewBox: "-0.1 -0.1 1.2 1.2", "aria-hidden": "true" }, sign()), words)));

// The board of the project game: three areas with goals, pieces and pawns, or what one player knows about them.
// A tile is one unit; y goes up, as in the rules.

import { draw as svg, make, say, toggle } from "/web/dom.js";
import { watch } from "/web/draw/bind.js";
import { ageOf, readTiles, tileWords } from "./tiles.js";

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
    known, svg("path", { class: "lines", d: lines(width, height) }), goals, pieces, pawns,
  );
  canvas.style.setProperty("--ratio", String(width / height));
  const note = make("p", { class: "tile-note" });
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
    legend: legend(),
    note,
    /**
     * @param {Truth | null} all
     * @param {Player | null} knower the player whose knowledge is shown, or null for everything
     */
    draw(all, knower) {
      toggle(canvas, "data-known", knower !== null);
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
  node.append(svg("rect", { x: cx - 0.26, y: cy - 0.26, width: 0.52, height: 0.52, rx: 0.08, transform: `rotate(45 ${cx} ${cy})` }));
  if (sham) node.append(svg("path", { class: "cross", d: `M${cx - 0.15} ${cy - 0.15}l0.3 0.3m0 -0.3l-0.3 0.3` }));
  return node;
}

/**
 * @param {Player} player
 * @param {number} height
 */
function pawnAt({ id, team, x, y, load, leader, connection }, height) {
  const [cx, cy] = [(x ?? 0) + 0.5, height - 1 - (y ?? 0) + 0.5];
  const words = `Player ${id} (${team})${leader ? ", leader" : ""} at (${x}, ${y})${load ? `, carries a ${load}` : ""}${connection === "here" ? "" : `, ${connection}`}`;
  const node = svg("g", { class: `pawn ${String(team).toLowerCase()}`, "data-player": id, "data-away": connection !== "here" }, svg("title", {}, words));
  node.append(svg("circle", { cx, cy, r: 0.42 }), svg("text", { x: cx, y: cy, dy: "0.03" }, String(id)));
  if (load) node.append(svg("circle", { class: `load ${load}`, cx: cx + 0.3, cy: cy - 0.3, r: 0.19 }));
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
    if (object === "p" || object === "N") marks.push(svg("rect", { class: "mark", x: x + 0.3, y: top + 0.3, width: 0.4, height: 0.4, transform: `rotate(45 ${x + 0.5} ${top + 0.5})` }));
    if (object === "g") marks.push(svg("path", { class: "check", d: `M${x + 0.25} ${top + 0.52}l0.18 0.2 0.34 -0.42` }));
    if (object === "n" || object === "N") marks.push(svg("path", { class: "cross", d: `M${x + 0.2} ${top + 0.2}l0.6 0.6m0 -0.6l-0.6 0.6` }));
    if (player !== "-") marks.push(svg("circle", { class: player === "b" ? "seen blue" : "seen red", cx: x + 0.5, cy: top + 0.5, r: 0.3 }));
  }
  const corners = heard ? [svg("path", { class: "heard", d: heard })] : [];
  return [...[...shapes].map(([look, d]) => svg("path", { class: look, d })), ...corners, ...marks];
}

function legend() {
  /** @type {(kind: string, words: string) => HTMLElement} */
  const sign = (kind, words) => make("li", {}, make("i", { class: `sign ${kind}`, "aria-hidden": "true" }), words);
  return make("ul", { class: "legend" }, sign("piece", "piece"), sign("sham", "sham"), sign("open", "open goal"), sign("done", "goal done"), sign("loaded", "player with a piece"), sign("away", "connection lost"), sign("heard", "learned from another player"));
}

// The board of the project game: three bands, and on them goals, pieces and pawns, or what one player knows of them.
// A tile is one unit; y goes up, as the rules have it.

import { draw as svg, make, say, toggle } from "../dom.js";
import { watch } from "../draw/bind.js";

// What a player knows of a tile, in ten characters: see `shown/known.rs` of the rulebook.
const CELL = 10;
const TICK = 100;
const OBJECTS = { ".": "nothing", p: "a piece", g: "a completed goal", n: "no goal", N: "no goal, and a piece" };
// Milliseconds up to which something was seen lately, and so on; what is older is the palest.
const AGES = [3000, 15000, 60000];

export function board(stage) {
  const { width, height, goal_rows: rows } = stage;
  const band = (zone, y, high) => svg("rect", { class: `band ${zone}`, x: 0, y, width, height: high });
  const layer = (kind) => svg("g", { class: kind });
  const [known, goals, pieces, pawns] = ["known", "goals", "pieces", "pawns"].map(layer);
  const canvas = svg(
    "svg",
    { class: "project-board", viewBox: `-0.1 -0.1 ${width + 0.2} ${height + 0.2}`, role: "img", "aria-label": "The board: Red’s goal area above, the task area, Blue’s goal area below" },
    band("red", 0, rows), band("task", rows, height - 2 * rows), band("blue", height - rows, rows),
    known, svg("path", { class: "lines", d: lines(width, height) }), goals, pieces, pawns,
  );
  canvas.style.setProperty("--ratio", width / height);
  const note = make("p", { class: "tile-note" });
  const drawTruth = watch((all) => {
    goals.replaceChildren(...(all?.goals ?? []).map((goal) => goalAt(goal, height)));
    pieces.replaceChildren(...(all?.pieces ?? []).map((piece) => pieceAt(piece, height)));
  });
  const drawPawns = watch((all, looked) => {
    const there = all.filter((player) => player.x !== null && (looked === null || player.id === looked));
    pawns.replaceChildren(...there.map((player) => pawnAt(player, height)));
  });
  let tiles = new Map();
  let clock = 0;
  canvas.addEventListener("pointermove", (event) => {
    const spot = new DOMPoint(event.clientX, event.clientY).matrixTransform(canvas.getScreenCTM().inverse());
    const [x, y] = [Math.floor(spot.x), height - 1 - Math.floor(spot.y)];
    if (x < 0 || y < 0 || x >= width || y >= height) return say(note, "");
    const tile = tiles.get(`${x} ${y}`);
    say(note, `(${x}, ${y})${tile ? `: ${told(tile, clock)}` : ""}`);
  });
  return {
    node: canvas,
    legend: legend(),
    note,
    draw(all, knower) {
      toggle(canvas, "data-known", knower !== null);
      clock = all?.clock ?? 0;
      tiles = knower ? read(knower.knows.rows) : new Map();
      drawTruth(knower ? { goals: [], pieces: [] } : { goals: all?.goals ?? [], pieces: all?.pieces ?? [] });
      drawPawns(all?.players ?? [], knower?.id ?? null);
      known.replaceChildren(...(knower ? knowledge(tiles, clock, height) : []));
    },
  };
}

function lines(width, height) {
  const down = Array.from({ length: width + 1 }, (_, x) => `M${x} 0V${height}`);
  const across = Array.from({ length: height + 1 }, (_, y) => `M0 ${y}H${width}`);
  return [...down, ...across].join("");
}

function goalAt({ x, y, team, done }, height) {
  const top = height - 1 - y;
  const node = svg("g", { class: `goal ${String(team).toLowerCase()} ${done ? "done" : "open"}`, "data-tile": `${x} ${y}` }, svg("title", {}, `${team}’s goal at (${x}, ${y}), ${done ? "done" : "open"}`));
  node.append(svg("rect", { x: x + 0.08, y: top + 0.08, width: 0.84, height: 0.84, rx: 0.12 }));
  if (done) node.append(svg("path", { class: "check", d: `M${x + 0.25} ${top + 0.52}l0.18 0.2 0.34 -0.42` }));
  return node;
}

function pieceAt({ x, y, sham }, height) {
  const [cx, cy] = [x + 0.5, height - 1 - y + 0.5];
  const node = svg("g", { class: sham ? "piece sham" : "piece", "data-tile": `${x} ${y}` }, svg("title", {}, `${sham ? "A sham" : "A piece"} at (${x}, ${y})`));
  node.append(svg("rect", { x: cx - 0.26, y: cy - 0.26, width: 0.52, height: 0.52, rx: 0.08, transform: `rotate(45 ${cx} ${cy})` }));
  if (sham) node.append(svg("path", { class: "cross", d: `M${cx - 0.15} ${cy - 0.15}l0.3 0.3m0 -0.3l-0.3 0.3` }));
  return node;
}

function pawnAt({ id, team, x, y, load, leader, connection }, height) {
  const [cx, cy] = [x + 0.5, height - 1 - y + 0.5];
  const words = `Player ${id} (${team})${leader ? ", leader" : ""} at (${x}, ${y})${load ? `, carries a ${load}` : ""}${connection === "here" ? "" : `, ${connection}`}`;
  const node = svg("g", { class: `pawn ${String(team).toLowerCase()}`, "data-player": id, "data-away": connection !== "here" }, svg("title", {}, words));
  node.append(svg("circle", { cx, cy, r: 0.42 }), svg("text", { x: cx, y: cy, dy: "0.03" }, id));
  if (load) node.append(svg("circle", { class: `load ${load}`, cx: cx + 0.3, cy: cy - 0.3, r: 0.19 }));
  return node;
}

/** The tiles of a player by where they are. */
function read(rows) {
  const tiles = new Map();
  rows.forEach((row, y) => {
    for (let x = 0; x * CELL < row.length; x += 1) {
      const cell = row.slice(x * CELL, x * CELL + CELL);
      if (cell[0] === " ") continue;
      const distance = cell.slice(2, 4) === "--" ? null : parseInt(cell.slice(2, 4), 36);
      tiles.set(`${x} ${y}`, { x, y, object: cell[0], player: cell[1], distance, at: parseInt(cell.slice(4, 8), 36) * TICK, from: cell.slice(8) === "--" ? null : parseInt(cell.slice(8), 36) });
    }
  });
  return tiles;
}

/** All tiles of the same look are one shape. */
function knowledge(tiles, clock, height) {
  const shapes = new Map();
  const marks = [];
  let heard = "";
  for (const { x, y, object, player, at, from } of tiles.values()) {
    const age = AGES.findIndex((most) => clock - at <= most);
    const top = height - 1 - y;
    const look = `tile ${{ ".": "nothing", p: "piece", g: "goal", n: "barren", N: "barren" }[object]} age-${age < 0 ? AGES.length : age}`;
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

function told({ object, player, distance, at, from }, clock) {
  const somebody = { b: ", somebody of Blue", r: ", somebody of Red" }[player] ?? "";
  const far = distance === null ? "" : `, ${distance} from a piece`;
  const by = from === null ? "" : ` and told by player ${from}`;
  return `${OBJECTS[object]}${somebody}${far}; seen ${(Math.max(0, clock - at) / 1000).toFixed(1)} s ago${by}`;
}

function legend() {
  const sign = (kind, words) => make("li", {}, make("i", { class: `sign ${kind}`, "aria-hidden": "true" }), words);
  return make("ul", { class: "legend" }, sign("piece", "piece"), sign("sham", "sham"), sign("open", "open goal"), sign("done", "goal done"), sign("loaded", "player with a piece"), sign("away", "connection lost"), sign("heard", "learnt from another player"));
}

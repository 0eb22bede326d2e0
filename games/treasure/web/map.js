// The map of the treasure game: a table of fields, each with its terrain, its things, and whether a player has seen it. Nothing depends
// on colour alone: terrains have shapes, and a player's things have the player's number.

import { cut, draw, make, say, toggle } from "/web/dom.js";
import { bind, hold, watch } from "/web/draw/bind.js";

/** @import { Picture, Scene, Thing } from "./scene.js" */

/** @type {Record<string, string>} */
const TERRAINS = { g: "grass", m: "mountain", w: "water", "?": "not known yet" };
/** @type {Record<string, string>} */
const MARKS = {
  g: "M4 15l1-3 1 3M13 8l1-3 1 3M12 17l1-2 1 2",
  m: "M2 16L8 5l3 5 2-3 5 9z",
  w: "M2 7q2-3 4 0t4 0 4 0 4 0M2 13q2-3 4 0t4 0 4 0 4 0",
  "?": "",
};
/** @type {Record<Thing["kind"], string[]>} by player */
const SHAPES = {
  avatar: ["M10 2a8 8 0 1 1-.01 0z", "M10 .5L19.5 10 10 19.5.5 10z"],
  fort: Array(2).fill("M2 19V3h4v3h2.5V3h3v3H14V3h4v16z"),
  treasure: Array(2).fill("M2 10q0-6 6-6h4q6 0 6 6v8H2z"),
};
const LINES = { avatar: "", fort: "", treasure: "M2 9.5h16" };

export function map() {
  const grid = make("div", { class: "treasure-map", role: "table", "aria-label": "The map" });
  const none = make("p", { class: "soft" }, "There is no map yet. The players send its halves.");
  const node = make("div", { class: "treasure-land" }, none, grid);
  /** @type {ReturnType<typeof field>[][]} */
  let fields = [];
  const lay = bind(grid, "/map", (to, /** @type {string[] | null} */ rows) => {
    none.hidden = rows !== null;
    to.hidden = rows === null;
    const [width, height] = [rows?.[0]?.length ?? 0, rows?.length ?? 0];
    if (fields.length !== height || fields[0]?.length !== width) {
      fields = Array.from({ length: height }, (_, y) => Array.from({ length: width }, (_, x) => field(x, y)));
      to.style.setProperty("--columns", String(width));
      to.style.setProperty("--rows", String(height));
      const head = make("div", { role: "row" }, make("span", { role: "columnheader", class: "corner" }, make("span", { class: "unseen" }, "row")), ...Array.from({ length: width }, (_, x) => make("span", { role: "columnheader" }, String(x))));
      to.replaceChildren(head, ...fields.map((row, y) => make("div", { role: "row" }, make("span", { role: "rowheader" }, String(y)), ...row.map((one) => one.node))));
    }
  });
  const show = watch((/** @type {string[]} */ rows, /** @type {string[]} */ names, /** @type {Scene} */ { things, seen }) => {
    const at = new Map();
    for (const thing of things) at.set(String(thing.at), [...(at.get(String(thing.at)) ?? []), thing]);
    fields.forEach((row, y) => row.forEach((one, x) => one.draw(rows[y][x], at.get(`${x},${y}`) ?? [], seen === null ? null : seen[y]?.[x] === "s", names)));
  });
  return {
    node,
    /**
     * @param {Picture} picture
     * @param {Scene} seen
     */
    draw(picture, seen) {
      lay(picture.map);
      if (picture.map) show(picture.map, picture.players.map((one, at) => one.name ?? `player ${at + 1}`), seen);
    },
  };
}

/**
 * @param {number} x
 * @param {number} y
 */
function field(x, y) {
  const mark = draw("path", { class: "mark" });
  const things = make("span", { class: "things" });
  const label = make("span", { class: "unseen" });
  const node = make("div", { role: "cell", class: "field", "data-x": x, "data-y": y }, draw("svg", { viewBox: "0 0 20 20", "aria-hidden": "true" }, mark), things, label);
  const write = watch((/** @type {string} */ terrain, /** @type {Thing[]} */ there, /** @type {boolean | null} */ seen, /** @type {string[]} */ names) => {
    node.dataset.terrain = terrain;
    mark.setAttribute("d", MARKS[terrain] ?? "");
    toggle(node, "data-seen", seen !== null, String(seen));
    hold(things, there.map(token));
    things.dataset.count = String(there.length);
    const words = [`(${x}, ${y})`, TERRAINS[terrain] ?? terrain, ...there.map((thing) => thingLabel(thing, names)), seen === false && "not seen"].filter(Boolean).join(", ");
    say(label, words);
    node.title = words;
  });
  return { node, draw: write };
}

/**
 * @param {Thing} thing
 * @param {string[]} names
 */
function thingLabel({ kind, player, taken, invented }, names) {
  const whose = cut(names[player], 40);
  if (kind === "avatar") return invented ? `${whose} (invented place)` : whose;
  return `${kind} of ${whose}${taken ? ", taken" : ""}`;
}

/**
 * A thing with the number of its player.
 * @param {Omit<Thing, "at">} thing
 */
function token({ kind, player, taken, invented }) {
  const number = draw("text", { x: 10, y: kind === "avatar" ? 13.5 : 17.2 }, String(player + 1));
  const node = draw("svg", { viewBox: "0 0 20 20", class: "thing", "aria-hidden": "true", "data-kind": kind, "data-player": player, "data-taken": Boolean(taken) && "true", "data-invented": Boolean(invented) && "true" });
  node.append(draw("path", { class: "shape", d: SHAPES[kind][player] }), draw("path", { class: "line", d: LINES[kind] }), number);
  return node;
}

/** The meaning of the signs. */
export function legend() {
  /** @type {(inside: Node, words: string) => HTMLElement} */
  const sign = (inside, words) => make("li", {}, inside, words);
  /** @type {(terrain: string, words: string, seen?: string) => HTMLElement} */
  const ground = (terrain, words, seen) => sign(make("span", { class: "field", "data-terrain": terrain, "data-seen": seen }, draw("svg", { viewBox: "0 0 20 20" }, draw("path", { class: "mark", d: MARKS[terrain] }))), words);
  /** @type {(kind: Thing["kind"], words: string, more?: { invented: boolean }) => HTMLElement} */
  const thing = (kind, words, more) => sign(make("span", { class: "sample" }, token({ kind, player: 0, ...more }), token({ kind, player: 1, ...more })), words);
  return make("ul", { class: "legend", "aria-hidden": "true" }, ground("g", "grass"), ground("m", "mountain"), ground("w", "water"), ground("g", "not seen yet", "false"), thing("avatar", "players"), thing("fort", "forts"), thing("treasure", "treasures"), thing("avatar", "invented place", { invented: true }));
}

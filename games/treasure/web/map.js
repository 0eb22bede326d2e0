// The map of the treasure game: a table of fields, each with its terrain, who and what is there, and whether it was seen. Nothing
// is told by a colour alone: terrains have shapes, and what belongs to a player has its number.

import { cut, draw, make, say, toggle } from "../dom.js";
import { bind, hold, watch } from "../draw/bind.js";

const TERRAINS = { g: "grass", m: "mountain", w: "water", "?": "not known yet" };
const MARKS = {
  g: "M4 15l1-3 1 3M13 8l1-3 1 3M12 17l1-2 1 2",
  m: "M2 16L8 5l3 5 2-3 5 9z",
  w: "M2 7q2-3 4 0t4 0 4 0 4 0M2 13q2-3 4 0t4 0 4 0 4 0",
  "?": "",
};
const SHAPES = {
  avatar: ["M10 2a8 8 0 1 1-.01 0z", "M10 .5L19.5 10 10 19.5.5 10z"],
  fort: Array(2).fill("M2 19V3h4v3h2.5V3h3v3H14V3h4v16z"),
  treasure: Array(2).fill("M2 10q0-6 6-6h4q6 0 6 6v8H2z"),
};
const LINES = { avatar: "", fort: "", treasure: "M2 9.5h16" };

/** What is on the map for somebody: things with their places, and the rows of what was seen. Only the picture says what may be told. */
export function scene({ players, hidden }, sight) {
  const things = [];
  const put = (kind, player, at, more = {}) => at && things.push({ kind, player, at, ...more });
  const secrets = hidden?.players;
  if (!secrets) {
    players.forEach((one, player) => put("avatar", player, one.at));
    return { things, seen: null };
  }
  const me = { first: 0, second: 1 }[sight];
  if (me === undefined) {
    secrets.forEach((one, player) => {
      put("fort", player, one.fort);
      put("treasure", player, one.treasure, { taken: one.collected });
      put("avatar", player, one.at);
    });
    return { things, seen: null };
  }
  const [own, other] = [secrets[me], 1 - me];
  put("fort", me, own.fort);
  if (own.enemy_fort_seen) put("fort", other, secrets[other].fort);
  if (own.treasure_seen && !own.collected) put("treasure", me, own.treasure);
  put("avatar", me, own.at);
  // Before everybody may see it, the other is shown at a made-up place.
  put("avatar", other, own.shown_enemy, { invented: players[other].at === null });
  return { things, seen: own.seen ?? [] };
}

export function map() {
  const grid = make("div", { class: "treasure-map", role: "table", "aria-label": "The map" });
  const none = make("p", { class: "soft" }, "There is no map yet: it comes with the halves.");
  const node = make("div", { class: "treasure-land" }, none, grid);
  let fields = [];
  const lay = bind(grid, "/map", (to, rows) => {
    none.hidden = rows !== null;
    to.hidden = rows === null;
    const [width, height] = [rows?.[0]?.length ?? 0, rows?.length ?? 0];
    if (fields.length !== height || fields[0]?.length !== width) {
      fields = Array.from({ length: height }, (_, y) => Array.from({ length: width }, (_, x) => field(x, y)));
      to.style.setProperty("--columns", width);
      to.style.setProperty("--rows", height);
      const head = make("div", { role: "row" }, make("span", { role: "columnheader", class: "corner" }, make("span", { class: "unseen" }, "row")), ...Array.from({ length: width }, (_, x) => make("span", { role: "columnheader" }, String(x))));
      to.replaceChildren(head, ...fields.map((row, y) => make("div", { role: "row" }, make("span", { role: "rowheader" }, String(y)), ...row.map((one) => one.node))));
    }
  });
  const show = watch((rows, names, { things, seen }) => {
    const at = new Map();
    for (const thing of things) at.set(String(thing.at), [...(at.get(String(thing.at)) ?? []), thing]);
    fields.forEach((row, y) => row.forEach((one, x) => one.draw(rows[y][x], at.get(`${x},${y}`) ?? [], seen === null ? null : seen[y]?.[x] === "s", names)));
  });
  return {
    node,
    draw(picture, seen) {
      lay(picture.map);
      if (picture.map) show(picture.map, picture.players.map((one, at) => one.name ?? `player ${at + 1}`), seen);
    },
  };
}

function field(x, y) {
  const mark = draw("path", { class: "mark" });
  const things = make("span", { class: "things" });
  const node = make("div", { role: "cell", class: "field", "data-x": x, "data-y": y }, draw("svg", { viewBox: "0 0 20 20", "aria-hidden": "true" }, mark), things, make("span", { class: "unseen" }));
  const write = watch((terrain, there, seen, names) => {
    node.dataset.terrain = terrain;
    mark.setAttribute("d", MARKS[terrain] ?? "");
    toggle(node, "data-seen", seen !== null, String(seen));
    hold(things, there.map(token));
    things.dataset.count = there.length;
    const words = [`(${x}, ${y})`, TERRAINS[terrain] ?? terrain, ...there.map((thing) => told(thing, names)), seen === false && "not seen"].filter(Boolean).join(", ");
    say(node.lastChild, words);
    node.title = words;
  });
  return { node, draw: write };
}

function told({ kind, player, taken, invented }, names) {
  const whose = cut(names[player], 40);
  if (kind === "avatar") return invented ? `${whose} shown here, which is made up` : whose;
  return `${kind} of ${whose}${taken ? ", taken" : ""}`;
}

/** A thing with the number of the player whose it is. */
function token({ kind, player, taken, invented }) {
  const number = draw("text", { x: 10, y: kind === "avatar" ? 13.5 : 17.2 }, String(player + 1));
  const node = draw("svg", { viewBox: "0 0 20 20", class: "thing", "aria-hidden": "true", "data-kind": kind, "data-player": player, "data-taken": Boolean(taken) && "true", "data-invented": Boolean(invented) && "true" });
  node.append(draw("path", { class: "shape", d: SHAPES[kind][player] }), draw("path", { class: "line", d: LINES[kind] }), number);
  return node;
}

/** What the signs mean. */
export function legend() {
  const sign = (inside, words) => make("li", {}, inside, words);
  const ground = (terrain, words, seen) => sign(make("span", { class: "field", "data-terrain": terrain, "data-seen": seen }, draw("svg", { viewBox: "0 0 20 20" }, draw("path", { class: "mark", d: MARKS[terrain] }))), words);
  const thing = (kind, words, more) => sign(make("span", { class: "sample" }, token({ kind, player: 0, ...more }), token({ kind, player: 1, ...more })), words);
  return make("ul", { class: "legend", "aria-hidden": "true" }, ground("g", "grass"), ground("m", "mountain"), ground("w", "water"), ground("g", "not seen yet", "false"), thing("avatar", "players"), thing("fort", "forts"), thing("treasure", "treasures"), thing("avatar", "made up", { invented: true }));
}

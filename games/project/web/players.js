// The players of the project game: teams and connections, and where the host shows everything, loads and actions.

import { make, say, toggle } from "/web/dom.js";
import { bind, hold } from "/web/draw/bind.js";

/** @import { Count, Player, PublicPlayer } from "./types.js" */

/**
 * A column of the table. Everybody may know the public ones; the secret ones need the whole player.
 * @typedef {{ key: string, head: string, title?: string, write?: (node: HTMLElement, value: any) => void } & (
 *   { secret?: false, of: (player: PublicPlayer) => unknown } | { secret: true, of: (player: Player) => unknown })} Column
 */

/** @type {Column[]} */
const COLUMNS = [
  { key: "id", head: "Player", of: (player) => [player.id, player.team, player.leader, player.connection], write: who },
  { key: "load", head: "Carries", secret: true, of: (player) => [player.load, player.tested], write: load },
  { key: "doing", head: "Does", secret: true, of: (player) => [player.doing, player.waiting, player.last], write: doing },
  count("moves", "Moves"),
  count("discovers", "Disc."),
  count("pick_ups", "Picks"),
  count("tests", "Tests"),
  count("places", "Places"),
  count("goals", "Goals"),
  count("shams", "Shams"),
  { key: "response", head: "Response ms", title: "Time from a request to its answer, by the game’s clock: the last one, the mean, the longest", secret: true, of: (player) => player.response, write: response },
];

/**
 * @param {Count} key
 * @param {string} head
 * @returns {Column}
 */
function count(key, head) {
  return { key, head, secret: true, of: (player) => player.counts[key] };
}

/** @param {(player: number) => void} look takes the number of the player that the reader chooses */
export function players(look) {
  const body = make("tbody");
  const head = make("tr", {}, ...COLUMNS.map(({ key, head: label, title, secret }) => make("th", { scope: "col", class: secret ? `secret ${key}` : key, title }, label)));
  const node = make("table", { class: "project-players" }, make("thead", {}, head), body);
  /** @type {Map<number, ReturnType<typeof row>>} */
  const rows = new Map();
  return {
    node,
    /**
     * @param {(PublicPlayer | Player)[]} all
     * @param {number | null} looked the player whose knowledge is shown
     */
    draw(all, looked) {
      toggle(node, "data-everything", all.some((player) => "counts" in player));
      hold(
        body,
        all.map((player, at) => {
          const line = rows.get(player.id) ?? row(player.id, at, look);
          rows.set(player.id, line);
          line.draw(player, looked === player.id);
          return line.node;
        }),
      );
    },
  };
}

/**
 * @param {number} id
 * @param {number} at
 * @param {(player: number) => void} look
 */
function row(id, at, look) {
  const cells = COLUMNS.map(({ key, secret, write }) => {
    const node = make("td", { class: secret ? `secret ${key}` : key });
    return { node, write: bind(node, `/hidden/players/${at}/${key}`, write ?? say, key !== "goals") };
  });
  const node = make("tr", { tabindex: "0", "data-player": id }, ...cells.map((cell) => cell.node));
  node.addEventListener("click", () => look(id));
  node.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    event.stopPropagation();
    look(id);
  });
  return {
    node,
    /**
     * @param {PublicPlayer | Player} player
     * @param {boolean} looked
     */
    draw(player, looked) {
      COLUMNS.forEach((column, at) => {
        if (!column.secret) cells[at].write(column.of(player));
        else if ("counts" in player) cells[at].write(column.of(player));
      });
      toggle(node, "data-team", Boolean(player.team), String(player.team).toLowerCase());
      toggle(node, "data-away", player.connection !== "here");
      toggle(node, "aria-selected", looked);
    },
  };
}

/**
 * @param {HTMLElement} node
 * @param {[id: number, team: string | null, leader: boolean, connection: string]} player
 */
function who(node, [id, team, leader, connection]) {
  node.replaceChildren(make("i", { class: "pawn", "aria-hidden": "true" }, String(id)), `${team ?? "no team"}${leader ? " ★" : ""}`, make("span", { class: "connection" }, connection === "here" ? "" : ` ${connection}`));
  node.title = leader ? "leads the team" : "";
}

/**
 * @param {HTMLElement} node
 * @param {[carried: string | null, tested: boolean]} load
 */
function load(node, [carried, tested]) {
  say(node, carried ? `${carried}${tested ? " ✓" : ""}` : "–");
  node.title = carried ? (tested ? "tested" : "not tested") : "";
}

/**
 * @param {HTMLElement} node
 * What a player does now, and below it how its last request was answered.
 * @param {[action: string | null, waiting: number, last: string | null]} doing
 */
function doing(node, [action, waiting, last]) {
  node.replaceChildren(`${action ?? "–"}${waiting > 0 ? ` +${waiting}` : ""}`, make("small", {}, last ?? ""));
}

/**
 * @param {HTMLElement} node
 * @param {Player["response"]} response
 */
function response(node, { last, mean, longest }) {
  say(node, last === null ? "–" : `${last} · ${mean} · ${longest}`);
}

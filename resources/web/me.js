// Who is signed in. A change sends the CSRF token of the session.

import { json, path } from "./api.js";
import { called, make } from "./dom.js";

/**
 * @typedef {object} Standing
 * @property {string} rulebook
 * @property {string} name
 * @property {number} played
 * @property {number} won
 * @property {number} lost
 * @property {number} drawn
 * @property {number} average_points
 * @property {number | null} rating
 */

/**
 * @typedef {object} Me
 * @property {"off" | "optional" | "required"} accounts
 * @property {string | null} name null for a guest
 * @property {string} [csrf]
 * @property {string[]} [your_turn]
 * @property {Standing[]} [standings]
 */

let csrf = "";

/** @returns {Promise<Me>} */
export async function me() {
  const who = await json(path("me"));
  csrf = who.csrf ?? "";
  return who;
}

/**
 * @param {string} address
 * @param {object} body
 */
export async function change(address, body) {
  const headers = { "Content-Type": "application/json", "X-CSRF-Token": csrf };
  return json(address, { method: "POST", headers, body: JSON.stringify(body) });
}

/** @param {string} game */
export const gameLink = (game) => make("a", { href: `/games/${encodeURIComponent(game)}/play` }, game);

/**
 * Shows on the start page who is signed in, and in which games it is their turn.
 * @param {HTMLElement} bar
 * @param {HTMLElement} turns
 */
export async function showMe(bar, turns) {
  const who = await me();
  if (who.accounts === "off") return;
  bar.replaceChildren(
    make("a", { class: "button", href: "/leaderboard" }, "Leaderboard"),
    make("a", { class: "button", href: "/account", id: "account" }, who.name === null ? "Sign in" : called(who.name, 30)),
  );
  const games = who.your_turn ?? [];
  turns.hidden = games.length === 0;
  if (games.length > 0) turns.replaceChildren("It is your turn in ", ...games.flatMap((game, at) => [at > 0 ? ", " : "", gameLink(game)]), ".");
}

/**
 * A table of results. With names, those of a leaderboard; without, those of one player by rulebook.
 * @param {Standing[]} standings
 * @param {boolean} byName
 */
export function resultTable(standings, byName) {
  const head = [byName ? "#" : "Rulebook", byName ? "Player" : "Rating", ...(byName ? ["Rating"] : []), "Played", "Won", "Lost", "Drawn", "Points"];
  const row = (/** @type {Standing} */ one, /** @type {number} */ at) => {
    const rating = String(one.rating ?? "–");
    const first = byName ? [String(at + 1), called(one.name, 40), rating] : [one.rulebook, rating];
    return make("tr", {}, ...[...first, one.played, one.won, one.lost, one.drawn, one.average_points].map((cell) => make("td", {}, cell instanceof Node ? cell : String(cell))));
  };
  return make("table", {}, make("thead", {}, make("tr", {}, ...head.map((word) => make("th", { scope: "col" }, word)))), make("tbody", {}, ...standings.map(row)));
}

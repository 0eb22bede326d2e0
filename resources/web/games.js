// The page of all games: filters, pages of results, and the new game.

import { byId, called, complain, cut, date, field, list, make, name, onClick, plural, say, toggle } from "./dom.js";
import { explain, json, path } from "./api.js";
import { Front, showFrontPicture } from "./front.js";
import { ago, lasted, merge } from "./listing.js";
import { showMe } from "./me.js";
import { NewGame, showRulebooks } from "./new-game.js";
import { Thumbs } from "./thumbs.js";
import { titleOf } from "./titles.js";

/** @import { Game } from "./types.js" */

const LIMIT = 50;
const POLL_MS = 4000;
const TYPING_MS = 250;

const form = byId("filters", HTMLFormElement);
const front = new Front();
const thumbs = new Thumbs();
const dialog = new NewGame();
/** @type {Map<string, { node: HTMLLIElement, thumb: HTMLElement, shown: string, words: string }>} the card of each game, and what it shows */
const rows = new Map();
/** @type {Map<string, string>} the suggestions of each list */
const suggested = new Map();
/** @type {Game[]} */
let games = [];
/** @type {string | null} where the next older page begins */
let next = null;
/** @type {string | null} the filters of the shown games */
let shown = null;
let requests = 0;
let timer = 0;

fromAddress();
form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("input", () => refreshIn(TYPING_MS));
form.addEventListener("reset", () => refreshIn(0));
onClick("older", older);
document.addEventListener("visibilitychange", () => document.hidden || refreshIn(0));
onClick("front-new", () => dialog.open());
// The list of games reports that the host does not answer.
const showAccount = () => showMe(byId("me"), byId("your-turn")).catch(() => {});
showAccount();
setInterval(() => document.hidden || showAccount(), 10 * POLL_MS);
showRulebooks(byId("rulebooks"), dialog).then(showFrontPicture, () => {});
refresh();

/** @param {number} pauseMs */
function refreshIn(pauseMs) {
  clearTimeout(timer);
  timer = setTimeout(refresh, pauseMs);
}

function filters() {
  const wanted = new URLSearchParams();
  for (const [key, value] of new FormData(form)) if (String(value).trim() !== "") wanted.set(key, String(value).trim());
  return wanted;
}

function fromAddress() {
  for (const [key, value] of new URLSearchParams(location.search)) {
    const control = form.elements.namedItem(key);
    if (control instanceof RadioNodeList) control.value = value;
    if (!(control instanceof HTMLInputElement || control instanceof HTMLSelectElement)) continue;
    // The rulebooks are loaded later; the one from the address must be there now.
    if (control instanceof HTMLSelectElement && key === "rulebook" && value) addOptions(control, [value]);
    control.value = value;
    // What is filtered by is seen.
    const folded = control.closest("details");
    if (folded && value) folded.open = true;
  }
}

async function refresh() {
  clearTimeout(timer);
  const request = (requests += 1);
  const wanted = filters();
  const address = wanted.size > 0 ? `?${wanted}` : location.pathname;
  const isSame = wanted.toString() === shown;
  history.replaceState(null, "", address);
  try {
    const page = await ask(wanted);
    if (request !== requests) return;
    ({ games, next } = merge(isSame ? { games, next } : { games: [], next: null }, page));
    shown = wanted.toString();
    byId("clear").hidden = shown === "";
    show();
    front.show(games);
    complain(null);
  } catch (error) {
    if (request === requests) complain(explain(error));
  }
  if (request === requests && !document.hidden) timer = setTimeout(refresh, POLL_MS);
}

/**
 * @param {URLSearchParams} wanted
 * @param {string | null} before
 * @returns {Promise<import("./listing.js").GamesPage>}
 */
function ask(wanted, before = null) {
  const query = new URLSearchParams(wanted);
  query.set("limit", String(LIMIT));
  if (before) query.set("before", before);
  return json(`${path("games")}?${query}`);
}

async function older() {
  const request = requests;
  try {
    const page = await ask(filters(), next);
    if (request !== requests && filters().toString() !== shown) return;
    const known = new Set(games.map((game) => game.name));
    games = [...games, ...page.games.filter((game) => !known.has(game.name))];
    next = page.next;
    show();
  } catch (error) {
    complain(explain(error));
  }
}

/** Shows the games. Rows are kept by name and written only when they change, so nothing flickers and the focus stays. */
function show() {
  const wanted = games.map((game) => {
    const row = rows.get(game.name) ?? { node: make("li"), thumb: make("div", { class: "thumb", inert: true }), shown: "", words: "" };
    const now = JSON.stringify([game, row.words]);
    if (row.shown !== now) write(row, game);
    row.shown = now;
    rows.set(game.name, row);
    thumbs.show(row.thumb, game, (words) => {
      row.words = words;
      write(row, game);
    });
    return row.node;
  });
  const there = byId("games").children;
  if (there.length !== wanted.length || wanted.some((row, at) => there[at] !== row)) {
    const focus = document.activeElement;
    byId("games").replaceChildren(...wanted);
    if (focus instanceof HTMLElement && focus !== document.activeElement && focus.isConnected) focus.focus({ preventScroll: true });
  }
  byId("older").hidden = !next;
  say(byId("total"), total());
  addOptions(field(form, "rulebook", HTMLSelectElement), games.map((game) => game.rulebook));
  suggest("players", games.flatMap((game) => game.players));
  suggest("outcomes", games.flatMap((game) => game.outcome ?? []));
  toggle(document.body, "data-ready", true);
}

function total() {
  const running = games.filter((game) => game.status === "running").length;
  byId("running").hidden = running === 0;
  say(byId("running"), `${plural(running, "game")} live`);
  if (games.length === 0) return filters().size > 0 ? "No game fits. Clear the filters, or start a new game." : "There are no games yet. Start the first one.";
  const all = plural(games.length, next ? "newest game" : "game");
  return running ? `${all}, ${running} running` : all;
}

/**
 * @param {{ node: HTMLLIElement, thumb: HTMLElement, words: string }} row
 * @param {Game} game
 */
function write({ node, thumb, words }, game) {
  const title = cut([titleOf(game), words].filter(Boolean).join(", "), 80);
  const link = make("a", { href: `/games/${encodeURIComponent(game.name)}` }, title);
  const badge = make("span", { class: `badge ${game.status}` });
  // “lost: the morale fell to 0”: the word before the colon is the badge, the rest is below.
  const [result, reason] = (game.outcome ?? (game.status === "running" ? "live" : game.status)).split(/: (.*)/s);
  name(badge, result, 24);
  const players = game.players.length > 0 ? list(game.players, 30) : ["no players yet"];
  /** @type {(Node | string)[]} */
  const facts = [make("time", { datetime: new Date(game.created).toISOString(), title: date(game.created) }, ago(Date.now() - (game.ended ?? game.created))), called(game.name, 40)];
  if (game.edition && game.edition !== "standard") facts.push(called(game.edition, 40));
  if (game.ended) facts.push(lasted(game.ended - game.created));
  if (game.parent) facts.push(make("span", {}, "fork of ", called(game.parent.game, 40), ` at #${game.parent.entry}`));
  node.className = "game";
  node.dataset.name = game.name;
  node.dataset.status = game.status;
  const hadFocus = node.contains(document.activeElement);
  node.replaceChildren(
    thumb,
    badge,
    make("h3", {}, link),
    make("p", { class: "players" }, ...players),
    ...(reason ? [make("p", { class: "reason" }, called(reason, 120))] : []),
    make("p", { class: "facts" }, ...facts.map((fact) => make("span", {}, fact))),
  );
  if (hadFocus) link.focus({ preventScroll: true });
}

/**
 * @param {HTMLSelectElement} select
 * @param {string[]} values
 */
function addOptions(select, values) {
  const known = new Set([...select.options].map((option) => option.value));
  for (const value of new Set(values)) if (!known.has(value)) select.append(make("option", { value }, value));
}

/**
 * @param {string} id of a `datalist`
 * @param {string[]} values
 */
function suggest(id, values) {
  const some = [...new Set(values)].filter((value) => value.length <= 60).slice(0, 100);
  const key = JSON.stringify(some);
  if (suggested.get(id) === key) return;
  suggested.set(id, key);
  byId(id).replaceChildren(...some.map((value) => make("option", { value })));
}

// The page of all games: filters, pages of results, and the new game.

import { byId, cut, date, field, find, list, called, make, name, plural, say, toggle } from "./dom.js";
import { explain, json, path, post } from "./api.js";
import { Front, titleOf } from "./front.js";
import { lasted, merge } from "./listing.js";
import { submit } from "./form.js";

/** @import { Game } from "./types.js" */

const LIMIT = 50;
const POLL_MS = 4000;
const TYPING_MS = 250;

const form = byId("filters", HTMLFormElement);
const front = new Front();
/** @type {Map<string, { node: HTMLLIElement, shown: string }>} the row of each game, and what it shows */
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
byId("older").addEventListener("click", older);
document.addEventListener("visibilitychange", () => document.hidden || refreshIn(0));
newGame();
rulebooks();
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
    show();
    front.show(games);
    complain(null);
  } catch (error) {
    if (request === requests) complain(error);
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
    complain(error);
  }
}

/** Shows the games. Rows are kept by name and written only when they change, so nothing flickers and the focus stays. */
function show() {
  const wanted = games.map((game) => {
    const row = rows.get(game.name) ?? { node: make("li"), shown: "" };
    const now = JSON.stringify(game);
    if (row.shown !== now) write(row.node, game);
    row.shown = now;
    rows.set(game.name, row);
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
  if (games.length === 0) return filters().size === 0 ? "There are no games yet. Start a new one." : "No game fits. Clear the filters, or start a new game.";
  const running = games.filter((game) => game.status === "running").length;
  const all = plural(games.length, next ? "newest game" : "game");
  return running ? `${all}, ${running} running` : all;
}

/**
 * @param {HTMLElement} row
 * @param {Game} game
 */
function write(row, game) {
  const link = make("a", { href: `/games/${encodeURIComponent(game.name)}` }, make("span", {}, cut(titleOf(game), 40)), " ", called(game.name, 80));
  const badge = make("span", { class: `badge ${game.status}` });
  // “lost: the morale fell to 0”: the word before the colon is the badge, the rest is below.
  const [result, reason] = (game.outcome ?? game.status).split(/: (.*)/s);
  name(badge, result, 40);
  const what = [game.rulebook, game.edition].filter(Boolean).join(" · ");
  const players = game.players.length > 0 ? list(game.players, 30) : ["no players yet"];
  /** @type {(Node | string)[]} */
  const facts = [make("time", { datetime: new Date(game.created).toISOString() }, date(game.created))];
  if (game.entries !== null) facts.push(plural(game.entries, "command"));
  if (game.ended) facts.push(lasted(game.ended - game.created));
  if (game.parent) facts.push(make("span", {}, "fork of ", called(game.parent.game, 40), ` at #${game.parent.entry}`));
  row.className = "game";
  row.dataset.name = game.name;
  row.dataset.status = game.status;
  row.replaceChildren(
    make("h2", {}, link),
    badge,
    make("p", { class: "what" }, called(what, 80)),
    make("p", { class: "players" }, ...players),
    ...(reason ? [make("p", { class: "reason" }, called(reason, 120))] : []),
    make("p", { class: "facts" }, ...facts.map((fact) => make("span", {}, fact))),
  );
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

/** @param {unknown} error */
function complain(error) {
  const message = byId("message");
  message.hidden = !error;
  if (error) say(message, explain(error));
}

/** Links to the rulebooks that have pages of their own. */
async function rulebooks() {
  try {
    const { pages } = await json(path("scenarios"));
    byId("rulebooks").replaceChildren(...Object.entries(pages).map(([rulebook, href]) => make("a", { class: "button", href }, `Play ${rulebook}`)));
  } catch {
    // The list of games reports that the host does not answer.
  }
}

function newGame() {
  const dialog = byId("new-dialog", HTMLDialogElement);
  const form = byId("new-form", HTMLFormElement);
  const scenario = field(form, "scenario", HTMLSelectElement);
  find(dialog, ".cancel").addEventListener("click", () => dialog.close());
  byId("new-game").addEventListener("click", async () => {
    dialog.showModal();
    try {
      /** @type {{ scenarios: { rulebook: string, name: string }[] }} */
      const { scenarios } = await json(path("scenarios"));
      const options = scenarios.map(({ rulebook, name }) => make("option", { value: JSON.stringify([rulebook, name]) }, `${name} (${rulebook})`));
      const { value } = scenario;
      scenario.replaceChildren(...options);
      if (value) scenario.value = value;
    } catch (error) {
      dialog.close();
      complain(error);
    }
  });
  submit(form, async (token) => {
    const [rulebook, name] = JSON.parse(scenario.value);
    /** @param {string} key */
    const text = (key) => field(form, key).value.trim() || null;
    const [seconds, seed] = [text("timeout"), text("seed")];
    const body = JSON.stringify({ scenario: name, rulebook, edition: text("edition"), timeout: seconds && Number(seconds) * 1000 });
    // A seed has 64 bits, more than a number in JavaScript can hold, so it goes into the JSON as text.
    const seeded = seed ? body.replace(/}$/, `,"seed":${BigInt(seed)}}`) : body;
    const { game } = await post(path("games"), seeded, token);
    location.assign(`/games/${encodeURIComponent(game)}/play`);
  });
}

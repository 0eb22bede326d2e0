// The page of all games: filters, pages, and what has changed since.

import { byId, called, date, list, make, name, say, toggle } from "./dom.js";
import { explain, json, path, post } from "./api.js";
import { submit } from "./form.js";

const LIMIT = 50;
const POLL = 4000;
const TYPING = 250;

const form = byId("filters");
const rows = new Map();
let games = [];
let next = null;
let asked = 0;
let timer;

fromAddress();
form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("input", () => again(TYPING));
form.addEventListener("reset", () => again(0));
byId("older").addEventListener("click", older);
document.addEventListener("visibilitychange", () => document.hidden || again(0));
newGame();
rulebooks();
refresh();

/** Asks anew soon; a change of the filters replaces what is shown. */
function again(pause) {
  clearTimeout(timer);
  timer = setTimeout(refresh, pause);
}

function filters() {
  const wanted = new URLSearchParams();
  for (const [key, value] of new FormData(form)) if (value.trim() !== "") wanted.set(key, value.trim());
  return wanted;
}

function fromAddress() {
  for (const [key, value] of new URLSearchParams(location.search)) {
    const field = form.elements.namedItem(key);
    if (!field) continue;
    // The choices of rulebooks come later; one from the address is there at once.
    if (field.name === "rulebook" && value) choose(field, [value]);
    field.value = value;
  }
}

async function refresh() {
  clearTimeout(timer);
  const turn = (asked += 1);
  const wanted = filters();
  const address = wanted.size > 0 ? `?${wanted}` : location.pathname;
  const same = wanted.toString() === refresh.shown;
  history.replaceState(null, "", address);
  try {
    const page = await ask(wanted);
    if (turn !== asked) return;
    merge(page, same);
    refresh.shown = wanted.toString();
    complain(null);
  } catch (error) {
    if (turn === asked) complain(error);
  }
  if (turn === asked && !document.hidden) timer = setTimeout(refresh, POLL);
}

function ask(wanted, before) {
  const query = new URLSearchParams(wanted);
  query.set("limit", LIMIT);
  if (before) query.set("before", before);
  return json(`${path("games")}?${query}`);
}

/** Puts the newest page in front. Older pages that were loaded stay, as long as the filters are the same. */
function merge(page, same) {
  const newest = new Set(page.games.map((game) => game.name));
  const oldest = page.games.at(-1)?.created ?? Infinity;
  const kept = same && page.next ? games.filter((game) => !newest.has(game.name) && game.created <= oldest) : [];
  games = [...page.games, ...kept];
  if (kept.length === 0) next = page.next;
  show();
}

async function older() {
  const turn = asked;
  try {
    const page = await ask(filters(), next);
    if (turn !== asked && filters().toString() !== refresh.shown) return;
    const known = new Set(games.map((game) => game.name));
    games = [...games, ...page.games.filter((game) => !known.has(game.name))];
    next = page.next;
    show();
  } catch (error) {
    complain(error);
  }
}

/** Rows are kept by name: only what has changed is written, so nothing flickers and the focus stays. */
function show() {
  const wanted = games.map((game) => {
    const row = rows.get(game.name) ?? make("li");
    const is = JSON.stringify(game);
    if (row.is !== is) write(row, game);
    row.is = is;
    rows.set(game.name, row);
    return row;
  });
  const there = byId("games").children;
  if (there.length !== wanted.length || wanted.some((row, at) => there[at] !== row)) {
    const focus = document.activeElement;
    byId("games").replaceChildren(...wanted);
    if (focus !== document.activeElement && focus.isConnected) focus.focus({ preventScroll: true });
  }
  byId("older").hidden = !next;
  const running = games.filter((game) => game.status === "running").length;
  say(byId("total"), games.length === 0 ? "No game fits. Clear the filters, or start a new game." : `${games.length}${next ? " newest" : ""} ${games.length === 1 ? "game" : "games"}${running ? `, ${running} running` : ""}`);
  choose(form.elements.rulebook, games.map((game) => game.rulebook));
  suggest("players", games.flatMap((game) => game.players));
  suggest("outcomes", games.map((game) => game.outcome).filter(Boolean));
  toggle(document.body, "data-ready", true);
}

function write(row, game) {
  const link = make("a", { href: `/games/${encodeURIComponent(game.name)}` }, called(game.name, 80));
  const badge = make("span", { class: `badge ${{ running: "running", finished: "finished" }[game.status] ?? "broken"}` });
  // “lost: the morale fell to 0”: the word in the badge, the reason below.
  const [result, reason] = (game.outcome ?? game.status).split(/: (.*)/s);
  name(badge, result, 40);
  const what = [game.rulebook, game.edition, game.scenario].filter(Boolean).join(" · ");
  const players = game.players.length > 0 ? list(game.players, 30) : ["nobody yet"];
  const facts = [make("time", { datetime: new Date(game.created).toISOString() }, date(game.created))];
  if (game.entries !== null) facts.push(`${game.entries} ${game.entries === 1 ? "command" : "commands"}`);
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

function lasted(ms) {
  const minutes = Math.round(ms / 60000);
  return minutes < 1 ? "under a minute" : minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}

function choose(select, values) {
  const known = new Set([...select.options].map((option) => option.value));
  for (const value of new Set(values)) if (!known.has(value)) select.append(make("option", { value }, value));
}

function suggest(id, values) {
  const some = [...new Set(values)].filter((value) => value.length <= 60).slice(0, 100);
  const key = JSON.stringify(some);
  if (suggest[id] === key) return;
  suggest[id] = key;
  byId(id).replaceChildren(...some.map((value) => make("option", { value })));
}

function complain(error) {
  const message = byId("message");
  message.hidden = !error;
  if (error) say(message, explain(error));
}

/** Rulebooks that have pages of their own. */
async function rulebooks() {
  try {
    const { pages } = await json(path("scenarios"));
    byId("rulebooks").replaceChildren(...Object.entries(pages).map(([rulebook, href]) => make("a", { class: "button", href }, `Play ${rulebook}`)));
  } catch {
    // The list says that the host does not answer.
  }
}

function newGame() {
  const dialog = byId("new-dialog");
  const fields = byId("new-form").elements;
  dialog.querySelector(".cancel").addEventListener("click", () => dialog.close());
  byId("new-game").addEventListener("click", async () => {
    dialog.showModal();
    try {
      const { scenarios } = await json(path("scenarios"));
      const options = scenarios.map(({ rulebook, name: scenario }) => make("option", { value: JSON.stringify([rulebook, scenario]) }, `${scenario} (${rulebook})`));
      const { value } = fields.scenario;
      fields.scenario.replaceChildren(...options);
      if (value) fields.scenario.value = value;
    } catch (error) {
      dialog.close();
      complain(error);
    }
  });
  submit(byId("new-form"), async (token) => {
    const [rulebook, scenario] = JSON.parse(fields.scenario.value);
    const or = (text) => (text.trim() === "" ? null : text.trim());
    const [seconds, seed] = [or(fields.timeout.value), or(fields.seed.value)];
    const body = JSON.stringify({ scenario, rulebook, edition: or(fields.edition.value), timeout: seconds && Number(seconds) * 1000 });
    // A seed has 64 bits, more than a number of ours can hold, so it is put in as text.
    const seeded = seed ? body.replace(/}$/, `,"seed":${BigInt(seed)}}`) : body;
    const { game } = await post(path("games"), seeded, token);
    location.assign(`/games/${encodeURIComponent(game)}`);
  });
}

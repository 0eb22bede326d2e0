// The first page of the treasure game: a new game with its id and how to play it, the list of games, and the errors of clients.

import { byId, called, complain, copied, date, field, find, make, name, say, toggle } from "/web/dom.js";
import { explain, json, path, post } from "/web/api.js";
import { submit } from "/web/form.js";
import { errors } from "./errors.js";

/** @import { Game } from "/web/types.js" */

const POLL_MS = 3000;
const SAID_MS = 2500;
const SHOWN = 50;

const form = byId("new", HTMLFormElement);
/** The game that the page describes. */
let shown = new URLSearchParams(location.search).get("game");
/** @type {string | null} the address where clients play */
let port = null;
/** The names of the finished games, as JSON. */
let finished = "";
let requests = 0;
let timer = 0;
/** @type {Map<HTMLElement, { words: string, timer: number }>} the own words of each button that says “Copied” */
const labels = new Map();

submit(form, async (token) => {
  const scenario = JSON.stringify({ year: 2022, debug: field(form, "debug").checked, dummy: field(form, "dummy").checked });
  const { game } = await post(path("games"), { rulebook: "treasure", scenario }, token);
  shown = game;
  const address = new URL(location.href);
  address.searchParams.set("game", game);
  history.replaceState(null, "", address);
  show();
  byId("copy-id").focus();
  games();
});
copyButton("copy-id", "id");
copyButton("copy-command", "command");
ports();
show();
games();

/** Finds out where clients play. */
async function ports() {
  try {
    const { ports } = await json(path("scenarios"));
    port = ports?.treasure ?? null;
    byId("no-port").hidden = port !== null;
    find(form, "button", HTMLButtonElement).disabled = port === null;
    show();
  } catch (error) {
    complain(explain(error));
  }
}

/** Describes the game that was created here, or that the address names. */
function show() {
  byId("game").hidden = !shown;
  if (!shown) return;
  name(byId("id"), shown, 60);
  byId("how").hidden = port === null || byId("game").dataset.over === "true";
  // A port on all addresses is reached at the address of this page.
  const there = (port ?? "").replace(/^(0\.0\.0\.0|\[::\])(?=:\d+$)/, location.hostname);
  say(byId("command"), `holdfast treasure player http://${there} ${shown}`);
  byId("watch", HTMLAnchorElement).href = `/games/${encodeURIComponent(shown)}`;
}

/**
 * @param {string} id of the button
 * @param {string} from the id of the element with the text
 */
function copyButton(id, from) {
  const button = byId(id);
  button.addEventListener("click", () => copy(button, byId(from)));
}

/**
 * @param {HTMLElement} button
 * @param {HTMLElement} from
 */
async function copy(button, from) {
  const isCopied = await copied(from.textContent ?? "");
  if (!isCopied) getSelection()?.selectAllChildren(from);
  const { words, timer } = labels.get(button) ?? { words: button.textContent ?? "", timer: 0 };
  say(button, isCopied ? "Copied" : "Selected");
  say(byId("said"), isCopied ? "Copied" : "The text is selected; copy it with the keyboard");
  clearTimeout(timer);
  labels.set(button, { words, timer: setTimeout(() => say(button, words), SAID_MS) });
}

async function games() {
  clearTimeout(timer);
  const request = (requests += 1);
  /** @type {(status: string) => Promise<Game[]>} */
  const ask = async (status) => (await json(`${path("games")}?rulebook=treasure&status=${status}&limit=${SHOWN}`)).games;
  try {
    const [running, over] = await Promise.all([ask("running"), ask("finished")]);
    if (request !== requests) return;
    fill("running", running);
    fill("finished", over);
    state(running.concat(over).find((game) => game.name === shown));
    const newest = JSON.stringify(over.map((game) => game.name));
    // Errors are known only of finished games.
    if (newest !== finished) errors();
    finished = newest;
    complain(null);
  } catch (error) {
    complain(explain(error));
  }
  toggle(document.body, "data-ready", true);
  if (request === requests) timer = setTimeout(games, POLL_MS);
}

/**
 * @param {"running" | "finished"} id
 * @param {Game[]} found
 */
function fill(id, found) {
  const there = byId(id);
  const key = JSON.stringify(found);
  byId(`no-${id}`).hidden = found.length > 0;
  if (there.dataset.key === key) return;
  const focus = document.activeElement?.closest(`#${id} li`)?.getAttribute("data-name");
  there.replaceChildren(...found.map(row));
  there.dataset.key = key;
  // The focus stays on the same game.
  if (focus) [...there.children].find((one) => one.getAttribute("data-name") === focus)?.querySelector("a")?.focus();
}

/** @param {Game} game */
function row({ name: game, edition, scenario, players, status, outcome, created, ended }) {
  // The results name the first and the second player, so each name has its number.
  const who = players.length === 0 ? ["no players yet"] : players.flatMap((one, at) => [at === 0 ? "" : " · ", make("span", { class: "soft" }, `${at + 1} `), called(one, 40)]);
  const result = status === "running" ? waits(players) : called(outcome ?? status, 120);
  const what = scenario && scenario !== edition ? scenario : edition;
  return make(
    "li",
    { "data-name": game, "data-status": status },
    make("a", { href: `/games/${encodeURIComponent(game)}` }, called(game, 40)),
    make("span", { class: "who" }, ...who),
    make("span", { class: "result" }, result),
    make("span", { class: "soft" }, `${what} · ${date(ended ?? created)}`),
  );
}

/** @param {string[]} players */
const waits = (players) => ["waits for two players", "waits for the second player"][players.length] ?? "is played";

/** @param {Game | undefined} game */
function state(game) {
  const words = !game ? "" : game.status === "running" ? `It ${waits(game.players)}.` : `It is over: ${game.outcome}.`;
  name(byId("state"), words, 200);
  const over = game !== undefined && game.status !== "running";
  toggle(byId("game"), "data-over", over);
  say(byId("watch"), over ? "View" : "Watch");
  show();
}

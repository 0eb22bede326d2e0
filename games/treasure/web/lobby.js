// The first page of the treasure game: a new game with its id and how to play it, the games, and what went wrong for whom.

import { byId, called, date, make, name, say, toggle } from "../dom.js";
import { explain, json, path, post } from "../api.js";
import { submit } from "../form.js";
import { errors } from "./errors.js";

const POLL = 3000;
const SHOWN = 50;

const fields = byId("new").elements;
let shown = new URLSearchParams(location.search).get("game");
let port = null;
let finished = null;

submit(byId("new"), async (token) => {
  const scenario = JSON.stringify({ year: 2022, debug: fields.debug.checked, dummy: fields.dummy.checked });
  const { game } = await post(path("games"), { rulebook: "treasure", scenario }, token);
  shown = game;
  const address = new URL(location.href);
  address.searchParams.set("game", game);
  history.replaceState(null, "", address);
  show();
  byId("copy-id").focus();
  games();
});
for (const button of document.querySelectorAll("[data-copies]")) button.addEventListener("click", () => copy(button));
ports();
show();
games();

/** Where clients play, if anywhere. */
async function ports() {
  try {
    const told = await json(path("scenarios"));
    port = told.ports?.treasure ?? null;
    byId("no-port").hidden = port !== null;
    byId("new").querySelector("button").disabled = port === null;
    show();
  } catch (error) {
    complain(error);
  }
}

/** The game that was made, or that the address names. */
function show() {
  byId("game").hidden = !shown;
  if (!shown) return;
  name(byId("id"), shown, 60);
  byId("how").hidden = port === null || byId("game").dataset.over === "true";
  // A port that takes everybody is reached where this page is.
  const there = port?.replace(/^(0\.0\.0\.0|\[::\])(?=:\d+$)/, location.hostname);
  say(byId("command"), `holdfast treasure player http://${there} ${shown}`);
  byId("watch").href = `/games/${encodeURIComponent(shown)}`;
}

async function copy(button) {
  const from = byId(button.dataset.copies);
  let said = "Copied";
  try {
    await navigator.clipboard.writeText(from.textContent);
  } catch {
    // Without leave for the clipboard (plain http) the text is selected instead.
    getSelection().selectAllChildren(from);
    said = "Selected";
  }
  button.dataset.words ??= button.textContent;
  say(button, said);
  say(byId("said"), said === "Copied" ? "Copied" : "The text is selected; copy it with the keyboard");
  clearTimeout(button.timer);
  button.timer = setTimeout(() => say(button, button.dataset.words), 2500);
}

async function games() {
  clearTimeout(games.timer);
  const turn = (games.asked = (games.asked ?? 0) + 1);
  const ask = async (status) => (await json(`${path("games")}?rulebook=treasure&status=${status}&limit=${SHOWN}`)).games;
  try {
    const [running, over] = await Promise.all([ask("running"), ask("finished")]);
    if (turn !== games.asked) return;
    fill("running", running);
    fill("finished", over);
    state(running.concat(over).find((game) => game.name === shown));
    const newest = JSON.stringify(over.map((game) => game.name));
    // What went wrong changes with the games that are over.
    if (newest !== finished) errors();
    finished = newest;
    byId("message").hidden = true;
  } catch (error) {
    complain(error);
  }
  toggle(document.body, "data-ready", true);
  if (turn === games.asked) games.timer = setTimeout(games, POLL);
}

function fill(id, found) {
  const there = byId(id);
  const key = JSON.stringify(found);
  byId(`no-${id}`).hidden = found.length > 0;
  if (there.dataset.key === key) return;
  const focus = document.activeElement?.closest(`#${id} li`)?.dataset.name;
  there.replaceChildren(...found.map(row));
  there.dataset.key = key;
  // Whoever was in the list stays there.
  if (focus) [...there.children].find((one) => one.dataset.name === focus)?.querySelector("a").focus();
}

function row({ name: game, edition, scenario, players, status, outcome, created, ended }) {
  // Results speak of the first and the second player.
  const who = players.length === 0 ? ["nobody yet"] : players.flatMap((one, at) => [at === 0 ? "" : " · ", make("span", { class: "soft" }, `${at + 1} `), called(one, 40)]);
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

const waits = (players) => ["waits for two players", "waits for the second player"][players.length] ?? "is played";

function state(game) {
  const words = !game ? "" : game.status === "running" ? `It ${waits(game.players)}.` : `It is over: ${game.outcome}.`;
  name(byId("state"), words, 200);
  const over = Boolean(game) && game.status !== "running";
  toggle(byId("game"), "data-over", over);
  say(byId("watch"), over ? "Look at it" : "Watch");
  show();
}

function complain(error) {
  byId("message").hidden = false;
  say(byId("message"), explain(error));
}

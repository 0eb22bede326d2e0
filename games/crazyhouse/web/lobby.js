// The first page of crazyhouse: a new game against a person or a bot, and the games that can be joined or watched.

import { byId, called, list, make, say, toggle } from "../dom.js";
import { explain, json, path } from "../api.js";
import { Session, keepSeat } from "../session.js";
import { Board, other } from "./board.js";
import { ask, marked } from "./asking.js";
import { whoAmI } from "./names.js";

const POLL = 3000;
const TYPING = 300;
/** The scenarios that have a clock, in seconds: a game against a bot says them itself. */
const CLOCKS = { blitz: { initial: 180, increment: 2 }, rapid: { initial: 600, increment: 5 } };

const form = byId("new");
const fields = form.elements;
const preview = new Board();
let start = null;
let typing;

fields.name.value = whoAmI() ?? "";
fields.board.addEventListener("input", () => {
  clearTimeout(typing);
  typing = setTimeout(look, TYPING);
});
form.addEventListener("change", () => (byId("own-clock").hidden = fields.clock.value !== "own"));
form.addEventListener("submit", submit);
opponents();
games();

async function opponents() {
  const choice = (value, text, about) => make("label", { title: about }, make("input", { type: "radio", name: "against", value, checked: value === "" }), text);
  byId("opponents").replaceChildren(choice("", "A person"));
  try {
    const { bots } = await json(path("bots"));
    const ours = bots.filter((bot) => bot.rulebook === "crazyhouse");
    byId("opponents").append(...ours.map((bot) => choice(bot.name, `Bot ${bot.name}`, bot.about)));
  } catch (error) {
    complain(error);
  }
}

/** Says of an own start what is wrong with it, or shows it. */
async function look() {
  const text = fields.board.value.trim();
  start = null;
  byId("wrong").hidden = true;
  preview.node.remove();
  if (text === "") return;
  try {
    const found = await ask(text);
    if (text !== fields.board.value.trim()) return;
    start = { board: found.board, next: found.next ?? "white" };
    preview.show(found);
    byId("preview").append(preview.node);
  } catch (error) {
    byId("wrong").hidden = false;
    say(byId("wrong").querySelector("span"), `${error.message.charAt(0).toUpperCase()}${error.message.slice(1)}.`);
    byId("wrong").querySelector("code").replaceChildren(...marked(text, error.message));
  }
}

/** The scenario: its name where that says everything. */
function scenario(side) {
  const clock = fields.clock.value;
  const bot = fields.against.value;
  if (!start && !bot && clock !== "own") return clock;
  const text = start ? { ...start } : {};
  if (clock === "own") text.clock = { initial: Math.round(Number(fields.minutes.value) * 60), increment: Number(fields.seconds.value) };
  else if (CLOCKS[clock]) text.clock = CLOCKS[clock];
  if (bot) text.bots = { [other(side)]: bot };
  return JSON.stringify(text);
}

async function submit(event) {
  event.preventDefault();
  form.querySelector(".error").hidden = true;
  clearTimeout(typing);
  await look();
  if (!byId("wrong").hidden) return fields.board.focus();
  const name = fields.name.value.trim();
  whoAmI(name);
  // The side of a bot is said when the game is made, so chance decides here.
  const side = fields.side.value || (fields.against.value ? (Math.random() < 0.5 ? "white" : "black") : null);
  const button = form.querySelector("button.primary");
  button.disabled = true;
  try {
    const { game, token } = await create(scenario(side), name, side);
    keepSeat(game, token);
    location.assign(`/crazyhouse/play/${encodeURIComponent(game)}`);
  } catch (error) {
    say(form.querySelector(".error"), error.message);
    form.querySelector(".error").hidden = false;
  }
  button.disabled = false;
}

/** Makes a game and takes a seat in it. */
function create(scenario, name, side) {
  return new Promise((made, failed) => {
    const end = (run, value) => {
      session.close();
      run(value);
    };
    const session = new Session({
      welcome: () => session.command({ Join: { name, side } }),
      event: (event, text) => {
        if (event.Seated) end(made, { game: session.game, token: session.token });
        if (event.Refused) end(failed, new Error(text));
      },
      refused: ({ message }) => end(failed, new Error(message)),
      closing: ({ message }) => end(failed, new Error(message)),
      connected: (yes) => yes || end(failed, new Error("The host does not answer. Is it still running?")),
    });
    session.open({ create: { rulebook: "crazyhouse", scenario } });
  });
}

async function games() {
  try {
    const { games: found } = await json(`${path("games")}?rulebook=crazyhouse&status=running&limit=50`);
    const open = found.filter((game) => game.players.length < 2);
    const rest = found.filter((game) => game.players.length >= 2);
    const key = JSON.stringify(found);
    if (games.key !== key) byId("games").replaceChildren(...[...open, ...rest].map(row));
    games.key = key;
    say(byId("total"), found.length === 0 ? "Nobody plays now." : `${open.length} waiting for a player, ${rest.length} being played`);
    byId("message").hidden = true;
  } catch (error) {
    complain(error);
  }
  toggle(document.body, "data-ready", true);
  setTimeout(games, POLL);
}

function row({ name, scenario, players }) {
  const waits = players.length < 2;
  const who = players.length === 0 ? ["nobody yet"] : waits ? [called(players[0], 30), " waits"] : list(players, 30);
  const link = make("a", { class: waits ? "button primary" : "button", href: `/crazyhouse/play/${encodeURIComponent(name)}` }, waits ? "Join" : "Watch", make("span", { class: "unseen" }, ` ${name}`));
  return make("li", { "data-name": name }, make("span", { class: "who" }, ...who), make("span", { class: "soft" }, scenario ?? ""), link);
}

function complain(error) {
  byId("message").hidden = false;
  say(byId("message"), explain(error));
}

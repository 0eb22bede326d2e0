// The first page of crazyhouse: a new game against a person or a bot, and the games that can be joined or watched.

import { byId, called, capital, complain, field, find, list, make, say, toggle } from "/web/dom.js";
import { explain, json, messageOf, path } from "/web/api.js";
import { Session, storeSeat } from "/web/session.js";
import { Board } from "./board.js";
import { other } from "./notation.js";
import { askPosition, marked } from "./asking.js";
import { NAME, store, stored } from "/web/stored.js";
import { clockOf } from "./words.js";

/** @import { Side } from "./notation.js" */
/** @import { Game } from "/web/types.js" */

const POLL_MS = 3000;
const TYPING_MS = 300;
/** @type {Record<string, { initial: number, increment: number }>} the clocks of the built-in scenarios, in seconds */
const CLOCKS = { blitz: { initial: 180, increment: 2 }, rapid: { initial: 600, increment: 5 } };

const form = byId("new", HTMLFormElement);
const nameField = field(form, "name");
const boardField = field(form, "board");
const preview = new Board();
/** @type {{ board: string, next: Side } | null} the player's own start position */
let start = null;
let typing = 0;
/** The games that are shown, as JSON. */
let shown = "";

nameField.value = stored(NAME) ?? "";
boardField.addEventListener("input", () => {
  clearTimeout(typing);
  typing = setTimeout(checkStart, TYPING_MS);
});
form.addEventListener("change", () => (byId("own-clock").hidden = choice("clock") !== "own"));
form.addEventListener("submit", submit);
opponents();
games();

/**
 * The value of the chosen radio button.
 * @param {string} name
 */
function choice(name) {
  return String(new FormData(form).get(name) ?? "");
}

/**
 * The number of a bot's level, for bots that are called `level-N`.
 * @param {{ name: string }} bot
 */
const levelOf = ({ name }) => /^level-(\d+)$/.exec(name)?.[1] ?? null;

async function opponents() {
  /** @type {(value: string, text: string, about?: string) => HTMLElement} */
  const option = (value, text, about) => make("label", { title: about }, make("input", { type: "radio", name: "against", value, checked: value === "" }), text);
  byId("opponents").replaceChildren(option("", "A person"));
  try {
    /** @type {{ bots: { rulebook: string, name: string, about: string }[] }} */
    const { bots } = await json(path("bots"));
    const playing = bots.filter((bot) => bot.rulebook === "crazyhouse");
    const [levels, others] = [playing.filter(levelOf), playing.filter((bot) => !levelOf(bot))];
    byId("opponents").append(...others.map((bot) => option(bot.name, `Bot ${bot.name}`, bot.about)));
    byId("levels").replaceChildren(...levels.map((bot) => option(bot.name, levelOf(bot) ?? "", bot.about)));
    byId("levels").hidden = levels.length === 0;
  } catch (error) {
    complain(explain(error));
  }
}

/** Shows the player's own start position, or what is wrong with it. */
async function checkStart() {
  const text = boardField.value.trim();
  start = null;
  byId("wrong").hidden = true;
  preview.node.remove();
  if (text === "") return;
  try {
    const found = await askPosition(text);
    if (text !== boardField.value.trim()) return;
    start = { board: found.board, next: found.next ?? "white" };
    preview.show(found);
    byId("preview").append(preview.node);
  } catch (error) {
    const message = messageOf(error);
    byId("wrong").hidden = false;
    say(find(byId("wrong"), "span"), `${capital(message)}.`);
    find(byId("wrong"), "code").replaceChildren(...marked(text, message));
  }
}

/**
 * The scenario: the name of a built-in one where that is enough, otherwise JSON.
 * @param {Side | null} side
 */
function scenario(side) {
  const clock = choice("clock");
  const bot = choice("against");
  if (!start && !bot && clock !== "own") return clock;
  const own = { initial: Math.round(Number(field(form, "minutes").value) * 60), increment: Number(field(form, "seconds").value) };
  return JSON.stringify({
    ...start,
    clock: clock === "own" ? own : CLOCKS[clock],
    bots: bot && side ? { [other(side)]: bot } : undefined,
  });
}

/** @param {SubmitEvent} event */
async function submit(event) {
  event.preventDefault();
  const wrong = find(form, ".error");
  wrong.hidden = true;
  clearTimeout(typing);
  await checkStart();
  if (!byId("wrong").hidden) {
    boardField.focus();
    return;
  }
  const name = nameField.value.trim();
  store(NAME, name);
  const button = find(form, "button.primary", HTMLButtonElement);
  button.disabled = true;
  try {
    const side = chosenSide();
    const { game, token } = await create(scenario(side), name, side);
    storeSeat(game, token);
    location.assign(`/crazyhouse/play/${encodeURIComponent(game)}`);
  } catch (error) {
    say(wrong, messageOf(error));
    wrong.hidden = false;
  }
  button.disabled = false;
}

/**
 * The side that the player wants, or null for either. A scenario with a bot must name its side, so then chance decides here.
 * @returns {Side | null}
 */
function chosenSide() {
  const side = choice("side");
  if (side === "white" || side === "black") return side;
  if (!choice("against")) return null;
  return Math.random() < 0.5 ? "white" : "black";
}

/**
 * Makes a game and takes a seat in it.
 * @param {string} scenario
 * @param {string} name
 * @param {Side | null} side
 * @returns {Promise<{ game: string, token: string | null }>}
 */
function create(scenario, name, side) {
  return new Promise((resolve, reject) => {
    /** @param {string} message */
    const fail = (message) => {
      session.close();
      reject(new Error(message));
    };
    const session = new Session({
      welcome: () => session.command({ Join: { name, side } }),
      event: (event, text) => {
        if (event.Seated && session.game) {
          session.close();
          resolve({ game: session.game, token: session.token });
        }
        if (event.Refused) fail(text);
      },
      refused: ({ message }) => fail(message),
      closing: ({ message }) => fail(message),
      connected: (yes) => {
        if (!yes) fail("The host does not answer. Is it still running?");
      },
    });
    session.open({ create: { rulebook: "crazyhouse", scenario } });
  });
}

async function games() {
  try {
    /** @type {{ games: Game[] }} */
    const { games: found } = await json(`${path("games")}?rulebook=crazyhouse&status=running&limit=50`);
    const open = found.filter(isWaiting);
    const full = found.filter((game) => !isWaiting(game));
    const now = JSON.stringify(found);
    if (shown !== now) byId("games").replaceChildren(...[...open, ...full].map(row));
    shown = now;
    say(byId("total"), found.length === 0 ? "No games are running." : `${open.length} waiting for a player, ${full.length} in progress`);
    complain(null);
  } catch (error) {
    complain(explain(error));
  }
  toggle(document.body, "data-ready", true);
  setTimeout(games, POLL_MS);
}

/** @param {Game} game */
const isWaiting = ({ players }) => players.length < 2;

/** @param {Game} game */
function row(game) {
  const { name, scenario, players } = game;
  const waits = isWaiting(game);
  const who = players.length === 0 ? ["no players yet"] : waits ? [called(players[0], 30), " is waiting"] : list(players, 30);
  const link = make("a", { class: waits ? "button primary" : "button", href: `/crazyhouse/play/${encodeURIComponent(name)}` }, waits ? "Join" : "Watch", make("span", { class: "unseen" }, ` ${name}`));
  return make("li", { "data-name": name }, make("span", { class: "who" }, ...who), make("span", { class: "soft" }, clockOf(scenario)), link);
}

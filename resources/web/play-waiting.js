// The waiting room of a game: who is there, who is missing, how to join, invite or add a bot, and how to begin or close it.

import { explain, json, path, post } from "./api.js";
import { button, byId, called, copied, draw, field, find, make, onClick, plural, say } from "./dom.js";
import { manage } from "./manage.js";
import { leaves } from "./offers.js";
import { hasBots, seatBots, usualBot } from "./fork-seat.js";
import { storedCreator } from "./session.js";
import { NAME, store, stored } from "./stored.js";

/** @import { Choices, Game, Missing, Offer, Offers } from "./types.js" */

/**
 * What the panel shows.
 * @typedef {object} Waited
 * @property {Game} game
 * @property {string[]} players
 * @property {Missing | null} missing null if the game has begun
 * @property {number} seat of the player, -1 without one
 * @property {string | null} token of this client
 * @property {Offers | null} offers
 * @property {string[]} here the names of the players who are connected
 * @property {number[]} clients the numbers of the clients, by seat
 */

/** The seat that a link is for, in its query. */
const SEAT = "seat";

export class WaitingPanel {
  /** Whether the game was not seen yet: its creator manages it only before it begins. */
  #isNew = true;
  /** @type {ReturnType<typeof manage>} */
  #remove = null;
  /** @type {number[]} the clients by seat */
  #clients = [];
  /** @type {Set<number>} the seats whose players were removed, or of which the link is */
  #waits = new Set();
  #form = byId("join", HTMLFormElement);
  #shown = "";
  /** @type {string | null} */
  #rulebook = null;
  /** @type {string | null} */
  #token = null;
  #players = 0;
  #free = 0;
  /** @type {{ name: string, about: string }[]} */
  #bots = [];
  #bot = "";
  #game;
  #actions;
  /** The sign of a seat; a rulebook may have its own. @type {(seat: number, player: string) => Element} */
  sign = (seat, player) => disc(player || String(seat + 1));

  /**
   * @param {string} game
   * @param {{ join: (name: string) => void, claim: (seat: number) => void, take: (offer: Offer) => void, complain: (words: string | null) => void, redraw: () => void }} actions
   */
  constructor(game, actions) {
    this.#game = game;
    this.#actions = actions;
    const [address, query] = location.href.split("?");
    byId("link", HTMLInputElement).value = address;
    const asked = new URLSearchParams(query).get(SEAT);
    if (asked) this.#waits.add(Number(asked));
    const name = field(this.#form, "name");
    name.value = stored(NAME) ?? "";
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      const chosen = name.value.trim();
      if (chosen === "") return name.focus();
      store(NAME, chosen);
      actions.join(chosen);
    });
    onClick("seats", ({ target }) => {
      const button = target instanceof Element ? target.closest("button") : null;
      if (button?.dataset.seat) actions.claim(Number(button.dataset.seat));
      else if (button?.dataset.bot) this.#addBot(button, button.dataset.bot);
      else if (button?.dataset.remove) this.#removePlayer(Number(button.dataset.remove));
    });
    byId("bot-kind").addEventListener("change", () => {
      this.#bot = byId("bot-kind", HTMLSelectElement).value;
      actions.redraw();
    });
    byId("takeover").querySelector("button")?.addEventListener("click", () => this.#seatBots(this.#players));
    onClick("fill", () => this.#seatBots(this.#free));
    byId("qr").addEventListener("toggle", showCode);
    for (const button of document.querySelectorAll("[data-copy]")) button.addEventListener("click", () => copy(/** @type {HTMLElement} */ (button)));
  }

  /** @param {Waited} waited */
  show({ game, players, missing, seat, token, offers, here, clients }) {
    const you = seat >= 0;
    if (missing && this.#isNew) this.#remove = manage(this.#game, this.#actions.complain);
    this.#isNew = false;
    this.#clients = clients;
    const claims = Boolean(game.parent) && !you && !missing;
    const section = byId("waiting");
    section.hidden = game.status !== "running" || (!missing && !claims);
    this.#token = token;
    this.#players = players.length;
    this.#free = missing?.most ?? 0;
    byId("takeover").hidden = !game.parent || !you || Boolean(missing) || game.status !== "running" || hasBots(this.#game) || players.length < 2;
    if (section.hidden) return;
    if (this.#rulebook !== game.rulebook) this.#load(game.rulebook);
    const starts = you && offers ? [...leaves(offers)].filter((offer) => offer.aside && !offer.impossible) : [];
    const now = JSON.stringify([players, missing, seat, starts, claims, here, this.#bots, this.#bot, [...this.#waits], clients]);
    if (now === this.#shown) return;
    this.#shown = now;
    const free = missing?.most ?? 0;
    say(byId("waiting-chip"), game.parent ? "A fork, waiting for players" : "New game, waiting for players");
    say(byId("waiting-title"), claims ? "Take over a seat" : free === 0 ? "All seats are taken" : free === 1 ? "One seat is free" : `${free} seats are free`);
    say(byId("waiting-words"), claims ? "This game goes on where another one was left. It waits for its players." : beginning(missing));
    say(byId("taken"), claims ? "" : `${players.length} of ${players.length + free} taken`);
    byId("progress").hidden = claims;
    Object.assign(byId("progress", HTMLProgressElement), { max: players.length + free || 1, value: players.length });
    const bot = you && this.#bot ? () => [make("button", { type: "button", "data-bot": this.#bot }, "Add a bot")] : () => [];
    const taken = players.map((player, at) => {
      const waits = claims || (this.#waits.has(at) && at !== seat && !here.includes(player));
      const words = at === seat ? "you" : here.includes(player) ? "here" : waits ? "waits to be taken over" : `seat ${at + 1}`;
      const of = make("span", { class: "unseen" }, " of ", called(player, 40));
      const take = make("button", { type: "button", class: at === 0 ? "lamp" : "", "data-seat": at }, "Take this seat", of);
      const end = waits ? (you ? bot() : [take]) : [make("em", {}, "ready"), ...(this.#canRemove(at, seat, player) ? [make("button", { type: "button", "data-remove": at, "aria-label": `Remove ${player}` }, "Remove")] : [])];
      return this.#row(at, player, { class: waits ? "vacant" : "", "data-you": at === seat ? "true" : null }, called(player, 40), words, end);
    });
    const empty = Array.from({ length: Math.min(free, 8) }, (_, at) => this.#row(players.length + at, "", { class: "vacant" }, "Free seat", you && this.#bot ? "share the link, or" : "share the link", bot()));
    byId("seats").replaceChildren(...taken, ...empty);
    this.#form.hidden = you || claims || missing?.most === 0;
    byId("bots").hidden = !you || free === 0 || this.#bots.length < 2;
    byId("fill").hidden = !you || free < 2 || !this.#bot;
    byId("end").hidden = claims || storedCreator(this.#game.split(".")[0]) === null;
    byId("begin").replaceChildren(...starts.map((offer) => this.#start(offer)));
  }

  /** @type {(seat: number, player: string, attributes: Record<string, string | null>, name: Node | string, words: string, end: Node[]) => HTMLElement} */
  #row(seat, player, attributes, name, words, end) {
    return make("li", attributes, this.sign(seat, player), make("span", {}, make("b", {}, name), make("small", {}, words)), ...end);
  }

  /** Whether this page can remove a player: it created the game, and the player is a person. @type {(at: number, own: number, player: string) => boolean} */
  #canRemove(at, own, player) {
    return this.#remove !== null && at !== own && this.#clients[at] !== undefined && !this.#bots.some(({ name }) => player === name || player.startsWith(`${name} `));
  }

  /**
   * Removes a player. The seat then waits for a client that asks for it: a bot, or a person with the link to it.
   * @param {number} seat
   */
  async #removePlayer(seat) {
    if (!confirm("Remove this player? Someone else can then take the seat.")) return;
    if (!(await this.#remove?.(this.#clients[seat]))) return;
    this.#waits.add(seat);
    const link = byId("link", HTMLInputElement);
    link.value = `${link.value.split("?")[0]}?${SEAT}=${seat}`;
    this.#actions.redraw();
  }

  /** @param {Offer} offer */
  #start(offer) {
    // Nothing is lost by beginning, so the page does not ask again.
    return button({ class: "lamp" }, () => this.#actions.take({ ...offer, aside: false }), offer.label);
  }

  /** @param {string} rulebook */
  #load(rulebook) {
    this.#rulebook = rulebook;
    this.#try(async () => {
      /** @type {[{ bots: { rulebook: string, name: string, about: string }[] }, Choices]} */
      const [{ bots }, { clients, program = "holdfast", rulebooks }] = await Promise.all([json(path("bots")), json(path("scenarios"))]);
      const poster = rulebooks.find((book) => book.name === rulebook)?.poster;
      byId("poster").hidden = !poster;
      if (poster) byId("poster", HTMLImageElement).src = `${poster}#banner`;
      this.#bots = bots.filter((bot) => bot.rulebook === rulebook);
      this.#bot = this.#bots[0]?.name ?? "";
      byId("bot-kind").replaceChildren(...this.#bots.map(({ name, about }) => make("option", { value: name }, `${name}: ${about}`)));
      for (const [id, command] of [["line", "play"], ["bot-line", "bot"]]) byId(id, HTMLTextAreaElement).value = terminalLine(program, command, rulebook, this.#game, clients ?? undefined);
      this.#actions.redraw();
    });
  }

  /**
   * Lets bots play all seats that are free.
   * @param {number} most
   */
  #seatBots(most) {
    byId("takeover").hidden = true;
    return this.#try(async () => {
      const bot = this.#bot || (await usualBot(this.#rulebook ?? ""));
      if (bot && this.#token) await seatBots(this.#game, this.#token, bot, most);
    });
  }

  /**
   * @param {HTMLButtonElement} button
   * @param {string} bot
   */
  async #addBot(button, bot) {
    button.disabled = true;
    await this.#try(() => post(path("games", this.#game, "bots"), { token: this.#token, bot }));
    button.disabled = false;
  }

  /** @param {() => Promise<any>} request */
  async #try(request) {
    try {
      await request();
      this.#actions.complain(null);
    } catch (error) {
      this.#actions.complain(explain(error));
    }
  }
}

/** When the game begins. @param {Missing | null} missing */
function beginning(missing) {
  if (!missing) return "";
  if (missing.most === 0) return "The game begins.";
  if (missing.least === missing.most) return "The game begins when all seats are taken.";
  return missing.least > 0 ? `It needs ${plural(missing.least, "more player", "more players")}, and begins by itself when all seats are taken.` : "It begins by itself when all seats are taken, or when a player begins it.";
}

/**
 * The command that joins a game in the terminal. The host is left out where it is the usual one.
 * @param {string} program the name of the host's program
 * @param {string} command `play` or `bot`
 * @param {string} rulebook
 * @param {string} game
 * @param {string | undefined} clients the address for clients, as the host sees it
 */
export function terminalLine(program, command, rulebook, game, clients) {
  const port = clients?.split(":").at(-1) ?? "7700";
  const host = location.hostname;
  const isUsual = port === "7700" && ["127.0.0.1", "localhost"].includes(host);
  const tls = location.protocol === "https:" ? "--tls " : "";
  return `${program} ${command} --rulebook ${rulebook} ${isUsual ? "" : `--connect ${host}:${port} `}${tls}--game ${game}`;
}

/** @param {string} player */
export function disc(player) {
  const hue = [...player].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 8, 7);
  return make("span", { class: `disc hue-${hue}`, "aria-hidden": "true" }, [...player].slice(0, 2).join(""));
}

/** Shows the link as it is now, for the camera of a phone. */
async function showCode() {
  const { qr } = await import("./qr.js");
  const fields = qr(byId("link", HTMLInputElement).value);
  const dark = fields?.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ""))).join("");
  const wide = (fields?.length ?? 0) + 8;
  const code = fields ? draw("svg", { viewBox: `-4 -4 ${wide} ${wide}`, role: "img", "aria-label": "The link as a QR code" }, draw("path", { d: dark })) : "The link is too long for a code.";
  byId("qr").replaceChildren(find(byId("qr"), "summary"), code);
}

/** @param {HTMLElement} button */
async function copy(button) {
  const input = document.querySelector(`#${button.dataset.copy}`);
  if (!(input instanceof HTMLInputElement || input instanceof HTMLTextAreaElement)) return;
  input.select();
  say(button, (await copied(input.value)) ? "Copied" : "Press Ctrl+C");
}

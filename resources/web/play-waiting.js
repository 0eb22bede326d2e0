// The panel of a game that waits for players: who is there, who is missing, how to join, invite or add a bot, and how to begin.

import { explain, json, path, post } from "./api.js";
import { byId, called, field, make, plural, say } from "./dom.js";
import { leaves } from "./offers.js";
import { storeName, storedName } from "./names.js";
import { hasBots, seatBots, usualBot } from "./fork-seat.js";

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
 */

export class WaitingPanel {
  #form = byId("join", HTMLFormElement);
  #shown = "";
  /** @type {string | null} */
  #rulebook = null;
  /** @type {string | null} */
  #token = null;
  #players = 0;
  #free = 0;
  #rules = "";
  #game;
  #take;
  #complain;

  /**
   * @param {string} game
   * @param {{ join: (name: string) => void, claim: (seat: number) => void, take: (offer: Offer) => void, complain: (words: string | null) => void }} actions
   */
  constructor(game, { join, claim, take, complain }) {
    this.#game = game;
    this.#take = take;
    this.#complain = complain;
    byId("link", HTMLInputElement).value = location.href.split("?")[0];
    const name = field(this.#form, "name");
    name.value = storedName() ?? "";
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      const chosen = name.value.trim();
      if (chosen === "") return name.focus();
      storeName(chosen);
      join(chosen);
    });
    byId("claims").addEventListener("click", ({ target }) => {
      const seat = target instanceof Element ? target.closest("button")?.dataset.seat : undefined;
      if (seat !== undefined) claim(Number(seat));
    });
    byId("takeover").querySelector("button")?.addEventListener("click", () => this.#seatBots(this.#players));
    byId("fill").addEventListener("click", () => this.#seatBots(this.#free));
    for (const button of document.querySelectorAll("[data-copy]")) button.addEventListener("click", () => copy(/** @type {HTMLElement} */ (button)));
  }

  /** @param {Waited} waited */
  show({ game, players, missing, seat, token, offers }) {
    const you = seat >= 0;
    const claims = Boolean(game.parent) && !you && !missing;
    const section = byId("waiting");
    this.#rules = game.rulebook;
    section.hidden = game.status !== "running" || (!missing && !claims);
    this.#token = token;
    this.#players = players.length;
    this.#free = missing?.most ?? 0;
    byId("takeover").hidden = !game.parent || !you || Boolean(missing) || game.status !== "running" || hasBots(this.#game) || players.length < 2;
    if (section.hidden) return;
    if (this.#rulebook !== game.rulebook) this.#load(game.rulebook);
    const starts = you && offers ? [...leaves(offers)].filter((offer) => offer.aside && !offer.impossible) : [];
    const now = JSON.stringify([players, missing, seat, starts, claims]);
    if (now === this.#shown) return;
    this.#shown = now;
    say(byId("waiting-title"), claims ? "Take over a seat" : missing && missing.most > 0 ? `Waiting for ${missing.least > 0 ? plural(missing.least, "player") : "you to begin"}` : "All seats are taken");
    say(byId("waiting-words"), claims ? "This game goes on where another one was left. It waits for its players." : freeWords(missing));
    const free = Array.from({ length: Math.min(missing?.most ?? 0, 8) }, () => make("li", { class: "free" }, make("span", { class: "disc", "aria-hidden": "true" }), "Free seat"));
    const taken = players.map((player, at) => make("li", {}, disc(player), called(player, 40), ...(at === seat ? [make("span", { class: "soft" }, "you")] : [])));
    byId("seats").replaceChildren(...taken, ...(claims ? [] : free));
    this.#form.hidden = you || claims || missing?.most === 0;
    byId("claims").hidden = !claims;
    byId("claims").replaceChildren(...players.map((player, seat) => make("button", { type: "button", class: "lamp", "data-seat": seat }, make("span", {}, "Play as ", called(player, 40)))));
    byId("bots").dataset.seated = String(you);
    byId("begin").replaceChildren(...starts.map((offer) => this.#start(offer)));
    this.#showBots();
  }

  /** @param {Offer} offer */
  #start(offer) {
    const button = make("button", { type: "button", class: "lamp" }, offer.label);
    // Nothing is lost by beginning, so the page does not ask again.
    button.addEventListener("click", () => this.#take({ ...offer, aside: false }));
    return make("p", {}, button);
  }

  /** @param {string} rulebook */
  async #load(rulebook) {
    this.#rulebook = rulebook;
    try {
      /** @type {[{ bots: { rulebook: string, name: string, about: string }[] }, Choices]} */
      const [{ bots }, { clients, program, rulebooks }] = await Promise.all([json(path("bots")), json(path("scenarios"))]);
      const poster = rulebooks.find((book) => book.name === rulebook)?.poster;
      byId("poster").hidden = !poster;
      if (poster) byId("poster", HTMLImageElement).src = `${poster}#banner`;
      const buttons = bots.filter((bot) => bot.rulebook === rulebook).map(({ name, about }) => {
        const button = make("button", { type: "button", title: about, "data-bot": name }, `Add ${name}`);
        button.addEventListener("click", () => this.#addBot(button, name));
        return button;
      });
      byId("bots").querySelector(".choices")?.replaceChildren(...buttons);
      byId("line", HTMLInputElement).value = terminalLine(program ?? "holdfast", rulebook, this.#game, clients ?? undefined);
      this.#showBots();
    } catch (error) {
      this.#complain(explain(error));
    }
  }

  /**
   * Lets bots play all seats that are free.
   * @param {number} most
   */
  async #seatBots(most) {
    byId("takeover").hidden = true;
    try {
      const bot = await usualBot(this.#rules);
      if (bot && this.#token) await seatBots(this.#game, this.#token, bot, most);
    } catch (error) {
      this.#complain(explain(error));
    }
  }

  #showBots() {
    const box = byId("bots");
    box.hidden = box.dataset.seated !== "true" || box.querySelector("button") === null;
  }

  /**
   * @param {HTMLButtonElement} button
   * @param {string} bot
   */
  async #addBot(button, bot) {
    button.disabled = true;
    try {
      await post(path("games", this.#game, "bots"), { token: this.#token, bot });
      this.#complain(null);
    } catch (error) {
      this.#complain(explain(error));
    }
    button.disabled = false;
  }
}

/** @param {Missing | null} missing */
function freeWords(missing) {
  if (!missing) return "";
  if (missing.most === 0) return "The game begins.";
  const free = `${plural(missing.most, "seat")} ${missing.most === 1 ? "is" : "are"} free.`;
  return missing.least === missing.most ? `${free} The game begins when all are taken.` : `${free} The game begins when all are taken, or when a player begins it.`;
}

/**
 * The command that joins a game in the terminal. The host is left out where it is the usual one.
 * @param {string} program the name of the host's program
 * @param {string} rulebook
 * @param {string} game
 * @param {string | undefined} clients the address for clients, as the host sees it
 */
export function terminalLine(program, rulebook, game, clients) {
  const port = clients?.split(":").at(-1) ?? "7700";
  const host = location.hostname;
  const isUsual = port === "7700" && ["127.0.0.1", "localhost"].includes(host);
  const tls = location.protocol === "https:" ? "--tls " : "";
  return `${program} play --rulebook ${rulebook} ${isUsual ? "" : `--connect ${host}:${port} `}${tls}--game ${game}`;
}

/** @param {string} player */
export function disc(player) {
  const hue = [...player].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 8, 7);
  return make("span", { class: `disc hue-${hue}`, "aria-hidden": "true" }, [...player].slice(0, 2).join(""));
}

/** @param {HTMLElement} button */
async function copy(button) {
  const input = byId(button.dataset.copy ?? "", HTMLInputElement);
  input.select();
  try {
    await navigator.clipboard.writeText(input.value);
    say(button, "Copied");
  } catch {
    // Browsers give no access to the clipboard over plain HTTP.
    say(button, "Press Ctrl+C");
  }
}

// Takes over a seat of a fork, and lets bots of the host play the others.

import { Refused, json, path, post } from "./api.js";
import { byId, called, make } from "./dom.js";
import { Session, storeSeat } from "./session.js";

const BOTS = "bots:";

/**
 * Whether this window has asked for bots in a fork.
 * @param {string} game
 */
export const hasBots = (game) => sessionStorage.getItem(BOTS + game) !== null;

/**
 * Shows whose seat can be taken over.
 * @param {string[]} players
 */
export function showSeats(players) {
  const box = byId("fork-seats");
  const legend = box.querySelector("legend") ?? "";
  /** @type {(value: string, words: Node | string, checked?: boolean) => HTMLElement} */
  const choice = (value, words, checked = false) => make("label", { class: "check" }, make("input", { type: "radio", name: "seat", value, checked }), make("span", {}, words));
  box.replaceChildren(legend, ...players.map((player, seat) => choice(String(seat), called(player, 40), seat === 0)), choice("", "none yet: the seats wait for those who open the link"));
  box.hidden = players.length === 0;
}

/**
 * The bot that plays for a rulebook, unless the player chooses: the first that the host offers; null if it has none.
 * @param {string} rulebook
 * @returns {Promise<string | null>}
 */
export async function usualBot(rulebook) {
  /** @type {{ bots: { rulebook: string, name: string }[] }} */
  const { bots } = await json(path("bots"));
  return bots.find((bot) => bot.rulebook === rulebook)?.name ?? null;
}

/**
 * Claims a seat of a fork. Resolves once this browser has its token.
 * @param {string} game
 * @param {number} seat
 * @returns {Promise<string>} the token
 */
export function claimSeat(game, seat) {
  return new Promise((resolve, reject) => {
    /** @param {{ message: string }} why */
    const fail = ({ message }) => {
      session.close();
      reject(new Error(message));
    };
    const session = new Session({
      welcome: ({ token }) => {
        session.close();
        storeSeat(game, token);
        if (token) resolve(token);
        else reject(new Error("The host gave no seat."));
      },
      event: () => {},
      refused: fail,
      closing: fail,
      connected: () => {},
    });
    session.open({ join: { seat } }, game);
  });
}

/**
 * Lets a bot play every seat that waits. Stops where the host says that no more wait.
 * @param {string} game
 * @param {string} token of a client of the game
 * @param {string} bot
 * @param {number} most
 */
export async function seatBots(game, token, bot, most) {
  sessionStorage.setItem(BOTS + game, "asked");
  for (let seat = 0; seat < most; seat += 1) {
    try {
      await post(path("games", game, "bots"), { token, bot });
    } catch (error) {
      if (error instanceof Refused && error.code === "full") return;
      throw error;
    }
  }
}

// The words about a game that is played.

import { capital, cut } from "/web/dom.js";
import { sideName } from "./notation.js";

/** @import { Match } from "./match.js" */

/**
 * The state of the game in a sentence or two.
 * @param {Match} match
 * @param {string | null} sent the move that the player has sent and the host has not confirmed yet
 */
export function statusWords(match, sent) {
  const { mine, next, players, outcome } = match;
  let words = `${cut(players[next] ?? "", 30)} (${next}) is to move.`;
  if (outcome) words = `${outcome.words}.${outcome.because ? ` (${cut(outcome.because, 200)})` : ""}`;
  else if (!match.begun) words = mine ? "Waiting for the other player." : "The game has not started.";
  else if (match.myTurn) words = sent ? `You play ${sent}…` : "It is your move.";
  if (match.running && match.positions[match.last].check) words += match.myTurn ? " You are in check." : " Check.";
  if (match.offer && match.offer === mine) words += " You have offered a draw.";
  else if (match.offer && mine === null) words += ` ${sideName(match.offer)} offers a draw.`;
  if (match.declined) words += ` ${sideName(match.declined)} declined the draw.`;
  if (match.asked && match.asked === mine) words += " You have asked to take your move back.";
  else if (match.asked && mine === null) words += ` ${sideName(match.asked)} asks to take a move back.`;
  if (match.takeback) words += ` ${match.takeback}`;
  return capital(words);
}

/** How long an opponent must be away before the host takes a claim. */
const CLAIM_AFTER_S = 60;

/**
 * What a player is told about an opponent who is away, and whether a claim has a chance. The host decides.
 * @param {number | null} awayS how many seconds the opponent has been away; null: the opponent is there
 */
export function awayWords(awayS) {
  if (awayS === null) return null;
  const waitS = Math.ceil(CLAIM_AFTER_S - awayS);
  if (waitS > 0) return { words: `Your opponent left ${Math.floor(awayS)} s ago. You can claim the win in ${waitS} s.`, canClaim: false };
  return { words: "Your opponent has left. You can claim the win, or wait.", canClaim: true };
}

/**
 * The choices of a visitor who wants to play: free sides, or in a fork the seats of the players of its parent.
 * @param {Match} match
 * @param {boolean} isFork
 * @param {Record<string, string | null>} bots
 * @returns {{ claims: boolean, choices: { side: import("./notation.js").Side | null, text: string }[] }}
 */
export function joinChoices(match, isFork, bots) {
  const claims = isFork && match.begun;
  if (match.mine !== null || match.outcome || (match.begun && !claims)) return { claims, choices: [] };
  /** @type {import("./notation.js").Side[]} */
  const all = ["white", "black"];
  const sides = all.filter((side) => (claims || !match.players[side]) && !bots[side]);
  const choices = sides.map((side) => ({ side, text: claims ? `Continue as ${side}` : sideName(side) }));
  return { claims, choices: choices.length === 2 && !claims ? [...choices, { side: null, text: "Either" }] : choices };
}

/**
 * The clock of a game, from the title of its scenario: `blitz`, or minutes and seconds such as `5+3`.
 * @param {string | null | undefined} title
 */
export function clockOf(title) {
  const known = { standard: "no clock", custom: "no clock", blitz: "3 min + 2 s", rapid: "10 min + 5 s" };
  const [, minutes, seconds] = /^([\d.]+)\+(\d+)$/.exec(title ?? "") ?? [];
  return minutes ? `${minutes} min + ${seconds} s` : (known[/** @type {keyof typeof known} */ (title)] ?? title ?? "");
}

// What the analysis of a game says: scores, marks and the moments at which it turned. Nothing here touches the page.

import { SIDES } from "./notation.js";

/** @import { Side } from "./notation.js" */

/** @typedef {{ cp?: number, mate?: number, wins?: Side, chance: number }} Score White's score; the chance is from -1 to 1 */

/**
 * A position of a game, and the move that led to it. Without a score, the engine has not looked at it yet.
 * @typedef {object} Judged
 * @property {string} position
 * @property {string} fen
 * @property {string} [move]
 * @property {string} [san]
 * @property {Side} [side]
 * @property {boolean} [check]
 * @property {Score} [score]
 * @property {number} [depth]
 * @property {{ move: string | null, line: string[] }} [best]
 * @property {"slip" | "mistake" | "blunder" | null} [mark]
 * @property {number | null} [left] milliseconds
 * @property {number} [entry]
 */

/** @typedef {{ positions: Judged[], players: (string | null)[], result: string, nodes: number, done: number, of: number }} Analysis */

/** The sign of each mark. */
export const SIGNS = { slip: "?!", mistake: "?", blunder: "??" };

const MOST_TURNS = 4;

/**
 * A score as chess players write it: `+0.4`, `−4.6`, `#3`.
 * @param {Score | undefined} score
 */
export function scoreText(score) {
  if (!score) return "";
  if (score.mate !== undefined) return `${score.wins === "white" ? "" : "−"}#${score.mate}`;
  const pawns = (score.cp ?? 0) / 100;
  const digits = Math.abs(pawns) < 10 ? 1 : 0;
  const text = Math.abs(pawns).toFixed(digits);
  return Number(text) === 0 ? "0.0" : `${pawns > 0 ? "+" : "−"}${text}`;
}

/**
 * The number of a move before it: `15.` for White, `15…` for Black.
 * @param {Judged[]} positions
 * @param {number} at
 */
export function numberOf(positions, at) {
  const first = positions[1]?.side === "black" ? 1 : 0;
  return `${Math.floor((at - 1 + first) / 2) + 1}${positions[at]?.side === "white" ? "." : "…"}`;
}

/**
 * The moves that changed the game most, in their order.
 * @param {Judged[]} positions
 */
export function turningPoints(positions) {
  const lost = (/** @type {number} */ at) => Math.abs((positions[at].score?.chance ?? 0) - (positions[at - 1]?.score?.chance ?? 0));
  const marked = positions.flatMap(({ mark }, at) => (mark && mark !== "slip" ? [at] : []));
  return marked
    .sort((a, b) => lost(b) - lost(a))
    .slice(0, MOST_TURNS)
    .sort((a, b) => a - b);
}

/**
 * How many slips, mistakes and blunders each side made.
 * @param {Judged[]} positions
 * @returns {Record<Side, { slip: number, mistake: number, blunder: number }>}
 */
export function slips(positions) {
  const count = (/** @type {Side} */ side) => {
    const found = { slip: 0, mistake: 0, blunder: 0 };
    for (const judged of positions) if (judged.side === side && judged.mark) found[judged.mark] += 1;
    return found;
  };
  return { white: count(SIDES[0]), black: count(SIDES[1]) };
}

/**
 * What a move was, in words.
 * @param {Judged[]} positions
 * @param {number} at
 */
export function judgement(positions, at) {
  const { san, mark, side } = positions[at];
  if (at === 0 || !san) return { words: "The start", bad: false };
  const move = `${numberOf(positions, at)} ${san}`;
  const names = { slip: "a slip", mistake: "a mistake", blunder: "a blunder" };
  if (mark) return { words: `${move} is ${names[mark]}`, bad: true };
  const wasBest = positions[at - 1].best?.move === positions[at].move;
  return { words: wasBest ? `${move} is the best move` : `${move}, ${side}`, bad: false };
}

/**
 * The line of White's chance over a game, for a box of this size. Positions without a score are left out.
 * @param {(number | null)[]} chances
 * @param {number} width
 * @param {number} height
 */
export function plotPoints(chances, width, height) {
  const step = width / Math.max(1, chances.length - 1);
  const round = (/** @type {number} */ value) => Math.round(value * 10) / 10;
  return chances.flatMap((chance, at) => (chance === null ? [] : [{ at, x: round(at * step), y: round(((1 - chance) / 2) * height) }]));
}

/**
 * The area between a line and the middle.
 * @param {{ x: number, y: number }[]} points
 * @param {number} middle
 * @param {boolean} above whether the part above the middle is wanted, where White is better
 */
export function plotArea(points, middle, above) {
  if (points.length === 0) return "";
  const cut = points.map(({ x, y }) => `${x} ${above ? Math.min(y, middle) : Math.max(y, middle)}`);
  return `M${points[0].x} ${middle}L${cut.join("L")}L${points[points.length - 1].x} ${middle}z`;
}

// Draws a picture of crazyhouse: the players, the board with its pockets, offers and the outcome.

import { button, capital, make, name, plural, say, stylesheet, toggle } from "/web/dom.js";
import { begin, bind } from "/web/draw/bind.js";
import { Board } from "./board.js";
import { SIDES, sideName } from "./notation.js";
import { clockText } from "./match.js";

/** @import { Side } from "./notation.js" */
/** @import { Stage } from "./match.js" */

/** @typedef {{ name: string | null, left: number | null }} PlayerPicture */

/**
 * @typedef {object} Picture
 * @property {string} board
 * @property {Side} next
 * @property {boolean} check
 * @property {string | null} last
 * @property {number} moves
 * @property {boolean} begun
 * @property {Record<Side, PlayerPicture>} players
 * @property {Side | null} offer
 * @property {Side | null} [asked]
 * @property {string | null} outcome
 */

await stylesheet(new URL("draw.css", import.meta.url));

/**
 * The address where a game is played.
 * @param {string} game
 */
export const page = (game) => `/crazyhouse/play/${encodeURIComponent(game)}`;

/** Where the game stands. @param {Picture} picture */
export const headline = ({ begun, moves, check, next, outcome }) => (begun ? `move ${Math.ceil(moves / 2)}${check && !outcome ? `, ${next} in check` : ""}` : "waits for a player");

/**
 * @param {HTMLElement} root
 * @param {Stage} stage
 */
export function create(root, stage) {
  const board = new Board();
  const players = { white: player("white"), black: player("black") };
  const offer = line("/offer", (/** @type {Side} */ side) => `${sideName(side)} offers a draw.`);
  const asked = line("/asked", (/** @type {Side} */ side) => `${sideName(side)} asks to take a move back.`);
  const outcome = line("/outcome", (/** @type {string} */ words) => `${capital(words)}.`);
  const facts = make("p", { class: "facts" });
  /** @type {(pointer: string, words: (value: any) => string) => (value: any) => void} */
  const fact = (pointer, words) => {
    const node = make("span");
    facts.append(node);
    return bind(node, pointer, (to, value) => say(to, words(value)));
  };
  const writeMoves = fact("/moves", (count) => plural(count, "move"));
  const writeLast = fact("/last", (text) => (text ? `last ${text}` : ""));
  const writeBegun = fact("/begun", (yes) => (yes ? "" : "not started"));
  const writeCheck = fact("/check", (yes) => (yes ? "check" : ""));
  const writeNext = fact("/next", (side) => `${side} is next`);
  const writeBoard = bind(board.node, "/board", () => {});
  const turn = () => {
    board.flip(!board.flipped);
    lay();
  };
  const flip = button({ class: "flip" }, turn, "Flip");
  // A game from a file has no address, and no analysis.
  const [, folder, name] = location.pathname.split("/");
  const analysis = make("a", { class: "analysis-link", href: `/crazyhouse/analysis/${name}`, hidden: true }, "Analysis");
  facts.append(analysis);
  const table = make("div", { class: "crazyhouse-table" });
  const lay = () => {
    const [top, bottom] = board.flipped ? [players.white, players.black] : [players.black, players.white];
    table.replaceChildren(top.node, board.node, bottom.node, facts, offer.node, asked.node, outcome.node);
  };
  lay();
  if (stage.most_moves) facts.append(make("span", {}, `a draw after ${stage.most_moves} moves`));
  facts.append(flip);
  root.replaceChildren(table);
  return {
    /** @param {Picture} picture */
    draw(picture) {
      begin();
      writeBoard(picture.board);
      board.show({ board: picture.board, last: picture.last, check: picture.check ? picture.next : null });
      writeMoves(picture.moves);
      writeLast(picture.last);
      writeBegun(picture.begun);
      writeCheck(picture.check);
      writeNext(picture.next);
      for (const side of SIDES) players[side].draw(picture.players[side], picture.begun && !picture.outcome && picture.next === side);
      offer.draw(picture.offer);
      asked.draw(picture.asked ?? null);
      outcome.draw(picture.outcome);
      analysis.hidden = folder !== "games" || !name || picture.outcome === null;
    },
  };
}

/** @param {Side} side */
function player(side) {
  const [who, left] = [make("bdi", { class: "name" }), make("time", { class: "clock" })];
  const node = make("div", { class: "player-line" }, make("span", { class: `stone ${side}`, "aria-hidden": "true" }), who, make("span", { class: "soft" }, side), left);
  const writeName = bind(who, `/players/${side}/name`, (to, value) => name(to, value ?? "no player yet", 40));
  const writeLeft = bind(left, `/players/${side}/left`, (to, value) => {
    to.hidden = value === null;
    say(to, value === null ? "" : clockText(value));
  });
  return {
    node,
    /**
     * @param {PlayerPicture} now
     * @param {boolean} turn
     */
    draw(now, turn) {
      writeName(now.name);
      writeLeft(now.left);
      toggle(node, "data-turn", turn);
    },
  };
}

/**
 * A line that is there only while there is a value.
 * @template V
 * @param {string} pointer
 * @param {(value: V) => string} words
 */
function line(pointer, words) {
  const node = make("p", { class: "news-line" });
  const draw = bind(node, pointer, (to, /** @type {V | null} */ value) => {
    to.hidden = value === null;
    name(to, value === null ? "" : words(value), 200);
  });
  return { node, draw };
}

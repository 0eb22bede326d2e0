// The notation of boards and moves. A board is eight ranks and a pocket, separated by slashes; a move is `e2-e4`, a drop `P-e6`.

/** @typedef {"white" | "black"} Side */

/** @type {Record<string, string>} */
export const KINDS = { k: "king", q: "queen", r: "rook", b: "bishop", n: "knight", p: "pawn" };
/** @type {Side[]} */
export const SIDES = ["white", "black"];
export const FILES = "abcdefgh";
export const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR/";
const HELD = ["p", "n", "b", "r", "q"];

/**
 * The side of a piece: capital letters are White's.
 * @param {string} letter
 * @returns {Side}
 */
export const sideOf = (letter) => (letter === letter.toUpperCase() ? "white" : "black");

/** @param {string} letter */
export const kindOf = (letter) => KINDS[letter.toLowerCase()];

/** @param {string} letter */
export const pieceName = (letter) => `${sideOf(letter)} ${kindOf(letter)}`;

/**
 * @param {Side} side
 * @returns {Side}
 */
export const other = (side) => (side === "white" ? "black" : "white");

/** @param {Side} side */
export const sideName = (side) => (side === "white" ? "White" : "Black");

/**
 * The side to move in a position: a board, and ` w` or ` b`.
 * @param {string} position
 * @returns {Side}
 */
export const turnOf = (position) => (position.endsWith(" w") ? "white" : "black");

/**
 * The pieces of a board by their squares, and the number of each piece in the pockets.
 * @param {string} text
 * @returns {{ squares: Map<string, string>, pockets: Map<string, number> }}
 */
export function readBoard(text) {
  const sections = text.split(" ")[0].split("/");
  const squares = new Map();
  sections.slice(0, 8).forEach((section, at) => {
    let file = 0;
    for (const letter of section) {
      if (/\d/.test(letter)) {
        file += Number(letter);
      } else {
        squares.set(`${FILES[file]}${8 - at}`, letter);
        file += 1;
      }
    }
  });
  const pockets = new Map();
  for (const letter of sections[8] ?? "") pockets.set(letter, (pockets.get(letter) ?? 0) + 1);
  return { squares, pockets };
}

/**
 * The pieces that a pocket of a side can hold, in the order of its slots.
 * @param {Side} side
 */
export const heldLetters = (side) => HELD.map((kind) => (side === "white" ? kind.toUpperCase() : kind));

/**
 * The squares of a move; a drop has one.
 * @param {string} move
 */
export const squaresOf = (move) => move.split("-").filter((part) => part.length === 2);

/**
 * Where the given moves from a square, or of a piece in a pocket, lead to.
 * @param {string[]} moves
 * @param {string} origin
 */
export function targetsOf(moves, origin) {
  return new Set(moves.filter((text) => text.startsWith(`${origin}-`)).map((text) => text.split("-")[1]));
}

/**
 * The square beside another one, as the reader sees the board; null beyond the edge.
 * @param {string} square
 * @param {[right: number, up: number]} by
 * @param {boolean} flipped whether Black is at the bottom
 */
export function neighbour(square, [right, up], flipped) {
  const way = flipped ? -1 : 1;
  const file = FILES.indexOf(square[0]) + way * right;
  const rank = Number(square[1]) + way * up;
  return file < 0 || file > 7 || rank < 1 || rank > 8 ? null : FILES[file] + rank;
}

/**
 * The column that the host names in a message about a wrong position, from 1; null if it names none.
 * @param {string} message
 */
export function wrongColumn(message) {
  const column = Number(/column (\d+)/i.exec(message)?.[1] ?? 0);
  return column || null;
}

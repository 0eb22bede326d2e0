// Reads a move that a player types, in the notation of the course (`e2-e4`, `N-c4`), as squares (`e2e4`), or as chess players write it
// (`Nf3`, `exd5`, `N@c4`). It knows no rules: it looks for the one move that the host offers and the text can mean.

const DROP = /^([pnbrq]?)[@-]([a-h][1-8])$/i;
const SQUARES = /^([a-h][1-8])[-x]?([a-h][1-8])(?:=?q)?$/i;
const SHORT = /^([KQRBN]?)([a-h]?)([1-8]?)x?([a-h][1-8])(?:=?Q)?$/;

/**
 * @param {string} text
 * @param {string[]} moves the moves that the host offers
 * @param {Map<string, string>} squares the pieces on the board
 * @returns {{ move: string } | { problem: string }}
 */
export function readMove(text, moves, squares) {
  const typed = text.trim().replace(/[+#!?]+$/, "");
  const found = moves.filter((move) => fits(typed, move, squares));
  if (found.length === 1) return { move: found[0] };
  if (found.length > 1) return { problem: `${typed} can be ${found.slice(0, 4).join(" or ")}.` };
  const isMove = [DROP, SQUARES, SHORT].some((form) => form.test(typed));
  return { problem: isMove ? `${typed} is not a legal move.` : "Type a move like Nf3, e2-e4 or N@c4." };
}

/** @type {(typed: string, move: string, squares: Map<string, string>) => boolean} */
function fits(typed, move, squares) {
  const [origin, target] = move.split("-");
  const drop = DROP.exec(typed);
  if (drop) return origin.length === 1 && origin.toLowerCase() === (drop[1] || "p").toLowerCase() && target === drop[2].toLowerCase();
  const letter = squares.get(origin);
  if (!letter) return false;
  const both = SQUARES.exec(typed);
  if (both) return origin === both[1].toLowerCase() && target === both[2].toLowerCase();
  const short = SHORT.exec(typed);
  if (!short) return false;
  const [, kind, file, rank, to] = short;
  return letter.toUpperCase() === (kind || "P") && target === to && (!file || origin[0] === file) && (!rank || origin[1] === rank);
}

/**
 * How a planned move is written for people: `N@c4`, `e2-e4`.
 * @param {string} move
 */
export function writePlan(move) {
  const [origin, target] = move.split("-");
  return origin.length === 1 ? `${origin.toUpperCase()}@${target}` : move;
}

// What a player of the project game knows about tiles. The host writes a tile as ten characters: see `shown/known.rs` of the rulebook.

const CELL = 10;
const TICK_MS = 100;
/** @type {Record<string, string>} */
const OBJECTS = { ".": "nothing", p: "a piece", g: "a completed goal", n: "no goal", N: "no goal, and a piece" };
/** @type {Record<string, string>} */
const PLAYERS = { b: ", a player of Blue", r: ", a player of Red" };
/** Limits in milliseconds: knowledge that is older is drawn paler. */
export const AGES_MS = [3000, 15000, 60000];

/**
 * @typedef {object} Tile
 * @property {number} x
 * @property {number} y
 * @property {string} object a key of `OBJECTS`
 * @property {string} player `b`, `r`, or `-` for no player
 * @property {number | null} distance to the nearest piece
 * @property {number} at when it was seen, in milliseconds of the game's clock
 * @property {number | null} from the player who told it, or null for the Game Master
 */

/**
 * The known tiles, by `x y`.
 * @param {string[]} rows from the bottom
 * @returns {Map<string, Tile>}
 */
export function readTiles(rows) {
  const tiles = new Map();
  rows.forEach((row, y) => {
    for (let x = 0; x * CELL < row.length; x += 1) {
      const cell = row.slice(x * CELL, x * CELL + CELL);
      if (cell[0] === " ") continue;
      const tile = { x, y, object: cell[0], player: cell[1], distance: number(cell.slice(2, 4)), at: (number(cell.slice(4, 8)) ?? 0) * TICK_MS, from: number(cell.slice(8)) };
      tiles.set(`${x} ${y}`, tile);
    }
  });
  return tiles;
}

/**
 * A number in base 36; null for dashes.
 * @param {string} digits
 */
const number = (digits) => (digits.startsWith("-") ? null : parseInt(digits, 36));

/**
 * The class of an age, from 0 for the newest knowledge.
 * @param {number} ageMs
 */
export function ageOf(ageMs) {
  const age = AGES_MS.findIndex((most) => ageMs <= most);
  return age < 0 ? AGES_MS.length : age;
}

/**
 * A tile in words.
 * @param {Tile} tile
 * @param {number} clockMs
 */
export function tileWords({ object, player, distance, at, from }, clockMs) {
  const far = distance === null ? "" : `, ${distance} from a piece`;
  const by = from === null ? "" : ` and told by player ${from}`;
  return `${OBJECTS[object]}${PLAYERS[player] ?? ""}${far}; seen ${(Math.max(0, clockMs - at) / 1000).toFixed(1)} s ago${by}`;
}

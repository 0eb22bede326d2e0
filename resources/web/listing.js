// The list of games as data.

/** @import { Game } from "./types.js" */

/**
 * Games, newest first, and where the next older page begins.
 * @typedef {{ games: Game[], next: string | null }} GamesPage
 */

/**
 * Puts the newest page in front of the known games. Older pages that were loaded stay.
 * @param {GamesPage} known
 * @param {GamesPage} newest
 * @returns {GamesPage}
 */
export function merge(known, newest) {
  const names = new Set(newest.games.map((game) => game.name));
  const oldest = newest.games.at(-1)?.created ?? Infinity;
  const kept = newest.next ? known.games.filter((game) => !names.has(game.name) && game.created <= oldest) : [];
  return { games: [...newest.games, ...kept], next: kept.length === 0 ? newest.next : known.next };
}

/**
 * How long ago something was, for people.
 * @param {number} ms
 */
export function ago(ms) {
  const minutes = Math.floor(ms / 60000);
  if (minutes < 1) return "now";
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ago` : `${Math.floor(hours / 24)} days ago`;
}

/**
 * A duration for people.
 * @param {number} ms
 */
export function lasted(ms) {
  const minutes = Math.round(ms / 60000);
  if (minutes < 1) return "under a minute";
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}

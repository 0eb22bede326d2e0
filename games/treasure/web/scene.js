// What is on the map for a reader: everything, or only what one player sees. The host decides what a picture contains; this module only
// selects from it.

/** @typedef {[x: number, y: number]} At */

/**
 * What never changes during a game.
 * @typedef {{ year: number, debug: boolean, dummy: boolean, action_limit: number }} Stage
 */

/**
 * What every player may know about a player.
 * @typedef {{ name: string | null, account: string | null, standing: string | null, collected: boolean, at: At | null }} PlayerPicture
 */

/**
 * What only one player knows, and where its things are.
 * @typedef {object} Secrets
 * @property {At | null} at
 * @property {At | null} fort
 * @property {At | null} treasure
 * @property {boolean} collected
 * @property {boolean} treasure_seen
 * @property {boolean} enemy_fort_seen
 * @property {string[] | null} seen rows of the map: `s` for a field that the player has seen
 * @property {At | null} shown_enemy where the other player is shown to this one
 * @property {{ direction: string, left: number } | null} progress
 * @property {string | null} why how the game ended for this player, in words; null before the end
 */

/**
 * @typedef {object} Picture
 * @property {string[] | null} map
 * @property {boolean} begun
 * @property {number | null} turn
 * @property {number} actions
 * @property {PlayerPicture[]} players
 * @property {{ player: number, step: string | null } | null} last
 * @property {string | null} outcome
 * @property {{ players: Secrets[] } | null} hidden
 */

/** @typedef {"all" | "first" | "second"} Sight */
/** @typedef {{ kind: "avatar" | "fort" | "treasure", player: number, at: At, taken?: boolean, invented?: boolean }} Thing */
/** @typedef {{ things: Thing[], seen: string[] | null }} Scene things with their places, and the rows of what the player has seen */

/** @type {Sight[]} */
export const SIGHTS = ["all", "first", "second"];

/**
 * @param {Pick<Picture, "players" | "hidden">} picture
 * @param {Sight} sight
 * @returns {Scene}
 */
export function scene({ players, hidden }, sight) {
  /** @type {Thing[]} */
  const things = [];
  /** @type {(kind: Thing["kind"], player: number, at: At | null, more?: { taken?: boolean, invented?: boolean }) => void} */
  const put = (kind, player, at, more = {}) => {
    if (at) things.push({ kind, player, at, ...more });
  };
  const secrets = hidden?.players;
  if (!secrets) {
    players.forEach((one, player) => put("avatar", player, one.at));
    return { things, seen: null };
  }
  if (sight === "all") {
    secrets.forEach((one, player) => {
      put("fort", player, one.fort);
      put("treasure", player, one.treasure, { taken: one.collected });
      put("avatar", player, one.at);
    });
    return { things, seen: null };
  }
  const me = sight === "first" ? 0 : 1;
  const [own, other] = [secrets[me], 1 - me];
  put("fort", me, own.fort);
  if (own.enemy_fort_seen) put("fort", other, secrets[other].fort);
  if (own.treasure_seen && !own.collected) put("treasure", me, own.treasure);
  put("avatar", me, own.at);
  // While its true place is a secret, the other player is shown at an invented one.
  put("avatar", other, own.shown_enemy, { invented: players[other].at === null });
  return { things, seen: own.seen ?? [] };
}

/**
 * The last action in words, as far as the reader may know it.
 * @param {Pick<Picture, "last" | "players">} picture
 * @param {(Secrets | null)[]} secrets of each player whose secrets are shown
 */
export function lastAction({ last, players }, secrets) {
  if (!last) return "";
  const who = players[last.player].name;
  const { progress = null, at = null } = secrets[last.player] ?? {};
  if (progress) return `Last: ${who} is on the way ${progress.direction.toLowerCase()}, ${progress.left} more to go`;
  if (last.step) return `Last: ${who} went ${last.step.toLowerCase()}`;
  return at ? `Last: ${who}, now at (${at.join(", ")})` : `Last: ${who}`;
}

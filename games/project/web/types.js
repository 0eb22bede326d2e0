// The shapes of the project game's pictures, for the type checker; no page loads this file.

/**
 * What never changes during a game.
 * @typedef {{ width: number, height: number, goal_rows: number, players_per_team: number }} Stage
 */

/** @typedef {{ x: number, y: number, team: string | null, done: boolean }} Goal */
/** @typedef {{ x: number, y: number, sham: boolean }} Piece */
/** @typedef {{ id: number, team: string | null, leader: boolean, connection: string }} PublicPlayer */
/** @typedef {"moves" | "discovers" | "pick_ups" | "tests" | "places" | "goals" | "shams"} Count */

/**
 * What only the Game Master knows about a player.
 * @typedef {object} PlayerSecrets
 * @property {number | null} x
 * @property {number | null} y
 * @property {"piece" | "sham" | null} load
 * @property {boolean} tested
 * @property {string | null} doing
 * @property {number} waiting
 * @property {string | null} last the answer to its last request, in words
 * @property {{ last: number | null, mean: number | null, longest: number | null }} response milliseconds
 * @property {{ rows: string[] }} knows
 * @property {Record<Count, number>} counts
 */

/** @typedef {PublicPlayer & PlayerSecrets} Player */

/**
 * What only the Game Master knows.
 * @typedef {object} Truth
 * @property {number} clock milliseconds
 * @property {Goal[]} goals
 * @property {Piece[]} pieces
 * @property {Player[]} players
 * @property {number} goals_per_team
 * @property {{ lying: number, carried: number, shams: number }} left
 * @property {Configuration} configuration
 */

/**
 * Times are milliseconds.
 * @typedef {object} Configuration
 * @property {number} pieces
 * @property {number} shams_percentage
 * @property {Record<"move" | "discover" | "test" | "pick_up" | "place", number>} costs
 * @property {number | null} respawn
 * @property {number | null} no_progress
 * @property {number} patience
 */

/**
 * @typedef {object} Picture
 * @property {string} phase
 * @property {PublicPlayer[]} players
 * @property {{ blue: number, red: number }} score
 * @property {number} actions
 * @property {string | null} outcome
 * @property {Truth | null} hidden
 */

export {};

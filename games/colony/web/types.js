// The shapes of colony's pictures, for the type checker; no page loads this file. docs/chronicle.md describes them in words.

/** @typedef {{ id: number, kind: string, text: string }} Card */
/** @typedef {{ id: number, name: string, status: number, attack: number, search: number, ability: string | null }} Character */
/** @typedef {{ kind: string, needed: number, morale: number }} Crisis */
/** @typedef {{ id: number, name: string, entrances: number, spaces: number | null }} Place */

/**
 * What never changes during a game. Pictures refer to these lists by index.
 * @typedef {object} Stage
 * @property {number} rounds
 * @property {string | null} goal
 * @property {number} colony the index of the colony among the places
 * @property {Place[]} places
 * @property {Character[]} characters
 * @property {Card[]} cards
 * @property {Crisis[]} crises
 * @property {{ id: number, text: string }[]} [fates]
 */

/** @typedef {{ zombies: number, barricades: number }} EntrancePicture */
/** @typedef {{ cards: number, entrances: EntrancePicture[] }} PlacePicture */

/**
 * @typedef {object} CharacterPicture
 * @property {"unused" | "alive" | "dead"} life
 * @property {number | null} owner
 * @property {number} place
 * @property {number} wounds
 * @property {number} frostbites
 * @property {boolean} moved
 * @property {{ card: number, used: boolean }[]} worn
 */

/**
 * @typedef {object} PlayerPicture
 * @property {string} name
 * @property {boolean} present
 * @property {number[]} characters
 * @property {number[] | null} hand
 * @property {number[] | null} dice
 */

/**
 * The order of all stacks, the next card first.
 * @typedef {object} Hidden
 * @property {number[][]} cards by place
 * @property {number[]} crises
 * @property {number[]} fates
 * @property {number[]} unused
 * @property {number[] | null} offered
 * @property {number | null} omen
 */

/**
 * @typedef {object} Picture
 * @property {string} phase
 * @property {number} round
 * @property {number | null} player
 * @property {string | null} outcome
 * @property {number} morale
 * @property {number} food
 * @property {number} starvation
 * @property {number} waste
 * @property {number} children
 * @property {number | null} crisis
 * @property {number} contributed
 * @property {PlacePicture[]} places
 * @property {CharacterPicture[]} characters
 * @property {PlayerPicture[]} players
 * @property {number | null} vote
 * @property {number | null} crossroad
 * @property {string | null} choice
 * @property {Hidden | null} hidden
 */

export {};

// A game as its events describe it: players, positions, offers and the outcome. The host decides which moves are legal and how the game
// ends. The one rule here is that moves end open offers and questions, because no event says so.

import { other, sideName, turnOf } from "./notation.js";

/** @import { Side } from "./notation.js" */

/** @typedef {{ initial: number, increment: number }} Clock milliseconds */

/**
 * What never changes during a game.
 * @typedef {{ start: string, clock: Clock | null, bots: Record<Side, string | null>, most_moves: number | null }} Stage
 */

/** @typedef {{ text: string | null, position: string, check: boolean, side: Side | null, san?: string }} Played a position, and the move before it; `san` is asked for later */

/**
 * An event of a game: exactly one of these keys is there.
 * @typedef {object} MatchEvent
 * @property {{ side: Side }} [Seated] to the player alone
 * @property {object} [Refused] to the player alone
 * @property {{ side: Side, name: string }} [Joined]
 * @property {{ position: string, clock: Clock | null }} [Began]
 * @property {{ side: Side, text: string, position: string, check: boolean, left: number | null }} [Moved]
 * @property {{ side: Side }} [DrawOffered]
 * @property {{ side: Side }} [DrawDeclined]
 * @property {{ outcome: { winner?: Side | null, reason?: string }, because: string | null }} [Finished]
 * @property {{ side: Side }} [TakebackAsked]
 * @property {{ side: Side }} [TakebackRefused]
 * @property {{ side: Side, moves: number, position: string, white_left: number | null, black_left: number | null }} [TakenBack]
 */

export class Match {
  /** @type {Record<Side, string | null>} */
  players = { white: null, black: null };
  /** @type {Side[]} in the order in which they were taken: the numbers of the seats of a fork */
  seats = [];
  /** @type {Side | null} */
  mine = null;
  begun = false;
  /** @type {Clock | null} */
  clock = null;
  /** @type {Side | null} the side that offers a draw */
  offer = null;
  /** @type {{ words: string, because: string | null, result: string } | null} */
  outcome = null;
  /** @type {Side | null} the side that has just declined a draw */
  declined = null;
  /** @type {Side | null} the side that asks to take its move back */
  asked = null;
  /** @type {string | null} what has just become of a takeback */
  takeback = null;
  /** The number of the public event that began the turn. */
  turn = 0;
  /** @type {Played[]} */
  positions;
  #step = 0;
  /** @type {Record<Side, number>} milliseconds at the start of the turn */
  #leftMs = { white: 0, black: 0 };
  #turnStartMs = 0;
  #stoppedMs = 0;
  #now;

  /**
   * @param {Pick<Stage, "start" | "clock">} stage
   * @param {() => number} now milliseconds
   */
  constructor({ start, clock }, now = () => performance.now()) {
    this.#now = now;
    this.positions = [{ text: null, position: start, check: false, side: null }];
    this.#setClock(clock);
  }

  /** @param {Clock | null} clock */
  #setClock(clock) {
    this.clock = clock;
    if (clock) this.#leftMs = { white: clock.initial, black: clock.initial };
  }

  get last() {
    return this.positions.length - 1;
  }

  get next() {
    return turnOf(this.positions[this.last].position);
  }

  get running() {
    return this.begun && !this.outcome;
  }

  /** Whether the game can be ended without a result: no side has made its second move. The host decides. */
  get isFresh() {
    return this.last < 3;
  }

  /** Whether a side has a move that it can ask to take back. */
  get canAsk() {
    return this.running && this.mine !== null && this.last >= (this.myTurn ? 2 : 1);
  }

  get myTurn() {
    return this.running && this.mine === this.next;
  }

  /**
   * Applies an event.
   * @param {MatchEvent} event
   * @param {string} text the event in words
   */
  take({ Seated, Refused, Joined, Began, Moved, DrawOffered, DrawDeclined, Finished, TakebackAsked, TakebackRefused, TakenBack }, text) {
    this.declined = null;
    this.takeback = null;
    if (!Seated && !Refused) this.#step += 1;
    if (Seated) {
      this.mine = Seated.side;
    } else if (Joined) {
      this.players[Joined.side] = Joined.name;
      this.seats.push(Joined.side);
    } else if (Began) {
      this.begun = true;
      this.positions[0].position = Began.position;
      this.#setClock(Began.clock);
      this.#startTurn();
    } else if (Moved) {
      this.positions.push({ text: Moved.text, position: Moved.position, check: Moved.check, side: Moved.side });
      if (Moved.left !== null) this.#leftMs[Moved.side] = Moved.left;
      if (this.offer === other(Moved.side)) this.offer = null;
      this.asked = null;
      this.#startTurn();
    } else if (DrawOffered) {
      this.offer = DrawOffered.side;
    } else if (DrawDeclined) {
      this.offer = null;
      this.declined = DrawDeclined.side;
    } else if (TakebackAsked) {
      this.asked = TakebackAsked.side;
    } else if (TakebackRefused) {
      this.asked = null;
      this.takeback = `${sideName(TakebackRefused.side)} does not allow the takeback.`;
    } else if (TakenBack) {
      this.positions.length -= TakenBack.moves;
      this.offer = this.asked = null;
      this.takeback = `${sideName(TakenBack.side)} took ${TakenBack.moves === 1 ? "a move" : "a move and its answer"} back.`;
      if (TakenBack.white_left !== null && TakenBack.black_left !== null) this.#leftMs = { white: TakenBack.white_left, black: TakenBack.black_left };
      this.#startTurn();
    } else if (Finished) {
      this.outcome = { words: text, because: Finished.because, result: resultOf(Finished.outcome) };
      this.offer = this.asked = null;
      this.#stoppedMs = this.#now();
    }
  }

  #startTurn() {
    this.turn = this.#step;
    this.#turnStartMs = this.#now();
  }

  /**
   * Corrects the clock: the turn began so long ago.
   * @param {number} ms
   */
  turnBeganAgo(ms) {
    this.#turnStartMs = this.#now() - ms;
  }

  /**
   * The milliseconds that a side has left now, or null without a clock.
   * @param {Side} side
   */
  leftMs(side) {
    if (!this.clock) return null;
    const left = this.#leftMs[side];
    if (!this.begun || side !== this.next) return left;
    const now = this.outcome ? this.#stoppedMs : this.#now();
    return Math.max(0, left - (now - this.#turnStartMs));
  }
}

/**
 * The result as chess players write it; an asterisk if the game does not count.
 * @param {{ winner?: Side | null, reason?: string }} outcome
 */
function resultOf({ winner, reason }) {
  if (winner) return winner === "white" ? "1-0" : "0-1";
  return reason === "aborted" || reason === "nobody_came" ? "*" : "½-½";
}

/**
 * A clock for people, with tenths of a second when there is little left.
 * @param {number} ms
 */
export function clockText(ms) {
  if (ms < 10000) return `0:0${(Math.floor(ms / 100) / 10).toFixed(1)}`;
  const seconds = Math.ceil(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  /** @param {number} number */
  const two = (number) => String(number).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

// A game as its events tell it: who plays, every position, offers and the end. Knows no rules.

import { other } from "./board.js";

export class Match {
  players = { white: null, black: null };
  /** Sides in the order in which they were taken: the numbers of the seats of a fork. */
  seats = [];
  mine = null;
  begun = false;
  clock = null;
  left = { white: null, black: null };
  offer = null;
  outcome = null;
  declined = null;
  /** How many public events there were, and which of them began the turn. */
  step = 0;
  turn = 0;

  constructor({ start, clock }) {
    this.positions = [{ text: null, position: start, check: false, side: null }];
    this.setClock(clock);
  }

  setClock(clock) {
    this.clock = clock;
    if (clock) this.left = { white: clock.initial, black: clock.initial };
  }

  get last() {
    return this.positions.length - 1;
  }

  get next() {
    return this.positions.at(-1).position.endsWith(" w") ? "white" : "black";
  }

  get running() {
    return this.begun && !this.outcome;
  }

  get myTurn() {
    return this.running && this.mine === this.next;
  }

  free(side) {
    return !this.players[side];
  }

  /** Takes an event; gives its kind. */
  take(event, text) {
    const [[kind, value]] = Object.entries(event);
    this.declined = null;
    if (kind !== "Seated" && kind !== "Refused") this.step += 1;
    if (kind === "Began" || kind === "Moved") this.turn = this.step;
    if (kind === "Seated") this.mine = value.side;
    else if (kind === "Joined") {
      this.players[value.side] = value.name;
      this.seats.push(value.side);
    } else if (kind === "Began") {
      this.begun = true;
      this.positions[0].position = value.position;
      this.setClock(value.clock);
      this.since = performance.now();
    } else if (kind === "Moved") {
      this.positions.push({ text: value.text, position: value.position, check: value.check, side: value.side });
      if (value.left !== null) this.left[value.side] = value.left;
      // Whoever moves lets the other's offer pass.
      if (this.offer === other(value.side)) this.offer = null;
      this.since = performance.now();
    } else if (kind === "DrawOffered") this.offer = value.side;
    else if (kind === "DrawDeclined") {
      this.offer = null;
      this.declined = value.side;
    } else if (kind === "Finished") {
      this.outcome = { ...value.outcome, words: text, because: value.because };
      this.offer = null;
      this.stopped = performance.now();
    }
    return kind;
  }

  /** What a side has on its clock now, in milliseconds. */
  time(side) {
    const left = this.left[side];
    if (left === null || left === undefined || !this.begun || side !== this.next) return left;
    const now = this.outcome ? this.stopped : performance.now();
    return Math.max(0, left - (now - this.since));
  }
}

/** A clock as people read it; tenths when there is little left. */
export function clockText(ms) {
  if (ms < 10000) return `0:0${(Math.floor(ms / 100) / 10).toFixed(1)}`;
  const seconds = Math.ceil(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const two = (number) => String(number).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

// A chronicle in memory: pictures, the patches between them, and an index of rounds, turns and commands.

/** @import { Checkpoint, Entry, IndexLine, Patch, Picture, Unit } from "./types.js" */

/** Steps of a chunk. Chunk i starts with the picture at step i * STEPS, or at one before it, and has the STEPS events that follow. */
export const STEPS = 128;

/**
 * The number of the chunk that has the event of a step.
 * @param {number} step
 */
export const chunkOf = (step) => Math.max(0, Math.ceil(step / STEPS) - 1);

/** A checkpoint and the entries after it. */
export class Chunk {
  /** @param {Checkpoint} checkpoint */
  constructor({ step, picture }) {
    this.first = step;
    this.last = step;
    this.picture = picture;
    /** @type {(Entry & { before: number, steps: number })[]} each with the step before it, and its number of steps */
    this.entries = [];
    /** @type {Patch[]} */
    this.patches = [];
  }

  /**
   * Adds the next entry; false if there is a gap before it. Does nothing with an entry that the chunk already has.
   * @param {Entry} entry
   */
  add(entry) {
    const steps = entry.events.filter((event) => event.step !== null);
    const [first, last] = [steps[0]?.step ?? null, steps.at(-1)?.step ?? null];
    if (last !== null && last <= this.last) return true;
    if (first !== null && first !== this.last + 1) return false;
    this.entries.push({ ...entry, before: this.last, steps: steps.length });
    for (const event of steps) this.patches.push(event.patch);
    this.last += steps.length;
    return true;
  }

  /** @param {number} step */
  covers(step) {
    return this.first <= step && step <= this.last;
  }

  /**
   * The entry that made this step.
   * @param {number} step
   */
  entryOf(step) {
    return this.entries.find((entry) => entry.before < step && step <= entry.before + entry.steps) ?? null;
  }
}

/** The picture at one step; moves by patches. */
export class Cursor {
  step = -1;
  /** @type {Picture | null} */
  picture = null;

  /**
   * @param {number} step
   * @param {Chunk} chunk a chunk that covers the step
   */
  move(step, chunk) {
    const far = step - chunk.first;
    if (!this.picture || !chunk.covers(this.step) || Math.abs(step - this.step) > far) {
      this.picture = structuredClone(chunk.picture);
      this.step = chunk.first;
    }
    while (this.step < step) {
      for (const [pointer, , is] of chunk.patches[this.step - chunk.first]) this.#put(pointer, is);
      this.step += 1;
    }
    while (this.step > step) {
      const patch = chunk.patches[this.step - 1 - chunk.first];
      for (let at = patch.length - 1; at >= 0; at -= 1) this.#put(patch[at][0], patch[at][1]);
      this.step -= 1;
    }
    return this.picture;
  }

  forget() {
    this.picture = null;
    this.step = -1;
  }

  /**
   * @param {string} pointer
   * @param {any} value
   */
  #put(pointer, value) {
    // A copy, because a later patch may change something inside of the value.
    const copy = typeof value === "object" ? structuredClone(value) : value;
    if (pointer === "") {
      this.picture = copy;
      return;
    }
    const keys = pointer.split("/").slice(1).map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
    const last = keys[keys.length - 1];
    /** @type {any} */
    let node = this.picture;
    for (const key of keys.slice(0, -1)) {
      mustOwn(node, key, pointer);
      node = node[key];
    }
    mustOwn(node, last, pointer);
    node[last] = copy;
  }
}

/** Where commands, turns and rounds begin and end. */
export class Index {
  /** @param {IndexLine} line */
  constructor({ steps, entries, rounds, turns, figures, points }) {
    this.rounds = rounds;
    this.turns = turns;
    this.figures = figures;
    this.points = points;
    /** @type {number[]} the number of steps of each entry */
    this.entries = [];
    /** The last step. */
    this.last = 0;
    /** The steps after which an entry with steps ends, and the numbers of these entries. */
    this.ends = [0];
    this.numbers = [0];
    for (const count of entries) this.add(count);
    this.last = Math.max(this.last, steps);
    this.starts = { turn: turns.map((turn) => turn[1]), round: rounds.map((round) => round[1]) };
  }

  /**
   * Adds an entry.
   * @param {number} steps
   */
  add(steps) {
    this.entries.push(steps);
    this.last += steps;
    if (steps === 0) return;
    this.ends.push(this.last);
    this.numbers.push(this.entries.length);
  }

  /**
   * @param {Unit} unit
   * @param {number} step
   */
  next(unit, step) {
    if (unit === "event") return Math.min(this.last, step + 1);
    const marks = this.#marks(unit);
    return marks[place(marks, step) + 1] ?? this.last;
  }

  /**
   * @param {Unit} unit
   * @param {number} step
   */
  previous(unit, step) {
    if (unit === "event") return Math.max(0, step - 1);
    const marks = this.#marks(unit);
    return marks[place(marks, step - 1)] ?? 0;
  }

  /**
   * The nearest step, not after this one, where a turn or round begins or a command ends.
   * @param {Unit} unit
   * @param {number} step
   */
  snap(unit, step) {
    if (unit === "event" || step >= this.last) return step;
    const marks = this.#marks(unit);
    return marks[place(marks, step)] ?? 0;
  }

  /** @param {Exclude<Unit, "event">} unit */
  #marks(unit) {
    return unit === "command" ? this.ends : this.starts[unit];
  }

  /**
   * The number of the command that made this step. Commands without steps count too.
   * @param {number} step
   */
  command(step) {
    return this.numbers[place(this.ends, step - 1) + 1];
  }

  /** @param {number} step */
  round(step) {
    return this.rounds[place(this.starts.round, step)]?.[0] ?? null;
  }

  /**
   * The player whose turn it is; null between the start of a round and its first turn.
   * @param {number} step
   */
  turn(step) {
    const at = place(this.starts.turn, step);
    const round = this.starts.round[place(this.starts.round, step)] ?? 0;
    return at >= 0 && this.starts.turn[at] >= round ? this.turns[at][0] : null;
  }
}

/**
 * The position of the last of the ascending numbers that is at most `most`, or -1.
 * @param {number[]} numbers
 * @param {number} most
 */
export function place(numbers, most) {
  let low = -1;
  let high = numbers.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (numbers[middle] <= most) low = middle;
    else high = middle;
  }
  return low;
}

/**
 * Patches never add keys, so a pointer to a missing key (or into a prototype) means that the data is damaged.
 * @param {any} node
 * @param {string} key
 * @param {string} pointer
 */
function mustOwn(node, key, pointer) {
  if (node === null || typeof node !== "object" || !Object.hasOwn(node, key)) {
    throw new Error(`a change of “${pointer}” does not fit the picture`);
  }
}

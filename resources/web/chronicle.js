// A chronicle in memory: pictures, the patches between them, and where things are. Knows no rules.

/** Steps of a chunk. Chunk i begins with the picture after step i * STEPS, or before it, and has the STEPS events that follow. */
export const STEPS = 128;

/** The chunk that has the event of a step. */
export const chunkOf = (step) => Math.max(0, Math.ceil(step / STEPS) - 1);

/** A checkpoint and the entries after it. */
export class Chunk {
  constructor({ step, picture }) {
    this.first = step;
    this.last = step;
    this.picture = picture;
    this.entries = [];
    this.patches = [];
  }

  /** Takes the next entry; false if there is a gap before it. One that is here already is passed over. */
  add(entry) {
    const steps = entry.events.filter((event) => event.step !== null);
    if (steps.length > 0 && steps.at(-1).step <= this.last) return true;
    if (steps.length > 0 && steps[0].step !== this.last + 1) return false;
    this.entries.push({ ...entry, before: this.last, steps: steps.length });
    for (const event of steps) this.patches.push(event.patch);
    this.last += steps.length;
    return true;
  }

  covers(step) {
    return this.first <= step && step <= this.last;
  }

  /** The entry that made this step. */
  entryOf(step) {
    return this.entries.find((entry) => entry.before < step && step <= entry.before + entry.steps) ?? null;
  }
}

/** The picture at one step; moves by patches. */
export class Cursor {
  step = -1;
  picture = null;

  move(step, chunk) {
    const far = step - chunk.first;
    if (!this.picture || !chunk.covers(this.step) || Math.abs(step - this.step) > far) {
      this.picture = structuredClone(chunk.picture);
      this.step = chunk.first;
    }
    while (this.step < step) {
      for (const [pointer, , is] of chunk.patches[this.step - chunk.first]) this.put(pointer, is);
      this.step += 1;
    }
    while (this.step > step) {
      const patch = chunk.patches[this.step - 1 - chunk.first];
      for (let at = patch.length - 1; at >= 0; at -= 1) this.put(patch[at][0], patch[at][1]);
      this.step -= 1;
    }
    return this.picture;
  }

  forget() {
    this.picture = null;
    this.step = -1;
  }

  put(pointer, value) {
    // A copy, because a later patch may change what is inside.
    const copy = typeof value === "object" ? structuredClone(value) : value;
    if (pointer === "") {
      this.picture = copy;
      return;
    }
    const keys = pointer.split("/").slice(1).map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
    const last = keys.pop();
    let node = this.picture;
    for (const key of keys) node = own(node, key, pointer) && node[key];
    if (own(node, last, pointer)) node[last] = copy;
  }
}

/** Where commands, turns and rounds begin and end. */
export class Index {
  constructor(line) {
    Object.assign(this, line);
    this.last = 0;
    this.ends = [0];
    this.numbers = [0];
    this.entries = [];
    for (const steps of line.entries) this.add(steps);
    this.last = Math.max(this.last, line.steps);
    this.starts = { turn: line.turns.map((turn) => turn[1]), round: line.rounds.map((round) => round[1]) };
  }

  /** One more entry, of so many steps. */
  add(steps) {
    this.entries.push(steps);
    this.last += steps;
    if (steps === 0) return;
    this.ends.push(this.last);
    this.numbers.push(this.entries.length);
  }

  next(unit, step) {
    if (unit === "event") return Math.min(this.last, step + 1);
    const marks = this.marks(unit);
    return marks[place(marks, step) + 1] ?? this.last;
  }

  previous(unit, step) {
    if (unit === "event") return Math.max(0, step - 1);
    const marks = this.marks(unit);
    return marks[place(marks, step - 1)] ?? 0;
  }

  /** The nearest step at or before this one where a unit begins (a command: is done). */
  snap(unit, step) {
    if (unit === "event" || step >= this.last) return step;
    const marks = this.marks(unit);
    return marks[place(marks, step)] ?? 0;
  }

  marks(unit) {
    return unit === "command" ? this.ends : this.starts[unit];
  }

  /** Which of the commands made this step, those without steps counted. */
  command(step) {
    return this.numbers[place(this.ends, step - 1) + 1];
  }

  round(step) {
    return this.rounds[place(this.starts.round, step)]?.[0] ?? null;
  }

  /** Whose turn it is; nobody's between the start of a round and its first turn. */
  turn(step) {
    const at = place(this.starts.turn, step);
    const round = this.starts.round[place(this.starts.round, step)] ?? 0;
    return at >= 0 && this.starts.turn[at] >= round ? this.turns[at][0] : null;
  }
}

/** The place of the last of the ascending numbers that is not above `most`, or -1. */
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

function own(node, key, pointer) {
  // Keys are never added, so a pointer to nothing (or to a prototype) is damage.
  if (node === null || typeof node !== "object" || !Object.hasOwn(node, key)) {
    throw new Error(`a change of “${pointer}” does not fit the picture`);
  }
  return true;
}

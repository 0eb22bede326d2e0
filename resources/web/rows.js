// The rows of the list of events: which commands and events of a chunk have a row, and how many rows a chunk has before it is loaded.

import { STEPS, chunkOf } from "./chronicle.js";

/** @import { Chunk, Index } from "./chronicle.js" */
/** @import { ChronicleEvent } from "./types.js" */

/**
 * A row of a command (without an event) or of an event, and the step that was reached with it. `steps` are the first and the last step
 * that it stands for.
 * @typedef {{ at: number, entry: Chunk["entries"][number], event: ChronicleEvent | null, steps: [number, number] | null }} Row
 */

/**
 * The rows of chunk `i`: every command and its events.
 * @param {Chunk} chunk
 * @param {number} i
 * @param {object} options
 * @param {number} options.last the last step of the game
 * @param {boolean} options.commands whether commands have rows
 * @param {boolean} options.everything whether events to a single client have rows; refusals always have one
 */
export function rowsOf(chunk, i, { last, commands, everything }) {
  /** @type {Row[]} */
  const rows = [];
  for (const entry of chunk.entries) {
    let at = entry.before;
    let home = homeOf(at, last);
    if (commands && home === i) rows.push({ at, entry, event: null, steps: null });
    /** @type {Row[]} */
    const told = [];
    for (const event of entry.events) {
      if (event.step !== null) {
        at = event.step;
        home = chunkOf(at);
      }
      if (home !== i || (event.step === null && !event.refused && !everything)) continue;
      told.push({ at, entry, event, steps: event.step === null ? null : [event.step, event.step] });
    }
    rows.push(...withWords(told));
  }
  return rows;
}

/**
 * The rows of an entry without those of events that have no words, such as new views of a game with secrets: the event with words that
 * follows them stands for them, or the one before. If there is none, all rows stay.
 * @param {Row[]} rows
 */
function withWords(rows) {
  const speaks = (/** @type {Row} */ { event }) => Boolean(event?.text || event?.refused);
  const steps = rows.filter((row) => row.steps && speaks(row));
  if (steps.length === 0) return rows;
  for (const { steps: silent } of rows.filter((row) => !speaks(row))) {
    if (!silent) continue;
    const next = steps.find((row) => row.at > silent[0]) ?? steps[steps.length - 1];
    next.steps = [Math.min(next.steps?.[0] ?? 0, silent[0]), Math.max(next.steps?.[1] ?? 0, silent[1])];
  }
  return rows.filter(speaks);
}

/**
 * The likely number of rows of each chunk, from the index alone. An entry without steps probably has a refusal.
 * @param {Index} index
 * @param {boolean} commands
 */
export function guessRows({ last, entries }, commands) {
  const guess = Array.from({ length: chunkOf(last) + 1 }, (_, i) => Math.min(last, (i + 1) * STEPS) - i * STEPS);
  let before = 0;
  for (const steps of entries) {
    if (commands) guess[homeOf(before, last)] += steps === 0 ? 2 : 1;
    before += steps;
  }
  return guess;
}

/**
 * The chunk of whatever comes after a step and before the next one.
 * @param {number} step
 * @param {number} last
 */
const homeOf = (step, last) => Math.min(chunkOf(step + 1), chunkOf(last));

// The rows of the list of events: which commands and events of a chunk have a row, and how many rows a chunk has before it is loaded.

import { STEPS, chunkOf } from "./chronicle.js";

/** @import { Chunk, Index } from "./chronicle.js" */
/** @import { ChronicleEvent } from "./types.js" */

/**
 * A row of a command (without an event) or of an event, and the step that was reached with it.
 * @typedef {{ at: number, entry: Chunk["entries"][number], event: ChronicleEvent | null }} Row
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
    if (commands && home === i) rows.push({ at, entry, event: null });
    for (const event of entry.events) {
      if (event.step !== null) {
        at = event.step;
        home = chunkOf(at);
      }
      if (home === i && (event.step !== null || event.refused || everything)) rows.push({ at, entry, event });
    }
  }
  return rows;
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

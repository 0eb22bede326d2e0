// Two games on one timeline: the moments at which both are shown, and where they part.

import { place } from "./chronicle.js";

/** @import { Index } from "./chronicle.js" */
/** @import { Entry, Game } from "./types.js" */

/**
 * A moment of both games: the step of each, and words for it.
 * @typedef {{ steps: [number, number], words: string }} TwoMoment
 */

/** @typedef {{ key: [round: number, turn: number], step: number, words: string }} Mark */

/**
 * Where rounds and turns of a game begin. The n-th turn of a round is the same moment in every game.
 * @param {Pick<Index, "rounds" | "turns">} index
 * @returns {Mark[]}
 */
function marksOf({ rounds, turns }) {
  const starts = rounds.map(([, step]) => step);
  /** @type {Mark[]} */
  const marks = rounds.map(([round, step]) => ({ key: [round, 0], step, words: `round ${round}` }));
  let [last, count] = [NaN, 0];
  for (const [, step] of turns) {
    const round = rounds[place(starts, step)]?.[0] ?? 0;
    count = round === last ? count + 1 : 1;
    last = round;
    marks.push({ key: [round, count], step, words: round ? `round ${round}, turn ${count}` : `turn ${count}` });
  }
  return marks.sort((a, b) => compare(a.key, b.key));
}

/** @type {(a: Mark["key"], b: Mark["key"]) => number} */
const compare = ([round, turn], [other, another]) => round - other || turn - another;

/**
 * The moments of two games: by turns and rounds if both have them, otherwise by steps. A game that is over stays at its end.
 * @param {Pick<Index, "rounds" | "turns" | "last">} a
 * @param {Pick<Index, "rounds" | "turns" | "last">} b
 * @returns {TwoMoment[]}
 */
export function moments(a, b) {
  const games = [a, b];
  const marks = games.map(marksOf);
  if (marks.some((of) => of.length === 0)) {
    return Array.from({ length: Math.max(a.last, b.last) + 1 }, (_, step) => ({ steps: [Math.min(step, a.last), Math.min(step, b.last)], words: `event ${step}` }));
  }
  const at = [0, 0];
  const next = [0, 0];
  /** @type {TwoMoment[]} */
  const found = [{ steps: [0, 0], words: "the start" }];
  while (next.some((mark, game) => mark < marks[game].length)) {
    const [{ key, words }] = marks.flatMap((of, game) => of[next[game]] ?? []).sort((one, two) => compare(one.key, two.key));
    for (const game of [0, 1]) {
      const mark = marks[game][next[game]];
      if (mark && compare(mark.key, key) === 0) {
        at[game] = mark.step;
        next[game] += 1;
      } else if (!mark) at[game] = games[game].last;
    }
    found.push({ steps: [at[0], at[1]], words });
  }
  found.push({ steps: [a.last, b.last], words: "the end" });
  return found.filter(({ steps }, i) => i + 1 === found.length || steps.some((step, game) => step !== found[i + 1].steps[game]));
}

/**
 * Adds the moment at which the games part, if it is not there. Returns its place.
 * @param {TwoMoment[]} moments
 * @param {number} step
 */
export function addParting(moments, step) {
  const before = moments.findLastIndex(({ steps }) => steps[0] <= step && steps[1] <= step);
  if (moments[before].steps.every((at) => at === step)) return before;
  moments.splice(before + 1, 0, { steps: [step, step], words: "where they part" });
  return before + 1;
}

/**
 * The last step that a fork and its parent, or two forks of one game, have in common; null for other games.
 * @param {{ game: Game, index: Pick<Index, "entries"> }} a
 * @param {{ game: Game, index: Pick<Index, "entries"> }} b
 */
export function forkStep(a, b) {
  const [of, on] = [a.game.parent, b.game.parent];
  /** @type {(entries: number[], entry: number) => number} */
  const steps = (entries, entry) => entries.slice(0, entry).reduce((sum, count) => sum + count, 0);
  // The index of a running game leaves out commands without steps, but a parent is over.
  if (on?.game === a.game.name) return steps(a.index.entries, on.entry);
  if (of?.game === b.game.name) return steps(b.index.entries, of.entry);
  return null;
}

/**
 * The first step at which the public events of two pieces differ, or null if one has no more.
 * @param {Entry[]} a
 * @param {Entry[]} b
 * @param {number} from the step before the pieces
 */
export function firstDifference(a, b, from) {
  /** @type {(entries: Entry[]) => Map<number | null, string>} */
  const events = (entries) => new Map(entries.flatMap(({ events }) => events).map(({ step, event }) => [step, JSON.stringify(event)]));
  const [one, two] = [events(a), events(b)];
  for (let step = from + 1; one.has(step) && two.has(step); step += 1) if (one.get(step) !== two.get(step)) return step;
  return null;
}

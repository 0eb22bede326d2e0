// What the pages say about a game in words: where it stands, and when it turned.

import { plural } from "/web/dom.js";

/** @import { Game } from "/web/types.js" */
/** @import { Picture, Stage } from "./types.js" */

/**
 * @param {Picture} picture
 * @param {Stage} stage
 */
export function headline({ phase, round, morale }, stage) {
  if (phase === "registration") return "waiting for players";
  if (phase === "preparation") return "choosing survivors";
  if (phase === "over") return round >= stage.rounds && morale > 0 ? `survived ${plural(round, "round")}, morale ${morale}` : `round ${round}, morale ${morale}`;
  return `round ${round}, morale ${morale}`;
}

/**
 * The beginning of the round in which a lost game lost most of its morale. A game that was won has no such moment.
 * @param {import("/web/chronicle.js").Index} index
 * @param {Pick<Game, "outcome">} game
 */
export function turningPoint({ figures, points }, { outcome }) {
  const morale = figures.indexOf("morale");
  if (morale < 0 || !outcome?.startsWith("lost") || points.length < 2) return null;
  const falls = points.slice(1).map(([, , after], at) => ({ fall: points[at][2][morale] - after[morale], from: points[at] }));
  const worst = falls.reduce((most, one) => (one.fall > most.fall ? one : most));
  const [round, step] = worst.from;
  return worst.fall > 0 ? { step, words: `Round ${round} cost ${worst.fall} morale, more than any other` } : null;
}

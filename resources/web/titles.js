// What games are called for people.

import { capital } from "./dom.js";

/** @import { Game } from "./types.js" */

/** Scenarios whose name says less than the rulebook's. */
const PLAIN = new Set(["standard", "custom", "configured"]);

/** The title of a game for people: its scenario, or its rulebook. @param {Pick<Game, "scenario" | "rulebook">} game */
export function titleOf({ scenario, rulebook }) {
  const words = !scenario || PLAIN.has(scenario) ? rulebook : /^\d/.test(scenario) ? `${rulebook} ${scenario}` : scenario;
  return capital(words.replaceAll(/[-_]/g, " "));
}

// Labels of the drawing, and the numbers of the rulebook that they name. The host applies the rules; a wrong number here would only show
// a wrong label.

import { plural } from "/web/dom.js";

/** Spaces of an entrance, each for a zombie or a barricade. */
export const ENTRANCE_SPACES = 3;
/** The faces of the infection die; an empty one is harmless. */
export const INFECTION_FACES = ["", "wound", "", "frostbite", "", "wound", "", "bite", "", "wound", "", "frostbite"];
/** Injuries that kill a survivor. */
export const DEADLY_INJURIES = 3;
/** Cards of waste that cost one morale. */
const WASTE_PER_MORALE = 10;
/** Morale from which the label warns. */
const LOW_MORALE = 2;

/** @import { Picture, Stage } from "./types.js" */

/** What the colony eats at the end of the round. @type {(picture: Picture, stage: Stage) => number} */
export const meal = ({ characters, children }, { colony }) => Math.ceil((characters.filter(({ life, place }) => life === "alive" && place === colony).length + children) / 2);

/** @type {(picture: Picture, stage: Stage) => string} */
export const mealLabel = (picture, stage) => (picture.round > 0 ? `eats ${meal(picture, stage)} tonight` : "in stock");

/** @param {number} morale */
export const moraleLabel = (morale) => (morale <= 0 ? "lost" : morale <= LOW_MORALE ? "low" : "lost at 0");

/** @param {number} waste */
export const wasteLabel = (waste) => (waste >= WASTE_PER_MORALE ? `−${Math.floor(waste / WASTE_PER_MORALE)} morale` : `harmful at ${WASTE_PER_MORALE}`);

/** @param {number} tokens */
export const starvationLabel = (tokens) => (tokens > 0 ? `−${tokens} morale` : "tokens");

/**
 * @param {number} door
 * @param {{ zombies: number, barricades: number }} entrance
 */
export function entranceLabel(door, { zombies, barricades }) {
  const free = ENTRANCE_SPACES - zombies - barricades;
  return `entrance ${door}: ${plural(zombies, "zombie")}, ${plural(barricades, "barricade")}, ${free} free`;
}

/** Words before a name that are left out of its short form, and those that stay. */
const LEFT_OUT = /^(the|old|captain|sister|father|widow|mayor)$/i;
const KEPT = /^dr$/i;

/**
 * What a survivor is called in a few letters: “Tove Lind, net mender” is Tove, “Captain Osk” is Osk, “Dr Ines Varga” is Dr Ines.
 * @param {string} name
 */
export function shortName(name) {
  const [first = "", second] = name.split(",")[0].split(" ");
  if (second && LEFT_OUT.test(first)) return second;
  return second && KEPT.test(first) ? `${first} ${second}` : first;
}

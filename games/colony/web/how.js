// How the colony is played, what its signs mean, and hints for a first game.

import { draw, make } from "/web/dom.js";
import { crest, ellipse, portrait, shape, zombie } from "./art.js";
import { die, icon } from "./draw-icons.js";

/** @import { Picture, Stage } from "./types.js" */

const RULES = [
  "You win or lose together. The goal stands above the map; the game is lost when the morale reaches 0.",
  "In your turn, spend dice: attack a zombie, search a place for cards, build a barricade, clean waste. A survivor needs a die as high as its value.",
  "Each survivor walks once a round. Walking without fuel, and fighting, roll the infection die: half of its faces are harmless.",
  "A survivor dies of three injuries. Each frostbite causes one more wound whenever your turn begins, until it is healed with medicine.",
  "When all have had their turn, the colony eats: one food for every two survivors and children in it. Then the crisis is settled, and zombies come to where people are.",
  "A zombie takes a free space at an entrance. If there is none, it destroys a barricade and is gone; if there is none either, it kills.",
];

/** @param {HTMLElement} root */
export function rules(root) {
  /** @type {(sign: Node, words: string) => HTMLElement[]} */
  const row = (sign, words) => [make("dt", {}, sign), make("dd", {}, words)];
  /** @type {(node: SVGElement) => SVGElement} */
  const small = (node) => draw("svg", { viewBox: "-16 -38 32 44", class: "map-sign", "aria-hidden": "true" }, node);
  const signs = [
    row(small(zombie(1, false)), "a zombie at an entrance"),
    row(small(shape("barricade")), "a barricade"),
    row(small(ellipse(0, -6, 11, 5, "none", { class: "free" })), "a free space of an entrance"),
    row(crest(0), "the sign of a player’s seat; each has a shape and a colour"),
    row(icon("wound"), "a wound"),
    row(icon("frostbite"), "a frostbite"),
    row(icon("card"), "cards left to find at a place"),
    row(icon("person"), "survivors at a place, and how many have room"),
    row(icon("child"), "children in the colony"),
    row(die(4), "a die; the smallest that is high enough is spent"),
    row(icon("dead"), "a survivor who has died"),
    ...["food", "fuel", "medicine", "stuff"].map((kind) => row(icon(kind), `a card: ${kind}`)),
  ];
  const legend = make("dl", { class: "legend map-colours" }, ...signs.flat());
  root.replaceChildren(make("ul", {}, ...RULES.map((rule) => make("li", {}, rule))), make("h3", {}, "Signs"), legend);
}

/**
 * The face of the survivor whom an answer is about.
 * @param {string} label
 * @param {Stage} stage
 */
export function sign(label, stage) {
  const who = stage.characters.find(({ name }) => label.startsWith(name));
  return who ? portrait(who.name) : null;
}

/**
 * What a new player should know now.
 * @param {Picture} picture
 * @param {Stage} stage
 * @param {number} seat of the player
 */
export function hint(picture, stage, seat) {
  const own = picture.characters.filter(({ owner, life }) => owner === seat && life === "alive");
  const dice = picture.players[seat]?.dice?.length ?? 0;
  if (picture.phase === "preparation") return "Choose two survivors. Low numbers for attack and search are good; the ability is written below the name.";
  if (picture.vote === seat) return "All players vote on the card of fate. Read both outcomes; a tie goes to the first.";
  if (picture.phase !== "turns" || picture.player !== seat || picture.round > 2) return null;
  if (own.some(({ frostbites }) => frostbites > 0)) return "Each frostbite causes one more wound whenever your turn begins. Medicine heals it.";
  if (dice === 0) return "You have no dice left. You can still give cards to the crisis or walk; then end your turn.";
  if (own.every(({ place, moved }) => place === stage.colony && !moved)) return "Click one of your survivors on the map. Places in amber are where it can walk: outside you find food and tools. Walking rolls the infection die.";
  if (own.some(({ place }) => place !== stage.colony)) return "A survivor outside can search the place for a card. Each search and each attack spends a die.";
  return "Attack zombies at the entrances, or build barricades, before more come at the end of the round. The crisis above the map wants cards from all of you.";
}

// Events of the colony that deserve a moment of their own, and what events sound like.

import { draw, make } from "/web/dom.js";
import { circle, path, portrait } from "./art.js";
import { icon } from "./draw-icons.js";
import { DEADLY_INJURIES, INFECTION_FACES, shortName } from "./labels.js";

/** @import { Moment, Sound } from "/web/types.js" */
/** @import { Picture, Stage } from "./types.js" */

/** @type {Record<string, Sound>} */
const SOUNDS = {
  Moved: "walk",
  DieRolled: "roll",
  Wounded: "hurt",
  Frostbitten: "hurt",
  Bitten: "hurt",
  SurvivorKilled: "hurt",
  ZombieKilled: "kill",
  Barricaded: "build",
  CardDrawn: "card",
  CardUsed: "card",
  Contributed: "card",
  ZombieSpawned: "alarm",
  BarricadeDestroyed: "kill",
  Crisis: "alarm",
  Crossroad: "alarm",
};

/** Events after which the infection die is rolled. */
const ROLLED = new Set(["Moved", "ZombieKilled", "AbilityUsed"]);

/** @param {any[]} event */
export function sound([kind, first]) {
  if (kind === "GameEnd") return first ? "won" : "lost";
  return SOUNDS[kind] ?? null;
}

/**
 * @param {any[]} event
 * @param {{ picture: Picture | null, stage: Stage, before: any[][] }} now
 * @returns {Moment | null}
 */
export function moment([kind, first], { picture, stage, before }) {
  const at = stage.characters.findIndex(({ id }) => id === first);
  const who = stage.characters[at];
  const injuries = picture && at >= 0 ? picture.characters[at].wounds + picture.characters[at].frostbites : 0;
  const count = injuries > 0 ? ` ${injuries} of ${DEADLY_INJURIES} injuries.` : "";
  /** @type {(face: string) => (root: HTMLElement) => void} */
  const rolled = (face) => (root) => root.append(make("span", { class: "face" }, portrait(who?.name ?? "")), ring(face));
  switch (kind) {
    case "Frostbitten":
      return who ? { mood: "cold", title: "Frostbite", words: `The cold got in. Each frostbite of ${shortName(who.name)} causes one more wound whenever its player’s turn begins, until it is healed.${count}`, draw: rolled("frostbite") } : null;
    case "Wounded":
      // A frostbite wounds too, at the beginning of a turn, and then no die was rolled.
      return who && before.some(([cause]) => ROLLED.has(cause)) ? { mood: "bad", title: "A wound", words: `${shortName(who.name)} is wounded.${count}`, draw: rolled("wound") } : null;
    case "Bitten":
      return { mood: "bad", title: "Bitten", words: who ? `${shortName(who.name)} dies, and the bite may spread to those nearby.` : "A child dies, and the bite may spread.", draw: rolled("bite") };
    case "Crossroad":
      return { mood: "plain", title: "The road forks", words: stage.fates?.find(({ id }) => id === first)?.text ?? "A card of fate." };
    case "GameEnd":
      return first ? { mood: "good", title: "You made it", words: "The colony has survived." } : { mood: "bad", title: "Lost", words: "The colony has fallen." };
    default:
      return null;
  }
}

/** The faces of the infection die as a ring; it turns until the face that was rolled is on top. @param {string} rolled */
function ring(rolled) {
  const faces = INFECTION_FACES;
  const last = faces.lastIndexOf(rolled);
  const slices = faces.map((face, at) => {
    const turn = (at * 360) / faces.length;
    const sign = face === "" ? [] : [draw("svg", { x: -7, y: -91, width: 14, height: 14, class: "sign" }, icon(face === "bite" ? "zombie" : face))];
    return draw("g", { class: `slice ${face || "harmless"}${at === last ? " top" : ""}`, transform: `rotate(${turn})` }, path("M-22 -94 A97 97 0 0 1 22 -94 L16 -72 A74 74 0 0 0 -16 -72 Z", "currentColor"), ...sign);
  });
  const wheel = draw("g", { class: "wheel" }, ...slices);
  wheel.style.setProperty("--to", `${-(last * 360) / faces.length - 1080}deg`);
  return draw("svg", { viewBox: "-104 -104 208 208", class: "infection-ring" }, circle(0, 0, 62, "#0b1524"), wheel);
}

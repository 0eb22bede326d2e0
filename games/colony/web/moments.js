// Events of the colony that deserve a moment of their own, and what events sound like.

import { draw, make } from "/web/dom.js";
import { circle, path, portrait, random, short } from "./art.js";
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
  /** @type {(face: string) => (root: HTMLElement, words: HTMLElement) => void} */
  const rolled = (face) => (root, words) => {
    const hurts = picture && at >= 0 ? picture.characters[at] : null;
    const pips = Array.from({ length: DEADLY_INJURIES }, (_, pip) => (pip < (hurts?.wounds ?? 0) ? "wound" : pip < injuries ? "frostbite" : ""));
    const about = [make("b", {}, who ? who.name.split(",")[0] : "A child"), make("span", { class: "injuries" }, ...pips.map((kind) => make("i", { class: kind }, ...(kind ? [icon(kind)] : []))))];
    root.append(make("span", { class: "face" }, portrait(who?.name ?? "boy"), ...(face === "bite" ? about.slice(0, 1) : about)), ring(face), ...(face === "frostbite" ? [frost()] : []));
    words.append(key(face));
  };
  switch (kind) {
    case "Frostbitten":
      return who ? { mood: "cold", title: "Frostbite", words: `The cold got in. Each frostbite of ${shortName(who.name)} causes one more wound whenever its player’s turn begins, until it is healed.${count}`, draw: rolled("frostbite") } : null;
    case "Wounded":
      // A frostbite wounds too, at the beginning of a turn, and then no die was rolled.
      return who && before.some(([cause]) => ROLLED.has(cause)) ? { mood: "bad", title: "A wound", words: `${shortName(who.name)} is wounded.${count}`, draw: rolled("wound") } : null;
    case "Bitten":
      return { mood: "bad", title: "Bitten", words: who ? `${shortName(who.name)} dies, and the bite may spread to those nearby.` : "A child dies, and the bite may spread.", draw: rolled("bite") };
    case "Crossroad": {
      const fate = stage.fates?.find(({ id }) => id === first)?.text ?? "A card of fate.";
      // A vote has a scene of its own.
      return fate.includes("a vote") ? null : { mood: "plain", title: "The road forks", words: fate };
    }
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
  return draw("svg", { viewBox: "-104 -104 208 208", class: `infection-ring rolled-${rolled}` }, circle(0, 0, 98, "#081627", { opacity: 0.88 }), wheel, ...dodecahedron(rolled));
}

/** The die itself, the rolled face towards the reader. @param {string} rolled */
function dodecahedron(rolled) {
  /** @type {(radius: number, tenths: number) => string} */
  const at = (radius, tenths) => `${short(radius * Math.sin((tenths * Math.PI) / 5))} ${short(-radius * Math.cos((tenths * Math.PI) / 5))}`;
  const sides = [0, 2, 4, 6, 8].map((one) => path(`M${at(38, one)}L${at(66, one)}L${at(66, one + 1)}L${at(66, one + 2)}L${at(38, one + 2)}z`, "currentColor", { class: "side", opacity: [1, 0.75, 0.55, 0.65, 0.9][one / 2] }));
  const front = path(`M${[0, 2, 4, 6, 8].map((one) => at(38, one)).join("L")}z`, "#eaf6ff");
  return [circle(0, 0, 66, "#0b1524"), ...sides, front, draw("svg", { x: -18, y: -18, width: 36, height: 36, class: "front" }, icon(rolled === "bite" ? "zombie" : rolled))];
}

/** How many faces the die has of each kind. @param {string} rolled */
function key(rolled) {
  const words = { "": "nothing", wound: "wound", frostbite: "frostbite", bite: "bite: death, and it spreads" };
  const rows = Object.entries(words).map(([face, text]) => make("li", { class: `infection-key ${face || "harmless"}${face === rolled ? " on" : ""}` }, `${text} · ${INFECTION_FACES.filter((one) => one === face).length} of ${INFECTION_FACES.length}`));
  return make("ul", {}, ...rows);
}

/** Frost that creeps in from the edges. */
function frost() {
  const next = random(11);
  let line = "";
  /** @type {(x: number, y: number, angle: number, length: number, depth: number) => void} */
  const twig = (x, y, angle, length, depth) => {
    const [toX, toY] = [x + Math.cos(angle) * length, y + Math.sin(angle) * length];
    line += `M${Math.round(x)} ${Math.round(y)}L${Math.round(toX)} ${Math.round(toY)}`;
    for (let at = 1; depth > 0 && at <= 3; at += 1)
      for (const side of [-1, 1]) if (next() < 0.8) twig(x + ((toX - x) * at) / 3.4, y + ((toY - y) * at) / 3.4, angle + side * 1.05, length * (0.42 - 0.08 * at + 0.1 * next()), depth - 1);
  };
  const [width, height] = [innerWidth, innerHeight];
  for (let one = 0; one < 44; one += 1) {
    const [edge, share] = [Math.floor(next() * 4), next()];
    const [x, y, angle] = [[share * width, -8, 1.57], [width + 8, share * height, 3.14], [share * width, height + 8, -1.57], [-8, share * height, 0]][edge];
    twig(x, y, angle + (next() - 0.5) * 0.9, Math.min(width, 900) * 0.07 + (2 * share - 1) ** 2 * next() * Math.min(width, 900) * 0.2, 2);
  }
  return draw("svg", { class: "frost", width, height }, path(line, "none", { stroke: "#dff1ff", "stroke-width": 2, "stroke-linecap": "round", opacity: 0.6 }));
}

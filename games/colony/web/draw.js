// Draws a picture of the colony: figures at the top, the map with its places, then the players and what was hidden.

import { called, capital, make, name, say, shapes, stylesheet, toggle } from "/web/dom.js";
import { begin, bind, hold, watch } from "/web/draw/bind.js";
import { crest } from "./art.js";
import { cardColour, cardPicture } from "./cards.js";
import { icon } from "./draw-icons.js";
import { places } from "./draw-places.js";
import { players } from "./draw-players.js";
import { hidden } from "./draw-hidden.js";
import { targets } from "./targets.js";
import { mealLabel, moraleLabel, starvationLabel, wasteLabel } from "./labels.js";

/** @import { Picture, Stage } from "./types.js" */

await Promise.all([stylesheet(new URL("draw.css", import.meta.url)), shapes(new URL("shapes.svg", import.meta.url))]);

/** Finished games can be exported as scripts. */
export const scripts = true;

export { hint, rules, sign } from "./how.js";

/** @type {import("/web/types.js").DrawingModule["table"]} */
export const table = async (...all) => (await import("./table.js")).table(...all);

/** @type {import("/web/types.js").DrawingModule["beside"]} */
export const beside = async (...all) => (await import("./scenes.js")).strangers(...all);

/** @type {import("/web/types.js").DrawingModule["seatSign"]} */
export const seatSign = (seat) => make("span", { class: `owner p${seat % 8}`, "aria-hidden": "true" }, crest(seat));

export { moment, sound } from "./moments.js";
export { headline, turningPoint } from "./story.js";

/**
 * @param {HTMLElement} root
 * @param {Stage} stage
 */
export function create(root, stage) {
  /** @type {Picture | null} */
  let shown = null;
  const parts = [figures(stage), places(stage), players(stage), hidden(stage)];
  root.replaceChildren(make("div", { class: "colony" }, ...parts.map((part) => part.node)));
  return {
    /** @param {Picture} picture */
    draw(picture) {
      shown = picture;
      begin();
      for (const part of parts) part.draw(picture);
    },
    /** @param {Record<string, any>} command */
    targets: (command) => targets(command, stage, shown),
  };
}

/** @type {Record<string, string>} */
const PHASES = {
  registration: "Registration",
  preparation: "Preparation",
  turns: "Turns",
  colony: "Colony phase",
  over: "Over",
};

/** @param {Stage} stage */
function figures(stage) {
  const node = make("div", { class: "figures" });
  /** @type {((picture: Picture) => void)[]} */
  const writes = [];
  /** @typedef {"round" | "morale" | "food" | "waste" | "starvation" | "children"} Figure */
  /** @type {(key: Figure, label: string, note: (value: number, picture: Picture) => string, sign?: string) => void} */
  const figure = (key, label, words, sign) => {
    const value = make("b");
    const note = make("small");
    node.append(make("div", { class: `figure ${key}` }, ...(sign ? [icon(sign)] : []), make("span", { class: "label" }, label), value, note));
    const write = bind(value, `/${key}`);
    writes.push((picture) => {
      write(picture[key]);
      say(note, words(picture[key], picture));
    });
  };

  const phase = make("b");
  const turn = make("span", { class: "turn" });
  const writePhase = bind(phase, "/phase", (to, value) => say(to, PHASES[value] ?? value));
  const writeTurn = bind(turn, "/player", () => {});
  node.append(make("div", { class: "figure phase" }, make("span", { class: "label" }, "Phase"), phase, turn));
  writes.push((picture) => {
    writePhase(picture.phase);
    writeTurn(picture.player);
    const now = picture.players[picture.player ?? -1];
    name(turn, now ? `${now.name}’s turn` : "", 24);
  });

  figure("round", "Round", () => `of ${stage.rounds}`);
  const moons = make("span", { class: "moons", "aria-hidden": "true" }, ...Array.from({ length: Math.min(stage.rounds, 12) }, () => make("i")));
  node.lastElementChild?.append(moons);
  const wane = watch((/** @type {number} */ round) => [...moons.children].forEach((moon, at) => (moon.className = at + 1 < round ? "past" : at + 1 === round ? "now" : "")));
  writes.push(({ round }) => wane(round));
  figure("morale", "Morale", moraleLabel, "flame");
  figure("food", "Food", (_, picture) => mealLabel(picture, stage), "food");
  figure("waste", "Waste", wasteLabel, "stuff");
  figure("starvation", "Starvation", starvationLabel, "dead");
  figure("children", "Children", () => "in colony", "child");
  writes.push(crisis(stage, node));
  node.append(make("p", { class: "goal" }, "Goal: ", called(stage.goal ?? "", 200)));
  writes.push(news(stage, node));
  return { node, draw: (/** @type {Picture} */ picture) => writes.forEach((write) => write(picture)) };
}

/**
 * The crisis of the round, and the cards that players gave to it.
 * @param {Stage} stage
 * @param {HTMLElement} node
 * @returns {(picture: Picture) => void}
 */
function crisis(stage, node) {
  const [text, given, note, pic] = [make("b"), make("span", { class: "given" }), make("small"), make("span", { class: "wanted" })];
  const box = make("div", { class: "figure crisis" }, pic, make("span", { class: "label" }, "Crisis"), text, given, note);
  node.append(box);
  /** @param {number | null} at */
  const crisisAt = (at) => (at === null ? null : stage.crises[at]);
  const writeCrisis = bind(text, "/crisis", (to, at) => {
    const one = crisisAt(at);
    to.replaceChildren(...(one ? [icon(one.kind), ` ${one.needed} × ${one.kind}`] : ["none"]));
    pic.replaceChildren(...(one ? [cardPicture(one.kind)] : []));
    box.style.setProperty("--kind", cardColour(one?.kind ?? ""));
  });
  const writeGiven = bind(given, "/contributed", () => {});
  const drawGiven = watch((/** @type {number | null} */ at, /** @type {number} */ contributed) => {
    const needed = crisisAt(at)?.needed ?? 0;
    const pips = Array.from({ length: Math.min(12, Math.max(needed, contributed)) }, (_, pip) =>
      make("i", { class: pip < contributed ? (pip < needed ? "pip full" : "pip full over") : "pip" }),
    );
    given.replaceChildren(...pips, make("span", {}, needed ? `${contributed} of ${needed}` : ""));
    const isMet = needed > 0 && contributed >= needed;
    toggle(box, "data-met", isMet);
    say(note, isMet ? "met" : needed ? `else morale ${String(crisisAt(at)?.morale).replace("-", "−")}` : "");
  });
  return (picture) => {
    writeCrisis(picture.crisis);
    writeGiven(picture.contributed);
    drawGiven(picture.crisis, picture.contributed);
  };
}

/**
 * Votes, fate cards and the outcome: a line for each that there is.
 * @param {Stage} stage
 * @param {HTMLElement} node
 * @returns {(picture: Picture) => void}
 */
function news(stage, node) {
  const box = make("div", { class: "news" });
  node.append(box);
  /** @type {(pointer: string, words: (value: any) => string) => { text: HTMLElement, write: (value: unknown) => void, writeText: (value: unknown) => void }} */
  const line = (pointer, words) => {
    const text = make("p");
    const write = bind(text, pointer, () => {});
    const writeText = watch((/** @type {unknown} */ value) => name(text, words(value), 300));
    return { text, write, writeText };
  };
  const outcome = line("/outcome", capital);
  outcome.text.className = "outcome";
  const fate = line("/crossroad", (value) => `Fate: ${stage.fates?.[value]?.text ?? value}`);
  const choice = line("/choice", (value) => `The vote: ${value}`);
  const vote = line("/vote", (asked) => `${asked} is asked to vote.`);
  return (picture) => {
    /** @type {HTMLElement[]} */
    const lines = [];
    /** @type {(one: ReturnType<typeof line>, value: unknown, words?: unknown) => void} */
    const put = (one, value, words = value) => {
      one.write(value);
      if (value === null || value === undefined) return;
      one.writeText(words);
      lines.push(one.text);
    };
    put(outcome, picture.outcome);
    put(fate, picture.crossroad);
    put(choice, picture.choice);
    put(vote, picture.vote, picture.players[picture.vote ?? -1]?.name ?? picture.vote);
    hold(box, lines);
  };
}

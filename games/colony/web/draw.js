// How a picture of the colony is drawn: figures above, the map with its places, then the players and what was hidden.

import { called, make, name, say, toggle } from "../dom.js";
import { begin, bind, hold, watch } from "../draw/bind.js";
import { icon } from "./draw-icons.js";
import { places } from "./draw-places.js";
import { players } from "./draw-players.js";
import { hidden } from "./draw-hidden.js";

// The looks are part of the module: it counts as loaded when they are there.
await new Promise((ready) => {
  const link = make("link", { rel: "stylesheet", href: new URL("draw.css", import.meta.url).pathname });
  link.onload = link.onerror = ready;
  document.head.append(link);
});

/** A finished game can be had as a script. */
export const scripts = true;

export function create(root, stage) {
  const parts = [figures(stage), places(stage), players(stage), hidden(stage)];
  root.replaceChildren(make("div", { class: "colony" }, ...parts.map((part) => part.node)));
  return {
    draw(picture) {
      begin();
      for (const part of parts) part.draw(picture);
    },
  };
}

const PHASES = {
  registration: "Registration",
  preparation: "Preparation",
  turns: "Turns",
  colony: "Colony phase",
  over: "Over",
};

function figures(stage) {
  const node = make("div", { class: "figures" });
  const writes = [];
  const figure = (key, label, { sign, more } = {}) => {
    const value = make("b");
    const note = make("small");
    const box = make("div", { class: `figure ${key}` }, make("span", { class: "label" }, ...(sign ? [icon(sign)] : []), label), value, note);
    node.append(box);
    const write = bind(value, `/${key}`);
    const noted = watch((picture) => say(note, more(picture)));
    writes.push((picture) => {
      write(picture[key]);
      if (more) noted({ [key]: picture[key] });
    });
    return box;
  };

  const phase = make("b");
  const turn = make("span", { class: "turn" });
  const writePhase = bind(phase, "/phase", (to, value) => say(to, PHASES[value] ?? value));
  const writeTurn = bind(turn, "/player", () => {});
  node.append(make("div", { class: "figure phase" }, make("span", { class: "label" }, "Phase"), phase, turn));
  writes.push((picture) => {
    writePhase(picture.phase);
    writeTurn(picture.player);
    const now = picture.players[picture.player];
    name(turn, now ? `${now.name}’s turn` : "", 24);
  });

  figure("round", "Round", { more: () => `of ${stage.rounds}` });
  figure("morale", "Morale", { more: ({ morale }) => (morale <= 0 ? "lost" : morale <= 2 ? "low" : "lost at 0") });
  figure("food", "Food", { sign: "food", more: () => "in stock" });
  figure("waste", "Waste", { sign: "stuff", more: ({ waste }) => (waste >= 10 ? `−${Math.floor(waste / 10)} morale` : "harmful at 10") });
  figure("starvation", "Starvation", { more: ({ starvation }) => (starvation > 0 ? `−${starvation} morale` : "tokens") });
  figure("children", "Children", { sign: "child", more: () => "in colony" });
  writes.push(crisis(stage, node));
  node.append(make("p", { class: "goal" }, "Goal: ", called(stage.goal ?? "", 200)));
  writes.push(news(stage, node));
  return { node, draw: (picture) => writes.forEach((write) => write(picture)) };
}

/** The crisis of the round, and what has been contributed to it. */
function crisis(stage, node) {
  const [text, given, note] = [make("b"), make("span", { class: "given" }), make("small")];
  const box = make("div", { class: "figure crisis" }, make("span", { class: "label" }, "Crisis"), text, given, note);
  node.append(box);
  const of = (at) => (at === null ? null : stage.crises[at]);
  const writeCrisis = bind(text, "/crisis", (to, at) => {
    const one = of(at);
    to.replaceChildren(...(one ? [icon(one.kind), ` ${one.needed} × ${one.kind}`] : ["none"]));
    say(note, one ? `else morale ${String(one.morale).replace("-", "−")}` : "");
  });
  const writeGiven = bind(given, "/contributed", () => {});
  const drawGiven = watch((at, contributed) => {
    const needed = of(at)?.needed ?? 0;
    const pips = Array.from({ length: Math.min(12, Math.max(needed, contributed)) }, (_, pip) =>
      make("i", { class: pip < contributed ? (pip < needed ? "pip full" : "pip full over") : "pip" }),
    );
    given.replaceChildren(...pips, make("span", {}, needed ? `${contributed} of ${needed}` : ""));
    toggle(box, "data-met", needed > 0 && contributed >= needed);
  });
  return (picture) => {
    writeCrisis(picture.crisis);
    writeGiven(picture.contributed);
    drawGiven(picture.crisis, picture.contributed);
  };
}

/** Votes, fate cards and the outcome: a line each, only when there is one. */
function news(stage, node) {
  const box = make("div", { class: "news" });
  node.append(box);
  const line = (pointer, words) => {
    const text = make("p");
    const write = bind(text, pointer, () => {});
    const writeText = watch((...values) => name(text, words(...values) ?? "", 300));
    return { text, write, writeText };
  };
  const outcome = line("/outcome", (value) => value.charAt(0).toUpperCase() + value.slice(1));
  outcome.text.className = "outcome";
  const fate = line("/crossroad", (value) => `Fate: ${stage.fates?.[value]?.text ?? value}`);
  const choice = line("/choice", (value) => `The vote: ${value}`);
  const vote = line("/vote", (asked) => `${asked} is asked to vote.`);
  return (picture) => {
    const lines = [];
    const put = (one, value, ...words) => {
      one.write(value);
      if (value === null || value === undefined) return;
      one.writeText(...words);
      lines.push(one.text);
    };
    put(outcome, picture.outcome, picture.outcome);
    put(fate, picture.crossroad, picture.crossroad);
    put(choice, picture.choice, picture.choice);
    put(vote, picture.vote, picture.players[picture.vote]?.name ?? picture.vote);
    hold(box, lines);
  };
}

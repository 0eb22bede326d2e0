// Moments in which the whole table decides: two survivors of four at the start, and the votes on cards of fate. Before them, who may come.

import { button, called, cut, draw, make } from "/web/dom.js";
import { leaves } from "/web/offers.js";
import { crest, portrait, shape, zombie } from "./art.js";
import { cardPicture } from "./cards.js";
import { icon } from "./draw-icons.js";
import { meal, shortName } from "./labels.js";
import { outside } from "./map-scene.js";
import { refill } from "./refill.js";

/** @import { Hands } from "/web/types.js" */
/** @import { Character, Picture, Stage } from "./types.js" */
/** @import { Leaf, Now } from "./table.js" */

/**
 * @param {Stage} stage
 * @param {Hands} hands
 */
export function scenes(stage, hands) {
  const node = make("section", { class: "scene-over map-colours", hidden: true });
  /** @type {number[]} the survivors who are to be kept */
  let kept = [];
  return {
    node,
    /** @param {Now} now whether a scene is shown */
    show({ picture, offers, seat }) {
      const all = [...leaves(offers)];
      const pairs = all.filter(({ command }) => command.SelectCharacters);
      const votes = all.filter(({ command }) => command.Vote);
      const isVote = picture.phase === "turns" && picture.vote !== null;
      node.hidden = !isVote && picture.phase !== "preparation";
      node.dataset.scene = isVote ? "vote" : "choose";
      node.setAttribute("aria-label", isVote ? "Vote" : "Choose survivors");
      if (node.hidden) return false;
      if (isVote) refill(node, [picture, votes], () => vote(picture, seat, votes, stage, hands));
      else {
        const again = () => {
          kept = kept.filter((one) => pairs.some(({ command }) => command.SelectCharacters.first === one));
          refill(node, [picture.players, picture.player, pairs, kept], () => choose(picture, seat, pairs, kept, { title: offers.title, stage, hands, keep }));
        };
        /** @param {number} id */
        const keep = (id) => {
          kept = kept.includes(id) ? kept.filter((one) => one !== id) : [...kept.slice(-1), id];
          again();
        };
        again();
      }
      return true;
    },
  };
}

const SHOWN_STRANGERS = 8;

/** @type {(seat: number, ...more: (Node | string)[]) => HTMLElement} */
const seatSign = (seat, ...more) => make("div", { class: `seat p${seat % 8}` }, make("span", { class: "owner", "aria-hidden": "true" }, crest(seat)), ...more);

/**
 * @param {Picture} picture
 * @param {number} seat
 * @param {Leaf[]} votes
 * @param {Stage} stage
 * @param {Hands} hands
 */
function vote(picture, seat, votes, stage, hands) {
  const asked = picture.vote ?? -1;
  const fate = stage.fates?.[picture.crossroad ?? -1]?.text ?? "";
  const options = votes.map((offer, at) => {
    const words = cut(offer.label.replace(/^(Yes|No): /, ""), 160);
    const choice = button({ class: at === 0 ? "lamp" : "", "data-key": `vote-${at}`, "data-digit": at + 1, "data-act": "Vote" }, () => hands.take(offer), at === 0 ? "Yes, this" : "No, rather this");
    return make("div", { class: "option" }, omen(words), make("h3", {}, words), make("p", {}, facts(words, picture, stage)), choice);
  });
  const card = make("div", { class: "fate" }, draw("svg", { viewBox: "0 0 216 236", "aria-hidden": "true" }, shape("signpost")), make("b", {}, "Crossroads"), make("small", {}, called(fate, 200)));
  const voters = picture.players.map((player, at) => {
    const state = !player.present ? "has left" : at < asked ? "has voted" : at > asked ? "waits" : at === seat ? "you, now" : "votes";
    const one = seatSign(at, called(player.name, 16), make("small", {}, state));
    if (at === asked) one.dataset.asked = "true";
    return one;
  });
  const heading = make("h2", {}, "The road forks. What shall it be?", make("small", {}, votes.length > 0 ? "The first choice wins a tie · you are asked now" : `The first choice wins a tie · ${cut(picture.players[asked]?.name ?? "", 30)} is asked`));
  const middle = options.length === 2 ? [options[0], card, options[1]] : [card];
  return [heading, ...middle, make("div", { class: "voters", role: "group", "aria-label": "Voters" }, ...voters)];
}

/** A picture for what may happen. @param {string} words */
function omen(words) {
  const all = ["food", "fuel", "medicine", "stuff"].filter((kind) => words.includes(kind)).slice(0, 1).flatMap((kind) => [cardPicture(kind), cardPicture(kind)]);
  const dead = [0, 2].map((kind, at) => draw("svg", { viewBox: "-16 -42 32 46", class: "card-picture" }, zombie(kind, at === 1)));
  return make("div", { class: "omen", "aria-hidden": "true" }, ...(words.includes("zombie") ? dead : all.length > 0 ? all : [icon(words.includes("morale") ? "flame" : words.includes("wound") ? "wound" : "person")]));
}

/** What a choice changes, in numbers. @type {(words: string, picture: Picture, stage: Stage) => string} */
function facts(words, picture, stage) {
  const [, stock, change] = /^(food|morale) ([+-]\d+)$/.exec(words) ?? [];
  if (stock !== "food" && stock !== "morale") return "";
  const after = `${picture[stock]} → ${Math.max(0, picture[stock] + Number(change))}`;
  return stock === "food" ? `Food ${after}. Tonight the colony eats ${meal(picture, stage)}.` : `Morale ${after}.`;
}

/**
 * @param {Picture} picture
 * @param {number} seat
 * @param {Leaf[]} pairs
 * @param {number[]} kept
 * @param {{ title: string, stage: Stage, hands: Hands, keep: (id: number) => void }} context
 */
function choose(picture, seat, pairs, kept, { title, stage, hands, keep }) {
  const seats = picture.players.map((player, at) => {
    const has = player.characters.map((one) => shortName(stage.characters[one].name)).join(", ");
    const state = has ? make("em", { class: "ready" }, icon("check"), has) : make("em", {}, at === picture.player ? "chooses" : "waits");
    const one = seatSign(at, make("b", {}, called(player.name, 20), at === seat ? " (you)" : ""), state);
    if (at === picture.player) one.dataset.asked = "true";
    return one;
  });
  const ids = [...new Set(pairs.map(({ command }) => command.SelectCharacters.first))];
  const four = ids.map((id) => stage.characters.find((one) => one.id === id)).filter((one) => one !== undefined);
  const pair = pairs.find(({ command: { SelectCharacters } }) => SelectCharacters.first === kept[0] && SelectCharacters.second === kept[1]);
  const names = kept.map((id) => shortName(stage.characters.find((one) => one.id === id)?.name ?? ""));
  const take = () => hands.take(pair ?? { label: "Keep", impossible: "Choose two survivors first." });
  const go = button({ class: "lamp", "data-key": "keep", "data-digit": 9, "data-act": "Keep", "aria-disabled": pair ? null : "true" }, take, pair ? `Keep ${names.join(" and ")}` : kept.length === 1 ? `${names[0]}, and who else?` : "Choose two");
  const table = make("div", { class: "seats" }, make("h2", {}, "The table"), make("p", {}, "Each player keeps two of four."), ...seats);
  const chosen = make("div", { class: "four" }, make("h2", {}, "Choose two survivors"), make("p", {}, "These four knocked at the gate. The other two go back into the night."), make("div", { class: "cast" }, ...four.map((one, at) => knocker(one, at, kept.includes(one.id), keep))), go);
  return [outside(), table, four.length > 0 ? chosen : make("div", { class: "four" }, make("h2", {}, title))];
}

/** @type {(about: Character, at: number, isKept: boolean, keep: (id: number) => void) => HTMLElement} */
function knocker(about, at, isKept, keep) {
  const ok = isKept ? [make("span", { class: "ok" }, icon("check"))] : [];
  return button({ class: "knocker", "data-key": `keep-${about.id}`, "data-digit": at + 1, "aria-pressed": String(isKept) }, () => keep(about.id), ...ok, ...facets(about));
}

/** What a survivor is good at. @param {Pick<Character, "attack" | "search" | "status">} about */
export function values({ attack, search, status }) {
  /** @type {(sign: string, words: string, title: string) => HTMLElement} */
  const value = (sign, words, title) => make("span", { title }, icon(sign), make("span", { class: "unseen" }, `${title} `), words);
  return make("span", { class: "values" }, value("sword", `${attack}+`, "attack"), value("eye", `${search}+`, "search"), value("star", String(status), "status"));
}

/** What is on the card of a character. @param {Character} about */
function facets({ name, status, attack, search, ability }) {
  const [first, trade] = name.split(", ");
  return [portrait(name), make("b", {}, first), make("small", {}, trade ?? "of the town"), values({ attack, search, status }), make("span", { class: "ability" }, icon("star"), called(ability ?? "", 140))];
}

/**
 * Beside the seats of the waiting room: who may come.
 * @param {HTMLElement} root
 * @param {Stage} stage
 */
export function strangers(root, { characters }) {
  const cast = characters.slice(0, SHOWN_STRANGERS).map((one) => make("li", { class: "knocker" }, ...facets(one)));
  for (const one of cast) {
    one.firstElementChild?.setAttribute("viewBox", "0 5 64 37");
    one.firstElementChild?.setAttribute("preserveAspectRatio", "xMidYMin slice");
  }
  root.classList.add("map-colours");
  root.replaceChildren(outside(), make("h2", {}, "Who may come out of the snow"), make("p", {}, `After the start you are dealt four of these ${characters.length}, and keep two.`), make("ul", { class: "cast" }, ...cast));
}

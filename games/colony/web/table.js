// The player's own table: the survivor who acts, the dice, what it can do now, and the hand of cards. What is possible, and why something
// is not, comes from the offers.

import { button, called, make, plural, stylesheet, toggle } from "/web/dom.js";
import { leaves } from "/web/offers.js";
import { portrait } from "./art.js";
import { cardColour, cardPicture, cardWords } from "./cards.js";
import { die, icon } from "./draw-icons.js";
import { DEADLY_INJURIES } from "./labels.js";
import { refill } from "./refill.js";
import { scenes, values } from "./scenes.js";

/** @import { Hands, Offer, Offers, OwnTable } from "/web/types.js" */
/** @import { Character, CharacterPicture, Picture, PlayerPicture, Stage } from "./types.js" */
/** @typedef {{ picture: Picture, offers: Offers, seat: number, chosen: string[], only: string | null, isBusy: boolean }} Now */
/** @typedef {Offer & { command: Record<string, any> }} Leaf */

await stylesheet(new URL("table.css", import.meta.url));

/** What a survivor does, with its sign. @type {[kind: string, name: string, sign: string][]} */
const ACTS = [
  ["Move", "Move", "foot"],
  ["Attack", "Attack", "sword"],
  ["Barricade", "Barricade", "barricade"],
  ["Search", "Search", "eye"],
  ["UseAbility", "Ability", "star"],
  ["CleanWaste", "Clean", "swab"],
];

/**
 * @param {HTMLElement} root
 * @param {Stage} stage
 * @param {Hands} hands
 * @returns {OwnTable}
 */
export function table(root, stage, hands) {
  const [me, dice, acts, hand, end] = ["me", "dice", "acts", "hand", "end"].map((part) => make("div", { class: part }));
  const over = scenes(stage, hands);
  root.append(me, dice, acts, hand, end, over.node);
  const rolled = spentDice();
  return {
    /** @param {Now} now */
    show(now) {
      const { picture, offers, seat, chosen, only, isBusy } = now;
      const player = picture.players[seat];
      if (!player) return false;
      document.querySelectorAll(".panels > .player").forEach((one, at) => toggle(one, "data-you", at === seat));
      root.className = `p${seat % 8}`;
      root.setAttribute("aria-busy", String(isBusy));
      const isScene = over.show(now);
      const own = player.characters.filter((at) => picture.characters[at]?.life === "alive");
      const all = [...leaves(offers)];
      const mine = own.find((at) => chosen[0] === `character-${stage.characters[at].id}`);
      const card = chosen[0]?.startsWith("card-") ? Number(chosen[0].slice(5)) : null;
      const who = mine ?? own[0];
      // A survivor acts from the beginning, so that the map shows where it can go.
      if (who !== undefined && mine === undefined && card === null && all.some(({ command }) => command.EndTurn)) hands.choose([`character-${stage.characters[who].id}`]);
      const about = who === undefined ? null : { ...stage.characters[who], ...picture.characters[who] };
      refill(me, [about, own, seat], () => (about ? survivor(about, own, stage, hands) : []));
      refill(dice, [rolled(picture, seat)], () => [make("span", {}, "Your dice: the smallest that is high enough is spent"), ...rolled(picture, seat).map(({ value, isSpent }) => drawDie(value, isSpent))]);
      const id = about?.id;
      refill(acts, [all, offers.title, id, only, card, player.dice, isScene], () => (isScene || id === undefined ? [] : ACTS.map((act, at) => tile(act, at, all, { about, now, hands }))));
      refill(hand, [player.hand, all, card, only, isScene], () => cards(player, all, { card, only, stage, hands }));
      const ending = all.find(({ command }) => command.EndTurn);
      refill(end, [ending, player.dice, isScene], () => (ending && !isScene ? [ender(ending, player.dice?.length ?? 0, hands)] : []));
      return isScene || ending !== undefined || offers.offers.length === 0;
    },
  };
}

/**
 * The dice of the turn: those that are left, then those that were spent while the page looked.
 * @returns {(picture: Picture, seat: number) => { value: number, isSpent: boolean }[]}
 */
function spentDice() {
  let turn = "";
  /** @type {number[]} */
  let last = [];
  /** @type {number[]} */
  let spent = [];
  return ({ round, players }, seat) => {
    const dice = players[seat]?.dice ?? [];
    if (turn !== `${round}` || dice.length > last.length) [turn, spent] = [`${round}`, []];
    else if (dice.length < last.length) {
      const rest = [...dice];
      for (const value of last) {
        const at = rest.indexOf(value);
        if (at < 0) spent.push(value);
        else rest.splice(at, 1);
      }
    }
    last = dice;
    return [...dice.map((value) => ({ value, isSpent: false })), ...spent.map((value) => ({ value, isSpent: true }))];
  };
}

/** @type {(value: number, isSpent: boolean) => SVGElement} */
function drawDie(value, isSpent) {
  const node = die(value);
  if (isSpent) {
    node.classList.add("spent");
    node.setAttribute("aria-label", `${value}, spent`);
  }
  return node;
}

/**
 * Who acts, and the other survivors of the player.
 * @param {Character & CharacterPicture} about
 * @param {number[]} own
 * @param {Stage} stage
 * @param {Hands} hands
 */
function survivor({ id, name, status, attack, search, ability, place, wounds, frostbites }, own, stage, hands) {
  const [first, trade] = name.split(", ");
  const hurts = Array.from({ length: DEADLY_INJURIES }, (_, at) => {
    const kind = at < wounds ? "wound" : at < wounds + frostbites ? "frostbite" : "";
    return make("i", { class: kind }, ...(kind ? [icon(kind)] : []));
  });
  const faces = own.map((at) => {
    const one = stage.characters[at];
    return button({ "data-key": `who-${at}`, "aria-pressed": String(one.id === id), "aria-label": one.name, title: one.name }, () => hands.choose([`character-${one.id}`]), portrait(one.name));
  });
  return [
    make("div", { class: "face" }, portrait(name)),
    make("h2", {}, called(first, 24), make("small", {}, [trade, stage.places[place]?.name].filter(Boolean).join(" · "))),
    values({ attack, search, status }),
    make("p", { class: "injuries" }, ...hurts, `${wounds + frostbites} of ${DEADLY_INJURIES} injuries`),
    make("p", { class: "ability" }, icon("star"), called(ability ?? "", 120)),
    make("div", { class: "own", role: "group", "aria-label": "Your survivors" }, ...faces),
  ];
}

/**
 * Something that the survivor can do, or why it cannot.
 * @param {typeof ACTS[number]} act
 * @param {number} at
 * @param {Leaf[]} all
 * @param {{ about: (Character & CharacterPicture) | null, now: Now, hands: Hands }} context
 */
function tile([kind, title, sign], at, all, { about, now: { picture, offers, only, chosen, seat }, hands }) {
  const id = about?.id;
  const ways = all.filter(({ command }) => command[kind]?.character === id);
  const possible = ways.filter((offer) => !offer.impossible);
  const dice = picture.players[seat]?.dice ?? [];
  const needed = kind === "Attack" ? about?.attack : kind === "Search" ? about?.search : 1;
  const lowest = Math.min(...dice.filter((value) => value >= (needed ?? 7)));
  const why = possible.length > 0 ? null : (reason(ways, picture, about) ?? offers.title);
  const cost = kind === "Move" ? "roll" : (kind === "Attack" || kind === "Search") && Number.isFinite(lowest) ? `die ${lowest}` : "";
  const words = {
    Move: plural(possible.length, "way"),
    Attack: plural(possible.length, "gate"),
    Barricade: plural(possible.length, "gate"),
    Search: plural(picture.places[about?.place ?? -1]?.cards ?? 0, "card"),
    UseAbility: about?.ability ?? "",
    CleanWaste: `${picture.waste} waste`,
  }[kind];
  const isOn = only === kind && chosen[0] === `character-${id}`;
  const attributes = { class: "act", "data-key": kind, "data-digit": at + 1, "data-act": kind, "aria-disabled": why ? "true" : null, "aria-pressed": why ? null : String(isOn) };
  const act = () => {
    if (why) hands.take({ label: title, impossible: why });
    else if (possible.length === 1) hands.take(possible[0]);
    else hands.choose([`character-${id}`], isOn ? null : kind);
  };
  const hidden = why ? [make("span", { class: "why", "aria-hidden": "true" }, why)] : [];
  return button(attributes, act, icon(sign), make("b", {}, title), make("u", {}, why ? "" : cost), make("small", {}, why ?? words ?? ""), ...hidden);
}

/**
 * Why none of the ways is possible: what most of them say. Gates without zombies say nothing about an attack, if there are others.
 * @type {(ways: Leaf[], picture: Picture, about: CharacterPicture | null) => string | undefined}
 */
function reason(ways, picture, about) {
  const gates = picture.places[about?.place ?? -1]?.entrances ?? [];
  const fights = ways.filter(({ command }) => gates[command.Attack?.entrance]?.zombies > 0);
  const said = (fights.length > 0 ? fights : ways).map(({ impossible }) => impossible);
  /** @param {string | undefined} words */
  const count = (words) => said.filter((one) => one === words).length;
  return said.toSorted((one, other) => count(other) - count(one))[0];
}

/**
 * The hand. Cards of one kind lie on each other; a raised card has what it can do above it.
 * @param {PlayerPicture} player
 * @param {Leaf[]} all
 * @param {{ card: number | null, only: string | null, stage: Stage, hands: Hands }} context
 */
function cards({ hand }, all, { card: raised, only, stage, hands }) {
  /** @type {Map<string, number[]>} */
  const sorts = new Map();
  for (const at of hand ?? []) sorts.set(stage.cards[at].text, [...(sorts.get(stage.cards[at].text) ?? []), at]);
  // Many cards are narrower, so that the middle of each can be seen.
  const wide = Math.max(72, Math.min(104, 168 - 8 * sorts.size));
  return [...sorts.values()].map((same, at) => {
    const ways = all.filter(({ command }) => same.some((one) => (command.UseCard ?? command.ContributeCard)?.card === stage.cards[one].id));
    const id = (ways[0]?.command.UseCard ?? ways[0]?.command.ContributeCard)?.card ?? stage.cards[same[0]].id;
    const about = stage.cards[same[0]];
    const { name, effect } = cardWords(about);
    const isUp = raised === id;
    const mark = same.length > 1 ? [make("i", {}, `×${same.length}`)] : [];
    const raise = () => hands.choose(isUp || ways.length === 0 ? [] : [`card-${id}`]);
    const card = button({ class: "card", "data-key": `card-${id}`, "data-card": id, "aria-pressed": String(isUp), title: about.text }, raise, make("b", {}, make("span", {}, name), ...mark), cardPicture(about.kind), make("small", {}, effect));
    card.style.setProperty("--kind", cardColour(about.kind));
    const node = make("div", { class: isUp ? "held up" : "held" }, card);
    node.style.setProperty("--at", String(at - (sorts.size - 1) / 2));
    node.style.setProperty("--wide", `${wide}px`);
    if (isUp) node.append(make("div", { class: "uses", role: "group", "aria-label": name }, ...uses(ways, only, `card-${id}`, hands)));
    return node;
  });
}

/** @type {(ways: Leaf[], only: string | null, card: string, hands: Hands) => HTMLElement[]} */
function uses(ways, only, card, hands) {
  /** @type {[kind: string, words: string, look: string][]} */
  const kinds = [["ContributeCard", "Give to the crisis", "give"], ["UseCard", "Play it", "use"]];
  return kinds.flatMap(([kind, words, look]) => {
    const these = ways.filter(({ command }) => command[kind]);
    const possible = these.filter((offer) => !offer.impossible);
    if (these.length === 0) return [];
    const why = possible.length > 0 ? null : (these[0].impossible ?? "");
    const use = () => {
      if (why) hands.take({ label: words, impossible: why });
      else if (these.length > 1) hands.choose([card], only === kind ? null : kind);
      else hands.take(possible[0]);
    };
    const attributes = { class: look, "data-key": kind, "data-act": kind, "aria-disabled": why ? "true" : null, "aria-pressed": these.length > 1 ? String(only === kind) : null };
    return [button(attributes, use, make("b", {}, words), ...(why ? [make("small", {}, why)] : []))];
  });
}

/** @type {(ending: Leaf, left: number, hands: Hands) => HTMLElement} */
function ender(ending, left, hands) {
  const end = () => hands.take(ending, left > 0 ? `End your turn with ${left === 1 ? "a die" : `${left} dice`} left?` : undefined);
  return button({ class: "lamp", "data-key": "end", "data-digit": 9, "data-act": "EndTurn" }, end, "End turn");
}

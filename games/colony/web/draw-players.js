// Survivors as tokens on the map, and a panel per player with survivors, hand and dice.

import { called, make, name, plural, say, toggle } from "/web/dom.js";
import { bind, hold, watch } from "/web/draw/bind.js";
import { crest, portrait } from "./art.js";
import { die, icon } from "./draw-icons.js";
import { DEADLY_INJURIES, shortName } from "./labels.js";

/** @import { Card, Character, CharacterPicture, Picture, PlayerPicture, Stage } from "./types.js" */

const HUES = 8;

/**
 * A token with the survivor's name, owner, injuries and equipment. `grave` replaces it after the survivor's death.
 * @param {Character} character
 * @param {number} at
 * @param {Card[]} cards
 */
export function survivor(character, at, cards) {
  const label = called(shortName(character.name), 14);
  const owner = make("span", { class: "owner" });
  const [wounds, frostbites] = [make("span", { class: "hurt wound" }), make("span", { class: "hurt frostbite" })];
  const worn = make("span", { class: "worn" });
  const plate = make("span", { class: "plate" }, owner, label);
  const node = make("div", { class: "survivor", "data-target": `character-${character.id}` }, portrait(character.name), plate, make("span", { class: "hurts" }, wounds, frostbites), worn);
  const grave = make("span", { class: "grave" }, icon("dead"), called(character.name, 24));
  const pointer = `/characters/${at}`;
  /** @type {(kind: string, one: string) => (to: HTMLElement, value: number) => void} */
  const many = (kind, one) => (to, value) => {
    to.replaceChildren(...Array.from({ length: value }, () => icon(kind)));
    to.title = plural(value, one);
  };
  const writes = {
    place: bind(node, `${pointer}/place`, () => {}),
    wounds: bind(wounds, `${pointer}/wounds`, many("wound", "wound")),
    frostbites: bind(frostbites, `${pointer}/frostbites`, many("frostbite", "frostbite")),
    moved: bind(label, `${pointer}/moved`, () => {}),
    owner: bind(owner, `${pointer}/owner`, () => {}),
    life: bind(grave, `${pointer}/life`, () => {}),
  };
  /** @param {CharacterPicture["worn"][number]} item */
  const wear = ({ card, used }) => {
    const one = cards[card];
    const words = `${one?.text ?? `card ${card}`}${used ? ", used this round" : ""}`;
    return make("span", { class: used ? "item used" : "item", title: words, role: "img", "aria-label": `wears ${words}` }, icon(one?.kind ?? "card"));
  };
  const writeWorn = bind(worn, `${pointer}/worn`, (to, /** @type {CharacterPicture["worn"]} */ items) => to.replaceChildren(...items.map(wear)));
  const about = watch((/** @type {number} */ hurts, /** @type {boolean} */ moved, /** @type {string} */ whose, /** @type {number | null} */ ownerAt) => {
    node.className = `survivor p${(ownerAt ?? 0) % HUES}`;
    toggle(node, "data-moved", moved);
    owner.replaceChildren(crest(ownerAt ?? 0));
    owner.title = whose.slice(0, 60);
    node.setAttribute("aria-label", `${character.name}, of ${whose.slice(0, 40)}, ${hurts} of ${DEADLY_INJURIES} injuries${moved ? ", has moved" : ""}`);
    node.title = `${character.name}: status ${character.status}, attack ${character.attack}, search ${character.search}. ${character.ability ?? ""}${moved ? " Has moved." : ""}`;
  });
  node.setAttribute("role", "group");
  return {
    node,
    grave,
    /**
     * @param {CharacterPicture} now
     * @param {PlayerPicture[]} players
     */
    draw(now, players) {
      writes.life(now.life);
      if (now.life !== "alive") return;
      writes.place(now.place);
      writes.wounds(now.wounds);
      writes.frostbites(now.frostbites);
      writes.moved(now.moved);
      writes.owner(now.owner);
      writeWorn(now.worn);
      about(now.wounds + now.frostbites, now.moved, players[now.owner ?? -1]?.name ?? "no player", now.owner);
    },
  };
}

/** @param {Stage} stage */
export function players(stage) {
  const row = make("div", { class: "panels" });
  const node = make("section", { class: "players", "aria-label": "Players" }, row);
  /** @type {ReturnType<typeof panel>[]} */
  const panels = [];
  return {
    node,
    /** @param {Picture} picture */
    draw(picture) {
      while (panels.length < picture.players.length) panels.push(panel(stage, panels.length));
      hold(row, panels.slice(0, picture.players.length).map((one) => one.node));
      picture.players.forEach((player, at) => panels[at].draw(player, picture));
    },
  };
}

/**
 * @param {Stage} stage
 * @param {number} at
 */
function panel(stage, at) {
  const pointer = `/players/${at}`;
  const [label, mark] = [make("bdi", { class: "name" }), make("span", { class: "mark" })];
  const [dice, hand, own] = [make("span", { class: "dice", role: "img" }), make("ul", { class: "hand" }), make("ul", { class: "own" })];
  const [held, short] = [make("span", { class: "held" }), make("span", { class: "short", "aria-hidden": "true" })];
  const sign = make("span", { class: "owner", "aria-hidden": "true" }, crest(at));
  const node = make("article", { class: `player p${at % HUES}` }, make("header", {}, sign, make("h3", {}, label), mark, dice), own, held, short, hand);
  const writeName = bind(label, `${pointer}/name`, (to, value) => {
    name(to, value, 24);
  });
  const writePresent = bind(mark, `${pointer}/present`, () => {});
  const writeDice = bind(dice, `${pointer}/dice`, (to, /** @type {number[] | null} */ values) => {
    to.replaceChildren(...(values ?? []).map(die));
    to.setAttribute("aria-label", `dice ${(values ?? []).join(", ") || "none"}`);
  });
  const writeHand = bind(hand, `${pointer}/hand`, (to, /** @type {number[] | null} */ cards) => {
    to.replaceChildren(...(cards ?? []).map((card) => cardItem(stage.cards[card], card)));
    say(held, cards?.length ? `${plural(cards.length, "card")} in hand` : "no cards in hand");
  });
  const count = watch((/** @type {number} */ cards, /** @type {number} */ rolled) => short.replaceChildren(icon("card"), String(cards), die(2), String(rolled)));
  const writeOwn = bind(own, `${pointer}/characters`, () => {});
  const drawOwn = watch((/** @type {{ character: number, life?: string, place: number }[]} */ lines) => {
    own.replaceChildren(
      ...lines.map(({ character, life, place }) => {
        const who = stage.characters[character] ?? { name: `character ${character}`, ability: null };
        const where = make("span", { class: "where" }, called(life === "dead" ? "dead" : (stage.places[place]?.name ?? ""), 30));
        const numbers = make("small", {}, `status ${who.status} · attack ${who.attack} · search ${who.search}`);
        const skill = make("span", { class: "ability" }, numbers, " · ", called(who.ability ?? "", 160));
        return make("li", { class: life }, portrait(who.name), called(who.name, 40), where, skill);
      }),
    );
  });
  const about = watch((/** @type {boolean} */ turn, /** @type {boolean} */ asked, /** @type {boolean} */ present) => {
    toggle(node, "data-turn", turn);
    toggle(node, "data-gone", !present);
    say(mark, !present ? "has left" : asked ? "votes" : turn ? "plays" : "");
  });
  return {
    node,
    /**
     * @param {PlayerPicture} player
     * @param {Picture} picture
     */
    draw(player, picture) {
      writeName(player.name);
      writePresent(player.present);
      writeDice(player.dice);
      writeHand(player.hand);
      writeOwn(player.characters);
      count(player.hand?.length ?? 0, player.dice?.length ?? 0);
      drawOwn(player.characters.map((character) => ({ character, life: picture.characters[character]?.life, place: picture.characters[character]?.place })));
      about(picture.player === at, picture.vote === at, player.present);
    },
  };
}

/**
 * A card as an item of a list. Its title says what it does.
 * @param {Card | undefined} card
 * @param {number} at
 */
export function cardItem(card, at) {
  const text = card?.text ?? `card ${at}`;
  return make("li", { class: "card", title: text }, icon(card?.kind ?? "card"), make("span", { "data-target": card ? `card-${card.id}` : null }, called(text.split(": ")[0], 40)));
}

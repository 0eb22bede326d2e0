// Survivors as tokens for the map, and a panel per player with survivors, hand and dice.

import { called, make, name, say, toggle } from "../dom.js";
import { bind, hold, watch } from "../draw/bind.js";
import { die, icon } from "./draw-icons.js";

const HUES = 8;
const DEADLY = 3;

/** A token: who it is, whose, how hurt, what it wears. `grave` stands for it once it is dead. */
export function survivor(character, at, cards) {
  const label = called(character.name, 30);
  const owner = make("span", { class: "owner" });
  const [wounds, frostbites, whole] = [make("span", { class: "hurt wound" }), make("span", { class: "hurt frostbite" }), make("span", { class: "whole" })];
  const worn = make("span", { class: "worn" });
  const node = make("div", { class: "survivor" }, owner, label, make("span", { class: "hurts" }, wounds, frostbites, whole), worn);
  const grave = make("span", { class: "grave" }, icon("dead"), called(character.name, 24));
  const pointer = `/characters/${at}`;
  const many = (kind, one) => (to, value) => {
    to.replaceChildren(...Array.from({ length: value }, () => icon(kind)));
    to.title = `${value} ${one}${value === 1 ? "" : "s"}`;
  };
  const writes = {
    place: bind(node, `${pointer}/place`, () => {}),
    wounds: bind(wounds, `${pointer}/wounds`, many("wound", "wound")),
    frostbites: bind(frostbites, `${pointer}/frostbites`, many("frostbite", "frostbite")),
    moved: bind(label, `${pointer}/moved`, () => {}),
    owner: bind(owner, `${pointer}/owner`, () => {}),
    life: bind(grave, `${pointer}/life`, () => {}),
  };
  const writeWorn = bind(worn, `${pointer}/worn`, (to, items) => to.replaceChildren(...items.map(wear)));
  const wear = ({ card, used }) => {
    const one = cards[card];
    const words = `${one?.text ?? `card ${card}`}${used ? ", used this round" : ""}`;
    return make("span", { class: used ? "item used" : "item", title: words, role: "img", "aria-label": `wears ${words}` }, icon(one?.kind ?? "card"));
  };
  const about = watch((hurts, moved, whose, ownerAt) => {
    node.className = `survivor p${(ownerAt ?? 0) % HUES}`;
    toggle(node, "data-moved", moved);
    say(owner, tag(whose));
    owner.title = whose.slice(0, 60);
    whole.replaceChildren(...Array.from({ length: Math.max(0, DEADLY - hurts) }, () => make("i")));
    node.setAttribute("aria-label", `${character.name}, of ${whose.slice(0, 40)}, ${hurts} of ${DEADLY} injuries${moved ? ", has moved" : ""}`);
    node.title = `${character.name}: status ${character.status}, attack ${character.attack}, search ${character.search}. ${character.ability ?? ""}${moved ? " Has moved." : ""}`;
  });
  node.setAttribute("role", "group");
  return {
    node,
    grave,
    draw(now, players) {
      writes.life(now.life);
      if (now.life !== "alive") return;
      for (const key of ["place", "wounds", "frostbites", "moved", "owner"]) writes[key](now[key]);
      writeWorn(now.worn);
      about(now.wounds + now.frostbites, now.moved, players[now.owner]?.name ?? "nobody", now.owner);
    },
  };
}

export function players(stage) {
  const row = make("div", { class: "panels" });
  const node = make("section", { class: "players", "aria-label": "Players" }, row);
  const panels = [];
  return {
    node,
    draw(picture) {
      while (panels.length < picture.players.length) panels.push(panel(stage, panels.length));
      hold(row, panels.slice(0, picture.players.length).map((one) => one.node));
      picture.players.forEach((player, at) => panels[at].draw(player, picture, at));
    },
  };
}

function panel(stage, at) {
  const pointer = `/players/${at}`;
  const [label, mark] = [make("bdi", { class: "name" }), make("span", { class: "mark" })];
  const [dice, hand, own] = [make("span", { class: "dice" }), make("ul", { class: "hand" }), make("ul", { class: "own" })];
  const held = make("span", { class: "held" });
  const short = make("span", { class: "owner", "aria-hidden": "true" });
  const node = make("article", { class: `player p${at % HUES}` }, make("header", {}, short, make("h3", {}, label), mark, dice), own, held, hand);
  const writeName = bind(label, `${pointer}/name`, (to, value) => {
    name(to, value, 24);
    say(short, tag(value));
  });
  const writePresent = bind(mark, `${pointer}/present`, () => {});
  const writeDice = bind(dice, `${pointer}/dice`, (to, values) => {
    to.replaceChildren(...(values ?? []).map(die));
    to.setAttribute("aria-label", `dice ${(values ?? []).join(", ") || "none"}`);
  });
  const writeHand = bind(hand, `${pointer}/hand`, (to, cards) => {
    to.replaceChildren(...(cards ?? []).map((card) => cardItem(stage.cards[card], card)));
    say(held, cards?.length ? `${cards.length} ${cards.length === 1 ? "card" : "cards"} in hand` : "no cards in hand");
  });
  const writeOwn = bind(own, `${pointer}/characters`, () => {});
  const drawOwn = watch((lines) => {
    own.replaceChildren(
      ...lines.map(({ character, life, place }) => {
        const who = stage.characters[character] ?? { name: `character ${character}` };
        const where = make("span", { class: "where" }, called(life === "dead" ? "dead" : (stage.places[place]?.name ?? ""), 30));
        const numbers = make("small", {}, `status ${who.status} · attack ${who.attack} · search ${who.search}`);
        const skill = make("span", { class: "ability" }, numbers, " · ", called(who.ability ?? "", 160));
        return make("li", { class: life }, called(who.name, 40), where, skill);
      }),
    );
  });
  const about = watch((turn, asked, present) => {
    toggle(node, "data-turn", turn);
    toggle(node, "data-gone", !present);
    say(mark, !present ? "has left" : asked ? "is asked to vote" : turn ? "has the turn" : "");
  });
  return {
    node,
    draw(player, picture) {
      writeName(player.name);
      writePresent(player.present);
      writeDice(player.dice);
      writeHand(player.hand);
      writeOwn(player.characters);
      drawOwn(player.characters.map((character) => ({ character, life: picture.characters[character]?.life, place: picture.characters[character]?.place })));
      about(picture.player === at, picture.vote === at, player.present);
    },
  };
}

/** A card as an item of a list: what it is; what it does is its title. */
export function cardItem(card, at) {
  const text = card?.text ?? `card ${at}`;
  return make("li", { class: "card", title: text }, icon(card?.kind ?? "card"), called(text.split(": ")[0], 40));
}

/** A name in two signs: “Mira” is Mi, “bot 4” is B4. */
function tag(whose) {
  const [first = "?", second = ""] = whose.match(/\p{L}|\p{N}/gu) ?? [];
  return first.toUpperCase() + (whose.match(/(\d)\s*$/)?.[1] ?? second);
}

// The map: the colony in the middle, the other places around it, each with its entrances and survivors.

import { called, capital, make, plural, say } from "/web/dom.js";
import { bind, hold } from "/web/draw/bind.js";
import { icon } from "./draw-icons.js";
import { survivor } from "./draw-players.js";
import { ENTRANCE_SPACES, entranceLabel } from "./labels.js";

/** @import { EntrancePicture, Picture, Place, PlacePicture, Stage } from "./types.js" */

/** @param {Stage} stage */
export function places(stage) {
  const all = stage.places.map((place, at) => makePlace(place, at, at === stage.colony));
  const others = all.filter((_, at) => at !== stage.colony);
  const half = Math.ceil(others.length / 2);
  /** @type {(side: string, some: { node: HTMLElement }[]) => HTMLElement} */
  const row = (side, some) => make("div", { class: `side ${side}` }, ...some.map((place) => place.node));
  const survivors = stage.characters.map((character, at) => survivor(character, at, stage.cards));
  const fallen = make("p", { class: "fallen" });
  const node = make(
    "section",
    { class: "map", "aria-label": "Map" },
    row("north", others.slice(0, half)),
    all[stage.colony]?.node ?? "",
    row("south", others.slice(half)),
    fallen,
  );
  return {
    node,
    /** @param {Picture} picture */
    draw(picture) {
      /** @type {HTMLElement[][]} */
      const there = stage.places.map(() => []);
      /** @type {HTMLElement[]} */
      const dead = [];
      picture.characters.forEach((character, at) => {
        survivors[at].draw(character, picture.players);
        if (character.life === "alive") there[character.place]?.push(survivors[at].node);
        if (character.life === "dead") dead.push(survivors[at].grave);
      });
      all.forEach((place, at) => place.draw(picture.places[at], there[at], picture));
      hold(fallen, dead);
    },
  };
}

/**
 * @param {Place} place
 * @param {number} at
 * @param {boolean} colony
 */
function makePlace(place, at, colony) {
  const cards = make("span", { class: "count" });
  const deck = make("span", { class: "deck", role: "img" }, icon("card"), cards);
  const people = make("div", { class: "people" });
  const here = make("span");
  const free = make("span", { class: "spaces", title: "survivors here, and how many have room", hidden: place.spaces === null }, icon("person"), here);
  const children = make("span", { class: "children" });
  const doors = make("div", { class: "doors" });
  const entrances = Array.from({ length: place.entrances }, (_, door) => entrance(at, door));
  doors.append(...entrances.map((door) => door.node));
  const head = make("header", {}, make("h3", {}, called(colony ? capital(place.name) : place.name, 40)), colony ? children : deck, free);
  const node = make("article", { class: colony ? "place home" : "place" }, head, doors, people);
  const writeCards = bind(cards, `/places/${at}/cards`, (to, value) => {
    say(to, value);
    deck.title = `${plural(value, "card")} left to find`;
    deck.setAttribute("aria-label", deck.title);
  });
  const writeChildren = bind(children, "/children", (to, value) => {
    to.replaceChildren(...Array.from({ length: Math.min(value, 10) }, () => icon("child")), ` ${plural(value, "child", "children")}`);
  });
  return {
    node,
    /**
     * @param {PlacePicture} now
     * @param {HTMLElement[]} survivors
     * @param {Picture} picture
     */
    draw(now, survivors, picture) {
      if (colony) writeChildren(picture.children);
      else writeCards(now.cards);
      now.entrances.forEach((entrance, door) => entrances[door]?.draw(entrance));
      hold(people, survivors);
      say(here, `${survivors.length} of ${place.spaces}`);
    },
  };
}

/**
 * A row of spaces, each with a zombie, a barricade or nothing.
 * @param {number} place
 * @param {number} door
 */
function entrance(place, door) {
  const at = `/places/${place}/entrances/${door}`;
  /** @param {string} kind */
  const group = (kind) => {
    const icons = Array.from({ length: ENTRANCE_SPACES }, () => icon(kind));
    const node = make("span", { class: `group ${kind}` });
    return { node, fill: (/** @type {number} */ many) => hold(node, icons.slice(0, Math.max(0, many))) };
  };
  const [zombies, barricades, free] = [group("zombie"), group("barricade"), group("free")];
  const number = make("span", { class: "door-number", "aria-hidden": "true" }, String(door));
  const node = make("div", { class: "door", role: "img" }, number, zombies.node, barricades.node, free.node);
  const writeZombies = bind(zombies.node, `${at}/zombies`, (_, value) => zombies.fill(value));
  const writeBarricades = bind(barricades.node, `${at}/barricades`, (_, value) => barricades.fill(value));
  let shown = "";
  return {
    node,
    /** @param {EntrancePicture} now */
    draw(now) {
      writeZombies(now.zombies);
      writeBarricades(now.barricades);
      const words = entranceLabel(door, now);
      if (words === shown) return;
      shown = words;
      free.fill(ENTRANCE_SPACES - now.zombies - now.barricades);
      node.setAttribute("aria-label", words);
      node.title = words;
      node.classList.toggle("overrun", now.zombies === ENTRANCE_SPACES);
    },
  };
}

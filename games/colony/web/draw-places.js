// The map: the land, and on it the places with their entrances, and the survivors, who walk from place to place.

import { called, capital, draw, make, plural, say, toggle } from "/web/dom.js";
import { bind, hold } from "/web/draw/bind.js";
import { child, ellipse, hash, path, shape, zombie } from "./art.js";
import { icon } from "./draw-icons.js";
import { survivor } from "./draw-players.js";
import { ENTRANCE_SPACES, entranceLabel } from "./labels.js";
import { gates, layout, standing } from "./map-layout.js";
import { hill, scene, yard } from "./map-scene.js";

/** @import { Layout, Spot } from "./map-layout.js" */
/** @import { EntrancePicture, Picture, Place, PlacePicture, Stage } from "./types.js" */

/** The width before the page is laid out. */
const USUAL_WIDTH = 960;

/** @param {Stage} stage */
export function places(stage) {
  const all = stage.places.map((place, at) => makePlace(place, at, at === stage.colony));
  const survivors = stage.characters.map((character, at) => survivor(character, at, stage.cards));
  const fallen = make("p", { class: "fallen" });
  const land = make("div", { class: "ground" });
  const people = make("div", { class: "people" });
  const map = make("div", { class: "map" }, land, ...all.map((place) => place.node), people);
  const node = make("section", { class: "places", "aria-label": "Map" }, make("h2", { class: "unseen" }, "Map"), map, fallen);
  /** @type {Layout} */
  let where = layout(stage.places.length - 1, USUAL_WIDTH);
  /** @type {SVGGElement[]} */
  let lit = [];
  /** @type {Picture | null} */
  let last = null;

  /** @param {number} place */
  const spotOf = (place) => (place === stage.colony ? where.centre : where.spots[place < stage.colony ? place : place - 1]);

  /** @param {number} width @param {number} [fill] */
  const arrange = (width, fill) => {
    where = layout(stage.places.length - 1, width, fill);
    map.style.height = `${where.height}px`;
    toggle(map, "data-compact", where.compact);
    // Another width of the page makes no survivor walk.
    toggle(map, "data-still", true);
    requestAnimationFrame(() => requestAnimationFrame(() => toggle(map, "data-still", false)));
    const drawn = scene(stage, where);
    lit = drawn.lit;
    land.replaceChildren(drawn.svg);
    all.forEach((place, at) => place.arrange(spotOf(at), where.compact));
    if (last) stand(last);
  };

  /** @param {Picture} picture */
  const stand = (picture) => {
    stage.places.forEach((_, place) => {
      const here = survivors.filter((_, at) => picture.characters[at].life === "alive" && picture.characters[at].place === place);
      const spot = spotOf(place);
      const feet = standing(here.length, place === stage.colony, where.compact);
      here.forEach((one, at) => {
        one.node.style.translate = `${Math.round(spot.x + feet[at].x * spot.scale)}px ${Math.round(spot.y + feet[at].y * spot.scale)}px`;
        one.node.style.zIndex = String(Math.round(spot.y + feet[at].y));
      });
      lit[place].classList.toggle("lit", here.length > 0 || place === stage.colony);
      all[place].count(here.length);
    });
  };

  // The first observation comes before the first frame is painted.
  let shown = "";
  new ResizeObserver(([entry]) => {
    const width = Math.round(entry.contentRect.width);
    const fill = node.closest("[data-fills]") ? Math.round(entry.contentRect.height) : undefined;
    if (width === 0 || shown === `${width} ${fill}`) return;
    shown = `${width} ${fill}`;
    arrange(width, fill);
  }).observe(node);
  arrange(USUAL_WIDTH);

  return {
    node,
    /** @param {Picture} picture */
    draw(picture) {
      last = picture;
      /** @type {HTMLElement[]} */
      const alive = [];
      /** @type {HTMLElement[]} */
      const dead = [];
      picture.characters.forEach((character, at) => {
        survivors[at].draw(character, picture.players);
        if (character.life === "alive") alive.push(survivors[at].node);
        if (character.life === "dead") dead.push(survivors[at].grave);
      });
      stand(picture);
      hold(people, alive);
      all.forEach((place, at) => place.draw(picture.places[at], picture));
      hold(fallen, dead);
    },
  };
}

/**
 * The sign with the name of a place, and its entrances.
 * @param {Place} place
 * @param {number} at
 * @param {boolean} isHome
 */
function makePlace(place, at, isHome) {
  const cards = make("span", { class: "count" });
  const deck = make("span", { class: "deck", role: "img" }, icon("card"), cards);
  const here = make("span");
  const free = make("span", { class: "spaces", title: "survivors here, and how many have room", hidden: place.spaces === null }, icon("person"), here);
  const children = make("span", { class: "deck" });
  const playing = make("span", { class: "playing", "aria-hidden": "true" });
  const entrances = Array.from({ length: place.entrances }, (_, door) => entrance(at, door, isHome, place));
  const head = make("div", { class: "sign", "data-target": `place-${place.id}` }, make("h3", {}, called(isHome ? capital(place.name) : place.name, 40)), isHome ? children : deck, free);
  const reach = draw("svg", { class: "reach", width: 1, height: 1, "aria-hidden": "true" });
  const node = make("article", { class: isHome ? "place home" : "place" }, reach, head, ...(isHome ? [playing] : []), ...entrances.map((door) => door.node));
  const writeCards = bind(cards, `/places/${at}/cards`, (to, value) => {
    say(to, value);
    deck.title = `${plural(value, "card")} left to find`;
    deck.setAttribute("aria-label", deck.title);
  });
  const writeChildren = bind(children, "/children", (to, value) => {
    const shown = Math.min(value, 8);
    const figures = Array.from({ length: shown }, (_, one) => draw("g", { transform: `translate(${8 + one * 14} ${26 - (one % 2) * 4})` }, child(one)));
    playing.replaceChildren(draw("svg", { viewBox: `0 0 ${16 + shown * 14} 30`, width: 16 + shown * 14, height: 30 }, ...figures));
    to.replaceChildren(icon("child"), plural(value, "child", "children"));
  });
  return {
    node,
    /** @param {number} many survivors */
    count: (many) => say(here, `${many} of ${place.spaces}`),
    /** @type {(spot: Spot, compact: boolean) => void} */
    arrange(spot, compact) {
      node.style.translate = `${Math.round(spot.x)}px ${Math.round(spot.y)}px`;
      head.style.translate = `-50% ${Math.round((isHome ? (compact ? 62 : 108) : compact ? 46 : 82) * spot.scale)}px`;
      const { rx, ry } = yard(compact);
      reach.replaceChildren(draw("g", { transform: `scale(${spot.scale})` }, isHome ? ellipse(0, 0, rx * 1.08, ry * 1.09, "none") : path(hill(compact).outline, "none")));
      playing.style.translate = `${Math.round((compact ? -84 : -152) * spot.scale)}px ${Math.round((compact ? -6 : -10) * spot.scale)}px`;
      gates(place.entrances, isHome, compact).forEach(({ x, y }, door) => entrances[door].arrange(x * spot.scale, y * spot.scale, compact));
    },
    /** @type {(now: PlacePicture, picture: Picture) => void} */
    draw(now, picture) {
      if (isHome) writeChildren(picture.children);
      else writeCards(now.cards);
      now.entrances.forEach((entrance, door) => entrances[door]?.draw(entrance));
    },
  };
}

/** From one space of an entrance to the next. */
const STEP = 28;

/**
 * A gate with three spaces, each with a zombie, a barricade or nothing.
 * @param {number} place
 * @param {number} door
 * @param {boolean} isHome
 * @param {Place} about
 */
function entrance(place, door, isHome, about) {
  const seed = hash(about.name);
  const at = `/places/${place}/entrances/${door}`;
  const isFlipped = isHome && door % 2 === 1;
  const spaces = Array.from({ length: ENTRANCE_SPACES }, (_, space) => {
    const free = ellipse(0, -1, 9, 4, "none", { class: "free" });
    return draw("g", { class: "space", transform: `translate(${(space - 1) * STEP} 0)` }, free, zombie(seed + door * 3 + space, isFlipped), shape("barricade", { class: "barricade" }));
  });
  const snow = ellipse(0, 0, STEP * 1.7, 9, "var(--track)", { class: "trodden" });
  const svg = draw("svg", { viewBox: "-48 -42 96 54", "aria-hidden": "true" }, snow, ...spaces);
  const number = make("span", { class: "door-number", "aria-hidden": "true" }, String(door));
  const node = make("div", { class: "door", role: "img", "data-target": `door-${about.id}-${door}` }, number, svg);
  const writeZombies = bind(node, `${at}/zombies`, () => {});
  const writeBarricades = bind(svg, `${at}/barricades`, () => {});
  let shown = "";
  return {
    node,
    /** @type {(x: number, y: number, compact: boolean) => void} */
    arrange(x, y, compact) {
      node.style.translate = `calc(${Math.round(x)}px - 50%) calc(${Math.round(y)}px - ${compact ? 87 : 78}%)`;
    },
    /** @param {EntrancePicture} now */
    draw(now) {
      writeZombies(now.zombies);
      writeBarricades(now.barricades);
      const words = entranceLabel(door, now);
      if (words === shown) return;
      shown = words;
      spaces.forEach((space, one) => (space.dataset.has = one < now.zombies ? "zombie" : one < now.zombies + now.barricades ? "barricade" : "free"));
      node.setAttribute("aria-label", words);
      node.title = words;
      toggle(node, "data-overrun", now.zombies === ENTRANCE_SPACES);
    },
  };
}

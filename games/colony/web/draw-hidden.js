// What no player knew: the order of the cards, and so what would have been drawn next.

import { called, make, toggle } from "/web/dom.js";
import { bind } from "/web/draw/bind.js";
import { cardItem } from "./draw-players.js";

/** @import { Hidden, Picture, Stage } from "./types.js" */

const FEW = 6;

/** @param {Stage} stage */
export function hidden(stage) {
  const grid = make("div", { class: "decks" });
  const node = make("details", { class: "hidden-panel" }, make("summary", {}, "Hidden during the game: what comes next"), grid);
  /** @type {(words: (at: number) => string) => (at: number) => HTMLElement} */
  const plain = (words) => (at) => make("li", { class: "card" }, called(words(at), 90));
  /** @param {number} at */
  const card = (at) => cardItem(stage.cards[at], at);
  const crisis = plain((at) => (stage.crises[at] ? `${stage.crises[at].needed} × ${stage.crises[at].kind}, else morale ${stage.crises[at].morale}` : `crisis ${at}`));
  const fate = plain((at) => stage.fates?.[at]?.text ?? `fate ${at}`);
  const character = plain((at) => stage.characters[at]?.name ?? `character ${at}`);

  const decks = [
    ...stage.places.map((place, at) => deck(`Cards: ${place.name}`, `/hidden/cards/${at}`, (secret) => secret.cards?.[at], card)),
    deck("Crises", "/hidden/crises", (secret) => secret.crises, crisis),
    deck("Fate cards", "/hidden/fates", (secret) => secret.fates, fate),
    deck("Survivors still out there", "/hidden/unused", (secret) => secret.unused, character),
    deck("Offered to choose from", "/hidden/offered", (secret) => secret.offered, character),
    deck("Fate card of this turn", "/hidden/omen", (secret) => secret.omen, fate),
  ];
  grid.append(...decks.map((one) => one.node));
  node.addEventListener("toggle", () => node.open && last && drawAll(last));
  /** @type {Hidden | null} */
  let last = null;
  /** @param {Hidden} secret */
  const drawAll = (secret) => decks.forEach((one) => one.draw(secret));
  return {
    node,
    /** @param {Picture} picture */
    draw(picture) {
      last = picture.hidden;
      toggle(node, "hidden", !last, "");
      // A closed panel costs nothing.
      if (last && node.open) drawAll(last);
    },
  };
}

/**
 * The next cards of a deck, the first few in full.
 * @param {string} title
 * @param {string} pointer
 * @param {(secret: Hidden) => number[] | number | null | undefined} find
 * @param {(at: number) => HTMLElement} item
 */
function deck(title, pointer, find, item) {
  const cards = make("ol");
  const node = make("div", { class: "hidden-deck" }, make("h4", {}, called(title, 40)), cards);
  const write = bind(cards, pointer, (to, value) => {
    const all = value === null || value === undefined ? [] : Array.isArray(value) ? value : [value];
    node.hidden = all.length === 0;
    const more = all.length - FEW;
    const rest = more > 0 ? [make("li", { class: "more" }, `and ${more} more`)] : [];
    to.replaceChildren(...all.slice(0, FEW).map(item), ...rest);
  });
  return { node, draw: (/** @type {Hidden} */ secret) => write(find(secret) ?? null) };
}

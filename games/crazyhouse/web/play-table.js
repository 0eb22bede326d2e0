// The parts of the play page around the board: seats with clocks, the list of moves, and the form to join.

import { byId, called, field, find, make, say, toggle } from "/web/dom.js";
import { clockText } from "./match.js";
import { other } from "./notation.js";
import { joinChoices } from "./words.js";
import { NAME, stored } from "/web/stored.js";

/** @import { Match } from "./match.js" */
/** @import { Side } from "./notation.js" */

const LOW_MS = 20000;

/** The name, side and clock of a player, above or below the board. */
class Seat {
  /** @type {Side | null} */
  #side = null;
  #shown = "";
  #clock = make("time", { class: "clock", role: "timer" });
  #node;

  /** @param {string} css */
  constructor(css) {
    this.#node = find(document, css);
  }

  /**
   * @param {Match} match
   * @param {Side} side
   * @param {string | null} bot
   */
  show(match, side, bot) {
    const who = match.players[side] ?? bot;
    const now = JSON.stringify([side, who, match.mine, match.clock !== null]);
    if (this.#shown !== now) {
      this.#shown = now;
      this.#side = this.#node.dataset.side = side;
      this.#clock.setAttribute("aria-label", `Clock of ${side}`);
      this.#clock.hidden = !match.clock;
      this.#node.replaceChildren(
        make("span", { class: `stone ${side}`, "aria-hidden": "true" }),
        who ? called(who, 40) : make("i", {}, "no player yet"),
        make("span", { class: "soft" }, match.mine === side ? `${side}, you` : side),
        this.#clock,
      );
    }
    toggle(this.#node, "data-turn", match.running && match.next === side);
    this.tick(match);
  }

  /** @param {Match} match */
  tick(match) {
    const left = this.#side && match.leftMs(this.#side);
    if (left === null) return;
    say(this.#clock, clockText(left));
    toggle(this.#clock, "data-low", left < LOW_MS);
  }
}

export class Seats {
  #top = new Seat(".top-seat");
  #bottom = new Seat(".bottom-seat");

  /**
   * @param {Match} match
   * @param {Record<Side, string | null>} bots
   * @param {boolean} flipped
   */
  show(match, bots, flipped) {
    const bottom = flipped ? "black" : "white";
    this.#top.show(match, other(bottom), bots[other(bottom)]);
    this.#bottom.show(match, bottom, bots[bottom]);
  }

  /** @param {Match} match */
  tick(match) {
    this.#top.tick(match);
    this.#bottom.tick(match);
  }
}

/**
 * Shows the moves in pairs, each a button that leads to the position after it.
 * @param {Match} match
 * @param {number} at the number of the shown move
 */
export function showMoves(match, at) {
  const node = byId("played");
  const first = match.positions[1]?.side === "black" ? 1 : 0;
  // Moves that were taken back, or of another game.
  let same = true;
  for (const button of node.querySelectorAll("[data-at]")) {
    same &&= button.getAttribute("data-move") === match.positions[Number(button.getAttribute("data-at"))]?.text;
    if (!same) button.remove();
  }
  node.querySelector(".result")?.remove();
  for (const row of [...node.children]) if (row.childElementCount === 0) row.remove();
  for (let number = node.querySelectorAll("[data-at]").length + 1; number <= match.last; number += 1) {
    const { text, check, side } = match.positions[number];
    const pair = Math.floor((number - 1 + first) / 2);
    while (node.children.length <= pair) node.append(make("li"));
    const label = `Move ${number}, ${side}: ${text}${check ? ", check" : ""}`;
    const words = [make("span", { class: "san" }), make("small", {}, text + (check ? "+" : ""))];
    node.children[pair].append(make("button", { type: "button", "data-at": number, "data-move": text, "data-side": side, "aria-label": label }, ...words));
  }
  // Chess players' notation comes later, from the host.
  for (const button of node.querySelectorAll("[data-at]")) {
    const san = match.positions[Number(button.getAttribute("data-at"))].san;
    if (san) say(find(button, ".san"), san);
  }
  if (match.outcome) node.append(make("li", { class: "result" }, make("b", {}, match.outcome.result)));
  /** @type {HTMLElement | null} */
  const current = node.querySelector(`[data-at="${at}"]`);
  for (const button of node.querySelectorAll("[aria-current]")) if (button !== current) button.removeAttribute("aria-current");
  if (!current || current.hasAttribute("aria-current")) return;
  current.setAttribute("aria-current", "step");
  // Not scrollIntoView, which would scroll the page as well.
  const { offsetTop, offsetHeight } = current;
  if (offsetTop < node.scrollTop || offsetTop + offsetHeight > node.scrollTop + node.clientHeight) node.scrollTop = offsetTop - node.clientHeight / 2;
}

export class JoinForm {
  #form = byId("join", HTMLFormElement);
  #shown = "";

  /** @param {(name: string, side: Side | null) => void} join */
  constructor(join) {
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      const side = event.submitter instanceof HTMLButtonElement ? event.submitter.value : "";
      join(field(this.#form, "name").value.trim() || "Player", side === "white" || side === "black" ? side : null);
    });
  }

  /**
   * @param {Match} match
   * @param {boolean} isFork
   * @param {Record<Side, string | null>} bots
   */
  show(match, isFork, bots) {
    const { claims, choices } = joinChoices(match, isFork, bots);
    this.#form.hidden = choices.length === 0;
    const now = JSON.stringify([choices, claims]);
    if (this.#shown === now) return;
    this.#shown = now;
    const buttons = choices.map(({ side, text }) => make("button", { class: "primary", "data-side": side ?? "either", value: side ?? "" }, text));
    find(this.#form, ".choices").replaceChildren(...buttons);
    find(this.#form, "label").hidden = claims;
    const name = field(this.#form, "name");
    name.required = !claims;
    name.value ||= stored(NAME) ?? "";
  }
}

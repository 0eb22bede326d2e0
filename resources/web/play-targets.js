// Makes the places of a drawing clickable that offers are about. The drawing marks a place with `data-target`, and says by
// `targets(command)` which places a command is about, in the order in which a player clicks them.

import { offerButton } from "./play-offers.js";
import { button, byId, cut, make, say } from "./dom.js";
import { nextTargets, targeted } from "./offers.js";

/** @import { Drawing, Offer, Offers } from "./types.js" */
/** @import { Targeted } from "./offers.js" */

export class Targets {
  /** @type {string[]} the places that were clicked */
  #chosen = [];
  /** @type {Targeted[]} */
  #all = [];
  /** @type {Map<string, Targeted[]>} */
  #next = new Map();
  /** @type {Drawing | null} */
  #drawing = null;
  #menu = make("div", { class: "target-menu", role: "group", hidden: true });
  #root = byId("board");
  #take;
  #changed;
  /** Whether the rulebook's table shows what a chosen place can do, so that only a choice that is left needs the menu. */
  #hasTable = false;
  /** @type {string | null} the only kind of command that the player looks for */
  #only = null;

  /**
   * @param {(offer: Offer) => void} take
   * @param {() => void} changed is called when the player has chosen something else
   */
  constructor(take, changed) {
    this.#take = take;
    this.#changed = changed;
    this.#root.addEventListener("click", (event) => this.#click(event));
    this.#menu.addEventListener("keydown", (event) => event.key === "Escape" && this.#leave());
    this.#root.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.#chosen.length > 0) {
        event.stopPropagation();
        this.clear();
      } else if ((event.key === "Enter" || event.key === " ") && event.target instanceof Element && event.target.matches("[data-offered]:not(button)")) {
        event.preventDefault();
        this.#click(event);
      }
    });
  }

  /** @param {Drawing} drawing */
  open(drawing, hasTable = false) {
    this.#drawing = drawing;
    this.#hasTable = hasTable;
    byId(hasTable ? "table" : "choices").before(this.#menu);
  }

  get chosen() {
    return this.#chosen;
  }

  get only() {
    return this.#only;
  }

  /**
   * Chooses places, as clicks on them would.
   * @param {string[]} chosen
   * @param {string | null} only the kind of command that is looked for
   */
  choose(chosen, only = null) {
    this.#chosen = chosen;
    this.#only = only;
    this.mark();
    this.#changed();
  }

  /** What can be done at places, of the kind that is looked for. */
  get #open() {
    return this.#only === null ? this.#all : this.#all.filter(({ offer }) => Object.keys(offer.command)[0] === this.#only);
  }

  /**
   * Takes new offers; a choice stays if it still leads somewhere.
   * @param {Offers | null} offers null: nothing can be done now
   */
  show(offers) {
    const drawing = this.#drawing;
    this.#all = offers && drawing?.targets ? targeted(offers, (command) => drawing.targets?.(command) ?? null) : [];
    if (this.#open.length === 0) this.#only = null;
    while (this.#chosen.length > 0 && !this.#all.some(({ targets }) => this.#chosen.every((target, at) => targets[at] === target))) this.#chosen.pop();
    this.mark();
  }

  clear() {
    this.choose([]);
  }

  /** Marks the places that can be clicked now. Must be called after each drawing. */
  mark() {
    this.#next = nextTargets(this.#open, this.#chosen);
    /** @type {NodeListOf<HTMLElement | SVGElement>} */
    const nodes = this.#root.querySelectorAll("[data-target]");
    for (const node of nodes) {
      const target = node.dataset.target ?? "";
      const offered = this.#next.get(target) ?? (this.#chosen.length > 0 ? nextTargets(this.#all, []).get(target) : undefined);
      const isChosen = this.#chosen.includes(target);
      if (!offered && !isChosen) {
        if (node.dataset.offered) unmark(node);
        continue;
      }
      const possible = offered?.some(({ offer }) => !offer.impossible) ?? true;
      node.dataset.offered = isChosen ? "chosen" : !this.#next.has(target) ? "other" : possible ? "yes" : "no";
      if (!(node instanceof HTMLButtonElement)) {
        node.dataset.role ??= node.getAttribute("role") ?? "";
        node.setAttribute("tabindex", "0");
        node.setAttribute("role", "button");
      }
      const what = describe(target, node, offered ?? []);
      node.dataset.what = what;
      // The drawing may have written other words meanwhile.
      const label = node.getAttribute("aria-label") ?? "";
      if (label !== node.dataset.written) node.dataset.says = label;
      node.dataset.written = node.dataset.says ? `${node.dataset.says}: ${what}` : what;
      node.setAttribute("aria-label", node.dataset.written);
      if (!possible) node.setAttribute("aria-disabled", "true");
      else node.removeAttribute("aria-disabled");
    }
    this.#drawMenu();
  }

  /** The commands at the chosen places, as buttons. */
  #drawMenu() {
    const isNeeded = this.#chosen.length > (this.#hasTable && this.#only === null ? 1 : 0);
    const here = this.#open.filter(({ targets }) => isNeeded && targets.length >= this.#chosen.length && this.#chosen.every((target, at) => targets[at] === target));
    const now = JSON.stringify(here);
    this.#menu.hidden = here.length === 0;
    if (this.#menu.dataset.shows === now) return;
    this.#menu.dataset.shows = now;
    const close = button({ class: "close", "aria-label": "Close this menu" }, () => this.#leave(), "×");
    const possible = here.filter(({ offer }) => !offer.impossible);
    const buttons = [...possible, ...here.filter(({ offer }) => offer.impossible)].map(({ offer, words }, at) => {
      const node = offerButton(offer, cut([...new Set([...(this.#only ? [] : [words[0]]), words[words.length - 1]])].join(": "), 120), () => this.#send(offer));
      if (this.#hasTable && at < Math.min(9, possible.length)) {
        node.dataset.digit = String(at + 1);
        node.prepend(make("kbd", { "aria-hidden": "true" }, node.dataset.digit));
      }
      return node;
    });
    this.#menu.replaceChildren(...buttons, close);
    if (this.#hasTable) buttons[0]?.focus();
  }

  /** Closes the menu; the figure that acts stays chosen. */
  #leave() {
    this.choose(this.#hasTable ? this.#chosen.slice(0, 1) : []);
    if (this.#hasTable) byId("table").focus();
  }

  /** @param {Event} event */
  #click(event) {
    const node = event.target instanceof Element ? event.target.closest("[data-offered]") : null;
    if (!(node instanceof HTMLElement || node instanceof SVGElement)) return;
    const target = node.dataset.target ?? "";
    if (this.#chosen.includes(target)) {
      this.clear();
      return;
    }
    // A click on another first place starts again from there.
    if (!this.#next.has(target)) {
      this.#chosen = [];
      this.#only = null;
    }
    const found = nextTargets(this.#open, this.#chosen).get(target) ?? [];
    const ends = found.filter(({ targets }) => targets.length === this.#chosen.length + 1);
    const possible = ends.filter(({ offer }) => !offer.impossible);
    if (found.length === ends.length && possible.length === 1) this.#send(possible[0].offer);
    else if (found.length === ends.length && possible.length === 0 && ends.length === 1) say(byId("said"), ends[0].offer.impossible ?? "");
    else if (found.length > 0) {
      this.choose([...this.#chosen, target], this.#only);
    }
  }

  /** @param {Offer} offer */
  #send(offer) {
    // A table keeps the figure that acts.
    if (!offer.impossible) this.choose(this.#hasTable ? this.#chosen.slice(0, 1) : []);
    this.#take(offer);
    this.mark();
  }
}

/** @param {HTMLElement | SVGElement} node */
function unmark(node) {
  const label = node.getAttribute("aria-label") ?? "";
  const own = label === node.dataset.written ? node.dataset.says : label;
  const role = node.dataset.role;
  for (const attribute of ["data-offered", "data-says", "data-written", "data-what", "data-role", "aria-disabled", "aria-label"]) node.removeAttribute(attribute);
  if (own) node.setAttribute("aria-label", own);
  if (node instanceof HTMLButtonElement) return;
  node.removeAttribute("tabindex");
  node.removeAttribute("role");
  if (role) node.setAttribute("role", role);
}

/**
 * What a click on a place does, in words.
 * @param {string} target
 * @param {Element} node
 * @param {Targeted[]} offered
 */
function describe(target, node, offered) {
  const possible = offered.filter(({ offer }) => !offer.impossible);
  if (possible.length === 1) return possible[0].words.join(", ");
  if (possible.length > 1) return `${possible.length} things to do`;
  return offered[0]?.offer.impossible ?? (node.textContent?.trim() || target);
}

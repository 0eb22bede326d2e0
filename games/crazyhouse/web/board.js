// A board with both pockets: draws a position, and lets a player choose one of the moves that the host allows.

import { draw, find, make, stylesheet, toggle } from "/web/dom.js";
import { Drag } from "./drag.js";
import { FILES, SIDES, heldBy, kindOf, neighbour, pieceName, readBoard, sideOf, squaresOf, targetsOf } from "./notation.js";

/** @import { Side } from "./notation.js" */

/** @type {Record<string, [right: number, up: number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

// The stylesheet and the pieces are part of the module: it counts as loaded when they are there.
const shapes = fetch(new URL("pieces.svg", import.meta.url)).then(async (file) => {
  const { documentElement } = new DOMParser().parseFromString(await file.text(), "image/svg+xml");
  document.body.append(document.importNode(documentElement, true));
});
await Promise.all([stylesheet(new URL("board.css", import.meta.url)), shapes]);

/**
 * The image of a piece.
 * @param {string} letter
 */
function piece(letter) {
  const use = draw("use", { href: `#piece-${kindOf(letter)}` });
  return draw("svg", { viewBox: "0 0 40 40", class: `piece ${sideOf(letter)}`, "data-piece": letter, "aria-hidden": "true" }, use);
}

export class Board {
  flipped = false;
  node = make("div", { class: "crazyhouse-board" });
  /** @type {string | null} the square, or the letter of a piece in the pocket, that the player has chosen */
  #chosen = null;
  /** @type {string[]} */
  #moves = [];
  /** @type {Map<string, HTMLElement>} */
  #squares = new Map();
  #grid = make("div", { class: "squares", role: "grid", "aria-label": "The board" });
  #pockets = { white: pocket("white"), black: pocket("black") };
  /** The square that the keyboard is on. */
  #focus = "e2";
  /** @type {string | null} the square that a piece is dragged over */
  #over = null;
  /** @type {Drag | null} */
  #drag = null;
  #picked;

  /** @param {((move: string) => void) | null} picked takes the move that a player makes; without it, the board is only for looking */
  constructor(picked = null) {
    this.#picked = picked;
    for (const rank of "87654321") for (const file of FILES) this.#squares.set(file + rank, square(file + rank));
    this.#lay();
    if (!picked) return;
    this.node.addEventListener("click", (event) => this.#click(event));
    this.node.addEventListener("keydown", (event) => this.#key(event));
    this.#drag = new Drag({
      node: this.node,
      at: (node) => this.#at(node),
      canDrag: (at) => this.#targets(at).size > 0,
      start: (at) => this.#lift(at),
      hover: (at) => this.#hover(at),
      drop: (from, to) => {
        if (to && this.#targets(from).has(to)) this.#make(`${from}-${to}`);
        else this.#choose(null);
      },
    });
  }

  /** @param {string} name */
  #cell(name) {
    const cell = this.#squares.get(name);
    if (!cell) throw new Error(`there is no square ${name}`);
    return cell;
  }

  /** Arranges squares and pockets for the side at the bottom. */
  #lay() {
    const ranks = this.flipped ? "12345678" : "87654321";
    const files = this.flipped ? [...FILES].reverse() : [...FILES];
    const rows = [...ranks].map((rank, at) => {
      const cells = files.map((file, place) => {
        const cell = this.#cell(file + rank);
        const names = [];
        if (place === 0) names.push(make("span", { class: "coordinate number", "aria-hidden": "true" }, rank));
        if (at === 7) names.push(make("span", { class: "coordinate letter", "aria-hidden": "true" }, file));
        cell.querySelectorAll(".coordinate").forEach((name) => name.remove());
        cell.append(...names);
        return cell;
      });
      return make("div", { role: "row", class: "rank" }, ...cells);
    });
    this.#grid.replaceChildren(...rows);
    const [top, bottom] = this.flipped ? SIDES : [...SIDES].reverse();
    this.node.replaceChildren(this.#pockets[top], this.#grid, this.#pockets[bottom]);
  }

  /** @param {boolean} flipped */
  flip(flipped) {
    if (this.flipped === flipped) return;
    this.flipped = flipped;
    this.#lay();
  }

  /**
   * Shows a position: the board, the last move, and the side that is in check.
   * @param {{ board: string, last?: string | null, check?: Side | null }} position
   */
  show({ board, last = null, check = null }) {
    const { squares, pockets } = readBoard(board);
    const trail = last ? squaresOf(last) : [];
    for (const [name, cell] of this.#squares) {
      const letter = squares.get(name) ?? null;
      if ((cell.dataset.piece ?? null) !== letter) {
        cell.querySelector(".piece")?.remove();
        if (letter) cell.prepend(piece(letter));
        toggle(cell, "data-piece", letter !== null, letter ?? "");
      }
      toggle(cell, "data-last", trail.includes(name));
      toggle(cell, "data-check", letter !== null && kindOf(letter) === "king" && sideOf(letter) === check);
    }
    for (const side of SIDES) this.#fill(side, pockets);
    this.#mark();
  }

  /**
   * @param {Side} side
   * @param {Map<string, number>} pockets
   */
  #fill(side, pockets) {
    const letters = heldBy(side, pockets);
    const held = JSON.stringify(letters.map((letter) => [letter, pockets.get(letter)]));
    const node = this.#pockets[side];
    if (node.dataset.held === held) return;
    node.dataset.held = held;
    node.replaceChildren(
      ...letters.map((letter) =>
        make("button", { type: "button", class: "held", "data-drop": letter }, piece(letter), make("span", { class: "count" }, `×${pockets.get(letter)}`)),
      ),
    );
  }

  /**
   * The moves that the player may choose from now on.
   * @param {string[]} moves
   */
  allow(moves) {
    this.#moves = moves;
    this.#choose(null);
    toggle(this.node, "data-playable", moves.length > 0);
  }

  /** @param {string | null} origin */
  #choose(origin) {
    this.#chosen = origin;
    this.#mark();
  }

  /** @param {string} origin */
  #targets(origin) {
    return targetsOf(this.#moves, origin);
  }

  /** Marks and labels everything that can be chosen. */
  #mark() {
    const origins = new Set(this.#moves.map((text) => text.split("-")[0]));
    const targets = this.#chosen ? this.#targets(this.#chosen) : new Set();
    const playable = this.#moves.length > 0;
    for (const [name, cell] of this.#squares) {
      const letter = cell.dataset.piece;
      toggle(cell, "data-can", origins.has(name));
      toggle(cell, "data-chosen", this.#chosen === name);
      toggle(cell, "data-target", targets.has(name));
      const words = [name, letter ? pieceName(letter) : "empty"];
      if (cell.hasAttribute("data-check")) words.push("in check");
      if (this.#chosen === name) words.push("chosen");
      else if (targets.has(name)) words.push(letter ? "can be taken" : "can be reached");
      else if (origins.has(name)) words.push("can move");
      toggle(cell, "aria-label", true, words.join(", "));
      toggle(cell, "tabindex", Boolean(this.#picked), playable && name === this.#focus ? "0" : "-1");
    }
    for (const held of this.node.querySelectorAll("button")) {
      const letter = held.dataset.drop ?? "";
      const can = origins.has(letter);
      toggle(held, "data-can", can);
      toggle(held, "data-chosen", this.#chosen === letter);
      held.disabled = !can;
      const count = find(held, ".count").textContent?.slice(1);
      held.setAttribute("aria-label", `${count} ${pieceName(letter)}${this.#chosen === letter ? ", chosen" : can ? ", can be dropped" : ""}`);
    }
  }

  /**
   * The square, or the letter of the pocket piece, that a node belongs to.
   * @param {EventTarget | null} node
   */
  #at(node) {
    if (!(node instanceof Element)) return null;
    /** @type {HTMLElement | null} */
    const found = node.closest("[data-square], [data-drop]");
    return found && this.node.contains(found) ? (found.dataset.square ?? found.dataset.drop ?? null) : null;
  }

  /** @param {Event} event */
  #click(event) {
    if (this.#drag?.dragged) return;
    const at = this.#at(event.target);
    if (!at) return;
    if (at.length === 2) this.#focus = at;
    if (this.#chosen && this.#targets(this.#chosen).has(at)) this.#make(`${this.#chosen}-${at}`);
    else if (this.#chosen !== at && this.#targets(at).size > 0) this.#choose(at);
    else this.#choose(null);
  }

  /** @param {string} move */
  #make(move) {
    this.#choose(null);
    this.#picked?.(move);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.key === "Escape" && this.#chosen) {
      this.#choose(null);
      event.stopPropagation();
      return;
    }
    const at = event.target instanceof HTMLElement ? event.target.dataset.square : undefined;
    if (!at) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.#click(event);
      return;
    }
    const by = ARROWS[event.key];
    if (!by || this.#moves.length === 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    const next = neighbour(at, by, this.flipped);
    if (!next) return;
    this.#focus = next;
    this.#mark();
    this.#cell(next).focus();
  }

  /**
   * Starts to drag a piece.
   * @param {string} at
   */
  #lift(at) {
    this.#choose(at);
    const ghost = piece(at.length === 1 ? at : (this.#cell(at).dataset.piece ?? ""));
    ghost.classList.add("ghost");
    const { width } = this.#cell("a1").getBoundingClientRect();
    ghost.style.setProperty("width", `${width}px`);
    ghost.style.setProperty("height", `${width}px`);
    return { ghost, size: width };
  }

  /** @param {string | null} at */
  #hover(at) {
    if (this.#over === at) return;
    if (this.#over) this.#squares.get(this.#over)?.removeAttribute("data-over");
    this.#over = at;
    if (at) this.#squares.get(at)?.setAttribute("data-over", "true");
  }
}

/** @param {Side} side */
function pocket(side) {
  return make("div", { class: "pocket", role: "group", "data-side": side, "aria-label": `Pocket of ${side}` });
}

/** @param {string} name */
function square(name) {
  const dark = (FILES.indexOf(name[0]) + Number(name[1])) % 2 === 1;
  return make("div", { role: "gridcell", class: `square ${dark ? "dark" : "light"}`, "data-square": name });
}

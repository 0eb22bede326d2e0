// A board with both pockets: draws a position, and lets a player choose one of the moves that the host allows.

import { draw, make, say, shapes, stylesheet, toggle } from "/web/dom.js";
import { Arrows } from "./arrows.js";
import { Drag } from "./drag.js";
import { applyBoard } from "./names.js";
import { FILES, SIDES, heldLetters, kindOf, neighbour, pieceName, readBoard, sideOf, squaresOf, targetsOf } from "./notation.js";

/** @import { Side } from "./notation.js" */

/** @type {Record<string, [right: number, up: number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

const SLIDE_MS = 160;
const still = matchMedia("(prefers-reduced-motion: reduce)");

// The stylesheet and the pieces are part of the module: it counts as loaded when they are there.
applyBoard();
await Promise.all([stylesheet(new URL("board.css", import.meta.url)), shapes(new URL("pieces.svg", import.meta.url))]);

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
  #arrows;
  /** @type {Side | null} the side that can plan a move, while the other one thinks */
  #plans = null;
  /** @type {string | null} the planned move */
  #planned = null;
  /** The board that is shown. */
  #shown = "";
  #picked;

  /** @param {((move: string) => void) | null} picked takes the move that a player makes or plans; without it, the board is only for looking */
  constructor(picked = null) {
    this.#picked = picked;
    this.#arrows = new Arrows(this.#grid, (node) => this.#at(node));
    for (const rank of "87654321") for (const file of FILES) this.#squares.set(file + rank, square(file + rank));
    this.#lay();
    if (!picked) return;
    this.node.addEventListener("click", (event) => this.#click(event));
    this.node.addEventListener("keydown", (event) => this.#key(event));
    this.#drag = new Drag({
      node: this.node,
      at: (node) => this.#at(node),
      canDrag: (at) => this.#canLift(at),
      start: (at) => this.#lift(at),
      hover: (at) => this.#hover(at),
      drop: (from, to) => {
        if (to && this.#canPut(from, to)) this.#make(`${from}-${to}`);
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
    this.#grid.replaceChildren(...rows, this.#arrows.node);
    this.#arrows.flip(this.flipped);
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
    const isNew = this.#shown !== "" && board !== this.#shown;
    this.#shown = board;
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
    if (isNew && trail.length === 2) this.#slide(trail[0], trail[1]);
    this.#mark();
  }

  /**
   * Lets the piece that moved slide to its square.
   * @param {string} from
   * @param {string} to
   */
  #slide(from, to) {
    const piece = this.#cell(to).querySelector(".piece");
    if (!piece || still.matches || this.#drag?.dragged) return;
    const [start, end] = [this.#cell(from).getBoundingClientRect(), this.#cell(to).getBoundingClientRect()];
    const by = `translate(${start.x - end.x}px, ${start.y - end.y}px)`;
    piece.animate([{ transform: by, zIndex: 3 }, { transform: "none", zIndex: 3 }], { duration: SLIDE_MS, easing: "ease-out" });
  }

  /**
   * @param {Side} side
   * @param {Map<string, number>} pockets
   */
  #fill(side, pockets) {
    // A pocket always has the same five slots, so that nothing moves under the pointer.
    const node = this.#pockets[side];
    heldLetters(side).forEach((letter, at) => {
      const slot = node.children[at];
      const count = pockets.get(letter) ?? 0;
      toggle(slot, "data-empty", count === 0);
      say(/** @type {HTMLElement} */ (slot.querySelector(".count")), `×${count}`);
    });
  }

  /**
   * Draws moves as arrows, drops as circles.
   * @param {{ move: string, kind: string }[]} moves
   */
  hint(moves) {
    this.#arrows.hint(moves.map(({ move, kind }) => ({ pair: squaresOf(move).slice(-2).join("").padStart(4, squaresOf(move)[0]), kind })));
  }

  /**
   * Marks the squares of a move as good or bad.
   * @param {string | null} move
   * @param {string | null} mark
   */
  judge(move, mark) {
    const squares = move && mark ? squaresOf(move) : [];
    for (const [name, cell] of this.#squares) toggle(cell, "data-mark", squares.includes(name), mark ?? "");
  }

  /**
   * The moves that the player may choose from now on.
   * @param {string[]} moves
   */
  allow(moves) {
    this.#moves = moves;
    if (moves.length > 0) this.#arrows.clear();
    this.#choose(null);
    toggle(this.node, "data-playable", moves.length > 0);
  }

  /**
   * Lets a side plan a move for its next turn.
   * @param {Side | null} side null: nothing can be planned
   * @param {string | null} planned the move that is planned
   */
  plan(side, planned) {
    if (this.#plans === side && this.#planned === planned) return;
    if (this.#plans !== side) this.#chosen = null;
    this.#plans = side;
    this.#planned = planned;
    toggle(this.node, "data-plans", side !== null);
    this.#mark();
  }

  /**
   * Chooses a piece of a pocket by its place, as the keys 1 to 5 do.
   * @param {number} at
   */
  chooseHeld(at) {
    const side = this.#plans ?? (this.#moves.length > 0 ? turnSide(this.#moves, (square) => this.#cell(square).dataset.piece) : null);
    const letter = side && heldLetters(side)[at];
    if (letter && this.#canLift(letter)) this.#choose(this.#chosen === letter ? null : letter);
  }

  /** @param {string} at */
  #isOwn(at) {
    const letter = at.length === 1 ? at : this.#squares.get(at)?.dataset.piece;
    if (!letter || this.#plans === null || sideOf(letter) !== this.#plans) return false;
    return at.length === 2 || !this.#pockets[this.#plans].querySelector(`[data-drop="${letter}"]`)?.hasAttribute("data-empty");
  }

  /** @param {string} at */
  #canLift(at) {
    return this.#plans ? this.#isOwn(at) : this.#targets(at).size > 0;
  }

  /** @type {(from: string, to: string) => boolean} */
  #canPut(from, to) {
    // The host says what is legal when the turn comes.
    return this.#plans ? to.length === 2 && to !== from : this.#targets(from).has(to);
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
    const playable = this.#moves.length > 0 || this.#plans !== null;
    const planned = this.#planned?.split("-") ?? [];
    for (const [name, cell] of this.#squares) {
      const letter = cell.dataset.piece;
      toggle(cell, "data-can", origins.has(name) || this.#isOwn(name));
      toggle(cell, "data-planned", planned.includes(name));
      toggle(cell, "data-chosen", this.#chosen === name);
      toggle(cell, "data-target", targets.has(name));
      const words = [name, letter ? pieceName(letter) : "empty"];
      if (cell.hasAttribute("data-check")) words.push("in check");
      if (this.#chosen === name) words.push("chosen");
      else if (targets.has(name)) words.push(letter ? "can be taken" : "can be reached");
      else if (origins.has(name)) words.push("can move");
      if (planned.includes(name)) words.push("planned");
      toggle(cell, "aria-label", true, words.join(", "));
      toggle(cell, "tabindex", Boolean(this.#picked), playable && name === this.#focus ? "0" : "-1");
    }
    for (const held of this.node.querySelectorAll("button")) {
      const letter = held.dataset.drop ?? "";
      const can = origins.has(letter) || this.#isOwn(letter);
      toggle(held, "data-can", can);
      toggle(held, "data-chosen", this.#chosen === letter);
      toggle(held, "data-planned", planned.includes(letter));
      held.disabled = !can;
      const count = held.querySelector(".count")?.textContent?.slice(1);
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
    this.#arrows.clear();
    const isOther = this.#chosen !== at && this.#canLift(at);
    // In a plan, a click on another own piece chooses that piece; only a drag plans to take back on its square.
    if (this.#chosen && this.#canPut(this.#chosen, at) && !(this.#plans && isOther)) this.#make(`${this.#chosen}-${at}`);
    else if (isOther) this.#choose(at);
    else {
      this.#choose(null);
      if (this.#planned) this.#picked?.("");
    }
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
    if (!by || (this.#moves.length === 0 && this.#plans === null) || event.ctrlKey || event.metaKey || event.altKey) return;
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
  const slots = heldLetters(side).map((letter) =>
    make("button", { type: "button", class: "held", "data-drop": letter, "data-empty": "true" }, piece(letter), make("span", { class: "count" }, "×0")),
  );
  return make("div", { class: "pocket", role: "group", "data-side": side, "aria-label": `Pocket of ${side}` }, ...slots);
}

/**
 * The side whose moves these are.
 * @param {string[]} moves
 * @param {(square: string) => string | undefined} pieceOn
 */
function turnSide(moves, pieceOn) {
  const [origin] = moves[0].split("-");
  const letter = origin.length === 1 ? origin : pieceOn(origin);
  return letter ? sideOf(letter) : null;
}

/** @param {string} name */
function square(name) {
  const dark = (FILES.indexOf(name[0]) + Number(name[1])) % 2 === 1;
  return make("div", { role: "gridcell", class: `square ${dark ? "dark" : "light"}`, "data-square": name });
}

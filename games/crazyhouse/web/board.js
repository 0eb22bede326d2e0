// A board with both pockets: draws a position, and lets somebody choose among moves that it is given. Knows the notation
// and no rules: which moves there are is for others to say.

import { draw, make, toggle } from "../dom.js";

const KINDS = { k: "king", q: "queen", r: "rook", b: "bishop", n: "knight", p: "pawn" };
const HELD = ["q", "r", "b", "n", "p"];
const SIDES = ["white", "black"];
const FILES = "abcdefgh";
const DRAG = 5;

// The looks are part of the module: it counts as loaded when they are there.
const style = new Promise((ready) => {
  const link = make("link", { rel: "stylesheet", href: new URL("board.css", import.meta.url).pathname });
  link.onload = link.onerror = ready;
  document.head.append(link);
});
const shapes = fetch(new URL("pieces.svg", import.meta.url)).then(async (file) => {
  const { documentElement } = new DOMParser().parseFromString(await file.text(), "image/svg+xml");
  document.body.append(document.importNode(documentElement, true));
});
await Promise.all([style, shapes]);

export const sideOf = (letter) => (letter === letter.toUpperCase() ? "white" : "black");
export const pieceName = (letter) => `${sideOf(letter)} ${KINDS[letter.toLowerCase()]}`;
export const other = (side) => (side === "white" ? "black" : "white");

/** A piece by its letter. */
export function piece(letter) {
  const kind = KINDS[letter.toLowerCase()];
  return draw("svg", { viewBox: "0 0 40 40", class: `piece ${sideOf(letter)}`, "data-piece": letter, "aria-hidden": "true" }, draw("use", { href: `#piece-${kind}` }));
}

/** The pieces of a board text by their squares, and how many of each are in the pockets. */
export function read(text) {
  const sections = text.split(" ")[0].split("/");
  const squares = new Map();
  sections.slice(0, 8).forEach((section, at) => {
    let file = 0;
    for (const letter of section) {
      if (/\d/.test(letter)) file += Number(letter);
      else squares.set(`${FILES[file++]}${8 - at}`, letter);
    }
  });
  const pockets = new Map();
  for (const letter of sections[8] ?? "") pockets.set(letter, (pockets.get(letter) ?? 0) + 1);
  return { squares, pockets };
}

export class Board {
  flipped = false;
  chosen = null;
  moves = [];

  /** `picked(text)` is called with a move that somebody has made; without it the board is only looked at. */
  constructor(picked = null) {
    this.picked = picked;
    this.squares = new Map();
    for (const rank of "87654321") for (const file of FILES) this.squares.set(file + rank, this.square(file + rank));
    this.grid = make("div", { class: "squares", role: "grid", "aria-label": "The board" });
    this.pockets = Object.fromEntries(SIDES.map((side) => [side, make("div", { class: "pocket", role: "group", "data-side": side, "aria-label": `Pocket of ${side}` })]));
    this.node = make("div", { class: "crazyhouse-board" });
    this.focus = "e2";
    this.lay();
    if (!picked) return;
    this.node.addEventListener("click", (event) => this.click(event));
    this.node.addEventListener("keydown", (event) => this.key(event));
    this.node.addEventListener("pointerdown", (event) => this.press(event));
    this.node.addEventListener("pointermove", (event) => this.pull(event));
    this.node.addEventListener("pointerup", (event) => this.release(event, true));
    this.node.addEventListener("pointercancel", (event) => this.release(event, false));
  }

  square(name) {
    const dark = (FILES.indexOf(name[0]) + Number(name[1])) % 2 === 1;
    return make("div", { role: "gridcell", class: `square ${dark ? "dark" : "light"}`, "data-square": name });
  }

  /** Puts squares and pockets where they are seen from the side at the bottom. */
  lay() {
    const ranks = this.flipped ? "12345678" : "87654321";
    const files = this.flipped ? [...FILES].reverse() : [...FILES];
    const rows = [...ranks].map((rank, at) => {
      const cells = files.map((file, place) => {
        const cell = this.squares.get(file + rank);
        const names = [];
        if (place === 0) names.push(make("span", { class: "coordinate number", "aria-hidden": "true" }, rank));
        if (at === 7) names.push(make("span", { class: "coordinate letter", "aria-hidden": "true" }, file));
        cell.querySelectorAll(".coordinate").forEach((name) => name.remove());
        cell.append(...names);
        return cell;
      });
      return make("div", { role: "row", class: "rank" }, ...cells);
    });
    this.grid.replaceChildren(...rows);
    const [top, bottom] = this.flipped ? SIDES : [...SIDES].reverse();
    this.node.replaceChildren(this.pockets[top], this.grid, this.pockets[bottom]);
  }

  flip(flipped) {
    if (this.flipped === flipped) return;
    this.flipped = flipped;
    this.lay();
  }

  /** Shows a position: the board text, the last move, and whose king is in check. */
  show({ board, last = null, check = null }) {
    const { squares, pockets } = read(board);
    this.shown = squares;
    const trail = last ? last.split("-").filter((part) => part.length === 2) : [];
    for (const [name, cell] of this.squares) {
      const letter = squares.get(name) ?? null;
      if ((cell.dataset.piece ?? null) !== letter) {
        cell.querySelector(".piece")?.remove();
        if (letter) cell.prepend(piece(letter));
        toggle(cell, "data-piece", letter !== null, letter ?? "");
      }
      toggle(cell, "data-last", trail.includes(name));
      toggle(cell, "data-check", Boolean(check) && letter?.toLowerCase() === "k" && sideOf(letter) === check);
    }
    for (const side of SIDES) this.fill(side, pockets);
    this.mark();
  }

  fill(side, pockets) {
    const letters = HELD.map((kind) => (side === "white" ? kind.toUpperCase() : kind)).filter((letter) => pockets.get(letter));
    const held = JSON.stringify(letters.map((letter) => [letter, pockets.get(letter)]));
    const node = this.pockets[side];
    if (node.dataset.held === held) return;
    node.dataset.held = held;
    node.replaceChildren(
      ...letters.map((letter) =>
        make("button", { type: "button", class: "held", "data-drop": letter }, piece(letter), make("span", { class: "count" }, `×${pockets.get(letter)}`)),
      ),
    );
  }

  /** The moves that may be chosen from now on; none: the board is only looked at. */
  allow(moves) {
    this.moves = moves;
    this.choose(null);
    toggle(this.node, "data-playable", moves.length > 0);
  }

  choose(origin) {
    this.chosen = origin;
    this.mark();
  }

  /** Where a piece can go. */
  targets(origin) {
    return new Set(this.moves.filter((text) => text.startsWith(`${origin}-`)).map((text) => text.split("-")[1]));
  }

  /** Marks and names everything that can be chosen. */
  mark() {
    const origins = new Set(this.moves.map((text) => text.split("-")[0]));
    const targets = this.chosen ? this.targets(this.chosen) : new Set();
    const playable = this.moves.length > 0;
    for (const [name, cell] of this.squares) {
      const letter = cell.dataset.piece;
      toggle(cell, "data-can", origins.has(name));
      toggle(cell, "data-chosen", this.chosen === name);
      toggle(cell, "data-target", targets.has(name));
      const words = [name, letter ? pieceName(letter) : "empty"];
      if (cell.hasAttribute("data-check")) words.push("in check");
      if (this.chosen === name) words.push("chosen");
      else if (targets.has(name)) words.push(letter ? "can be taken" : "can be reached");
      else if (origins.has(name)) words.push("can move");
      toggle(cell, "aria-label", true, words.join(", "));
      toggle(cell, "tabindex", Boolean(this.picked), playable && name === this.focus ? "0" : "-1");
    }
    for (const held of this.node.querySelectorAll(".held")) {
      const letter = held.dataset.drop;
      const can = origins.has(letter);
      toggle(held, "data-can", can);
      toggle(held, "data-chosen", this.chosen === letter);
      held.disabled = !can;
      const count = held.querySelector(".count").textContent.slice(1);
      held.setAttribute("aria-label", `${count} ${pieceName(letter)}${this.chosen === letter ? ", chosen" : can ? ", can be dropped" : ""}`);
    }
  }

  /** The square or the piece of a pocket that a node belongs to. */
  at(node) {
    const found = node?.closest?.("[data-square], [data-drop]");
    return found && this.node.contains(found) ? (found.dataset.square ?? found.dataset.drop) : null;
  }

  click(event) {
    if (this.dragged) return;
    const at = this.at(event.target);
    if (!at) return;
    if (at.length === 2) this.focus = at;
    if (this.chosen && this.targets(this.chosen).has(at)) this.make(`${this.chosen}-${at}`);
    else if (this.chosen !== at && this.targets(at).size > 0) this.choose(at);
    else this.choose(null);
  }

  make(text) {
    this.choose(null);
    this.picked(text);
  }

  key(event) {
    const at = event.target.dataset?.square;
    if (event.key === "Escape" && this.chosen) {
      this.choose(null);
      event.stopPropagation();
      return;
    }
    if (at && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      return this.click(event);
    }
    const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (!at || !by || this.moves.length === 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    const way = this.flipped ? -1 : 1;
    const file = FILES.indexOf(at[0]) + way * by[0];
    const rank = Number(at[1]) + way * by[1];
    if (file < 0 || file > 7 || rank < 1 || rank > 8) return;
    this.focus = FILES[file] + rank;
    this.mark();
    this.squares.get(this.focus).focus();
  }

  press(event) {
    this.dragged = false;
    const at = this.at(event.target);
    if (!at || event.button !== 0 || !event.isPrimary || this.targets(at).size === 0) return;
    this.held = { at, x: event.clientX, y: event.clientY, ghost: null };
  }

  pull(event) {
    const { held } = this;
    if (!held || !event.isPrimary) return;
    const [x, y] = [event.clientX - held.x, event.clientY - held.y];
    if (!held.ghost) {
      if (Math.hypot(x, y) < DRAG) return;
      this.node.setPointerCapture(event.pointerId);
      this.dragged = true;
      this.choose(held.at);
      held.ghost = piece(held.at.length === 1 ? held.at : this.shown.get(held.at));
      held.ghost.classList.add("ghost");
      const { width } = this.squares.get("a1").getBoundingClientRect();
      held.ghost.style.setProperty("width", `${width}px`);
      held.ghost.style.setProperty("height", `${width}px`);
      held.half = width / 2;
      document.body.append(held.ghost);
      toggle(this.node, "data-dragging", true);
    }
    held.ghost.style.setProperty("transform", `translate(${event.clientX - held.half}px, ${event.clientY - held.half}px)`);
    this.hover(this.at(document.elementFromPoint(event.clientX, event.clientY)));
  }

  hover(at) {
    if (this.over === at) return;
    if (this.over) this.squares.get(this.over)?.removeAttribute("data-over");
    this.over = at;
    if (at) this.squares.get(at)?.setAttribute("data-over", "true");
  }

  release(event, whole) {
    const { held } = this;
    if (!held || !event.isPrimary) return;
    this.held = null;
    this.hover(null);
    if (!held.ghost) return;
    held.ghost.remove();
    toggle(this.node, "data-dragging", false);
    const to = whole ? this.at(document.elementFromPoint(event.clientX, event.clientY)) : null;
    if (to && this.targets(held.at).has(to)) this.make(`${held.at}-${to}`);
    else this.choose(null);
    // The click that belongs to this release comes at once, if at all.
    setTimeout(() => (this.dragged = false));
  }
}

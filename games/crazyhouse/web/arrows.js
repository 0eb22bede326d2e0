// Arrows and circles that a player draws on the board with the right mouse button, to think. They are not sent.

import { draw } from "/web/dom.js";
import { FILES } from "./notation.js";

export class Arrows {
  node = draw("svg", { class: "arrows", viewBox: "0 0 8 8", "aria-hidden": "true" });
  /** @type {string[]} pairs of squares; a circle has the same one twice */
  #all = [];
  /** @type {string | null} where the arrow begins that is being drawn */
  #from = null;
  #flipped = false;
  /** @type {{ pair: string, kind: string }[]} arrows that the page draws */
  #hints = [];

  /**
   * @param {HTMLElement} grid
   * @param {(node: EventTarget | null) => string | null} at the square that a node belongs to
   */
  constructor(grid, at) {
    grid.addEventListener("contextmenu", (event) => event.preventDefault());
    grid.addEventListener("pointerdown", (event) => {
      if (event.button === 2) this.#from = at(event.target);
    });
    grid.addEventListener("pointerup", (event) => {
      if (event.button !== 2 || !this.#from) return;
      const to = at(document.elementFromPoint(event.clientX, event.clientY));
      if (to?.length === 2) this.#toggle(this.#from + to);
      this.#from = null;
    });
  }

  /** @param {boolean} flipped */
  flip(flipped) {
    this.#flipped = flipped;
    this.#draw();
  }

  /** @param {{ pair: string, kind: string }[]} hints pairs of squares, and the class of each arrow */
  hint(hints) {
    this.#hints = hints;
    this.#draw();
  }

  clear() {
    if (this.#all.length === 0) return;
    this.#all = [];
    this.#draw();
  }

  /** @param {string} pair */
  #toggle(pair) {
    this.#all = this.#all.includes(pair) ? this.#all.filter((one) => one !== pair) : [...this.#all, pair];
    this.#draw();
  }

  /** @param {string} square */
  #centre(square) {
    const [x, y] = [FILES.indexOf(square[0]) + 0.5, 8.5 - Number(square[1])];
    return this.#flipped ? { x: 8 - x, y: 8 - y } : { x, y };
  }

  #draw() {
    this.node.replaceChildren(
      ...[...this.#hints, ...this.#all.map((pair) => ({ pair, kind: "own" }))].map(({ pair, kind }) => {
        const [from, to] = [this.#centre(pair.slice(0, 2)), this.#centre(pair.slice(2))];
        if (pair.slice(0, 2) === pair.slice(2)) return draw("circle", { cx: to.x, cy: to.y, r: 0.44, class: kind, "stroke-width": 0.1, fill: "none" });
        const length = Math.hypot(to.x - from.x, to.y - from.y);
        const [dx, dy] = [(to.x - from.x) / length, (to.y - from.y) / length];
        const [neckX, neckY] = [to.x - dx * 0.42, to.y - dy * 0.42];
        const head = `M${to.x} ${to.y}L${neckX - dy * 0.26} ${neckY + dx * 0.26}L${neckX + dy * 0.26} ${neckY - dx * 0.26}z`;
        const shaft = draw("line", { x1: from.x + dx * 0.2, y1: from.y + dy * 0.2, x2: neckX, y2: neckY, "stroke-width": 0.17 });
        return draw("g", { class: kind }, shaft, draw("path", { d: head, "stroke-width": 0 }));
      }),
    );
  }
}

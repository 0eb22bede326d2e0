// One small plot per figure: a point per round, and a marker for the shown step. Each plot is a slider over the rounds.

import { byId, draw, find, make, say } from "./dom.js";
import { place } from "./chronicle.js";
import { between, linePath, pointX, spots } from "./scale.js";

/** @import { Viewer } from "./viewer.js" */

const WIDTH = 200;
const HEIGHT = 44;
const MARGIN = 4;
const MOST_DOTS = 24;

export class Plots {
  /** @type {Plot[]} */
  #plots = [];
  /** @type {number[]} the step of each point */
  #steps = [];
  /** @type {unknown} the points that were drawn */
  #drawn = null;
  /** @type {number | null} the point that the labels name */
  #labelled = null;
  #viewer;
  #timeline;
  #grid = find(byId("plots"), ".grid");

  /**
   * @param {Viewer} viewer
   * @param {import("./timeline.js").Timeline} timeline
   */
  constructor(viewer, timeline) {
    this.#viewer = viewer;
    this.#timeline = timeline;
  }

  /** @param {Viewer} viewer */
  opened(viewer) {
    this.#plots = viewer.index.figures.map((figure) => this.#plot(figure));
    this.#grid.replaceChildren(...this.#plots.map((plot) => plot.node));
    this.#drawn = null;
    byId("plots").hidden = this.#plots.length === 0;
    this.grown(viewer);
  }

  /** @param {Viewer} viewer */
  grown({ index }) {
    if (this.#drawn === index.points) return;
    this.#drawn = index.points;
    this.#steps = index.points.map((point) => point[1]);
    this.#plots.forEach((plot, figure) => plot.write(index.points.map((point) => point[2][figure])));
    this.#labelled = null;
  }

  /** @param {string} figure */
  #plot(figure) {
    const plot = new Plot(figure);
    plot.node.addEventListener("click", (event) => {
      const box = plot.canvas.getBoundingClientRect();
      const x = ((event.clientX - box.left) / box.width) * (WIDTH + 2 * MARGIN) - MARGIN;
      this.#go(Math.round((x / WIDTH) * (this.#steps.length - 1)));
    });
    plot.node.addEventListener("keydown", (event) => {
      const { step } = this.#viewer;
      const back = ["ArrowLeft", "ArrowDown"].includes(event.key);
      const on = ["ArrowRight", "ArrowUp"].includes(event.key);
      if ((!back && !on) || event.shiftKey) return;
      event.preventDefault();
      event.stopPropagation();
      this.#go(back ? place(this.#steps, step - 1) : place(this.#steps, step) + 1);
    });
    return plot;
  }

  /**
   * Goes to the step of a point. The board then shows the values of the plot.
   * @param {number} point
   */
  #go(point) {
    const step = this.#steps[Math.max(0, Math.min(this.#steps.length - 1, point))];
    if (step !== undefined) this.#timeline.jump(() => this.#viewer.go(step));
  }

  /** @param {Viewer} viewer */
  show({ index, step, ready, cursor }) {
    const count = this.#steps.length;
    if (count === 0) return;
    const point = Math.max(0, place(this.#steps, step));
    const part = between(step, this.#steps[point], this.#steps[point + 1]);
    const [from, to] = [pointX(point, count, WIDTH), pointX(point + 1, count, WIDTH)];
    const x = from + part * (to - from);
    for (const { marker } of this.#plots) marker.setAttribute("transform", `translate(${x.toFixed(2)} 0)`);
    // The picture has the figures of the step itself; the plot has those of the round.
    const figures = ready ? cursor.picture?.figures : null;
    this.#plots.forEach(({ value, values }, at) => say(value, figures?.[at] ?? values[point]));
    if (this.#labelled === point) return;
    this.#labelled = point;
    for (const { node, values, figure } of this.#plots) {
      node.setAttribute("aria-valuenow", String(point + 1));
      node.setAttribute("aria-valuetext", `round ${index.points[point][0]}: ${figure} ${values[point]}`);
    }
  }
}

/** The nodes of a plot. */
class Plot {
  /** @type {number[]} */
  values = [];
  value = make("b");
  marker = draw("path", { class: "marker", d: `M0 0V${HEIGHT}` });
  #range = make("span", { class: "range" });
  #line = draw("path", { class: "line" });
  #area = draw("path", { class: "area" });
  #dots = draw("path", { class: "dots" });

  /** @param {string} figure */
  constructor(figure) {
    this.figure = figure;
    const viewBox = [-MARGIN, -MARGIN, WIDTH + 2 * MARGIN, HEIGHT + 2 * MARGIN].join(" ");
    this.canvas = draw("svg", { viewBox, preserveAspectRatio: "none", "aria-hidden": "true" }, this.#area, this.#line, this.#dots, this.marker);
    this.node = make(
      "div",
      { class: "plot", "data-figure": figure, role: "slider", tabindex: "0", "aria-label": `${figure} by round` },
      make("div", { class: "head" }, make("span", { class: "figure", title: figure }, figure), this.value, this.#range),
      this.canvas,
    );
  }

  /** @param {number[]} values */
  write(values) {
    this.values = values;
    const points = spots(values, WIDTH, HEIGHT);
    const path = linePath(points);
    this.#line.setAttribute("d", path);
    this.#area.setAttribute("d", path && `${path}L${points[points.length - 1][0]} ${HEIGHT}L0 ${HEIGHT}Z`);
    const few = points.length <= MOST_DOTS;
    this.#dots.setAttribute("d", few ? points.map(([x, y]) => `M${x.toFixed(1)} ${y.toFixed(1)}h0.01`).join("") : "");
    say(this.#range, `${Math.min(...values)} to ${Math.max(...values)}`);
    this.node.setAttribute("aria-valuemin", "1");
    this.node.setAttribute("aria-valuemax", String(values.length));
  }
}

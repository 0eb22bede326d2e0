// One small plot per figure, a point per round, and a marker for the shown step. Each is a slider over the rounds.

import { byId, draw, make, say } from "./dom.js";
import { place } from "./chronicle.js";

const WIDE = 200;
const HIGH = 44;
const MOST_DOTS = 24;

export class Plots {
  constructor(viewer) {
    this.viewer = viewer;
    this.grid = byId("plots").querySelector(".grid");
    this.plots = [];
  }

  opened(viewer) {
    this.plots = viewer.index.figures.map((figure) => this.plot(figure));
    this.grid.replaceChildren(...this.plots.map((plot) => plot.node));
    this.drawn = null;
    byId("plots").hidden = this.plots.length === 0;
    this.grown(viewer);
  }

  grown({ index }) {
    if (this.drawn === index.points) return;
    this.drawn = index.points;
    this.steps = index.points.map((point) => point[1]);
    this.plots.forEach((plot, figure) => this.line(plot, index.points.map((point) => point[2][figure])));
    this.round = null;
  }

  plot(figure) {
    const value = make("b");
    const range = make("span", { class: "range" });
    const line = draw("path", { class: "line" });
    const area = draw("path", { class: "area" });
    const dots = draw("path", { class: "dots" });
    const marker = draw("path", { class: "marker", d: `M0 0V${HIGH}` });
    const canvas = draw("svg", { viewBox: `-4 -4 ${WIDE + 8} ${HIGH + 8}`, preserveAspectRatio: "none", "aria-hidden": "true" }, area, line, dots, marker);
    const node = make(
      "div",
      { class: "plot", "data-figure": figure, role: "slider", tabindex: "0", "aria-label": `${figure} by round` },
      make("div", { class: "head" }, make("span", { class: "figure", title: figure }, figure), value, range),
      canvas,
    );
    node.addEventListener("click", (event) => {
      const box = canvas.getBoundingClientRect();
      const x = ((event.clientX - box.left) / box.width) * (WIDE + 8) - 4;
      this.go(Math.round((x / WIDE) * (this.steps.length - 1)));
    });
    node.addEventListener("keydown", (event) => {
      const { step } = this.viewer;
      const to = { ArrowLeft: this.at(step - 1), ArrowDown: this.at(step - 1), ArrowRight: this.at(step) + 1, ArrowUp: this.at(step) + 1 }[event.key];
      if (to === undefined || event.shiftKey) return;
      event.preventDefault();
      event.stopPropagation();
      this.go(to);
    });
    return { node, value, range, line, area, dots, marker, figure };
  }

  /** Shows the step of a point: there the board has what the plot has. */
  go(round) {
    const step = this.steps[Math.max(0, Math.min(this.steps.length - 1, round))];
    if (step !== undefined) this.viewer.timeline.jump(() => this.viewer.go(step));
  }

  line(plot, values) {
    const least = Math.min(0, ...values);
    const most = Math.max(least + 1, ...values);
    const spots = values.map((value, at) => [this.x(at), HIGH - ((value - least) / (most - least)) * HIGH]);
    const path = spots.map(([x, y], at) => `${at === 0 ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
    plot.values = values;
    plot.line.setAttribute("d", path);
    plot.area.setAttribute("d", path && `${path}L${spots.at(-1)[0]} ${HIGH}L0 ${HIGH}Z`);
    const few = spots.length <= MOST_DOTS;
    plot.dots.setAttribute("d", few ? spots.map(([x, y]) => `M${x.toFixed(1)} ${y.toFixed(1)}h0.01`).join("") : "");
    say(plot.range, `${Math.min(...values)} to ${Math.max(...values)}`);
    plot.node.setAttribute("aria-valuemin", 1);
    plot.node.setAttribute("aria-valuemax", values.length);
  }

  x(at) {
    return this.steps.length > 1 ? (at / (this.steps.length - 1)) * WIDE : WIDE / 2;
  }

  /** The last point that is not after a step. */
  at(step) {
    return place(this.steps, step);
  }

  show({ index, step, ready, cursor }) {
    if (this.steps.length === 0) return;
    const round = Math.max(0, this.at(step));
    const [from, to] = [this.steps[round], this.steps[round + 1] ?? Infinity];
    const part = Math.max(0, Math.min(1, (step - from) / (to - from)));
    const x = this.x(round) + part * (this.x(round + 1) - this.x(round));
    for (const { marker } of this.plots) marker.setAttribute("transform", `translate(${x.toFixed(2)} 0)`);
    // The plots have the figures of rounds, the picture those of this very step.
    const figures = ready ? cursor.picture?.figures : null;
    this.plots.forEach(({ value, values }, at) => say(value, figures?.[at] ?? values[round]));
    if (this.round === round) return;
    this.round = round;
    for (const { node, values, figure } of this.plots) {
      node.setAttribute("aria-valuenow", round + 1);
      node.setAttribute("aria-valuetext", `round ${index.points[round][0]}: ${figure} ${values[round]}`);
    }
  }
}

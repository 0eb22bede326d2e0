// The slider with its ticks, the buttons that move by a unit, and playing.

import { byId, cut, draw, make, onClick, plural, say, toggle } from "./dom.js";

/** @import { Unit } from "./types.js" */
/** @import { Viewer } from "./viewer.js" */

/** @type {Unit[]} */
const UNITS = ["event", "command", "turn", "round"];
const SPEEDS = [0.5, 1, 2, 4, 8, 16, 32, 64];
const MOST_LABELS = 16;
const MOST_TICKS = 400;

export class Timeline {
  playing = false;
  /** An index into the speeds. */
  #speed = 3;
  /** When the next step of playing is due. */
  #dueMs = 0;
  /** @type {number[]} the steps that match the search */
  #found = [];
  /** @type {unknown[]} what the ticks were drawn for */
  #ticked = [];
  #viewer;
  #slider = byId("slider", HTMLInputElement);
  #speeds = byId("speed", HTMLSelectElement);
  #ticks = byId("ticks");
  #now = { event: byId("now-event"), command: byId("now-command"), turn: byId("now-turn"), round: byId("now-round") };

  /** @param {Viewer} viewer */
  constructor(viewer) {
    this.#viewer = viewer;
    for (const unit of UNITS) {
      byId(`previous-${unit}`).addEventListener("click", () => this.jump(() => viewer.backwards(unit)));
      byId(`next-${unit}`).addEventListener("click", () => this.jump(() => viewer.forwards(unit)));
    }
    onClick("first", () => this.jump(() => viewer.go(0)));
    onClick("last", () => this.jump(() => viewer.go(viewer.last)));
    onClick("live", () => this.jump(() => viewer.go(viewer.last)));
    onClick("play", () => this.play(!this.playing));
    this.#slider.addEventListener("input", () => this.jump(() => viewer.go(viewer.index.snap(this.#unit, this.#slider.valueAsNumber))));
    this.#speeds.append(...SPEEDS.map((speed, at) => make("option", { value: at, selected: at === this.#speed }, `${speed} / s`)));
    this.#speeds.addEventListener("change", () => (this.#speed = Number(this.#speeds.value)));
  }

  get #unit() {
    return /** @type {Unit} */ (byId("unit", HTMLSelectElement).value);
  }

  /**
   * Moves by hand, which stops the playing.
   * @param {() => void} move
   */
  jump(move) {
    this.play(false);
    move();
  }

  /** @param {1 | -1} by */
  faster(by) {
    this.#speed = Math.max(0, Math.min(SPEEDS.length - 1, this.#speed + by));
    this.#speeds.value = String(this.#speed);
    say(byId("said"), `Speed ${SPEEDS[this.#speed]} per second`);
  }

  /** @param {boolean} on */
  play(on) {
    if (on === this.playing) return;
    this.playing = on;
    const button = byId("play");
    button.textContent = on ? "❚❚" : "▶";
    button.setAttribute("aria-label", on ? "Pause" : "Play");
    if (!on) return;
    if (this.#viewer.step === this.#viewer.last) this.#viewer.go(0);
    this.#dueMs = performance.now();
    requestAnimationFrame((time) => this.#tick(time));
  }

  /** @param {number} timeMs */
  #tick(timeMs) {
    if (!this.playing) return;
    const pauseMs = 1000 / SPEEDS[this.#speed];
    // A step that is not loaded yet is waited for, not skipped.
    if (!this.#viewer.ready) this.#dueMs = timeMs + pauseMs;
    let step = this.#viewer.step;
    for (; timeMs >= this.#dueMs && step < this.#viewer.last; this.#dueMs += pauseMs) step = this.#viewer.index.next(this.#unit, step);
    if (timeMs - this.#dueMs > 1000) this.#dueMs = timeMs;
    if (step !== this.#viewer.step) this.#viewer.go(step);
    if (step === this.#viewer.last) this.play(false);
    else requestAnimationFrame((next) => this.#tick(next));
  }

  /** @param {Viewer} viewer */
  opened(viewer) {
    this.#found = [];
    this.grown(viewer);
  }

  /** @param {Viewer} viewer */
  grown({ index }) {
    this.#slider.max = String(index.last);
    const ticked = [index.rounds, index.last, this.#found];
    if (ticked.every((one, at) => one === this.#ticked[at])) return;
    this.#ticked = ticked;
    const wide = Math.max(1, index.last);
    /** @type {(steps: number[], from: number, to: number) => string} */
    const bars = (steps, from, to) => steps.map((step) => `M${step} ${from}V${to}`).join("");
    const lines = draw("svg", { viewBox: `0 0 ${wide} 10`, preserveAspectRatio: "none" });
    lines.append(draw("path", { class: "turns", d: bars(thin(index.starts.turn, MOST_TICKS), 0, 4) }));
    lines.append(draw("path", { class: "rounds", d: bars(thin(index.starts.round, MOST_TICKS), 0, 8) }));
    lines.append(draw("path", { class: "found", d: bars(this.#found, 5, 10) }));
    const labels = thin(index.rounds, MOST_LABELS).map(([round, step]) => {
      const label = make("span", {}, String(round));
      label.style.setProperty("inset-inline-start", `${(100 * step) / wide}%`);
      return label;
    });
    this.#ticks.replaceChildren(lines, ...labels);
  }

  /**
   * Marks the steps that match a search.
   * @param {number[]} steps
   */
  matches(steps) {
    this.#found = thin(steps, MOST_TICKS);
    this.grown(this.#viewer);
  }

  /** @param {Viewer} viewer */
  show({ index, step, running, following, connected, last }) {
    if (this.#slider.valueAsNumber !== step) this.#slider.value = String(step);
    this.#slider.style.setProperty("--part", `${(100 * step) / Math.max(1, last)}%`);
    const [round, turn, command] = [index.round(step), index.turn(step), index.command(step)];
    say(this.#now.event, `${step} / ${last}`);
    say(this.#now.command, `${command} / ${index.entries.length}`);
    say(this.#now.turn, turn === null ? "–" : cut(String(turn), 24));
    say(this.#now.round, round ?? "–");
    const words = [`event ${step} of ${last}`, round === null ? "" : `, round ${round}`, turn === null ? "" : `, turn: ${cut(String(turn), 40)}`].join("");
    this.#slider.setAttribute("aria-valuetext", words);
    const live = byId("live");
    live.hidden = !running;
    toggle(live, "aria-pressed", running, String(following));
    say(byId("live-text"), !connected ? "Connection lost, trying again" : following ? "Live" : `Live: +${plural(last - step, "event")}`);
  }
}

/**
 * Every n-th item, so that at most `most` are left.
 * @template T
 * @param {T[]} items
 * @param {number} most
 */
export function thin(items, most) {
  const every = Math.ceil(items.length / most);
  return every > 1 ? items.filter((_, at) => at % every === 0) : items;
}

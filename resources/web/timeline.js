// The slider with its ticks, the steppers, and playing.

import { byId, cut, draw, make, say, toggle } from "./dom.js";

const UNITS = ["event", "command", "turn", "round"];
const SPEEDS = [0.5, 1, 2, 4, 8, 16, 32, 64];
const MOST_LABELS = 16;

export class Timeline {
  playing = false;
  speed = 3;

  constructor(viewer) {
    this.viewer = viewer;
    this.slider = byId("slider");
    this.ticks = byId("ticks");
    this.now = Object.fromEntries(UNITS.map((unit) => [unit, byId(`now-${unit}`)]));
    for (const unit of UNITS) {
      byId(`previous-${unit}`).addEventListener("click", () => this.jump(() => viewer.backwards(unit)));
      byId(`next-${unit}`).addEventListener("click", () => this.jump(() => viewer.forwards(unit)));
    }
    byId("first").addEventListener("click", () => this.jump(() => viewer.go(0)));
    byId("last").addEventListener("click", () => this.jump(() => viewer.go(viewer.last)));
    byId("live").addEventListener("click", () => this.jump(() => viewer.go(viewer.last)));
    byId("play").addEventListener("click", () => this.play(!this.playing));
    this.slider.addEventListener("input", () => this.jump(() => viewer.go(viewer.index.snap(this.unit, this.slider.valueAsNumber))));
    byId("speed").append(...SPEEDS.map((speed, at) => make("option", { value: at, selected: at === this.speed }, `${speed} / s`)));
    byId("speed").addEventListener("change", (event) => (this.speed = Number(event.target.value)));
  }

  get unit() {
    return byId("unit").value;
  }

  /** A step taken by hand ends the playing. */
  jump(move) {
    this.play(false);
    move();
  }

  faster(by) {
    this.speed = Math.max(0, Math.min(SPEEDS.length - 1, this.speed + by));
    byId("speed").value = this.speed;
    say(byId("said"), `Speed ${SPEEDS[this.speed]} per second`);
  }

  play(on) {
    if (on === this.playing) return;
    this.playing = on;
    const button = byId("play");
    button.textContent = on ? "❚❚" : "▶";
    button.setAttribute("aria-label", on ? "Pause" : "Play");
    if (!on) return;
    if (this.viewer.step === this.viewer.last) this.viewer.go(0);
    this.due = performance.now();
    requestAnimationFrame((time) => this.tick(time));
  }

  tick(time) {
    if (!this.playing) return;
    const pause = 1000 / SPEEDS[this.speed];
    // What is not loaded yet is waited for, not skipped.
    if (!this.viewer.ready) this.due = time + pause;
    let step = this.viewer.step;
    for (; time >= this.due && step < this.viewer.last; this.due += pause) step = this.viewer.index.next(this.unit, step);
    if (time - this.due > 1000) this.due = time;
    if (step !== this.viewer.step) this.viewer.go(step);
    if (step === this.viewer.last) this.play(false);
    else requestAnimationFrame((next) => this.tick(next));
  }

  opened(viewer) {
    this.found = [];
    this.grown(viewer);
  }

  grown({ index }) {
    this.slider.max = index.last;
    if (this.ticked === index.rounds && this.tickedLast === index.last && this.marked === this.found) return;
    [this.ticked, this.tickedLast, this.marked] = [index.rounds, index.last, this.found];
    const wide = Math.max(1, index.last);
    const bars = (steps, from, to) => steps.map((step) => `M${step} ${from}V${to}`).join("");
    const lines = draw("svg", { viewBox: `0 0 ${wide} 10`, preserveAspectRatio: "none" });
    lines.append(draw("path", { class: "turns", d: bars(thin(index.starts.turn, 400), 0, 4) }));
    lines.append(draw("path", { class: "rounds", d: bars(thin(index.starts.round, 400), 0, 8) }));
    lines.append(draw("path", { class: "found", d: bars(this.found, 5, 10) }));
    const every = Math.ceil(index.rounds.length / MOST_LABELS);
    const labels = index.rounds.filter((_, at) => at % every === 0).map(([round, step]) => {
      const label = make("span", {}, String(round));
      label.style.setProperty("inset-inline-start", `${(100 * step) / wide}%`);
      return label;
    });
    this.ticks.replaceChildren(lines, ...labels);
  }

  /** The steps of the matches of a search. */
  matches(steps) {
    this.found = thin(steps, 400);
    this.grown(this.viewer);
  }

  show({ index, step, running, following, connected, last }) {
    if (this.slider.valueAsNumber !== step) this.slider.value = step;
    this.slider.style.setProperty("--part", `${(100 * step) / Math.max(1, last)}%`);
    const [round, turn, command] = [index.round(step), index.turn(step), index.command(step)];
    say(this.now.event, `${step} / ${last}`);
    say(this.now.command, `${command} / ${index.entries.length}`);
    say(this.now.turn, turn === null ? "–" : cut(String(turn), 24));
    say(this.now.round, round ?? "–");
    const words = [`event ${step} of ${last}`, round === null ? "" : `, round ${round}`, turn === null ? "" : `, turn: ${cut(String(turn), 40)}`].join("");
    this.slider.setAttribute("aria-valuetext", words);
    const live = byId("live");
    live.hidden = !running;
    toggle(live, "aria-pressed", running, String(following));
    const behind = last - step;
    const text = !connected ? "Connection lost, trying again" : following ? "Live" : `Live: +${behind} ${behind === 1 ? "event" : "events"}`;
    say(byId("live-text"), text);
  }
}

function thin(steps, most) {
  const every = Math.ceil(steps.length / most);
  return every > 1 ? steps.filter((_, at) => at % every === 0) : steps;
}

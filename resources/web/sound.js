// Small sounds, made by the browser: no files. A button mutes them; the browser remembers it.

import { byId } from "./dom.js";
import { store, stored } from "./stored.js";

/** @import { Sound } from "./types.js" */

const KEY = "sound";
/** Sounds that come together are one. */
const APART_MS = 90;

/**
 * A tone: its form, the frequencies at its start and end, when it starts, how long and how loud it is.
 * @typedef {[form: OscillatorType | "noise", from: number, to: number, start: number, seconds: number, loud: number]} Tone
 */

/** @type {Record<Sound, Tone[]>} */
const SOUNDS = {
  walk: [["noise", 900, 500, 0, 0.07, 0.1], ["noise", 800, 450, 0.16, 0.07, 0.1]],
  roll: [["noise", 2600, 1800, 0, 0.04, 0.14], ["noise", 2200, 1500, 0.09, 0.04, 0.12], ["noise", 1900, 1300, 0.21, 0.05, 0.1]],
  hurt: [["sawtooth", 220, 110, 0, 0.28, 0.07], ["noise", 700, 200, 0, 0.18, 0.12]],
  kill: [["noise", 1600, 250, 0, 0.2, 0.16], ["triangle", 180, 70, 0.03, 0.2, 0.14]],
  build: [["triangle", 320, 240, 0, 0.06, 0.16], ["triangle", 300, 220, 0.15, 0.06, 0.16]],
  card: [["noise", 4200, 2400, 0, 0.08, 0.06]],
  alarm: [["sine", 130, 98, 0, 0.5, 0.14]],
  turn: [["sine", 523, 523, 0, 0.14, 0.09], ["sine", 784, 784, 0.13, 0.24, 0.09]],
  won: [["sine", 523, 523, 0, 0.2, 0.1], ["sine", 659, 659, 0.17, 0.2, 0.1], ["sine", 784, 784, 0.34, 0.5, 0.1]],
  lost: [["sine", 294, 294, 0, 0.3, 0.1], ["sine", 233, 233, 0.28, 0.3, 0.1], ["sine", 175, 165, 0.56, 0.7, 0.1]],
};

export class Sounds {
  /** @type {AudioContext | null} browsers allow it after the first click or key */
  #context = null;
  #isOn = stored(KEY) !== "off";
  #lastMs = 0;
  #button = byId("mute");

  constructor() {
    const begin = () => (this.#context ??= new AudioContext());
    for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, begin, { once: true, capture: true });
    this.#button.addEventListener("click", () => {
      this.#isOn = !this.#isOn;
      store(KEY, this.#isOn ? "on" : "off");
      this.#label();
    });
    this.#label();
  }

  #label() {
    this.#button.textContent = "♪";
    this.#button.setAttribute("aria-label", "Sound");
    this.#button.setAttribute("aria-pressed", String(this.#isOn));
    this.#button.title = this.#isOn ? "Mute the sounds" : "Let it sound";
  }

  /** @param {Sound} kind */
  play(kind) {
    const context = this.#context;
    const now = performance.now();
    if (!context || !this.#isOn || document.hidden || now - this.#lastMs < APART_MS) return;
    this.#lastMs = now;
    for (const tone of SOUNDS[kind]) sound(context, tone);
  }
}

/**
 * @param {AudioContext} context
 * @param {Tone} tone
 */
function sound(context, [form, from, to, start, seconds, loud]) {
  const at = context.currentTime + start;
  const gain = context.createGain();
  gain.gain.setValueAtTime(loud, at);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + seconds);
  gain.connect(context.destination);
  const source = form === "noise" ? noise(context, from, to, at, seconds, gain) : oscillator(context, form, from, to, at, seconds, gain);
  source.start(at);
  source.stop(at + seconds);
}

/** @type {(context: AudioContext, form: OscillatorType, from: number, to: number, at: number, seconds: number, out: AudioNode) => AudioScheduledSourceNode} */
function oscillator(context, form, from, to, at, seconds, out) {
  const tone = context.createOscillator();
  tone.type = form;
  tone.frequency.setValueAtTime(from, at);
  tone.frequency.exponentialRampToValueAtTime(to, at + seconds);
  tone.connect(out);
  return tone;
}

/** @type {(context: AudioContext, from: number, to: number, at: number, seconds: number, out: AudioNode) => AudioScheduledSourceNode} */
function noise(context, from, to, at, seconds, out) {
  const buffer = context.createBuffer(1, Math.ceil(context.sampleRate * seconds), context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i += 1) samples[i] = Math.random() * 2 - 1;
  const source = context.createBufferSource();
  source.buffer = buffer;
  const filter = context.createBiquadFilter();
  filter.type = "bandpass";
  filter.frequency.setValueAtTime(from, at);
  filter.frequency.exponentialRampToValueAtTime(to, at + seconds);
  source.connect(filter).connect(out);
  return source;
}

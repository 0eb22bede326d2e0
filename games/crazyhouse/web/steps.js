// Looking back and forth in a game, by buttons and keys.

import { byId, closest, find } from "/web/dom.js";

/**
 * The buttons and keys that look back and forth, and turn the board.
 * @param {(at: number) => void} look
 * @param {() => number} now
 * @param {(digit: number) => void} [hold] takes a piece of the pocket
 */
export function steps(look, now, hold) {
  /** @type {Record<string, () => void>} */
  const go = { first: () => look(0), back: () => look(now() - 1), on: () => look(now() + 1), last: () => look(Infinity) };
  /** @type {Record<string, () => void>} */
  const bindings = { ArrowLeft: go.back, ArrowRight: go.on, Home: go.first, End: go.last, x: () => byId("flip").click() };
  find(document, ".steps").addEventListener("click", (event) => go[closest(event, "[data-go]")?.dataset.go ?? ""]?.());
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || closest(event, "input, textarea, select, dialog")) return;
    const run = bindings[event.key] ?? (hold && /^[1-5]$/.test(event.key) ? () => hold(Number(event.key)) : undefined);
    if (!run) return;
    event.preventDefault();
    run();
  });
}

// Nodes that show one value of a picture each. A node carries the pointer to its value (`data-at`) and the value itself (`data-is`),
// and is written only when the value changes.

import { say } from "../dom.js";

/**
 * A function that writes a value into the node. A change makes the node flash, unless it is `quiet`: for values that change all the
 * time.
 * @template {HTMLElement | SVGElement} N
 * @template [V=any]
 * @param {N} node
 * @param {string} pointer
 * @param {(node: N, value: V) => void} [write]
 * @returns {(value: V) => void}
 */
export function bind(node, pointer, write = say, quiet = false) {
  /** @type {string | undefined} */
  let shown;
  node.dataset.at = pointer;
  return (value) => {
    const is = JSON.stringify(value);
    if (is === shown) return;
    if (shown !== undefined && calm && !quiet) node.animate(FLASH, 900);
    shown = is;
    node.dataset.is = is;
    write(node, value);
  };
}

/** Must be called before a picture is drawn. Changes flash, but not while the reader scrubs. */
export function begin() {
  const now = performance.now();
  calm = now - drawn > PAUSE_MS && !still.matches;
  drawn = now;
}

const PAUSE_MS = 100;
const FLASH = [
  { outline: "2px solid var(--warm)", outlineOffset: "3px" },
  { outline: "2px solid transparent", outlineOffset: "3px" },
];
const still = matchMedia("(prefers-reduced-motion: reduce)");
let drawn = 0;
let calm = false;

/**
 * Gives the parent exactly these children, if it does not have them already.
 * @param {Element} parent
 * @param {Element[]} children
 */
export function hold(parent, children) {
  const there = parent.children;
  if (there.length === children.length && children.every((child, at) => there[at] === child)) return;
  parent.replaceChildren(...children);
}

/**
 * A function that calls `write` only when one of its arguments differs from the last call.
 * @template {any[]} A
 * @param {(...values: A) => void} write
 * @returns {(...values: A) => void}
 */
export function watch(write) {
  /** @type {string | undefined} */
  let seen;
  return (...values) => {
    const now = JSON.stringify(values);
    if (now === seen) return;
    seen = now;
    write(...values);
  };
}

// Nodes that show one value of a picture each. They carry where it is (`data-at`) and what it is (`data-is`), and are
// written only when it changes.

import { say } from "../dom.js";

/** What changes is pointed out, unless it is `quiet`: something that changes all the time. */
export function bind(node, pointer, write = say, quiet = false) {
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

/** To be called before a picture is drawn. What changes is pointed out, but not while somebody scrubs. */
export function begin() {
  const now = performance.now();
  calm = now - drawn > PAUSE && !still.matches;
  drawn = now;
}

const PAUSE = 100;
const FLASH = [
  { outline: "2px solid var(--warm)", outlineOffset: "3px" },
  { outline: "2px solid transparent", outlineOffset: "3px" },
];
const still = matchMedia("(prefers-reduced-motion: reduce)");
let drawn = 0;
let calm = false;

/** Puts exactly these children in, if they are not there already. */
export function hold(parent, children) {
  const there = parent.children;
  if (there.length === children.length && children.every((child, at) => there[at] === child)) return;
  parent.replaceChildren(...children);
}

/** Calls `write` only when one of the values is another one than before. */
export function watch(write) {
  let seen;
  return (...values) => {
    const now = JSON.stringify(values);
    if (now === seen) return;
    seen = now;
    write(...values);
  };
}

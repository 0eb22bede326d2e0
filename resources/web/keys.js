// The keys of the game page. `game.html` lists them in its help.

import { byId, closest, onClick } from "./dom.js";

/** @import { Unit } from "./types.js" */

/**
 * Listens for the keys of the page.
 * @param {import("./viewer.js").Viewer} viewer
 * @param {import("./timeline.js").Timeline} timeline
 * @param {{ move(by: 1 | -1): void }} search
 * @param {{ fork(): void, copy(): void }} actions
 */
export function keys(viewer, timeline, search, actions) {
  const help = () => byId("help-dialog", HTMLDialogElement).showModal();
  const bound = bindings({
    back: (unit) => timeline.jump(() => viewer.backwards(unit)),
    on: (unit) => timeline.jump(() => viewer.forwards(unit)),
    start: () => timeline.jump(() => viewer.go(0)),
    end: () => timeline.jump(() => viewer.go(viewer.last)),
    play: () => timeline.play(!timeline.playing),
    faster: (by) => timeline.faster(by),
    search: () => byId("search", HTMLInputElement).select(),
    match: (by) => search.move(by),
    fork: () => actions.fork(),
    copy: () => actions.copy(),
    help,
  });
  onClick("help", help);
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    // A focused control keeps the keys that it uses itself.
    if (!closest(event, "#slider") && closest(event, "input:not([type=checkbox]), select, textarea")) return;
    if (event.key === " " && closest(event, "button, summary, a, input[type=checkbox]")) return;
    if (!viewer.source && event.key !== "?") return;
    const run = bound[keyName(event)];
    if (!run) return;
    event.preventDefault();
    run();
  });
}

/**
 * The name of a key in the bindings. Shift counts only with the arrows: for other keys it already makes another character.
 * @param {{ key: string, shiftKey: boolean }} event
 */
export const keyName = ({ key, shiftKey }) => (shiftKey && key.startsWith("Arrow") ? `Shift+${key}` : key);

/**
 * The action of each key.
 * @param {object} actions
 * @param {(unit: Unit) => void} actions.back
 * @param {(unit: Unit) => void} actions.on
 * @param {() => void} actions.start
 * @param {() => void} actions.end
 * @param {() => void} actions.play
 * @param {(by: 1 | -1) => void} actions.faster
 * @param {() => void} actions.search
 * @param {(by: 1 | -1) => void} actions.match
 * @param {() => void} actions.fork
 * @param {() => void} actions.copy
 * @param {() => void} actions.help
 * @returns {Record<string, () => void>}
 */
export function bindings({ back, on, start, end, play, faster, search, match, fork, copy, help }) {
  return {
    ArrowLeft: () => back("event"),
    ArrowRight: () => on("event"),
    "Shift+ArrowLeft": () => back("command"),
    "Shift+ArrowRight": () => on("command"),
    ArrowUp: () => back("command"),
    ArrowDown: () => on("command"),
    "[": () => back("turn"),
    "]": () => on("turn"),
    "{": () => back("round"),
    "}": () => on("round"),
    PageUp: () => back("round"),
    PageDown: () => on("round"),
    Home: start,
    End: end,
    " ": play,
    "+": () => faster(1),
    "=": () => faster(1),
    "-": () => faster(-1),
    "/": search,
    n: () => match(1),
    N: () => match(-1),
    l: end,
    f: fork,
    c: copy,
    "?": help,
  };
}

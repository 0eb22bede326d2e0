// The keys of the game page. `game.html` lists them in its help.

import { byId } from "./dom.js";

export function keys(viewer, timeline, search, actions) {
  const back = (unit) => () => timeline.jump(() => viewer.backwards(unit));
  const on = (unit) => () => timeline.jump(() => viewer.forwards(unit));
  const end = () => timeline.jump(() => viewer.go(viewer.last));
  const bindings = {
    ArrowLeft: back("event"),
    ArrowRight: on("event"),
    "Shift+ArrowLeft": back("command"),
    "Shift+ArrowRight": on("command"),
    ArrowUp: back("command"),
    ArrowDown: on("command"),
    "[": back("turn"),
    "]": on("turn"),
    "{": back("round"),
    "}": on("round"),
    PageUp: back("round"),
    PageDown: on("round"),
    Home: () => timeline.jump(() => viewer.go(0)),
    End: end,
    " ": () => timeline.play(!timeline.playing),
    "+": () => timeline.faster(1),
    "=": () => timeline.faster(1),
    "-": () => timeline.faster(-1),
    "/": () => byId("search").select(),
    n: () => search.move(1),
    N: () => search.move(-1),
    l: end,
    f: () => actions.ask(),
    c: () => actions.copy(),
    "?": () => byId("help-dialog").showModal(),
  };
  byId("help").addEventListener("click", bindings["?"]);
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    const { target } = event;
    const slider = target.id === "slider";
    if (!slider && target.closest("input:not([type=checkbox]), select, textarea")) return;
    // Space and the arrows belong to what has the focus, where that has a use for them.
    if (event.key === " " && target.closest("button, summary, a, input[type=checkbox]")) return;
    if (!viewer.index && event.key !== "?") return;
    const named = event.shiftKey && event.key.startsWith("Arrow") ? `Shift+${event.key}` : event.key;
    const run = bindings[named];
    if (!run) return;
    event.preventDefault();
    run();
  });
}

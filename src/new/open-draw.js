// Draws {{name}}: the pebbles, and a button for each number that can be taken. The page makes the buttons clickable that a move is
// about. The types of pictures, offers and drawings are in /web/types.js of a host that runs.

import { make, say, stylesheet } from "/web/dom.js";

await stylesheet(new URL("draw.css", import.meta.url));

export function create(root) {
  const pebbles = make("p", { class: "pebbles" });
  const takes = [1, 2, 3].map((count) => make("button", { type: "button", "data-target": `take-${count}` }, `Take ${count}`));
  root.replaceChildren(pebbles, make("p", {}, ...takes));
  return {
    /** The button that a move is about, as its `data-target`. */
    targets: (command) => (command.Take ? [`take-${command.Take.pebbles}`] : null),
    /** `picture.game` is what the function `picture` of the rules returns, or null before the game begins. */
    draw({ game }) {
      say(pebbles, "⬤ ".repeat(game?.pebbles ?? 0));
      pebbles.setAttribute("aria-label", `${game?.pebbles ?? 0} pebbles`);
    },
  };
}

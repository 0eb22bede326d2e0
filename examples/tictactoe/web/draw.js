// Draws tic-tac-toe: nine buttons. The page makes those clickable that a move is about.

import { make, say, stylesheet } from "/web/dom.js";

await stylesheet(new URL("draw.css", import.meta.url));

export function create(root) {
  const squares = Array.from({ length: 9 }, (_, at) => make("button", { type: "button", "data-target": `square-${at}` }));
  root.replaceChildren(make("div", { class: "tictactoe" }, ...squares));
  return {
    /** The square that a move is about, as the `data-target` of its button. */
    targets: (command) => (command.Mark ? [`square-${command.Mark.square}`] : null),
    draw({ game }) {
      squares.forEach((square, at) => {
        const mark = ["✕", "◯"][game?.cells[at]] ?? "";
        say(square, mark);
        square.setAttribute("aria-label", `Square ${at}: ${["cross", "circle"][game?.cells[at]] ?? "free"}`);
      });
    },
  };
}

// Draws {{name}}: a line of dice for each player. A 0 is a die that the reader must not see. The types of pictures, offers and
// drawings are in /web/types.js of a host that runs.

import { make, stylesheet } from "/web/dom.js";

await stylesheet(new URL("draw.css", import.meta.url));

export function create(root) {
  return {
    /** `picture.game` is what the function `picture` of the rules returns for this reader, or null before the game begins. */
    draw({ game, players }) {
      const lines = (game?.dice ?? []).map((dice, seat) => {
        const faces = dice.map((die) => make("span", { class: "die" }, die === 0 ? "?" : String(die)));
        const stopped = game.has_stopped[seat] ? " has stopped" : "";
        return make("p", {}, `${players[seat] ?? "Free seat"}${stopped}: `, ...faces);
      });
      root.replaceChildren(...lines);
    },
  };
}

// The page of a position without a game: the board, its legal moves, or where the text is wrong.

import { byId, make, say, toggle } from "../dom.js";
import { Refused, explain } from "../api.js";
import { Board } from "./board.js";
import { START, ask, marked } from "./asking.js";

const board = new Board();
const field = byId("text");

byId("board").append(board.node);
byId("flip").addEventListener("click", () => board.flip(!board.flipped));
byId("form").addEventListener("submit", (event) => {
  event.preventDefault();
  history.pushState(null, "", `?${address(field.value)}`);
  show();
});
addEventListener("popstate", show);
show();

/** A text as it can stand in an address: slashes stay what they are, to be read. */
function address(text) {
  return encodeURIComponent(text).replaceAll("%2F", "/").replaceAll("%20", "+");
}

function asked() {
  try {
    return decodeURIComponent(location.search.slice(1).replaceAll("+", " "));
  } catch {
    return location.search.slice(1);
  }
}

async function show() {
  const text = asked() || `${START} w`;
  field.value = text;
  toggle(document.body, "data-ready", false);
  const turn = (show.turn = (show.turn ?? 0) + 1);
  try {
    const found = await ask(text);
    if (turn !== show.turn) return;
    right(found);
  } catch (error) {
    if (turn !== show.turn) return;
    wrong(text, error);
  }
  toggle(document.body, "data-ready", true);
}

function right({ board: text, next, check, mate, moves }) {
  byId("wrong").hidden = byId("message").hidden = true;
  board.node.hidden = false;
  board.show({ board: text, check });
  const who = next === "white" ? "White" : "Black";
  const facts = next === null ? "Whose move it is was not said." : mate ? `${who} is mated.` : `${who} is to move: ${moves.length} legal ${moves.length === 1 ? "move" : "moves"}.`;
  const checked = check && !mate ? ` ${check === "white" ? "White" : "Black"} is in check.` : "";
  say(byId("facts"), facts + checked);
  byId("moves").replaceChildren(...moves.map((move) => make("li", {}, move)));
}

function wrong(text, error) {
  const known = error instanceof Refused && error.status === 400;
  byId("message").hidden = known;
  byId("wrong").hidden = !known;
  board.node.hidden = true;
  say(byId("facts"), "");
  byId("moves").replaceChildren();
  if (!known) return say(byId("message"), explain(error));
  say(byId("wrong").querySelector("span"), `This is no position. ${error.message.charAt(0).toUpperCase()}${error.message.slice(1)}.`);
  byId("wrong").querySelector("code").replaceChildren(...marked(text, error.message));
}

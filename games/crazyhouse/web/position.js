// The page of a position without a game: the board and its legal moves, or where the text is wrong.

import { byId, capital, complain, copied, find, make, onClick, plural, say, toggle } from "/web/dom.js";
import { Refused, explain, messageOf } from "/web/api.js";
import { Board } from "./board.js";
import { START, sideName } from "./notation.js";
import { askPosition, marked } from "./asking.js";

const board = new Board();
const field = byId("text", HTMLInputElement);
let requests = 0;
/** @type {string | null} the position that is shown, in FEN */
let shared = null;

byId("board").append(board.node);
onClick("flip", () => board.flip(!board.flipped));
byId("form").addEventListener("submit", (event) => {
  event.preventDefault();
  history.pushState(null, "", `?${queryOf(field.value)}`);
  show();
});
onClick("copy", copyLink);
addEventListener("popstate", show);
show();

/**
 * A text as a query. Slashes stay slashes, so that people can read the address.
 * @param {string} text
 */
function queryOf(text) {
  return encodeURIComponent(text).replaceAll("%2F", "/").replaceAll("%20", "+");
}

function askedText() {
  try {
    return decodeURIComponent(location.search.slice(1).replaceAll("+", " "));
  } catch {
    return location.search.slice(1);
  }
}

/** Copies a link to this position that other programs understand too. */
async function copyLink() {
  const link = new URL(`/crazyhouse/board?fen=${queryOf(shared ?? "")}`, location.href).href;
  const isCopied = await copied(link);
  if (!isCopied) history.replaceState(null, "", link);
  say(byId("copy"), isCopied ? "Copied" : "The link is in the address bar");
}

async function show() {
  const text = askedText().replace(/^fen=/, "") || `${START} w`;
  field.value = text;
  toggle(document.body, "data-ready", false);
  const request = (requests += 1);
  try {
    const found = await askPosition(text);
    if (request !== requests) return;
    showPosition(found);
  } catch (error) {
    if (request !== requests) return;
    showError(text, error);
  }
  toggle(document.body, "data-ready", true);
}

/** @param {import("./asking.js").PositionAnswer} answer */
function showPosition({ board: text, fen, next, check, mate, moves }) {
  byId("wrong").hidden = true;
  complain(null);
  board.node.hidden = false;
  board.show({ board: text, check });
  const who = next && sideName(next);
  const facts = !who ? "The text does not say whose move it is." : mate ? `${who} is mated.` : `${who} is to move: ${plural(moves.length, "legal move")}.`;
  const checked = check && !mate ? ` ${sideName(check)} is in check.` : "";
  say(byId("facts"), facts + checked);
  shared = fen;
  byId("share").hidden = fen === null;
  say(byId("fen-text"), fen ?? "");
  byId("moves").replaceChildren(...moves.map((move) => make("li", {}, move)));
}

/**
 * @param {string} text
 * @param {unknown} error
 */
function showError(text, error) {
  const isWrongText = error instanceof Refused && error.status === 400;
  complain(isWrongText ? null : explain(error));
  byId("wrong").hidden = !isWrongText;
  board.node.hidden = true;
  say(byId("facts"), "");
  byId("share").hidden = true;
  byId("moves").replaceChildren();
  if (!isWrongText) return;
  const message = messageOf(error);
  say(find(byId("wrong"), "span"), `This is not a position. ${capital(message)}.`);
  find(byId("wrong"), "code").replaceChildren(...marked(text, message));
}

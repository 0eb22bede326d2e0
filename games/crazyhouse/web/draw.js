// How a picture of crazyhouse is drawn: the players, the board with its pockets, and what is offered or decided.

import { make, name, say, toggle } from "../dom.js";
import { Board } from "./board.js";
import { clockText } from "./match.js";
import { begin, bind } from "../draw/bind.js";

await new Promise((ready) => {
  const link = make("link", { rel: "stylesheet", href: new URL("draw.css", import.meta.url).pathname });
  link.onload = link.onerror = ready;
  document.head.append(link);
});

/** Where such a game is played. */
export const page = (game) => `/crazyhouse/play/${encodeURIComponent(game)}`;

export function create(root, stage) {
  const board = new Board();
  const [white, black] = [player("white"), player("black")];
  const news = [line("offer", (side) => `${side === "white" ? "White" : "Black"} offers a draw.`), line("outcome", (words) => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`)];
  const facts = make("p", { class: "facts" });
  const counts = ["moves", "last", "begun", "check", "next"].map((key) => [key, make("span")]);
  const words = {
    moves: (count) => `${count} ${count === 1 ? "move" : "moves"}`,
    last: (text) => (text ? `last ${text}` : ""),
    begun: (yes) => (yes ? "" : "not begun"),
    check: (yes) => (yes ? "check" : ""),
    next: (side) => `${side} is next`,
  };
  const writes = counts.map(([key, node]) => [key, bind(node, `/${key}`, (to, value) => say(to, words[key](value)))]);
  facts.append(...counts.map(([, node]) => node));
  const writeBoard = bind(board.node, "/board", () => {});
  const flip = make("button", { type: "button", class: "flip" }, "Flip");
  flip.addEventListener("click", () => {
    board.flip(!board.flipped);
    lay();
  });
  const table = make("div", { class: "crazyhouse-table" });
  const lay = () => table.replaceChildren(board.flipped ? white.node : black.node, board.node, board.flipped ? black.node : white.node, facts, ...news.map(({ node }) => node));
  lay();
  if (stage.most_moves) facts.append(make("span", {}, `a draw after ${stage.most_moves} moves`));
  facts.append(flip);
  root.replaceChildren(table);
  return {
    draw(picture) {
      begin();
      writeBoard(picture.board);
      board.show({ board: picture.board, last: picture.last, check: picture.check ? picture.next : null });
      for (const [key, write] of writes) write(picture[key]);
      for (const [side, { draw }] of [["white", white], ["black", black]]) draw(picture.players[side], picture.begun && !picture.outcome && picture.next === side);
      for (const { draw } of news) draw(picture);
    },
  };
}

function player(side) {
  const [who, left] = [make("bdi", { class: "name" }), make("time", { class: "clock" })];
  const node = make("div", { class: "player-line" }, make("span", { class: `stone ${side}`, "aria-hidden": "true" }), who, make("span", { class: "soft" }, side), left);
  const writeName = bind(who, `/players/${side}/name`, (to, value) => name(to, value ?? "nobody yet", 40));
  const writeLeft = bind(left, `/players/${side}/left`, (to, value) => {
    to.hidden = value === null;
    say(to, value === null ? "" : clockText(value));
  });
  return {
    node,
    draw(told, turn) {
      writeName(told.name);
      writeLeft(told.left);
      toggle(node, "data-turn", turn);
    },
  };
}

function line(key, words) {
  const node = make("p", { class: "news-line" });
  const write = bind(node, `/${key}`, (to, value) => {
    to.hidden = value === null;
    name(to, value === null ? "" : words(value), 200);
  });
  return { node, draw: (picture) => write(picture[key]) };
}

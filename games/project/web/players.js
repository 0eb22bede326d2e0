// The players of the project game: who they are, whether they are there, what they carry and do, and what they did.

import { make, say, toggle } from "../dom.js";
import { bind, hold } from "../draw/bind.js";

// What is in a column, and the words for it. The first ones everybody may know.
const COLUMNS = [
  { key: "id", head: "Player", of: (player) => [player.id, player.team, player.leader], write: who },
  { key: "connection", head: "Link", of: (player) => player.connection, write: link },
  { key: "load", head: "Carries", secret: true, of: (player) => [player.load, player.tested], write: load },
  { key: "doing", head: "Does", secret: true, of: (player) => [player.doing, player.waiting], write: doing },
  ...["moves", "discovers", "pick_ups", "tests", "places"].map((kind) => ({ key: kind, head: words(kind), secret: true, of: (player) => player.counts[kind] })),
  { key: "goals", head: "Goals", secret: true, of: (player) => player.counts.goals },
  { key: "shams", head: "Shams", secret: true, of: (player) => player.counts.shams },
  { key: "response", head: "Response ms", title: "From the request to its answer, by the game’s clock: the last one, the mean, the longest", secret: true, of: (player) => player.response, write: response },
];

/** `look` is called with the number of a player that somebody chooses. */
export function players(look) {
  const body = make("tbody");
  const head = make("tr", {}, ...COLUMNS.map(({ key, head: words, title, secret }) => make("th", { scope: "col", class: secret ? `secret ${key}` : key, title }, words)));
  const node = make("table", { class: "project-players" }, make("thead", {}, head), body);
  const rows = new Map();
  return {
    node,
    draw(all, everything, looked) {
      toggle(node, "data-everything", everything);
      hold(
        body,
        all.map((player, at) => {
          if (!rows.has(player.id)) rows.set(player.id, row(player.id, at, look));
          const { node: line, draw } = rows.get(player.id);
          draw(player, everything, looked === player.id);
          return line;
        }),
      );
    },
  };
}

function row(id, at, look) {
  const cells = COLUMNS.map(({ key, secret, write }) => {
    const node = make("td", { class: secret ? `secret ${key}` : key });
    return [node, bind(node, `/hidden/players/${at}/${key}`, write ?? say, key !== "goals")];
  });
  const node = make("tr", { tabindex: "0", "data-player": id }, ...cells.map(([cell]) => cell));
  node.addEventListener("click", () => look(id));
  node.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    event.stopPropagation();
    look(id);
  });
  return {
    node,
    draw(player, everything, looked) {
      COLUMNS.forEach(({ secret, of }, column) => {
        if (!secret || everything) cells[column][1](of(player));
      });
      toggle(node, "data-team", Boolean(player.team), String(player.team).toLowerCase());
      toggle(node, "data-away", player.connection !== "here");
      toggle(node, "aria-selected", looked);
    },
  };
}

function who(node, [id, team, leader]) {
  node.replaceChildren(make("i", { class: "pawn", "aria-hidden": "true" }, id), `${team ?? "no team"}${leader ? " ★" : ""}`);
  node.title = leader ? "leads the team" : "";
}

function link(node, connection) {
  say(node, { here: "here", lost: "lost", gone: "gone" }[connection] ?? connection);
}

function load(node, [carried, tested]) {
  say(node, carried ? `${carried}${tested ? " ✓" : ""}` : "–");
  node.title = carried ? (tested ? "tested" : "not tested") : "";
}

function doing(node, [action, waiting]) {
  say(node, `${action ?? "–"}${waiting > 0 ? ` +${waiting}` : ""}`);
}

function response(node, { last, mean, longest }) {
  say(node, last === null ? "–" : `${last} · ${mean} · ${longest}`);
}

function words(kind) {
  return { moves: "Moves", discovers: "Disc.", pick_ups: "Picks", tests: "Tests", places: "Places" }[kind];
}

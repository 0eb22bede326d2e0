// How a picture of the treasure game is drawn: the players, how far it is, and the map as everybody or one of the two sees it.

import { make, name, say, toggle } from "../dom.js";
import { begin, bind, watch } from "../draw/bind.js";
import { legend, map, scene } from "./map.js";

await new Promise((ready) => {
  const link = make("link", { rel: "stylesheet", href: new URL("draw.css", import.meta.url).pathname });
  link.onload = link.onerror = ready;
  document.head.append(link);
});

/** Where people find out how to play such a game. */
export const page = (game) => `/treasure?game=${encodeURIComponent(game)}`;

export const SIGHTS = ["all", "first", "second"];

export function create(root, stage) {
  let last = null;
  const sight = sights(() => last && draw(last));
  const land = map();
  const parts = [facts(stage), player(0), player(1), land, sight];
  root.replaceChildren(make("div", { class: "treasure-table" }, ...parts.map((part) => part.node), legend()));
  function draw(picture) {
    last = picture;
    begin();
    const seen = scene(picture, sight.value);
    // Of a player whose secrets are not shown, only what all may know.
    const secrets = SIGHTS.slice(1).map((one, at) => ([one, "all"].includes(sight.value) ? (picture.hidden?.players[at] ?? null) : null));
    for (const part of parts) part.draw(picture, seen, secrets);
  }
  return { draw };
}

/** Says who sees what is shown. The wish is part of the address, and waits while a running game tells only what all may know. */
function sights(changed) {
  const asked = new URLSearchParams(location.search).get("sight");
  let wish = SIGHTS.includes(asked) ? asked : "all";
  const radios = SIGHTS.map((value) => make("input", { type: "radio", name: "sight", value }));
  const labels = radios.map(() => make("span"));
  const note = make("p", { class: "soft" }, "Forts, treasures and what each player sees are shown when the game is over.");
  const node = make("fieldset", { class: "sights" }, make("legend", {}, "Shown"), ...radios.map((radio, at) => make("label", {}, radio, labels[at])), note);
  node.addEventListener("change", (event) => {
    wish = event.target.value;
    const address = new URL(location.href);
    if (wish === "all") address.searchParams.delete("sight");
    else address.searchParams.set("sight", wish);
    history.replaceState(null, "", address);
    changed();
  });
  const write = watch((names, told, shown) => {
    say(labels[0], told ? "everything" : "what all may know");
    names.forEach((one, at) => name(labels[at + 1], `what ${one ?? ["the first", "the second"][at]} sees`, 40));
    radios.forEach((radio, at) => {
      radio.disabled = at > 0 && !told;
      radio.checked = radio.value === shown;
    });
    note.hidden = told;
  });
  return {
    node,
    get value() {
      return wish;
    },
    draw({ players, hidden }) {
      const told = hidden !== null;
      write(players.map((one) => one.name), told, told ? wish : "all");
    },
  };
}

function player(at) {
  const [who, standing, account, treasure] = [make("bdi", { class: "name" }), make("span", { class: "badge" }), make("span", { class: "soft" }), make("span", { class: "soft" })];
  const node = make("div", { class: "player-line", "data-player": at }, make("span", { class: "stone", "aria-hidden": "true" }, String(at + 1)), who, account, treasure, standing);
  const write = (to, key, words) => bind(to, `/players/${at}/${key}`, (node, value) => words(node, value));
  const writes = {
    name: write(who, "name", (to, value) => name(to, value ?? "nobody yet", 60)),
    account: write(account, "account", (to, value) => name(to, value ?? "", 60)),
    standing: write(standing, "standing", (to, value) => {
      to.hidden = value === null;
      say(to, STANDINGS[value] ?? value ?? "");
    }),
  };
  // Who has its treasure is told to all in some games; otherwise it is a secret.
  const writeTreasure = watch((collected) => say(treasure, collected ? "has its treasure" : ""));
  return {
    node,
    draw(picture, _, secrets) {
      for (const [key, set] of Object.entries(writes)) set(picture.players[at][key]);
      writeTreasure(picture.players[at].collected || Boolean(secrets[at]?.collected));
      toggle(node, "data-turn", picture.turn === at);
    },
  };
}

const STANDINGS = { MustAct: "must act", MustWait: "waits", Won: "won", Lost: "lost" };

function facts(stage) {
  const node = make("div", { class: "facts" });
  const [actions, bar, turn, last, outcome] = [make("b"), make("progress", { "aria-hidden": "true" }), make("span"), make("span"), make("p", { class: "news-line" })];
  const kinds = [`protocol ${stage.year}`, stage.debug && "debug", stage.dummy && "with a dummy"].filter(Boolean);
  node.append(make("span", {}, "Action ", actions, ` of ${stage.action_limit}`), bar, turn, last, make("span", { class: "soft" }, kinds.join(", ")), outcome);
  bar.max = stage.action_limit;
  const writeActions = bind(actions, "/actions", (to, value) => {
    say(to, value);
    bar.value = value;
  });
  const writeTurn = bind(turn, "/turn", () => {});
  const turnWords = watch((words) => name(turn, words, 80));
  const writeLast = bind(last, "/last", () => {});
  const lastWords = watch((words) => name(last, words, 120));
  const writeOutcome = bind(outcome, "/outcome", (to, value) => {
    to.hidden = value === null;
    name(to, value === null ? "" : `${value.charAt(0).toUpperCase()}${value.slice(1)}.`, 200);
  });
  return {
    node,
    draw(picture, _, secrets) {
      writeActions(picture.actions);
      writeTurn(picture.turn);
      turnWords(picture.outcome ? "" : picture.turn === null ? (picture.begun ? "Both send their halves" : "Waiting for two players") : `${picture.players[picture.turn].name} must act`);
      writeLast(picture.last);
      lastWords(result(picture, secrets));
      writeOutcome(picture.outcome);
    },
  };
}

/** What the last action came to, as far as it is told. */
function result({ last, players }, secrets) {
  if (!last) return "";
  const who = players[last.player].name;
  const { progress, at } = secrets[last.player] ?? {};
  if (progress) return `Last: ${who} is on the way ${progress.direction.toLowerCase()}, ${progress.left} more to go`;
  if (last.step) return `Last: ${who} went ${last.step.toLowerCase()}`;
  return at ? `Last: ${who}, now at (${at.join(", ")})` : `Last: ${who}`;
}

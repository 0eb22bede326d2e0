// Draws a picture of the treasure game: the players, the progress, and the map as everybody or one of the two players sees it.

import { capital, make, name, say, stylesheet, toggle } from "/web/dom.js";
import { begin, bind, watch } from "/web/draw/bind.js";
import { legend, map } from "./map.js";
import { SIGHTS, lastAction, scene } from "./scene.js";

/** @import { Picture, PlayerPicture, Scene, Secrets, Sight, Stage } from "./scene.js" */

await stylesheet(new URL("draw.css", import.meta.url));

/**
 * The address that explains how to play a game.
 * @param {string} game
 */
export const page = (game) => `/treasure?game=${encodeURIComponent(game)}`;

/**
 * @param {Picture} picture
 * @param {Stage} stage
 */
export const headline = ({ begun, actions }, stage) => (begun ? `action ${actions} of ${stage.action_limit}` : "waits for two players");

/**
 * @param {HTMLElement} root
 * @param {Stage} stage
 */
export function create(root, stage) {
  /** @type {Picture | null} */
  let last = null;
  const sight = sights(() => last && draw(last));
  const land = map();
  const parts = [facts(stage), player(0), player(1), land, sight];
  root.replaceChildren(make("div", { class: "treasure-table" }, ...parts.map((part) => part.node), legend()));
  /** @param {Picture} picture */
  function draw(picture) {
    last = picture;
    begin();
    const seen = scene(picture, sight.value);
    // The secrets of the other player are left out.
    const secrets = SIGHTS.slice(1).map((one, at) => ([one, "all"].includes(sight.value) ? (picture.hidden?.players[at] ?? null) : null));
    for (const part of parts) part.draw(picture, seen, secrets);
  }
  return { draw };
}

/**
 * The choice whose sight is shown. It is part of the address. It has no effect while the game runs, because a running game shows only
 * what all players may know.
 * @param {() => void} changed
 */
function sights(changed) {
  const asked = new URLSearchParams(location.search).get("sight");
  /** @type {Sight} */
  let wish = SIGHTS.find((sight) => sight === asked) ?? "all";
  const radios = SIGHTS.map((value) => make("input", { type: "radio", name: "sight", value }));
  const labels = radios.map(() => make("span"));
  const note = make("p", { class: "soft" }, "Forts, treasures and the sight of each player are shown after the end of the game.");
  const node = make("fieldset", { class: "sights" }, make("legend", {}, "Shown"), ...radios.map((radio, at) => make("label", {}, radio, labels[at])), note);
  node.addEventListener("change", () => {
    wish = SIGHTS.find((_, at) => radios[at].checked) ?? "all";
    const address = new URL(location.href);
    if (wish === "all") address.searchParams.delete("sight");
    else address.searchParams.set("sight", wish);
    history.replaceState(null, "", address);
    changed();
  });
  const write = watch((/** @type {(string | null)[]} */ names, /** @type {boolean} */ isWhole, /** @type {Sight} */ shown) => {
    say(labels[0], isWhole ? "everything" : "what all players may know");
    names.forEach((one, at) => name(labels[at + 1], `what ${one ?? ["the first", "the second"][at]} sees`, 40));
    radios.forEach((radio, at) => {
      radio.disabled = at > 0 && !isWhole;
      radio.checked = radio.value === shown;
    });
    note.hidden = isWhole;
  });
  return {
    node,
    get value() {
      return wish;
    },
    /** @param {Picture} picture */
    draw({ players, hidden }) {
      const isWhole = hidden !== null;
      write(players.map((one) => one.name), isWhole, isWhole ? wish : "all");
    },
  };
}

/** @param {number} at */
function player(at) {
  const [who, standing, account, treasure] = [make("bdi", { class: "name" }), make("span", { class: "badge" }), make("span", { class: "soft" }), make("span", { class: "soft" })];
  const why = make("p", { class: "why" });
  const node = make("div", { class: "player-line", "data-player": at }, make("span", { class: "stone", "aria-hidden": "true" }, String(at + 1)), who, account, treasure, standing, why);
  const writeName = bind(who, `/players/${at}/name`, (to, value) => name(to, value ?? "no player yet", 60));
  const writeAccount = bind(account, `/players/${at}/account`, (to, value) => name(to, value ?? "", 60));
  const writeStanding = bind(standing, `/players/${at}/standing`, (to, /** @type {string | null} */ value) => {
    to.hidden = value === null;
    say(to, STANDINGS[value ?? ""] ?? value ?? "");
  });
  const writeWhy = watch((/** @type {string | null} */ words) => {
    why.hidden = words === null;
    name(why, words ?? "", 600);
  });
  // Some games tell all players who has found a treasure; in others it is a secret.
  const writeTreasure = watch((/** @type {boolean} */ collected) => say(treasure, collected ? "has its treasure" : ""));
  return {
    node,
    /**
     * @param {Picture} picture
     * @param {Scene} _
     * @param {(Secrets | null)[]} secrets
     */
    draw(picture, _, secrets) {
      /** @type {PlayerPicture} */
      const now = picture.players[at];
      writeName(now.name);
      writeAccount(now.account);
      writeStanding(now.standing);
      writeWhy(picture.hidden?.players[at]?.why ?? null);
      writeTreasure(now.collected || Boolean(secrets[at]?.collected));
      toggle(node, "data-turn", picture.turn === at);
    },
  };
}

/** @type {Record<string, string>} */
const STANDINGS = { MustAct: "must act", MustWait: "waits", Won: "won", Lost: "lost" };

/** @param {Stage} stage */
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
  const turnWords = watch((/** @type {string} */ words) => name(turn, words, 80));
  const writeLast = bind(last, "/last", () => {});
  const lastWords = watch((/** @type {string} */ words) => name(last, words, 120));
  const writeOutcome = bind(outcome, "/outcome", (to, value) => {
    to.hidden = value === null;
    name(to, value === null ? "" : `${capital(value)}.`, 200);
  });
  return {
    node,
    /**
     * @param {Picture} picture
     * @param {Scene} _
     * @param {(Secrets | null)[]} secrets
     */
    draw(picture, _, secrets) {
      writeActions(picture.actions);
      writeTurn(picture.turn);
      turnWords(picture.outcome ? "" : picture.turn === null ? (picture.begun ? "Both players send their halves" : "Waiting for two players") : `${picture.players[picture.turn].name} must act`);
      writeLast(picture.last);
      lastWords(lastAction(picture, secrets));
      writeOutcome(picture.outcome);
    },
  };
}

// Draws a picture of the project game: the board with its three areas, the figures, and the players with their actions. Where the host
// shows everything (on a Game Master's own page, or after the end), the reader can choose between the truth and what one player knows.

import { make, name, say, stylesheet, toggle } from "/web/dom.js";
import { begin, bind, watch } from "/web/draw/bind.js";
import { board } from "./board.js";
import { players } from "./players.js";

/** @import { Configuration, Picture, Player, Stage, Truth } from "./types.js" */

await stylesheet(new URL("draw.css", import.meta.url));

/** @type {Record<string, string>} */
const PHASES = { lobby: "Lobby", running: "Running", over: "Over" };

/** Games are played by programs, on a protocol of their own. */
export const page = null;

/** @param {Picture} picture */
export const headline = ({ score, phase }) => (phase === "lobby" ? "waits for players" : `Blue ${score.blue}, Red ${score.red}`);

/**
 * @param {HTMLElement} root
 * @param {Stage} stage
 */
export function create(root, stage) {
  /** @type {Picture | null} */
  let shown = null;
  /** @type {number | null} the player whose knowledge is shown */
  let looked = null;
  /** @param {number | null} player */
  const look = (player) => {
    looked = looked === player ? null : player;
    if (shown) draw(shown);
  };
  const [ground, table, top, settings] = [board(stage), players(look), figures(stage), configuration(stage)];
  const truth = make("button", { type: "button", class: "truth" }, "The truth");
  truth.addEventListener("click", () => look(looked));
  const whose = make("p", { class: "whose", "aria-live": "polite" });
  const side = make("div", { class: "project-side" }, top.node, make("div", { class: "sight" }, truth, whose), table.node, make("div", { class: "cards" }, settings.node, make("section", {}, make("h2", {}, "Signs"), ground.legend, ground.note)));
  root.replaceChildren(make("div", { class: "project" }, ground.node, side));

  /** @param {Picture} picture */
  function draw(picture) {
    shown = picture;
    begin();
    const all = picture.hidden;
    const knower = all?.players.find((player) => player.id === looked) ?? null;
    top.draw(picture);
    settings.draw(all);
    table.draw(all?.players ?? picture.players, knower?.id ?? null);
    ground.draw(all, knower);
    toggle(truth, "aria-pressed", true, knower ? "false" : "true");
    truth.hidden = all === null;
    name(whose, sight(all, knower), 120);
  }
  return { draw };
}

/**
 * @param {Truth | null} all
 * @param {Player | null} knower
 */
function sight(all, knower) {
  if (all === null) return "What everybody may know. The rest is shown after the end of the game.";
  if (!knower) return "Everything, as only the Game Master knows it. Choose a player to see what that player knows.";
  return `What player ${knower.id} knows from the Game Master and from other players. Older knowledge is paler.`;
}

/**
 * Phase, score, remaining pieces, and the outcome.
 * @param {Stage} stage
 */
function figures(stage) {
  const node = make("div", { class: "figures" });
  /** @type {((picture: Picture) => void)[]} */
  const writes = [];
  /**
   * @param {string} key
   * @param {string} label
   * @param {string} pointer
   * @param {(picture: Picture) => any} value
   * @param {(node: HTMLElement, value: any) => void} write
   */
  const figure = (key, label, pointer, value, write = say, quiet = true) => {
    const text = make("b");
    const note = make("small");
    node.append(make("div", { class: `figure ${key}` }, make("span", { class: "label" }, label), text, note));
    const put = bind(text, pointer, write, quiet);
    writes.push((picture) => put(value(picture)));
    return note;
  };
  figure("phase", "Phase", "/phase", (picture) => picture.phase, (to, /** @type {string} */ phase) => say(to, PHASES[phase] ?? phase));
  const blue = figure("blue", "Blue", "/score/blue", (picture) => picture.score.blue, say, false);
  const red = figure("red", "Red", "/score/red", (picture) => picture.score.red, say, false);
  figure("actions", "Actions", "/actions", (picture) => picture.actions);
  const pieces = figure("left", "Pieces left", "/hidden/left", (picture) => picture.hidden?.left ?? null, (to, left) => say(to, left ? left.lying + left.carried : "–"));
  const here = figure("here", "Connected", "/players", (picture) => picture.players, (to, /** @type {Picture["players"]} */ all) => say(to, all.filter((player) => player.connection === "here").length));
  const clock = figure("clock", "Clock", "/hidden/clock", (picture) => picture.hidden?.clock ?? null, (to, /** @type {number | null} */ ms) => say(to, ms === null ? "–" : time(ms)));
  say(here, `of ${2 * stage.players_per_team}`);
  say(clock, "min : s");
  const outcome = make("p", { class: "outcome" });
  const writeOutcome = bind(outcome, "/outcome", (to, words) => {
    to.hidden = words === null;
    name(to, words ?? "", 300);
  });
  node.append(outcome);
  return {
    node,
    /** @param {Picture} picture */
    draw(picture) {
      for (const write of writes) write(picture);
      writeOutcome(picture.outcome);
      const goals = picture.hidden ? `of ${picture.hidden.goals_per_team} goals` : "goals";
      say(blue, goals);
      say(red, goals);
      const left = picture.hidden?.left;
      say(pieces, left ? `${left.carried} carried, ${left.shams} shams` : "a secret");
    },
  };
}

/**
 * The settings of the game.
 * @param {Stage} stage
 */
function configuration({ width, height, goal_rows: rows, players_per_team: players }) {
  const facts = make("dl");
  const node = make("section", {}, make("h2", {}, "Configuration"), facts);
  const write = watch((/** @type {Configuration | null} */ now, /** @type {number} */ goals) => {
    /** @type {[string, string][]} */
    const lines = [["Board", `${width} × ${height} tiles, goal areas of ${rows} rows`], ["Teams", `${players} players each${now ? `, ${goals} goals each` : ""}`]];
    if (now) {
      const { move, discover, test, pick_up: pick, place } = now.costs;
      lines.push(
        ["Pieces", `${now.pieces} at the start, ${now.shams_percentage} % shams; ${now.respawn ? `a new one every ${duration(now.respawn)}` : "no new ones"}`],
        ["Costs", `move ${duration(move)}, discover ${duration(discover)}, test ${duration(test)}, pick up ${duration(pick)}, place ${duration(place)}`],
        ["Ends", now.no_progress ? `after ${duration(now.no_progress)} without progress` : "when a team has all its goals"],
        ["Lost players", `have ${duration(now.patience)} to come back`],
      );
    }
    facts.replaceChildren(...lines.flatMap(([key, words]) => [make("dt", {}, key), make("dd", {}, words)]));
  });
  return { node, draw: (/** @type {Truth | null} */ all) => write(all?.configuration ?? null, all?.goals_per_team ?? 0) };
}

/** @param {number} ms */
const duration = (ms) => (ms < 1000 ? `${ms} ms` : ms < 120000 ? `${ms / 1000} s` : `${ms / 60000} min`);

/** @param {number} ms */
function time(ms) {
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

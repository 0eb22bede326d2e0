// The page on which every game of the common wire is played: a session for the seat, the public chronicle for everything else.
// It knows no rules: the drawing shows the picture, and the offers of the host say what can be done.

import { Refused, explain, messageOf, path, post, statusOf } from "./api.js";
import { button, byId, called, complain, copied, cut, make, name, onClick, say, soon, toggle } from "./dom.js";
import { drawingModule, playAddress } from "./drawing.js";
import { joining, leaves } from "./offers.js";
import { PeoplePanel } from "./people.js";
import { titleOf } from "./titles.js";
import { create as createTree } from "./tree.js";
import { PublicGame } from "./play-feed.js";
import { Frame } from "./play-frame.js";
import { Help } from "./play-help.js";
import { Moments } from "./play-moments.js";
import { OfferPanel } from "./play-offers.js";
import { Targets } from "./play-targets.js";
import { WaitingPanel, disc } from "./play-waiting.js";
import { Session, storeSeat, storedSeat } from "./session.js";

/** @import { Drawing, Game, Offers, OwnTable, Table, Want } from "./types.js" */

const RETRY_MS = 3000;
const GATHER_MS = 15;

const game = decodeURIComponent(location.pathname.split("/")[2] ?? "");
const moments = new Moments();
const help = new Help();
const watched = new PublicGame(game, draw, (entry, picture) => moments.happened(entry, picture));
const panel = new OfferPanel(send);
const people = new PeoplePanel(byId("people"), game);
const targets = new Targets((offer) => panel.take(offer), draw);
const waiting = new WaitingPanel(game, { join, claim: (seat) => enter({ join: { seat } }), take: (offer) => panel.take(offer), complain, redraw: draw });
/** @type {Drawing | null} */
let drawing = null;
/** @type {OwnTable | null} the player's table, if the rulebook draws one */
let own = null;
/** Whether the picture is a tree of values. Then it leaves out what the page itself shows about a short game: players, turn, outcome. */
let isTree = false;
/** @type {Session | null} */
let session = null;
/** @type {Offers | null} what the player can do, with the table around it */
let offers = null;
/** The offers before the command that has no answer yet, as JSON; null if there is none. */
let sent = /** @type {string | null} */ (null);
/** The words of the last event since then. */
let heard = /** @type {string | null} */ (null);
/** @type {string | null} the name to join with, as soon as the offers say how */
let wanted = null;
/** The number of requests for offers, and how many of them came before the command that has no answer yet. */
let asks = 0;
let asksBefore = 0;
let asking = false;
let askAgain = false;
let isDrawing = false;
/** @type {number | null} when the game goes on by itself */
let dueMs = null;
/** The longest time seen until then, of which the rest is shown. */
let wholeMs = 0;

document.title = `${cut(game, 60)} · Holdfast`;
name(byId("name"), game, 60);
for (const id of ["replay", "look-back"]) byId(id, HTMLAnchorElement).href = `/games/${encodeURIComponent(game)}`;
onClick("share", share);
onClick("again", again);
setInterval(showClock, 500);
begin();

/** Loads the game; then returns to the seat that this browser has, or watches. */
async function begin() {
  try {
    const about = await watched.open();
    const module = await drawingModule(about.rulebook);
    const address = playAddress(module, game);
    if (address !== location.pathname) {
      location.replace(address ?? `/games/${encodeURIComponent(game)}`);
      return;
    }
    byId("main").hidden = false;
    isTree = module.isTree ?? false;
    if (module.table) new Frame().open();
    if (module.seatSign) waiting.sign = module.seatSign;
    byId("beside").hidden = !module.beside;
    module.beside?.(byId("beside"), about.stage);
    drawing = module.create(byId("board"), about.stage);
    own = (await module.table?.(byId("table"), about.stage, { take: (offer, sure) => panel.take(offer, sure), choose: (chosen, only) => targets.choose(chosen, only) })) ?? null;
    targets.open(drawing, own !== null);
    moments.open(module, about.stage);
    panel.sign = (label) => module.sign?.(label, about.stage) ?? null;
    help.open(about.rulebook, module, about.stage);
    complain(null);
    const token = storedSeat(game);
    if (about.status === "running" && token) enter({ watch: {} }, token);
    else if (about.status === "running") people.visit();
    draw();
  } catch (error) {
    complain(error instanceof Refused ? explain(error) : messageOf(error), ...(statusOf(error) === 0 ? [] : [away()]));
    if (statusOf(error) === 0) setTimeout(begin, RETRY_MS);
  }
}

/**
 * Opens a session, instead of the one there may be.
 * @param {Want} want
 * @param {string | null} token of the seat to return to
 */
function enter(want, token = null) {
  session?.close();
  offers = null;
  sent = null;
  let welcomed = false;
  const opened = new Session({
    welcome: () => {
      welcomed = true;
      storeSeat(game, opened.token);
      ask();
    },
    event: (_, text) => {
      if (sent !== null && text) heard = text;
      ask();
    },
    refused: ({ reason, message }) => {
      // The request for offers that went with the command got no answer. Without a command, another one would be refused, too.
      if (sent !== null && welcomed) ask();
      sent = null;
      if (reason === "unknown_token") storeSeat(game, null);
      // A refused hello ends the session; the visitor still watches.
      if (!welcomed) {
        opened.close();
        session = null;
        wanted = null;
      }
      complain(message);
      draw();
    },
    closing: ({ reason, message }) => {
      sent = null;
      people.detach();
      if (reason === "replaced") showReplaced();
      else if (opened.ended && reason !== "game_over") complain(message, away());
      if (opened.ended) offers = reason === "game_over" ? offers : null;
      draw();
    },
    connected,
    notice: (notice) => {
      people.take(notice);
      draw();
    },
  });
  session = opened;
  people.attach(opened);
  session.token = token;
  session.open(want, game);
}

/** @param {string} player */
function join(player) {
  wanted = player;
  complain(null);
  if (session?.token && !session.ended) ask();
  else enter({ join: {} });
}

/** @param {boolean} yes */
function connected(yes) {
  byId("connection").hidden = yes;
  toggle(document.body, "data-connected", true, String(yes));
  if (yes) return;
  people.detach();
  sent = null;
  say(byId("connection"), "The connection is lost. The page tries to connect again.");
  draw();
}

/** Asks for the offers after the newest event. Events that come together are one question. */
function ask() {
  if (asking) {
    askAgain = true;
    return;
  }
  asking = true;
  setTimeout(async () => {
    const asked = session;
    try {
      asks += 1;
      const number = asks;
      const answer = await asked?.offers();
      // An answer to an earlier question does not know the command yet; the next answer does.
      if (answer && asked === session && (sent === null || number > asksBefore)) take(answer);
    } catch {
      // The connection is lost, or the game is over; a new connection asks again.
    }
    asking = false;
    if (askAgain) {
      askAgain = false;
      ask();
    }
  }, GATHER_MS);
}

/** @param {Offers} answer */
function take(answer) {
  const left = answer.table?.left_ms;
  const due = left === undefined ? null : performance.now() + left;
  // The same turn goes on for as long as before; another one has its own time.
  wholeMs = due !== null && dueMs !== null && Math.abs(due - dueMs) < 1500 ? wholeMs : (left ?? 0);
  dueMs = due;
  // Offers are compared; that time passes makes no other ones.
  if (answer.table) delete answer.table.left_ms;
  const now = JSON.stringify(answer);
  if (sent !== null) {
    // A refused command changes nothing. So if nothing has changed, the words of the event say why. The answer comes after the events.
    if (now === sent && heard) complain(heard);
    sent = heard = null;
  }
  offers = answer;
  const joined = wanted !== null && !answer.table?.you ? joining(answer, wanted) : null;
  if (wanted !== null && !joined && !answer.table?.you && [...leaves(answer)].length === 0) complain(answer.title);
  wanted = null;
  draw();
  if (joined) send(joined);
}

/** @param {Record<string, any>} command */
function send(command) {
  if (sent !== null) return;
  complain(null);
  const before = JSON.stringify(offers);
  if (!session?.command(command)) {
    complain("There is no connection now. Nothing was sent.");
    return;
  }
  sent = before;
  asksBefore = asks;
  heard = null;
  // At once, so that a second click does not send it twice.
  toggle(document.body, "data-sent", true, "true");
  panel.show(offers, true);
  ask();
  draw();
}

/** Draws soon; changes that come together are drawn once. */
function draw() {
  if (isDrawing) return;
  isDrawing = true;
  soon(() => {
    isDrawing = false;
    drawNow();
  });
}

function drawNow() {
  const about = watched.game;
  if (!about || !drawing) return;
  const isOver = about.status !== "running";
  /** @type {Table | null} what this player may know; after the end everyone may know everything */
  const table = isOver ? null : (offers?.table ?? null);
  const players = table?.players ?? about.players;
  const you = offers?.table?.you ?? null;
  const seat = you === null ? -1 : (offers?.table?.seat ?? players.indexOf(you));
  const turn = isOver ? null : table ? table.turn : watched.turn;
  const missing = isOver ? null : table ? (table.missing ?? null) : (about.missing ?? null);
  const current = isOver || session?.ended ? null : offers;
  const mayAct = current !== null && [...leaves(current)].some((offer) => !offer.aside && !offer.impossible) && !missing;
  const picture = table?.picture ?? watched.picture;
  if (picture) drawPicture(picture);
  // While players are missing, the panel of seats has the offers.
  targets.show(missing ? null : current);
  const hasTable = own !== null && picture && seat >= 0 && current !== null && !missing;
  byId("table").hidden = !hasTable;
  const isDrawn = Boolean(hasTable && own?.show({ picture, offers: current, seat, chosen: targets.chosen, only: targets.only, isBusy: sent !== null }));
  panel.show(you && missing ? null : current, sent !== null, isDrawn);
  waiting.show({ game: about, players, missing, seat, token: session?.token ?? null, offers: current, here: people.here, clients: people.clients });
  help.show(picture, seat, mayAct);
  showHead(about, players, { seat, turn, mayAct, isWaiting: missing !== null });
  byId("over").hidden = !isOver;
  say(byId("outcome"), about.outcome ?? "");
  byId("again").hidden = !storedSeat(game);
  toggle(document.body, "data-ready", true, "true");
  toggle(document.body, "data-you", true, you ?? "");
  toggle(document.body, "data-status", true, isOver ? "over" : missing ? "waiting" : mayAct ? "act" : "wait");
  toggle(document.body, "data-sent", true, String(sent !== null));
}

/**
 * Draws the board. A drawing that fails is replaced by a tree of values: the game can still be played.
 * @param {any} picture
 */
function drawPicture(picture) {
  try {
    drawing?.draw(isTree && picture.game !== undefined ? { game: picture.game } : picture);
  } catch (error) {
    console.error(error);
    complain(`The drawing of this game failed (${messageOf(error)}). The values of the game are shown instead.`);
    byId("board").replaceChildren();
    drawing = createTree(byId("board"));
    isTree = true;
    targets.open(drawing);
    draw();
  }
}

/**
 * @param {Game} about
 * @param {string[]} players
 * @param {{ seat: number, turn: string | null, mayAct: boolean, isWaiting: boolean }} now
 */
function showHead(about, players, { seat, turn, mayAct, isWaiting }) {
  const isOver = about.status !== "running";
  name(byId("name"), titleOf(about), 60);
  say(byId("facts"), [about.rulebook, about.edition, game].filter((word) => word && word !== "standard").join(" · "));
  const you = players[seat] ?? null;
  // Of two players with the same name, the one who can do something has the turn.
  const isAlone = players.indexOf(you ?? "") === players.lastIndexOf(you ?? "");
  const isYours = !isOver && !isWaiting && you !== null && (turn === you ? mayAct || isAlone : turn === null && mayAct);
  /** @type {(player: string, at: number) => boolean} */
  const hasTurn = (player, at) => player === turn && (player !== you || isAlone || isYours === (at === seat));
  const words = isOver ? "The game is over" : isWaiting ? "Waiting for players" : isYours ? "Your turn" : turn ? `${cut(turn, 30)}’s turn` : you ? "Others are playing" : "You are watching";
  say(byId("turn"), words);
  toggle(byId("turn"), "data-yours", isYours);
  moments.turn(isYours);
  document.title = `${isYours ? "Your turn" : cut(game, 40)} · Holdfast`;
  byId("share").hidden = isWaiting;
  const shown = JSON.stringify([players, seat, turn, isYours]);
  const bar = byId("players");
  bar.hidden = players.length === 0 || isWaiting;
  if (bar.dataset.shown === shown) return;
  bar.dataset.shown = shown;
  bar.replaceChildren(
    ...players.map((player, at) =>
      make("li", { "data-turn": hasTurn(player, at) ? "true" : null }, disc(player), called(player, 30), ...(at === seat ? [make("span", { class: "soft" }, "you")] : []), ...(hasTurn(player, at) ? [make("span", { class: "unseen" }, "has the turn")] : [])),
    ),
  );
}

/** Shows how long the game waits, in the last ten minutes. */
function showClock() {
  const clock = byId("clock");
  const left = dueMs === null ? null : Math.max(0, Math.ceil((dueMs - performance.now()) / 1000));
  clock.hidden = left === null || left > 600 || document.body.dataset.status === "over" || offers === null;
  if (left === null || clock.hidden) return;
  say(clock, `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`);
  toggle(clock, "data-short", left <= 15);
  clock.style.setProperty("--left", String(Math.min(1, (1000 * left) / Math.max(wholeMs, 1))));
}

function showReplaced() {
  const here = () => {
    complain(null);
    enter({ watch: {} }, storedSeat(game));
  };
  complain("This game was opened in another window.", button({}, here, "Play here"));
}

/** A link for those who cannot go on here. */
const away = () => make("a", { href: "/" }, "All games");

async function share() {
  say(byId("share"), (await copied(location.href.split("?")[0])) ? "Link copied" : "The link is in the address bar");
}

/** Opens the next game with the same players, or says why there is none. */
async function again() {
  try {
    const { game: next } = await post(path("games", game, "rematch"), { token: storedSeat(game) });
    location.assign(`/games/${encodeURIComponent(next)}/play`);
  } catch (error) {
    complain(explain(error));
  }
}

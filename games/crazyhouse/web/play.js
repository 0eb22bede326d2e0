// The page of a game that is played or watched: the session with the host, the board, and the player's actions.

import { button, byId, closest, complain, copied, cut, field, find, make, name, onClick, say, soon, toggle } from "/web/dom.js";
import { explain, lines, messageOf, parseLines, path, statusOf } from "/web/api.js";
import { leaves } from "/web/offers.js";
import { PeoplePanel } from "/web/people.js";
import { Session, storeSeat, storedSeat } from "/web/session.js";
import { NAME, store } from "/web/stored.js";
import { Board } from "./board.js";
import { askSans } from "./asking.js";
import { Away } from "./away.js";
import { Match } from "./match.js";
import { other, readBoard, turnOf } from "./notation.js";
import { JoinForm, Seats, showMoves } from "./play-table.js";
import { steps } from "./steps.js";
import { Rematch } from "./rematch.js";
import { storeBoard, storedBoard, takeWantedSeat } from "./names.js";
import { readMove, writePlan } from "./typed.js";
import { statusWords } from "./words.js";

/** @import { Game, Want } from "/web/types.js" */
/** @import { Side } from "./notation.js" */
/** @import { Stage } from "./match.js" */

const RETRY_MS = 3000;
const TICK_MS = 100;
/** How many moves are written in one question. */
const MOST_WRITTEN = 400;

const game = decodeURIComponent(location.pathname.split("/").at(-1) ?? "");
const board = new Board(choose);
const seats = new Seats();
const joinForm = new JoinForm(join);
/** @type {(Game & { stage: Stage }) | null} null until the host has answered */
let about = null;
let match = new Match({ start: "", clock: null });
const rematch = new Rematch(game, () => match);
const away = new Away(() => match);
const people = new PeoplePanel(byId("people"), game);
/** @type {Session | null} */
let session = null;
/** @type {Session | null} the session whose clock was compared with the host's */
let tuned = null;
/** @type {number | null} the move that the player looks back at, or null for the last one */
let lookedAt = null;
let isDrawing = false;
/** @type {string | null} the move that was sent and is not confirmed yet */
let sent = null;
/** @type {boolean | null} whether Black is at the bottom, once the player has turned the board */
let flipped = null;
/** @type {string | null} the position whose legal moves the board has or waits for */
let movesOf = null;
/** @type {string[]} the legal moves that the board has */
let legal = [];
/** @type {string | null} the move that is made at once when the turn comes */
let planned = null;
/** Whether the page waits for the moves as chess players write them. */
let writing = false;

byId("board").append(board.node);
document.title = `${cut(game, 40)} · Crazyhouse`;
name(byId("name"), game, 40);
byId("replay", HTMLAnchorElement).href = `/games/${encodeURIComponent(game)}`;
byId("analyse", HTMLAnchorElement).href = `/crazyhouse/analysis/${encodeURIComponent(game)}`;
byId("link", HTMLInputElement).value = location.href;
controls();
begin();
setInterval(() => seats.tick(match), TICK_MS);

/** Loads the facts of the game; then returns to the seat that this browser has, takes the one that the player wants, or watches. */
async function begin() {
  try {
    const [line] = await lines(path("games", game));
    about = line.game;
  } catch (error) {
    complain(explain(error), ...(statusOf(error) === 0 ? [] : [elsewhere()]));
    if (statusOf(error) === 0) setTimeout(begin, RETRY_MS);
    return;
  }
  complain(null);
  if (about?.rulebook !== "crazyhouse") {
    location.replace(`/games/${encodeURIComponent(game)}`);
    return;
  }
  const wanted = takeWantedSeat(game);
  if (wanted && !storedSeat(game)) enter({ join: {} }, { first: joinCommand(wanted.name, wanted.side) });
  else enter({ watch: {} }, { token: storedSeat(game) });
}

/**
 * Opens a session, instead of the one there may be.
 * @param {Want} want
 * @param {{ token?: string | null, first?: object | null }} options the token of a seat, and the first command
 */
function enter(want, { token = null, first = null } = {}) {
  if (!about) return;
  session?.close();
  match = new Match(about.stage);
  let welcomed = false;
  const opened = new Session({
    welcome: () => {
      welcomed = true;
      if (first) opened.command(first);
      first = null;
      byId("connection").hidden = true;
      draw();
    },
    event: take,
    refused: (refusal) => {
      complain(refusal.message);
      if (welcomed) return;
      // The seat of an unknown token is gone, but the visitor may watch.
      const isUnknown = refusal.reason === "unknown_token";
      if (isUnknown) storeSeat(game, null);
      if (isUnknown || !("watch" in want)) enter({ watch: {} });
      else opened.close();
    },
    closing: ({ reason, message }) => {
      people.detach();
      if (reason === "game_over") rematch.await();
      else if (reason === "replaced") showReplaced();
      else if (opened.ended) complain(message, elsewhere());
    },
    connected,
    notice: (notice) => {
      away.take(notice, opened.client);
      people.take(notice);
    },
  });
  people.attach(opened);
  session = opened;
  session.token = token;
  session.open(want, game);
}

/** @param {boolean} yes */
function connected(yes) {
  byId("connection").hidden = yes;
  toggle(document.body, "data-connected", true, String(yes));
  if (yes) return;
  people.detach();
  // Events after a gap may be older than they look, so the clock must be compared again.
  tuned = null;
  sent = null;
  say(byId("connection"), "The connection is lost. The page tries to connect again.");
  draw();
}

/**
 * @param {string} name
 * @param {Side | null} side
 */
const joinCommand = (name, side) => ({ Join: { name, side } });

/**
 * @param {string} name
 * @param {Side | null} side
 */
function join(name, side) {
  store(NAME, name);
  // In a fork, the visitor claims the seat of a player of the parent.
  if (about?.parent && match.begun && side) enter({ join: { seat: match.seats.indexOf(side) } });
  else if (session?.token) session.command(joinCommand(name, side));
  else enter({ join: {} }, { first: joinCommand(name, side) });
}

/**
 * @param {import("./match.js").MatchEvent} event
 * @param {string} text
 */
function take(event, text) {
  match.take(event, text);
  if (event.Refused || event.Moved || event.TakenBack) sent = null;
  if (event.TakenBack) {
    planned = lookedAt = null;
    // The same position can come again, and the board may still have the moves of one that is gone.
    movesOf = "";
  }
  if (event.Refused) complain(text);
  if (event.Moved || event.Seated) complain(null);
  if (event.Seated) storeSeat(game, session?.token ?? null);
  if (event.Finished) rematch.await();
  // After a reconnect many events come at once; they are drawn together.
  if (isDrawing) return;
  isDrawing = true;
  soon(() => {
    isDrawing = false;
    draw();
    if (match.clock && match.running) tune();
  });
}

/** Asks the host once per session when the turn began, because the first events may be old. */
async function tune() {
  if (tuned === session) return;
  tuned = session;
  try {
    const response = await fetch(`${path("games", game, "chronicle")}?from=${match.turn - 1}&steps=1`);
    /** @type {(import("/web/types.js").Entry | undefined)[]} */
    const entries = parseLines(await response.text()).map((line) => line.entry);
    const turns = entries.filter((entry) => entry?.events.some(({ event }) => ["Began", "Moved", "TakenBack"].includes(event[0])));
    const goneMs = Date.parse(response.headers.get("Date") ?? "") - (turns.at(-1)?.at ?? NaN);
    if (goneMs > 1000 && match.running) match.turnBeganAgo(goneMs);
  } catch {
    // Only the clock of the host counts; the shown one is right again with the next move.
  }
}

function draw() {
  if (!about) return;
  const at = lookedAt ?? match.last;
  const { text, position, check } = match.positions[at];
  const { bots } = about.stage;
  board.flip(flipped ?? match.mine === "black");
  board.show({ board: position, last: text, check: check ? turnOf(position) : null });
  seats.show(match, bots, board.flipped);
  say(byId("status"), statusWords(match, sent));
  document.title = `${match.myTurn ? "Your move" : cut(game, 40)} · Crazyhouse`;
  showMoves(match, at);
  writeMoves();
  allowMoves(at, position);
  showPlan(at);
  byId("type").hidden = !match.running || match.mine === null;
  joinForm.show(match, Boolean(about.parent), bots);
  showActions(at, bots);
  toggle(document.body, "data-ready", true);
  toggle(document.body, "data-move", true, String(match.last));
  toggle(document.body, "data-looked", true, String(at));
  toggle(document.body, "data-side", true, match.mine ?? "none");
}

/** Asks how chess players write the moves that are new. Without an answer, the notation of the rules is enough. */
async function writeMoves() {
  const { positions } = match;
  const from = positions.findIndex(({ text, san }) => text !== null && san === undefined);
  if (from < 0 || writing) return;
  writing = true;
  const fresh = positions.slice(from, from + MOST_WRITTEN);
  try {
    const sans = await askSans(positions[from - 1].position, fresh.map(({ text }) => text ?? ""));
    fresh.forEach((played, at) => (played.san = sans[at] ?? ""));
  } catch {
    for (const played of fresh) played.san = "";
  }
  writing = false;
  draw();
}

/**
 * @param {number} at
 * @param {Record<Side, string | null>} bots
 */
function showActions(at, bots) {
  const opponent = match.mine && other(match.mine);
  byId("actions").hidden = !match.running || !opponent;
  byId("offer").hidden = !match.running || !opponent || match.offer !== opponent;
  byId("invite").hidden = match.begun || match.outcome !== null || !opponent || Boolean(bots[opponent]);
  byId("after").hidden = match.outcome === null;
  byId("back").hidden = at === match.last;
  byId("rematch").hidden = !opponent || !match.begun;
  byId("draw", HTMLButtonElement).disabled = match.offer !== null || !session?.token;
  byId("takeback", HTMLButtonElement).disabled = match.asked !== null || !match.canAsk;
  byId("abort").hidden = !match.isFresh;
  byId("asked").hidden = !match.running || !opponent || match.asked !== opponent;
  say(find(byId("asked"), "p"), opponent ? `${cut(match.players[opponent] ?? "", 30)} asks to take a move back.` : "");
  away.show();
  say(find(byId("offer"), "p"), opponent ? `${cut(match.players[opponent] ?? "", 30)} offers a draw.` : "");
  say(find(byId("back"), "span"), `You are looking at move ${at} of ${match.last}.`);
}

/**
 * Lets the player choose among the moves that the host offers, once for each position.
 * @param {number} at
 * @param {string} position
 */
async function allowMoves(at, position) {
  const may = match.myTurn && at === match.last && sent === null && byId("connection").hidden;
  const wanted = may ? position : null;
  if (movesOf === wanted) return;
  movesOf = wanted;
  legal = [];
  board.allow([]);
  toggle(document.body, "data-moves", false);
  if (wanted === null || !session) return;
  try {
    const offers = await session.offers();
    if (movesOf !== wanted) return;
    const moves = [...leaves(offers)].flatMap(({ command, impossible }) => (command.Move && !impossible ? [command.Move.text] : []));
    if (planned && moves.includes(planned)) {
      const at = planned;
      planned = null;
      move(at);
      return;
    }
    if (planned) complain(`${writePlan(planned)} is not possible any more.`);
    planned = null;
    legal = moves;
    board.allow(moves);
    showPlan(match.last);
    toggle(document.body, "data-moves", true, String(moves.length));
    if (moves.length === 0) say(byId("status"), "You have no legal move: offer a draw, or resign.");
  } catch (error) {
    if (movesOf !== wanted) return;
    complain(messageOf(error));
    movesOf = null;
    setTimeout(draw, RETRY_MS);
  }
}

/**
 * Shows the planned move. One can be planned while the opponent thinks.
 * @param {number} at
 */
function showPlan(at) {
  if (!match.running || match.mine === null) planned = null;
  const mayPlan = match.running && match.mine !== null && !match.myTurn && at === match.last;
  board.plan(mayPlan ? match.mine : null, planned);
  byId("planned").hidden = planned === null;
  say(find(byId("planned"), "span"), planned ? `Planned: ${writePlan(planned)}. It is played at once if it is legal then.` : "");
  toggle(document.body, "data-planned", planned !== null, planned ?? "");
}

/**
 * Makes a move, or plans it for the next turn.
 * @param {string} text empty: forgets the plan
 */
function choose(text) {
  if (match.myTurn && text) {
    move(text);
    return;
  }
  planned = text || null;
  draw();
}

/** @param {string} text */
function move(text) {
  complain(null);
  if (!session?.command({ Move: { text } })) {
    complain("There is no connection now; the move was not made.");
    return;
  }
  sent = text;
  draw();
}

/** @param {number} at */
function look(at) {
  const to = Math.max(0, Math.min(match.last, at));
  lookedAt = to === match.last ? null : to;
  draw();
}

function showReplaced() {
  const here = () => {
    complain(null);
    enter({ watch: {} }, { token: storedSeat(game) });
  };
  complain("This game was opened in another window.", button({}, here, "Play here"));
}

/** A link for those who cannot go on here. */
const elsewhere = () => make("a", { href: "/crazyhouse" }, "All games of crazyhouse");

function controls() {
  /** @type {(kind: string, fields?: object) => void} */
  const command = (kind, fields = {}) => {
    complain(null);
    if (!session?.command({ [kind]: fields })) complain("There is no connection now.");
  };
  const dialog = byId("resign-dialog", HTMLDialogElement);
  onClick("flip", () => {
    flipped = !board.flipped;
    draw();
  });
  onClick("draw", () => command("OfferDraw"));
  onClick("accept", () => command("AcceptDraw"));
  onClick("decline", () => command("DeclineDraw"));
  onClick("takeback", () => command("AskTakeback"));
  onClick("allow", () => command("AllowTakeback"));
  onClick("refuse", () => command("RefuseTakeback"));
  onClick("abort", () => command("Abort"));
  onClick("cancel", () => command("Abort"));
  onClick("claim", () => command("Claim"));
  onClick("resign", () => dialog.showModal());
  find(dialog, ".cancel").addEventListener("click", () => dialog.close());
  onClick("resign-now", () => {
    dialog.close();
    command("Resign", { because: null });
  });
  onClick("unplan", () => choose(""));
  byId("type").addEventListener("submit", typeMove);
  const colours = byId("colours", HTMLSelectElement);
  colours.value = storedBoard() ?? "blue";
  colours.addEventListener("change", () => storeBoard(colours.value));
  onClick("rematch", () => rematch.play(session?.token ?? null).catch((error) => complain(explain(error))));
  onClick("now", () => look(match.last));
  onClick("copy", copyLink);
  onClick("played", (event) => {
    const at = closest(event, "[data-at]")?.dataset.at;
    if (at) look(Number(at));
  });
  steps(look, () => lookedAt ?? match.last, (digit) => board.chooseHeld(digit - 1));
}

/** @param {Event} event */
function typeMove(event) {
  event.preventDefault();
  const input = field(byId("type", HTMLFormElement), "move");
  const { position } = match.positions[match.last];
  const read = match.myTurn ? readMove(input.value, legal, readBoard(position).squares) : { problem: "It is not your move." };
  const isMove = "move" in read;
  byId("typed").hidden = isMove;
  say(byId("typed"), isMove ? "" : read.problem);
  if (!isMove) return;
  input.value = "";
  move(read.move);
}

async function copyLink() {
  const link = byId("link", HTMLInputElement);
  link.select();
  say(byId("copy"), (await copied(link.value)) ? "Copied" : "Press Ctrl+C to copy");
}

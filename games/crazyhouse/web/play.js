// The page of a game that is played or watched: a session with the host, the board, and what can be done.

import { byId, called, cut, make, name, say, toggle } from "../dom.js";
import { explain, json, lines, path, post } from "../api.js";
import { Session, keepSeat, seat } from "../session.js";
import { Board, other } from "./board.js";
import { Match, clockText } from "./match.js";
import { wanted, whoAmI, wish } from "./names.js";

const SIDES = ["white", "black"];
const RETRY = 3000;
const game = decodeURIComponent(location.pathname.split("/").at(-1));
const board = new Board(move);
let match = null;
let about = null;
let session = null;
/** The move that is looked at, or null for the last one. */
let looked = null;
let asked = null;
let sent = null;
let flipped = null;

byId("board").append(board.node);
document.title = `${cut(game, 40)} · Crazyhouse`;
name(byId("name"), game, 40);
byId("replay").href = `/games/${encodeURIComponent(game)}`;
byId("link").value = location.href;
controls();
begin();
setInterval(clocks, 100);

/** What the game is; then a seat that this browser has, or a look from outside. */
async function begin() {
  try {
    const [line] = await lines(path("games", game));
    about = line.game;
  } catch (error) {
    complain(explain(error), error.status !== 0);
    if (error.status === 0) setTimeout(begin, RETRY);
    return;
  }
  complain(null);
  if (about.rulebook !== "crazyhouse") {
    location.replace(`/games/${encodeURIComponent(game)}`);
    return;
  }
  const { name: who, side } = wanted(game) ?? {};
  if (who && !seat(game)) enter(seated(who, side));
  else enter({ watch: {} }, seat(game));
}

/** Opens a place, or another one in its stead. */
function enter(want, token = null) {
  session?.close();
  match = new Match(about.stage);
  let welcomed = false;
  let { command } = want;
  session = new Session({
    welcome: () => {
      welcomed = true;
      if (command) session.command(command);
      command = null;
      byId("connection").hidden = true;
      draw();
    },
    event: (event, text) => heard(event, text),
    refused: (refusal) => {
      if (welcomed) return complain(refusal.message);
      // A token that opens nothing is of no use; anybody may watch.
      if (refusal.reason === "unknown_token") keepSeat(game, null);
      complain(refusal.message);
      if (!("watch" in want) || refusal.reason === "unknown_token") enter({ watch: {} });
      else session.close();
    },
    closing: ({ reason, message }) => {
      if (reason === "game_over") over();
      else if (reason === "replaced") replaced();
      else if (session.ended) complain(message, true);
    },
    connected: (yes) => {
      // What is heard after a gap may be older than it looks.
      if (!yes) tune.done = null;
      byId("connection").hidden = yes;
      toggle(document.body, "data-connected", true, String(yes));
      if (!yes) {
        say(byId("connection"), "The connection is lost. The page tries to connect again.");
        sent = null;
        draw();
      }
    },
  });
  session.token = token;
  const { command: _, ...first } = want;
  session.open(first, game);
}

/** A place of one's own, and then a side. */
const seated = (name, side) => ({ join: {}, command: { Join: { name, side: side ?? null } } });

function join(who, side) {
  whoAmI(who);
  const wish = seated(who, side);
  // In a fork the seats of those who played wait to be claimed.
  if (about.parent && match.begun) enter({ join: { seat: match.seats.indexOf(side) } });
  else if (session.token) session.command(wish.command);
  else enter(wish);
}

function heard(event, text) {
  const kind = match.take(event, text);
  if (kind === "Refused") {
    sent = null;
    complain(text);
  } else {
    if (kind === "Moved" || kind === "Seated") complain(null);
    if (kind === "Seated") keepSeat(game, session.token);
    if (kind === "Moved") sent = null;
    if (kind === "Finished") over();
  }
  // Many events come at once to whoever comes back.
  asked ??= requestAnimationFrame(() => {
    asked = null;
    draw();
    if (match.clock && match.running) tune();
  });
}

/** How long the side to move has been thinking, for whoever has just come. */
async function tune() {
  if (tune.done === session) return;
  tune.done = session;
  try {
    const response = await fetch(`${path("games", game, "chronicle")}?from=${match.turn - 1}&steps=1`);
    const told = (await response.text()).split("\n").filter(Boolean).map((line) => JSON.parse(line).entry);
    const turns = told.filter((entry) => entry?.events.some(({ event }) => ["Began", "Moved"].includes(event[0])));
    const gone = new Date(response.headers.get("Date")) - turns.at(-1)?.at;
    if (gone > 1000 && match.running) match.since = performance.now() - gone;
  } catch {
    // The clock of the host counts; ours is right again with the next move.
  }
}

function draw() {
  if (!match) return;
  const at = looked ?? match.last;
  const { text, position, check } = match.positions[at];
  const side = position.endsWith(" w") ? "white" : "black";
  board.flip(flipped ?? match.mine === "black");
  board.show({ board: position, last: text, check: check ? side : null });
  seats();
  status(at);
  list(at);
  moves(at, position);
  for (const [id, shown] of [
    ["actions", match.running && match.mine !== null],
    ["offer", match.running && match.mine !== null && match.offer === other(match.mine)],
    ["invite", !match.begun && !match.outcome && match.mine !== null && !about.stage.bots[other(match.mine)]],
    ["after", Boolean(match.outcome)],
    ["back", at !== match.last],
  ]) byId(id).hidden = !shown;
  say(byId("offer").querySelector("p"), match.mine ? `${cut(match.players[other(match.mine)] ?? "", 30)} offers a draw.` : "");
  byId("draw").disabled = match.offer !== null || !session.token;
  byId("rematch").hidden = match.mine === null;
  say(byId("back").querySelector("span"), `You look at move ${at} of ${match.last}.`);
  joining();
  toggle(document.body, "data-ready", true);
  toggle(document.body, "data-move", true, String(match.last));
  toggle(document.body, "data-looked", true, String(at));
  toggle(document.body, "data-side", true, match.mine ?? "none");
}

/** The legal moves come from the host, once for each position. */
async function moves(at, position) {
  const may = match.myTurn && at === match.last && sent === null && byId("connection").hidden;
  const key = may ? position : null;
  if (moves.key === key) return;
  moves.key = key;
  board.allow([]);
  toggle(document.body, "data-moves", false);
  if (!may) return;
  try {
    const found = await json(`/api/v1/rulebooks/crazyhouse/position?${encodeURIComponent(position)}`);
    if (moves.key !== key) return;
    board.allow(found.moves);
    toggle(document.body, "data-moves", true, String(found.moves.length));
    if (found.moves.length === 0) say(byId("status"), "You have no move: offer a draw, or resign.");
  } catch (error) {
    if (moves.key !== key) return;
    complain(explain(error));
    moves.key = undefined;
    setTimeout(draw, RETRY);
  }
}

function move(text) {
  complain(null);
  if (!session.command({ Move: { text } })) return complain("There is no connection now; the move was not made.");
  sent = text;
  draw();
}

/** Names, sides and clocks above and below the board. */
function seats() {
  const bottom = board.flipped ? "black" : "white";
  for (const [css, side] of [[".top-seat", other(bottom)], [".bottom-seat", bottom]]) {
    const node = document.querySelector(css);
    const who = match.players[side] ?? about.stage.bots[side];
    const key = JSON.stringify([side, who, match.mine, Boolean(match.clock)]);
    if (node.key !== key) {
      node.key = key;
      node.dataset.side = side;
      node.replaceChildren(
        make("span", { class: `stone ${side}`, "aria-hidden": "true" }),
        who ? called(who, 40) : make("i", {}, "nobody yet"),
        make("span", { class: "soft" }, match.mine === side ? `${side}, you` : side),
        make("time", { class: "clock", role: "timer", "aria-label": `Clock of ${side}`, hidden: !match.clock }),
      );
    }
    toggle(node, "data-turn", match.running && match.next === side);
  }
  clocks();
}

function clocks() {
  if (!match?.clock) return;
  for (const node of document.querySelectorAll(".seat")) {
    const clock = node.querySelector(".clock");
    const left = node.dataset.side && match.time(node.dataset.side);
    if (!clock || left === null || left === undefined) continue;
    say(clock, clockText(left));
    toggle(clock, "data-low", left < 20000);
  }
}

function status(at) {
  const { mine, next, players } = match;
  const them = cut(players[next] ?? "", 30);
  let words = `${them} (${next}) is to move.`;
  if (match.outcome) words = `${match.outcome.words}.${match.outcome.because ? ` (${cut(match.outcome.because, 200)})` : ""}`;
  else if (!match.begun) words = mine ? "Waiting for the other player." : "The game has not begun.";
  else if (match.myTurn) words = sent ? `You play ${sent}…` : "It is your move.";
  if (match.running && match.positions.at(-1).check) words += match.myTurn ? " You are in check." : " Check.";
  if (match.offer && match.offer === mine) words += " You have offered a draw.";
  else if (match.offer && mine === null) words += ` ${match.offer === "white" ? "White" : "Black"} offers a draw.`;
  if (match.declined) words += ` ${match.declined === "white" ? "White" : "Black"} declined the draw.`;
  say(byId("status"), words.charAt(0).toUpperCase() + words.slice(1));
  const title = match.myTurn ? "Your move" : cut(game, 40);
  document.title = `${title} · Crazyhouse`;
}

/** The moves in pairs, each a button that leads to the position after it. */
function list(at) {
  const node = byId("played");
  const first = match.positions[1]?.side === "black" ? 1 : 0;
  for (let number = node.querySelectorAll("[data-at]").length + 1; number <= match.last; number += 1) {
    const { text, check, side } = match.positions[number];
    const pair = Math.floor((number - 1 + first) / 2);
    while (node.children.length <= pair) node.append(make("li"));
    const button = make("button", { type: "button", "data-at": number, "data-side": side, "aria-label": `Move ${number}, ${side}: ${text}${check ? ", check" : ""}` }, text + (check ? "+" : ""));
    node.children[pair].append(button);
  }
  if (match.last === 0 && node.children.length > 0) node.replaceChildren();
  const now = node.querySelector(`[data-at="${at}"]`);
  for (const button of node.querySelectorAll("[aria-current]")) if (button !== now) button.removeAttribute("aria-current");
  if (!now || now.hasAttribute("aria-current")) return;
  now.setAttribute("aria-current", "step");
  // Not scrollIntoView, which would move the page as well.
  const { offsetTop, offsetHeight } = now;
  if (offsetTop < node.scrollTop || offsetTop + offsetHeight > node.scrollTop + node.clientHeight) node.scrollTop = offsetTop - node.clientHeight / 2;
}

function look(at) {
  const to = Math.max(0, Math.min(match.last, at));
  looked = to === match.last ? null : to;
  draw();
}

/** Who may sit down: at a free side, or in a fork at the seats that wait. */
function joining() {
  const form = byId("join");
  const claims = Boolean(about.parent) && match.begun;
  const sides = SIDES.filter((side) => (claims || match.free(side)) && !about.stage.bots[side]);
  const may = match.mine === null && !match.outcome && sides.length > 0 && (claims || !match.begun);
  form.hidden = !may;
  const key = may ? JSON.stringify([sides, claims]) : "";
  if (form.key === key) return;
  form.key = key;
  const choices = sides.map((side) => ({ side, text: claims ? `Go on as ${side}` : side === "white" ? "White" : "Black" }));
  if (choices.length === 2 && !claims) choices.push({ side: null, text: "Either" });
  form.querySelector(".choices").replaceChildren(...choices.map(({ side, text }) => make("button", { class: "primary", "data-side": side ?? "either", value: side ?? "" }, text)));
  form.querySelector("label").hidden = claims;
  form.elements.name.required = !claims;
  if (!form.elements.name.value) form.elements.name.value = whoAmI() ?? "";
}

/** The game has ended: there may be another one after it. */
async function over() {
  if (over.asked) return;
  over.asked = true;
  try {
    const { game: next } = await json(path("games", game, "rematch"));
    const link = byId("next");
    link.hidden = !next;
    if (next) link.href = `/crazyhouse/play/${encodeURIComponent(next)}`;
    if (next && match.mine) {
      say(byId("rematch"), "Play the rematch");
      link.hidden = true;
    }
    if (next) return;
  } catch {
    // It is asked again.
  }
  // Whoever played is waited for by the other; to whoever watches it can be said later, and to nobody when nobody looks.
  over.pause = Math.min((over.pause ?? RETRY) * 1.3, match.mine && !document.hidden ? 15000 : 60000);
  setTimeout(() => {
    over.asked = false;
    over();
  }, over.pause);
}

async function rematch() {
  try {
    const { game: next } = await post(path("games", game, "rematch"), { token: session.token });
    wish(next, match.players[match.mine], other(match.mine));
    location.assign(`/crazyhouse/play/${encodeURIComponent(next)}`);
  } catch (error) {
    complain(explain(error));
  }
}

function replaced() {
  const message = byId("message");
  message.hidden = false;
  const here = make("button", { type: "button" }, "Play here");
  here.addEventListener("click", () => {
    complain(null);
    enter({ watch: {} }, seat(game));
  });
  message.replaceChildren("This game was opened in another window. ", here);
}

function complain(words, away = false) {
  const message = byId("message");
  message.hidden = !words;
  message.replaceChildren(words ?? "", ...(away ? [" ", make("a", { href: "/crazyhouse" }, "All games of crazyhouse")] : []));
}

function controls() {
  const on = (id, run) => byId(id).addEventListener("click", run);
  const command = (kind, fields = {}) => {
    complain(null);
    if (!session.command({ [kind]: fields })) complain("There is no connection now.");
  };
  on("flip", () => {
    flipped = !board.flipped;
    draw();
  });
  on("draw", () => command("OfferDraw"));
  on("accept", () => command("AcceptDraw"));
  on("decline", () => command("DeclineDraw"));
  on("resign", () => byId("resign-dialog").showModal());
  byId("resign-dialog").querySelector(".cancel").addEventListener("click", () => byId("resign-dialog").close());
  on("resign-now", () => {
    byId("resign-dialog").close();
    command("Resign", { because: null });
  });
  on("rematch", rematch);
  on("now", () => look(match.last));
  on("copy", async () => {
    byId("link").select();
    try {
      await navigator.clipboard.writeText(byId("link").value);
      say(byId("copy"), "Copied");
    } catch {
      say(byId("copy"), "Copy it with Ctrl+C");
    }
  });
  byId("join").addEventListener("submit", (event) => {
    event.preventDefault();
    join(event.target.elements.name.value.trim() || "Somebody", event.submitter?.value || null);
  });
  byId("played").addEventListener("click", ({ target }) => target.dataset.at && look(Number(target.dataset.at)));
  const go = { first: () => look(0), back: () => look((looked ?? match.last) - 1), on: () => look((looked ?? match.last) + 1), last: () => look(match.last) };
  document.querySelector(".steps").addEventListener("click", ({ target }) => match && go[target.dataset.go]?.());
  document.addEventListener("keydown", (event) => {
    const { target, key } = event;
    if (!match || event.ctrlKey || event.metaKey || event.altKey || target.closest("input, dialog")) return;
    const run = { ArrowLeft: go.back, ArrowRight: go.on, Home: go.first, End: go.last, x: () => byId("flip").click() }[key];
    if (!run) return;
    event.preventDefault();
    run();
  });
}

// The page of a finished game with its analysis: White's chance, the best moves, and the mistakes. The engine of the host finds them.

import { byId, called, closest, copied, cut, draw, field, find, make, name, onClick, say, toggle } from "/web/dom.js";
import { explain, json, messageOf, path, post } from "/web/api.js";
import { Board } from "./board.js";
import { clockText } from "./match.js";
import { FILES, SIDES, kindOf, other, readBoard, sideOf, squaresOf, turnOf } from "./notation.js";
import { SIGNS, judgement, numberOf, plotArea, plotPoints, scoreText, slips, turningPoints } from "./judged.js";
import { steps } from "./steps.js";

/** @import { Analysis, Judged } from "./judged.js" */
/** @import { Side } from "./notation.js" */

const POLL_MS = 700;
const RETRY_MS = 3000;
const WIDTH = 600;
const HEIGHT = 120;

const board = new Board();
const address = location.pathname.split("/");
const game = address.length > 3 ? decodeURIComponent(address.at(-1) ?? "") : null;
/** @type {Analysis | null} */
let analysis = null;
let at = 0;
/** Whether the page has chosen the first position to show. */
let opened = false;

byId("board").append(board.node);
controls();
begin();

function begin() {
  const pgn = new URLSearchParams(location.search).get("pgn");
  if (game) {
    document.title = `${cut(game, 40)} · Analysis`;
    const replay = byId("replay", HTMLAnchorElement);
    replay.href = `/games/${encodeURIComponent(game)}`;
    replay.hidden = false;
    load(`game=${encodeURIComponent(game)}`);
  } else if (pgn) {
    field(byId("import", HTMLFormElement), "pgn", HTMLTextAreaElement).value = pgn;
    load(`pgn=${encodeURIComponent(pgn)}`);
  } else {
    byId("import").hidden = false;
    toggle(document.body, "data-ready", true);
  }
}

/**
 * Asks the host until the analysis is complete, and shows what there is.
 * @param {string} about
 */
async function load(about) {
  try {
    analysis = await json(`/api/v1/rulebooks/crazyhouse/analysis?${about}`);
    byId("message").hidden = true;
  } catch (error) {
    byId("message").hidden = false;
    say(byId("message"), explain(error));
    byId("import").hidden = game !== null;
    toggle(document.body, "data-ready", true);
    // The host is busy or away.
    if (analysis) setTimeout(() => load(about), RETRY_MS);
    return;
  }
  if (!analysis) return;
  const isDone = analysis.done === analysis.of;
  if (!opened || (isDone && at === analysis.positions.length - 1)) {
    at = isDone ? (turningPoints(analysis.positions)[0] ?? analysis.positions.length - 1) : analysis.positions.length - 1;
    opened = true;
  }
  find(document, ".analysis").hidden = false;
  showMoves(analysis);
  show();
  toggle(document.body, "data-ready", true);
  toggle(document.body, "data-done", isDone);
  if (!isDone) setTimeout(() => load(about), POLL_MS);
}

function show() {
  if (!analysis) return;
  const { positions } = analysis;
  const judged = positions[at];
  const before = positions[at - 1];
  const turn = turnOf(judged.position);
  board.show({ board: judged.position, last: judged.move ?? null, check: judged.check ? turn : null });
  board.judge(judged.move ?? null, judged.mark ?? null);
  const better = judged.mark && before?.best?.move ? [{ move: before.best.move, kind: "best" }] : [];
  const answer = judged.best?.move ? [{ move: judged.best.move, kind: judged.mark ? "answer" : "best" }] : [];
  board.hint([...better, ...answer]);
  showSeats(analysis);
  showBar(judged);
  showPlot(positions);
  showVerdict(positions);
  showTurns(analysis);
  for (const button of byId("played").querySelectorAll("[data-at]")) toggle(button, "aria-current", button.getAttribute("data-at") === String(at), "step");
  const current = byId("played").querySelector("[aria-current]");
  if (current instanceof HTMLElement) scrollTo(byId("played"), current);
  const fork = byId("fork");
  fork.hidden = game === null || judged.entry === undefined;
  const best = judged.mark ? before?.best?.line[0] : null;
  say(fork, best ? `Fork, try ${best}` : "Fork here");
  toggle(document.body, "data-at", true, String(at));
}

/**
 * Not scrollIntoView, which would scroll the page as well.
 * @param {HTMLElement} node
 * @param {HTMLElement} current
 */
function scrollTo(node, { offsetTop, offsetHeight }) {
  if (offsetTop < node.scrollTop || offsetTop + offsetHeight > node.scrollTop + node.clientHeight) node.scrollTop = offsetTop - node.clientHeight / 2;
}

/** @param {Analysis} analysis */
function showSeats({ positions, players }) {
  const bottom = board.flipped ? "black" : "white";
  for (const [css, side] of /** @type {[string, Side][]} */ ([[".top-seat", other(bottom)], [".bottom-seat", bottom]])) {
    const who = players[SIDES.indexOf(side)];
    const left = positions.slice(0, at + 1).findLast((judged) => judged.side === side && judged.left !== null)?.left ?? null;
    find(document, css).replaceChildren(
      make("span", { class: `stone ${side}`, "aria-hidden": "true" }),
      who ? called(who, 40) : make("span", {}, side),
      make("span", { class: "soft" }, who ? side : ""),
      ...(left === null ? [] : [make("time", { class: "clock" }, clockText(left))]),
    );
  }
}

/** @param {Judged} judged */
function showBar({ score }) {
  const chance = score?.chance ?? 0;
  const bar = byId("bar");
  find(bar, "span").style.setProperty("height", `${(1 + chance) * 50}%`);
  say(find(bar, "b"), scoreText(score).replace(/^[+−]/, ""));
  toggle(bar, "data-white", chance >= 0 !== board.flipped);
  toggle(bar, "data-flipped", board.flipped);
  bar.setAttribute("aria-label", score ? `White's score: ${scoreText(score)}` : "No score yet");
}

/** @param {Judged[]} positions */
function showPlot(positions) {
  const points = plotPoints(positions.map(({ score }) => score?.chance ?? null), WIDTH, HEIGHT);
  const middle = HEIGHT / 2;
  const x = (at * WIDTH) / Math.max(1, positions.length - 1);
  const dots = points.flatMap(({ at: number, x, y }) => {
    const { mark } = positions[number];
    return mark && mark !== "slip" ? [draw("line", { class: mark, x1: x, x2: x, y1: y, y2: y })] : [];
  });
  const parts = [
    draw("path", { class: "white", d: plotArea(points, middle, true) }),
    draw("path", { class: "black", d: plotArea(points, middle, false) }),
    draw("line", { class: "zero", x1: 0, x2: WIDTH, y1: middle, y2: middle }),
    draw("polyline", { class: "chance", points: points.map(({ x, y }) => `${x},${y}`).join(" ") }),
    draw("line", { class: "now", x1: x, x2: x, y1: 0, y2: HEIGHT }),
    ...dots,
  ];
  byId("plot").replaceChildren(draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" }, ...parts));
}

/** @param {Judged[]} positions */
function showVerdict(positions) {
  const { score, best, depth, mark } = positions[at];
  const before = positions[at - 1];
  const { words, bad } = judgement(positions, at);
  say(byId("score"), scoreText(score));
  say(byId("judgement"), words);
  toggle(byId("judgement"), "data-bad", bad);
  const was = before?.score ? `it was ${scoreText(before.score)}; ` : "";
  const progress = analysis && analysis.done < analysis.of ? `the engine has looked at ${analysis.done} of ${analysis.of} positions` : "";
  say(byId("depth"), score ? `${was}depth ${depth}, ${analysis?.nodes.toLocaleString("en")} positions${progress ? `; ${progress}` : ""}` : progress);
  const lines = [];
  if (best?.line.length) lines.push(line("answer", scoreText(score), best.line, mark ? "how it is answered (red)" : "the best line (blue)"));
  if (mark && before?.best?.line.length) lines.push(line("better", scoreText(before.score), before.best.line, `better was ${numberOf(positions, at)} ${before.best.line[0]} (blue)`));
  byId("lines").replaceChildren(...lines);
}

/** @type {(kind: string, score: string, moves: string[], words: string) => HTMLElement} */
const line = (kind, score, moves, words) => make("p", { class: kind }, make("b", {}, score), moves.join(" "), make("span", {}, words));

/** @param {Analysis} analysis */
function showMoves({ positions, result }) {
  const first = positions[1]?.side === "black" ? 1 : 0;
  /** @type {HTMLElement[]} */
  const rows = [];
  positions.forEach(({ san, move, side, mark }, number) => {
    if (!san) return;
    const pair = Math.floor((number - 1 + first) / 2);
    rows[pair] ??= make("li");
    const sign = mark ? make("span", { class: `sign ${mark}` }, SIGNS[mark]) : "";
    rows[pair].append(make("button", { type: "button", "data-at": number, "data-side": side, title: move, "aria-label": `Move ${number}, ${side}: ${san}${mark ? `, a ${mark}` : ""}` }, san, sign));
  });
  byId("played").replaceChildren(...rows, make("li", { class: "result" }, make("b", {}, result)));
}

/** @param {Analysis} analysis */
function showTurns({ positions, players }) {
  const cards = turningPoints(positions).map((number) => {
    const { san, mark, score, best } = positions[number];
    const words = best?.line[0] ? `lets in ${best.line[0]}` : "";
    const lost = `${scoreText(positions[number - 1].score)} to ${scoreText(score)}`;
    const title = make("b", {}, `${numberOf(positions, number)} ${san} `, make("span", { class: `sign ${mark}` }, mark ? SIGNS[mark] : ""));
    const card = make("button", { type: "button", "data-at": number }, mini(positions[number]), make("span", {}, title, words, make("span", { class: "lost" }, lost)));
    toggle(card, "aria-current", number === at, "step");
    return make("li", {}, card);
  });
  byId("turns").replaceChildren(...cards);
  const counts = slips(positions);
  const rows = SIDES.map((side, number) => make("tr", {}, make("th", { scope: "row" }, cut(players[number] ?? side, 20)), ...Object.values(counts[side]).map((count) => make("td", {}, String(count)))));
  find(byId("slips"), "tbody").replaceChildren(...rows);
}

/**
 * A small picture of a position.
 * @param {Judged} judged
 */
function mini({ position, move }) {
  const { squares } = readBoard(position);
  const trail = move ? squaresOf(move) : [];
  const cells = [...squares].map(([square, letter]) => {
    const [x, y] = [FILES.indexOf(square[0]) * 40, (8 - Number(square[1])) * 40];
    const shape = draw("use", { href: `#piece-${kindOf(letter)}` });
    return draw("svg", { x, y, width: 40, height: 40, viewBox: "0 0 40 40", class: `piece ${sideOf(letter)}` }, shape);
  });
  const tiles = Array.from({ length: 64 }, (_, number) => {
    const [x, y] = [number % 8, Math.floor(number / 8)];
    const colour = trail.includes(`${FILES[x]}${8 - y}`) ? "bad" : (x + y) % 2 ? "dark" : "light";
    return draw("rect", { x: x * 40, y: y * 40, width: 40, height: 40, class: colour });
  });
  return draw("svg", { class: "mini", viewBox: "0 0 320 320", "aria-hidden": "true" }, ...tiles, ...cells);
}

/** @param {number} to */
function look(to) {
  if (!analysis) return;
  at = Math.max(0, Math.min(analysis.positions.length - 1, to));
  show();
}

function controls() {
  if (game) name(byId("name"), game, 40);
  steps(look, () => at);
  for (const id of ["played", "turns"]) {
    onClick(id, (event) => {
      const number = closest(event, "[data-at]")?.dataset.at;
      if (number) look(Number(number));
    });
  }
  onClick("plot", (event) => {
    const { left, width } = byId("plot").getBoundingClientRect();
    look(Math.round(((event.clientX - left) / width) * ((analysis?.positions.length ?? 1) - 1)));
  });
  onClick("flip", () => {
    board.flip(!board.flipped);
    show();
  });
  onClick("fen", shareFen);
  onClick("pgn", () => savePgn().catch((error) => say(byId("said"), messageOf(error))));
  onClick("fork", () => fork().catch((error) => say(byId("said"), messageOf(error))));
  byId("import").addEventListener("submit", (event) => {
    event.preventDefault();
    const { value } = field(byId("import", HTMLFormElement), "pgn", HTMLTextAreaElement);
    if (value.trim()) location.assign(`/crazyhouse/analysis?pgn=${encodeURIComponent(value)}`);
  });
}

/** Copies a link to the position that is shown. */
async function shareFen() {
  const fen = analysis?.positions[at].fen ?? "";
  const link = new URL(`/crazyhouse/board?fen=${encodeURIComponent(fen).replaceAll("%2F", "/").replaceAll("%20", "+")}`, location.href).href;
  if (await copied(link)) say(byId("said"), `The link to this position is copied: ${fen}`);
  else byId("said").replaceChildren(make("a", { href: link }, fen));
}

async function savePgn() {
  const text = game ? (await json(`/api/v1/rulebooks/crazyhouse/pgn?${encodeURIComponent(game)}`)).pgn : (new URLSearchParams(location.search).get("pgn") ?? "");
  const link = make("a", { href: URL.createObjectURL(new Blob([text], { type: "application/x-chess-pgn" })), download: `${game ?? "game"}.pgn` });
  link.click();
  say(byId("said"), "The game is saved as PGN.");
}

/** Continues the game from the shown position, or before the mistake that is shown. */
async function fork() {
  if (!analysis || !game) return;
  const judged = analysis.positions[judgedFork()];
  const made = await post(path("games", game, "fork"), { entry: judged.entry });
  location.assign(`/crazyhouse/play/${encodeURIComponent(made.game)}`);
}

/** Where the fork begins: before a mistake, and before a mate, after which the game is over. */
function judgedFork() {
  const shown = analysis?.positions[at];
  return shown?.mark || shown?.san?.endsWith("#") ? at - 1 : at;
}

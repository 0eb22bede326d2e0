// Two games side by side on one timeline, where they part, and their figures together.

import { explain, lines, path } from "./api.js";
import { Cursor, Index, chunkOf } from "./chronicle.js";
import { byId, called, complain, cut, draw, find, make, name, say } from "./dom.js";
import { drawingModule } from "./drawing.js";
import { addParting, firstDifference, forkStep, moments } from "./moments.js";
import { Remote } from "./remote.js";
import { linePath, spots } from "./scale.js";

/** @import { Entry, Game, IndexLine } from "./types.js" */
/** @import { TwoMoment } from "./moments.js" */

const [WIDTH, HEIGHT] = [200, 44];
const PIECE = 500;
const LETTERS = ["A", "B"];

/** A game of the page. */
class Side {
  game = /** @type {Game} */ ({});
  index = new Index({ steps: 0, entries: [], rounds: [], turns: [], figures: [], points: [] });
  cursor = new Cursor();
  drawing = /** @type {import("./types.js").Drawing | null} */ (null);

  /**
   * @param {string} named
   * @param {HTMLElement} root
   */
  constructor(named, root) {
    this.named = named;
    this.root = root;
    this.source = new Remote(named, show, tell);
  }

  async open() {
    /** @type {{ game: Game, index: IndexLine }} */
    const { game, index } = await this.source.open();
    this.game = game;
    this.index = new Index(index);
    const module = await drawingModule(game.rulebook);
    this.drawing = module.create(find(this.root, ".board"), game.stage);
    name(find(this.root, "a"), game.name, 40);
    find(this.root, ".facts").replaceChildren(called([game.edition, game.scenario].filter(Boolean).join(" · ")), ` · ${game.outcome ?? game.status}`);
  }

  /**
   * Draws a step; false if it is not loaded yet.
   * @param {number} step
   */
  show(step) {
    find(this.root, "a", HTMLAnchorElement).href = `/games/${encodeURIComponent(this.named)}?step=${step}`;
    const round = this.index.round(step);
    const turn = this.index.turn(step);
    say(find(this.root, ".now"), [`event ${step} of ${this.index.last}`, ...(round === null ? [] : [`round ${round}`]), ...(turn === null ? [] : [cut(String(turn), 24)])].join(" · "));
    const i = chunkOf(step);
    const chunk = this.source.peek(i);
    if (!chunk?.covers(step)) {
      if (chunk) this.source.drop(i);
      this.source.want("show", i);
      return false;
    }
    this.drawing?.draw(this.cursor.move(step, chunk));
    // Both drawings have the same landmarks; each is named after its game.
    for (const part of this.root.querySelectorAll(".board [aria-label]:is(section, nav, aside):not([data-of])")) {
      part.setAttribute("aria-label", `${part.getAttribute("aria-label")}, ${this.root.ariaLabel}`);
      part.setAttribute("data-of", "");
    }
    return true;
  }

  /**
   * A piece of the game.
   * @param {number} from
   * @param {number} steps
   * @returns {Promise<Entry[]>}
   */
  async entries(from, steps) {
    const piece = await lines(`${path("games", this.named, "chronicle")}?from=${from}&steps=${steps}`);
    return piece.flatMap((line) => line.entry ?? []);
  }
}

const asked = new URLSearchParams(location.search);
const names = ["a", "b"].map((key) => asked.get(key) ?? "");
/** @param {unknown} error */
const tell = (error) => complain(explain(error), make("a", { href: "/" }, "All games"));
const sides = names.map((named, at) => new Side(named, find(document, `.side:nth-child(${at + 1})`)));
const slider = byId("slider", HTMLInputElement);
/** @type {TwoMoment[]} */
let all = [];
let now = 0;
let parting = -1;

if (names.every(Boolean)) open();
else choose();

/** Asks which games to compare. */
async function choose() {
  byId("choose").hidden = false;
  names.forEach((named, at) => (byId(LETTERS[at].toLowerCase(), HTMLInputElement).value = named));
  document.body.dataset.ready = "true";
  const games = await lines(`${path("games")}?limit=100`).catch(() => []);
  byId("games").replaceChildren(...(games[0]?.games ?? []).map((/** @type {Game} */ game) => make("option", { value: game.name }, `${game.rulebook}, ${game.players.join(", ")}`)));
}

async function open() {
  try {
    await Promise.all(sides.map((side) => side.open()));
    const [a, b] = sides;
    all = moments(a.index, b.index);
    byId("main").hidden = byId("timeline").hidden = false;
    await findParting();
    slider.max = String(all.length - 1);
    plots();
    go(parting < 0 ? 0 : parting);
  } catch (error) {
    tell(error);
  }
}

/** Finds where the games part, and says so. Each game before it is the other. */
async function findParting() {
  const [a, b] = sides;
  const least = Math.min(a.index.last, b.index.last);
  const forked = forkStep(a, b);
  let step = forked;
  for (let from = 0; step === null && from < least; from += PIECE) {
    const [one, two] = await Promise.all(sides.map((side) => side.entries(from, PIECE)));
    const first = firstDifference(one, two, from);
    if (first !== null) step = first - 1;
  }
  step = Math.min(step ?? least, least);
  const next = await Promise.all(sides.map(async (side) => (await side.entries(step, 1)).flatMap(({ events }) => events).find((event) => event.step === step + 1)));
  parting = addParting(all, step);
  const isSame = !next[0] && !next[1];
  const fork = a.game.parent?.game === b.named ? a : b;
  const where = forked !== null ? `${fork.named} was forked after event ${step}, at command #${fork.game.parent?.entry}.` : isSame ? "Both games are the same." : step === 0 ? "They differ from the first event on." : `They are the same up to event ${step}.`;
  say(byId("where"), where);
  byId("next").replaceChildren(...next.map((event, at) => make("li", {}, make("b", {}, `${LETTERS[at]} `), make("bdi", {}, event ? event.text || String(event.event[0]) : "ends here"))));
  byId("next").hidden = isSame;
  byId("part").hidden = isSame;
  byId("mark").style.setProperty("inset-inline-start", `${(100 * parting) / Math.max(1, all.length - 1)}%`);
}

/** One plot for each figure that both games have. */
function plots() {
  const [a, b] = sides;
  const shared = a.index.figures.filter((figure) => b.index.figures.includes(figure));
  const count = Math.max(a.index.points.length, b.index.points.length);
  byId("plots").hidden = shared.length === 0;
  find(byId("plots"), ".grid").replaceChildren(
    ...shared.map((figure) => {
      const values = sides.map(({ index }) => index.points.map((point) => point[2][index.figures.indexOf(figure)]));
      const curves = values.map((of, at) => draw("path", { class: `line ${LETTERS[at]}`, d: linePath(spots(of, WIDTH, HEIGHT, values.flat(), count)) }));
      const numbers = LETTERS.map((letter) => make("b", { class: `value ${letter}`, "data-figure": figure }));
      return make("div", { class: "plot" }, make("div", { class: "head" }, make("span", { class: "figure" }, figure), ...numbers), draw("svg", { viewBox: `-4 -4 ${WIDTH + 8} ${HEIGHT + 8}`, preserveAspectRatio: "none", "aria-hidden": "true" }, ...curves));
    }),
  );
}

/** @param {number} at */
function go(at) {
  now = Math.max(0, Math.min(all.length - 1, at));
  show();
}

function show() {
  const moment = all[now];
  if (!moment) return;
  slider.value = String(now);
  slider.style.setProperty("--part", `${(100 * now) / Math.max(1, all.length - 1)}%`);
  const words = `${moment.words}${now === parting && moment.words !== "where they part" ? ", where they part" : ""}`;
  slider.setAttribute("aria-valuetext", words);
  say(byId("moment"), words);
  const ready = sides.map((side, at) => side.show(moment.steps[at])).every(Boolean);
  sides.forEach(({ cursor, index }, at) => {
    for (const node of document.querySelectorAll(`.value.${LETTERS[at]}`)) {
      if (node instanceof HTMLElement) say(node, `${LETTERS[at]} ${cursor.picture?.figures?.[index.figures.indexOf(node.dataset.figure ?? "")] ?? "–"}`);
    }
  });
  Object.assign(document.body.dataset, { moment: String(now), steps: moment.steps.join(" "), parting: String(parting), ready: String(ready) });
}

slider.addEventListener("input", () => go(slider.valueAsNumber));
for (const [id, to] of /** @type {[string, () => number][]} */ ([["first", () => 0], ["back", () => now - 1], ["part", () => parting], ["on", () => now + 1], ["last", () => all.length - 1]])) {
  byId(id).addEventListener("click", () => go(to()));
}
document.addEventListener("keydown", (event) => {
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!by || event.ctrlKey || event.metaKey || event.altKey || event.target instanceof HTMLInputElement) return;
  event.preventDefault();
  go(now + by);
});

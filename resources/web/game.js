// The page of one game: finds its source, loads the drawing module of its rulebook, and connects the parts of the page.

import { Refused, explain, messageOf, statusOf } from "./api.js";
import { byId, called, complain, cut, date, find, list, make, name, say } from "./dom.js";
import { chunkOf } from "./chronicle.js";
import { drawingModule, playAddress } from "./drawing.js";
import { Actions } from "./actions.js";
import { Removal } from "./removal.js";
import { Annotation } from "./annotation.js";
import { Events } from "./events.js";
import { FileSource } from "./file.js";
import { ChatHistory } from "./people.js";
import { Plots } from "./plots.js";
import { Remote } from "./remote.js";
import { Search } from "./search.js";
import { Timeline } from "./timeline.js";
import { Viewer } from "./viewer.js";
import { keys } from "./keys.js";

/** @import { Game, Source } from "./types.js" */

const RETRY_MS = 3000;

const viewer = new Viewer(tell);
const timeline = new Timeline(viewer);
const search = new Search(viewer, timeline);
const actions = new Actions(viewer);
// The list is last: it scrolls, and everything else must be in place by then.
viewer.parts = [{ opened: title }, timeline, new Plots(viewer, timeline), search, actions, new Removal(), new Annotation(viewer), new ChatHistory(byId("people")), new Events(viewer, timeline)];
keys(viewer, timeline, search, actions);

/** The lines of a game that the page contains: a file that was exported as a page. */
const contained = document.getElementById("chronicle")?.textContent;
const named = location.pathname.match(/^\/games\/([^/]+)\/?$/);
if (contained) load(new FileSource(new Blob([contained])), askedStep());
else if (named) openRemote(decodeURIComponent(named[1]));
else openFile();

/** The step in the address. */
function askedStep() {
  const step = new URLSearchParams(location.search).get("step") ?? "";
  return /^\d{1,9}$/.test(step) ? Number(step) : null;
}

/** @param {string} game */
async function openRemote(game) {
  document.title = `${cut(game, 80)} · Holdfast`;
  name(byId("name"), game, 80);
  const source = new Remote(game, loaded, failed);
  const step = askedStep();
  // Requested together with the index; it is almost always the chunk that is needed. Where the end is, only the index says.
  if (step !== null) source.want("show", chunkOf(step));
  const opened = await load(source, step);
  if (opened?.status === "running") follow(source);
}

/**
 * Loads the game and shows it. Tries again as long as the host does not answer.
 * @param {Source} source
 * @param {number | null} step
 * @returns {Promise<Game | null>}
 */
async function load(source, step) {
  try {
    const opened = await source.open();
    const drawing = await loadDrawing(opened.game);
    byId("main").hidden = byId("timeline").hidden = false;
    viewer.open(source, opened, drawing, step);
    complain(null);
    return opened.game;
  } catch (error) {
    tell(error);
    if (statusOf(error) !== 0) return null;
    await new Promise((wake) => setTimeout(wake, RETRY_MS));
    return load(source, step);
  }
}

/** @param {Game} game */
async function loadDrawing({ rulebook, stage }) {
  const root = byId("board");
  root.replaceChildren();
  const module = await drawingModule(rulebook);
  viewer.page = (game) => playAddress(module, game);
  viewer.scripts = module.scripts ?? false;
  viewer.turningPoint = module.turningPoint ?? null;
  return module.create(root, stage);
}

/** @param {Remote} source */
function follow(source) {
  source.follow(
    {
      entry: (entry) => viewer.add(entry),
      index: (index) => viewer.reindex(index),
      game: (game) => {
        viewer.game = { ...game, stage: viewer.game?.stage };
        title(viewer);
      },
      connected: (yes) => {
        viewer.connected = yes;
        viewer.refresh();
      },
      behind: async () => {
        if ((await reload(source))?.status === "running") follow(source);
      },
      end: async () => {
        await reload(source);
        say(byId("said"), `The game is over: ${viewer.game?.outcome ?? ""}`);
      },
    },
    () => viewer.last,
  );
}

/**
 * Loads the game again and stays at the shown step.
 * @param {Remote} source
 */
function reload(source) {
  const step = viewer.following ? Infinity : viewer.step;
  source.clear();
  return load(source, step);
}

function loaded() {
  complain(null);
  if (viewer.source) viewer.loaded();
}

/**
 * A chunk could not be loaded.
 * @param {unknown} error
 */
function failed(error) {
  // Until the game is open, the answer to `open` decides: the first chunk was only a guess.
  if (!viewer.source || viewer.ready) return;
  tell(error);
  setTimeout(() => viewer.refresh(), RETRY_MS);
}

/** @param {unknown} error */
function tell(error) {
  complain(error instanceof Refused ? explain(error) : messageOf(error), ...(statusOf(error) === 0 || contained ? [] : [make("a", { href: "/" }, "All games")]));
}

function openFile() {
  document.title = "Open a file · Holdfast";
  say(byId("name"), "A game from a file");
  const section = byId("opener");
  section.hidden = false;
  /** @param {File | undefined} file */
  const open = async (file) => {
    if (file && (await load(new FileSource(file), askedStep()))) section.hidden = true;
  };
  const input = find(section, "input", HTMLInputElement);
  input.addEventListener("change", () => open(input.files?.[0]));
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    open(event.dataTransfer?.files[0]);
  });
}

/**
 * Shows the name of the game and the facts about it.
 * @param {Viewer} viewer
 */
function title({ game, source, page }) {
  if (!game || !source) return;
  document.title = `${cut(game.name, 80)} · Holdfast`;
  name(byId("name"), game.name, 80);
  const badge = byId("status");
  badge.hidden = false;
  badge.className = `badge ${game.status}`;
  say(badge, game.outcome ?? game.status);
  byId("facts").replaceChildren(...facts(game, source).map((fact) => make("span", {}, ...fact)));
  const play = byId("play-page", HTMLAnchorElement);
  const address = page?.(game.name) ?? null;
  play.hidden = !address || !source.remote || game.status !== "running";
  if (address) play.href = address;
  byId("note").hidden = !game.note;
  say(byId("note"), game.note ?? "");
}

/**
 * @param {Game} game
 * @param {Source} source
 * @returns {(Node | string)[][]}
 */
function facts(game, source) {
  /** @type {(Node | string)[][]} */
  const facts = [[called([game.rulebook, game.edition, game.scenario].filter(Boolean).join(" · "))]];
  if (game.players.length > 0) facts.push(list(game.players, 30));
  facts.push([date(game.created)]);
  if (game.seed !== null && game.seed !== undefined) facts.push(["seed ", called(game.seed)]);
  if (game.parent) {
    const from = called(game.parent.game);
    const link = source.remote ? make("a", { href: `/games/${encodeURIComponent(game.parent.game)}` }, from) : from;
    facts.push(["forked from ", link, ` at command #${game.parent.entry}`]);
  }
  if (source.remote) facts.push([make("a", { href: `/compare?${new URLSearchParams(game.parent ? { a: game.parent.game, b: game.name } : { a: game.name })}` }, game.parent ? "compare them" : "compare…")]);
  return facts;
}

// The page of one game: finds its source, loads the drawing module of its rulebook, and ties the parts together.

import { Refused, explain } from "./api.js";
import { byId, called, cut, date, list, make, name, say } from "./dom.js";
import { chunkOf } from "./chronicle.js";
import { Actions } from "./actions.js";
import { Events } from "./events.js";
import { FileSource } from "./file.js";
import { Plots } from "./plots.js";
import { Remote } from "./remote.js";
import { Search } from "./search.js";
import { Timeline } from "./timeline.js";
import { Viewer } from "./viewer.js";
import { keys } from "./keys.js";

const RETRY = 3000;

const viewer = new Viewer(complain);
viewer.timeline = new Timeline(viewer);
const search = new Search(viewer);
const actions = new Actions(viewer);
// The list last: it scrolls, which needs everything else to be in its place.
viewer.parts = [{ opened: title }, viewer.timeline, new Plots(viewer), search, actions, new Events(viewer)];
keys(viewer, viewer.timeline, search, actions);

const named = location.pathname.match(/^\/games\/([^/]+)\/?$/);
if (named) remote(decodeURIComponent(named[1]));
else opener();

function asked() {
  const step = new URLSearchParams(location.search).get("step");
  return /^\d{1,9}$/.test(step ?? "") ? Number(step) : null;
}

async function remote(game) {
  document.title = `${cut(game, 80)} · Holdfast`;
  name(byId("name"), game, 80);
  const source = new Remote(game, (i) => (complain(null), viewer.source && viewer.loaded(i)), lost);
  const step = asked();
  // Together with the index; most of the time it is the chunk that is needed.
  source.want("show", chunkOf(step ?? 0));
  const told = await load(source, step);
  if (told?.status === "running") follow(source);
}

/** Loads the game and shows it; as long as the host does not answer, again. */
async function load(source, step) {
  try {
    const opened = await source.open();
    const drawing = await module(opened.game);
    byId("main").hidden = byId("timeline").hidden = false;
    viewer.open(source, opened, drawing, step);
    complain(null);
    return opened.game;
  } catch (error) {
    complain(error);
    if (error.status !== 0) return null;
    await new Promise((wake) => setTimeout(wake, RETRY));
    return load(source, step);
  }
}

async function module({ rulebook, stage }) {
  const root = byId("board");
  root.replaceChildren();
  let drawing = null;
  if (/^[a-z]+$/.test(rulebook)) drawing = await drawn(rulebook);
  drawing ??= await import("./tree.js");
  // Where it is played, and whether it can be had as a script, are the rulebook's matter.
  viewer.page = drawing.page ?? null;
  viewer.scripts = drawing.scripts ?? false;
  return drawing.create(root, stage);
}

/** The drawing module that a rulebook brings, if it has one. */
const drawn = (rulebook) => import(`/web/${rulebook}/draw.js`).catch(() => null);

function follow(source) {
  source.follow(
    {
      entry: (entry) => viewer.add(entry),
      index: (index) => viewer.reindex(index),
      game: (game) => {
        viewer.game = { ...game, stage: viewer.game.stage };
        title(viewer);
      },
      connected: (yes) => {
        viewer.connected = yes;
        viewer.refresh();
      },
      behind: async () => {
        if ((await again(source))?.status === "running") follow(source);
      },
      end: async () => {
        await again(source);
        say(byId("said"), `The game is over: ${viewer.game.outcome ?? ""}`);
      },
    },
    () => viewer.last,
  );
}

/** Reads the game anew and stays where the reader is. */
function again(source) {
  const step = viewer.following ? Infinity : viewer.step;
  source.clear();
  return load(source, step);
}

function lost(error) {
  // Before the game is open its own answer counts: the chunk was only a guess.
  if (!viewer.source || viewer.ready) return;
  complain(error);
  setTimeout(() => viewer.source && viewer.refresh(), RETRY);
}

function complain(error) {
  const message = byId("message");
  message.hidden = !error;
  if (!error) return;
  message.replaceChildren(error instanceof Refused ? explain(error) : error.message, " ");
  if (error.status !== 0) message.append(make("a", { href: "/" }, "All games"));
}

function opener() {
  document.title = "Open a file · Holdfast";
  say(byId("name"), "A game from a file");
  const section = byId("opener");
  section.hidden = false;
  const open = async (file) => {
    if (!file) return;
    const source = new FileSource(file);
    if (await load(source, asked())) section.hidden = true;
  };
  section.querySelector("input").addEventListener("change", (event) => open(event.target.files[0]));
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    open(event.dataTransfer.files[0]);
  });
}

/** The game's name, what it is, and where it came from. */
function title({ game, source, page }) {
  document.title = `${cut(game.name, 80)} · Holdfast`;
  name(byId("name"), game.name, 80);
  const badge = byId("status");
  badge.hidden = false;
  badge.className = `badge ${{ running: "running", finished: "finished" }[game.status] ?? "broken"}`;
  say(badge, game.outcome ?? game.status);
  const facts = [[called([game.rulebook, game.edition, game.scenario].filter(Boolean).join(" · "))]];
  if (game.players.length > 0) facts.push(list(game.players, 30));
  facts.push([date(game.created)]);
  if (game.seed !== null && game.seed !== undefined) facts.push(["seed ", called(game.seed)]);
  if (game.parent) {
    const from = called(game.parent.game);
    const link = source.remote ? make("a", { href: `/games/${encodeURIComponent(game.parent.game)}` }, from) : from;
    facts.push(["forked from ", link, ` at command #${game.parent.entry}`]);
  }
  byId("facts").replaceChildren(...facts.map((fact) => make("span", {}, ...fact)));
  const play = byId("play-page");
  play.hidden = !page || !source.remote || game.status !== "running";
  if (!play.hidden) play.href = page(game.name);
  byId("note").hidden = !game.note;
  say(byId("note"), game.note ?? "");
}

// The game in the middle of the start page: the liveliest one that runs, moving, with what happens in it in words.

import { byId, cut, list, make, say, toggle } from "./dom.js";
import { Cursor, chunkOf } from "./chronicle.js";
import { drawingModule, playAddress } from "./drawing.js";
import { Remote } from "./remote.js";
import { titleOf } from "./titles.js";

/** @import { Choices, Drawing, Entry, Game } from "./types.js" */

/** The most names in the frame. */
const MOST_NAMES = 4;

/**
 * The picture of the start page while no game is drawn there: the poster of the first game that has one, or the names of the games.
 * @param {Choices["rulebooks"]} rulebooks
 * @returns {{ poster: string } | { names: string[] }}
 */
export function frontPicture(rulebooks) {
  const poster = rulebooks.find((book) => book.poster)?.poster;
  return poster ? { poster: `${poster}#front` } : { names: rulebooks.slice(0, MOST_NAMES).map(({ name }) => titleOf({ rulebook: name, scenario: "standard" })) };
}

/** @param {Choices["rulebooks"]} rulebooks */
export function showFrontPicture(rulebooks) {
  const picture = frontPicture(rulebooks);
  const node = "poster" in picture ? make("img", { src: picture.poster, alt: "" }) : make("p", {}, ...picture.names.map((name) => make("span", {}, name)));
  byId("front-picture").replaceChildren(node);
}

/**
 * The game that is worth watching most: one that runs, with the most players; of these the newest.
 * @param {Game[]} games the newest first
 * @param {string | null} now the game that is shown: it stays as long as it runs
 */
export function liveliest(games, now) {
  const running = games.filter(({ status, players }) => status === "running" && players.length > 0);
  const best = running.reduce((/** @type {Game | null} */ most, game) => (most && most.players.length >= game.players.length ? most : game), null);
  return running.find((game) => game.name === now) ?? best;
}

export class Front {
  /** @type {string | null} the name of the game */
  #name = null;
  /** @type {Remote | null} */
  #remote = null;
  /** @type {Drawing | null} */
  #drawing = null;
  #cursor = new Cursor();
  #last = 0;
  #title = "";
  /** @type {((picture: any) => string) | null} where the game stands, in words */
  #headline = null;
  /** Ends the stream of the game. */
  #stop = () => {};

  /** @param {Game[]} games */
  show(games) {
    const game = liveliest(games, this.#name);
    byId("front-game").hidden = !game;
    byId("front-empty").hidden = game !== null;
    toggle(byId("front"), "data-drawn", game !== null && game.name === this.#name);
    if (!game && this.#name !== null) {
      this.#stop();
      this.#name = null;
      this.#remote = this.#drawing = null;
      byId("front-stage").replaceChildren();
    }
    if (!game || game.name === this.#name) return;
    this.#name = game.name;
    this.#open(game).catch(() => {
      // The list below still has it; the next refresh tries again.
      if (this.#name === game.name) this.#name = null;
    });
  }

  /** @param {Game} game */
  async #open(game) {
    this.#stop();
    this.#drawing = null;
    const remote = new Remote(game.name, () => this.#draw(), () => {});
    this.#remote = remote;
    const [{ game: about, index }, module] = await Promise.all([remote.open(), drawingModule(game.rulebook)]);
    if (this.#remote !== remote) return;
    this.#last = index.steps;
    this.#cursor.forget();
    const board = make("div", { class: "front-board" });
    byId("front-stage").replaceChildren(board);
    this.#drawing = module.create(board, about.stage);
    this.#title = titleOf(game);
    this.#headline = (picture) => module.headline?.(picture, about.stage) ?? "";
    say(byId("front-title"), this.#title);
    byId("front-players").replaceChildren(...list(game.players, 24));
    byId("front-watch", HTMLAnchorElement).href = `/games/${encodeURIComponent(game.name)}`;
    // A full game is for watching.
    const play = about.missing && about.missing.most > 0 ? playAddress(module, game.name) : null;
    byId("front-play").hidden = play === null;
    byId("front-watch").classList.toggle("lamp", play === null);
    if (play) byId("front-play", HTMLAnchorElement).href = play;
    remote.want("front", chunkOf(this.#last));
    this.#stop = remote.follow(
      {
        entry: (entry) => this.#remote === remote && this.#take(entry),
        index: () => {},
        game: () => {},
        connected: () => {},
        behind: () => this.#again(remote),
        end: () => this.#again(remote),
      },
      () => this.#last,
    );
  }

  /**
   * The game is over, or the stream cannot go on: the next refresh of the list chooses again.
   * @param {Remote} remote
   */
  #again(remote) {
    if (this.#remote === remote) this.#name = null;
  }

  /** @param {Entry} entry */
  #take(entry) {
    const steps = entry.events.filter((event) => event.step !== null);
    this.#last = Math.max(this.#last, steps.at(-1)?.step ?? 0);
    this.#remote?.append(entry, this.#last);
    const words = steps.at(-1)?.text;
    if (words) say(byId("front-said"), cut(words, 90));
    this.#draw();
  }

  #draw() {
    const i = chunkOf(this.#last);
    const chunk = this.#remote?.peek(i);
    if (!chunk?.covers(this.#last)) {
      this.#remote?.want("front", i);
      return;
    }
    const picture = this.#cursor.move(this.#last, chunk);
    this.#drawing?.draw(picture);
    const words = picture && this.#headline?.(picture);
    say(byId("front-title"), [this.#title, words].filter(Boolean).join(", "));
    toggle(byId("front"), "data-drawn", true);
  }
}

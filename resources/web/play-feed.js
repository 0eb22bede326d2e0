// What every player may know about a running game: its picture, and what happened in words. Comes from the chronicle and its live stream.

import { lines, path } from "./api.js";
import { Chunk, Cursor, Index } from "./chronicle.js";
import { byId, make, name } from "./dom.js";
import { Remote } from "./remote.js";

/** @import { Entry, Game } from "./types.js" */

/** The steps before now that the page shows in words. */
const RECENT = 60;
const MOST_LINES = 200;

export class PublicGame {
  /** @type {Game | null} */
  game = null;
  /** @type {Chunk | null} */
  #chunk = null;
  #cursor = new Cursor();
  #index = new Index({ steps: 0, entries: [], rounds: [], turns: [], figures: [], points: [] });
  #name;
  #changed;
  #happened;
  #remote;

  /**
   * @param {string} game
   * @param {() => void} changed
   * @param {(entry: Entry, picture: any) => void} happened is called with what happens from now on
   */
  constructor(game, changed, happened) {
    this.#happened = happened;
    this.#name = game;
    this.#changed = changed;
    this.#remote = new Remote(game, () => {}, () => {});
  }

  /** Loads the game as it is now. Then follows it, if it runs. */
  async open() {
    await this.#load();
    if (this.game?.status === "running") this.#follow();
    return /** @type {Game} */ (this.game);
  }

  /** The public picture now. */
  get picture() {
    return this.#chunk && this.#cursor.move(this.#chunk.last, this.#chunk);
  }

  /** The player whose turn it is, or null. */
  get turn() {
    return this.#chunk && this.#index.turn(this.#chunk.last);
  }

  async #load() {
    const { game, index } = await this.#remote.open();
    const from = Math.max(0, index.steps - RECENT);
    // A step more than the index knows, because the game may have grown meanwhile.
    const [head, ...rest] = await lines(`${path("games", this.#name, "chronicle")}?from=${from}&steps=${RECENT + 1000}`);
    const chunk = new Chunk(head.checkpoint);
    for (const { entry } of rest) if (entry) chunk.add(entry);
    this.game = game;
    this.#index = new Index(index);
    this.#chunk = chunk;
    this.#cursor.forget();
    byId("feed").replaceChildren(...chunk.entries.flatMap(rowsOf));
    toEnd();
  }

  #follow() {
    this.#remote.follow(
      {
        entry: (entry) => this.#add(entry),
        index: (index) => {
          this.#index = new Index(index);
          this.#changed();
        },
        game: (game) => {
          this.game = { ...game, stage: this.game?.stage };
          this.#changed();
        },
        connected: () => {},
        behind: async () => {
          await this.#load();
          if (this.game?.status === "running") this.#follow();
          this.#changed();
        },
        end: async () => {
          await this.#load();
          this.#changed();
        },
      },
      () => this.#chunk?.last ?? 0,
    );
  }

  /** @param {Entry} entry */
  #add(entry) {
    const known = this.#chunk?.last ?? 0;
    if (!this.#chunk?.add(entry) || this.#chunk.last === known) return;
    const feed = byId("feed");
    const wasAtEnd = feed.scrollTop + feed.clientHeight >= feed.scrollHeight - 40;
    feed.append(...rowsOf(entry));
    while (feed.children.length > MOST_LINES) feed.firstElementChild?.remove();
    if (wasAtEnd) toEnd();
    this.#happened(entry, this.picture);
    this.#changed();
  }
}

function toEnd() {
  const feed = byId("feed");
  feed.scrollTop = feed.scrollHeight;
}

/**
 * @param {Entry} entry
 * @returns {HTMLElement[]}
 */
function rowsOf({ events }) {
  return events.filter(({ step, text }) => step !== null && text).map(({ text }) => name(make("p"), text, 300));
}

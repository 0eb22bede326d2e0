// Small pictures of games, drawn by the modules of their rulebooks, with the words for where each game stands. Only cards on the screen
// are drawn, one after another, so that a long list stays fast.

import { lines, path } from "./api.js";
import { Chunk, Cursor } from "./chronicle.js";
import { make } from "./dom.js";
import { drawingModule } from "./drawing.js";

/** @import { Game } from "./types.js" */

/** The width in which a picture is drawn before it is made small. */
const WIDTH = 720;
/** A running game is drawn again after this time, if its card is on the screen. */
const AGAIN_MS = 12000;

/** @typedef {{ game: Game, told: (words: string) => void, drawnMs: number, ended: number | null, visible: boolean }} Card */

export class Thumbs {
  /** @type {Map<Element, Card>} */
  #cards = new Map();
  /** @type {Element[]} */
  #queue = [];
  #isDrawing = false;
  #seen = new IntersectionObserver((entries) => this.#look(entries), { rootMargin: "120px" });
  #sized = new ResizeObserver((entries) => {
    for (const { target, contentRect } of entries) /** @type {HTMLElement} */ (target).style.setProperty("--small", String(contentRect.width / WIDTH));
  });

  /**
   * Keeps the picture of a game in this box.
   * @param {HTMLElement} box
   * @param {Game} game
   * @param {(words: string) => void} told is called with where the game stands
   */
  show(box, game, told) {
    const known = this.#cards.get(box);
    if (known) {
      known.game = game;
      known.told = told;
    } else {
      this.#cards.set(box, { game, told, drawnMs: -Infinity, ended: null, visible: false });
      this.#seen.observe(box);
      this.#sized.observe(box);
    }
    this.#want(box);
  }

  /** @param {IntersectionObserverEntry[]} entries */
  #look(entries) {
    for (const { target, isIntersecting } of entries) {
      const card = this.#cards.get(target);
      if (!card) continue;
      if (!target.isConnected) {
        this.#seen.unobserve(target);
        this.#sized.unobserve(target);
        this.#cards.delete(target);
        continue;
      }
      card.visible = isIntersecting;
      this.#want(target);
    }
  }

  /** @param {Element} box */
  #want(box) {
    const card = this.#cards.get(box);
    const isOld = card && (card.ended !== card.game.ended || (card.game.status === "running" && performance.now() - card.drawnMs > AGAIN_MS));
    if (!card?.visible || !(isOld || card.drawnMs < 0) || this.#queue.includes(box)) return;
    this.#queue.push(box);
    this.#next();
  }

  async #next() {
    if (this.#isDrawing) return;
    const box = this.#queue.shift();
    const card = box && this.#cards.get(box);
    if (!box || !card) return;
    this.#isDrawing = true;
    card.drawnMs = performance.now();
    card.ended = card.game.ended;
    try {
      await this.#draw(box, card);
    } catch {
      // The card stays without a picture: the game may be gone, or damaged. Its page says so.
    }
    this.#isDrawing = false;
    // The page may paint and answer between two pictures.
    setTimeout(() => this.#next(), 30);
  }

  /**
   * @param {Element} box
   * @param {Card} card
   */
  async #draw(box, { game, told }) {
    const [{ game: about }, { index }] = await lines(path("games", game.name));
    const [[head, ...rest], module] = await Promise.all([
      lines(`${path("games", game.name, "chronicle")}?from=${index.steps}&steps=0`),
      drawingModule(game.rulebook),
    ]);
    const chunk = new Chunk(head.checkpoint);
    for (const { entry } of rest) if (entry) chunk.add(entry);
    const picture = new Cursor().move(chunk.last, chunk);
    const words = picture && module.headline?.(picture, about.stage);
    if (words) told(words);
    if (module.isTree) return;
    const board = make("div", { class: "front-board thumb-board" });
    box.replaceChildren(board);
    module.create(board, about.stage).draw(picture);
  }
}

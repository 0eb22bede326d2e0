// Actions for a whole game: copy a link, download, fork.

import { byId, copied, cut, field, onClick, say } from "./dom.js";
import { path, post } from "./api.js";
import { submit } from "./form.js";
import { claimSeat, seatBots, showSeats, usualBot } from "./fork-seat.js";

const SAID_MS = 2500;
/** How long a fork waits for the shown step, in frames. */
const MOST_FRAMES = 600;

export class Actions {
  #viewer;
  #dialog = byId("fork-dialog", HTMLDialogElement);
  #downloads = byId("downloads", HTMLDetailsElement);
  /** The number of the entry to fork after. */
  #entry = 0;
  #timer = 0;
  /** @type {{ step: number, words: string } | null} */
  #turning = null;
  /** @type {string | null} the bot of the host that plays the other seats of a fork */
  #bot = null;

  /** @param {import("./viewer.js").Viewer} viewer */
  constructor(viewer) {
    this.#viewer = viewer;
    onClick("fork", () => this.fork());
    onClick("turning-point", () => this.#turning && viewer.go(this.#turning.step));
    onClick("copy-link", () => this.copy());
    submit(byId("fork-form", HTMLFormElement), (token) => this.#start(token));
    // A click elsewhere closes the menu.
    document.addEventListener("click", ({ target }) => {
      if (target instanceof Node && !this.#downloads.contains(target)) this.#downloads.open = false;
    });
  }

  /** @param {import("./viewer.js").Viewer} viewer */
  opened({ game, source, scripts, index, turningPoint, page }) {
    if (!game || !source) return;
    // A rulebook without a page is played by programs alone, which would not find the fork.
    byId("fork").hidden = !source.remote || game.status !== "finished" || page?.(game.name) === null;
    byId("copy-link").hidden = !source.remote;
    // Without an answer, the fork is made without bots.
    if (source.remote) usualBot(game.rulebook).then((bot) => (this.#bot = bot), () => {});
    this.#turning = game.status === "finished" ? (turningPoint?.(index, game) ?? null) : null;
    byId("turning-point").hidden = this.#turning === null;
    byId("turning-point").title = this.#turning?.words ?? "";
    this.#downloads.hidden = !source.remote;
    for (const kind of ["html", "jsonl", "csv", "script"]) byId(`download-${kind}`, HTMLAnchorElement).href = path("games", game.name, "export", kind);
    byId("download-html").hidden = game.status === "running";
    byId("download-script").hidden = !scripts || game.status === "running";
  }

  /** Asks whether to fork after the entry that made the shown step. A fork of the end would be over at once, so there it goes back first. */
  async fork() {
    const viewer = this.#viewer;
    if (byId("fork").hidden) return;
    if (viewer.step === viewer.last) viewer.go(this.#turning?.step ?? viewer.index.previous("turn", viewer.last - 1));
    // The picture of the step may have to be loaded first.
    for (let frames = 0; frames < MOST_FRAMES && (!viewer.ready || viewer.step !== viewer.cursor.step); frames += 1) await new Promise(requestAnimationFrame);
    const { chunk, step } = viewer;
    if (!chunk) return;
    const entry = chunk.entryOf(step);
    this.#entry = entry?.number ?? 0;
    say(byId("fork-entry"), this.#entry === 0 ? "0 (the start of the game)" : `#${this.#entry}`);
    say(byId("fork-text"), entry ? cut(`${entry.by ?? "The clock"}${entry.text ? `: ${entry.text}` : ""}`, 200) : "");
    showSeats(this.#viewer.players(step));
    byId("fork-bots").hidden = this.#bot === null || byId("fork-seats").hidden;
    this.#dialog.showModal();
  }

  /**
   * Forks; then takes over the chosen seat, and opens the page on which the fork is played.
   * @param {string} token of the operator
   */
  async #start(token) {
    const form = byId("fork-form", HTMLFormElement);
    const seat = new FormData(form).get("seat");
    const withBots = !byId("fork-bots").hidden && field(form, "bots").checked;
    const { game } = await post(path("games", this.#viewer.game?.name ?? "", "fork"), { entry: this.#entry }, token);
    const others = this.#viewer.players(this.#viewer.step).length - 1;
    try {
      const own = seat ? await claimSeat(game, Number(seat)) : null;
      if (own && withBots && this.#bot) await seatBots(game, own, this.#bot, others);
    } catch {
      // The fork is made; its page has the seats that wait, and says what is wrong with them.
    }
    location.assign(`/games/${encodeURIComponent(game)}/play`);
  }

  async copy() {
    if (byId("copy-link").hidden) return;
    const address = new URL(location.href);
    address.searchParams.set("step", String(this.#viewer.step));
    const isCopied = await copied(address.href);
    if (!isCopied) this.#viewer.writeAddress();
    this.#say(isCopied ? "Link copied" : "The link is in the address bar");
  }

  /** @param {string} text */
  #say(text) {
    const button = byId("copy-link");
    say(button, text);
    say(byId("said"), text);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => say(button, "Copy link"), SAID_MS);
  }
}

// Who is here and what people write: presence and chat of a game, beside the board. It shows notices of the host and sends lines.

import { json, path } from "./api.js";
import { button, called, find, make, name, say } from "./dom.js";
import { Session } from "./session.js";
import { store, stored } from "./stored.js";

/** @import { ChatLine, Notice, PlayerPresence } from "./types.js" */

const LONGEST_LINE = 300;
const MOST_LINES = 200;
const TICK_MS = 1000;
const MUTED = "muted";

/** The presence and chat of a game that is played. */
export class PeoplePanel {
  #game;
  #root;
  #list = make("ul", { class: "presence", "aria-label": "Who is here" });
  #others = make("p", { class: "others" });
  #lines = make("ol", { class: "chat", "aria-live": "polite", "aria-label": "Chat", tabindex: "0" });
  #error = make("p", { class: "error", role: "alert", hidden: true });
  #input = make("input", { name: "line", maxlength: LONGEST_LINE, autocomplete: "off", enterkeyhint: "send" });
  #label = make("label", { class: "unseen", for: "chat-line" });
  #mutes = make("p", { class: "mutes", hidden: true });
  /** @type {Set<string>} */
  #muted = new Set(storedMutes());
  #form = make("form", { class: "write", hidden: true }, this.#label, this.#input, make("button", {}, "Send"));
  #enter = button({ hidden: true }, () => this.#watch(), "Chat with spectators");
  /** @type {Session | null} */
  #session = null;
  /** @type {Session | null} the session of a spectator, which this panel opened */
  #own = null;
  /** @type {Map<number, PlayerPresence & { sinceMs: number }>} */
  #players = new Map();
  #thinks = /** @type {string | null} */ (null);
  #last = 0;
  /** @type {string | null} the line that has no answer yet */
  #sent = null;

  /**
   * @param {HTMLElement} root
   * @param {string} game
   */
  constructor(root, game) {
    this.#root = root;
    this.#game = game;
    this.#input.id = "chat-line";
    root.replaceChildren(make("h2", {}, "Players and chat"), this.#list, this.#others, this.#lines, this.#mutes, this.#error, this.#form, this.#enter);
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#send();
    });
    setInterval(() => this.#tick(), TICK_MS);
  }

  /** The names of the players who are connected. */
  get here() {
    return [...this.#players.values()].filter(({ away_ms }) => away_ms === null).map(({ player }) => player);
  }

  /** The numbers of the clients, by seat. */
  get clients() {
    return [...this.#players.keys()];
  }

  /** Shows the panel to a visitor without a seat: the chat so far, and a way into the chat of spectators. */
  visit() {
    this.#root.hidden = false;
    this.#enter.hidden = false;
    this.#load();
  }

  /**
   * Takes the session of a player instead of one as a spectator.
   * @param {Session} session
   */
  attach(session) {
    this.#own?.close();
    this.#own = null;
    this.#session = session;
    this.#enter.hidden = true;
  }

  /** The connection is lost, or the game is over: nothing can be written. */
  detach() {
    this.#form.hidden = true;
    this.#complain(null);
  }

  /** @param {Notice} notice */
  take(notice) {
    if (notice.snapshot) {
      const { players, spectators, thinks, writes, chat } = notice.snapshot;
      this.#root.hidden = this.#form.hidden = false;
      this.#players.clear();
      for (const player of players) this.#put(player);
      this.#thinks = thinks;
      this.#count(spectators);
      this.#write(writes);
      for (const by of this.#muted) this.#session?.mute(by, true);
      this.#showMutes();
      if (chat) this.#fill(chat);
      else this.#complain("The chat so far cannot be read now.");
    } else if (notice.presence) {
      this.#put(notice.presence);
      if (notice.presence.client === this.#session?.client) this.#write("players");
    } else if (notice.spectators !== undefined) this.#count(notice.spectators);
    else if (notice.thinks !== undefined) this.#thinks = notice.thinks;
    else if (notice.chat) this.#add(notice.chat);
    else if (notice.reported !== undefined) say(this.#lines.querySelector(`[data-number="${notice.reported}"] .report`) ?? this.#error, "Reported");
    else if (notice.refused) {
      // The writer gets the line back, unless another one is begun.
      if (!this.#input.value && this.#sent !== null) this.#input.value = this.#sent;
      this.#sent = null;
      this.#complain(notice.refused.message);
    }
    this.#draw();
  }

  #send() {
    const text = this.#input.value.trim();
    if (!text) return;
    if (!this.#session?.chat(text)) return this.#complain("There is no connection now. Nothing was sent.");
    this.#complain(null);
    this.#sent = text;
    this.#input.value = "";
  }

  #watch() {
    this.#enter.hidden = true;
    const own = new Session({
      welcome: () => {},
      event: () => {},
      refused: ({ message }) => this.#complain(message),
      closing: () => this.detach(),
      connected: (yes) => {
        if (!yes) this.detach();
      },
      notice: (notice) => this.take(notice),
    });
    this.#own = this.#session = own;
    own.open({ watch: {} }, this.#game);
    this.#input.focus();
  }

  async #load() {
    try {
      this.#fill(await chatOf(this.#game));
    } catch {
      // The board is what counts; the chat comes with the first notice.
    }
  }

  /** @param {PlayerPresence} player */
  #put(player) {
    this.#players.set(player.client, { ...player, sinceMs: performance.now() - (player.away_ms ?? 0) });
  }

  /** @param {number} spectators */
  #count(spectators) {
    say(this.#others, spectators === 0 ? "" : spectators === 1 ? "1 spectator" : `${spectators} spectators`);
  }

  /** @param {"players" | "spectators"} channel */
  #write(channel) {
    const toPlayers = channel === "players";
    say(this.#label, toPlayers ? "Write to the players" : "Write to the spectators");
    this.#input.placeholder = toPlayers ? "Write to the players; spectators read it, too" : "Write to the spectators; players do not read it";
  }

  /** @param {ChatLine[]} lines */
  #fill(lines) {
    this.#last = 0;
    this.#lines.replaceChildren();
    for (const line of lines) this.#add(line);
  }

  /** @param {ChatLine} line */
  #add(line) {
    if (line.number <= this.#last) return;
    this.#last = line.number;
    if (this.#muted.has(line.by)) return;
    const isAtEnd = this.#lines.scrollTop + this.#lines.clientHeight >= this.#lines.scrollHeight - 40;
    this.#lines.append(this.#row(line));
    while (this.#lines.children.length > MOST_LINES) this.#lines.firstElementChild?.remove();
    if (isAtEnd) this.#lines.scrollTop = this.#lines.scrollHeight;
    if (line.client !== null && line.client === this.#session?.client) this.#sent = null;
  }

  /**
   * A line with what its readers can do about it.
   * @param {ChatLine} line
   */
  #row(line) {
    const row = chatRow(line);
    row.dataset.number = String(line.number);
    if (!this.#session || (line.client !== null && line.client === this.#session.client)) return row;
    const mute = button({ class: "mute", "aria-label": `Mute ${line.by}` }, () => this.#mute(line.by, true), "Mute");
    const report = button({ class: "report", "aria-label": `Report this line of ${line.by}` }, () => (report.disabled = this.#session?.report(line.number) ?? false), "Report");
    row.append(" ", make("span", { class: "line-acts" }, mute, report));
    return row;
  }

  /**
   * @param {string} by
   * @param {boolean} muted
   */
  #mute(by, muted) {
    if (muted) this.#muted.add(by);
    else this.#muted.delete(by);
    store(MUTED, JSON.stringify([...this.#muted].slice(-100)));
    this.#session?.mute(by, muted);
    for (const row of [...this.#lines.children]) if (muted && row.querySelector(".name")?.textContent === by) row.remove();
    this.#showMutes();
  }

  #showMutes() {
    this.#mutes.hidden = this.#muted.size === 0;
    this.#mutes.replaceChildren(
      "Muted: ",
      ...[...this.#muted].map((by) => button({ "aria-label": `Hear ${by} again` }, () => this.#mute(by, false), called(by, 30), " ×")),
    );
  }

  #draw() {
    const rows = [...this.#players.values()].map((player) =>
      make("li", { "data-away": player.away_ms === null ? null : "true", "data-client": player.client }, make("span", { class: "dot", "aria-hidden": "true" }), called(player.player, 30), make("span", { class: "since" }, since(player, this.#thinks))),
    );
    this.#list.replaceChildren(...rows);
  }

  #tick() {
    for (const row of this.#list.children) {
      const player = this.#players.get(Number(row.getAttribute("data-client")));
      if (player && player.away_ms !== null) say(find(row, ".since"), since(player, this.#thinks));
    }
  }

  /** @param {string | null} words */
  #complain(words) {
    this.#error.hidden = !words;
    say(this.#error, words ?? "");
  }
}

/** @returns {string[]} the writers that this browser has muted */
function storedMutes() {
  try {
    const found = JSON.parse(stored(MUTED) ?? "[]");
    return Array.isArray(found) ? found.map(String) : [];
  } catch {
    return [];
  }
}

/** The chat of a game that people look back at. A part of the viewer. */
export class ChatHistory {
  #root;
  #timer = 0;

  /** @param {HTMLElement} root */
  constructor(root) {
    this.#root = root;
  }

  /** @param {import("./viewer.js").Viewer} viewer */
  opened({ game, source }) {
    clearInterval(this.#timer);
    this.#root.hidden = true;
    if (!game || !source?.remote) return;
    this.#load(game.name);
    if (game.status !== "running") return;
    this.#timer = setInterval(() => {
      if (!document.hidden) this.#load(game.name);
    }, 10 * TICK_MS);
  }

  /** @param {string} game */
  async #load(game) {
    const lines = await chatOf(game).catch(() => []);
    this.#root.hidden = lines.length === 0;
    const list = find(this.#root, ".chat");
    if (list.childElementCount !== lines.length) list.replaceChildren(...lines.map(chatRow));
    say(find(this.#root, ".count"), String(lines.length));
  }
}

/**
 * @param {string} game
 * @returns {Promise<ChatLine[]>}
 */
async function chatOf(game) {
  return (await json(path("games", game, "chat"))).lines;
}

/** @param {ChatLine} line */
export function chatRow({ channel, by, text, at }) {
  const to = channel === "spectators" ? [make("span", { class: "to" }, " (spectators)")] : [];
  const row = make("li", { "data-channel": channel, title: new Date(at).toLocaleString() }, called(by, 30), ...to, ": ");
  row.append(name(make("bdi", { class: "line" }), text, LONGEST_LINE));
  return row;
}

/**
 * @param {PlayerPresence & { sinceMs: number }} player
 * @param {string | null} thinks
 */
function since({ player, away_ms, sinceMs }, thinks) {
  if (away_ms === null) return player === thinks ? "thinks" : "here";
  const seconds = Math.max(0, Math.floor((performance.now() - sinceMs) / 1000));
  const words = seconds < 60 ? `${seconds} s` : seconds < 3600 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3600)} h`;
  return `left ${words} ago`;
}

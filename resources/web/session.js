// A session with the host over the WebSocket: sends hello, reconnects by itself after a lost connection, and knows the token of its seat.

import { store, stored } from "./stored.js";

/** @import { HostMessage, Notice, Offers, Refusal, Want, Welcome } from "./types.js" */

const PROTOCOL = 3;
const PING_MS = 20000;
const ANSWER_MS = 10000;
const RETRY_MS = 500;
const LONGEST_RETRY_MS = 10000;
const KEY = "seat:";
const CREATOR_KEY = "creator:";

/** Reasons for closing after which a reconnect cannot succeed. */
const FINAL = new Set(["game_over", "replaced", "unknown_game", "unknown_token", "wrong_protocol", "bad_message", "bad_scenario", "full", "too_large", "damaged", "account_required", "denied"]);

/**
 * What a session reports.
 * @typedef {object} SessionHandlers
 * @property {(welcome: Welcome) => void} welcome
 * @property {(event: any, text: string) => void} event
 * @property {(refusal: Refusal) => void} refused
 * @property {(closing: Refusal) => void} closing
 * @property {(yes: boolean) => void} connected
 * @property {(notice: Notice) => void} [notice] a session that reports notices asks for them
 */

/** The token of a seat that this browser has, or null. @param {string} game */
export const storedSeat = (game) => stored(KEY + game);

/** @type {(game: string, token: string | null) => void} null forgets the seat */
export const storeSeat = (game, token) => store(KEY + game, token);

/** The secret of a game that this browser created, or null. @param {string} game */
export const storedCreator = (game) => stored(CREATOR_KEY + game);

/** @type {(game: string, secret: string) => void} */
export const storeCreator = (game, secret) => store(CREATOR_KEY + game, secret);

export class Session {
  /** The number of the last event that arrived. */
  seen = 0;
  /** @type {string | null} */
  game = null;
  /** @type {string | null} the token of the seat; a session with a token resumes it */
  token = null;
  /** @type {number | null} the number of the client in its game; a spectator has none */
  client = null;
  /** Whether the session is over and does not reconnect. */
  ended = false;
  /** @type {WebSocket | null} */
  #socket = null;
  /** @type {Want} */
  #want = { watch: {} };
  #retryMs = RETRY_MS;
  #retryTimer = 0;
  #pingTimer = 0;
  #heardMs = 0;
  /** Whether the page was left while the session was open. */
  #left = false;
  #handlers;
  #asked = 0;
  /** @type {Map<number, { resolve: (offers: Offers) => void, reject: (error: Error) => void }>} requests for offers without an answer */
  #asking = new Map();

  /** @param {SessionHandlers} handlers */
  constructor(handlers) {
    this.#handlers = handlers;
    const retryNow = () => {
      if (!this.ended && !document.hidden && this.#retryTimer) this.#connect();
    };
    addEventListener("online", retryNow);
    document.addEventListener("visibilitychange", retryNow);
    // A browser keeps pages that were left, to return to them at once. No person is at such a page.
    addEventListener("pagehide", () => {
      this.#left = !this.ended && Boolean(this.#socket || this.#retryTimer);
      clearTimeout(this.#retryTimer);
      this.#retryTimer = 0;
      this.#drop();
    });
    addEventListener("pageshow", () => {
      if (this.#left && !this.ended) this.#connect();
      this.#left = false;
    });
  }

  /**
   * @param {Want} want
   * @param {string | null} game
   */
  open(want, game = null) {
    this.#want = want;
    this.game = game;
    this.#connect();
  }

  /** The first message of a connection. */
  hello() {
    /** @type {Want} */
    let want = this.#want;
    if (this.token) want = { resume: { token: this.token, seen: this.seen } };
    else if ("watch" in want) want = { watch: { seen: this.seen } };
    return { hello: { protocol: PROTOCOL, want, game: this.game, board: true } };
  }

  #connect() {
    clearTimeout(this.#retryTimer);
    this.#retryTimer = 0;
    this.#drop();
    const socket = new WebSocket(`${location.origin.replace(/^http/, "ws")}/api/v1/play`);
    this.#socket = socket;
    socket.onopen = () => {
      this.#send(this.hello());
      this.#watchConnection();
    };
    socket.onmessage = ({ data }) => {
      if (this.#socket !== socket) return;
      this.#heardMs = performance.now();
      this.receive(JSON.parse(data));
    };
    socket.onclose = () => {
      if (this.#socket === socket) this.#lost();
    };
  }

  /** @param {HostMessage} message */
  receive({ welcome, event, refused, closing, offers, notice }) {
    if (welcome) {
      this.#retryMs = RETRY_MS;
      // An invitation stays: a spectator needs it again.
      if (!this.game?.startsWith(`${welcome.game}.`)) this.game = welcome.game;
      this.client = welcome.client;
      if (welcome.token) this.token = welcome.token;
      if (this.#handlers.notice) this.#send({ notices: true });
      this.#handlers.connected(true);
      this.#handlers.welcome(welcome);
    } else if (event) {
      this.seen = event.number;
      this.#handlers.event(event.event, event.text);
    } else if (offers) {
      this.#asking.get(offers.number)?.resolve(JSON.parse(offers.offers));
      this.#asking.delete(offers.number);
    } else if (notice) {
      this.#handlers.notice?.(notice);
    } else if (refused) {
      this.#giveUpAsking(refused.message);
      this.#handlers.refused(refused);
    } else if (closing) {
      if (FINAL.has(closing.reason)) this.ended = true;
      this.#handlers.closing(closing);
    }
  }

  /**
   * Sends a command; false if there is no connection.
   * @param {object} command
   */
  command(command) {
    return this.#send({ command });
  }

  /**
   * Writes a line of chat; false if there is no connection.
   * @param {string} text
   */
  chat(text) {
    return this.#send({ chat: text });
  }

  /**
   * Wants no lines of a writer of chat, or wants them again.
   * @param {string} by
   * @param {boolean} muted
   */
  mute(by, muted) {
    this.#send({ mute: { by, muted } });
  }

  /**
   * Reports a line of chat to the operator; false if there is no connection.
   * @param {number} number
   */
  report(number) {
    return this.#send({ report: number });
  }

  /**
   * Asks what this client can do now. The answer comes after all earlier events. It fails if the connection is lost meanwhile.
   * @returns {Promise<Offers>}
   */
  offers() {
    return new Promise((resolve, reject) => {
      if (this.#send({ offers: this.#asked + 1 })) this.#asking.set((this.#asked += 1), { resolve, reject });
      else reject(new Error("There is no connection now."));
    });
  }

  /** @param {string} why */
  #giveUpAsking(why) {
    for (const { reject } of this.#asking.values()) reject(new Error(why));
    this.#asking.clear();
  }

  /** False if there is no connection. @param {object} message */
  #send(message) {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  /** Sends a ping after a long silence, and reconnects if the host does not answer it. */
  #watchConnection() {
    clearInterval(this.#pingTimer);
    this.#heardMs = performance.now();
    this.#pingTimer = setInterval(() => {
      const silentMs = performance.now() - this.#heardMs;
      if (silentMs > PING_MS + ANSWER_MS) this.#lost();
      else if (silentMs > PING_MS) this.#send({ ping: 1 });
    }, ANSWER_MS / 2);
  }

  #lost() {
    this.#drop();
    if (this.ended) return;
    this.#handlers.connected(false);
    this.#retryTimer = setTimeout(() => this.#connect(), this.#retryMs);
    this.#retryMs = Math.min(this.#retryMs * 2, LONGEST_RETRY_MS);
  }

  #drop() {
    clearInterval(this.#pingTimer);
    const socket = this.#socket;
    this.#socket = null;
    this.#giveUpAsking("The connection is lost.");
    if (!socket) return;
    socket.onclose = socket.onmessage = null;
    // A socket that is still connecting is closed once it is open.
    if (socket.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close();
    else socket.close();
  }

  close() {
    this.ended = true;
    clearTimeout(this.#retryTimer);
    this.#drop();
  }
}

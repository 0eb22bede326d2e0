// A client of one game. It reconnects if the connection is lost.

import { BadMessage, Closed, ConnectionLost, HoldfastError, Interrupted, Refused, TimedOut } from "./errors.js";
import { CONNECT_MS, connect, type Lines } from "./lines.js";
import type { FromClient, GameInfo, Offered, Reason, Told, Welcome } from "./messages.js";
import { choices, readOffers, type Offers } from "./offers.js";
import { Place, type Entry, type Heard } from "./place.js";

/** The pause between two attempts to reconnect: the first, and the longest. */
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 3_000;

/** The time after which the client stops reconnecting. */
const PATIENCE_MS = 60_000;

/** The time without messages before a ping; after as long again the connection counts as lost. */
const SILENCE_MS = 20_000;

/** Reasons after which reconnecting may help. */
const PASSING: ReadonlySet<Reason> = new Set<Reason>(["shutting_down", "store_unavailable", "timeout", "too_slow", "too_many"]);

/** What follows the events of a game, such as a board. */
export interface Fold<E> {
  /** The server has said what is played: at first, and after each reconnect. */
  welcome?(welcome: Welcome): void;
  apply?(event: E, text: string | null): void;
}

export interface Options<E> {
  /** Is told every event once, in order. */
  fold?: Fold<E>;
  /** Whether to ask for the events of the board too; yes, if not said otherwise. */
  board?: boolean;
  /** How long to try to reconnect. */
  patienceMs?: number;
}

/**
 * A place in a game. `C` and `E` are the commands and events of its rulebook. One task at a time may call its functions; only `send`
 * and `close` may be called at any time.
 */
export class Client<C = unknown, E = unknown> {
  /** The number of reconnects. */
  resumed = 0;
  /** The server's words at the end of the game; null while it runs. */
  farewell: string | null = null;
  readonly address: string;
  #place: Place<E>;
  #fold: Fold<E>;
  #patienceMs: number;
  #lines: Lines | null = null;
  #closed = false;
  /** Whether a ping was sent after a silence, and nothing came since. */
  /** When the unanswered ping was sent; 0 if there is none. */
  #pingedAtMs = 0;
  #heardAtMs = 0;
  /** Commands that this program has sent, whatever became of them. */
  #sends = 0;
  /** The number of the last request, a ping or one for offers. */
  #request = 0;

  private constructor(address: string, entry: Entry, { fold = {}, board = true, patienceMs = PATIENCE_MS }: Options<E>) {
    this.address = address;
    this.#place = new Place(entry, board);
    this.#fold = fold;
    this.#patienceMs = patienceMs;
  }

  /** Connects and enters a game, without retries. */
  static async open<C = unknown, E = unknown>(address: string, entry: Entry, options: Options<E> = {}): Promise<Client<C, E>> {
    const client = new Client<C, E>(address, entry, options);
    await client.#connect();
    return client;
  }

  /** The open games of a server. */
  static async games(address: string): Promise<GameInfo[]> {
    const place = new Place({ want: "list", game: null }, false);
    const lines = await connect(address);
    try {
      const heard = await ask(lines, place, address);
      if (heard.kind !== "games") throw new BadMessage(`the list of games is expected, not ${heard.kind}`);
      return heard.value;
    } finally {
      lines.close();
    }
  }

  get game(): string {
    return this.#welcome.game;
  }

  /** The name of the rulebook, such as crazyhouse. */
  get rulebook(): string {
    return this.#welcome.rulebook;
  }

  get edition(): string {
    return this.#welcome.edition;
  }

  /** The text that the game was made from, for spectators. */
  get scenario(): string | null {
    return this.#welcome.scenario ?? null;
  }

  /** The secret that resumes this place: a program that has it is this client. Spectators have none. */
  get token(): string | null {
    return this.#place.token;
  }

  /** The number of the last event. */
  get seen(): number {
    return this.#place.seen;
  }

  /** Whether the server has ended the game's stream. */
  get isOver(): boolean {
    return this.farewell !== null;
  }

  /** Sends a command and does not wait. It can be lost with the connection; `play` tells. */
  send(command: C): void {
    this.#sends += 1;
    this.#place.sent += 1;
    this.#write({ command });
  }

  /** The next event; null once the game is over. */
  async next(timeoutMs: number = Infinity): Promise<Told<E> | null> {
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      const heard = await this.#receive(deadline - Date.now());
      if (heard === "over") return null;
      if (heard === "quiet") throw new TimedOut(`no event in ${timeoutMs} ms`);
      if (typeof heard !== "string" && heard.kind === "event") return heard.value;
    }
  }

  /** Waits until the server has handled everything that was sent, and returns the events until then. */
  async ping(): Promise<Told<E>[]> {
    return this.#until((number) => ({ ping: number }), (heard) => (heard.kind === "pong" ? heard.value : null));
  }

  /** Sends a command, waits until the server has handled it, and returns the events until then. */
  async play(command: C): Promise<Told<E>[]> {
    const resumed = this.resumed;
    this.send(command);
    const number = this.#place.sent;
    const told = await this.ping();
    if (this.resumed > resumed && this.#place.taken < number) throw new Interrupted();
    return told;
  }

  /** What this client can do now, after all events so far; null once the game is over. */
  async offers(): Promise<Offers<C> | null> {
    let offered: Offered | undefined;
    do {
      await this.#until(
        (number) => ({ offers: number }),
        (heard) => {
          if (heard.kind !== "offers") return null;
          offered = heard.value;
          return heard.value.number;
        },
      );
      if (this.isOver || !offered) return null;
      // An event after the answer makes it old.
    } while (offered.after !== this.seen);
    return readOffers<C>(offered.offers);
  }

  /**
   * What this client can do, each time that it can do something, to the end of the game. Send a command, and go on. If you send none,
   * the next turn comes after the next event. Events go to the `fold`.
   */
  async *turns(): AsyncGenerator<Offers<C>, void, void> {
    while (!this.isOver) {
      const offers = await this.offers();
      if (offers === null) return;
      const sends = this.#sends;
      if (choices(offers).length) yield offers;
      // After a command the server has news, if only that it refuses. A lost one leaves the same turn.
      if (this.#sends === sends && (await this.next()) === null) return;
    }
  }

  /** Every event, to the end of the game. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Told<E>, void, void> {
    for (let told = await this.next(); told !== null; told = await this.next()) yield told;
  }

  /** Closes the connection. The place in the game stays: `resume` opens it again. */
  close(): void {
    this.#closed = true;
    this.#hangUp();
  }

  get #welcome(): Welcome {
    if (this.#place.welcome === null) throw new HoldfastError("no game was entered");
    return this.#place.welcome;
  }

  #write(message: FromClient<C>): void {
    this.#lines?.send(JSON.stringify(message));
  }

  #hangUp(): void {
    this.#lines?.close();
    this.#lines = null;
  }

  /** Sends a request and receives everything up to its answer. After a lost connection it is sent again. */
  async #until(
    request: (number: number) => FromClient<C>,
    answered: (heard: Heard<E>) => number | null,
  ): Promise<Told<E>[]> {
    const told: Told<E>[] = [];
    for (let isOpen = false; ; ) {
      if (!isOpen) this.#write(request(++this.#request));
      const heard = await this.#receive(Infinity);
      isOpen = heard !== "resumed";
      if (heard === "over") return told;
      if (typeof heard === "string") continue;
      if (heard.kind === "event") told.push(heard.value);
      if (answered(heard) === this.#request) return told;
    }
  }

  /** The next message. Reconnects if necessary. */
  async #receive(timeoutMs: number): Promise<Heard<E> | "resumed" | "nothing" | "quiet" | "over"> {
    if (this.isOver) return "over";
    if (this.#closed) throw new ConnectionLost("the client was closed");
    let cause: Error = new ConnectionLost("the server has gone");
    if (this.#lines) {
      const line = await this.#lines.next(Math.max(0, Math.min(timeoutMs, SILENCE_MS)));
      if (line === "quiet") {
        if (!this.#isDead()) return timeoutMs <= SILENCE_MS ? "quiet" : "nothing";
      } else if (line !== "closed") {
        this.#heard();
        try {
          return this.#take(line.text);
        } catch (error) {
          // A command that came after the end; the end itself is still to come.
          if (error instanceof Refused && error.reason === "game_over") return "nothing";
          if (!(error instanceof Closed)) throw error;
          if (error.reason === "game_over") {
            this.farewell = error.message.replace("game_over: ", "");
            this.#hangUp();
            return "over";
          }
          if (!PASSING.has(error.reason)) {
            this.close();
            throw error;
          }
          cause = error;
        }
      }
    }
    this.#hangUp();
    await this.#reconnect(cause);
    return "resumed";
  }

  #heard(): void {
    this.#heardAtMs = Date.now();
    this.#pingedAtMs = 0;
  }

  /** Whether the server did not answer a ping. Sends one after a long silence, however short the waits of the caller are. */
  #isDead(): boolean {
    const now = Date.now();
    // A timer may be a little early.
    const isLong = (sinceMs: number) => now - sinceMs > 0.9 * SILENCE_MS;
    if (this.#pingedAtMs) return isLong(this.#pingedAtMs);
    if (isLong(this.#heardAtMs)) {
      this.#pingedAtMs = now;
      this.#write({ ping: 0 });
    }
    return false;
  }

  #take(text: string): Heard<E> {
    let heard: Heard<E>;
    try {
      heard = this.#place.take(text);
    } catch (error) {
      // The game does not count a command that the server refused; `too_large` answers a request for offers.
      if (error instanceof Refused && error.reason !== "too_large") this.#place.sent -= 1;
      throw error;
    }
    if (heard.kind === "event") this.#fold.apply?.(heard.value.event, heard.value.text ?? null);
    else if (heard.kind !== "pong" && heard.kind !== "offers" && heard.kind !== "notice" && heard.kind !== "managed") throw new BadMessage(`an event is expected, not ${heard.kind}`);
    return heard;
  }

  async #connect(): Promise<void> {
    const lines = await connect(this.address);
    try {
      const heard = await ask(lines, this.#place, this.address);
      if (heard.kind !== "welcome") throw new BadMessage(`a welcome is expected, not ${heard.kind}`);
      this.#fold.welcome?.(heard.value);
    } catch (error) {
      lines.close();
      throw error;
    }
    if (this.#closed) {
      lines.close();
      throw new ConnectionLost("the client was closed");
    }
    this.#heard();
    this.#lines = lines;
  }

  /** Tries to reconnect, with growing pauses. */
  async #reconnect(lost: Error): Promise<void> {
    const since = Date.now();
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      if (this.#closed) throw new ConnectionLost("the client was closed");
      try {
        await this.#connect();
        this.resumed += 1;
        return;
      } catch (error) {
        const isPassing = (error instanceof Refused || error instanceof Closed) && PASSING.has(error.reason);
        if (!isPassing && !(error instanceof ConnectionLost)) throw error;
        lost = error as Error;
      }
      if (Date.now() - since + pauseMs > this.#patienceMs) {
        const words = `the connection to ${this.address} was lost and not had again in ${this.#patienceMs} ms: ${lost.message}`;
        throw new ConnectionLost(words, { cause: lost });
      }
      // Jitter: clients must not reconnect all at the same moment.
      await new Promise((resolve) => setTimeout(resolve, pauseMs * (0.5 + Math.random() / 2)));
    }
  }
}

/** Sends the hello, and waits for its answer. */
async function ask<E>(lines: Lines, place: Place<E>, address: string): Promise<Heard<E>> {
  lines.send(JSON.stringify(place.hello()));
  const line = await lines.next(CONNECT_MS);
  if (line === "closed") throw new ConnectionLost(`${address} closed the connection`);
  if (line === "quiet") throw new ConnectionLost(`no answer of ${address} in ${CONNECT_MS / 1000} s`);
  return place.take(line.text);
}

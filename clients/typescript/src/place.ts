// A client's place in a game, over any number of connections. It makes and reads messages, and does no IO.

import { BadMessage, Closed, Refused } from "./errors.js";
import { PROTOCOL, type Create, type Hello, type Told, type ToClient, type Want, type Welcome } from "./messages.js";

/** Which game to enter, and how. Made by `create`, `join`, `watch` and `resume`. */
export interface Entry {
  want: Want;
  game: string | null;
}

/** Creates a game of a scenario: a name that the server knows, or the whole text. `timeout` is in milliseconds. */
export function create(scenario: string, options: Omit<Create, "scenario"> = {}): Entry {
  return { want: { create: { scenario, ...options } }, game: null };
}

/** Joins a game, or the only one of a server; `seat` claims a seat in a fork. */
export function join(game: string | null = null, seat: number | null = null): Entry {
  return { want: { join: { seat } }, game };
}

/** Watches a game, from the event after `seen`. */
export function watch(game: string | null = null, seen = 0): Entry {
  return { want: { watch: { seen } }, game };
}

/** Resumes the place of a token, from the event after `seen`. */
export function resume(game: string, token: string, seen = 0): Entry {
  return { want: { resume: { token, seen } }, game };
}

/** The messages that the client knows. A server may send further kinds only to clients of a later protocol. */
type Kind = ToClient extends infer M ? (M extends unknown ? keyof M : never) : never;
const KINDS: Record<Kind, true> = { welcome: true, games: true, event: true, pong: true, refused: true, closing: true, offers: true, notice: true, managed: true };

/** A message by its kind. */
export type Heard<E> = {
  [K in Kind]: { kind: K; value: Extract<ToClient<E>, Record<K, unknown>> extends Record<K, infer V> ? V : never };
}[Kind];

export class Place<E = unknown> {
  /** What the server said last about this place. */
  welcome: Welcome | null = null;
  /** The secret that resumes this place: a program that has it is this client. */
  token: string | null = null;
  /** The number of the last event. */
  seen = 0;
  /** How many commands the game has taken if none is lost. */
  sent = 0;
  /** How many it had taken when the connection was opened. */
  taken = 0;
  #want: Want;
  #game: string | null;

  constructor(
    { want, game }: Entry,
    readonly board: boolean,
  ) {
    this.#want = want;
    this.#game = game;
    if (want !== "list" && "resume" in want) {
      this.token = want.resume.token;
      this.seen = want.resume.seen ?? 0;
    } else if (want !== "list" && "watch" in want) {
      this.seen = want.watch.seen ?? 0;
    }
  }

  /** The first message of a connection, for the first time or again. */
  hello(): { hello: Hello } {
    let want = this.#want;
    if (this.token !== null) want = { resume: { token: this.token, seen: this.seen } };
    else if (want !== "list" && "watch" in want) want = { watch: { seen: this.seen } };
    return { hello: { protocol: PROTOCOL, want, game: this.welcome?.game ?? this.#game, board: this.board } };
  }

  /** Reads a message. A refusal and the end of the connection are errors. */
  take(text: string): Heard<E> {
    const heard = parse<E>(text);
    switch (heard.kind) {
      case "welcome":
        // The server does not repeat the token to a client that resumes.
        this.token = heard.value.token ?? this.token;
        this.taken = this.sent = heard.value.commands;
        this.welcome = heard.value;
        return heard;
      case "event":
        if (heard.value.number !== this.seen + 1) {
          throw new BadMessage(`event ${heard.value.number} came after event ${this.seen}`);
        }
        this.seen = heard.value.number;
        return heard;
      case "refused":
        throw new Refused(heard.value.reason, heard.value.message);
      case "closing":
        throw new Closed(heard.value.reason, heard.value.message);
      case "games":
      case "pong":
      case "offers":
      case "notice":
      case "managed":
        return heard;
    }
  }
}

function parse<E>(text: string): Heard<E> {
  if (text.startsWith("HTTP/")) {
    throw new BadMessage("the server answers with HTTP: is this the port of its page? Then its address begins with http://");
  }
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    throw new BadMessage(`the server sends a line that is no JSON: ${text.slice(0, 80)}`);
  }
  const [kind, value] = typeof message === "object" && message !== null ? (Object.entries(message)[0] ?? []) : [];
  if (kind === undefined || !Object.hasOwn(KINDS, kind) || !isWhole(kind as Kind, value)) {
    throw new BadMessage(`this is no message that the client knows: ${text.slice(0, 80)}`);
  }
  return { kind, value } as Heard<E>;
}

/** Whether a message has the fields that this client relies on. */
function isWhole(kind: Kind, value: unknown): boolean {
  const has = (...fields: [string, "string" | "number"][]) =>
    typeof value === "object" && value !== null && fields.every(([name, type]) => typeof (value as Record<string, unknown>)[name] === type);
  switch (kind) {
    case "welcome":
      return has(["game", "string"], ["rulebook", "string"], ["edition", "string"], ["next", "number"], ["commands", "number"]);
    case "games":
      return Array.isArray(value);
    case "event":
      return has(["number", "number"]) && "event" in (value as Told);
    case "pong":
      return typeof value === "number";
    case "refused":
    case "closing":
      return has(["reason", "string"], ["message", "string"]);
    case "offers":
      return has(["number", "number"], ["after", "number"], ["offers", "string"]);
    case "notice":
    case "managed":
      return typeof value === "object" && value !== null;
  }
}

// Written by clients/typescript/generate.mjs from docs/protocol.json.

/** The version of the protocol that this client speaks. */
export const PROTOCOL = 3;

export interface Access {
  admission: Admission;
  closed: boolean;
  invitations: number;
  reserved: string[];
  invitation?: string | null;
}

export type AccessChange =
  | "look"
  | { admit: Admission }
  | { closed: boolean }
  | { invite: { name?: string | null; account?: string | null } }
  | { remove: { client: number } }
  | "end";

export type Admission =
  | "open"
  | "unlisted"
  | "invited";

export type Channel =
  | "players"
  | "spectators";

export interface ChatLine {
  number: number;
  channel: Channel;
  client?: number | null;
  by: string;
  text: string;
  at: number;
}

export interface Create {
  rulebook?: string | null;
  scenario: string;
  edition?: string | null;
  seed?: number | null;
  timeout?: number | null;
}

export type FromClient<C = unknown> =
  | { hello: Hello }
  | { command: C }
  | { ping: number }
  | { offers: number }
  | { notices: boolean }
  | { chat: string }
  | { account: string }
  | { mute: Muting }
  | { report: number }
  | { manage: AccessChange };

export interface GameInfo {
  game: string;
  rulebook: string;
  edition: string;
  players: string[];
  status: string;
}

export interface Hello {
  protocol: number;
  want: Want;
  game?: string | null;
  board?: boolean;
}

export interface Muting {
  by: string;
  muted: boolean;
}

export type News =
  | { snapshot: Snapshot }
  | { presence: Presence }
  | { spectators: number }
  | { thinks: string | null }
  | { chat: ChatLine }
  | { refused: Refused }
  | { reported: number };

export interface Offered {
  number: number;
  after: number;
  offers: string;
}

export interface Presence {
  client: number;
  player: string;
  away_ms?: number | null;
}

export type Reason =
  | "bad_message"
  | "wrong_protocol"
  | "unknown_game"
  | "unknown_token"
  | "game_over"
  | "full"
  | "bad_scenario"
  | "too_large"
  | "too_slow"
  | "too_fast"
  | "too_many"
  | "timeout"
  | "shutting_down"
  | "store_failed"
  | "replaced"
  | "internal"
  | "store_unavailable"
  | "damaged"
  | "account_required"
  | "name_taken"
  | "denied";

export interface Refused {
  reason: Reason;
  message: string;
}

export interface Snapshot {
  players: Presence[];
  spectators: number;
  thinks?: string | null;
  writes: Channel;
  chat?: ChatLine[] | null;
}

export type ToClient<E = unknown> =
  | { welcome: Welcome }
  | { games: GameInfo[] }
  | { event: Told<E> }
  | { pong: number }
  | { refused: Refused }
  | { closing: Refused }
  | { offers: Offered }
  | { notice: News }
  | { managed: Access };

export interface Told<E = unknown> {
  number: number;
  event: E;
  text?: string | null;
}

export type Want =
  | "list"
  | { create: Create }
  | { join: { seat?: number | null } }
  | { watch: { seen?: number } }
  | { resume: { token: string; seen?: number } }
  | { private: { create: Create; admission: Admission } };

export interface Welcome {
  protocol: number;
  game: string;
  client?: number | null;
  token?: string | null;
  next: number;
  rulebook: string;
  edition: string;
  commands: number;
  scenario?: string | null;
}

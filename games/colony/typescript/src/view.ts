// What one client knows: the board, and what it alone was told.

import { Board, type Player } from "./board.js";
import type { Edition, Event, Refusal } from "./messages.js";
import { parseScenario } from "./scenario.js";

/** What the game waits for: two of the characters that are offered, a command of the turn, or a vote. */
export type Asked = "characters" | "act" | "vote";

/** A board from a client's own seat: the `fold` of a `Client` from holdfast-client, from the first event on. */
export class View {
  /** Which player the client is, once it has registered. */
  player: number | null = null;
  asked: Asked | null = null;
  /** The four characters to choose from, while they are asked for. */
  offered: number[] = [];
  /** Why the last command was refused; null once something else has happened. */
  refused: Refusal | null = null;
  #edition: Edition | undefined;
  #board: Board | null = null;
  /** What was told before the scenario. */
  #early: Event[] = [];

  /** There is none before the scenario, which comes with the answer to a registration, or to a spectator at once. */
  get board(): Board {
    if (!this.#board) throw new Error("there is no board before the scenario, which only registered players get");
    return this.#board;
  }

  /** The client's own player. */
  get me(): Player {
    const player = this.player === null ? undefined : this.board.players[this.player];
    if (!player) throw new Error("this client is no player: it has not registered");
    return player;
  }

  welcome({ rulebook, edition, scenario }: { rulebook: string; edition: string; scenario?: string | null }): void {
    if (rulebook !== "colony") throw new Error(`the server plays ${rulebook}, of which this client has no board`);
    this.#edition = edition as Edition;
    if (scenario) this.#begin(scenario);
  }

  apply(event: Event, text: string | null = null): void {
    if ("Config" in event && text !== null) this.#begin(text);
    if (this.#board) this.#board.apply(event);
    else this.#early.push(event);
    this.#ask(event);
    if ("CommandFailed" in event) this.refused = event.CommandFailed.refusal;
    else if (!("ActNow" in event || "VoteNow" in event)) this.refused = null;
  }

  #ask(event: Event): void {
    const isMine = (fields: { player: number }) => fields.player === this.player;
    if ("Config" in event) {
      // It answers a registration, which has just added the last player to the board.
      this.player = this.board.players.length - 1;
    } else if ("Characters" in event) {
      this.asked = "characters";
      this.offered = Object.values(event.Characters);
    } else if ("ActNow" in event) {
      this.asked = "act";
    } else if ("VoteNow" in event) {
      this.asked = "vote";
    } else if ("CharacterSpawned" in event && isMine(event.CharacterSpawned) && this.asked === "characters") {
      this.#answered();
    } else if (("TurnEnded" in event && isMine(event.TurnEnded)) || ("Left" in event && isMine(event.Left))) {
      this.#answered();
    } else if ("VoteAsked" in event || "VoteResult" in event || "GameEnd" in event || "RegistrationAborted" in event) {
      this.asked = null;
    }
  }

  #answered(): void {
    this.asked = null;
    this.offered = [];
  }

  #begin(scenario: string): void {
    if (this.#board) return;
    this.#board = new Board(parseScenario(scenario), this.#edition);
    for (const event of this.#early.splice(0)) this.#board.apply(event);
  }
}

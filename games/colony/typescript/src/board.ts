// What every player may know: a fold over the events for all and for the board.

import { apply } from "./apply.js";
import type { Edition, Event } from "./messages.js";
import { editionOf, type CardKind, type Character, type Consequence, type Crisis, type Scenario } from "./scenario.js";

/** How many zombies and barricades an entrance has room for. */
const PLACES = 3;

/** `preparation`: a player is to choose characters. `colony`: after the last turn of a round. */
export type Phase = "registration" | "preparation" | "turns" | "colony" | "over";

/** How a game ended, in the server's words. */
export type Outcome =
  | "won"
  | "lost: the morale fell to 0"
  | "lost: the goal was not reached in the last round"
  | "abandoned: nobody was left to play"
  | "aborted during registration";

export class Entrance {
  zombies = 0;
  barricades = 0;

  get free(): number {
    return Math.max(0, PLACES - this.zombies - this.barricades);
  }
}

/** A location, as it is now. */
export interface Place {
  /** How many are left to find; at the colony they are the start cards. */
  cards: number;
  entrances: Entrance[];
}

/** A character of the scenario, in the game or not. */
export class Survivor {
  life: "unused" | "alive" | "dead" = "unused";
  /** null before it came into the game. */
  owner: number | null = null;
  wounds = 0;
  frostbites = 0;
  /** Has moved this round. */
  moved = false;
  /** How often its ability was used this round. */
  uses = 0;
  /** Its equipment, in the order in which it was put on; `used`: its one use of this round is over. */
  worn: { card: number; used: boolean }[] = [];

  constructor(public location: number) {}
}

export class Player {
  /** Still in the game. */
  present = true;
  /** The living, in the order in which they came into the game. */
  survivors: number[] = [];
  hand: number[] = [];
  /** From the lowest. */
  dice: number[] = [];
  /** Has used its plain waste disposal of this round (group edition). */
  disposed = false;

  constructor(readonly name: string) {}

  /** The smallest die that shows at least so much: the one that is spent. */
  smallestDie(needed: number): number | null {
    return this.dice.find((die) => die >= needed) ?? null;
  }
}

/** The game as everybody may see it. Characters, cards and locations are named by their identifiers. */
export class Board {
  phase: Phase = "registration";
  /** The player who is to choose characters, or has its turn. */
  player: number | null = null;
  outcome: Outcome | null = null;
  /** 0 before the first round. */
  round = 0;
  morale: number;
  food = 0;
  starvationTokens = 0;
  waste = 0;
  children: number;
  crisis: number | null = null;
  /** How many cards were given to the crisis of the round. */
  contributed = 0;
  readonly places: Map<number, Place>;
  readonly survivors: Map<number, Survivor>;
  readonly players: Player[] = [];
  /** The player who is asked for a vote. */
  vote: number | null = null;
  /** The fate card that fired last. */
  crossroad: number | null = null;
  /** What is voted on. */
  choice: Extract<Consequence, { choice: unknown }> | null = null;

  constructor(
    readonly scenario: Scenario,
    readonly edition: Edition = editionOf(scenario),
  ) {
    const { goal, colony } = scenario;
    this.morale = goal.moral;
    this.children = goal.childrenInColony;
    this.places = new Map();
    for (const { id, entrances: count, cards } of scenario.locations.values()) {
      const entrances = Array.from({ length: count }, () => new Entrance());
      const zombies = id === colony ? goal.zombiesColony : goal.zombiesLocations;
      for (let zombie = 0; zombie < zombies; zombie += 1) entrances[zombie % count]!.zombies += 1;
      this.places.set(id, { cards: cards.length, entrances });
    }
    this.survivors = new Map([...scenario.characters.keys()].map((character) => [character, new Survivor(colony)]));
  }

  /** Never fails: an event that cannot be changes what it can and is forgotten. */
  apply(event: Event): void {
    apply(this, event);
  }

  /** The living at a location, from the lowest status to the highest. */
  survivorsAt(location: number): number[] {
    const here = [...this.survivors].filter(([, survivor]) => survivor.life === "alive" && survivor.location === location);
    const status = (character: number) => this.character(character)?.status ?? 0;
    return here.map(([character]) => character).sort((one, other) => status(one) - status(other));
  }

  character(character: number): Character | undefined {
    return this.scenario.characters.get(character);
  }

  cardKind(card: number): CardKind | undefined {
    return this.scenario.cards.get(card)?.kind;
  }

  roundCrisis(): Crisis | null {
    return this.crisis === null ? null : (this.scenario.crises.get(this.crisis) ?? null);
  }

  /** How much food the colony phase would take now, and how many zombies would come to the colony. */
  mouths(): number {
    return Math.floor((this.survivorsAt(this.scenario.colony).length + this.children + 1) / 2);
  }

  /** The FUEL card that a move with fuel takes: the one with the lowest identifier. */
  fuel(player: number): number | null {
    const cards = (this.players[player]?.hand ?? []).filter((card) => this.cardKind(card) === "fuel");
    return cards.length ? Math.min(...cards) : null;
  }
}

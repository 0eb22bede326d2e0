// What a scenario says. The server has checked it: here nothing is explained. Everything is found by its identifier.

import type { CrisisKind, Edition } from "./messages.js";

const EQUIPMENT = ["hammer", "colt", "snow_boots", "swab", "blueprint"] as const;
export type CardKind = "food" | "fuel" | "stuff" | "medicine" | "lock" | "scissors" | (typeof EQUIPMENT)[number];

export interface Card {
  id: number;
  kind: CardKind;
  /** Of food. */
  amount: number;
  /** Of a blueprint. */
  location: number | null;
  /** The location whose stack holds it at first; start cards are the colony's. */
  home: number | null;
}

export type Injury = "wound" | "frostBite" | "bite";

/** An ability by its name in the file; the fields are those of the file. */
export type Ability =
  | { wound: { before: Injury; after: Injury } }
  | { no_infection: object }
  | { search: { location: number; numCards: number; maxActivations: number } }
  | { trash: { numCards: number } }
  | { heal: object }
  | { feed: { numFood: number } }
  | { barricade: { numBarricades: number; maxActivations: number } }
  | { kill: { locationId: number; dieValue: number; numZombies: number; maxActivations: number; infectionDie?: boolean; children?: boolean } };

export interface Character {
  id: number;
  name: string;
  status: number;
  attack: number;
  search: number;
  ability: Ability;
}

export interface Crisis {
  id: number;
  kind: CrisisKind;
  requiredCards: number;
  moralChange: number;
}

export interface Goal {
  rounds: number;
  moral: number;
  zombiesColony: number;
  zombiesLocations: number;
  childrenInColony: number;
  /** At least so many, if this is the aim. */
  barricades?: number;
  /** At most so many, if this is the aim. Without both, the aim is to survive. */
  locationWithZombies?: number;
}

export interface Location {
  id: number;
  /** The colony has no name in the file; here it is "colony". */
  name: string;
  entrances: number;
  /** null: no limit, which is the colony. */
  survivorSpaces: number | null;
  /** In the order of the file. The order of the shuffled stack is secret. */
  cards: number[];
}

export type Consequence =
  | { changeFood: { amount: number } }
  | { changeMoral: { amount: number } }
  | { spawnSurvivors: { amount: number; children?: boolean } }
  | { spawnZombies: { amount: number; locationId?: number } }
  | { choice: { consequence1: Consequence; consequence2: Consequence } };

export interface Fate {
  id: number;
  trigger: string;
  consequence: Consequence;
  /** Where it fires; null: anywhere. */
  location: number | null;
  /** Of wasteChanged. */
  amount: number;
}

/** Cards, characters, crises and fates stand in the order of the file, locations in that of their identifiers. */
export interface Scenario {
  maxPlayers: number;
  goal: Goal;
  colony: number;
  locations: Map<number, Location>;
  characters: Map<number, Character>;
  cards: Map<number, Card>;
  crises: Map<number, Crisis>;
  /** null when the file has no list `crossroads` at all. */
  fates: Map<number, Fate> | null;
}

/** Reads the text of a scenario. Fails if it is none. */
export function parseScenario(text: string): Scenario {
  try {
    return read(JSON.parse(text.replace(/^\ufeff/, "")));
  } catch (error) {
    throw new Error(`this is no scenario: ${(error as Error).message}`, { cause: error });
  }
}

/** The edition that a scenario seems to be written for: what a server plays that was told none. */
export function editionOf(scenario: Scenario): Edition {
  if (scenario.fates) return "fate";
  const isEquipment = ({ kind }: Card) => (EQUIPMENT as readonly string[]).includes(kind);
  return [...scenario.cards.values()].some(isEquipment) ? "equipment" : "group";
}

/** The form of the file is checked by the server. */
type File = any;

function read(file: File): Scenario {
  const locations: Location[] = file.locations.map(readLocation);
  const homes = new Map(locations.flatMap((location) => location.cards.map((card) => [card, location.id] as const)));
  return {
    maxPlayers: file.maxPlayers,
    goal: file.goal,
    colony: file.locations.find((entry: File) => entry.colony).colony.identifier,
    locations: byId(locations.sort((one, other) => one.id - other.id)),
    characters: byId(file.characters.map(({ identifier, ...rest }: File) => ({ id: identifier, ...rest }))),
    cards: byId(file.cards.map((entry: File) => readCard(entry, homes))),
    crises: byId(file.crises.map(readCrisis)),
    fates: file.crossroads ? byId(file.crossroads.map(readFate)) : null,
  };
}

function byId<T extends { id: number }>(all: T[]): Map<number, T> {
  return new Map(all.map((each) => [each.id, each]));
}

/** The one key of an object, and what stands there. */
function only(entry: File): [string, File] {
  return Object.entries(entry)[0] as [string, File];
}

function readLocation(entry: File): Location {
  const { colony } = entry;
  if (colony) return { id: colony.identifier, name: "colony", entrances: colony.entrances, survivorSpaces: null, cards: colony.startCards };
  const { identifier, name, entrances, survivorSpaces, cards } = entry;
  return { id: identifier, name, entrances, survivorSpaces, cards };
}

function readCard(entry: File, homes: Map<number, number>): Card {
  const [kind, { identifier, amount = 0, location = null }] = only(entry);
  return { id: identifier, kind: kind as CardKind, amount, location, home: homes.get(identifier) ?? null };
}

function readCrisis(entry: File): Crisis {
  const [kind, { identifier, requiredCards, moralChange }] = only(entry);
  return { id: identifier, kind: kind.toUpperCase() as CrisisKind, requiredCards, moralChange };
}

function readFate(entry: File): Fate {
  const [trigger, { identifier, consequence, locationId = null, amount = 0 }] = only(entry);
  return { id: identifier, trigger, consequence, location: locationId, amount };
}

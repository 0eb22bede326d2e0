// Written by clients/typescript/generate.mjs from docs/protocol.json.
// The messages of the game colony.

export type CardId = number;

export type CharacterId = number;

export type Command =
  | { Register: { name: string } }
  | { StartGame: Record<string, never> }
  | { SelectCharacters: { first: CharacterId; second: CharacterId } }
  | { Move: { character: CharacterId; location: LocationId; fuel?: boolean | null } }
  | { Attack: { character: CharacterId; entrance: Entrance } }
  | { Barricade: { character: CharacterId; entrance: Entrance } }
  | { Search: { character: CharacterId } }
  | { CleanWaste: { character: CharacterId } }
  | { ContributeCard: { card: CardId } }
  | { UseCard: { card: CardId; character?: CharacterId | null; target?: number | null } }
  | { UseAbility: { character: CharacterId; target?: number | null } }
  | { EndTurn: Record<string, never> }
  | { Leave: Record<string, never> }
  | { Vote: { answer: boolean } }
  | { WrongArguments: { command: number; given: number } };

export type CrisisId = number;

export type CrisisKind =
  | "FOOD"
  | "STUFF"
  | "MEDICINE"
  | "FUEL";

export type Edition =
  | "group"
  | "equipment"
  | "fate";

export type Effect =
  | { Equipment: CardId }
  | "Ability"
  | "Disposal";

export type Entrance = number;

export type Event =
  | /** for only */ { Config: Record<string, never> }
  | /** for only */ { ActNow: Record<string, never> }
  | /** for only */ { Characters: { c0: CharacterId; c1: CharacterId; c2: CharacterId; c3: CharacterId } }
  | /** for only */ { CommandFailed: { refusal: Refusal } }
  | /** for only */ { VoteNow: Record<string, never> }
  | /** for all */ { RegistrationAborted: Record<string, never> }
  | /** for all */ { GameStarted: Record<string, never> }
  | /** for all */ { Player: { player: PlayerId; name: string } }
  | /** for all */ { CharacterSpawned: { player: PlayerId; character: CharacterId } }
  | /** for all */ { ChildSpawned: Record<string, never> }
  | /** for all */ { CardDrawn: { player: PlayerId; card: CardId } }
  | /** for all */ { NextRound: { round: number } }
  | /** for all */ { Crisis: { crisis: CrisisId } }
  | /** for all */ { DieRolled: { player: PlayerId; value: number } }
  | /** for all */ { Moved: { character: CharacterId; location: LocationId; fuel?: boolean | null } }
  | /** for all */ { ZombieKilled: { character: CharacterId; location: LocationId; entrance: Entrance } }
  | /** for all */ { Barricaded: { character: CharacterId; location: LocationId; entrance: Entrance } }
  | /** for all */ { Searched: { character: CharacterId; location: LocationId } }
  | /** for all */ { WasteChanged: { amount: number } }
  | /** for all */ { Contributed: { player: PlayerId; card: CardId } }
  | /** for all */ { CardUsed: { card: CardId; character?: CharacterId | null; target?: number | null } }
  | /** for all */ { AbilityUsed: { character: CharacterId; target?: number | null } }
  | /** for all */ { FoodChanged: { amount: number; reason: FoodChange } }
  | /** for all */ { MoralChanged: { amount: number; reason: MoralChange } }
  | /** for all */ { Wounded: { character: CharacterId } }
  | /** for all */ { Frostbitten: { character: CharacterId } }
  | /** for all */ { Bitten: { character?: CharacterId | null } }
  | /** for all */ { SurvivorKilled: { character: CharacterId } }
  | /** for all */ { ChildKilled: Record<string, never> }
  | /** for all */ { ColonyPhaseStarted: Record<string, never> }
  | /** for all */ { StarvationTokenAdded: Record<string, never> }
  | /** for all */ { ZombieSpawned: { location: LocationId; entrance: Entrance } }
  | /** for all */ { BarricadeDestroyed: { location: LocationId; entrance: Entrance } }
  | /** for all */ { Left: { player: PlayerId } }
  | /** for all */ { GameEnd: { win: boolean } }
  | /** for all */ { Crossroad: { fate: FateId } }
  | /** for all */ { VoteResult: { answer: boolean } }
  | /** for board */ { Registered: { player: PlayerId; name: string } }
  | /** for board */ { ChoiceOffered: { player: PlayerId } }
  | /** for board */ { TurnBegan: { player: PlayerId } }
  | /** for board */ { TurnEnded: { player: PlayerId } }
  | /** for board */ { DieSpent: { player: PlayerId; value: number } }
  | /** for board */ { EffectUsed: { character: CharacterId; effect: Effect } }
  | /** for board */ { VoteAsked: { player: PlayerId } };

export type FateId = number;

export interface Few {
  first: number[];
  more: number;
}

export type FoodChange =
  | "FOOD_ADDED"
  | "FOOD_CONSUMED"
  | "CROSSROAD";

export type LocationId = number;

export type MoralChange =
  | "CHARACTER_DIED"
  | "STARVATION_TOKEN"
  | "WASTE"
  | "CRISIS"
  | "CROSSROAD";

export type PlayerId = number;

export type Refusal =
  | { AlreadyRegistered: { player: PlayerId } }
  | { NotRegistered: Record<string, never> }
  | { AlreadyStarted: Record<string, never> }
  | { HasLeft: { player: PlayerId } }
  | { StillChoosing: { player: PlayerId } }
  | { NothingToChoose: Record<string, never> }
  | { SameCharacterTwice: { character: CharacterId } }
  | { NotOffered: { character: CharacterId; offered: Few } }
  | { NotYourTurn: { turn: PlayerId } }
  | { VoteFirst: Record<string, never> }
  | { VotingNow: { asked: PlayerId } }
  | { NoVoteNow: Record<string, never> }
  | { NotInEdition: { edition: Edition } }
  | { WrongArguments: { command: number; given: number } }
  | { NotYourCharacter: { character: CharacterId; yours: Few } }
  | { NoSuchLocation: { location: LocationId; known: Few } }
  | { AlreadyThere: { location: LocationId } }
  | { LocationFull: { location: LocationId; places: number } }
  | { AlreadyMoved: { character: CharacterId } }
  | { NoFuel: Record<string, never> }
  | { NoSuchEntrance: { entrance: Entrance; entrances: number } }
  | { NoZombieThere: { entrance: Entrance } }
  | { NoFreePlace: { entrance: Entrance } }
  | { NoDieFor: { needed: number; left: number[] } }
  | { NoDieLeft: Record<string, never> }
  | { NothingToSearch: Record<string, never> }
  | { StackEmpty: { location: LocationId } }
  | { NotInColony: { character: CharacterId } }
  | { NoWaste: Record<string, never> }
  | { DisposedAlready: { character: CharacterId } }
  | { NotInHand: { card: CardId; hand: Few } }
  | { NotWanted: { card: CardId; wanted: CrisisKind } }
  | { CardNeedsTarget: { card: CardId } }
  | { CardTakesNoTarget: { card: CardId } }
  | { TargetNotHere: { target: number; here: Few } }
  | { NotInjured: { target: CharacterId } }
  | { AbilityIsPassive: { character: CharacterId } }
  | { AbilityNeedsTarget: { character: CharacterId } }
  | { AbilityTakesNoTarget: { character: CharacterId } }
  | { AbilityUsedUp: { character: CharacterId; times: number } }
  | { AbilityElsewhere: { character: CharacterId; location: LocationId } }
  | { NoChildren: { character: CharacterId } };

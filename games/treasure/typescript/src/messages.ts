// Written by clients/typescript/generate.mjs from docs/protocol.json.
// The messages of the game treasure.

export type Coding =
  | "Digits0"
  | "Digits4"
  | "Letters";

export type Command =
  | { Register: { id: string; first_name: string; last_name: string; account: string } }
  | { SendHalf: { fields: Field[]; coding?: Coding | null } }
  | { Move: { direction: Direction } }
  | { Update: { x: number; y: number; wanted_x: number; wanted_y: number; turns: number } }
  | { Garbled: { problem: string } }
  | { Remove: Record<string, never> };

export type Direction =
  | "Up"
  | "Down"
  | "Left"
  | "Right";

export type Edge =
  | "Top"
  | "Bottom"
  | "Left"
  | "Right";

export interface Edges {
  top: number;
  bottom: number;
  left: number;
  right: number;
}

export type Event =
  | /** for only */ { Seated: { player: Player; id: string; account: string; key: Key } }
  | /** for only */ { Refused: { refusal: Refusal } }
  | /** for only */ { Failed: { refusal: Refusal } }
  | /** for only */ { Noted: { number: number; refusal: Refusal } }
  | /** for all */ { Registered: { player: Player; first_name: string; last_name: string; account?: string | null } }
  | /** for all */ { Began: { starter: Player } }
  | /** for all */ { HalfTaken: { player: Player; action?: number | null } }
  | /** for all */ { HalfRejected: { player: Player; action?: number | null; report: Report; violations: Violation[] } }
  | /** for only */ { HalfKept: { report: Report; fort: Position; coding?: Coding | null } }
  | /** for all */ { Charted: { player: Player; placement: Placement; report: Report; terrain: Terrain[] } }
  | /** for all */ { Appeared: { first: Position; second: Position } }
  | /** for all */ { Acted: { player: Player; action: number; step?: Direction | null } }
  | /** for only */ { Moved: { to: Position } }
  | /** for only */ { Spent: { direction: Direction; left: number } }
  | /** for only */ { Waited: Record<string, never> }
  | /** for only */ { TreasureSeen: { at: Position } }
  | /** for only */ { TreasureTaken: { at: Position } }
  | /** for only */ { FortSeen: { at: Position } }
  | /** for all */ { Collected: { player: Player } }
  | /** for all */ { Finished: { outcome: Outcome } };

export interface Field {
  at: Position;
  terrain: Terrain;
  fort: boolean;
}

export type Key = number[];

export type Named =
  | "FirstName"
  | "LastName"
  | "Account";

export type Outcome =
  | { Won: { winner: Player; reason: Reason } }
  | { NobodyWon: { reason: Reason } }
  | { Removed: { reason: Reason } };

export type Placement =
  | "Top"
  | "Bottom"
  | "Left"
  | "Right";

export type Player =
  | "First"
  | "Second";

export interface Position {
  x: number;
  y: number;
}

export type Reason =
  | "FortEntered"
  | "InvalidHalf"
  | "SecondHalf"
  | "MoveBeforeHalves"
  | "OutOfTurn"
  | "IntoWater"
  | "OffTheMap"
  | "WrongPosition"
  | "NotANeighbour"
  | "WrongCount"
  | "ThinkTime"
  | "GameTime"
  | "ActionLimit"
  | "NobodyCame"
  | "GaveWay";

export type Refusal =
  | { NotRegistered: Record<string, never> }
  | { AlreadyRegistered: Record<string, never> }
  | { GameFull: Record<string, never> }
  | { UnusableId: Record<string, never> }
  | { WrongLength: { named: Named; found: number; least: number; most: number } }
  | { WrongYear: { year: Year } }
  | { NotYourTurn: { begun: boolean } }
  | { InvalidHalf: { violations: Violation[] } }
  | { SecondHalf: Record<string, never> }
  | { MoveBeforeHalves: { halves: number } }
  | { IntoWater: { from: Position; direction: Direction } }
  | { OffTheMap: { from: Position; direction: Direction; width: number; height: number } }
  | { WrongPosition: { x: number; y: number; at: Position } }
  | { NotANeighbour: { x: number; y: number; at: Position } }
  | { WrongCount: { turns: number; expected: number } }
  | { GameOver: Record<string, never> }
  | { Unreadable: { problem: string } }
  | { OnlyTheHost: Record<string, never> };

export interface Report {
  fields: number;
  grass: number;
  mountain: number;
  water: number;
  forts: number;
  edges: Edges;
  connected: boolean;
}

export type Terrain =
  | "Grass"
  | "Mountain"
  | "Water";

export type Violation =
  | { WrongNumberOfFields: { found: number; expected: number } }
  | { FieldOutside: { at: Position; width: number; height: number } }
  | { FieldTwice: { at: Position; times: number } }
  | { FieldMissing: { at: Position } }
  | { TooFewFields: { terrain: Terrain; found: number; least: number; at: Position[] } }
  | { TooMuchWaterOnEdge: { edge: Edge; found: number; most: number; at: Position[] } }
  | { WrongNumberOfForts: { found: number; at: Position[] } }
  | { FortNotOnGrass: { at: Position; terrain: Terrain } }
  | { Island: { at: Position[]; connected: number } }
  | { TooLittleWaterOnEdge: { edge: Edge; found: number; least: number; at: Position[] } }
  | { TooManyForts: { found: number; most: number; at: Position[] } }
  | { BorderBlocked: { found: number; least: number; at: Position[] } };

export type Year =
  | "Y2022"
  | "Y2017";

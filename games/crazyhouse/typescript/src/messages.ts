// Written by clients/typescript/generate.mjs from docs/protocol.json.
// The messages of the game crazyhouse.

export type Command =
  | { Join: { name: string; side?: Side | null } }
  | { Move: { text: string } }
  | { OfferDraw: Record<string, never> }
  | { AcceptDraw: Record<string, never> }
  | { DeclineDraw: Record<string, never> }
  | { Resign: { because?: string | null } }
  | { Abort: Record<string, never> }
  | { AskTakeback: Record<string, never> }
  | { AllowTakeback: Record<string, never> }
  | { RefuseTakeback: Record<string, never> }
  | { Claim: Record<string, never> };

export type Event =
  | /** for only */ { Seated: { side: Side } }
  | /** for only */ { Refused: { refusal: Refusal } }
  | /** for all */ { Joined: { side: Side; name: string } }
  | /** for all */ { Began: { white: string; black: string; position: Position; clock?: Pace | null } }
  | /** for all */ { Moved: { side: Side; text: string; position: Position; check: boolean; left?: number | null } }
  | /** for all */ { DrawOffered: { side: Side } }
  | /** for all */ { DrawDeclined: { side: Side } }
  | /** for all */ { Finished: { outcome: Outcome; because?: string | null } }
  | /** for all */ { TakebackAsked: { side: Side } }
  | /** for all */ { TakebackRefused: { side: Side } }
  | /** for all */ { TakenBack: { side: Side; moves: number; position: Position; white_left?: number | null; black_left?: number | null } };

export interface Outcome {
  winner?: Side | null;
  reason: Reason;
}

export interface Pace {
  initial: number;
  increment: number;
}

export type Piece = string;

export type Position = string;

export type Reason =
  | "checkmate"
  | "resignation"
  | "time"
  | "agreement"
  | "move_limit"
  | "nobody_came"
  | "aborted"
  | "left";

export type Refusal =
  | { NotAMove: { text: string } }
  | { NotYourTurn: { next: Side } }
  | { NothingThere: { square: Square } }
  | { NotYourPiece: { square: Square; piece: Piece } }
  | { NotYourPocket: { piece: Piece } }
  | { NotInPocket: { piece: Piece } }
  | { Occupied: { square: Square } }
  | { PawnRank: { square: Square } }
  | { OwnPiece: { square: Square } }
  | { KingStands: { square: Square } }
  | { CannotReach: { piece: Piece; square: Square } }
  | { KingInCheck: Record<string, never> }
  | { GameOver: Record<string, never> }
  | { NotBegun: Record<string, never> }
  | { NotSeated: Record<string, never> }
  | { AlreadySeated: { side: Side } }
  | { SideTaken: { side: Side; by: string } }
  | { Full: Record<string, never> }
  | { AlreadyOffered: Record<string, never> }
  | { AnswerOffer: Record<string, never> }
  | { NoOffer: Record<string, never> }
  | { ReasonTooLong: { most: number } }
  | { TooLateToAbort: Record<string, never> }
  | { NothingToTakeBack: Record<string, never> }
  | { AlreadyAsked: Record<string, never> }
  | { AnswerTakeback: Record<string, never> }
  | { NoTakeback: Record<string, never> }
  | { NotInThisVersion: { version: number } };

export type Side =
  | "white"
  | "black";

export type Square = string;

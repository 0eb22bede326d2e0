// Written by clients/typescript/generate.mjs from docs/protocol.json.
// The messages of the game project.

export type Answer =
  | { Moved: { success: boolean; position: Position; distance?: number | null } }
  | { Discovered: { tiles: Tile[] } }
  | { PickedUp: { success: boolean } }
  | { Tested: { result: Tested } }
  | { Placed: { result: Placed } }
  | "Silence";

export type Command =
  | { Join: { hash: string } }
  | { ChooseTeam: { id: string; team: Team } }
  | { Move: { id: string; direction: Direction } }
  | { Discover: { id: string } }
  | { PickUp: { id: string } }
  | { Test: { id: string } }
  | { Place: { id: string } }
  | { Lost: Record<string, never> }
  | { Fail: { because: string } }
  | { Exchanged: { from: number; to: number; tiles: Hearsay[] } };

export type Direction =
  | "Left"
  | "Up"
  | "Right"
  | "Down";

export type EndReason =
  | "Success"
  | "Failure"
  | "Timeout";

export type Event =
  | /** for only */ { Confirmed: { player: number } }
  | /** for only */ { Refused: { refusal: Refusal } }
  | /** for only */ { TeamGiven: { context?: string | null; team: Team; leader: boolean } }
  | /** for only */ { Started: { players: Member[]; width: number; height: number; position: Position } }
  | /** for only */ { Answered: { context: string; answer: Answer } }
  | /** for only */ { Repeated: { context: string; answer: Answer } }
  | /** for only */ { Noted: { note: Note } }
  | /** for board */ { Joined: { player: number } }
  | /** for board */ { TeamJoined: { player: number; team: Team } }
  | /** for board */ { Began: Record<string, never> }
  | /** for board */ { Acted: { player: number } }
  | /** for board */ { Scored: { team: Team } }
  | /** for board */ { Lost: { player: number } }
  | /** for board */ { Returned: { player: number } }
  | /** for board */ { Left: { player: number } }
  | /** for all */ { Ended: { outcome: Outcome } }
  | /** for only */ { Learnt: { from: number; tiles: Hearsay[] } }
  | /** for board */ { Told: { from: number; to: number } };

export interface Hearsay {
  tile: Tile;
  age: number;
}

export interface Member {
  player: number;
  team: Team;
}

export type Note =
  | { ShamPlaced: { player: number; at: Position } }
  | { NothingToTest: { player: number } }
  | { PieceFell: { player: number; at?: Position | null } }
  | { PieceCame: { at: Position; sham: boolean } };

export interface Outcome {
  reason: EndReason;
  why: Why;
  winner: Team;
  tie: boolean;
  goals: number[];
}

export type Placed =
  | "Completed"
  | "Meaningless"
  | "Disallowed";

export interface Position {
  x: number;
  y: number;
}

export type Refusal =
  | { Full: { seats: number } }
  | { Running: Record<string, never> }
  | { NotInvited: Record<string, never> }
  | { AlreadyJoined: { player: number } }
  | { NotAPlayer: Record<string, never> }
  | { NoGameMaster: Record<string, never> }
  | { OnlyGameMaster: Record<string, never> }
  | { NotBegun: Record<string, never> }
  | { TooManyWaiting: { id: string; most: number } }
  | { TooLong: { most: number } };

export type Team =
  | "Blue"
  | "Red";

export type Tested =
  | "Piece"
  | "Sham";

export interface Tile {
  position: Position;
  distance: number;
  player?: Member | null;
  object: TileObject;
}

export type TileObject =
  | "Nothing"
  | "Piece"
  | "CompletedGoal"
  | "NonGoal";

export type Why =
  | { AllGoals: { team: Team } }
  | { Error: { because: string } }
  | "NobodyCanWin"
  | "NoProgress"
  | { TeamGone: { team: Team } }
  | "LobbyNotFull";

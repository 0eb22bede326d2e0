"""What messages are made of.

Written by generate.py from docs/protocol.json.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from . import whys
from holdfast import reading

class Direction(StrEnum):
    LEFT = "Left"
    UP = "Up"
    RIGHT = "Right"
    DOWN = "Down"


class EndReason(StrEnum):
    SUCCESS = "Success"
    FAILURE = "Failure"
    TIMEOUT = "Timeout"


@dataclass(frozen=True, slots=True)
class Hearsay:
    tile: Tile
    age: int

    @classmethod
    def read(cls, value: object) -> Hearsay:
        return cls(tile=reading.field(value, "tile", Tile.read), age=reading.field(value, "age", reading.integer))

    def to_json(self) -> dict[str, object]:
        return {"tile": self.tile.to_json(), "age": self.age}


@dataclass(frozen=True, slots=True)
class Member:
    player: int
    team: Team

    @classmethod
    def read(cls, value: object) -> Member:
        return cls(
            player=reading.field(value, "player", reading.integer),
            team=reading.field(value, "team", reading.word(Team)),
        )

    def to_json(self) -> dict[str, object]:
        return {"player": self.player, "team": self.team}


@dataclass(frozen=True, slots=True)
class Outcome:
    reason: EndReason
    why: whys.Why
    winner: Team
    tie: bool
    goals: tuple[int, ...]

    @classmethod
    def read(cls, value: object) -> Outcome:
        return cls(
            reason=reading.field(value, "reason", reading.word(EndReason)),
            why=reading.field(value, "why", whys.read),
            winner=reading.field(value, "winner", reading.word(Team)),
            tie=reading.field(value, "tie", reading.boolean),
            goals=reading.field(value, "goals", reading.listing(reading.integer)),
        )

    def to_json(self) -> dict[str, object]:
        return {
            "reason": self.reason,
            "why": self.why.to_json(),
            "winner": self.winner,
            "tie": self.tie,
            "goals": list(self.goals),
        }


class Placed(StrEnum):
    COMPLETED = "Completed"
    MEANINGLESS = "Meaningless"
    DISALLOWED = "Disallowed"


@dataclass(frozen=True, slots=True)
class Position:
    x: int
    y: int

    @classmethod
    def read(cls, value: object) -> Position:
        return cls(x=reading.field(value, "x", reading.integer), y=reading.field(value, "y", reading.integer))

    def to_json(self) -> dict[str, object]:
        return {"x": self.x, "y": self.y}


class Team(StrEnum):
    BLUE = "Blue"
    RED = "Red"


class Tested(StrEnum):
    PIECE = "Piece"
    SHAM = "Sham"


@dataclass(frozen=True, slots=True)
class Tile:
    position: Position
    distance: int
    object: TileObject
    player: Member | None = None

    @classmethod
    def read(cls, value: object) -> Tile:
        return cls(
            position=reading.field(value, "position", Position.read),
            distance=reading.field(value, "distance", reading.integer),
            player=reading.field(value, "player", reading.optional(Member.read)),
            object=reading.field(value, "object", reading.word(TileObject)),
        )

    def to_json(self) -> dict[str, object]:
        return {
            "position": self.position.to_json(),
            "distance": self.distance,
            "player": self.player and self.player.to_json(),
            "object": self.object,
        }


class TileObject(StrEnum):
    NOTHING = "Nothing"
    PIECE = "Piece"
    COMPLETEDGOAL = "CompletedGoal"
    NONGOAL = "NonGoal"

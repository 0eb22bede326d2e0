"""What messages are made of.

Written by generate.py from docs/protocol.json.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from holdfast import reading

@dataclass(frozen=True, slots=True)
class Outcome:
    reason: Reason
    winner: Side | None = None

    @classmethod
    def read(cls, value: object) -> Outcome:
        return cls(
            winner=reading.field(value, "winner", reading.optional(reading.word(Side))),
            reason=reading.field(value, "reason", reading.word(Reason)),
        )

    def to_json(self) -> dict[str, object]:
        return {"winner": self.winner, "reason": self.reason}


@dataclass(frozen=True, slots=True)
class Pace:
    initial: int
    increment: int

    @classmethod
    def read(cls, value: object) -> Pace:
        return cls(
            initial=reading.field(value, "initial", reading.integer),
            increment=reading.field(value, "increment", reading.integer),
        )

    def to_json(self) -> dict[str, object]:
        return {"initial": self.initial, "increment": self.increment}


Piece: TypeAlias = str
Position: TypeAlias = str


class Reason(StrEnum):
    CHECKMATE = "checkmate"
    RESIGNATION = "resignation"
    TIME = "time"
    AGREEMENT = "agreement"
    MOVE_LIMIT = "move_limit"
    NOBODY_CAME = "nobody_came"
    ABORTED = "aborted"
    LEFT = "left"


class Side(StrEnum):
    WHITE = "white"
    BLACK = "black"


Square: TypeAlias = str

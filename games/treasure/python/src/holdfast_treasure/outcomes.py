"""Every outcome, as a class.

Written by generate.py from docs/protocol.json.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from . import values
from holdfast import reading

@dataclass(frozen=True, slots=True)
class Won:
    winner: values.Player
    reason: values.Reason

    @classmethod
    def read(cls, value: object) -> Won:
        return cls(
            winner=reading.field(value, "winner", reading.word(values.Player)),
            reason=reading.field(value, "reason", reading.word(values.Reason)),
        )

    def to_json(self) -> dict[str, object]:
        return {"Won": {"winner": self.winner, "reason": self.reason}}


@dataclass(frozen=True, slots=True)
class NobodyWon:
    reason: values.Reason

    @classmethod
    def read(cls, value: object) -> NobodyWon:
        return cls(reason=reading.field(value, "reason", reading.word(values.Reason)))

    def to_json(self) -> dict[str, object]:
        return {"NobodyWon": {"reason": self.reason}}


@dataclass(frozen=True, slots=True)
class Removed:
    reason: values.Reason

    @classmethod
    def read(cls, value: object) -> Removed:
        return cls(reason=reading.field(value, "reason", reading.word(values.Reason)))

    def to_json(self) -> dict[str, object]:
        return {"Removed": {"reason": self.reason}}


Outcome: TypeAlias = (
    Won
    | NobodyWon
    | Removed
)


_OUTCOME: dict[str, Callable[[object], Outcome]] = {
    "Won": Won.read,
    "NobodyWon": NobodyWon.read,
    "Removed": Removed.read,
}


def read(value: object) -> Outcome:
    return reading.variant(value, _OUTCOME)

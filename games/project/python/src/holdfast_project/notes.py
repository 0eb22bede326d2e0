"""Every note, as a class.

Written by generate.py from docs/protocol.json.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from . import values
from holdfast import reading

@dataclass(frozen=True, slots=True)
class ShamPlaced:
    player: int
    at: values.Position

    @classmethod
    def read(cls, value: object) -> ShamPlaced:
        return cls(
            player=reading.field(value, "player", reading.integer),
            at=reading.field(value, "at", values.Position.read),
        )

    def to_json(self) -> dict[str, object]:
        return {"ShamPlaced": {"player": self.player, "at": self.at.to_json()}}


@dataclass(frozen=True, slots=True)
class NothingToTest:
    player: int

    @classmethod
    def read(cls, value: object) -> NothingToTest:
        return cls(player=reading.field(value, "player", reading.integer))

    def to_json(self) -> dict[str, object]:
        return {"NothingToTest": {"player": self.player}}


@dataclass(frozen=True, slots=True)
class PieceFell:
    player: int
    at: values.Position | None = None

    @classmethod
    def read(cls, value: object) -> PieceFell:
        return cls(
            player=reading.field(value, "player", reading.integer),
            at=reading.field(value, "at", reading.optional(values.Position.read)),
        )

    def to_json(self) -> dict[str, object]:
        return {"PieceFell": {"player": self.player, "at": self.at and self.at.to_json()}}


@dataclass(frozen=True, slots=True)
class PieceCame:
    at: values.Position
    sham: bool

    @classmethod
    def read(cls, value: object) -> PieceCame:
        return cls(
            at=reading.field(value, "at", values.Position.read),
            sham=reading.field(value, "sham", reading.boolean),
        )

    def to_json(self) -> dict[str, object]:
        return {"PieceCame": {"at": self.at.to_json(), "sham": self.sham}}


Note: TypeAlias = (
    ShamPlaced
    | NothingToTest
    | PieceFell
    | PieceCame
)


_NOTE: dict[str, Callable[[object], Note]] = {
    "ShamPlaced": ShamPlaced.read,
    "NothingToTest": NothingToTest.read,
    "PieceFell": PieceFell.read,
    "PieceCame": PieceCame.read,
}


def read(value: object) -> Note:
    return reading.variant(value, _NOTE)

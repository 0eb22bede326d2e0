"""Every command, as a class.

Written by generate.py from docs/protocol.json.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from . import values
from holdfast import reading

@dataclass(frozen=True, slots=True)
class Join:
    name: str
    side: values.Side | None = None

    @classmethod
    def read(cls, value: object) -> Join:
        return cls(
            name=reading.field(value, "name", reading.text),
            side=reading.field(value, "side", reading.optional(reading.word(values.Side))),
        )

    def to_json(self) -> dict[str, object]:
        return {"Join": {"name": self.name, "side": self.side}}


@dataclass(frozen=True, slots=True)
class Move:
    text: str

    @classmethod
    def read(cls, value: object) -> Move:
        return cls(text=reading.field(value, "text", reading.text))

    def to_json(self) -> dict[str, object]:
        return {"Move": {"text": self.text}}


@dataclass(frozen=True, slots=True)
class OfferDraw:
    @classmethod
    def read(cls, value: object) -> OfferDraw:
        return cls()

    def to_json(self) -> dict[str, object]:
        return {"OfferDraw": {}}


@dataclass(frozen=True, slots=True)
class AcceptDraw:
    @classmethod
    def read(cls, value: object) -> AcceptDraw:
        return cls()

    def to_json(self) -> dict[str, object]:
        return {"AcceptDraw": {}}


@dataclass(frozen=True, slots=True)
class DeclineDraw:
    @classmethod
    def read(cls, value: object) -> DeclineDraw:
        return cls()

    def to_json(self) -> dict[str, object]:
        return {"DeclineDraw": {}}


@dataclass(frozen=True, slots=True)
class Resign:
    because: str | None = None

    @classmethod
    def read(cls, value: object) -> Resign:
        return cls(because=reading.field(value, "because", reading.optional(reading.text)))

    def to_json(self) -> dict[str, object]:
        return {"Resign": {"because": self.because}}


@dataclass(frozen=True, slots=True)
class Abort:
    @classmethod
    def read(cls, value: object) -> Abort:
        return cls()

    def to_json(self) -> dict[str, object]:
        return {"Abort": {}}


@dataclass(frozen=True, slots=True)
class AskTakeback:
    @classmethod
    def read(cls, value: object) -> AskTakeback:
        return cls()

    def to_json(self) -> dict[str, object]:
        return {"AskTakeback": {}}


@dataclass(frozen=True, slots=True)
class AllowTakeback:
    @classmethod
    def read(cls, value: object) -> AllowTakeback:
        return cls()

    def to_json(self) -> dict[str, object]:
        return {"AllowTakeback": {}}


@dataclass(frozen=True, slots=True)
class RefuseTakeback:
    @classmethod
    def read(cls, value: object) -> RefuseTakeback:
        return cls()

    def to_json(self) -> dict[str, object]:
        return {"RefuseTakeback": {}}


@dataclass(frozen=True, slots=True)
class Claim:
    @classmethod
    def read(cls, value: object) -> Claim:
        return cls()

    def to_json(self) -> dict[str, object]:
        return {"Claim": {}}


Command: TypeAlias = (
    Join
    | Move
    | OfferDraw
    | AcceptDraw
    | DeclineDraw
    | Resign
    | Abort
    | AskTakeback
    | AllowTakeback
    | RefuseTakeback
    | Claim
)


_COMMAND: dict[str, Callable[[object], Command]] = {
    "Join": Join.read,
    "Move": Move.read,
    "OfferDraw": OfferDraw.read,
    "AcceptDraw": AcceptDraw.read,
    "DeclineDraw": DeclineDraw.read,
    "Resign": Resign.read,
    "Abort": Abort.read,
    "AskTakeback": AskTakeback.read,
    "AllowTakeback": AllowTakeback.read,
    "RefuseTakeback": RefuseTakeback.read,
    "Claim": Claim.read,
}


_POSITIONS: dict[str, reading.Positions] = {
    "Join": (("name", "side"), 1),
    "Move": (("text",), 1),
    "OfferDraw": ((), 0),
    "AcceptDraw": ((), 0),
    "DeclineDraw": ((), 0),
    "Resign": (("because",), 0),
    "Abort": ((), 0),
    "AskTakeback": ((), 0),
    "AllowTakeback": ((), 0),
    "RefuseTakeback": ((), 0),
    "Claim": ((), 0),
}


def read(value: object) -> Command:
    return reading.command(value, _COMMAND, _POSITIONS, None)

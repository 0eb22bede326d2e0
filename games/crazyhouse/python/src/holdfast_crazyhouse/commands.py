"""Every command, as a class.

Written by generate.py from docs/protocol.json.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from . import values

@dataclass(frozen=True, slots=True)
class Join:
    name: str
    side: values.Side | None = None

    def to_json(self) -> dict[str, object]:
        return {"Join": {"name": self.name, "side": self.side}}


@dataclass(frozen=True, slots=True)
class Move:
    text: str

    def to_json(self) -> dict[str, object]:
        return {"Move": {"text": self.text}}


@dataclass(frozen=True, slots=True)
class OfferDraw:
    def to_json(self) -> dict[str, object]:
        return {"OfferDraw": {}}


@dataclass(frozen=True, slots=True)
class AcceptDraw:
    def to_json(self) -> dict[str, object]:
        return {"AcceptDraw": {}}


@dataclass(frozen=True, slots=True)
class DeclineDraw:
    def to_json(self) -> dict[str, object]:
        return {"DeclineDraw": {}}


@dataclass(frozen=True, slots=True)
class Resign:
    because: str | None = None

    def to_json(self) -> dict[str, object]:
        return {"Resign": {"because": self.because}}


@dataclass(frozen=True, slots=True)
class Abort:
    def to_json(self) -> dict[str, object]:
        return {"Abort": {}}


@dataclass(frozen=True, slots=True)
class AskTakeback:
    def to_json(self) -> dict[str, object]:
        return {"AskTakeback": {}}


@dataclass(frozen=True, slots=True)
class AllowTakeback:
    def to_json(self) -> dict[str, object]:
        return {"AllowTakeback": {}}


@dataclass(frozen=True, slots=True)
class RefuseTakeback:
    def to_json(self) -> dict[str, object]:
        return {"RefuseTakeback": {}}


@dataclass(frozen=True, slots=True)
class Claim:
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

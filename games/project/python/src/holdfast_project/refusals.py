"""Every refusal, as a class.

Written by generate.py from docs/protocol.json.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from holdfast import reading

@dataclass(frozen=True, slots=True)
class Full:
    seats: int

    @classmethod
    def read(cls, value: object) -> Full:
        return cls(seats=reading.field(value, "seats", reading.integer))

    def to_json(self) -> dict[str, object]:
        return {"Full": {"seats": self.seats}}


@dataclass(frozen=True, slots=True)
class Running:
    @classmethod
    def read(cls, value: object) -> Running:
        return cls()

    def to_json(self) -> dict[str, object]:
        return {"Running": {}}


@dataclass(frozen=True, slots=True)
class NotInvited:
    @classmethod
    def read(cls, value: object) -> NotInvited:
        return cls()

    def to_json(self) -> dict[str, object]:
        return {"NotInvited": {}}


@dataclass(frozen=True, slots=True)
class AlreadyJoined:
    player: int

    @classmethod
    def read(cls, value: object) -> AlreadyJoined:
        return cls(player=reading.field(value, "player", reading.integer))

    def to_json(self) -> dict[str, object]:
        return {"AlreadyJoined": {"player": self.player}}


@dataclass(frozen=True, slots=True)
class NotAPlayer:
    @classmethod
    def read(cls, value: object) -> NotAPlayer:
        return cls()

    def to_json(self) -> dict[str, object]:
        return {"NotAPlayer": {}}


@dataclass(frozen=True, slots=True)
class NoGameMaster:
    @classmethod
    def read(cls, value: object) -> NoGameMaster:
        return cls()

    def to_json(self) -> dict[str, object]:
        return {"NoGameMaster": {}}


@dataclass(frozen=True, slots=True)
class OnlyGameMaster:
    @classmethod
    def read(cls, value: object) -> OnlyGameMaster:
        return cls()

    def to_json(self) -> dict[str, object]:
        return {"OnlyGameMaster": {}}


@dataclass(frozen=True, slots=True)
class NotBegun:
    @classmethod
    def read(cls, value: object) -> NotBegun:
        return cls()

    def to_json(self) -> dict[str, object]:
        return {"NotBegun": {}}


@dataclass(frozen=True, slots=True)
class TooManyWaiting:
    id: str
    most: int

    @classmethod
    def read(cls, value: object) -> TooManyWaiting:
        return cls(id=reading.field(value, "id", reading.text), most=reading.field(value, "most", reading.integer))

    def to_json(self) -> dict[str, object]:
        return {"TooManyWaiting": {"id": self.id, "most": self.most}}


@dataclass(frozen=True, slots=True)
class TooLong:
    most: int

    @classmethod
    def read(cls, value: object) -> TooLong:
        return cls(most=reading.field(value, "most", reading.integer))

    def to_json(self) -> dict[str, object]:
        return {"TooLong": {"most": self.most}}


Refusal: TypeAlias = (
    Full
    | Running
    | NotInvited
    | AlreadyJoined
    | NotAPlayer
    | NoGameMaster
    | OnlyGameMaster
    | NotBegun
    | TooManyWaiting
    | TooLong
)


_REFUSAL: dict[str, Callable[[object], Refusal]] = {
    "Full": Full.read,
    "Running": Running.read,
    "NotInvited": NotInvited.read,
    "AlreadyJoined": AlreadyJoined.read,
    "NotAPlayer": NotAPlayer.read,
    "NoGameMaster": NoGameMaster.read,
    "OnlyGameMaster": OnlyGameMaster.read,
    "NotBegun": NotBegun.read,
    "TooManyWaiting": TooManyWaiting.read,
    "TooLong": TooLong.read,
}


def read(value: object) -> Refusal:
    return reading.variant(value, _REFUSAL)

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
    hash: str

    @classmethod
    def read(cls, value: object) -> Join:
        return cls(hash=reading.field(value, "hash", reading.text))

    def to_json(self) -> dict[str, object]:
        return {"Join": {"hash": self.hash}}


@dataclass(frozen=True, slots=True)
class ChooseTeam:
    id: str
    team: values.Team

    @classmethod
    def read(cls, value: object) -> ChooseTeam:
        return cls(
            id=reading.field(value, "id", reading.text),
            team=reading.field(value, "team", reading.word(values.Team)),
        )

    def to_json(self) -> dict[str, object]:
        return {"ChooseTeam": {"id": self.id, "team": self.team}}


@dataclass(frozen=True, slots=True)
class Move:
    id: str
    direction: values.Direction

    @classmethod
    def read(cls, value: object) -> Move:
        return cls(
            id=reading.field(value, "id", reading.text),
            direction=reading.field(value, "direction", reading.word(values.Direction)),
        )

    def to_json(self) -> dict[str, object]:
        return {"Move": {"id": self.id, "direction": self.direction}}


@dataclass(frozen=True, slots=True)
class Discover:
    id: str

    @classmethod
    def read(cls, value: object) -> Discover:
        return cls(id=reading.field(value, "id", reading.text))

    def to_json(self) -> dict[str, object]:
        return {"Discover": {"id": self.id}}


@dataclass(frozen=True, slots=True)
class PickUp:
    id: str

    @classmethod
    def read(cls, value: object) -> PickUp:
        return cls(id=reading.field(value, "id", reading.text))

    def to_json(self) -> dict[str, object]:
        return {"PickUp": {"id": self.id}}


@dataclass(frozen=True, slots=True)
class Test:
    id: str

    @classmethod
    def read(cls, value: object) -> Test:
        return cls(id=reading.field(value, "id", reading.text))

    def to_json(self) -> dict[str, object]:
        return {"Test": {"id": self.id}}


@dataclass(frozen=True, slots=True)
class Place:
    id: str

    @classmethod
    def read(cls, value: object) -> Place:
        return cls(id=reading.field(value, "id", reading.text))

    def to_json(self) -> dict[str, object]:
        return {"Place": {"id": self.id}}


@dataclass(frozen=True, slots=True)
class Lost:
    @classmethod
    def read(cls, value: object) -> Lost:
        return cls()

    def to_json(self) -> dict[str, object]:
        return {"Lost": {}}


@dataclass(frozen=True, slots=True)
class Fail:
    because: str

    @classmethod
    def read(cls, value: object) -> Fail:
        return cls(because=reading.field(value, "because", reading.text))

    def to_json(self) -> dict[str, object]:
        return {"Fail": {"because": self.because}}


@dataclass(frozen=True, slots=True)
class Exchanged:
    from_: int
    to: int
    tiles: tuple[values.Hearsay, ...]

    @classmethod
    def read(cls, value: object) -> Exchanged:
        return cls(
            from_=reading.field(value, "from", reading.integer),
            to=reading.field(value, "to", reading.integer),
            tiles=reading.field(value, "tiles", reading.listing(values.Hearsay.read)),
        )

    def to_json(self) -> dict[str, object]:
        return {"Exchanged": {"from": self.from_, "to": self.to, "tiles": [each.to_json() for each in self.tiles]}}


Command: TypeAlias = (
    Join
    | ChooseTeam
    | Move
    | Discover
    | PickUp
    | Test
    | Place
    | Lost
    | Fail
    | Exchanged
)


_COMMAND: dict[str, Callable[[object], Command]] = {
    "Join": Join.read,
    "ChooseTeam": ChooseTeam.read,
    "Move": Move.read,
    "Discover": Discover.read,
    "PickUp": PickUp.read,
    "Test": Test.read,
    "Place": Place.read,
    "Lost": Lost.read,
    "Fail": Fail.read,
    "Exchanged": Exchanged.read,
}


_POSITIONS: dict[str, reading.Positions] = {
    "Join": (("hash",), 1),
    "ChooseTeam": (("id", "team"), 2),
    "Move": (("id", "direction"), 2),
    "Discover": (("id",), 1),
    "PickUp": (("id",), 1),
    "Test": (("id",), 1),
    "Place": (("id",), 1),
    "Lost": ((), 0),
    "Fail": (("because",), 1),
    "Exchanged": (("from", "to", "tiles"), 3),
}


def read(value: object) -> Command:
    return reading.command(value, _COMMAND, _POSITIONS, None)

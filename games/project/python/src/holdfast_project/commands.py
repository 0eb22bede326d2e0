"""Every command, as a class.

Written by generate.py from docs/protocol.json.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from . import values

@dataclass(frozen=True, slots=True)
class Join:
    hash: str

    def to_json(self) -> dict[str, object]:
        return {"Join": {"hash": self.hash}}


@dataclass(frozen=True, slots=True)
class ChooseTeam:
    id: str
    team: values.Team

    def to_json(self) -> dict[str, object]:
        return {"ChooseTeam": {"id": self.id, "team": self.team}}


@dataclass(frozen=True, slots=True)
class Move:
    id: str
    direction: values.Direction

    def to_json(self) -> dict[str, object]:
        return {"Move": {"id": self.id, "direction": self.direction}}


@dataclass(frozen=True, slots=True)
class Discover:
    id: str

    def to_json(self) -> dict[str, object]:
        return {"Discover": {"id": self.id}}


@dataclass(frozen=True, slots=True)
class PickUp:
    id: str

    def to_json(self) -> dict[str, object]:
        return {"PickUp": {"id": self.id}}


@dataclass(frozen=True, slots=True)
class Test:
    id: str

    def to_json(self) -> dict[str, object]:
        return {"Test": {"id": self.id}}


@dataclass(frozen=True, slots=True)
class Place:
    id: str

    def to_json(self) -> dict[str, object]:
        return {"Place": {"id": self.id}}


@dataclass(frozen=True, slots=True)
class Lost:
    def to_json(self) -> dict[str, object]:
        return {"Lost": {}}


@dataclass(frozen=True, slots=True)
class Fail:
    because: str

    def to_json(self) -> dict[str, object]:
        return {"Fail": {"because": self.because}}


@dataclass(frozen=True, slots=True)
class Exchanged:
    from_: int
    to: int
    tiles: tuple[values.Hearsay, ...]

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

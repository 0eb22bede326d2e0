"""Every command, as a class.

Written by generate.py from docs/protocol.json.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from . import values

@dataclass(frozen=True, slots=True)
class Register:
    id: str
    first_name: str
    last_name: str
    account: str

    def to_json(self) -> dict[str, object]:
        return {"Register": {
            "id": self.id,
            "first_name": self.first_name,
            "last_name": self.last_name,
            "account": self.account,
        }}


@dataclass(frozen=True, slots=True)
class SendHalf:
    fields: tuple[values.Field, ...]
    coding: values.Coding | None = None

    def to_json(self) -> dict[str, object]:
        return {"SendHalf": {"fields": [each.to_json() for each in self.fields], "coding": self.coding}}


@dataclass(frozen=True, slots=True)
class Move:
    direction: values.Direction

    def to_json(self) -> dict[str, object]:
        return {"Move": {"direction": self.direction}}


@dataclass(frozen=True, slots=True)
class Update:
    x: int
    y: int
    wanted_x: int
    wanted_y: int
    turns: int

    def to_json(self) -> dict[str, object]:
        return {"Update": {
            "x": self.x,
            "y": self.y,
            "wanted_x": self.wanted_x,
            "wanted_y": self.wanted_y,
            "turns": self.turns,
        }}


@dataclass(frozen=True, slots=True)
class Garbled:
    problem: str

    def to_json(self) -> dict[str, object]:
        return {"Garbled": {"problem": self.problem}}


@dataclass(frozen=True, slots=True)
class Remove:
    def to_json(self) -> dict[str, object]:
        return {"Remove": {}}


Command: TypeAlias = (
    Register
    | SendHalf
    | Move
    | Update
    | Garbled
    | Remove
)

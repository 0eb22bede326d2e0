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
class Register:
    id: str
    first_name: str
    last_name: str
    account: str

    @classmethod
    def read(cls, value: object) -> Register:
        return cls(
            id=reading.field(value, "id", reading.text),
            first_name=reading.field(value, "first_name", reading.text),
            last_name=reading.field(value, "last_name", reading.text),
            account=reading.field(value, "account", reading.text),
        )

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

    @classmethod
    def read(cls, value: object) -> SendHalf:
        return cls(
            fields=reading.field(value, "fields", reading.listing(values.Field.read)),
            coding=reading.field(value, "coding", reading.optional(reading.word(values.Coding))),
        )

    def to_json(self) -> dict[str, object]:
        return {"SendHalf": {"fields": [each.to_json() for each in self.fields], "coding": self.coding}}


@dataclass(frozen=True, slots=True)
class Move:
    direction: values.Direction

    @classmethod
    def read(cls, value: object) -> Move:
        return cls(direction=reading.field(value, "direction", reading.word(values.Direction)))

    def to_json(self) -> dict[str, object]:
        return {"Move": {"direction": self.direction}}


@dataclass(frozen=True, slots=True)
class Update:
    x: int
    y: int
    wanted_x: int
    wanted_y: int
    turns: int

    @classmethod
    def read(cls, value: object) -> Update:
        return cls(
            x=reading.field(value, "x", reading.integer),
            y=reading.field(value, "y", reading.integer),
            wanted_x=reading.field(value, "wanted_x", reading.integer),
            wanted_y=reading.field(value, "wanted_y", reading.integer),
            turns=reading.field(value, "turns", reading.integer),
        )

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

    @classmethod
    def read(cls, value: object) -> Garbled:
        return cls(problem=reading.field(value, "problem", reading.text))

    def to_json(self) -> dict[str, object]:
        return {"Garbled": {"problem": self.problem}}


@dataclass(frozen=True, slots=True)
class Remove:
    @classmethod
    def read(cls, value: object) -> Remove:
        return cls()

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


_COMMAND: dict[str, Callable[[object], Command]] = {
    "Register": Register.read,
    "SendHalf": SendHalf.read,
    "Move": Move.read,
    "Update": Update.read,
    "Garbled": Garbled.read,
    "Remove": Remove.read,
}


_POSITIONS: dict[str, reading.Positions] = {
    "Register": (("id", "first_name", "last_name", "account"), 4),
    "SendHalf": (("fields", "coding"), 1),
    "Move": (("direction",), 1),
    "Update": (("x", "y", "wanted_x", "wanted_y", "turns"), 5),
    "Garbled": (("problem",), 1),
    "Remove": ((), 0),
}


def read(value: object) -> Command:
    return reading.command(value, _COMMAND, _POSITIONS, None)

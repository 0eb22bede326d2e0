"""Every effect, as a class.

Written by generate.py from docs/protocol.json.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from . import values
from holdfast import reading

@dataclass(frozen=True, slots=True)
class Equipment:
    value: values.CardId

    @classmethod
    def read(cls, value: object) -> Equipment:
        return cls(reading.integer(value))

    def to_json(self) -> dict[str, object]:
        return {"Equipment": self.value}


@dataclass(frozen=True, slots=True)
class Ability:
    @classmethod
    def read(cls, value: object) -> Ability:
        return cls()

    def to_json(self) -> str:
        return "Ability"


@dataclass(frozen=True, slots=True)
class Disposal:
    @classmethod
    def read(cls, value: object) -> Disposal:
        return cls()

    def to_json(self) -> str:
        return "Disposal"


Effect: TypeAlias = (
    Equipment
    | Ability
    | Disposal
)


_EFFECT: dict[str, Callable[[object], Effect]] = {
    "Equipment": Equipment.read,
    "Ability": Ability.read,
    "Disposal": Disposal.read,
}


def read(value: object) -> Effect:
    return reading.variant(value, _EFFECT)

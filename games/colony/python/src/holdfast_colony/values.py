"""What messages are made of.

Written by generate.py from docs/protocol.json.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from holdfast import reading

CardId: TypeAlias = int
CharacterId: TypeAlias = int
CrisisId: TypeAlias = int


class CrisisKind(StrEnum):
    FOOD = "FOOD"
    STUFF = "STUFF"
    MEDICINE = "MEDICINE"
    FUEL = "FUEL"


class Edition(StrEnum):
    GROUP = "group"
    EQUIPMENT = "equipment"
    FATE = "fate"


Entrance: TypeAlias = int
FateId: TypeAlias = int


@dataclass(frozen=True, slots=True)
class Few:
    first: tuple[int, ...]
    more: int

    @classmethod
    def read(cls, value: object) -> Few:
        return cls(
            first=reading.field(value, "first", reading.listing(reading.integer)),
            more=reading.field(value, "more", reading.integer),
        )

    def to_json(self) -> dict[str, object]:
        return {"first": list(self.first), "more": self.more}


class FoodChange(StrEnum):
    FOOD_ADDED = "FOOD_ADDED"
    FOOD_CONSUMED = "FOOD_CONSUMED"
    CROSSROAD = "CROSSROAD"


LocationId: TypeAlias = int


class MoralChange(StrEnum):
    CHARACTER_DIED = "CHARACTER_DIED"
    STARVATION_TOKEN = "STARVATION_TOKEN"
    WASTE = "WASTE"
    CRISIS = "CRISIS"
    CROSSROAD = "CROSSROAD"


PlayerId: TypeAlias = int

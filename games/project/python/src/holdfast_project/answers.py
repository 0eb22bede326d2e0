"""Every answer, as a class.

Written by generate.py from docs/protocol.json.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from . import values
from holdfast import reading

@dataclass(frozen=True, slots=True)
class Moved:
    success: bool
    position: values.Position
    distance: int | None = None

    @classmethod
    def read(cls, value: object) -> Moved:
        return cls(
            success=reading.field(value, "success", reading.boolean),
            position=reading.field(value, "position", values.Position.read),
            distance=reading.field(value, "distance", reading.optional(reading.integer)),
        )

    def to_json(self) -> dict[str, object]:
        return {"Moved": {"success": self.success, "position": self.position.to_json(), "distance": self.distance}}


@dataclass(frozen=True, slots=True)
class Discovered:
    tiles: tuple[values.Tile, ...]

    @classmethod
    def read(cls, value: object) -> Discovered:
        return cls(tiles=reading.field(value, "tiles", reading.listing(values.Tile.read)))

    def to_json(self) -> dict[str, object]:
        return {"Discovered": {"tiles": [each.to_json() for each in self.tiles]}}


@dataclass(frozen=True, slots=True)
class PickedUp:
    success: bool

    @classmethod
    def read(cls, value: object) -> PickedUp:
        return cls(success=reading.field(value, "success", reading.boolean))

    def to_json(self) -> dict[str, object]:
        return {"PickedUp": {"success": self.success}}


@dataclass(frozen=True, slots=True)
class Tested:
    result: values.Tested

    @classmethod
    def read(cls, value: object) -> Tested:
        return cls(result=reading.field(value, "result", reading.word(values.Tested)))

    def to_json(self) -> dict[str, object]:
        return {"Tested": {"result": self.result}}


@dataclass(frozen=True, slots=True)
class Placed:
    result: values.Placed

    @classmethod
    def read(cls, value: object) -> Placed:
        return cls(result=reading.field(value, "result", reading.word(values.Placed)))

    def to_json(self) -> dict[str, object]:
        return {"Placed": {"result": self.result}}


@dataclass(frozen=True, slots=True)
class Silence:
    @classmethod
    def read(cls, value: object) -> Silence:
        return cls()

    def to_json(self) -> str:
        return "Silence"


Answer: TypeAlias = (
    Moved
    | Discovered
    | PickedUp
    | Tested
    | Placed
    | Silence
)


_ANSWER: dict[str, Callable[[object], Answer]] = {
    "Moved": Moved.read,
    "Discovered": Discovered.read,
    "PickedUp": PickedUp.read,
    "Tested": Tested.read,
    "Placed": Placed.read,
    "Silence": Silence.read,
}


def read(value: object) -> Answer:
    return reading.variant(value, _ANSWER)

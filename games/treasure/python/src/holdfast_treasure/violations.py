"""Every violation, as a class.

Written by generate.py from docs/protocol.json.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from . import values
from holdfast import reading

@dataclass(frozen=True, slots=True)
class WrongNumberOfFields:
    found: int
    expected: int

    @classmethod
    def read(cls, value: object) -> WrongNumberOfFields:
        return cls(
            found=reading.field(value, "found", reading.integer),
            expected=reading.field(value, "expected", reading.integer),
        )

    def to_json(self) -> dict[str, object]:
        return {"WrongNumberOfFields": {"found": self.found, "expected": self.expected}}


@dataclass(frozen=True, slots=True)
class FieldOutside:
    at: values.Position
    width: int
    height: int

    @classmethod
    def read(cls, value: object) -> FieldOutside:
        return cls(
            at=reading.field(value, "at", values.Position.read),
            width=reading.field(value, "width", reading.integer),
            height=reading.field(value, "height", reading.integer),
        )

    def to_json(self) -> dict[str, object]:
        return {"FieldOutside": {"at": self.at.to_json(), "width": self.width, "height": self.height}}


@dataclass(frozen=True, slots=True)
class FieldTwice:
    at: values.Position
    times: int

    @classmethod
    def read(cls, value: object) -> FieldTwice:
        return cls(
            at=reading.field(value, "at", values.Position.read),
            times=reading.field(value, "times", reading.integer),
        )

    def to_json(self) -> dict[str, object]:
        return {"FieldTwice": {"at": self.at.to_json(), "times": self.times}}


@dataclass(frozen=True, slots=True)
class FieldMissing:
    at: values.Position

    @classmethod
    def read(cls, value: object) -> FieldMissing:
        return cls(at=reading.field(value, "at", values.Position.read))

    def to_json(self) -> dict[str, object]:
        return {"FieldMissing": {"at": self.at.to_json()}}


@dataclass(frozen=True, slots=True)
class TooFewFields:
    terrain: values.Terrain
    found: int
    least: int
    at: tuple[values.Position, ...]

    @classmethod
    def read(cls, value: object) -> TooFewFields:
        return cls(
            terrain=reading.field(value, "terrain", reading.word(values.Terrain)),
            found=reading.field(value, "found", reading.integer),
            least=reading.field(value, "least", reading.integer),
            at=reading.field(value, "at", reading.listing(values.Position.read)),
        )

    def to_json(self) -> dict[str, object]:
        return {"TooFewFields": {
            "terrain": self.terrain,
            "found": self.found,
            "least": self.least,
            "at": [each.to_json() for each in self.at],
        }}


@dataclass(frozen=True, slots=True)
class TooMuchWaterOnEdge:
    edge: values.Edge
    found: int
    most: int
    at: tuple[values.Position, ...]

    @classmethod
    def read(cls, value: object) -> TooMuchWaterOnEdge:
        return cls(
            edge=reading.field(value, "edge", reading.word(values.Edge)),
            found=reading.field(value, "found", reading.integer),
            most=reading.field(value, "most", reading.integer),
            at=reading.field(value, "at", reading.listing(values.Position.read)),
        )

    def to_json(self) -> dict[str, object]:
        return {"TooMuchWaterOnEdge": {
            "edge": self.edge,
            "found": self.found,
            "most": self.most,
            "at": [each.to_json() for each in self.at],
        }}


@dataclass(frozen=True, slots=True)
class WrongNumberOfForts:
    found: int
    at: tuple[values.Position, ...]

    @classmethod
    def read(cls, value: object) -> WrongNumberOfForts:
        return cls(
            found=reading.field(value, "found", reading.integer),
            at=reading.field(value, "at", reading.listing(values.Position.read)),
        )

    def to_json(self) -> dict[str, object]:
        return {"WrongNumberOfForts": {"found": self.found, "at": [each.to_json() for each in self.at]}}


@dataclass(frozen=True, slots=True)
class FortNotOnGrass:
    at: values.Position
    terrain: values.Terrain

    @classmethod
    def read(cls, value: object) -> FortNotOnGrass:
        return cls(
            at=reading.field(value, "at", values.Position.read),
            terrain=reading.field(value, "terrain", reading.word(values.Terrain)),
        )

    def to_json(self) -> dict[str, object]:
        return {"FortNotOnGrass": {"at": self.at.to_json(), "terrain": self.terrain}}


@dataclass(frozen=True, slots=True)
class Island:
    at: tuple[values.Position, ...]
    connected: int

    @classmethod
    def read(cls, value: object) -> Island:
        return cls(
            at=reading.field(value, "at", reading.listing(values.Position.read)),
            connected=reading.field(value, "connected", reading.integer),
        )

    def to_json(self) -> dict[str, object]:
        return {"Island": {"at": [each.to_json() for each in self.at], "connected": self.connected}}


@dataclass(frozen=True, slots=True)
class TooLittleWaterOnEdge:
    edge: values.Edge
    found: int
    least: int
    at: tuple[values.Position, ...]

    @classmethod
    def read(cls, value: object) -> TooLittleWaterOnEdge:
        return cls(
            edge=reading.field(value, "edge", reading.word(values.Edge)),
            found=reading.field(value, "found", reading.integer),
            least=reading.field(value, "least", reading.integer),
            at=reading.field(value, "at", reading.listing(values.Position.read)),
        )

    def to_json(self) -> dict[str, object]:
        return {"TooLittleWaterOnEdge": {
            "edge": self.edge,
            "found": self.found,
            "least": self.least,
            "at": [each.to_json() for each in self.at],
        }}


@dataclass(frozen=True, slots=True)
class TooManyForts:
    found: int
    most: int
    at: tuple[values.Position, ...]

    @classmethod
    def read(cls, value: object) -> TooManyForts:
        return cls(
            found=reading.field(value, "found", reading.integer),
            most=reading.field(value, "most", reading.integer),
            at=reading.field(value, "at", reading.listing(values.Position.read)),
        )

    def to_json(self) -> dict[str, object]:
        return {"TooManyForts": {"found": self.found, "most": self.most, "at": [each.to_json() for each in self.at]}}


@dataclass(frozen=True, slots=True)
class BorderBlocked:
    found: int
    least: int
    at: tuple[values.Position, ...]

    @classmethod
    def read(cls, value: object) -> BorderBlocked:
        return cls(
            found=reading.field(value, "found", reading.integer),
            least=reading.field(value, "least", reading.integer),
            at=reading.field(value, "at", reading.listing(values.Position.read)),
        )

    def to_json(self) -> dict[str, object]:
        return {"BorderBlocked": {"found": self.found, "least": self.least, "at": [each.to_json() for each in self.at]}}


Violation: TypeAlias = (
    WrongNumberOfFields
    | FieldOutside
    | FieldTwice
    | FieldMissing
    | TooFewFields
    | TooMuchWaterOnEdge
    | WrongNumberOfForts
    | FortNotOnGrass
    | Island
    | TooLittleWaterOnEdge
    | TooManyForts
    | BorderBlocked
)


_VIOLATION: dict[str, Callable[[object], Violation]] = {
    "WrongNumberOfFields": WrongNumberOfFields.read,
    "FieldOutside": FieldOutside.read,
    "FieldTwice": FieldTwice.read,
    "FieldMissing": FieldMissing.read,
    "TooFewFields": TooFewFields.read,
    "TooMuchWaterOnEdge": TooMuchWaterOnEdge.read,
    "WrongNumberOfForts": WrongNumberOfForts.read,
    "FortNotOnGrass": FortNotOnGrass.read,
    "Island": Island.read,
    "TooLittleWaterOnEdge": TooLittleWaterOnEdge.read,
    "TooManyForts": TooManyForts.read,
    "BorderBlocked": BorderBlocked.read,
}


def read(value: object) -> Violation:
    return reading.variant(value, _VIOLATION)

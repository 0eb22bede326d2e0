"""What messages are made of.

Written by generate.py from docs/protocol.json.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from holdfast import reading

class Coding(StrEnum):
    DIGITS0 = "Digits0"
    DIGITS4 = "Digits4"
    LETTERS = "Letters"


class Direction(StrEnum):
    UP = "Up"
    DOWN = "Down"
    LEFT = "Left"
    RIGHT = "Right"


class Edge(StrEnum):
    TOP = "Top"
    BOTTOM = "Bottom"
    LEFT = "Left"
    RIGHT = "Right"


@dataclass(frozen=True, slots=True)
class Edges:
    top: int
    bottom: int
    left: int
    right: int

    @classmethod
    def read(cls, value: object) -> Edges:
        return cls(
            top=reading.field(value, "top", reading.integer),
            bottom=reading.field(value, "bottom", reading.integer),
            left=reading.field(value, "left", reading.integer),
            right=reading.field(value, "right", reading.integer),
        )

    def to_json(self) -> dict[str, object]:
        return {"top": self.top, "bottom": self.bottom, "left": self.left, "right": self.right}


@dataclass(frozen=True, slots=True)
class Field:
    at: Position
    terrain: Terrain
    fort: bool

    @classmethod
    def read(cls, value: object) -> Field:
        return cls(
            at=reading.field(value, "at", Position.read),
            terrain=reading.field(value, "terrain", reading.word(Terrain)),
            fort=reading.field(value, "fort", reading.boolean),
        )

    def to_json(self) -> dict[str, object]:
        return {"at": self.at.to_json(), "terrain": self.terrain, "fort": self.fort}


Key: TypeAlias = tuple[int, ...]


class Named(StrEnum):
    FIRSTNAME = "FirstName"
    LASTNAME = "LastName"
    ACCOUNT = "Account"


class Placement(StrEnum):
    TOP = "Top"
    BOTTOM = "Bottom"
    LEFT = "Left"
    RIGHT = "Right"


class Player(StrEnum):
    FIRST = "First"
    SECOND = "Second"


@dataclass(frozen=True, slots=True)
class Position:
    x: int
    y: int

    @classmethod
    def read(cls, value: object) -> Position:
        return cls(x=reading.field(value, "x", reading.integer), y=reading.field(value, "y", reading.integer))

    def to_json(self) -> dict[str, object]:
        return {"x": self.x, "y": self.y}


class Reason(StrEnum):
    FORTENTERED = "FortEntered"
    INVALIDHALF = "InvalidHalf"
    SECONDHALF = "SecondHalf"
    MOVEBEFOREHALVES = "MoveBeforeHalves"
    OUTOFTURN = "OutOfTurn"
    INTOWATER = "IntoWater"
    OFFTHEMAP = "OffTheMap"
    WRONGPOSITION = "WrongPosition"
    NOTANEIGHBOUR = "NotANeighbour"
    WRONGCOUNT = "WrongCount"
    THINKTIME = "ThinkTime"
    GAMETIME = "GameTime"
    ACTIONLIMIT = "ActionLimit"
    NOBODYCAME = "NobodyCame"
    GAVEWAY = "GaveWay"


@dataclass(frozen=True, slots=True)
class Report:
    fields: int
    grass: int
    mountain: int
    water: int
    forts: int
    edges: Edges
    connected: bool

    @classmethod
    def read(cls, value: object) -> Report:
        return cls(
            fields=reading.field(value, "fields", reading.integer),
            grass=reading.field(value, "grass", reading.integer),
            mountain=reading.field(value, "mountain", reading.integer),
            water=reading.field(value, "water", reading.integer),
            forts=reading.field(value, "forts", reading.integer),
            edges=reading.field(value, "edges", Edges.read),
            connected=reading.field(value, "connected", reading.boolean),
        )

    def to_json(self) -> dict[str, object]:
        return {
            "fields": self.fields,
            "grass": self.grass,
            "mountain": self.mountain,
            "water": self.water,
            "forts": self.forts,
            "edges": self.edges.to_json(),
            "connected": self.connected,
        }


class Terrain(StrEnum):
    GRASS = "Grass"
    MOUNTAIN = "Mountain"
    WATER = "Water"


class Year(StrEnum):
    Y2022 = "Y2022"
    Y2017 = "Y2017"

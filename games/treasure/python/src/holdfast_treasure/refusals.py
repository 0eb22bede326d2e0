"""Every refusal, as a class.

Written by generate.py from docs/protocol.json.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from . import values, violations
from holdfast import reading

@dataclass(frozen=True, slots=True)
class NotRegistered:
    @classmethod
    def read(cls, value: object) -> NotRegistered:
        return cls()

    def to_json(self) -> dict[str, object]:
        return {"NotRegistered": {}}


@dataclass(frozen=True, slots=True)
class AlreadyRegistered:
    @classmethod
    def read(cls, value: object) -> AlreadyRegistered:
        return cls()

    def to_json(self) -> dict[str, object]:
        return {"AlreadyRegistered": {}}


@dataclass(frozen=True, slots=True)
class GameFull:
    @classmethod
    def read(cls, value: object) -> GameFull:
        return cls()

    def to_json(self) -> dict[str, object]:
        return {"GameFull": {}}


@dataclass(frozen=True, slots=True)
class UnusableId:
    @classmethod
    def read(cls, value: object) -> UnusableId:
        return cls()

    def to_json(self) -> dict[str, object]:
        return {"UnusableId": {}}


@dataclass(frozen=True, slots=True)
class WrongLength:
    named: values.Named
    found: int
    least: int
    most: int

    @classmethod
    def read(cls, value: object) -> WrongLength:
        return cls(
            named=reading.field(value, "named", reading.word(values.Named)),
            found=reading.field(value, "found", reading.integer),
            least=reading.field(value, "least", reading.integer),
            most=reading.field(value, "most", reading.integer),
        )

    def to_json(self) -> dict[str, object]:
        return {"WrongLength": {"named": self.named, "found": self.found, "least": self.least, "most": self.most}}


@dataclass(frozen=True, slots=True)
class WrongYear:
    year: values.Year

    @classmethod
    def read(cls, value: object) -> WrongYear:
        return cls(year=reading.field(value, "year", reading.word(values.Year)))

    def to_json(self) -> dict[str, object]:
        return {"WrongYear": {"year": self.year}}


@dataclass(frozen=True, slots=True)
class NotYourTurn:
    begun: bool

    @classmethod
    def read(cls, value: object) -> NotYourTurn:
        return cls(begun=reading.field(value, "begun", reading.boolean))

    def to_json(self) -> dict[str, object]:
        return {"NotYourTurn": {"begun": self.begun}}


@dataclass(frozen=True, slots=True)
class InvalidHalf:
    violations: tuple[violations.Violation, ...]

    @classmethod
    def read(cls, value: object) -> InvalidHalf:
        return cls(violations=reading.field(value, "violations", reading.listing(violations.read)))

    def to_json(self) -> dict[str, object]:
        return {"InvalidHalf": {"violations": [each.to_json() for each in self.violations]}}


@dataclass(frozen=True, slots=True)
class SecondHalf:
    @classmethod
    def read(cls, value: object) -> SecondHalf:
        return cls()

    def to_json(self) -> dict[str, object]:
        return {"SecondHalf": {}}


@dataclass(frozen=True, slots=True)
class MoveBeforeHalves:
    halves: int

    @classmethod
    def read(cls, value: object) -> MoveBeforeHalves:
        return cls(halves=reading.field(value, "halves", reading.integer))

    def to_json(self) -> dict[str, object]:
        return {"MoveBeforeHalves": {"halves": self.halves}}


@dataclass(frozen=True, slots=True)
class IntoWater:
    from_: values.Position
    direction: values.Direction

    @classmethod
    def read(cls, value: object) -> IntoWater:
        return cls(
            from_=reading.field(value, "from", values.Position.read),
            direction=reading.field(value, "direction", reading.word(values.Direction)),
        )

    def to_json(self) -> dict[str, object]:
        return {"IntoWater": {"from": self.from_.to_json(), "direction": self.direction}}


@dataclass(frozen=True, slots=True)
class OffTheMap:
    from_: values.Position
    direction: values.Direction
    width: int
    height: int

    @classmethod
    def read(cls, value: object) -> OffTheMap:
        return cls(
            from_=reading.field(value, "from", values.Position.read),
            direction=reading.field(value, "direction", reading.word(values.Direction)),
            width=reading.field(value, "width", reading.integer),
            height=reading.field(value, "height", reading.integer),
        )

    def to_json(self) -> dict[str, object]:
        return {"OffTheMap": {
            "from": self.from_.to_json(),
            "direction": self.direction,
            "width": self.width,
            "height": self.height,
        }}


@dataclass(frozen=True, slots=True)
class WrongPosition:
    x: int
    y: int
    at: values.Position

    @classmethod
    def read(cls, value: object) -> WrongPosition:
        return cls(
            x=reading.field(value, "x", reading.integer),
            y=reading.field(value, "y", reading.integer),
            at=reading.field(value, "at", values.Position.read),
        )

    def to_json(self) -> dict[str, object]:
        return {"WrongPosition": {"x": self.x, "y": self.y, "at": self.at.to_json()}}


@dataclass(frozen=True, slots=True)
class NotANeighbour:
    x: int
    y: int
    at: values.Position

    @classmethod
    def read(cls, value: object) -> NotANeighbour:
        return cls(
            x=reading.field(value, "x", reading.integer),
            y=reading.field(value, "y", reading.integer),
            at=reading.field(value, "at", values.Position.read),
        )

    def to_json(self) -> dict[str, object]:
        return {"NotANeighbour": {"x": self.x, "y": self.y, "at": self.at.to_json()}}


@dataclass(frozen=True, slots=True)
class WrongCount:
    turns: int
    expected: int

    @classmethod
    def read(cls, value: object) -> WrongCount:
        return cls(
            turns=reading.field(value, "turns", reading.integer),
            expected=reading.field(value, "expected", reading.integer),
        )

    def to_json(self) -> dict[str, object]:
        return {"WrongCount": {"turns": self.turns, "expected": self.expected}}


@dataclass(frozen=True, slots=True)
class GameOver:
    @classmethod
    def read(cls, value: object) -> GameOver:
        return cls()

    def to_json(self) -> dict[str, object]:
        return {"GameOver": {}}


@dataclass(frozen=True, slots=True)
class Unreadable:
    problem: str

    @classmethod
    def read(cls, value: object) -> Unreadable:
        return cls(problem=reading.field(value, "problem", reading.text))

    def to_json(self) -> dict[str, object]:
        return {"Unreadable": {"problem": self.problem}}


@dataclass(frozen=True, slots=True)
class OnlyTheHost:
    @classmethod
    def read(cls, value: object) -> OnlyTheHost:
        return cls()

    def to_json(self) -> dict[str, object]:
        return {"OnlyTheHost": {}}


Refusal: TypeAlias = (
    NotRegistered
    | AlreadyRegistered
    | GameFull
    | UnusableId
    | WrongLength
    | WrongYear
    | NotYourTurn
    | InvalidHalf
    | SecondHalf
    | MoveBeforeHalves
    | IntoWater
    | OffTheMap
    | WrongPosition
    | NotANeighbour
    | WrongCount
    | GameOver
    | Unreadable
    | OnlyTheHost
)


_REFUSAL: dict[str, Callable[[object], Refusal]] = {
    "NotRegistered": NotRegistered.read,
    "AlreadyRegistered": AlreadyRegistered.read,
    "GameFull": GameFull.read,
    "UnusableId": UnusableId.read,
    "WrongLength": WrongLength.read,
    "WrongYear": WrongYear.read,
    "NotYourTurn": NotYourTurn.read,
    "InvalidHalf": InvalidHalf.read,
    "SecondHalf": SecondHalf.read,
    "MoveBeforeHalves": MoveBeforeHalves.read,
    "IntoWater": IntoWater.read,
    "OffTheMap": OffTheMap.read,
    "WrongPosition": WrongPosition.read,
    "NotANeighbour": NotANeighbour.read,
    "WrongCount": WrongCount.read,
    "GameOver": GameOver.read,
    "Unreadable": Unreadable.read,
    "OnlyTheHost": OnlyTheHost.read,
}


def read(value: object) -> Refusal:
    return reading.variant(value, _REFUSAL)

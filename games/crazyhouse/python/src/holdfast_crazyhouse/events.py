"""Every event, as a class.

Written by generate.py from docs/protocol.json.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from . import refusals, values
from holdfast import reading

@dataclass(frozen=True, slots=True)
class Seated:
    side: values.Side

    @classmethod
    def read(cls, value: object) -> Seated:
        return cls(side=reading.field(value, "side", reading.word(values.Side)))

    def to_json(self) -> dict[str, object]:
        return {"Seated": {"side": self.side}}


@dataclass(frozen=True, slots=True)
class Refused:
    refusal: refusals.Refusal

    @classmethod
    def read(cls, value: object) -> Refused:
        return cls(refusal=reading.field(value, "refusal", refusals.read))

    def to_json(self) -> dict[str, object]:
        return {"Refused": {"refusal": self.refusal.to_json()}}


@dataclass(frozen=True, slots=True)
class Joined:
    side: values.Side
    name: str

    @classmethod
    def read(cls, value: object) -> Joined:
        return cls(
            side=reading.field(value, "side", reading.word(values.Side)),
            name=reading.field(value, "name", reading.text),
        )

    def to_json(self) -> dict[str, object]:
        return {"Joined": {"side": self.side, "name": self.name}}


@dataclass(frozen=True, slots=True)
class Began:
    white: str
    black: str
    position: values.Position
    clock: values.Pace | None = None

    @classmethod
    def read(cls, value: object) -> Began:
        return cls(
            white=reading.field(value, "white", reading.text),
            black=reading.field(value, "black", reading.text),
            position=reading.field(value, "position", reading.text),
            clock=reading.field(value, "clock", reading.optional(values.Pace.read)),
        )

    def to_json(self) -> dict[str, object]:
        return {"Began": {
            "white": self.white,
            "black": self.black,
            "position": self.position,
            "clock": self.clock and self.clock.to_json(),
        }}


@dataclass(frozen=True, slots=True)
class Moved:
    side: values.Side
    text: str
    position: values.Position
    check: bool
    left: int | None = None

    @classmethod
    def read(cls, value: object) -> Moved:
        return cls(
            side=reading.field(value, "side", reading.word(values.Side)),
            text=reading.field(value, "text", reading.text),
            position=reading.field(value, "position", reading.text),
            check=reading.field(value, "check", reading.boolean),
            left=reading.field(value, "left", reading.optional(reading.integer)),
        )

    def to_json(self) -> dict[str, object]:
        return {"Moved": {
            "side": self.side,
            "text": self.text,
            "position": self.position,
            "check": self.check,
            "left": self.left,
        }}


@dataclass(frozen=True, slots=True)
class DrawOffered:
    side: values.Side

    @classmethod
    def read(cls, value: object) -> DrawOffered:
        return cls(side=reading.field(value, "side", reading.word(values.Side)))

    def to_json(self) -> dict[str, object]:
        return {"DrawOffered": {"side": self.side}}


@dataclass(frozen=True, slots=True)
class DrawDeclined:
    side: values.Side

    @classmethod
    def read(cls, value: object) -> DrawDeclined:
        return cls(side=reading.field(value, "side", reading.word(values.Side)))

    def to_json(self) -> dict[str, object]:
        return {"DrawDeclined": {"side": self.side}}


@dataclass(frozen=True, slots=True)
class Finished:
    outcome: values.Outcome
    because: str | None = None

    @classmethod
    def read(cls, value: object) -> Finished:
        return cls(
            outcome=reading.field(value, "outcome", values.Outcome.read),
            because=reading.field(value, "because", reading.optional(reading.text)),
        )

    def to_json(self) -> dict[str, object]:
        return {"Finished": {"outcome": self.outcome.to_json(), "because": self.because}}


@dataclass(frozen=True, slots=True)
class TakebackAsked:
    side: values.Side

    @classmethod
    def read(cls, value: object) -> TakebackAsked:
        return cls(side=reading.field(value, "side", reading.word(values.Side)))

    def to_json(self) -> dict[str, object]:
        return {"TakebackAsked": {"side": self.side}}


@dataclass(frozen=True, slots=True)
class TakebackRefused:
    side: values.Side

    @classmethod
    def read(cls, value: object) -> TakebackRefused:
        return cls(side=reading.field(value, "side", reading.word(values.Side)))

    def to_json(self) -> dict[str, object]:
        return {"TakebackRefused": {"side": self.side}}


@dataclass(frozen=True, slots=True)
class TakenBack:
    side: values.Side
    moves: int
    position: values.Position
    white_left: int | None = None
    black_left: int | None = None

    @classmethod
    def read(cls, value: object) -> TakenBack:
        return cls(
            side=reading.field(value, "side", reading.word(values.Side)),
            moves=reading.field(value, "moves", reading.integer),
            position=reading.field(value, "position", reading.text),
            white_left=reading.field(value, "white_left", reading.optional(reading.integer)),
            black_left=reading.field(value, "black_left", reading.optional(reading.integer)),
        )

    def to_json(self) -> dict[str, object]:
        return {"TakenBack": {
            "side": self.side,
            "moves": self.moves,
            "position": self.position,
            "white_left": self.white_left,
            "black_left": self.black_left,
        }}


Event: TypeAlias = (
    Seated
    | Refused
    | Joined
    | Began
    | Moved
    | DrawOffered
    | DrawDeclined
    | Finished
    | TakebackAsked
    | TakebackRefused
    | TakenBack
)


_EVENT: dict[str, Callable[[object], Event]] = {
    "Seated": Seated.read,
    "Refused": Refused.read,
    "Joined": Joined.read,
    "Began": Began.read,
    "Moved": Moved.read,
    "DrawOffered": DrawOffered.read,
    "DrawDeclined": DrawDeclined.read,
    "Finished": Finished.read,
    "TakebackAsked": TakebackAsked.read,
    "TakebackRefused": TakebackRefused.read,
    "TakenBack": TakenBack.read,
}


def read(value: object) -> Event:
    return reading.variant(value, _EVENT)

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
    name: str

    @classmethod
    def read(cls, value: object) -> Register:
        return cls(name=reading.field(value, "name", reading.text))

    def to_json(self) -> dict[str, object]:
        return {"Register": {"name": self.name}}


@dataclass(frozen=True, slots=True)
class StartGame:
    @classmethod
    def read(cls, value: object) -> StartGame:
        return cls()

    def to_json(self) -> dict[str, object]:
        return {"StartGame": {}}


@dataclass(frozen=True, slots=True)
class SelectCharacters:
    first: values.CharacterId
    second: values.CharacterId

    @classmethod
    def read(cls, value: object) -> SelectCharacters:
        return cls(
            first=reading.field(value, "first", reading.integer),
            second=reading.field(value, "second", reading.integer),
        )

    def to_json(self) -> dict[str, object]:
        return {"SelectCharacters": {"first": self.first, "second": self.second}}


@dataclass(frozen=True, slots=True)
class Move:
    character: values.CharacterId
    location: values.LocationId
    fuel: bool | None = None

    @classmethod
    def read(cls, value: object) -> Move:
        return cls(
            character=reading.field(value, "character", reading.integer),
            location=reading.field(value, "location", reading.integer),
            fuel=reading.field(value, "fuel", reading.optional(reading.boolean)),
        )

    def to_json(self) -> dict[str, object]:
        return {"Move": {"character": self.character, "location": self.location, "fuel": self.fuel}}


@dataclass(frozen=True, slots=True)
class Attack:
    character: values.CharacterId
    entrance: values.Entrance

    @classmethod
    def read(cls, value: object) -> Attack:
        return cls(
            character=reading.field(value, "character", reading.integer),
            entrance=reading.field(value, "entrance", reading.integer),
        )

    def to_json(self) -> dict[str, object]:
        return {"Attack": {"character": self.character, "entrance": self.entrance}}


@dataclass(frozen=True, slots=True)
class Barricade:
    character: values.CharacterId
    entrance: values.Entrance

    @classmethod
    def read(cls, value: object) -> Barricade:
        return cls(
            character=reading.field(value, "character", reading.integer),
            entrance=reading.field(value, "entrance", reading.integer),
        )

    def to_json(self) -> dict[str, object]:
        return {"Barricade": {"character": self.character, "entrance": self.entrance}}


@dataclass(frozen=True, slots=True)
class Search:
    character: values.CharacterId

    @classmethod
    def read(cls, value: object) -> Search:
        return cls(character=reading.field(value, "character", reading.integer))

    def to_json(self) -> dict[str, object]:
        return {"Search": {"character": self.character}}


@dataclass(frozen=True, slots=True)
class CleanWaste:
    character: values.CharacterId

    @classmethod
    def read(cls, value: object) -> CleanWaste:
        return cls(character=reading.field(value, "character", reading.integer))

    def to_json(self) -> dict[str, object]:
        return {"CleanWaste": {"character": self.character}}


@dataclass(frozen=True, slots=True)
class ContributeCard:
    card: values.CardId

    @classmethod
    def read(cls, value: object) -> ContributeCard:
        return cls(card=reading.field(value, "card", reading.integer))

    def to_json(self) -> dict[str, object]:
        return {"ContributeCard": {"card": self.card}}


@dataclass(frozen=True, slots=True)
class UseCard:
    card: values.CardId
    character: values.CharacterId | None = None
    target: int | None = None

    @classmethod
    def read(cls, value: object) -> UseCard:
        return cls(
            card=reading.field(value, "card", reading.integer),
            character=reading.field(value, "character", reading.optional(reading.integer)),
            target=reading.field(value, "target", reading.optional(reading.integer)),
        )

    def to_json(self) -> dict[str, object]:
        return {"UseCard": {"card": self.card, "character": self.character, "target": self.target}}


@dataclass(frozen=True, slots=True)
class UseAbility:
    character: values.CharacterId
    target: int | None = None

    @classmethod
    def read(cls, value: object) -> UseAbility:
        return cls(
            character=reading.field(value, "character", reading.integer),
            target=reading.field(value, "target", reading.optional(reading.integer)),
        )

    def to_json(self) -> dict[str, object]:
        return {"UseAbility": {"character": self.character, "target": self.target}}


@dataclass(frozen=True, slots=True)
class EndTurn:
    @classmethod
    def read(cls, value: object) -> EndTurn:
        return cls()

    def to_json(self) -> dict[str, object]:
        return {"EndTurn": {}}


@dataclass(frozen=True, slots=True)
class Leave:
    @classmethod
    def read(cls, value: object) -> Leave:
        return cls()

    def to_json(self) -> dict[str, object]:
        return {"Leave": {}}


@dataclass(frozen=True, slots=True)
class Vote:
    answer: bool

    @classmethod
    def read(cls, value: object) -> Vote:
        return cls(answer=reading.field(value, "answer", reading.boolean))

    def to_json(self) -> dict[str, object]:
        return {"Vote": {"answer": self.answer}}


@dataclass(frozen=True, slots=True)
class WrongArguments:
    command: int
    given: int

    @classmethod
    def read(cls, value: object) -> WrongArguments:
        return cls(
            command=reading.field(value, "command", reading.integer),
            given=reading.field(value, "given", reading.integer),
        )

    def to_json(self) -> dict[str, object]:
        return {"WrongArguments": {"command": self.command, "given": self.given}}


Command: TypeAlias = (
    Register
    | StartGame
    | SelectCharacters
    | Move
    | Attack
    | Barricade
    | Search
    | CleanWaste
    | ContributeCard
    | UseCard
    | UseAbility
    | EndTurn
    | Leave
    | Vote
    | WrongArguments
)


_COMMAND: dict[str, Callable[[object], Command]] = {
    "Register": Register.read,
    "StartGame": StartGame.read,
    "SelectCharacters": SelectCharacters.read,
    "Move": Move.read,
    "Attack": Attack.read,
    "Barricade": Barricade.read,
    "Search": Search.read,
    "CleanWaste": CleanWaste.read,
    "ContributeCard": ContributeCard.read,
    "UseCard": UseCard.read,
    "UseAbility": UseAbility.read,
    "EndTurn": EndTurn.read,
    "Leave": Leave.read,
    "Vote": Vote.read,
    "WrongArguments": WrongArguments.read,
}


_POSITIONS: dict[str, reading.Positions] = {
    "Register": (("name",), 1),
    "StartGame": ((), 0),
    "SelectCharacters": (("first", "second"), 2),
    "Move": (("character", "location", "fuel"), 2),
    "Attack": (("character", "entrance"), 2),
    "Barricade": (("character", "entrance"), 2),
    "Search": (("character",), 1),
    "CleanWaste": (("character",), 1),
    "ContributeCard": (("card",), 1),
    "UseCard": (("card", "character", "target"), 1),
    "UseAbility": (("character", "target"), 1),
    "EndTurn": ((), 0),
    "Leave": ((), 0),
    "Vote": (("answer",), 1),
    "WrongArguments": (("command", "given"), 2),
}


def read(value: object) -> Command:
    return reading.command(value, _COMMAND, _POSITIONS, WrongArguments)

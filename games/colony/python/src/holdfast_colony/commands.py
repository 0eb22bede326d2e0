"""Every command, as a class.

Written by generate.py from docs/protocol.json.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from . import values

@dataclass(frozen=True, slots=True)
class Register:
    name: str

    def to_json(self) -> dict[str, object]:
        return {"Register": {"name": self.name}}


@dataclass(frozen=True, slots=True)
class StartGame:
    def to_json(self) -> dict[str, object]:
        return {"StartGame": {}}


@dataclass(frozen=True, slots=True)
class SelectCharacters:
    first: values.CharacterId
    second: values.CharacterId

    def to_json(self) -> dict[str, object]:
        return {"SelectCharacters": {"first": self.first, "second": self.second}}


@dataclass(frozen=True, slots=True)
class Move:
    character: values.CharacterId
    location: values.LocationId
    fuel: bool | None = None

    def to_json(self) -> dict[str, object]:
        return {"Move": {"character": self.character, "location": self.location, "fuel": self.fuel}}


@dataclass(frozen=True, slots=True)
class Attack:
    character: values.CharacterId
    entrance: values.Entrance

    def to_json(self) -> dict[str, object]:
        return {"Attack": {"character": self.character, "entrance": self.entrance}}


@dataclass(frozen=True, slots=True)
class Barricade:
    character: values.CharacterId
    entrance: values.Entrance

    def to_json(self) -> dict[str, object]:
        return {"Barricade": {"character": self.character, "entrance": self.entrance}}


@dataclass(frozen=True, slots=True)
class Search:
    character: values.CharacterId

    def to_json(self) -> dict[str, object]:
        return {"Search": {"character": self.character}}


@dataclass(frozen=True, slots=True)
class CleanWaste:
    character: values.CharacterId

    def to_json(self) -> dict[str, object]:
        return {"CleanWaste": {"character": self.character}}


@dataclass(frozen=True, slots=True)
class ContributeCard:
    card: values.CardId

    def to_json(self) -> dict[str, object]:
        return {"ContributeCard": {"card": self.card}}


@dataclass(frozen=True, slots=True)
class UseCard:
    card: values.CardId
    character: values.CharacterId | None = None
    target: int | None = None

    def to_json(self) -> dict[str, object]:
        return {"UseCard": {"card": self.card, "character": self.character, "target": self.target}}


@dataclass(frozen=True, slots=True)
class UseAbility:
    character: values.CharacterId
    target: int | None = None

    def to_json(self) -> dict[str, object]:
        return {"UseAbility": {"character": self.character, "target": self.target}}


@dataclass(frozen=True, slots=True)
class EndTurn:
    def to_json(self) -> dict[str, object]:
        return {"EndTurn": {}}


@dataclass(frozen=True, slots=True)
class Leave:
    def to_json(self) -> dict[str, object]:
        return {"Leave": {}}


@dataclass(frozen=True, slots=True)
class Vote:
    answer: bool

    def to_json(self) -> dict[str, object]:
        return {"Vote": {"answer": self.answer}}


@dataclass(frozen=True, slots=True)
class WrongArguments:
    command: int
    given: int

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

"""Every why, as a class.

Written by generate.py from docs/protocol.json.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from . import values
from holdfast import reading

@dataclass(frozen=True, slots=True)
class AllGoals:
    team: values.Team

    @classmethod
    def read(cls, value: object) -> AllGoals:
        return cls(team=reading.field(value, "team", reading.word(values.Team)))

    def to_json(self) -> dict[str, object]:
        return {"AllGoals": {"team": self.team}}


@dataclass(frozen=True, slots=True)
class Error:
    because: str

    @classmethod
    def read(cls, value: object) -> Error:
        return cls(because=reading.field(value, "because", reading.text))

    def to_json(self) -> dict[str, object]:
        return {"Error": {"because": self.because}}


@dataclass(frozen=True, slots=True)
class NobodyCanWin:
    @classmethod
    def read(cls, value: object) -> NobodyCanWin:
        return cls()

    def to_json(self) -> str:
        return "NobodyCanWin"


@dataclass(frozen=True, slots=True)
class NoProgress:
    @classmethod
    def read(cls, value: object) -> NoProgress:
        return cls()

    def to_json(self) -> str:
        return "NoProgress"


@dataclass(frozen=True, slots=True)
class TeamGone:
    team: values.Team

    @classmethod
    def read(cls, value: object) -> TeamGone:
        return cls(team=reading.field(value, "team", reading.word(values.Team)))

    def to_json(self) -> dict[str, object]:
        return {"TeamGone": {"team": self.team}}


@dataclass(frozen=True, slots=True)
class LobbyNotFull:
    @classmethod
    def read(cls, value: object) -> LobbyNotFull:
        return cls()

    def to_json(self) -> str:
        return "LobbyNotFull"


Why: TypeAlias = (
    AllGoals
    | Error
    | NobodyCanWin
    | NoProgress
    | TeamGone
    | LobbyNotFull
)


_WHY: dict[str, Callable[[object], Why]] = {
    "AllGoals": AllGoals.read,
    "Error": Error.read,
    "NobodyCanWin": NobodyCanWin.read,
    "NoProgress": NoProgress.read,
    "TeamGone": TeamGone.read,
    "LobbyNotFull": LobbyNotFull.read,
}


def read(value: object) -> Why:
    return reading.variant(value, _WHY)

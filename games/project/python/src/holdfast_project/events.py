"""Every event, as a class.

Written by generate.py from docs/protocol.json.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from . import answers, notes, refusals, values
from holdfast import reading

@dataclass(frozen=True, slots=True)
class Confirmed:
    player: int

    @classmethod
    def read(cls, value: object) -> Confirmed:
        return cls(player=reading.field(value, "player", reading.integer))

    def to_json(self) -> dict[str, object]:
        return {"Confirmed": {"player": self.player}}


@dataclass(frozen=True, slots=True)
class Refused:
    refusal: refusals.Refusal

    @classmethod
    def read(cls, value: object) -> Refused:
        return cls(refusal=reading.field(value, "refusal", refusals.read))

    def to_json(self) -> dict[str, object]:
        return {"Refused": {"refusal": self.refusal.to_json()}}


@dataclass(frozen=True, slots=True)
class TeamGiven:
    team: values.Team
    leader: bool
    context: str | None = None

    @classmethod
    def read(cls, value: object) -> TeamGiven:
        return cls(
            context=reading.field(value, "context", reading.optional(reading.text)),
            team=reading.field(value, "team", reading.word(values.Team)),
            leader=reading.field(value, "leader", reading.boolean),
        )

    def to_json(self) -> dict[str, object]:
        return {"TeamGiven": {"context": self.context, "team": self.team, "leader": self.leader}}


@dataclass(frozen=True, slots=True)
class Started:
    players: tuple[values.Member, ...]
    width: int
    height: int
    position: values.Position

    @classmethod
    def read(cls, value: object) -> Started:
        return cls(
            players=reading.field(value, "players", reading.listing(values.Member.read)),
            width=reading.field(value, "width", reading.integer),
            height=reading.field(value, "height", reading.integer),
            position=reading.field(value, "position", values.Position.read),
        )

    def to_json(self) -> dict[str, object]:
        return {"Started": {
            "players": [each.to_json() for each in self.players],
            "width": self.width,
            "height": self.height,
            "position": self.position.to_json(),
        }}


@dataclass(frozen=True, slots=True)
class Answered:
    context: str
    answer: answers.Answer

    @classmethod
    def read(cls, value: object) -> Answered:
        return cls(
            context=reading.field(value, "context", reading.text),
            answer=reading.field(value, "answer", answers.read),
        )

    def to_json(self) -> dict[str, object]:
        return {"Answered": {"context": self.context, "answer": self.answer.to_json()}}


@dataclass(frozen=True, slots=True)
class Repeated:
    context: str
    answer: answers.Answer

    @classmethod
    def read(cls, value: object) -> Repeated:
        return cls(
            context=reading.field(value, "context", reading.text),
            answer=reading.field(value, "answer", answers.read),
        )

    def to_json(self) -> dict[str, object]:
        return {"Repeated": {"context": self.context, "answer": self.answer.to_json()}}


@dataclass(frozen=True, slots=True)
class Noted:
    note: notes.Note

    @classmethod
    def read(cls, value: object) -> Noted:
        return cls(note=reading.field(value, "note", notes.read))

    def to_json(self) -> dict[str, object]:
        return {"Noted": {"note": self.note.to_json()}}


@dataclass(frozen=True, slots=True)
class Joined:
    player: int

    @classmethod
    def read(cls, value: object) -> Joined:
        return cls(player=reading.field(value, "player", reading.integer))

    def to_json(self) -> dict[str, object]:
        return {"Joined": {"player": self.player}}


@dataclass(frozen=True, slots=True)
class TeamJoined:
    player: int
    team: values.Team

    @classmethod
    def read(cls, value: object) -> TeamJoined:
        return cls(
            player=reading.field(value, "player", reading.integer),
            team=reading.field(value, "team", reading.word(values.Team)),
        )

    def to_json(self) -> dict[str, object]:
        return {"TeamJoined": {"player": self.player, "team": self.team}}


@dataclass(frozen=True, slots=True)
class Began:
    @classmethod
    def read(cls, value: object) -> Began:
        return cls()

    def to_json(self) -> dict[str, object]:
        return {"Began": {}}


@dataclass(frozen=True, slots=True)
class Acted:
    player: int

    @classmethod
    def read(cls, value: object) -> Acted:
        return cls(player=reading.field(value, "player", reading.integer))

    def to_json(self) -> dict[str, object]:
        return {"Acted": {"player": self.player}}


@dataclass(frozen=True, slots=True)
class Scored:
    team: values.Team

    @classmethod
    def read(cls, value: object) -> Scored:
        return cls(team=reading.field(value, "team", reading.word(values.Team)))

    def to_json(self) -> dict[str, object]:
        return {"Scored": {"team": self.team}}


@dataclass(frozen=True, slots=True)
class Lost:
    player: int

    @classmethod
    def read(cls, value: object) -> Lost:
        return cls(player=reading.field(value, "player", reading.integer))

    def to_json(self) -> dict[str, object]:
        return {"Lost": {"player": self.player}}


@dataclass(frozen=True, slots=True)
class Returned:
    player: int

    @classmethod
    def read(cls, value: object) -> Returned:
        return cls(player=reading.field(value, "player", reading.integer))

    def to_json(self) -> dict[str, object]:
        return {"Returned": {"player": self.player}}


@dataclass(frozen=True, slots=True)
class Left:
    player: int

    @classmethod
    def read(cls, value: object) -> Left:
        return cls(player=reading.field(value, "player", reading.integer))

    def to_json(self) -> dict[str, object]:
        return {"Left": {"player": self.player}}


@dataclass(frozen=True, slots=True)
class Ended:
    outcome: values.Outcome

    @classmethod
    def read(cls, value: object) -> Ended:
        return cls(outcome=reading.field(value, "outcome", values.Outcome.read))

    def to_json(self) -> dict[str, object]:
        return {"Ended": {"outcome": self.outcome.to_json()}}


@dataclass(frozen=True, slots=True)
class Learnt:
    from_: int
    tiles: tuple[values.Hearsay, ...]

    @classmethod
    def read(cls, value: object) -> Learnt:
        return cls(
            from_=reading.field(value, "from", reading.integer),
            tiles=reading.field(value, "tiles", reading.listing(values.Hearsay.read)),
        )

    def to_json(self) -> dict[str, object]:
        return {"Learnt": {"from": self.from_, "tiles": [each.to_json() for each in self.tiles]}}


@dataclass(frozen=True, slots=True)
class Told:
    from_: int
    to: int

    @classmethod
    def read(cls, value: object) -> Told:
        return cls(from_=reading.field(value, "from", reading.integer), to=reading.field(value, "to", reading.integer))

    def to_json(self) -> dict[str, object]:
        return {"Told": {"from": self.from_, "to": self.to}}


Event: TypeAlias = (
    Confirmed
    | Refused
    | TeamGiven
    | Started
    | Answered
    | Repeated
    | Noted
    | Joined
    | TeamJoined
    | Began
    | Acted
    | Scored
    | Lost
    | Returned
    | Left
    | Ended
    | Learnt
    | Told
)


_EVENT: dict[str, Callable[[object], Event]] = {
    "Confirmed": Confirmed.read,
    "Refused": Refused.read,
    "TeamGiven": TeamGiven.read,
    "Started": Started.read,
    "Answered": Answered.read,
    "Repeated": Repeated.read,
    "Noted": Noted.read,
    "Joined": Joined.read,
    "TeamJoined": TeamJoined.read,
    "Began": Began.read,
    "Acted": Acted.read,
    "Scored": Scored.read,
    "Lost": Lost.read,
    "Returned": Returned.read,
    "Left": Left.read,
    "Ended": Ended.read,
    "Learnt": Learnt.read,
    "Told": Told.read,
}


def read(value: object) -> Event:
    return reading.variant(value, _EVENT)

"""Every event, as a class.

Written by generate.py from docs/protocol.json.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from . import outcomes, refusals, values, violations
from holdfast import reading

@dataclass(frozen=True, slots=True)
class Seated:
    player: values.Player
    id: str
    account: str
    key: values.Key

    @classmethod
    def read(cls, value: object) -> Seated:
        return cls(
            player=reading.field(value, "player", reading.word(values.Player)),
            id=reading.field(value, "id", reading.text),
            account=reading.field(value, "account", reading.text),
            key=reading.field(value, "key", reading.listing(reading.integer)),
        )

    def to_json(self) -> dict[str, object]:
        return {"Seated": {"player": self.player, "id": self.id, "account": self.account, "key": list(self.key)}}


@dataclass(frozen=True, slots=True)
class Refused:
    refusal: refusals.Refusal

    @classmethod
    def read(cls, value: object) -> Refused:
        return cls(refusal=reading.field(value, "refusal", refusals.read))

    def to_json(self) -> dict[str, object]:
        return {"Refused": {"refusal": self.refusal.to_json()}}


@dataclass(frozen=True, slots=True)
class Failed:
    refusal: refusals.Refusal

    @classmethod
    def read(cls, value: object) -> Failed:
        return cls(refusal=reading.field(value, "refusal", refusals.read))

    def to_json(self) -> dict[str, object]:
        return {"Failed": {"refusal": self.refusal.to_json()}}


@dataclass(frozen=True, slots=True)
class Noted:
    number: int
    refusal: refusals.Refusal

    @classmethod
    def read(cls, value: object) -> Noted:
        return cls(
            number=reading.field(value, "number", reading.integer),
            refusal=reading.field(value, "refusal", refusals.read),
        )

    def to_json(self) -> dict[str, object]:
        return {"Noted": {"number": self.number, "refusal": self.refusal.to_json()}}


@dataclass(frozen=True, slots=True)
class Registered:
    player: values.Player
    first_name: str
    last_name: str
    account: str | None = None

    @classmethod
    def read(cls, value: object) -> Registered:
        return cls(
            player=reading.field(value, "player", reading.word(values.Player)),
            first_name=reading.field(value, "first_name", reading.text),
            last_name=reading.field(value, "last_name", reading.text),
            account=reading.field(value, "account", reading.optional(reading.text)),
        )

    def to_json(self) -> dict[str, object]:
        return {"Registered": {
            "player": self.player,
            "first_name": self.first_name,
            "last_name": self.last_name,
            "account": self.account,
        }}


@dataclass(frozen=True, slots=True)
class Began:
    starter: values.Player

    @classmethod
    def read(cls, value: object) -> Began:
        return cls(starter=reading.field(value, "starter", reading.word(values.Player)))

    def to_json(self) -> dict[str, object]:
        return {"Began": {"starter": self.starter}}


@dataclass(frozen=True, slots=True)
class HalfTaken:
    player: values.Player
    action: int | None = None

    @classmethod
    def read(cls, value: object) -> HalfTaken:
        return cls(
            player=reading.field(value, "player", reading.word(values.Player)),
            action=reading.field(value, "action", reading.optional(reading.integer)),
        )

    def to_json(self) -> dict[str, object]:
        return {"HalfTaken": {"player": self.player, "action": self.action}}


@dataclass(frozen=True, slots=True)
class HalfRejected:
    player: values.Player
    report: values.Report
    violations: tuple[violations.Violation, ...]
    action: int | None = None

    @classmethod
    def read(cls, value: object) -> HalfRejected:
        return cls(
            player=reading.field(value, "player", reading.word(values.Player)),
            action=reading.field(value, "action", reading.optional(reading.integer)),
            report=reading.field(value, "report", values.Report.read),
            violations=reading.field(value, "violations", reading.listing(violations.read)),
        )

    def to_json(self) -> dict[str, object]:
        return {"HalfRejected": {
            "player": self.player,
            "action": self.action,
            "report": self.report.to_json(),
            "violations": [each.to_json() for each in self.violations],
        }}


@dataclass(frozen=True, slots=True)
class HalfKept:
    report: values.Report
    fort: values.Position
    coding: values.Coding | None = None

    @classmethod
    def read(cls, value: object) -> HalfKept:
        return cls(
            report=reading.field(value, "report", values.Report.read),
            fort=reading.field(value, "fort", values.Position.read),
            coding=reading.field(value, "coding", reading.optional(reading.word(values.Coding))),
        )

    def to_json(self) -> dict[str, object]:
        return {"HalfKept": {"report": self.report.to_json(), "fort": self.fort.to_json(), "coding": self.coding}}


@dataclass(frozen=True, slots=True)
class Charted:
    player: values.Player
    placement: values.Placement
    report: values.Report
    terrain: tuple[values.Terrain, ...]

    @classmethod
    def read(cls, value: object) -> Charted:
        return cls(
            player=reading.field(value, "player", reading.word(values.Player)),
            placement=reading.field(value, "placement", reading.word(values.Placement)),
            report=reading.field(value, "report", values.Report.read),
            terrain=reading.field(value, "terrain", reading.listing(reading.word(values.Terrain))),
        )

    def to_json(self) -> dict[str, object]:
        return {"Charted": {
            "player": self.player,
            "placement": self.placement,
            "report": self.report.to_json(),
            "terrain": list(self.terrain),
        }}


@dataclass(frozen=True, slots=True)
class Appeared:
    first: values.Position
    second: values.Position

    @classmethod
    def read(cls, value: object) -> Appeared:
        return cls(
            first=reading.field(value, "first", values.Position.read),
            second=reading.field(value, "second", values.Position.read),
        )

    def to_json(self) -> dict[str, object]:
        return {"Appeared": {"first": self.first.to_json(), "second": self.second.to_json()}}


@dataclass(frozen=True, slots=True)
class Acted:
    player: values.Player
    action: int
    step: values.Direction | None = None

    @classmethod
    def read(cls, value: object) -> Acted:
        return cls(
            player=reading.field(value, "player", reading.word(values.Player)),
            action=reading.field(value, "action", reading.integer),
            step=reading.field(value, "step", reading.optional(reading.word(values.Direction))),
        )

    def to_json(self) -> dict[str, object]:
        return {"Acted": {"player": self.player, "action": self.action, "step": self.step}}


@dataclass(frozen=True, slots=True)
class Moved:
    to: values.Position

    @classmethod
    def read(cls, value: object) -> Moved:
        return cls(to=reading.field(value, "to", values.Position.read))

    def to_json(self) -> dict[str, object]:
        return {"Moved": {"to": self.to.to_json()}}


@dataclass(frozen=True, slots=True)
class Spent:
    direction: values.Direction
    left: int

    @classmethod
    def read(cls, value: object) -> Spent:
        return cls(
            direction=reading.field(value, "direction", reading.word(values.Direction)),
            left=reading.field(value, "left", reading.integer),
        )

    def to_json(self) -> dict[str, object]:
        return {"Spent": {"direction": self.direction, "left": self.left}}


@dataclass(frozen=True, slots=True)
class Waited:
    @classmethod
    def read(cls, value: object) -> Waited:
        return cls()

    def to_json(self) -> dict[str, object]:
        return {"Waited": {}}


@dataclass(frozen=True, slots=True)
class TreasureSeen:
    at: values.Position

    @classmethod
    def read(cls, value: object) -> TreasureSeen:
        return cls(at=reading.field(value, "at", values.Position.read))

    def to_json(self) -> dict[str, object]:
        return {"TreasureSeen": {"at": self.at.to_json()}}


@dataclass(frozen=True, slots=True)
class TreasureTaken:
    at: values.Position

    @classmethod
    def read(cls, value: object) -> TreasureTaken:
        return cls(at=reading.field(value, "at", values.Position.read))

    def to_json(self) -> dict[str, object]:
        return {"TreasureTaken": {"at": self.at.to_json()}}


@dataclass(frozen=True, slots=True)
class FortSeen:
    at: values.Position

    @classmethod
    def read(cls, value: object) -> FortSeen:
        return cls(at=reading.field(value, "at", values.Position.read))

    def to_json(self) -> dict[str, object]:
        return {"FortSeen": {"at": self.at.to_json()}}


@dataclass(frozen=True, slots=True)
class Collected:
    player: values.Player

    @classmethod
    def read(cls, value: object) -> Collected:
        return cls(player=reading.field(value, "player", reading.word(values.Player)))

    def to_json(self) -> dict[str, object]:
        return {"Collected": {"player": self.player}}


@dataclass(frozen=True, slots=True)
class Finished:
    outcome: outcomes.Outcome

    @classmethod
    def read(cls, value: object) -> Finished:
        return cls(outcome=reading.field(value, "outcome", outcomes.read))

    def to_json(self) -> dict[str, object]:
        return {"Finished": {"outcome": self.outcome.to_json()}}


Event: TypeAlias = (
    Seated
    | Refused
    | Failed
    | Noted
    | Registered
    | Began
    | HalfTaken
    | HalfRejected
    | HalfKept
    | Charted
    | Appeared
    | Acted
    | Moved
    | Spent
    | Waited
    | TreasureSeen
    | TreasureTaken
    | FortSeen
    | Collected
    | Finished
)


_EVENT: dict[str, Callable[[object], Event]] = {
    "Seated": Seated.read,
    "Refused": Refused.read,
    "Failed": Failed.read,
    "Noted": Noted.read,
    "Registered": Registered.read,
    "Began": Began.read,
    "HalfTaken": HalfTaken.read,
    "HalfRejected": HalfRejected.read,
    "HalfKept": HalfKept.read,
    "Charted": Charted.read,
    "Appeared": Appeared.read,
    "Acted": Acted.read,
    "Moved": Moved.read,
    "Spent": Spent.read,
    "Waited": Waited.read,
    "TreasureSeen": TreasureSeen.read,
    "TreasureTaken": TreasureTaken.read,
    "FortSeen": FortSeen.read,
    "Collected": Collected.read,
    "Finished": Finished.read,
}


def read(value: object) -> Event:
    return reading.variant(value, _EVENT)

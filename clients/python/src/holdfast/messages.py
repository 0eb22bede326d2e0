"""The messages of the protocol itself.

Written by generate.py from docs/protocol.json.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from . import reading

PROTOCOL = 3


class Admission(StrEnum):
    OPEN = "open"
    UNLISTED = "unlisted"
    INVITED = "invited"


@dataclass(frozen=True, slots=True)
class Access:
    admission: Admission
    closed: bool
    invitations: int
    reserved: tuple[str, ...]
    invitation: str | None = None

    @classmethod
    def read(cls, value: object) -> Access:
        return cls(
            admission=reading.field(value, "admission", reading.word(Admission)),
            closed=reading.field(value, "closed", reading.boolean),
            invitations=reading.field(value, "invitations", reading.integer),
            reserved=reading.field(value, "reserved", reading.listing(reading.text)),
            invitation=reading.field(value, "invitation", reading.optional(reading.text)),
        )


@dataclass(frozen=True, slots=True)
class Look:
    def to_json(self) -> str:
        return "look"


@dataclass(frozen=True, slots=True)
class Admit:
    value: Admission

    def to_json(self) -> dict[str, object]:
        return {"admit": self.value}


@dataclass(frozen=True, slots=True)
class Closed:
    value: bool

    def to_json(self) -> dict[str, object]:
        return {"closed": self.value}


@dataclass(frozen=True, slots=True)
class Invite:
    name: str | None = None
    account: str | None = None

    def to_json(self) -> dict[str, object]:
        return {"invite": {"name": self.name, "account": self.account}}


@dataclass(frozen=True, slots=True)
class Remove:
    client: int

    def to_json(self) -> dict[str, object]:
        return {"remove": {"client": self.client}}


@dataclass(frozen=True, slots=True)
class End:
    def to_json(self) -> str:
        return "end"


AccessChange: TypeAlias = (
    Look
    | Admit
    | Closed
    | Invite
    | Remove
    | End
)


class Channel(StrEnum):
    PLAYERS = "players"
    SPECTATORS = "spectators"


@dataclass(frozen=True, slots=True)
class ChatLine:
    number: int
    channel: Channel
    by: str
    text: str
    at: int
    client: int | None = None

    @classmethod
    def read(cls, value: object) -> ChatLine:
        return cls(
            number=reading.field(value, "number", reading.integer),
            channel=reading.field(value, "channel", reading.word(Channel)),
            client=reading.field(value, "client", reading.optional(reading.integer)),
            by=reading.field(value, "by", reading.text),
            text=reading.field(value, "text", reading.text),
            at=reading.field(value, "at", reading.integer),
        )


@dataclass(frozen=True, slots=True)
class Create:
    scenario: str
    rulebook: str | None = None
    edition: str | None = None
    seed: int | None = None
    timeout: int | None = None

    def to_json(self) -> dict[str, object]:
        return {"create": {
            "rulebook": self.rulebook,
            "scenario": self.scenario,
            "edition": self.edition,
            "seed": self.seed,
            "timeout": self.timeout,
        }}


@dataclass(frozen=True, slots=True)
class List:
    def to_json(self) -> str:
        return "list"


@dataclass(frozen=True, slots=True)
class Join:
    seat: int | None = None

    def to_json(self) -> dict[str, object]:
        return {"join": {"seat": self.seat}}


@dataclass(frozen=True, slots=True)
class Watch:
    seen: int = 0

    def to_json(self) -> dict[str, object]:
        return {"watch": {"seen": self.seen}}


@dataclass(frozen=True, slots=True)
class Resume:
    token: str
    seen: int = 0

    def to_json(self) -> dict[str, object]:
        return {"resume": {"token": self.token, "seen": self.seen}}


@dataclass(frozen=True, slots=True)
class Private:
    create: Create
    admission: Admission

    def to_json(self) -> dict[str, object]:
        return {"private": {"create": self.create.to_json(), "admission": self.admission}}


Want: TypeAlias = (
    List
    | Create
    | Join
    | Watch
    | Resume
    | Private
)


@dataclass(frozen=True, slots=True)
class Hello:
    protocol: int
    want: Want
    game: str | None = None
    board: bool = False

    def to_json(self) -> dict[str, object]:
        return {"hello": {
            "protocol": self.protocol,
            "want": self.want.to_json(),
            "game": self.game,
            "board": self.board,
        }}


@dataclass(frozen=True, slots=True)
class Muting:
    by: str
    muted: bool

    def to_json(self) -> dict[str, object]:
        return {"mute": {"by": self.by, "muted": self.muted}}


@dataclass(frozen=True, slots=True)
class Command:
    value: object

    def to_json(self) -> dict[str, object]:
        return {"command": self.value}


@dataclass(frozen=True, slots=True)
class Ping:
    value: int

    def to_json(self) -> dict[str, object]:
        return {"ping": self.value}


@dataclass(frozen=True, slots=True)
class Offers:
    value: int

    def to_json(self) -> dict[str, object]:
        return {"offers": self.value}


@dataclass(frozen=True, slots=True)
class Notices:
    value: bool

    def to_json(self) -> dict[str, object]:
        return {"notices": self.value}


@dataclass(frozen=True, slots=True)
class Chat:
    value: str

    def to_json(self) -> dict[str, object]:
        return {"chat": self.value}


@dataclass(frozen=True, slots=True)
class Account:
    value: str

    def to_json(self) -> dict[str, object]:
        return {"account": self.value}


@dataclass(frozen=True, slots=True)
class Report:
    value: int

    def to_json(self) -> dict[str, object]:
        return {"report": self.value}


@dataclass(frozen=True, slots=True)
class Manage:
    value: AccessChange

    def to_json(self) -> dict[str, object]:
        return {"manage": self.value.to_json()}


FromClient: TypeAlias = (
    Hello
    | Command
    | Ping
    | Offers
    | Notices
    | Chat
    | Account
    | Muting
    | Report
    | Manage
)


@dataclass(frozen=True, slots=True)
class GameInfo:
    game: str
    rulebook: str
    edition: str
    players: tuple[str, ...]
    status: str

    @classmethod
    def read(cls, value: object) -> GameInfo:
        return cls(
            game=reading.field(value, "game", reading.text),
            rulebook=reading.field(value, "rulebook", reading.text),
            edition=reading.field(value, "edition", reading.text),
            players=reading.field(value, "players", reading.listing(reading.text)),
            status=reading.field(value, "status", reading.text),
        )


@dataclass(frozen=True, slots=True)
class Presence:
    client: int
    player: str
    away_ms: int | None = None

    @classmethod
    def read(cls, value: object) -> Presence:
        return cls(
            client=reading.field(value, "client", reading.integer),
            player=reading.field(value, "player", reading.text),
            away_ms=reading.field(value, "away_ms", reading.optional(reading.integer)),
        )


@dataclass(frozen=True, slots=True)
class Snapshot:
    players: tuple[Presence, ...]
    spectators: int
    writes: Channel
    thinks: str | None = None
    chat: tuple[ChatLine, ...] | None = None

    @classmethod
    def read(cls, value: object) -> Snapshot:
        return cls(
            players=reading.field(value, "players", reading.listing(Presence.read)),
            spectators=reading.field(value, "spectators", reading.integer),
            thinks=reading.field(value, "thinks", reading.optional(reading.text)),
            writes=reading.field(value, "writes", reading.word(Channel)),
            chat=reading.field(value, "chat", reading.optional(reading.listing(ChatLine.read))),
        )


class Reason(StrEnum):
    BAD_MESSAGE = "bad_message"
    WRONG_PROTOCOL = "wrong_protocol"
    UNKNOWN_GAME = "unknown_game"
    UNKNOWN_TOKEN = "unknown_token"
    GAME_OVER = "game_over"
    FULL = "full"
    BAD_SCENARIO = "bad_scenario"
    TOO_LARGE = "too_large"
    TOO_SLOW = "too_slow"
    TOO_FAST = "too_fast"
    TOO_MANY = "too_many"
    TIMEOUT = "timeout"
    SHUTTING_DOWN = "shutting_down"
    STORE_FAILED = "store_failed"
    REPLACED = "replaced"
    INTERNAL = "internal"
    STORE_UNAVAILABLE = "store_unavailable"
    DAMAGED = "damaged"
    ACCOUNT_REQUIRED = "account_required"
    NAME_TAKEN = "name_taken"
    DENIED = "denied"


@dataclass(frozen=True, slots=True)
class Refused:
    reason: Reason
    message: str

    @classmethod
    def read(cls, value: object) -> Refused:
        return cls(
            reason=reading.field(value, "reason", reading.word(Reason)),
            message=reading.field(value, "message", reading.text),
        )


@dataclass(frozen=True, slots=True)
class Spectators:
    value: int

    @classmethod
    def read(cls, value: object) -> Spectators:
        return cls(reading.integer(value))


@dataclass(frozen=True, slots=True)
class Thinks:
    value: str | None

    @classmethod
    def read(cls, value: object) -> Thinks:
        return cls(reading.optional(reading.text)(value))


@dataclass(frozen=True, slots=True)
class Reported:
    value: int

    @classmethod
    def read(cls, value: object) -> Reported:
        return cls(reading.integer(value))


News: TypeAlias = (
    Snapshot
    | Presence
    | Spectators
    | Thinks
    | ChatLine
    | Refused
    | Reported
)


_NEWS: dict[str, Callable[[object], News]] = {
    "snapshot": Snapshot.read,
    "presence": Presence.read,
    "spectators": Spectators.read,
    "thinks": Thinks.read,
    "chat": ChatLine.read,
    "refused": Refused.read,
    "reported": Reported.read,
}


def read_news(value: object) -> News:
    return reading.variant(value, _NEWS)


@dataclass(frozen=True, slots=True)
class Offered:
    number: int
    after: int
    offers: str

    @classmethod
    def read(cls, value: object) -> Offered:
        return cls(
            number=reading.field(value, "number", reading.integer),
            after=reading.field(value, "after", reading.integer),
            offers=reading.field(value, "offers", reading.text),
        )


@dataclass(frozen=True, slots=True)
class Welcome:
    protocol: int
    game: str
    next: int
    rulebook: str
    edition: str
    commands: int
    client: int | None = None
    token: str | None = None
    scenario: str | None = None

    @classmethod
    def read(cls, value: object) -> Welcome:
        return cls(
            protocol=reading.field(value, "protocol", reading.integer),
            game=reading.field(value, "game", reading.text),
            client=reading.field(value, "client", reading.optional(reading.integer)),
            token=reading.field(value, "token", reading.optional(reading.text)),
            next=reading.field(value, "next", reading.integer),
            rulebook=reading.field(value, "rulebook", reading.text),
            edition=reading.field(value, "edition", reading.text),
            commands=reading.field(value, "commands", reading.integer),
            scenario=reading.field(value, "scenario", reading.optional(reading.text)),
        )


@dataclass(frozen=True, slots=True)
class Told:
    number: int
    event: object
    text: str | None = None

    @classmethod
    def read(cls, value: object) -> Told:
        return cls(
            number=reading.field(value, "number", reading.integer),
            event=reading.field(value, "event", reading.anything),
            text=reading.field(value, "text", reading.optional(reading.text)),
        )


@dataclass(frozen=True, slots=True)
class Games:
    value: tuple[GameInfo, ...]

    @classmethod
    def read(cls, value: object) -> Games:
        return cls(reading.listing(GameInfo.read)(value))


@dataclass(frozen=True, slots=True)
class Pong:
    value: int

    @classmethod
    def read(cls, value: object) -> Pong:
        return cls(reading.integer(value))


@dataclass(frozen=True, slots=True)
class Closing:
    value: Refused

    @classmethod
    def read(cls, value: object) -> Closing:
        return cls(Refused.read(value))


@dataclass(frozen=True, slots=True)
class Notice:
    value: News

    @classmethod
    def read(cls, value: object) -> Notice:
        return cls(read_news(value))


ToClient: TypeAlias = (
    Welcome
    | Games
    | Told
    | Pong
    | Refused
    | Closing
    | Offered
    | Notice
    | Access
)


_TO_CLIENT: dict[str, Callable[[object], ToClient]] = {
    "welcome": Welcome.read,
    "games": Games.read,
    "event": Told.read,
    "pong": Pong.read,
    "refused": Refused.read,
    "closing": Closing.read,
    "offers": Offered.read,
    "notice": Notice.read,
    "managed": Access.read,
}


def read_to_client(value: object) -> ToClient:
    return reading.variant(value, _TO_CLIENT)

"""A client's place in a game, over any number of connections. It makes and reads messages, and does no IO."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Generic, Protocol, Self, TypeAlias, TypeVar, assert_never, cast

from . import errors, messages
from .messages import (
    PROTOCOL,
    Access,
    Closing,
    Command,
    Create,
    FromClient,
    Games,
    Hello,
    Join,
    Notice,
    Offered,
    Offers,
    Ping,
    Pong,
    Reason,
    Refused,
    Resume,
    ToClient,
    Want,
    Watch,
    Welcome,
    read_to_client,
)


EventT = TypeVar("EventT")


class Sent(Protocol):
    """A command of any rulebook."""

    def to_json(self) -> object: ...


class Kept(Protocol):
    """The state that a client keeps from its events."""

    @property
    def is_over(self) -> bool: ...
    def welcome(self, welcome: Welcome) -> None: ...
    def apply(self, event: Any, text: str | None = None) -> None: ...


@dataclass(frozen=True, slots=True)
class Told(Generic[EventT]):
    """An event, its number in the client's stream, and its words for people."""

    number: int
    event: EventT
    text: str | None = None


Heard: TypeAlias = Welcome | Games | Told[EventT] | Pong | Offered | Notice | Access


class Place(Generic[EventT]):
    """Made by `create`, `join`, `watch` or `resume`, and opened by a client.

    This one is in a game of any rulebook, and its events are what their JSON says. The package of a rulebook has a place of its
    own, which knows more.
    """

    def __init__(self, want: Want, game: str | None, *, board: bool, view: Kept | None) -> None:
        self.want = want
        self.game = game
        #: The rulebook, once the server has sent it.
        self.rulebook: str | None = None
        self.board = board
        #: The view, updated by every event.
        self.view = view
        self.client: int | None = None
        #: The secret that resumes this place: a process that has it is this client.
        self.token: str | None = want.token if isinstance(want, Resume) else None
        #: The number of the last event.
        self.seen = want.seen if isinstance(want, Resume | Watch) else 0
        #: How many commands of this client the server had taken when it was last asked, and how many it has if it took
        #: all that were sent since.
        self.taken = self.sent = 0

    @classmethod
    def create(
        cls,
        scenario: str,
        *,
        rulebook: str | None = None,
        edition: str | None = None,
        seed: int | None = None,
        timeout: int | None = None,
        board: bool = True,
    ) -> Self:
        """Creates a game of a scenario: a name that the server knows, or the whole text. `timeout` is in milliseconds."""
        want = Create(scenario, rulebook, edition, seed, timeout)
        return cls(want, None, board=board, view=cls.new_view() if board else None)

    @classmethod
    def join(cls, game: str | None = None, *, seat: int | None = None, board: bool = True) -> Self:
        """Joins a game, or the only one; `seat` claims the seat of a player of the game before a fork."""
        return cls(Join(seat), game, board=board, view=cls.new_view() if board else None)

    @classmethod
    def watch(cls, game: str | None = None, *, seen: int = 0) -> Self:
        """Watches a game. There is a view only from event 1 on."""
        return cls(Watch(seen), game, board=True, view=cls.new_view() if seen == 0 else None)

    @classmethod
    def resume(cls, game: str, token: str, *, seen: int = 0, board: bool = True) -> Self:
        """Resumes the place of a token. Ask for the board as before. There is a view only from event 1 on."""
        return cls(Resume(token, seen), game, board=board, view=cls.new_view() if board and seen == 0 else None)

    def hello(self) -> bytes:
        """The first message of a connection, for the first time or again."""
        want = self.want
        if self.token is not None:
            want = Resume(self.token, self.seen)
        elif isinstance(want, Watch):
            want = Watch(self.seen)
        return self.line(Hello(PROTOCOL, want, self.game, self.board))

    @classmethod
    def new_view(cls) -> Kept | None:
        """The view, if events are received from number 1 on."""
        return None

    def read_event(self, event: object) -> EventT:
        """Reads an event of the rulebook."""
        return cast(EventT, event)

    def refusal(self, event: EventT) -> object | None:
        """The refusal in an event, if it has one."""
        return None

    def command(self, command: Sent) -> bytes:
        self.sent += 1
        return self.line(Command(command.to_json()))

    def ping(self, number: int) -> bytes:
        return self.line(Ping(number))

    def ask_offers(self, number: int) -> bytes:
        return self.line(Offers(number))

    @staticmethod
    def line(message: FromClient) -> bytes:
        return json.dumps(message.to_json(), separators=(",", ":")).encode() + b"\n"

    def take(self, line: bytes) -> Heard[EventT]:
        """Reads a line. A refusal and the end of the connection are errors."""
        message = _parse(line)
        match message:
            case Welcome():
                self.game, self.client = message.game, message.client
                # The server does not repeat the token to a client that resumes.
                self.token = message.token or self.token
                self.rulebook = message.rulebook
                self.taken = self.sent = message.commands
                if self.view is not None:
                    self.view.welcome(message)
                return message
            case messages.Told():
                return self._told(message)
            case Refused(reason, words):
                # The game has not taken the command; `too_large` answers a request for offers.
                if reason is not Reason.TOO_LARGE:
                    self.sent -= 1
                raise errors.Refused(reason, words)
            case Closing(Refused(reason, words)):
                raise errors.Closed(reason, words)
            case Games() | Pong() | Offered() | Notice() | Access():
                return message
            case _:
                assert_never(message)

    def _told(self, message: messages.Told) -> Told[EventT]:
        if message.number != self.seen + 1:
            raise errors.BadMessage(f"event {message.number} came after event {self.seen}")
        told = Told(message.number, self.read_event(message.event), message.text)
        self.seen = told.number
        if self.view is not None:
            self.view.apply(told.event, told.text)
        return told


def _parse(line: bytes) -> ToClient:
    if line.startswith(b"HTTP/"):
        raise errors.BadMessage("the server answers with HTTP: is this the port of its page, not that of the games?")
    try:
        value = json.loads(line)
    except ValueError as error:
        raise errors.BadMessage(f"the server sends a line that is no JSON: {error}") from None
    return read_to_client(value)

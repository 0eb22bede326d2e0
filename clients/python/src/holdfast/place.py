"""A client's place in a game, over any number of connections. Knows what to say and what was heard, and does no IO."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TypeAlias, assert_never

from . import errors, messages
from .colony import commands, events
from .colony.values import Edition
from .colony.view import View
from .messages import (
    PROTOCOL,
    Closing,
    Command,
    Create,
    FromClient,
    Games,
    Hello,
    Join,
    Ping,
    Pong,
    Refused,
    Resume,
    ToClient,
    Want,
    Watch,
    Welcome,
    read_to_client,
)


@dataclass(frozen=True, slots=True)
class Told:
    """An event, its number in the client's stream, and words that belong to it."""

    number: int
    event: events.Event
    text: str | None = None


Heard: TypeAlias = Welcome | Games | Told | Pong


class Place:
    """Made by `create`, `join`, `watch` or `resume`, and opened by a client."""

    def __init__(self, want: Want, game: str | None, *, board: bool, view: View | None) -> None:
        self.want = want
        self.game = game
        #: What is played, once the server has said it.
        self.rulebook: str | None = None
        self.board = board
        #: Kept from what is heard.
        self.view = view
        self.client: int | None = None
        #: Opens this place again; whoever has it is this client.
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
        edition: Edition | None = None,
        seed: int | None = None,
        timeout: int | None = None,
        board: bool = True,
    ) -> Place:
        """In a new game of a scenario: a name that the server has, or a whole text. `timeout` is in milliseconds."""
        want = Create(scenario, rulebook, edition, seed, timeout)
        return cls(want, None, board=board, view=View() if board else None)

    @classmethod
    def join(cls, game: str | None = None, *, seat: int | None = None, board: bool = True) -> Place:
        """In a game that is there, or the only one; `seat` claims that of somebody who played before a fork."""
        return cls(Join(seat), game, board=board, view=View() if board else None)

    @classmethod
    def watch(cls, game: str | None = None, *, seen: int = 0) -> Place:
        """To look at a game. There is a view only from event 1 on."""
        return cls(Watch(seen), game, board=True, view=View() if seen == 0 else None)

    @classmethod
    def resume(cls, game: str, token: str, *, seen: int = 0, board: bool = True) -> Place:
        """The one that a token stands for. Ask for the board as before. There is a view only from event 1 on."""
        return cls(Resume(token, seen), game, board=board, view=View() if board and seen == 0 else None)

    def hello(self) -> bytes:
        """What opens a connection: for the first time, or again."""
        want = self.want
        if self.token is not None:
            want = Resume(self.token, self.seen)
        elif isinstance(want, Watch):
            want = Watch(self.seen)
        return self.line(Hello(PROTOCOL, want, self.game, self.board))

    def command(self, command: commands.Command) -> bytes:
        self.sent += 1
        return self.line(Command(command.to_json()))

    def ping(self, number: int) -> bytes:
        return self.line(Ping(number))

    @staticmethod
    def line(message: FromClient) -> bytes:
        return json.dumps(message.to_json(), separators=(",", ":")).encode() + b"\n"

    def take(self, line: bytes) -> Heard:
        """What a line says. A refusal and the end of the connection are errors."""
        message = _parse(line)
        match message:
            case Welcome():
                self.game, self.client = message.game, message.client
                # Whoever resumes has the token, and is not told it again.
                self.token = message.token or self.token
                self.rulebook = message.rulebook
                self.taken = self.sent = message.commands
                if self.view is not None:
                    self.view.welcome(_edition(message), message.scenario)
                return message
            case messages.Told():
                return self._told(message)
            case Refused(reason, words):
                # Whatever it was, the game has not taken it.
                self.sent -= 1
                raise errors.Refused(reason, words)
            case Closing(Refused(reason, words)):
                raise errors.Closed(reason, words)
            case Games() | Pong():
                return message
            case _:
                assert_never(message)

    def _told(self, message: messages.Told) -> Told:
        if message.number != self.seen + 1:
            raise errors.BadMessage(f"event {message.number} came after event {self.seen}")
        told = Told(message.number, events.read(message.event), message.text)
        self.seen = told.number
        if self.view is not None:
            self.view.apply(told.event, told.text)
        return told


def _edition(welcome: Welcome) -> Edition:
    editions = [edition.value for edition in Edition] if welcome.rulebook == "colony" else []
    if welcome.edition not in editions:
        played = f"{welcome.rulebook} in the edition {welcome.edition}"
        raise errors.BadMessage(f"the server plays {played}, of which this client has no board")
    return Edition(welcome.edition)


def _parse(line: bytes) -> ToClient:
    if line.startswith(b"HTTP/"):
        raise errors.BadMessage("the server answers with HTTP: is this the port of its page, not that of the games?")
    try:
        value = json.loads(line)
    except ValueError as error:
        raise errors.BadMessage(f"the server sends a line that is no JSON: {error}") from None
    return read_to_client(value)

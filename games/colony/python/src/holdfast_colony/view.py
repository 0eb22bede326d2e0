"""What one client knows: the board, and what it alone was told."""

from __future__ import annotations

from enum import Enum, auto

from holdfast.errors import BadMessage, NoBoard
from holdfast.messages import Welcome

from . import events, refusals
from .board import Board
from .parse import parse_scenario
from .pieces import Player
from .values import Edition


class Asked(Enum):
    """What is awaited from the client."""

    #: Two of the four characters that are `offered`.
    CHARACTERS = auto()
    #: A command of its turn.
    ACT = auto()
    VOTE = auto()


class View:
    """A board from a client's own seat, once the scenario is known.

    board    what everybody may know
    me       the client's own Player on it, whose number is `player`
    asked    what is awaited from the client: Asked.CHARACTERS, ACT, VOTE, or None
    offered  the four characters to choose from, while they are asked for
    refused  why the last command was refused; None once something else has happened
    edition  which edition is played
    """

    def __init__(self) -> None:
        #: Which edition is played, once the server has said it.
        self.edition: Edition | None = None
        #: Which player the client is, once it has registered.
        self.player: int | None = None
        self.asked: Asked | None = None
        #: The four characters to choose from, while they are asked for.
        self.offered: tuple[int, ...] = ()
        #: Why the last command was refused; None once something else has happened.
        self.refused: refusals.Refusal | None = None
        self._board: Board | None = None
        #: What was told before the scenario.
        self._early: list[events.Event] = []

    @property
    def board(self) -> Board:
        if self._board is None:
            raise NoBoard("there is no board before the scenario, which only registered players get")
        return self._board

    @property
    def me(self) -> Player:
        """The client's own player."""
        if self.player is None:
            raise NoBoard("this client is no player: it has not registered")
        return self.board.players[self.player]

    @property
    def is_over(self) -> bool:
        return self._board is not None and self._board.outcome is not None

    def welcome(self, welcome: Welcome) -> None:
        """What the server says first: what is played, and to watchers the scenario."""
        self.edition = _edition(welcome)
        if self._board is None and welcome.scenario is not None:
            self._begin(welcome.scenario)

    def apply(self, event: events.Event, text: str | None = None) -> None:
        """An event, and the words that came with it."""
        if isinstance(event, events.Config) and self._board is None and text is not None:
            self._begin(text)
        if self._board is None:
            self._early.append(event)
        else:
            self._board.apply(event)
        match event:
            case events.Config():
                # `Config` answers a registration, which has just added the last player to the board.
                self.player = len(self.board.players) - 1
            case events.Characters(c0, c1, c2, c3):
                self.asked, self.offered = Asked.CHARACTERS, (c0, c1, c2, c3)
            case events.ActNow():
                self.asked = Asked.ACT
            case events.VoteNow():
                self.asked = Asked.VOTE
            case events.CharacterSpawned(player) if player == self.player and self.asked is Asked.CHARACTERS:
                self.asked, self.offered = None, ()
            case events.TurnEnded(player) | events.Left(player) if player == self.player:
                self.asked, self.offered = None, ()
            case events.VoteAsked() | events.VoteResult() | events.GameEnd() | events.RegistrationAborted():
                self.asked = None
            case events.CommandFailed(refusal):
                self.refused = refusal
                return
            case _:
                pass
        if not isinstance(event, events.ActNow | events.VoteNow):
            self.refused = None

    def _begin(self, scenario: str) -> None:
        self._board = Board(parse_scenario(scenario), self.edition)
        for event in self._early:
            self._board.apply(event)
        self._early.clear()


def _edition(welcome: Welcome) -> Edition:
    editions = [edition.value for edition in Edition] if welcome.rulebook == "colony" else []
    if welcome.edition not in editions:
        played = f"{welcome.rulebook} in the edition {welcome.edition}"
        raise BadMessage(f"the server plays {played}, of which this client has no board")
    return Edition(welcome.edition)

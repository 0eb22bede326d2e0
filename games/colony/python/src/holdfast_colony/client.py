"""The clients of colony: they know its events, fold them into a `View`, and are told when something is asked of them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import holdfast
from holdfast.errors import BadArgument, Closed, NoBoard
from holdfast.link import Link
from holdfast.messages import Reason
from holdfast.place import Sent
from holdfast.transport import Blocking, run

from . import commands, events
from .events import Event
from .pieces import Phase
from .refusals import Refusal
from .view import View

#: A bot that is refused this often in a row is stopped: it would never stop by itself.
MOST_REFUSALS = 50

Told = holdfast.Told


class Place(holdfast.Place[Event]):
    """Made by `create`, `join`, `watch` or `resume`, and opened by a client. Where it hears a game from event 1 on, it has a view."""

    @classmethod
    def new_view(cls) -> View:
        return View()

    def read_event(self, event: object) -> Event:
        return events.read(event)

    def refusal(self, event: Event) -> Refusal | None:
        return event.refusal if isinstance(event, events.CommandFailed) else None


class PlayerLink(Link[Event]):
    """What both kinds of client have in common."""

    #: What is asked was told by `turn`, and nothing was sent since.
    _turn_told = False
    #: How many answers to what `turn` told were refused, one after the other.
    _refusals = 0

    @property
    def view(self) -> View:
        if not isinstance(self.place.view, View):
            raise NoBoard("this connection did not ask for the board, or not from the first event on")
        return self.place.view

    async def send(self, command: Sent) -> None:
        """Sends a command and does not wait. If the connection is lost, so may be the command."""
        self._turn_told = False
        await super().send(command)

    async def register(self, name: str) -> list[Told[Event]]:
        """Takes part in the game under a name, and tells what happened until it was sure."""
        told: list[Told[Event]] = []
        while not any(isinstance(each.event, events.Config) for each in told):
            if self.over:
                raise Closed(Reason.GAME_OVER, self.farewell or "")
            await self.send(commands.Register(name))
            # A registration that was lost with a connection is sent again.
            more, _ = await self._barrier()
            self._raise_refusal(more)
            told += more
        return told

    async def start(self, players: int) -> None:
        """Waits until so many players take part, and starts the game, which starts by itself when there is no room left."""
        board = self.view.board
        room = board.scenario.max_players
        if players > room:
            raise BadArgument(f"the scenario has room for {room} players, not for {players}")
        while len(board.players) < players and board.phase is Phase.REGISTRATION and not self.over:
            await self.next()
        if board.phase is Phase.REGISTRATION and players < room:
            await self.send(commands.StartGame())

    async def turn(self) -> View | None:
        """The view, as soon as something is asked of this client; None once the game is over.

        What is asked is asked again if the answer was lost or refused. After 50 refusals in a row it is a `CommandRefused`.
        """
        if self._unanswered:
            told, _ = await self._barrier()
            self._refusals = self._refusals + 1 if self.view.refused else 0
            if self._refusals == MOST_REFUSALS:
                self._raise_refusal(told)
        if self._turn_told:
            await self.next()
        while not self.over:
            if self.view.asked is not None:
                self._turn_told = True
                return self.view
            await self.next()
        return None


class Client(PlayerLink, holdfast.Client[Event]):
    """A place in a game. Iterate over it for all events, or over `turns` for what is asked.

        async with Client("127.0.0.1:7700", Place.create("winter")) as client:
            await client.register("Ana")
    """

    async def turns(self) -> AsyncIterator[View]:
        """The view, whenever something is asked of this client, to the end of the game."""
        while (view := await self.turn()) is not None:
            yield view


class SyncClient(holdfast.SyncClient[Event]):
    """As `Client`, with functions that return when they are done.

        with SyncClient("127.0.0.1:7700", Place.create("winter")) as client:
            client.register("Ana")
    """

    _link: PlayerLink

    def _make_link(
        self, address: str, place: holdfast.Place[Event], transport: Blocking, patience: float
    ) -> PlayerLink:
        return PlayerLink(address, place, transport, patience)

    @property
    def view(self) -> View:
        return self._link.view

    def register(self, name: str) -> list[Told[Event]]:
        """Takes part in the game under a name, and tells what happened until it was sure."""
        return run(self._link.register(name))

    def start(self, players: int) -> None:
        """Waits until so many players take part, and starts the game, which starts by itself when there is no room left."""
        run(self._link.start(players))

    def turn(self) -> View | None:
        """The view, as soon as something is asked of this client; None once the game is over."""
        return run(self._link.turn())

    def turns(self) -> Iterator[View]:
        """The view, whenever something is asked of this client, to the end of the game."""
        while (view := self.turn()) is not None:
            yield view

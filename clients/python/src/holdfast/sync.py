"""The client for programs without an event loop. It uses no threads."""

from __future__ import annotations

import ssl
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Generic, Self

from .link import PATIENCE, Link, list_games
from .messages import GameInfo
from .offers import Offers
from .place import EventT, Kept, Place, Sent, Told
from .transport import Blocking, run


class SyncClient(Generic[EventT]):
    """Like `Client`, with blocking functions."""

    def __init__(
        self, address: str, place: Place[EventT], patience: float = PATIENCE, tls: ssl.SSLContext | None = None
    ) -> None:
        self._link = self._make_link(address, place, Blocking(tls), patience)

    def _make_link(self, address: str, place: Place[EventT], transport: Blocking, patience: float) -> Link[EventT]:
        return Link(address, place, transport, patience)

    @staticmethod
    def games(address: str, tls: ssl.SSLContext | None = None) -> tuple[GameInfo, ...]:
        """The open games of a server."""
        return run(list_games(address, Blocking(tls)))

    @property
    def place(self) -> Place[EventT]:
        return self._link.place

    @property
    def game(self) -> str | None:
        """The name of the game, once the server has sent it."""
        return self._link.game

    @property
    def view(self) -> Kept:
        return self._link.view

    @property
    def over(self) -> bool:
        """Whether the server has ended the stream."""
        return self._link.over

    @property
    def farewell(self) -> str | None:
        """The server's words at the end of the game."""
        return self._link.farewell

    @property
    def resumed(self) -> int:
        """The number of reconnects."""
        return self._link.resumed

    def open(self) -> None:
        """Connects for the first time, without retries."""
        run(self._link.open())

    def close(self) -> None:
        run(self._link.close())

    def send(self, command: Sent) -> None:
        """Sends a command without waiting. A command can be lost with the connection."""
        run(self._link.send(command))

    def next(self, timeout: float | None = None) -> Told[EventT] | None:
        """The next event; None once the game is over. Raises `TimeoutError` after `timeout` seconds without one."""
        return run(self._link.next(timeout))

    def ping(self) -> list[Told[EventT]]:
        """Waits until the server has handled all messages sent so far, and returns the events until then."""
        return run(self._link.ping())

    def play(self, command: Sent) -> list[Told[EventT]]:
        """Sends a command, waits until the server has handled it, and returns the events until then."""
        return run(self._link.play(command))

    @property
    def on_event(self) -> Callable[[Told[EventT]], None] | None:
        """Is called with every event that `offers` and `offer_turn` receive; other functions return the events."""
        return self._link.on_event

    @on_event.setter
    def on_event(self, then: Callable[[Told[EventT]], None] | None) -> None:
        self._link.on_event = then

    def offers(self) -> Offers | None:
        """What this client can do now, after all events so far; None once the game is over."""
        return run(self._link.offers())

    def offer_turn(self) -> Offers | None:
        """What this client can do, as soon as it can do something; None once the game is over."""
        return run(self._link.offer_turn())

    def offer_turns(self) -> Iterator[Offers]:
        """What this client can do, each time that it can do something, to the end of the game."""
        while (offers := self.offer_turn()) is not None:
            yield offers

    def __iter__(self) -> Iterator[Told[EventT]]:
        while (told := self.next()) is not None:
            yield told

    def __enter__(self) -> Self:
        self.open()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

"""The client for programs without an event loop. It uses no threads."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from types import TracebackType
from typing import Generic, Self

from .link import PATIENCE, Link, list_games
from .messages import GameInfo
from .place import EventT, Kept, Place, Sent, Told
from .transport import Blocking, run


class SyncClient(Generic[EventT]):
    """As `Client`, with functions that return when they are done."""

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
        """Its name, once the server has said it."""
        return self._link.game

    @property
    def view(self) -> Kept:
        return self._link.view

    @property
    def over(self) -> bool:
        """The server has said that nothing more comes."""
        return self._link.over

    @property
    def farewell(self) -> str | None:
        """The server's words at the end of the game."""
        return self._link.farewell

    @property
    def resumed(self) -> int:
        """How often the connection was lost and had again."""
        return self._link.resumed

    def open(self) -> None:
        """Connects for the first time, without patience."""
        run(self._link.open())

    def close(self) -> None:
        run(self._link.close())

    def send(self, command: Sent) -> None:
        """Sends a command and does not wait. If the connection is lost, so may be the command."""
        run(self._link.send(command))

    def next(self, timeout: float | None = None) -> Told[EventT] | None:
        """The next event; None once the game is over. After so many seconds without one it is a `TimeoutError`."""
        return run(self._link.next(timeout))

    def ping(self) -> list[Told[EventT]]:
        """Waits until everything was heard about what was sent so far, and tells the events of that time."""
        return run(self._link.ping())

    def play(self, command: Sent) -> list[Told[EventT]]:
        """Sends a command, waits until it was handled, and tells what happened by then."""
        return run(self._link.play(command))

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

"""Both kinds of client behind the same functions, so that every test is for both."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

import holdfast
from holdfast.link import PATIENCE
from holdfast_colony import Client, GameInfo, Place, SyncClient, Told, View, commands
from holdfast_colony.events import Event


class Player(Protocol):
    """What the tests use of a client."""

    @property
    def place(self) -> holdfast.Place[Event]: ...
    @property
    def game(self) -> str | None: ...
    @property
    def view(self) -> View: ...
    @property
    def farewell(self) -> str | None: ...
    @property
    def resumed(self) -> int: ...

    def close(self) -> None: ...
    def send(self, command: commands.Command) -> None: ...
    def next(self, timeout: float | None = None) -> Told[Event] | None: ...
    def ping(self) -> list[Told[Event]]: ...
    def play(self, command: commands.Command) -> list[Told[Event]]: ...
    def register(self, name: str) -> list[Told[Event]]: ...
    def turn(self) -> View | None: ...


class Kind(Protocol):
    def open(self, address: str, place: Place, patience: float = PATIENCE) -> Player: ...
    def games(self, address: str) -> tuple[GameInfo, ...]: ...


class SyncKind:
    def open(self, address: str, place: Place, patience: float = PATIENCE) -> Player:
        client = SyncClient(address, place, patience)
        client.open()
        return client

    def games(self, address: str) -> tuple[GameInfo, ...]:
        return SyncClient.games(address)


class AsyncKind:
    """Runs each call in one event loop."""

    def __init__(self, runner: asyncio.Runner) -> None:
        self.runner = runner

    def open(self, address: str, place: Place, patience: float = PATIENCE) -> Player:
        client = Client(address, place, patience)
        self.runner.run(client.open())
        return Driven(self.runner, client)

    def games(self, address: str) -> tuple[GameInfo, ...]:
        return self.runner.run(Client.games(address))


@contextmanager
def kinds() -> Iterator[list[Kind]]:
    with asyncio.Runner() as runner:
        yield [SyncKind(), AsyncKind(runner)]


class Driven:
    def __init__(self, runner: asyncio.Runner, client: Client) -> None:
        self.runner = runner
        self.client = client

    @property
    def place(self) -> holdfast.Place[Event]:
        return self.client.place

    @property
    def game(self) -> str | None:
        return self.client.game

    @property
    def view(self) -> View:
        return self.client.view

    @property
    def farewell(self) -> str | None:
        return self.client.farewell

    @property
    def resumed(self) -> int:
        return self.client.resumed

    def close(self) -> None:
        self.runner.run(self.client.close())

    def send(self, command: commands.Command) -> None:
        self.runner.run(self.client.send(command))

    def next(self, timeout: float | None = None) -> Told[Event] | None:
        return self.runner.run(self.client.next(timeout))

    def ping(self) -> list[Told[Event]]:
        return self.runner.run(self.client.ping())

    def play(self, command: commands.Command) -> list[Told[Event]]:
        return self.runner.run(self.client.play(command))

    def register(self, name: str) -> list[Told[Event]]:
        return self.runner.run(self.client.register(name))

    def turn(self) -> View | None:
        return self.runner.run(self.client.turn())

"""A client of one game over a transport. It reconnects if the connection is lost."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic

from .errors import BadArgument, BadMessage, Closed, CommandRefused, ConnectionLost, Interrupted, NoBoard, Refused
from .messages import GameInfo, Games, List, Notice, Offered, Pong, Reason, Welcome
from .offers import Offers, read_offers
from .place import EventT, Kept, Place, Sent, Told
from .transport import CONNECT, Quiet, Transport

#: Seconds between two attempts to reconnect: the first pause, and the longest.
FIRST_PAUSE, LONGEST_PAUSE = 0.05, 3.0

#: Seconds after which the client stops reconnecting.
PATIENCE = 60.0

#: Reasons after which reconnecting may help.
COME_BACK = {Reason.SHUTTING_DOWN, Reason.STORE_UNAVAILABLE, Reason.TOO_MANY, Reason.STORE_FAILED}


@dataclass(frozen=True, slots=True)
class Resumed:
    """The connection was lost and is open again."""


class Link(Generic[EventT]):
    """The shared part of `Client` and `SyncClient`."""

    def __init__(self, address: str, place: Place[EventT], transport: Transport, patience: float = PATIENCE) -> None:
        self.address = address
        self.place = place
        self.patience = patience
        #: The number of reconnects.
        self.resumed = 0
        #: The server's words at the end of the game.
        self.farewell: str | None = None
        #: Is called with every event that `offers` and `offer_turn` receive; other functions return the events.
        self.on_event: Callable[[Told[EventT]], None] | None = None
        self._transport = transport
        self._connected = False
        self._pings = 0
        #: The number of the last request for offers.
        self._requests = 0
        #: Offers were told by `offer_turn`, and nothing was sent since.
        self._offers_told = False
        #: A command was sent, and its answer has not been awaited yet.
        self._unanswered = False

    @property
    def game(self) -> str | None:
        """The name of the game, once the server has sent it."""
        return self.place.game

    @property
    def view(self) -> Kept:
        if self.place.view is None:
            raise NoBoard("this connection did not ask for the board, or not from the first event on")
        return self.place.view

    @property
    def over(self) -> bool:
        """Whether the server has ended the stream."""
        return self.farewell is not None

    async def open(self) -> None:
        """Connects for the first time, without retries."""
        try:
            await self._open()
        except OSError as error:
            raise ConnectionLost(f"no connection to {self.address}: {error or type(error).__name__}") from error

    async def close(self) -> None:
        self._connected = False
        await self._transport.close()

    async def send(self, command: Sent) -> None:
        """Sends a command without waiting. A command can be lost with the connection."""
        self._unanswered = True
        self._offers_told = False
        await self._write(self.place.command(command))

    async def next(self, timeout: float | None = None) -> Told[EventT] | None:
        """The next event; None once the game is over. Raises `TimeoutError` after `timeout` seconds without one."""
        deadline = None if timeout is None else time.monotonic() + timeout
        while True:
            left = None if deadline is None else max(0.0, deadline - time.monotonic())
            try:
                heard = await self._receive(left)
            except Quiet:
                raise TimeoutError(f"no event in {timeout} s") from None
            if isinstance(heard, Told | None):
                return heard

    async def ping(self) -> list[Told[EventT]]:
        """Waits until the server has handled all messages sent so far, and returns the events until then."""
        told, _ = await self._barrier()
        return told

    async def play(self, command: Sent) -> list[Told[EventT]]:
        """Sends a command, waits until the server has handled it, and returns the events until then."""
        await self.send(command)
        number = self.place.sent
        told, resumed = await self._barrier()
        if resumed and self.place.taken < number:
            raise Interrupted(told)
        self._raise_refusal(told)
        return told

    async def offers(self) -> Offers | None:
        """What this client can do now, after all events so far; None once the game is over."""
        await self._ask_offers()
        while True:
            match await self._receive_in_play():
                case Offered(number, after, text) if number == self._requests:
                    if after == self.place.seen:
                        return read_offers(text)
                    # An event after the answer makes it old.
                    await self._ask_offers()
                case Resumed():
                    await self._ask_offers()
                case Told() as told:
                    self._hear(told)
                case Offered() | Pong():
                    pass
                case None:
                    return None

    async def offer_turn(self) -> Offers | None:
        """What this client can do, as soon as it can do something; None once the game is over.

        Called again before anything was sent, it waits for the next event.
        """
        while True:
            if self._offers_told:
                self._offers_told = False
                told = await self._receive_in_play()
                if told is None:
                    return None
                if isinstance(told, Told):
                    self._hear(told)
                elif not isinstance(told, Resumed):
                    self._offers_told = True
                    continue
            offers = await self.offers()
            self._offers_told = True
            if offers is None or offers.choices:
                return offers

    def _hear(self, told: Told[EventT]) -> None:
        if self.on_event is not None:
            self.on_event(told)

    async def _ask_offers(self) -> None:
        self._requests += 1
        await self._write(self.place.ask_offers(self._requests))

    async def _receive_in_play(self) -> Told[EventT] | Pong | Offered | Resumed | None:
        while True:
            try:
                return await self._receive(None)
            except Refused as refused:
                # A command that came after the end; the end itself is still to come.
                if refused.reason is not Reason.GAME_OVER:
                    raise

    async def _barrier(self) -> tuple[list[Told[EventT]], bool]:
        """Sends a ping and receives everything before its answer. Returns also whether the connection was lost meanwhile."""
        told: list[Told[EventT]] = []
        resumed = False
        await self._ping()
        while True:
            match await self._receive(None):
                case Told() as event:
                    told.append(event)
                case Pong(number) if number == self._pings:
                    break
                case Resumed():
                    resumed = True
                    await self._ping()
                case Pong() | Offered():
                    pass
                case None:
                    break
        self._unanswered = False
        return told, resumed

    def _raise_refusal(self, told: list[Told[EventT]]) -> None:
        for each in told:
            if (refusal := self.place.refusal(each.event)) is not None:
                raise CommandRefused(refusal, each.text or "the command was refused")

    async def _ping(self) -> None:
        self._pings += 1
        await self._write(self.place.ping(self._pings))

    async def _write(self, data: bytes) -> None:
        """Drops messages that cannot be written; the next read reconnects."""
        if self.over or not self._connected:
            return
        try:
            await self._transport.write(data)
        except OSError:
            await self.close()

    async def _receive(self, timeout: float | None) -> Told[EventT] | Pong | Offered | Resumed | None:
        if self.over:
            return None
        cause: Exception = ConnectionResetError("it is not open")
        if self._connected:
            try:
                heard = self.place.take(await self._transport.read_line(timeout))
                while isinstance(heard, Notice):
                    # This client asks for none.
                    heard = self.place.take(await self._transport.read_line(timeout))
                if isinstance(heard, Told | Pong | Offered):
                    return heard
                raise BadMessage(f"an event is expected, not {heard}")
            except OSError as error:
                cause = error
            except Closed as closed:
                if closed.reason is Reason.GAME_OVER:
                    await self._end(closed.message)
                    return None
                if closed.reason not in COME_BACK:
                    await self.close()
                    raise
                cause = closed
        await self.close()
        if self.place.view is not None and self.place.view.is_over:
            await self._end("The game is over.")
            return None
        await self._reopen(cause)
        return Resumed()

    async def _end(self, words: str) -> None:
        self.farewell = words
        await self.close()

    async def _open(self) -> None:
        host, port = _split(self.address)
        try:
            await self._transport.connect(host, port)
            await self._transport.write(self.place.hello())
            heard = self.place.take(await self._transport.read_line(CONNECT))
            if not isinstance(heard, Welcome):
                raise BadMessage(f"a welcome is expected, not {heard}")
        except Quiet:
            await self.close()
            raise TimeoutError(f"no welcome in {CONNECT:g} s") from None
        except BaseException:
            await self.close()
            raise
        self._connected = True

    async def _reopen(self, cause: Exception) -> None:
        """Tries to reconnect, with growing pauses."""
        started, pause = time.monotonic(), FIRST_PAUSE
        while True:
            try:
                await self._open()
                self.resumed += 1
                return
            except OSError as error:
                cause = error
            except (Refused, Closed) as error:
                if error.reason not in COME_BACK:
                    raise
                cause = error
            if time.monotonic() - started + pause > self.patience:
                raise ConnectionLost(
                    f"the connection to {self.address} was lost and not had again in {self.patience:g} s: {cause}"
                ) from cause
            # Jitter: clients must not reconnect all at the same moment.
            await self._transport.sleep(pause * random.uniform(0.5, 1.0))
            pause = min(2 * pause, LONGEST_PAUSE)


async def list_games(address: str, transport: Transport) -> tuple[GameInfo, ...]:
    """The open games of a server."""
    host, port = _split(address)
    place: Place[object] = Place(List(), None, board=False, view=None)
    try:
        await transport.connect(host, port)
        await transport.write(place.hello())
        answer = place.take(await transport.read_line(CONNECT))
    except (OSError, Quiet) as error:
        raise ConnectionLost(f"no list of games from {address}: {error or type(error).__name__}") from error
    finally:
        await transport.close()
    if not isinstance(answer, Games):
        raise BadMessage(f"the list of games is expected, not {answer}")
    return answer.value


def _split(address: str) -> tuple[str, int]:
    """Host and port, such as 127.0.0.1:7700 or [::1]:7700."""
    host, colon, port = address.rpartition(":")
    if not colon or not (port.isdecimal() and int(port) < 65536):
        raise BadArgument(f"an address is HOST:PORT, not {address!r}")
    return host.strip("[]"), int(port)

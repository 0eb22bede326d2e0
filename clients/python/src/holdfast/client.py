"""The client for asyncio."""

from __future__ import annotations

import ssl
from collections.abc import AsyncIterator
from types import TracebackType
from typing import Self

from .link import PATIENCE, Link, list_games
from .messages import GameInfo
from .offers import Offers
from .place import EventT, Place, Told
from .transport import Asynchronous


class Client(Link[EventT]):
    """A place in a game. Iterate over it for all events."""

    def __init__(
        self, address: str, place: Place[EventT], patience: float = PATIENCE, tls: ssl.SSLContext | None = None
    ) -> None:
        super().__init__(address, place, Asynchronous(tls), patience)

    @staticmethod
    async def games(address: str, tls: ssl.SSLContext | None = None) -> tuple[GameInfo, ...]:
        """The open games of a server."""
        return await list_games(address, Asynchronous(tls))

    async def __aiter__(self) -> AsyncIterator[Told[EventT]]:
        while (told := await self.next()) is not None:
            yield told

    async def offer_turns(self) -> AsyncIterator[Offers]:
        """What this client can do, each time that it can do something, to the end of the game."""
        while (offers := await self.offer_turn()) is not None:
            yield offers

    async def __aenter__(self) -> Self:
        await self.open()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

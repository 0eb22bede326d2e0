"""The client for asyncio."""

from __future__ import annotations

import ssl
from collections.abc import AsyncIterator
from types import TracebackType

from .colony.view import View
from .link import PATIENCE, Link, list_games
from .messages import GameInfo
from .place import Place, Told
from .transport import Asynchronous


class Client(Link):
    """A place in a game. Iterate over it for all events, or over `turns` for what is asked.

        async with Client("127.0.0.1:7700", Place.create("winter")) as client:
            await client.register("Ana")
    """

    def __init__(
        self, address: str, place: Place, patience: float = PATIENCE, tls: ssl.SSLContext | None = None
    ) -> None:
        super().__init__(address, place, Asynchronous(tls), patience)

    @staticmethod
    async def games(address: str, tls: ssl.SSLContext | None = None) -> tuple[GameInfo, ...]:
        """The open games of a server."""
        return await list_games(address, Asynchronous(tls))

    async def turns(self) -> AsyncIterator[View]:
        """The view, whenever something is asked of this client, to the end of the game."""
        while (view := await self.turn()) is not None:
            yield view

    async def __aiter__(self) -> AsyncIterator[Told]:
        while (told := await self.next()) is not None:
            yield told

    async def __aenter__(self) -> Client:
        await self.open()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

"""Plays games on a Holdfast server.

A `Place` says which game; `Client` (asyncio) and `SyncClient` (blocking) take it, and keep it over lost connections. They ask the server
what they can do (`offer_turns`), so they play games of every rulebook. The package of a rulebook, such as `holdfast_colony`, has its messages as classes, and perhaps clients that know more of it.
"""

from .client import Client
from .errors import (
    BadArgument,
    BadMessage,
    Closed,
    CommandRefused,
    ConnectionLost,
    HoldfastError,
    Interrupted,
    NoBoard,
    Refused,
)
from .messages import GameInfo, Reason
from .offers import Argument, Choice, Offers, RawCommand
from .place import Place, Told
from .sync import SyncClient
from .transport import pinned

__all__ = [
    "Argument",
    "BadArgument",
    "BadMessage",
    "Choice",
    "Client",
    "Closed",
    "CommandRefused",
    "ConnectionLost",
    "GameInfo",
    "HoldfastError",
    "Interrupted",
    "NoBoard",
    "Offers",
    "Place",
    "RawCommand",
    "Reason",
    "Refused",
    "SyncClient",
    "Told",
    "pinned",
]

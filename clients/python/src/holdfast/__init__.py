"""Plays games on a Holdfast server.

A `Place` says which game; `Client` (asyncio) and `SyncClient` (blocking) take it, and keep it over lost connections. The package of a
rulebook, such as `holdfast_colony`, has its messages as classes, and perhaps clients that know more of it.
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
from .place import Place, Told
from .sync import SyncClient

__all__ = [
    "BadArgument",
    "BadMessage",
    "Client",
    "Closed",
    "CommandRefused",
    "ConnectionLost",
    "GameInfo",
    "HoldfastError",
    "Interrupted",
    "NoBoard",
    "Place",
    "Reason",
    "Refused",
    "SyncClient",
    "Told",
]

"""Plays games on a Holdfast server.

A `Place` says which game; `Client` (asyncio) and `SyncClient` (blocking) take it, keep it over lost connections, and
fold what they hear into a `View`. The README has a start in five minutes.
"""

from .client import Client
from .colony import commands, events, refusals
from .colony.board import Board
from .colony.parse import parse_scenario
from .colony.pieces import Life, Outcome, Phase
from .colony.scenario import CardKind, Scenario
from .colony.values import CrisisKind, Edition
from .colony.view import Asked, View
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
    "Asked",
    "BadArgument",
    "BadMessage",
    "Board",
    "CardKind",
    "Client",
    "Closed",
    "CommandRefused",
    "ConnectionLost",
    "CrisisKind",
    "Edition",
    "GameInfo",
    "HoldfastError",
    "Interrupted",
    "Life",
    "NoBoard",
    "Outcome",
    "Phase",
    "Place",
    "Reason",
    "Refused",
    "Scenario",
    "SyncClient",
    "Told",
    "View",
    "commands",
    "events",
    "parse_scenario",
    "refusals",
]

"""The rulebook colony: its messages, its scenario, the board that everybody may see, and clients that play it.

A `Place` says which game; `Client` (asyncio) and `SyncClient` (blocking) take it, keep it over lost connections, and
fold what they hear into a `View`. The README has a start in five minutes.
"""

from holdfast import (
    BadArgument,
    BadMessage,
    Closed,
    CommandRefused,
    ConnectionLost,
    GameInfo,
    HoldfastError,
    Interrupted,
    NoBoard,
    Reason,
    Refused,
)

from . import commands, events, refusals
from .board import Board
from .client import Client, Place, SyncClient, Told
from .parse import parse_scenario
from .pieces import Life, Outcome, Phase
from .scenario import CardKind, Scenario
from .values import CrisisKind, Edition
from .view import Asked, View

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

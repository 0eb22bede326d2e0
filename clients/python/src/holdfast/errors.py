"""The errors of this package. Each is a `HoldfastError` with the words of the server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .messages import Reason
    from .place import Told


class HoldfastError(Exception):
    """Any error of this package."""


class Refused(HoldfastError):
    """The server refused a message. Nothing has changed, and the connection stays open."""

    def __init__(self, reason: Reason, message: str) -> None:
        super().__init__(f"{reason}: {message}")
        self.reason = reason
        self.message = message


class Closed(HoldfastError):
    """The server closed the connection, and reconnecting cannot help."""

    def __init__(self, reason: Reason, message: str) -> None:
        super().__init__(f"{reason}: {message}")
        self.reason = reason
        self.message = message


class CommandRefused(HoldfastError):
    """The rules do not allow a command; the words say what would work."""

    def __init__(self, refusal: object, message: str) -> None:
        super().__init__(message)
        #: The refusal of the rulebook.
        self.refusal = refusal
        self.message = message


class Interrupted(HoldfastError):
    """A command was lost with the connection, which is open again: the game has not taken it.

    `told` is what was heard by then.
    """

    def __init__(self, told: list[Told[Any]]) -> None:
        super().__init__("the command was lost with the connection, which is there again")
        self.told = told


class ConnectionLost(HoldfastError):
    """The connection is lost and could not be opened again in time."""


class BadMessage(HoldfastError):
    """The server sent a message that this client does not know."""


class BadArgument(HoldfastError, ValueError):
    """An argument is wrong: a bad address, or more players than the scenario allows."""


class NoBoard(HoldfastError):
    """There is no board: it was not asked for, or the scenario is not known yet."""

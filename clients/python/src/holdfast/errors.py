"""What can go wrong. Every error of this package is a `HoldfastError`, and says what the server said."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .messages import Reason
    from .place import Told


class HoldfastError(Exception):
    """Something that a game on a server cannot go on with, or a command that was not taken."""


class Refused(HoldfastError):
    """The server did not take a message. Nothing has changed, and the connection goes on."""

    def __init__(self, reason: Reason, message: str) -> None:
        super().__init__(f"{reason}: {message}")
        self.reason = reason
        self.message = message


class Closed(HoldfastError):
    """The server closed the connection, and there is no use in coming back."""

    def __init__(self, reason: Reason, message: str) -> None:
        super().__init__(f"{reason}: {message}")
        self.reason = reason
        self.message = message


class CommandRefused(HoldfastError):
    """The rules do not allow a command; the words say what would work."""

    def __init__(self, refusal: object, message: str) -> None:
        super().__init__(message)
        #: What the rulebook says of it.
        self.refusal = refusal
        self.message = message


class Interrupted(HoldfastError):
    """A command was lost with the connection, which is there again: the game has not taken it.

    `told` is what was heard by then.
    """

    def __init__(self, told: list[Told]) -> None:
        super().__init__("the command was lost with the connection, which is there again")
        self.told = told


class ConnectionLost(HoldfastError):
    """There is no connection, and it could not be had again in time."""


class BadMessage(HoldfastError):
    """What the server sent is no message that this client knows."""


class BadArgument(HoldfastError, ValueError):
    """What was asked for cannot be: an address that is none, or more players than the scenario has room for."""


class NoBoard(HoldfastError):
    """There is no board: it was not asked for, or the scenario is not known yet."""

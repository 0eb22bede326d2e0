"""What can go wrong. Every error of this package is a `HoldfastError`, and says what the server said."""

from __future__ import annotations


class HoldfastError(Exception):
    """Something that a game on a server cannot go on with, or a command that was not taken."""


class BadMessage(HoldfastError):
    """What the server sent is no message that this client knows."""


class ConnectionLost(HoldfastError):
    """There is no connection, and it could not be had again in time."""


class NoScenario(HoldfastError):
    """There is no board yet: the scenario comes with the answer to `Register`."""

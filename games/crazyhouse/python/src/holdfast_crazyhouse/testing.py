"""Tests of servers of crazyhouse: a method for each command and event.

Written by generate.py from docs/protocol.json.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from holdfast import testkit
from holdfast.testkit import ANY

class Client(testkit.Client):
    """A client of a game of crazyhouse."""

    def send_join(self, name: str, side: Any | None = None) -> None:
        arguments: list[object] = [name, side]
        while arguments and arguments[-1] is None:
            arguments.pop()
        self.send("Join", *arguments)

    def send_move(self, text: str) -> None:
        self.send("Move", text)

    def send_offer_draw(self) -> None:
        self.send("OfferDraw")

    def send_accept_draw(self) -> None:
        self.send("AcceptDraw")

    def send_decline_draw(self) -> None:
        self.send("DeclineDraw")

    def send_resign(self, because: str | None = None) -> None:
        arguments: list[object] = [because]
        while arguments and arguments[-1] is None:
            arguments.pop()
        self.send("Resign", *arguments)

    def send_abort(self) -> None:
        self.send("Abort")

    def send_ask_takeback(self) -> None:
        self.send("AskTakeback")

    def send_allow_takeback(self) -> None:
        self.send("AllowTakeback")

    def send_refuse_takeback(self) -> None:
        self.send("RefuseTakeback")

    def send_claim(self) -> None:
        self.send("Claim")

    def assert_seated(self, side: Any = ANY) -> list[Any]:
        return self.assert_event("Seated", side)

    def until_seated(self, side: Any = ANY) -> list[Any]:
        return self.assert_event("Seated", side, until=True)

    def assert_refused(self, text: Any = ANY) -> list[Any]:
        return self.assert_event("Refused", text)

    def until_refused(self, text: Any = ANY) -> list[Any]:
        return self.assert_event("Refused", text, until=True)

    def assert_joined(self, side: Any = ANY, name: Any = ANY) -> list[Any]:
        return self.assert_event("Joined", side, name)

    def until_joined(self, side: Any = ANY, name: Any = ANY) -> list[Any]:
        return self.assert_event("Joined", side, name, until=True)

    def assert_began(self, white: Any = ANY, black: Any = ANY, position: Any = ANY, clock: Any = ANY) -> list[Any]:
        return self.assert_event("Began", white, black, position, clock)

    def until_began(self, white: Any = ANY, black: Any = ANY, position: Any = ANY, clock: Any = ANY) -> list[Any]:
        return self.assert_event("Began", white, black, position, clock, until=True)

    def assert_moved(self, side: Any = ANY, text: Any = ANY, position: Any = ANY, check: Any = ANY, left: Any = ANY) -> list[Any]:
        return self.assert_event("Moved", side, text, position, check, left)

    def until_moved(self, side: Any = ANY, text: Any = ANY, position: Any = ANY, check: Any = ANY, left: Any = ANY) -> list[Any]:
        return self.assert_event("Moved", side, text, position, check, left, until=True)

    def assert_draw_offered(self, side: Any = ANY) -> list[Any]:
        return self.assert_event("DrawOffered", side)

    def until_draw_offered(self, side: Any = ANY) -> list[Any]:
        return self.assert_event("DrawOffered", side, until=True)

    def assert_draw_declined(self, side: Any = ANY) -> list[Any]:
        return self.assert_event("DrawDeclined", side)

    def until_draw_declined(self, side: Any = ANY) -> list[Any]:
        return self.assert_event("DrawDeclined", side, until=True)

    def assert_finished(self, text: Any = ANY) -> list[Any]:
        return self.assert_event("Finished", text)

    def until_finished(self, text: Any = ANY) -> list[Any]:
        return self.assert_event("Finished", text, until=True)

    def assert_takeback_asked(self, side: Any = ANY) -> list[Any]:
        return self.assert_event("TakebackAsked", side)

    def until_takeback_asked(self, side: Any = ANY) -> list[Any]:
        return self.assert_event("TakebackAsked", side, until=True)

    def assert_takeback_refused(self, side: Any = ANY) -> list[Any]:
        return self.assert_event("TakebackRefused", side)

    def until_takeback_refused(self, side: Any = ANY) -> list[Any]:
        return self.assert_event("TakebackRefused", side, until=True)

    def assert_taken_back(self, side: Any = ANY, moves: Any = ANY, position: Any = ANY, white_left: Any = ANY, black_left: Any = ANY) -> list[Any]:
        return self.assert_event("TakenBack", side, moves, position, white_left, black_left)

    def until_taken_back(self, side: Any = ANY, moves: Any = ANY, position: Any = ANY, white_left: Any = ANY, black_left: Any = ANY) -> list[Any]:
        return self.assert_event("TakenBack", side, moves, position, white_left, black_left, until=True)


def game(
    scenario: str,
    *,
    seed: int,
    players: Sequence[str],
    edition: str | None = None,
    timeout: int | None = None,
) -> testkit.Game[Client]:
    """Starts a game: `with game("winter", seed=7, players=["Ana", "Bo"]) as (ana, bo): ..`."""
    return testkit.Game(Client, "crazyhouse", scenario, seed=seed, players=players, edition=edition, timeout=timeout)

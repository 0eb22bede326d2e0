"""Tests of servers of project: a method for each command and event.

Written by generate.py from docs/protocol.json.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from holdfast import testkit
from holdfast.testkit import ANY

class Client(testkit.Client):
    """A client of a game of project."""

    def send_join(self, hash: str) -> None:
        self.send("Join", hash)

    def send_choose_team(self, id: str, team: Any) -> None:
        self.send("ChooseTeam", id, team)

    def send_move(self, id: str, direction: Any) -> None:
        self.send("Move", id, direction)

    def send_discover(self, id: str) -> None:
        self.send("Discover", id)

    def send_pick_up(self, id: str) -> None:
        self.send("PickUp", id)

    def send_test(self, id: str) -> None:
        self.send("Test", id)

    def send_place(self, id: str) -> None:
        self.send("Place", id)

    def send_lost(self) -> None:
        self.send("Lost")

    def send_fail(self, because: str) -> None:
        self.send("Fail", because)

    def send_exchanged(self, from_: int, to: int, tiles: Any) -> None:
        self.send("Exchanged", from_, to, tiles)

    def assert_confirmed(self, player: Any = ANY) -> list[Any]:
        return self.assert_event("Confirmed", player)

    def until_confirmed(self, player: Any = ANY) -> list[Any]:
        return self.assert_event("Confirmed", player, until=True)

    def assert_refused(self, text: Any = ANY) -> list[Any]:
        return self.assert_event("Refused", text)

    def until_refused(self, text: Any = ANY) -> list[Any]:
        return self.assert_event("Refused", text, until=True)

    def assert_team_given(self, context: Any = ANY, team: Any = ANY, leader: Any = ANY) -> list[Any]:
        return self.assert_event("TeamGiven", context, team, leader)

    def until_team_given(self, context: Any = ANY, team: Any = ANY, leader: Any = ANY) -> list[Any]:
        return self.assert_event("TeamGiven", context, team, leader, until=True)

    def assert_started(self, players: Any = ANY, width: Any = ANY, height: Any = ANY, position: Any = ANY) -> list[Any]:
        return self.assert_event("Started", players, width, height, position)

    def until_started(self, players: Any = ANY, width: Any = ANY, height: Any = ANY, position: Any = ANY) -> list[Any]:
        return self.assert_event("Started", players, width, height, position, until=True)

    def assert_answered(self, context: Any = ANY, answer: Any = ANY) -> list[Any]:
        return self.assert_event("Answered", context, answer)

    def until_answered(self, context: Any = ANY, answer: Any = ANY) -> list[Any]:
        return self.assert_event("Answered", context, answer, until=True)

    def assert_repeated(self, context: Any = ANY, answer: Any = ANY) -> list[Any]:
        return self.assert_event("Repeated", context, answer)

    def until_repeated(self, context: Any = ANY, answer: Any = ANY) -> list[Any]:
        return self.assert_event("Repeated", context, answer, until=True)

    def assert_noted(self, text: Any = ANY) -> list[Any]:
        return self.assert_event("Noted", text)

    def until_noted(self, text: Any = ANY) -> list[Any]:
        return self.assert_event("Noted", text, until=True)

    def assert_joined(self, player: Any = ANY) -> list[Any]:
        return self.assert_event("Joined", player)

    def until_joined(self, player: Any = ANY) -> list[Any]:
        return self.assert_event("Joined", player, until=True)

    def assert_team_joined(self, player: Any = ANY, team: Any = ANY) -> list[Any]:
        return self.assert_event("TeamJoined", player, team)

    def until_team_joined(self, player: Any = ANY, team: Any = ANY) -> list[Any]:
        return self.assert_event("TeamJoined", player, team, until=True)

    def assert_began(self) -> list[Any]:
        return self.assert_event("Began")

    def until_began(self) -> list[Any]:
        return self.assert_event("Began", until=True)

    def assert_acted(self, player: Any = ANY) -> list[Any]:
        return self.assert_event("Acted", player)

    def until_acted(self, player: Any = ANY) -> list[Any]:
        return self.assert_event("Acted", player, until=True)

    def assert_scored(self, team: Any = ANY) -> list[Any]:
        return self.assert_event("Scored", team)

    def until_scored(self, team: Any = ANY) -> list[Any]:
        return self.assert_event("Scored", team, until=True)

    def assert_lost(self, player: Any = ANY) -> list[Any]:
        return self.assert_event("Lost", player)

    def until_lost(self, player: Any = ANY) -> list[Any]:
        return self.assert_event("Lost", player, until=True)

    def assert_returned(self, player: Any = ANY) -> list[Any]:
        return self.assert_event("Returned", player)

    def until_returned(self, player: Any = ANY) -> list[Any]:
        return self.assert_event("Returned", player, until=True)

    def assert_left(self, player: Any = ANY) -> list[Any]:
        return self.assert_event("Left", player)

    def until_left(self, player: Any = ANY) -> list[Any]:
        return self.assert_event("Left", player, until=True)

    def assert_ended(self, text: Any = ANY) -> list[Any]:
        return self.assert_event("Ended", text)

    def until_ended(self, text: Any = ANY) -> list[Any]:
        return self.assert_event("Ended", text, until=True)

    def assert_learnt(self, from_: Any = ANY, tiles: Any = ANY) -> list[Any]:
        return self.assert_event("Learnt", from_, tiles)

    def until_learnt(self, from_: Any = ANY, tiles: Any = ANY) -> list[Any]:
        return self.assert_event("Learnt", from_, tiles, until=True)

    def assert_told(self, from_: Any = ANY, to: Any = ANY) -> list[Any]:
        return self.assert_event("Told", from_, to)

    def until_told(self, from_: Any = ANY, to: Any = ANY) -> list[Any]:
        return self.assert_event("Told", from_, to, until=True)


def game(
    scenario: str,
    *,
    seed: int,
    players: Sequence[str],
    edition: str | None = None,
    timeout: int | None = None,
) -> testkit.Game[Client]:
    """Starts a game: `with game("winter", seed=7, players=["Ana", "Bo"]) as (ana, bo): ..`."""
    return testkit.Game(Client, "project", scenario, seed=seed, players=players, edition=edition, timeout=timeout)

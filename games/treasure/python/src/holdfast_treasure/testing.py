"""Tests of servers of treasure: a method for each command and event.

Written by generate.py from docs/protocol.json.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from holdfast import testkit
from holdfast.testkit import ANY

class Client(testkit.Client):
    """A client of a game of treasure."""

    def send_register(self, id: str, first_name: str, last_name: str, account: str) -> None:
        self.send("Register", id, first_name, last_name, account)

    def send_send_half(self, fields: Any, coding: Any | None = None) -> None:
        arguments: list[object] = [fields, coding]
        while arguments and arguments[-1] is None:
            arguments.pop()
        self.send("SendHalf", *arguments)

    def send_move(self, direction: Any) -> None:
        self.send("Move", direction)

    def send_update(self, x: int, y: int, wanted_x: int, wanted_y: int, turns: int) -> None:
        self.send("Update", x, y, wanted_x, wanted_y, turns)

    def send_garbled(self, problem: str) -> None:
        self.send("Garbled", problem)

    def send_remove(self) -> None:
        self.send("Remove")

    def assert_seated(self, player: Any = ANY, id: Any = ANY, account: Any = ANY, key: Any = ANY) -> list[Any]:
        return self.assert_event("Seated", player, id, account, key)

    def until_seated(self, player: Any = ANY, id: Any = ANY, account: Any = ANY, key: Any = ANY) -> list[Any]:
        return self.assert_event("Seated", player, id, account, key, until=True)

    def assert_refused(self, text: Any = ANY) -> list[Any]:
        return self.assert_event("Refused", text)

    def until_refused(self, text: Any = ANY) -> list[Any]:
        return self.assert_event("Refused", text, until=True)

    def assert_failed(self, text: Any = ANY) -> list[Any]:
        return self.assert_event("Failed", text)

    def until_failed(self, text: Any = ANY) -> list[Any]:
        return self.assert_event("Failed", text, until=True)

    def assert_noted(self, text: Any = ANY) -> list[Any]:
        return self.assert_event("Noted", text)

    def until_noted(self, text: Any = ANY) -> list[Any]:
        return self.assert_event("Noted", text, until=True)

    def assert_registered(self, player: Any = ANY, first_name: Any = ANY, last_name: Any = ANY, account: Any = ANY) -> list[Any]:
        return self.assert_event("Registered", player, first_name, last_name, account)

    def until_registered(self, player: Any = ANY, first_name: Any = ANY, last_name: Any = ANY, account: Any = ANY) -> list[Any]:
        return self.assert_event("Registered", player, first_name, last_name, account, until=True)

    def assert_began(self, starter: Any = ANY) -> list[Any]:
        return self.assert_event("Began", starter)

    def until_began(self, starter: Any = ANY) -> list[Any]:
        return self.assert_event("Began", starter, until=True)

    def assert_half_taken(self, player: Any = ANY, action: Any = ANY) -> list[Any]:
        return self.assert_event("HalfTaken", player, action)

    def until_half_taken(self, player: Any = ANY, action: Any = ANY) -> list[Any]:
        return self.assert_event("HalfTaken", player, action, until=True)

    def assert_half_rejected(self, player: Any = ANY, action: Any = ANY, report: Any = ANY, violations: Any = ANY) -> list[Any]:
        return self.assert_event("HalfRejected", player, action, report, violations)

    def until_half_rejected(self, player: Any = ANY, action: Any = ANY, report: Any = ANY, violations: Any = ANY) -> list[Any]:
        return self.assert_event("HalfRejected", player, action, report, violations, until=True)

    def assert_half_kept(self, report: Any = ANY, fort: Any = ANY, coding: Any = ANY) -> list[Any]:
        return self.assert_event("HalfKept", report, fort, coding)

    def until_half_kept(self, report: Any = ANY, fort: Any = ANY, coding: Any = ANY) -> list[Any]:
        return self.assert_event("HalfKept", report, fort, coding, until=True)

    def assert_charted(self, player: Any = ANY, placement: Any = ANY, report: Any = ANY, terrain: Any = ANY) -> list[Any]:
        return self.assert_event("Charted", player, placement, report, terrain)

    def until_charted(self, player: Any = ANY, placement: Any = ANY, report: Any = ANY, terrain: Any = ANY) -> list[Any]:
        return self.assert_event("Charted", player, placement, report, terrain, until=True)

    def assert_appeared(self, first: Any = ANY, second: Any = ANY) -> list[Any]:
        return self.assert_event("Appeared", first, second)

    def until_appeared(self, first: Any = ANY, second: Any = ANY) -> list[Any]:
        return self.assert_event("Appeared", first, second, until=True)

    def assert_acted(self, player: Any = ANY, action: Any = ANY, step: Any = ANY) -> list[Any]:
        return self.assert_event("Acted", player, action, step)

    def until_acted(self, player: Any = ANY, action: Any = ANY, step: Any = ANY) -> list[Any]:
        return self.assert_event("Acted", player, action, step, until=True)

    def assert_moved(self, to: Any = ANY) -> list[Any]:
        return self.assert_event("Moved", to)

    def until_moved(self, to: Any = ANY) -> list[Any]:
        return self.assert_event("Moved", to, until=True)

    def assert_spent(self, direction: Any = ANY, left: Any = ANY) -> list[Any]:
        return self.assert_event("Spent", direction, left)

    def until_spent(self, direction: Any = ANY, left: Any = ANY) -> list[Any]:
        return self.assert_event("Spent", direction, left, until=True)

    def assert_waited(self) -> list[Any]:
        return self.assert_event("Waited")

    def until_waited(self) -> list[Any]:
        return self.assert_event("Waited", until=True)

    def assert_treasure_seen(self, at: Any = ANY) -> list[Any]:
        return self.assert_event("TreasureSeen", at)

    def until_treasure_seen(self, at: Any = ANY) -> list[Any]:
        return self.assert_event("TreasureSeen", at, until=True)

    def assert_treasure_taken(self, at: Any = ANY) -> list[Any]:
        return self.assert_event("TreasureTaken", at)

    def until_treasure_taken(self, at: Any = ANY) -> list[Any]:
        return self.assert_event("TreasureTaken", at, until=True)

    def assert_fort_seen(self, at: Any = ANY) -> list[Any]:
        return self.assert_event("FortSeen", at)

    def until_fort_seen(self, at: Any = ANY) -> list[Any]:
        return self.assert_event("FortSeen", at, until=True)

    def assert_collected(self, player: Any = ANY) -> list[Any]:
        return self.assert_event("Collected", player)

    def until_collected(self, player: Any = ANY) -> list[Any]:
        return self.assert_event("Collected", player, until=True)

    def assert_finished(self, text: Any = ANY) -> list[Any]:
        return self.assert_event("Finished", text)

    def until_finished(self, text: Any = ANY) -> list[Any]:
        return self.assert_event("Finished", text, until=True)


def game(
    scenario: str,
    *,
    seed: int,
    players: Sequence[str],
    edition: str | None = None,
    timeout: int | None = None,
) -> testkit.Game[Client]:
    """Starts a game: `with game("winter", seed=7, players=["Ana", "Bo"]) as (ana, bo): ..`."""
    return testkit.Game(Client, "treasure", scenario, seed=seed, players=players, edition=edition, timeout=timeout)

"""The board that the client folds is the server's, after every event."""

from __future__ import annotations

import unittest
from typing import get_args

from holdfast.colony import events
from holdfast.colony.board import Board
from holdfast.colony.parse import parse_scenario

from .host import SCENARIOS, Host, holdfast, scenario_text
from .picture import fold

#: Of each scenario, so that there are a hundred in all.
GAMES = 34


class BoardTest(unittest.TestCase):
    def test_the_board_is_the_servers_after_every_event_of_a_hundred_games(self) -> None:
        kinds: set[type[events.Event]] = set()
        for number, scenario in enumerate(SCENARIOS):
            with self.subTest(scenario=scenario), Host() as host:
                games = play(host, scenario, seed=1_000_000 * number)
                kinds |= self.compare(host, games, scenario)
        never = {kind.__name__ for kind in PUBLIC - kinds}
        # Bots register, stay to the end and play.
        self.assertLessEqual(never, {"RegistrationAborted", "Left"}, "these games have every event")

    def compare(self, host: Host, games: list[str], scenario: str) -> set[type[events.Event]]:
        prepared = parse_scenario(scenario_text(scenario))
        kinds: set[type[events.Event]] = set()
        for game in games:
            board = Board(prepared)
            steps = 0
            for event, server, ours in fold(host.chronicle(game), board):
                steps += 1
                kinds.add(type(event))
                self.assertEqual(ours, server, f"game {game} after step {steps}, {event}")
            self.assertIsNotNone(board.outcome)
        return kinds


TOLD_TO_ONE = {events.Config, events.ActNow, events.Characters, events.CommandFailed, events.VoteNow}
PUBLIC: set[type[events.Event]] = set(get_args(events.Event)) - TOLD_TO_ONE


def play(host: Host, scenario: str, seed: int) -> list[str]:
    """Games of the server's own bots, of both kinds."""
    players = "2" if scenario == "first-night" else "3"
    load = ["load", "--connect", host.address, "--scenario", scenario, "--players", players, "--games", "8"]
    while True:
        for bots in ("random", "sensible"):
            holdfast(*load, "--bots", bots, "--seconds", "1", "--seed", str(seed))
            seed += 10_000
        games = host.finished()
        if len(games) >= GAMES:
            return games[:: len(games) // GAMES][:GAMES]

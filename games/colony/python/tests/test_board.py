"""The board that the client folds is the server's, after every event."""

from __future__ import annotations

import re
import unittest
from typing import get_args

from holdfast_colony import Outcome, Place, SyncClient, View, commands
from holdfast_colony import effects, events
from holdfast_colony.board import Board
from holdfast_colony.parse import parse_scenario

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

    def test_help_lists_all_fields(self) -> None:
        board = Board(parse_scenario(scenario_text("first-night")))
        for value in (board, View()):
            words = set(re.findall(r"\w+", type(value).__doc__ or ""))
            fields = {name for name in vars(value) if not name.startswith("_")}
            self.assertEqual(fields - words, set(), f"help({type(value).__name__}) lacks fields")

    def test_spellings_of_a_scenario(self) -> None:
        text = scenario_text("first-night")
        written = "\ufeff" + text.replace('"maxPlayers": 2', '"maxPlayers": 2.0')
        self.assertNotEqual(written, "\ufeff" + text)
        self.assertEqual(parse_scenario(written), parse_scenario(text))

    def test_players_who_leave(self) -> None:
        with Host() as host:
            ana = SyncClient(host.address, Place.create("first-night", seed=3))
            ana.open()
            ana.register("Ana")
            bo = SyncClient(host.address, Place.join(ana.game))
            bo.open()
            bo.register("Bo")
            for each in (ana, bo):
                view = each.turn()
                assert view is not None
                each.play(commands.SelectCharacters(*view.offered[:2]))
            ana.turn()
            ana.play(commands.Leave())
            self.assertIsNone(ana.view.asked)
            bo.turn()
            bo.send(commands.Leave())
            # A player who has left gets no more events but the end of the game.
            for each in (ana, bo):
                self.assertIsNone(each.turn())
                self.assertEqual(each.farewell, "The game is over: abandoned: nobody was left to play.")
            self.assertEqual(self.compare(host, [ana.game or ""], "first-night") & {events.Left}, {events.Left})

    def test_a_registration_that_is_broken_off(self) -> None:
        with Host() as host, SyncClient(host.address, Place.create("first-night")) as ana:
            ana.register("Ana")
            ana.send(commands.EndTurn())
            self.assertIsNone(ana.turn())
            self.assertEqual(ana.view.board.outcome, Outcome.ABORTED)
            self.compare(host, [ana.game or ""], "first-night")

    def test_the_plain_waste_disposal_of_a_round(self) -> None:
        """It is no part of a picture."""
        board = Board(parse_scenario(scenario_text("first-night")))
        board.apply(events.Registered(0, "Ana"))
        board.apply(events.CharacterSpawned(0, 1))
        board.apply(events.EffectUsed(1, effects.Disposal()))
        self.assertTrue(board.players[0].disposed)
        board.apply(events.TurnEnded(0))
        self.assertFalse(board.players[0].disposed)

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

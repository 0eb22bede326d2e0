"""Whole games, played by the starter's strategy."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import unittest
from pathlib import Path

from bot import decide
from holdfast_colony import Board, Client, Edition, Place, commands, parse_scenario

from .host import PATIENCE, Host, scenario_text
from .picture import fold

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
#: Of what every game shares, and of colony.
SOURCES = f"{EXAMPLES.parents[3] / 'clients/python/src'}:{EXAMPLES.parent / 'src'}"

#: Scenario, edition and players. What a scenario is not written for is played, too: the server says what it is.
TABLES: list[tuple[str, Edition | None, int]] = [
    ("first-night", None, 2),
    ("winter", None, 3),
    ("winter", Edition.GROUP, 2),
    ("crossroads", None, 3),
    ("crossroads", Edition.EQUIPMENT, 1),
]
GAMES = 100
AT_A_TIME = 5


class GamesTest(unittest.TestCase):
    def test_a_hundred_games_end(self) -> None:
        with Host() as host:
            games = [client.game or "" for client in asyncio.run(play_all(host.address))]
            self.assertEqual(len(games), GAMES)
            self.assertEqual(set(games), set(host.finished()))
            for game, (scenario, edition, _) in zip(games, TABLES):
                board = Board(parse_scenario(scenario_text(scenario)), edition)
                for event, server, ours in fold(host.chronicle(game), board):
                    self.assertEqual(ours, server, f"game {game} of {scenario} after {event}")

    def test_the_starter_as_people_start_it(self) -> None:
        with Host() as host:
            start = [sys.executable, str(EXAMPLES / "bot.py"), "--connect", host.address]
            environment = {"PYTHONPATH": SOURCES}
            made = subprocess.Popen(
                [*start, "--new", "winter", "--players", "2"], env=environment, stdout=subprocess.PIPE, text=True
            )
            try:
                assert made.stdout is not None
                game = made.stdout.readline().split()[-1]
                joined = [*start, "--game", game, "--name", "Bo"]
                said = subprocess.run(joined, env=environment, capture_output=True, text=True, timeout=PATIENCE).stdout
                self.assertRegex(said, rf"^Bo plays {game}\nThe game is over: ")
                self.assertRegex(made.communicate(timeout=PATIENCE)[0], "^The game is over: ")
                self.assertEqual(made.returncode, 0)
            finally:
                made.kill()
                made.wait()

    def test_the_starter_says_what_is_wrong(self) -> None:
        with Host() as host:
            over = self.start("--connect", host.address, "--new", "first-night")
            self.assertEqual(over.returncode, 0, over.stderr)
            game = over.stdout.split()[2]
            for arguments, words in [
                (["--new", "winter", "--players", "9"], "the scenario has room for 5 players, not for 9\n"),
                (["--game", game], "game_over: This game is over; you can watch it.\n"),
                (["--new", "winter", "--connect", "127.0.0.1"], "an address is HOST:PORT, not '127.0.0.1'\n"),
                (["--new", "winter", "--connect", "127.0.0.1:1"], "no connection to 127.0.0.1:1: "),
            ]:
                failed = self.start("--connect", host.address, *arguments)
                self.assertEqual(failed.returncode, 1)
                self.assertRegex(failed.stderr, f"^{words}")
            for arguments in [["--new"], ["--new", "winter", "--game", game], ["--join", game]]:
                self.assertEqual(self.start(*arguments).returncode, 2, arguments)

    def start(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        start = [sys.executable, str(EXAMPLES / "bot.py"), *arguments]
        environment = {"PYTHONPATH": SOURCES}
        return subprocess.run(start, env=environment, capture_output=True, text=True, timeout=PATIENCE)


async def play_all(address: str) -> list[Client]:
    doors = asyncio.Semaphore(AT_A_TIME)

    async def table(number: int) -> Client:
        async with doors:
            return await asyncio.wait_for(play_one(address, number), PATIENCE)

    return await asyncio.gather(*map(table, range(GAMES)))


async def play_one(address: str, number: int) -> Client:
    """One game at which every seat is a client; the first of them."""
    scenario, edition, players = TABLES[number % len(TABLES)]
    async with Client(address, Place.create(scenario, edition=edition, seed=number)) as first:
        await first.register("player 0")
        seats = [first]
        for seat in range(1, players):
            client = Client(address, Place.join(first.game))
            await client.open()
            await client.register(f"player {seat}")
            seats.append(client)
        await first.send(commands.StartGame())
        await asyncio.gather(*map(play_seat, seats))
        boards = [seat.view.board for seat in seats]
        assert all(board.outcome == boards[0].outcome is not None for board in boards), "everybody hears the same end"
        return first


async def play_seat(client: Client) -> None:
    async for view in client.turns():
        await client.send(decide(view))
    await client.close()

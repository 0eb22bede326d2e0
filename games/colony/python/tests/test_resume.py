"""A client keeps its place when its connection is lost."""

from __future__ import annotations

import asyncio
import time
import unittest
from collections.abc import Callable
from pathlib import Path

from bot import decide
from holdfast_colony import (
    Asked,
    Board,
    Client,
    ConnectionLost,
    Interrupted,
    Place,
    Reason,
    Refused,
    Told,
    commands,
    parse_scenario,
)
from holdfast_colony.events import Event

from .host import PATIENCE, Host, holdfast, scenario_text
from .kinds import Kind, Player, kinds
from .picture import fold
from .test_games import play_one


class ResumeTest(unittest.TestCase):
    def for_both(self, test: Callable[[Kind, Host], None]) -> None:
        with kinds() as both:
            for kind in both:
                with self.subTest(type(kind).__name__), Host() as host:
                    test(kind, host)

    def test_a_game_goes_on_after_the_server_was_killed(self) -> None:
        self.for_both(self.killed)

    def killed(self, kind: Kind, host: Host) -> None:
        ana = kind.open(host.address, Place.create("winter", seed=11))
        ana.register("Ana")
        ana.send(commands.StartGame())
        turns = 0
        while (view := ana.turn()) is not None:
            turns += 1
            if turns in (3, 6):
                host.kill()
                # Lost with the connection, so that it is asked for again.
                ana.send(decide(view))
                host.start()
            else:
                ana.send(decide(view))
        self.assertGreater(turns, 6)
        self.assertEqual(ana.resumed, 2)
        self.assertRegex(ana.farewell or "", "^The game is over: ")

        # A client that resumes with only its token gets the same events again.
        again = kind.open(host.address, Place.resume(ana.game or "", ana.place.token or ""))
        self.assertEqual(len(everything(again)), ana.place.seen)
        self.assertEqual(again.view.board.outcome, ana.view.board.outcome)
        self.assertEqual(again.view.board.survivors, ana.view.board.survivors)

    def test_games_go_on_while_the_server_is_killed_again_and_again(self) -> None:
        with Host() as host:
            played = asyncio.run(play_and_kill(host))
            self.assertEqual({client.game for client in played}, set(host.finished()))
            most = max(played, key=lambda client: client.resumed)
            self.assertGreater(most.resumed, 0)
            board = Board(parse_scenario(scenario_text("first-night")))
            for _ in fold(host.chronicle(most.game or ""), board):
                pass
            self.assertEqual(vars(board) | {"scenario": None}, vars(most.view.board) | {"scenario": None})

    def test_a_server_that_says_goodbye_and_comes_back(self) -> None:
        self.for_both(self.stopped)

    def stopped(self, kind: Kind, host: Host) -> None:
        ana = kind.open(host.address, Place.create("first-night"))
        ana.register("Ana")
        host.stop()
        host.start()
        ana.ping()
        self.assertEqual(ana.resumed, 1)
        ana.play(commands.StartGame())
        ana.close()

    def test_a_registration_that_is_lost_is_sent_again(self) -> None:
        self.for_both(self.unregistered)

    def unregistered(self, kind: Kind, host: Host) -> None:
        ana = kind.open(host.address, Place.create("first-night"))
        host.kill()
        host.start()
        ana.register("Ana")
        self.assertEqual((ana.view.me.name, ana.resumed), ("Ana", 1))
        ana.close()

    def test_a_command_that_is_lost_is_said_to_be(self) -> None:
        self.for_both(self.under_way)

    def under_way(self, kind: Kind, host: Host) -> None:
        ana = kind.open(host.address, Place.create("first-night"))
        ana.register("Ana")
        host.kill()
        host.start()
        with self.assertRaises(Interrupted):
            ana.play(commands.StartGame())
        # The next one is sure again.
        ana.play(commands.StartGame())
        ana.close()

    def test_patience_has_an_end(self) -> None:
        self.for_both(self.given_up)

    def given_up(self, kind: Kind, host: Host) -> None:
        ana = kind.open(host.address, Place.create("first-night"), patience=0.3)
        host.kill()
        started = time.monotonic()
        with self.assertRaisesRegex(ConnectionLost, f"{host.address} was lost and not had again in 0.3 s: "):
            ana.next()
        self.assertLess(time.monotonic() - started, 5)
        # Asked once more, it tries once more.
        host.start()
        ana.ping()
        ana.close()

    def test_a_server_that_lost_its_games(self) -> None:
        self.for_both(self.forgotten)

    def forgotten(self, kind: Kind, host: Host) -> None:
        ana = kind.open(host.address, Place.create("first-night"))
        host.kill()
        for file in Path(host.folder.name).iterdir():
            file.unlink()
        host.start()
        with self.assertRaises(Refused) as refused:
            ana.next()
        self.assertEqual(refused.exception.reason, Reason.UNKNOWN_GAME)

    def test_a_seat_of_a_fork(self) -> None:
        self.for_both(self.forked)

    def forked(self, kind: Kind, host: Host) -> None:
        ana = kind.open(host.address, Place.create("winter", seed=11))
        ana.register("Ana")
        ana.send(commands.StartGame())
        while (view := ana.turn()) is not None:
            ana.send(decide(view))
        host.stop()
        fork = holdfast("log", "fork", host.log, ana.game or "", "--at", "10").split()[0]
        host.start()
        again = kind.open(host.address, Place.join(fork, seat=0))
        again.ping()
        self.assertEqual((again.view.me.name, again.view.asked), ("Ana", Asked.ACT))
        with self.assertRaises(Refused) as refused:
            kind.open(host.address, Place.join(fork, seat=0))
        self.assertEqual(refused.exception.reason, Reason.FULL)
        again.close()


def everything(player: Player) -> list[Told[Event]]:
    told = []
    while (each := player.next(PATIENCE)) is not None:
        told.append(each)
    return told


async def play_and_kill(host: Host) -> list[Client]:
    """Games of two clients, five at a time, until the server was killed five times."""
    address = host.address

    async def kill() -> None:
        for _ in range(5):
            # In the middle of a game, so that clients have to resume.
            while not any(game.players for game in await Client.games(address)):
                await asyncio.sleep(0.01)
            await asyncio.to_thread(host.kill)
            await asyncio.to_thread(host.start)

    killer = asyncio.create_task(kill())
    played: list[Client] = []
    while not killer.done():
        ended = await asyncio.gather(*(play_one(address, 0) for _ in range(5)), return_exceptions=True)
        for end in ended:
            if isinstance(end, Client):
                played.append(end)
            # A client that is killed before its welcome has no seat to resume.
            elif not isinstance(end, ConnectionLost):
                raise end
    await killer
    return played

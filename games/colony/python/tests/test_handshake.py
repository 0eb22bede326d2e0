"""How a place in a game is taken, and what is refused."""

from __future__ import annotations

import socket
import unittest

from holdfast_colony import (
    Asked,
    Closed,
    CommandRefused,
    ConnectionLost,
    Edition,
    NoBoard,
    Phase,
    Place,
    Reason,
    Refused,
    commands,
    events,
    parse_scenario,
    refusals,
)

from .host import Host, scenario_text
from .kinds import Kind, kinds


class HandshakeTest(unittest.TestCase):
    host: Host

    @classmethod
    def setUpClass(cls) -> None:
        cls.host = Host()
        cls.addClassCleanup(cls.host.close)


    def test_create_join_and_list(self) -> None:
        with kinds() as both:
            for kind in both:
                with self.subTest(type(kind).__name__):
                    self.create_join_and_list(kind)

    def create_join_and_list(self, kind: Kind) -> None:
        address = self.host.address
        ana = kind.open(address, Place.create("winter", edition=Edition.GROUP, seed=7))
        with self.assertRaises(NoBoard):
            ana.view.board
        told = ana.register("Ana")
        self.assertEqual([each.event for each in told], [events.Registered(0, "Ana"), events.Config()])
        self.assertEqual(told[1].text, scenario_text("winter"))
        self.assertEqual([each.number for each in told], [1, 2])

        bo = kind.open(address, Place.join(ana.game))
        bo.register("Bo")
        self.assertEqual((ana.view.player, bo.view.player), (0, 1))
        self.assertNotEqual(ana.place.token, bo.place.token)
        listed = {info.game: info for info in kind.games(address)}[ana.game or ""]
        self.assertEqual((listed.rulebook, listed.edition, listed.players), ("colony", "group", ("Ana", "Bo")))

        told = ana.play(commands.StartGame())
        self.assertIn(events.GameStarted(), [each.event for each in told])
        self.assertEqual(ana.view.asked, Asked.CHARACTERS)
        chosen = ana.view.offered[:2]
        ana.play(commands.SelectCharacters(*chosen))
        self.assertEqual(sorted(ana.view.me.survivors), sorted(chosen))
        bo.ping()
        self.assertEqual(bo.view.asked, Asked.CHARACTERS)
        self.assertEqual(bo.view.board.player, 1)
        ana.close()
        bo.close()

    def test_only_a_fork_has_seats_to_claim(self) -> None:
        with kinds() as both:
            for kind in both:
                ana = kind.open(self.host.address, Place.create("first-night"))
                with self.assertRaises(Refused) as refused:
                    kind.open(self.host.address, Place.join(ana.game, seat=0))
                self.assertEqual(refused.exception.reason, Reason.BAD_MESSAGE)
                ana.close()

    def test_watching(self) -> None:
        with kinds() as both:
            for kind in both:
                ana = kind.open(self.host.address, Place.create("first-night", edition=Edition.EQUIPMENT))
                ana.register("Ana")
                ana.send(commands.StartGame())
                watcher = kind.open(self.host.address, Place.watch(ana.game))
                self.assertEqual(watcher.view.board.edition, Edition.EQUIPMENT)
                self.assertEqual(watcher.view.board.scenario, parse_scenario(scenario_text("first-night")))
                while watcher.view.board.phase is Phase.REGISTRATION:
                    self.assertIsNotNone(watcher.next(10))
                self.assertEqual(watcher.view.board.players[0].name, "Ana")
                with self.assertRaises(Refused) as refused:
                    watcher.play(commands.EndTurn())
                self.assertEqual(str(refused.exception), "bad_message: Watchers send no commands.")
                # The connection goes on.
                watcher.ping()
                later = kind.open(self.host.address, Place.watch(ana.game, seen=1))
                first = later.next(10)
                self.assertEqual(first and first.number, 2)
                with self.assertRaises(NoBoard):
                    later.view
                for each in (ana, watcher, later):
                    each.close()

    def test_refusals_are_errors_with_the_servers_words(self) -> None:
        with kinds() as both:
            for kind in both:
                for place, reason, words in [
                    (Place.join("nothing"), Reason.UNKNOWN_GAME, "nothing"),
                    (Place.create("no-such-scenario"), Reason.BAD_SCENARIO, "There is no scenario"),
                    (Place.create("winter", edition=Edition.FATE), Reason.BAD_SCENARIO, "crossroads"),
                    (Place.create("{}"), Reason.BAD_SCENARIO, "maxPlayers"),
                ]:
                    with self.assertRaises(Refused) as refused:
                        kind.open(self.host.address, place)
                    self.assertEqual(refused.exception.reason, reason)
                    self.assertIn(words, refused.exception.message)

    def test_what_the_rules_refuse(self) -> None:
        with kinds() as both:
            for kind in both:
                ana = kind.open(self.host.address, Place.create("first-night"))
                ana.register("Ana")
                with self.assertRaises(CommandRefused) as refused:
                    ana.register("Ana")
                self.assertEqual(refused.exception.refusal, refusals.AlreadyRegistered(0))
                self.assertIn("already", str(refused.exception))
                ana.play(commands.StartGame())
                stranger = max(ana.view.offered) + 100
                with self.assertRaises(CommandRefused) as refused:
                    ana.play(commands.SelectCharacters(ana.view.offered[0], stranger))
                self.assertIsInstance(refused.exception.refusal, refusals.NotOffered)
                self.assertEqual(ana.view.refused, refused.exception.refusal)
                ana.play(commands.SelectCharacters(*ana.view.offered[:2]))
                self.assertIsNone(ana.view.refused)
                ana.close()

    def test_a_wrong_token_opens_nothing(self) -> None:
        with kinds() as both:
            for kind in both:
                ana = kind.open(self.host.address, Place.create("first-night"))
                with self.assertRaises(Refused) as refused:
                    kind.open(self.host.address, Place.resume(ana.game or "", "00" * 16))
                self.assertEqual(refused.exception.reason, Reason.UNKNOWN_TOKEN)
                ana.close()

    def test_the_second_connection_of_a_token_replaces_the_first(self) -> None:
        with kinds() as both:
            for kind in both:
                ana = kind.open(self.host.address, Place.create("first-night"))
                ana.register("Ana")
                again = kind.open(self.host.address, Place.resume(ana.game or "", ana.place.token or ""))
                with self.assertRaises(Closed) as closed:
                    ana.next(10)
                self.assertEqual(closed.exception.reason, Reason.REPLACED)
                again.ping()
                self.assertEqual(again.view.me.name, "Ana")
                again.close()

    def test_nothing_is_said_for_a_while(self) -> None:
        with kinds() as both:
            for kind in both:
                ana = kind.open(self.host.address, Place.create("first-night", board=False))
                with self.assertRaises(TimeoutError):
                    ana.next(timeout=0.05)
                told = ana.register("Ana")
                self.assertEqual([each.event for each in told], [events.Config()])
                with self.assertRaises(NoBoard):
                    ana.view
                ana.close()

    def test_nobody_listens(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
        with kinds() as both:
            for kind in both:
                with self.assertRaisesRegex(ConnectionLost, f"^no connection to 127.0.0.1:{port}: "):
                    kind.open(f"127.0.0.1:{port}", Place.create("winter"))
                with self.assertRaisesRegex(ConnectionLost, "^no list of games"):
                    kind.games(f"127.0.0.1:{port}")
                with self.assertRaisesRegex(ValueError, "HOST:PORT"):
                    kind.open("localhost", Place.create("winter"))

"""Offers, and games of any rulebook that are played by them."""

from __future__ import annotations

import asyncio
import json
import os
import random
import subprocess
import sys
import unittest
from pathlib import Path

from holdfast import BadArgument, BadMessage, Client, Offers, Place, RawCommand, SyncClient, Told
from holdfast.link import Link
from holdfast.offers import read_offers
from holdfast.transport import run

from holdfast_host import Host

from . import GAMES, HERE

#: A scenario of each rulebook that is played with offers, if the project has it.
SCENARIOS = {game: scenario for game, scenario in [("crazyhouse", "standard"), ("colony", "first-night")] if (GAMES / game).exists()}

OFFERS = {
    "title": "Your turn.",
    "offers": [
        {"label": "Never", "command": {"Never": {}}, "impossible": "It is late."},
        {"label": "Bet", "title": "Which?", "offers": [{
            "label": "coins", "command": {"Bet": {"coins": 1, "name": "x", "why": "?"}}, "arguments": [
                {"field": "coins", "label": "Coins", "range": {"least": 3, "most": 4}},
                {"field": "name", "label": "Name", "text": {"least": 1, "most": 5, "name": True}},
                {"field": "why", "label": "Why", "free": {"about": "anything"}}]}]},
        {"label": "Peek", "command": "Peek", "uncertain": True},
        {"label": "Give up", "aside": True, "title": "Sure?", "offers": [{"label": "Yes", "command": {"Resign": {}}}]},
    ],
}


class OffersTest(unittest.TestCase):
    def setUp(self) -> None:
        self.offers = read_offers(json.dumps(OFFERS))

    def test_choices_are_what_is_possible(self) -> None:
        self.assertEqual([choice.labels for choice in self.offers.choices], [("Bet", "coins"), ("Peek",)])
        self.assertEqual(self.offers.all_choices[-1].labels, ("Give up", "Yes"))
        self.assertTrue(self.offers.choices[1].uncertain)

    def test_arguments_are_filled_in_within_their_limits(self) -> None:
        bet, peek = self.offers.choices
        self.assertEqual(bet.fill(coins=4, name="Bo").to_json(), {"Bet": {"coins": 4, "name": "Bo", "why": "?"}})
        self.assertEqual(peek.fill().to_json(), "Peek")
        wrong: list[dict[str, object]] = [
            {"coins": 2}, {"coins": 5}, {"coins": "3"}, {"coins": True}, {"name": ""}, {"name": "Johann"}, {"other": 1},
        ]
        for values in wrong:
            with self.assertRaises(BadArgument, msg=str(values)):
                bet.fill(**values)

    def test_random_commands_are_possible_and_the_same_for_the_same_seed(self) -> None:
        def draw(seed: int) -> list[str]:
            rng = random.Random(seed)
            commands = (self.offers.random_command("Bo", rng) for _ in range(60))
            return [json.dumps(command.to_json()) for command in commands if command is not None]

        bets = [f'{{"Bet": {{"coins": {coins}, "name": "Bo", "why": "?"}}}}' for coins in (3, 4)]
        self.assertEqual(sorted(set(draw(1))), ['"Peek"', *bets])
        self.assertEqual(draw(7), draw(7))
        self.assertIsNone(Offers("", ()).random_command("Bo", random.Random(1)))

    def test_answers_that_are_no_offers(self) -> None:
        for text in ("", "[]", "{}", '{"title": "", "offers": 7}', '{"title": "", "offers": [{}]}'):
            with self.assertRaises(BadMessage, msg=text):
                read_offers(text)


class Script:
    """A transport whose server has a list of lines for each connection."""

    def __init__(self, *connections: list[object]) -> None:
        self.connections = list(connections)
        self.lines: list[object] = []
        self.sent: list[object] = []

    async def connect(self, host: str, port: int) -> None:
        self.lines = self.connections.pop(0)

    async def write(self, data: bytes) -> None:
        self.sent.append(json.loads(data))

    async def read_line(self, timeout: float | None) -> bytes:
        if not self.lines:
            raise ConnectionResetError("the server has gone")
        return json.dumps(self.lines.pop(0)).encode() + b"\n"

    async def sleep(self, seconds: float) -> None: ...

    async def close(self) -> None: ...


PLACE = {"protocol": 3, "game": "tea", "client": 1, "token": "0f" * 16, "rulebook": "table", "edition": "loud"}
GAME_OVER = {"closing": {"reason": "game_over", "message": "The game is over."}}


def welcome(following: int) -> dict[str, object]:
    return {"welcome": PLACE | {"next": following, "commands": 0, "scenario": None}}


def answer(number: int, after: int) -> dict[str, object]:
    return {"offers": {"number": number, "after": after, "offers": json.dumps(OFFERS)}}


def told(number: int) -> dict[str, object]:
    return {"event": {"number": number, "event": {"Said": {}}, "text": None}}


class LinkTest(unittest.TestCase):
    def opened(self, *connections: list[object]) -> tuple[Link[object], Script, list[int]]:
        script, heard = Script(*connections), []
        link: Link[object] = Link("host:1", Place.create("x"), script, patience=0.1)
        link.on_event = lambda told: heard.append(told.number)
        run(link.open())
        return link, script, heard

    def test_old_offers_are_asked_for_again(self) -> None:
        link, script, heard = self.opened([welcome(1), told(1), answer(1, 0), answer(2, 1), GAME_OVER])
        self.assertIsNotNone(run(link.offers()))
        self.assertEqual((script.sent[1:], heard), ([{"offers": 1}, {"offers": 2}], [1]))

    def test_after_a_lost_connection_they_are_asked_for_again(self) -> None:
        link, script, _ = self.opened([welcome(1)], [welcome(1), answer(2, 0)])
        self.assertIsNotNone(run(link.offer_turn()))
        self.assertEqual((link.resumed, script.sent[-1]), (1, {"offers": 2}))

    def test_a_turn_without_a_command_waits_for_an_event(self) -> None:
        link, script, heard = self.opened([welcome(1), answer(1, 0), told(1), answer(2, 1), answer(3, 1), GAME_OVER])
        self.assertIsNotNone(run(link.offer_turn()))
        self.assertIsNotNone(run(link.offer_turn()))
        self.assertEqual(heard, [1])
        run(link.send(RawCommand({"Say": {}})))
        self.assertIsNotNone(run(link.offer_turn()))
        self.assertIsNone(run(link.offer_turn()))
        self.assertEqual(script.sent[1:], [{"offers": 1}, {"offers": 2}, {"command": {"Say": {}}}, {"offers": 3}])

    def test_a_command_after_the_end_is_no_error(self) -> None:
        link, _, _ = self.opened([welcome(1), {"refused": {"reason": "game_over", "message": "late"}}, GAME_OVER])
        self.assertIsNone(run(link.offer_turn()))


class GamesTest(unittest.TestCase):
    def test_clients_of_both_kinds_play_by_offers_and_the_host_is_killed(self) -> None:
        self.assertTrue(SCENARIOS)
        for rulebook, scenario in SCENARIOS.items():
            with self.subTest(rulebook), Host() as host:
                ana = SyncClient[object](host.address, Place.create(scenario, rulebook=rulebook, seed=11))
                ana.open()
                events: list[Told[object]] = []
                ana.on_event = events.append
                other = asyncio.run(self.both(host, ana))
                self.assertRegex(ana.farewell or "", "^The game is over: ")
                self.assertEqual(ana.farewell, other.farewell)
                self.assertEqual([told.number for told in events], list(range(1, ana.place.seen + 1)))
                self.assertEqual(ana.resumed, 1)

    async def both(self, host: Host, ana: SyncClient[object]) -> Client[object]:
        async with Client[object](host.address, Place.join(ana.game)) as bo:
            blocking = asyncio.to_thread(self.play, host, ana)
            rng = random.Random(2)

            async def play() -> None:
                async for offers in bo.offer_turns():
                    if (command := offers.random_command("Bo", rng)) is not None:
                        await bo.send(command)

            await asyncio.gather(blocking, play())
            return bo

    def play(self, host: Host, client: SyncClient[object]) -> None:
        rng, turns = random.Random(1), 0
        for offers in client.offer_turns():
            if (command := offers.random_command("Ana", rng)) is not None:
                client.send(command)
            turns += 1
            if turns == 3:
                host.kill()
                host.start()

    def test_the_starter_plays_several_games(self) -> None:
        for rulebook, scenario in SCENARIOS.items():
            with self.subTest(rulebook), Host() as host:
                options = ["--rulebook", rulebook, "--new", scenario, "--count", "2", "--games", "2", "--seed", "7"]
                done = starter("--connect", host.address, *options)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(done.stdout.count("The game is over: "), 2)
                self.assertEqual(len(host.finished()), 2)

    def test_the_starter_says_what_is_wrong(self) -> None:
        for arguments, words in [
            (["--new", "x", "--game", "y"], "not allowed with argument --new"),
            (["--game", "x", "--games", "2"], "--games needs --new"),
            (["--new", "x", "--count", "0"], "is not a number from 1 on"),
            (["--new", "x", "--connect", "127.0.0.1:1"], "no connection to 127.0.0.1:1"),
        ]:
            done = starter(*arguments)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(words, done.stderr)
            self.assertNotIn("Traceback", done.stderr)


def starter(*arguments: str) -> subprocess.CompletedProcess[str]:
    path = Path(HERE.parent, "examples", "bot.py")
    environment = os.environ | {"PYTHONPATH": str(HERE.parent / "src")}
    return subprocess.run([sys.executable, path, *arguments], capture_output=True, text=True, env=environment)

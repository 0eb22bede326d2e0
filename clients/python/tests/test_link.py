"""What a client makes of a server's lines, without a server."""

from __future__ import annotations

import json
import unittest
from typing import Any

from holdfast import Asked, BadMessage, Closed, Interrupted, Place, Reason, Refused, commands, events
from holdfast.link import Link
from holdfast.transport import Quiet, run

from .host import scenario_text



def welcome(commands: int) -> dict[str, Any]:
    place = {"protocol": 2, "game": "tea", "client": 1, "token": "0f" * 16, "next": 1}
    return {"welcome": place | {"rulebook": "colony", "edition": "group", "commands": commands, "scenario": None}}


WELCOME = welcome(0)
GAME_OVER = {"closing": {"reason": "game_over", "message": "The game is over: won."}}


class Script:
    """A transport whose server says the same to everybody: one list of lines for each connection."""

    def __init__(self, *connections: list[Any]) -> None:
        self.connections = list(connections)
        self.lines: list[Any] = []
        self.sent: list[Any] = []

    async def connect(self, host: str, port: int) -> None:
        if not self.connections:
            raise ConnectionRefusedError("refused")
        self.lines = self.connections.pop(0)

    async def write(self, data: bytes) -> None:
        self.sent += [json.loads(line) for line in data.splitlines()]

    async def read_line(self, timeout: float | None) -> bytes:
        if not self.lines:
            if timeout is not None:
                raise Quiet
            raise ConnectionResetError("the server has gone")
        line = self.lines.pop(0)
        return line if isinstance(line, bytes) else json.dumps(line).encode() + b"\n"

    async def sleep(self, seconds: float) -> None:
        pass

    async def close(self) -> None:
        pass


def told(number: int, event: dict[str, Any], text: str | None = None) -> dict[str, Any]:
    return {"event": {"number": number, "event": event, "text": text}}


def opened(*connections: list[Any]) -> tuple[Link, Script]:
    script = Script(*connections)
    link = Link("host:1", Place.create("first-night"), script, patience=0.1)
    run(link.open())
    return link, script


REGISTERED = [
    told(1, {"Registered": {"player": 0, "name": "Ana"}}),
    told(2, {"Config": {}}, scenario_text("first-night")),
]
OFFER = {"Characters": {"c0": 1, "c1": 2, "c2": 3, "c3": 4}}


class LinkTest(unittest.TestCase):
    def test_what_was_asked_before_the_first_turn_is_asked(self) -> None:
        link, _ = opened([WELCOME, *REGISTERED, told(3, OFFER), {"pong": 1}, GAME_OVER])
        run(link.register("Ana"))
        view = run(link.turn())
        assert view is not None
        self.assertEqual((view.asked, view.offered), (Asked.CHARACTERS, (1, 2, 3, 4)))
        # Nothing was answered: the same is not asked twice.
        self.assertIsNone(run(link.turn()))
        self.assertEqual(link.farewell, "The game is over: won.")

    def test_what_was_lost_is_asked_again(self) -> None:
        asked = [WELCOME, *REGISTERED, told(3, OFFER), {"pong": 1}]
        link, script = opened(asked, [WELCOME, {"pong": 3}], [WELCOME, GAME_OVER])
        run(link.register("Ana"))
        for _ in range(2):
            view = run(link.turn())
            assert view is not None
            run(link.send(commands.SelectCharacters(1, 2)))
        self.assertIsNone(run(link.turn()))
        self.assertEqual(link.resumed, 2)
        hellos = [sent["hello"] for sent in script.sent if "hello" in sent]
        resume = {"protocol": 2, "want": {"resume": {"token": "0f" * 16, "seen": 3}}, "game": "tea", "board": True}
        self.assertEqual(hellos[1:], [resume, resume])

    def test_whether_a_command_was_taken(self) -> None:
        refused = {"refused": {"reason": "bad_message", "message": "no"}}
        for before, known, lost in [
            # The registration and the command; the last one is lost, or only its answer.
            ([], 1, True),
            ([], 2, False),
            # What was refused is in no log.
            ([refused], 1, True),
            ([refused], 2, False),
        ]:
            link, _ = opened([WELCOME, *REGISTERED, {"pong": 1}, *before], [welcome(known), {"pong": 3}])
            run(link.register("Ana"))
            for _ in before:
                run(link.send(commands.EndTurn()))
                with self.assertRaises(Refused):
                    run(link.next())
            if lost:
                with self.assertRaises(Interrupted):
                    run(link.play(commands.StartGame()))
            else:
                self.assertEqual(run(link.play(commands.StartGame())), [])

    def test_a_game_that_this_client_does_not_know(self) -> None:
        strange = {"welcome": WELCOME["welcome"] | {"rulebook": "chess", "edition": "blitz"}}
        with self.assertRaises(BadMessage) as bad:
            opened([strange])
        self.assertIn("chess in the edition blitz", str(bad.exception))

    def test_what_is_no_message(self) -> None:
        for line, words in [
            (b"}\n", "no JSON"),
            ({"greeting": {}}, "one of welcome, games"),
            (told(3, {"Config": {}}), "event 3 came after event 0"),
            (told(1, {"Danced": {}}), "not {'Danced': {}}"),
            (told(1, {"Wounded": {"character": "Ana"}}), "character: an integer is expected, not 'Ana'"),
            (told(1, {"FoodChanged": {"amount": 1, "reason": "THEFT"}}), "reason: one of FOOD_ADDED"),
            (WELCOME, "an event is expected"),
        ]:
            link, _ = opened([WELCOME, line])
            with self.assertRaises(BadMessage) as bad:
                run(link.next())
            self.assertIn(words, str(bad.exception))

    def test_unknown_fields_are_passed_over(self) -> None:
        link, _ = opened([WELCOME, {"event": {"number": 1, "event": {"ChildSpawned": {"name": "Kim"}}, "mood": 3}}])
        heard = run(link.next())
        self.assertEqual(heard and heard.event, events.ChildSpawned())

    def test_some_ends_are_final(self) -> None:
        link, _ = opened([WELCOME, {"closing": {"reason": "replaced", "message": "bye"}}], [WELCOME])
        with self.assertRaises(Closed) as closed:
            run(link.next())
        self.assertEqual((closed.exception.reason, str(closed.exception)), (Reason.REPLACED, "replaced: bye"))

    def test_some_are_not(self) -> None:
        for reason in ("shutting_down", "too_many", "store_failed"):
            closing = {"closing": {"reason": reason, "message": "later"}}
            link, _ = opened([WELCOME, closing], [closing], [WELCOME, GAME_OVER])
            self.assertIsNone(run(link.next()))
            self.assertEqual(link.resumed, 1)

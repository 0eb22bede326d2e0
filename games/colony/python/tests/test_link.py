"""What a client makes of a server's lines, without a server."""

from __future__ import annotations

import json
import unittest
from typing import Any

from holdfast_colony import (
    Asked,
    BadArgument,
    BadMessage,
    Closed,
    CommandRefused,
    Interrupted,
    Place,
    Reason,
    Refused,
    commands,
    events,
)
from holdfast_colony.client import MOST_REFUSALS, PlayerLink
from holdfast.transport import Quiet, run

from .host import scenario_text


def welcome(commands: int) -> dict[str, Any]:
    place = {"protocol": 3, "game": "tea", "client": 1, "token": "0f" * 16, "next": 1}
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


def opened(*connections: list[Any]) -> tuple[PlayerLink, Script]:
    script = Script(*connections)
    link = PlayerLink("host:1", Place.create("first-night"), script, patience=0.1)
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
        resume = {"protocol": 3, "want": {"resume": {"token": "0f" * 16, "seen": 3}}, "game": "tea", "board": True}
        self.assertEqual(hellos[1:], [resume, resume])

    def test_a_bot_that_does_not_look_at_refusals_comes_to_an_end(self) -> None:
        def refusals(count: int) -> list[Any]:
            said: list[Any] = []
            for number in range(count):
                failed = told(4 + number, {"CommandFailed": {"refusal": {"SameCharacterTwice": {"character": 1}}}}, "No.")
                said += [failed, {"pong": 2 + number}]
            return said

        asked = [WELCOME, *REGISTERED, told(3, OFFER), {"pong": 1}]
        spawned = told(3 + MOST_REFUSALS, {"CharacterSpawned": {"player": 0, "character": 1}})
        taken = [*refusals(MOST_REFUSALS - 1), spawned, {"pong": 1 + MOST_REFUSALS}, GAME_OVER]
        for said, stubborn in [(refusals(MOST_REFUSALS), True), (taken, False)]:
            link, _ = opened([*asked, *said])
            run(link.register("Ana"))
            for _ in range(MOST_REFUSALS):
                self.assertIsNotNone(run(link.turn()))
                run(link.send(commands.SelectCharacters(1, 1)))
            if stubborn:
                with self.assertRaises(CommandRefused) as refused:
                    run(link.turn())
                self.assertEqual(str(refused.exception), "No.")
            else:
                self.assertIsNone(run(link.turn()))

    def test_a_game_is_started_when_all_are_there(self) -> None:
        bo = told(3, {"Registered": {"player": 1, "name": "Bo"}})
        aborted = told(3, {"RegistrationAborted": {}})
        room = 5
        registered = [REGISTERED[0], told(2, {"Config": {}}, scenario_text("winter"))]
        crowd = [told(2 + seat, {"Registered": {"player": seat, "name": "Bo"}}) for seat in range(1, room)]
        for players, said, starts in [
            (1, [], True),
            (2, [bo], True),
            # It starts by itself.
            (room, crowd, False),
            # Another player was faster.
            (2, [told(3, {"GameStarted": {}})], False),
            (2, [aborted, GAME_OVER], False),
            (2, [GAME_OVER], False),
        ]:
            link, script = opened([WELCOME, *registered, {"pong": 1}, *said])
            run(link.register("Ana"))
            run(link.start(players))
            self.assertEqual(script.sent[-1] == {"command": {"StartGame": {}}}, starts, f"{players} players, {said}")
        link, _ = opened([WELCOME, *registered, {"pong": 1}])
        run(link.register("Ana"))
        with self.assertRaises(BadArgument) as bad:
            run(link.start(room + 1))
        self.assertEqual(str(bad.exception), f"the scenario has room for {room} players, not for {room + 1}")

    def test_an_address_has_a_port(self) -> None:
        for address in ["127.0.0.1", "127.0.0.1:", "127.0.0.1:x", "127.0.0.1:65536"]:
            link = PlayerLink(address, Place.create("first-night"), Script([WELCOME]))
            with self.assertRaises(BadArgument):
                run(link.open())
        run(PlayerLink("[::1]:65535", Place.create("first-night"), Script([WELCOME])).open())

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
            (b"HTTP/1.1 400 Bad Request\r\n", "answers with HTTP: is this the port of its page"),
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
        for reason in ("shutting_down", "store_unavailable", "too_many", "store_failed"):
            closing = {"closing": {"reason": reason, "message": "later"}}
            link, _ = opened([WELCOME, closing], [closing], [WELCOME, GAME_OVER])
            self.assertIsNone(run(link.next()))
            self.assertEqual(link.resumed, 1)

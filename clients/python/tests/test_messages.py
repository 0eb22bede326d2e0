"""Every command and event of every game is read and written."""

from __future__ import annotations

import importlib
import json
import unittest
from collections.abc import Iterator

from . import FOLDERS, GAMES


def golden(game: str, wanted: str) -> Iterator[dict[str, object]]:
    """The events or commands of a game's file, each with its one key."""
    for line in (GAMES / game / "tests" / "golden" / "bytes.txt").read_text().splitlines():
        kind, _, rest = line.partition(" ")
        if kind == wanted:
            yield json.loads(rest.rpartition(" = ")[0])


class MessagesTest(unittest.TestCase):
    def test_every_event_is_read(self) -> None:
        for game in FOLDERS:
            read = importlib.import_module(f"holdfast_{game}.events").read
            count = 0
            for event in golden(game, "event"):
                self.assertEqual([type(read(event)).__name__], list(event))
                self.assertEqual(read(event).to_json(), event)
                count += 1
            self.assertGreater(count, 20, game)

    def test_every_command_is_read(self) -> None:
        for game in FOLDERS:
            read = importlib.import_module(f"holdfast_{game}.commands").read
            count = 0
            for command in golden(game, "command"):
                self.assertEqual(read(command).to_json(), command)
                ((name, fields),) = command.items()
                # By position, without the optional ones at the end.
                values = list(fields.values()) if isinstance(fields, dict) else []
                while values and values[-1] is None:
                    values.pop()
                self.assertEqual(read([name, *values]), read(command))
                count += 1
            self.assertGreater(count, 5, game)

    def test_every_game_has_a_test_kit(self) -> None:
        for game in FOLDERS:
            kit = importlib.import_module(f"holdfast_{game}.testing")
            self.assertTrue(callable(kit.game) and len([name for name in vars(kit.Client) if name.startswith("assert_")]) > 5)

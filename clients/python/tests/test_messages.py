"""Every event of every game is read."""

from __future__ import annotations

import importlib
import json
import unittest
from collections.abc import Iterator

from . import FOLDERS, GAMES


def golden(game: str) -> Iterator[dict[str, object]]:
    """The events of a game's file, each with its one key."""
    for line in (GAMES / game / "tests" / "golden" / "bytes.txt").read_text().splitlines():
        kind, _, rest = line.partition(" ")
        if kind == "event":
            yield json.loads(rest.rpartition(" = ")[0])


class MessagesTest(unittest.TestCase):
    def test_every_event_is_read(self) -> None:
        for game in FOLDERS:
            read = importlib.import_module(f"holdfast_{game}.events").read
            count = 0
            for event in golden(game):
                self.assertEqual([type(read(event)).__name__], list(event))
                count += 1
            self.assertGreater(count, 20, game)

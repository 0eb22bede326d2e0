"""Commands are written as the server reads them."""

from __future__ import annotations

import json
import unittest

from holdfast_project import commands, values


class CommandsTest(unittest.TestCase):
    def test_commands_are_written(self) -> None:
        move = commands.Move("m1", values.Direction.UP)
        self.check(move.to_json(), '{"Move": {"id": "m1", "direction": "Up"}}')

    def check(self, written: object, expected: str) -> None:
        self.assertEqual(json.dumps(written), expected)

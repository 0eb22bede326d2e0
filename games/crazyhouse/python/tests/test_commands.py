"""Commands are written as the server reads them."""

from __future__ import annotations

import json
import unittest

from holdfast_crazyhouse import commands, values


class CommandsTest(unittest.TestCase):
    def test_commands_are_written(self) -> None:
        self.check(commands.Join("Ana").to_json(), '{"Join": {"name": "Ana", "side": null}}')
        join = commands.Join("Ana", values.Side.BLACK)
        self.check(join.to_json(), '{"Join": {"name": "Ana", "side": "black"}}')

    def check(self, written: object, expected: str) -> None:
        self.assertEqual(json.dumps(written), expected)

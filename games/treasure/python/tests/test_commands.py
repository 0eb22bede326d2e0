"""Commands are written as the server reads them."""

from __future__ import annotations

import json
import unittest

from holdfast_treasure import commands, values


class CommandsTest(unittest.TestCase):
    def test_commands_are_written(self) -> None:
        field = values.Field(values.Position(1, 2), values.Terrain.WATER, False)
        self.check(
            commands.SendHalf((field,), values.Coding.LETTERS).to_json(),
            '{"SendHalf": {"fields": [{"at": {"x": 1, "y": 2}, "terrain": "Water", "fort": false}], "coding": "Letters"}}',
        )
        self.check(commands.SendHalf(()).to_json(), '{"SendHalf": {"fields": [], "coding": null}}')

    def check(self, written: object, expected: str) -> None:
        self.assertEqual(json.dumps(written), expected)

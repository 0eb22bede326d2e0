"""Messages of every rulebook are read and written, whatever they are made of."""

from __future__ import annotations

import json
import unittest
from collections.abc import Callable, Iterator
from pathlib import Path

from holdfast.colony import events as colony_events
from holdfast.crazyhouse import commands as crazyhouse_commands, events as crazyhouse_events, values as crazyhouse_values
from holdfast.project import commands as project_commands, events as project_events, values as project_values
from holdfast.treasure import commands as treasure_commands, events as treasure_events, values as treasure_values

GOLDEN = Path(__file__).resolve().parents[3] / "systemtests" / "tests" / "suite" / "golden"


def golden(name: str) -> Iterator[object]:
    """The events of a file, each with its one key."""
    for line in (GOLDEN / name).read_text().splitlines():
        kind, _, rest = line.partition(" ")
        if kind == "event":
            yield json.loads(rest.rpartition(" = ")[0])


class MessagesTest(unittest.TestCase):
    def test_every_event_is_read(self) -> None:
        readers: dict[str, Callable[[object], object]] = {
            "bytes.txt": colony_events.read,
            "crazyhouse-bytes.txt": crazyhouse_events.read,
            "project-bytes.txt": project_events.read,
            "treasure-bytes.txt": treasure_events.read,
        }
        for name, read in readers.items():
            count = 0
            for event in golden(name):
                assert isinstance(event, dict)
                self.assertEqual([type(read(event)).__name__], list(event))
                count += 1
            self.assertGreater(count, 20, name)

    def test_words_structs_and_lists_are_written(self) -> None:
        field = treasure_values.Field(treasure_values.Position(1, 2), treasure_values.Terrain.WATER, False)
        self.check(
            treasure_commands.SendHalf((field,), treasure_values.Coding.LETTERS).to_json(),
            '{"SendHalf": {"fields": [{"at": {"x": 1, "y": 2}, "terrain": "Water", "fort": false}], "coding": "Letters"}}',
        )
        self.check(treasure_commands.SendHalf(()).to_json(), '{"SendHalf": {"fields": [], "coding": null}}')
        self.check(crazyhouse_commands.Join("Ana").to_json(), '{"Join": {"name": "Ana", "side": null}}')
        join = crazyhouse_commands.Join("Ana", crazyhouse_values.Side.BLACK)
        self.check(join.to_json(), '{"Join": {"name": "Ana", "side": "black"}}')
        move = project_commands.Move("m1", project_values.Direction.UP)
        self.check(move.to_json(), '{"Move": {"id": "m1", "direction": "Up"}}')

    def check(self, written: object, expected: str) -> None:
        self.assertEqual(json.dumps(written), expected)

"""The message classes are those of docs/protocol.json."""

from __future__ import annotations

import json
import unittest

import generate


class GenerateTest(unittest.TestCase):
    def test_the_messages_are_those_of_the_server(self) -> None:
        files = generate.render(json.loads(generate.DESCRIPTION.read_text()))
        for path, text in files.items():
            written = generate.PROJECT / path
            self.assertTrue(written.exists() and written.read_text() == text, f"{path} is old: python3 generate.py")

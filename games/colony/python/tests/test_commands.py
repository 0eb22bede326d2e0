"""Commands as a server reads them."""

from __future__ import annotations

import unittest

from holdfast import BadMessage
from holdfast_colony import commands


class CommandsTest(unittest.TestCase):
    def test_by_position_and_by_name(self) -> None:
        move = commands.Move(1, 20)
        for form in (["Move", 1, 20], ["Move", 1, 20, None], {"Move": {"character": 1, "location": 20}}):
            self.assertEqual(commands.read(form), move)
        self.assertEqual(commands.read("EndTurn"), commands.EndTurn())
        self.assertEqual(commands.read(["EndTurn"]), commands.EndTurn())

    def test_a_wrong_number_of_arguments_is_a_command(self) -> None:
        self.assertEqual(commands.read(["Move", 1]), commands.WrongArguments(command=3, given=1))
        self.assertEqual(commands.read(["EndTurn", 1]), commands.WrongArguments(command=11, given=1))

    def test_what_is_no_command(self) -> None:
        for wrong in (["Dance"], ["Move", "a", 2], {"Move": {"character": 1}}, 7, [], [7]):
            with self.assertRaises(BadMessage):
                commands.read(wrong)

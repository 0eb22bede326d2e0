"""Tests of a server's registration, in Python: an example of the test kit.

    systest run games/colony/python/examples/test_registration.py --server ".."
    pytest games/colony/python/examples/test_registration.py
"""

from __future__ import annotations

from holdfast_colony.testing import game


def test_a_stranger_cannot_start() -> None:
    with game("first-night", seed=7, players=["Ana", "Bo"], edition="group") as (ana, bo):
        bo.send_start_game()
        bo.assert_command_failed()
        ana.assert_nothing_more()


def test_every_offer_can_be_chosen() -> None:
    """What came is used: each pair of the four characters that are offered."""
    for first in range(4):
        for second in range(first):
            with game("first-night", seed=7, players=["Ana"], edition="group") as (ana,):
                ana.send_register("Ana")
                ana.assert_config(ana.scenario)
                ana.send_start_game()
                ana.assert_game_started()
                ana.assert_player(0, "Ana")
                offered = ana.assert_characters()
                ana.send_select_characters(offered[first], offered[second])
                for chosen in sorted([offered[first], offered[second]]):
                    ana.assert_character_spawned(0, chosen)


def test_both_are_told_in_any_order() -> None:
    with game("first-night", seed=7, players=["Ana", "Bo"], edition="group") as (ana, bo):
        for client in (bo, ana):
            client.send_register(client.name)
            client.assert_config()
        for client in (ana, bo):
            names = {event[2] for event in client.events() if event[0] == "Player"}
            assert names == {"Ana", "Bo"}, names


def test_a_deadline_ends_the_registration() -> None:
    with game("first-night", seed=7, players=["Ana"], edition="group", timeout=1) as table:
        (ana,) = table
        ana.send_register("Ana")
        ana.assert_config()
        table.silence()
        ana.assert_registration_aborted()
        table.assert_ended()

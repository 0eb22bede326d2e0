"""Tests of servers of colony: a method for each command and event.

Written by generate.py from docs/protocol.json.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from holdfast import testkit
from holdfast.testkit import ANY

class Client(testkit.Client):
    """A client of a game of colony."""

    def send_register(self, name: str) -> None:
        self.send("Register", name)

    def send_start_game(self) -> None:
        self.send("StartGame")

    def send_select_characters(self, first: int, second: int) -> None:
        self.send("SelectCharacters", first, second)

    def send_move(self, character: int, location: int, fuel: bool | None = None) -> None:
        arguments: list[object] = [character, location, fuel]
        while arguments and arguments[-1] is None:
            arguments.pop()
        self.send("Move", *arguments)

    def send_attack(self, character: int, entrance: int) -> None:
        self.send("Attack", character, entrance)

    def send_barricade(self, character: int, entrance: int) -> None:
        self.send("Barricade", character, entrance)

    def send_search(self, character: int) -> None:
        self.send("Search", character)

    def send_clean_waste(self, character: int) -> None:
        self.send("CleanWaste", character)

    def send_contribute_card(self, card: int) -> None:
        self.send("ContributeCard", card)

    def send_use_card(self, card: int, character: int | None = None, target: int | None = None) -> None:
        arguments: list[object] = [card, character, target]
        while arguments and arguments[-1] is None:
            arguments.pop()
        self.send("UseCard", *arguments)

    def send_use_ability(self, character: int, target: int | None = None) -> None:
        arguments: list[object] = [character, target]
        while arguments and arguments[-1] is None:
            arguments.pop()
        self.send("UseAbility", *arguments)

    def send_end_turn(self) -> None:
        self.send("EndTurn")

    def send_leave(self) -> None:
        self.send("Leave")

    def send_vote(self, answer: bool) -> None:
        self.send("Vote", answer)

    def send_wrong_arguments(self, command: int, given: int) -> None:
        self.send("WrongArguments", command, given)

    def assert_config(self, text: Any = ANY) -> list[Any]:
        return self.assert_event("Config", text)

    def until_config(self, text: Any = ANY) -> list[Any]:
        return self.assert_event("Config", text, until=True)

    def assert_act_now(self) -> list[Any]:
        return self.assert_event("ActNow")

    def until_act_now(self) -> list[Any]:
        return self.assert_event("ActNow", until=True)

    def assert_characters(self, c0: Any = ANY, c1: Any = ANY, c2: Any = ANY, c3: Any = ANY) -> list[Any]:
        return self.assert_event("Characters", c0, c1, c2, c3)

    def until_characters(self, c0: Any = ANY, c1: Any = ANY, c2: Any = ANY, c3: Any = ANY) -> list[Any]:
        return self.assert_event("Characters", c0, c1, c2, c3, until=True)

    def assert_command_failed(self, text: Any = ANY) -> list[Any]:
        return self.assert_event("CommandFailed", text)

    def until_command_failed(self, text: Any = ANY) -> list[Any]:
        return self.assert_event("CommandFailed", text, until=True)

    def assert_vote_now(self) -> list[Any]:
        return self.assert_event("VoteNow")

    def until_vote_now(self) -> list[Any]:
        return self.assert_event("VoteNow", until=True)

    def assert_registration_aborted(self) -> list[Any]:
        return self.assert_event("RegistrationAborted")

    def until_registration_aborted(self) -> list[Any]:
        return self.assert_event("RegistrationAborted", until=True)

    def assert_game_started(self) -> list[Any]:
        return self.assert_event("GameStarted")

    def until_game_started(self) -> list[Any]:
        return self.assert_event("GameStarted", until=True)

    def assert_player(self, player: Any = ANY, name: Any = ANY) -> list[Any]:
        return self.assert_event("Player", player, name)

    def until_player(self, player: Any = ANY, name: Any = ANY) -> list[Any]:
        return self.assert_event("Player", player, name, until=True)

    def assert_character_spawned(self, player: Any = ANY, character: Any = ANY) -> list[Any]:
        return self.assert_event("CharacterSpawned", player, character)

    def until_character_spawned(self, player: Any = ANY, character: Any = ANY) -> list[Any]:
        return self.assert_event("CharacterSpawned", player, character, until=True)

    def assert_child_spawned(self) -> list[Any]:
        return self.assert_event("ChildSpawned")

    def until_child_spawned(self) -> list[Any]:
        return self.assert_event("ChildSpawned", until=True)

    def assert_card_drawn(self, player: Any = ANY, card: Any = ANY) -> list[Any]:
        return self.assert_event("CardDrawn", player, card)

    def until_card_drawn(self, player: Any = ANY, card: Any = ANY) -> list[Any]:
        return self.assert_event("CardDrawn", player, card, until=True)

    def assert_next_round(self, round: Any = ANY) -> list[Any]:
        return self.assert_event("NextRound", round)

    def until_next_round(self, round: Any = ANY) -> list[Any]:
        return self.assert_event("NextRound", round, until=True)

    def assert_crisis(self, crisis: Any = ANY) -> list[Any]:
        return self.assert_event("Crisis", crisis)

    def until_crisis(self, crisis: Any = ANY) -> list[Any]:
        return self.assert_event("Crisis", crisis, until=True)

    def assert_die_rolled(self, player: Any = ANY, value: Any = ANY) -> list[Any]:
        return self.assert_event("DieRolled", player, value)

    def until_die_rolled(self, player: Any = ANY, value: Any = ANY) -> list[Any]:
        return self.assert_event("DieRolled", player, value, until=True)

    def assert_moved(self, character: Any = ANY, location: Any = ANY, fuel: Any = ANY) -> list[Any]:
        return self.assert_event("Moved", character, location, fuel)

    def until_moved(self, character: Any = ANY, location: Any = ANY, fuel: Any = ANY) -> list[Any]:
        return self.assert_event("Moved", character, location, fuel, until=True)

    def assert_zombie_killed(self, character: Any = ANY, location: Any = ANY, entrance: Any = ANY) -> list[Any]:
        return self.assert_event("ZombieKilled", character, location, entrance)

    def until_zombie_killed(self, character: Any = ANY, location: Any = ANY, entrance: Any = ANY) -> list[Any]:
        return self.assert_event("ZombieKilled", character, location, entrance, until=True)

    def assert_barricaded(self, character: Any = ANY, location: Any = ANY, entrance: Any = ANY) -> list[Any]:
        return self.assert_event("Barricaded", character, location, entrance)

    def until_barricaded(self, character: Any = ANY, location: Any = ANY, entrance: Any = ANY) -> list[Any]:
        return self.assert_event("Barricaded", character, location, entrance, until=True)

    def assert_searched(self, character: Any = ANY, location: Any = ANY) -> list[Any]:
        return self.assert_event("Searched", character, location)

    def until_searched(self, character: Any = ANY, location: Any = ANY) -> list[Any]:
        return self.assert_event("Searched", character, location, until=True)

    def assert_waste_changed(self, amount: Any = ANY) -> list[Any]:
        return self.assert_event("WasteChanged", amount)

    def until_waste_changed(self, amount: Any = ANY) -> list[Any]:
        return self.assert_event("WasteChanged", amount, until=True)

    def assert_contributed(self, player: Any = ANY, card: Any = ANY) -> list[Any]:
        return self.assert_event("Contributed", player, card)

    def until_contributed(self, player: Any = ANY, card: Any = ANY) -> list[Any]:
        return self.assert_event("Contributed", player, card, until=True)

    def assert_card_used(self, card: Any = ANY, character: Any = ANY, target: Any = ANY) -> list[Any]:
        return self.assert_event("CardUsed", card, character, target)

    def until_card_used(self, card: Any = ANY, character: Any = ANY, target: Any = ANY) -> list[Any]:
        return self.assert_event("CardUsed", card, character, target, until=True)

    def assert_ability_used(self, character: Any = ANY, target: Any = ANY) -> list[Any]:
        return self.assert_event("AbilityUsed", character, target)

    def until_ability_used(self, character: Any = ANY, target: Any = ANY) -> list[Any]:
        return self.assert_event("AbilityUsed", character, target, until=True)

    def assert_food_changed(self, amount: Any = ANY, reason: Any = ANY) -> list[Any]:
        return self.assert_event("FoodChanged", amount, reason)

    def until_food_changed(self, amount: Any = ANY, reason: Any = ANY) -> list[Any]:
        return self.assert_event("FoodChanged", amount, reason, until=True)

    def assert_moral_changed(self, amount: Any = ANY, reason: Any = ANY) -> list[Any]:
        return self.assert_event("MoralChanged", amount, reason)

    def until_moral_changed(self, amount: Any = ANY, reason: Any = ANY) -> list[Any]:
        return self.assert_event("MoralChanged", amount, reason, until=True)

    def assert_wounded(self, character: Any = ANY) -> list[Any]:
        return self.assert_event("Wounded", character)

    def until_wounded(self, character: Any = ANY) -> list[Any]:
        return self.assert_event("Wounded", character, until=True)

    def assert_frostbitten(self, character: Any = ANY) -> list[Any]:
        return self.assert_event("Frostbitten", character)

    def until_frostbitten(self, character: Any = ANY) -> list[Any]:
        return self.assert_event("Frostbitten", character, until=True)

    def assert_bitten(self, character: Any = ANY) -> list[Any]:
        return self.assert_event("Bitten", character)

    def until_bitten(self, character: Any = ANY) -> list[Any]:
        return self.assert_event("Bitten", character, until=True)

    def assert_survivor_killed(self, character: Any = ANY) -> list[Any]:
        return self.assert_event("SurvivorKilled", character)

    def until_survivor_killed(self, character: Any = ANY) -> list[Any]:
        return self.assert_event("SurvivorKilled", character, until=True)

    def assert_child_killed(self) -> list[Any]:
        return self.assert_event("ChildKilled")

    def until_child_killed(self) -> list[Any]:
        return self.assert_event("ChildKilled", until=True)

    def assert_colony_phase_started(self) -> list[Any]:
        return self.assert_event("ColonyPhaseStarted")

    def until_colony_phase_started(self) -> list[Any]:
        return self.assert_event("ColonyPhaseStarted", until=True)

    def assert_starvation_token_added(self) -> list[Any]:
        return self.assert_event("StarvationTokenAdded")

    def until_starvation_token_added(self) -> list[Any]:
        return self.assert_event("StarvationTokenAdded", until=True)

    def assert_zombie_spawned(self, location: Any = ANY, entrance: Any = ANY) -> list[Any]:
        return self.assert_event("ZombieSpawned", location, entrance)

    def until_zombie_spawned(self, location: Any = ANY, entrance: Any = ANY) -> list[Any]:
        return self.assert_event("ZombieSpawned", location, entrance, until=True)

    def assert_barricade_destroyed(self, location: Any = ANY, entrance: Any = ANY) -> list[Any]:
        return self.assert_event("BarricadeDestroyed", location, entrance)

    def until_barricade_destroyed(self, location: Any = ANY, entrance: Any = ANY) -> list[Any]:
        return self.assert_event("BarricadeDestroyed", location, entrance, until=True)

    def assert_left(self, player: Any = ANY) -> list[Any]:
        return self.assert_event("Left", player)

    def until_left(self, player: Any = ANY) -> list[Any]:
        return self.assert_event("Left", player, until=True)

    def assert_game_end(self, win: Any = ANY) -> list[Any]:
        return self.assert_event("GameEnd", win)

    def until_game_end(self, win: Any = ANY) -> list[Any]:
        return self.assert_event("GameEnd", win, until=True)

    def assert_crossroad(self, fate: Any = ANY) -> list[Any]:
        return self.assert_event("Crossroad", fate)

    def until_crossroad(self, fate: Any = ANY) -> list[Any]:
        return self.assert_event("Crossroad", fate, until=True)

    def assert_vote_result(self, answer: Any = ANY) -> list[Any]:
        return self.assert_event("VoteResult", answer)

    def until_vote_result(self, answer: Any = ANY) -> list[Any]:
        return self.assert_event("VoteResult", answer, until=True)

    def assert_registered(self, player: Any = ANY, name: Any = ANY) -> list[Any]:
        return self.assert_event("Registered", player, name)

    def until_registered(self, player: Any = ANY, name: Any = ANY) -> list[Any]:
        return self.assert_event("Registered", player, name, until=True)

    def assert_choice_offered(self, player: Any = ANY) -> list[Any]:
        return self.assert_event("ChoiceOffered", player)

    def until_choice_offered(self, player: Any = ANY) -> list[Any]:
        return self.assert_event("ChoiceOffered", player, until=True)

    def assert_turn_began(self, player: Any = ANY) -> list[Any]:
        return self.assert_event("TurnBegan", player)

    def until_turn_began(self, player: Any = ANY) -> list[Any]:
        return self.assert_event("TurnBegan", player, until=True)

    def assert_turn_ended(self, player: Any = ANY) -> list[Any]:
        return self.assert_event("TurnEnded", player)

    def until_turn_ended(self, player: Any = ANY) -> list[Any]:
        return self.assert_event("TurnEnded", player, until=True)

    def assert_die_spent(self, player: Any = ANY, value: Any = ANY) -> list[Any]:
        return self.assert_event("DieSpent", player, value)

    def until_die_spent(self, player: Any = ANY, value: Any = ANY) -> list[Any]:
        return self.assert_event("DieSpent", player, value, until=True)

    def assert_effect_used(self, character: Any = ANY, effect: Any = ANY) -> list[Any]:
        return self.assert_event("EffectUsed", character, effect)

    def until_effect_used(self, character: Any = ANY, effect: Any = ANY) -> list[Any]:
        return self.assert_event("EffectUsed", character, effect, until=True)

    def assert_vote_asked(self, player: Any = ANY) -> list[Any]:
        return self.assert_event("VoteAsked", player)

    def until_vote_asked(self, player: Any = ANY) -> list[Any]:
        return self.assert_event("VoteAsked", player, until=True)


def game(
    scenario: str,
    *,
    seed: int,
    players: Sequence[str],
    edition: str | None = None,
    timeout: int | None = None,
) -> testkit.Game[Client]:
    """Starts a game: `with game("winter", seed=7, players=["Ana", "Bo"]) as (ana, bo): ..`."""
    return testkit.Game(Client, "colony", scenario, seed=seed, players=players, edition=edition, timeout=timeout)

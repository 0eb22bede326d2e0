"""What every player may know: a fold over the events for all and for the board."""

from __future__ import annotations

from collections.abc import Iterator

from . import events
from .apply import apply
from .pieces import Entrance, Life, Outcome, Phase, Place, Player, Survivor
from .scenario import Barricades, CardKind, Character, Choice, Crisis, LocationsWithZombies, Scenario, Survive
from .values import Edition


class Board:
    """The game as everybody may see it. Characters, cards and locations are named by their identifiers.

    Without an edition it is the one that the scenario seems to be written for.

    scenario, edition   what is played; scenario.characters, .cards, .locations, .crises, .goal
    phase, round        where the game is; round 0 is before the first
    player              who is to choose characters, or has its turn
    players             list of Player: name, present, survivors, hand, dice, smallest_die(needed)
    survivors           character -> Survivor: life, location, owner, wounds, frostbites, moved, uses, worn
    places              location -> Place: cards, entrances; each Entrance: zombies, barricades, free
    morale, food, waste, children, starvation_tokens
    crisis, contributed the crisis of the round, and how many cards it was given
    vote                who is asked for a vote
    crossroad, choice   the fate card that fired last, and what is voted on
    outcome             how the game ended
    """

    def __init__(self, scenario: Scenario, edition: Edition | None = None) -> None:
        goal = scenario.goal
        self.scenario = scenario
        self.edition = edition or scenario.edition
        self.phase = Phase.REGISTRATION
        #: Who is to choose characters, or has its turn.
        self.player: int | None = None
        self.outcome: Outcome | None = None
        #: 0 before the first round.
        self.round = 0
        self.morale = goal.moral
        self.food = 0
        self.starvation_tokens = 0
        self.waste = 0
        self.children = goal.children_in_colony
        self.crisis: int | None = None
        #: How many cards were given to the crisis of the round.
        self.contributed = 0
        self.places: dict[int, Place] = {}
        for location in scenario.locations.values():
            entrances = [Entrance() for _ in range(location.entrances)]
            zombies = goal.zombies_colony if location.id == scenario.colony else goal.zombies_locations
            for zombie in range(zombies):
                entrances[zombie % len(entrances)].zombies += 1
            self.places[location.id] = Place(len(location.cards), entrances)
        self.survivors = {character: Survivor(scenario.colony) for character in scenario.characters}
        self.players: list[Player] = []
        #: Who is asked for a vote.
        self.vote: int | None = None
        #: The fate card that fired last.
        self.crossroad: int | None = None
        #: What is voted on.
        self.choice: Choice | None = None

    def apply(self, event: events.Event) -> None:
        """Never fails: an event that cannot be changes what it can and is forgotten."""
        apply(self, event)

    def survivors_at(self, location: int) -> list[int]:
        """The living at a location, from the lowest status to the highest."""
        here = (
            character
            for character, survivor in self.survivors.items()
            if survivor.life is Life.ALIVE and survivor.location == location
        )
        return sorted(here, key=lambda character: self.character(character).status)

    def present(self) -> Iterator[int]:
        """Players still in the game, ascending."""
        return (number for number, player in enumerate(self.players) if player.present)

    def character(self, character: int) -> Character:
        return self.scenario.characters[character]

    def card_kind(self, card: int) -> CardKind:
        return self.scenario.cards[card].kind

    def round_crisis(self) -> Crisis | None:
        return None if self.crisis is None else self.scenario.crises[self.crisis]

    def unused(self) -> int:
        """How many characters are not in the game yet."""
        return sum(survivor.life is Life.UNUSED for survivor in self.survivors.values())

    def barricades(self) -> int:
        return sum(entrance.barricades for place in self.places.values() for entrance in place.entrances)

    def locations_with_zombies(self) -> int:
        return sum(any(entrance.zombies for entrance in place.entrances) for place in self.places.values())

    def mouths(self) -> int:
        """How much food the colony phase would take now, and how many zombies would come to the colony."""
        return (len(self.survivors_at(self.scenario.colony)) + self.children + 1) // 2

    def last_round(self) -> bool:
        return self.round >= self.scenario.goal.rounds

    def goal_reached(self) -> bool:
        """Whether it is, if this were the end of the round."""
        match self.scenario.goal.aim:
            case Survive():
                return self.last_round()
            case Barricades(least):
                return self.barricades() >= least
            case LocationsWithZombies(most):
                return self.locations_with_zombies() <= most

    def fuel(self, player: int) -> int | None:
        """The FUEL card that a move with fuel takes: the one with the lowest identifier."""
        return min((card for card in self.players[player].hand if self.card_kind(card) is CardKind.FUEL), default=None)

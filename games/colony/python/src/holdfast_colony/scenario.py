"""What a scenario says, as dataclasses. Everything is found by its identifier."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from .values import CrisisKind, Edition


class CardKind(StrEnum):
    FOOD = "food"
    FUEL = "fuel"
    STUFF = "stuff"
    MEDICINE = "medicine"
    LOCK = "lock"
    SCISSORS = "scissors"
    HAMMER = "hammer"
    COLT = "colt"
    SNOW_BOOTS = "snow_boots"
    SWAB = "swab"
    BLUEPRINT = "blueprint"

    @property
    def is_equipment(self) -> bool:
        """What a survivor can wear."""
        return self in _EQUIPMENT

    @property
    def counts_as(self) -> CrisisKind:
        """As what a card counts when it is contributed to a crisis."""
        return _COUNTS_AS.get(self, CrisisKind.STUFF)


_EQUIPMENT = {CardKind.HAMMER, CardKind.COLT, CardKind.SNOW_BOOTS, CardKind.SWAB, CardKind.BLUEPRINT}
_COUNTS_AS = {
    CardKind.FOOD: CrisisKind.FOOD,
    CardKind.FUEL: CrisisKind.FUEL,
    CardKind.MEDICINE: CrisisKind.MEDICINE,
}


@dataclass(frozen=True, slots=True)
class Card:
    id: int
    kind: CardKind
    #: Of FOOD.
    amount: int = 0
    #: Of a blueprint.
    location: int | None = None
    #: The location whose stack holds it at first; start cards are the colony's.
    home: int | None = None


class Injury(StrEnum):
    WOUND = "wound"
    FROSTBITE = "frostBite"
    BITE = "bite"


@dataclass(frozen=True, slots=True)
class Wound:
    before: Injury
    after: Injury


@dataclass(frozen=True, slots=True)
class NoInfection:
    pass


@dataclass(frozen=True, slots=True)
class Search:
    location: int
    num_cards: int
    max_activations: int


@dataclass(frozen=True, slots=True)
class Trash:
    num_cards: int


@dataclass(frozen=True, slots=True)
class Heal:
    pass


@dataclass(frozen=True, slots=True)
class Feed:
    num_food: int


@dataclass(frozen=True, slots=True)
class Barricade:
    num_barricades: int
    max_activations: int


@dataclass(frozen=True, slots=True)
class Kill:
    location: int
    die_value: int
    num_zombies: int
    max_activations: int
    infection_die: bool
    children: bool


Ability: TypeAlias = Wound | NoInfection | Search | Trash | Heal | Feed | Barricade | Kill


@dataclass(frozen=True, slots=True)
class Character:
    id: int
    name: str
    status: int
    attack: int
    search: int
    ability: Ability


@dataclass(frozen=True, slots=True)
class Crisis:
    id: int
    kind: CrisisKind
    required_cards: int
    moral_change: int


@dataclass(frozen=True, slots=True)
class Survive:
    pass


@dataclass(frozen=True, slots=True)
class Barricades:
    at_least: int


@dataclass(frozen=True, slots=True)
class LocationsWithZombies:
    at_most: int


Aim: TypeAlias = Survive | Barricades | LocationsWithZombies


@dataclass(frozen=True, slots=True)
class Goal:
    rounds: int
    moral: int
    zombies_colony: int
    zombies_locations: int
    children_in_colony: int
    aim: Aim


@dataclass(frozen=True, slots=True)
class Location:
    id: int
    #: The colony has no name in the file; here it is "colony".
    name: str
    entrances: int
    #: None: no limit, which is the colony.
    survivor_spaces: int | None
    #: In the order of the file. The order of the shuffled stack is secret.
    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ChangeFood:
    amount: int


@dataclass(frozen=True, slots=True)
class ChangeMoral:
    amount: int


@dataclass(frozen=True, slots=True)
class SpawnSurvivors:
    amount: int
    children: bool


@dataclass(frozen=True, slots=True)
class SpawnZombies:
    amount: int
    #: None: at every location.
    location: int | None


@dataclass(frozen=True, slots=True)
class Choice:
    """A vote: the first consequence is the answer true."""

    first: Consequence
    second: Consequence


Consequence: TypeAlias = ChangeFood | ChangeMoral | SpawnSurvivors | SpawnZombies | Choice


class Trigger(StrEnum):
    BARRICADED = "barricaded"
    MOVED = "moved"
    SEARCHED = "searched"
    WASTE_CHANGED = "wasteChanged"
    EQUIP = "equip"


@dataclass(frozen=True, slots=True)
class Fate:
    id: int
    trigger: Trigger
    consequence: Consequence
    #: Where it fires; None: anywhere.
    location: int | None = None
    #: Of WASTE_CHANGED.
    amount: int = 0


@dataclass(frozen=True, slots=True)
class Scenario:
    """Cards, characters, crises and fates stand in the order of the file, locations in that of their identifiers."""

    max_players: int
    goal: Goal
    colony: int
    locations: dict[int, Location]
    characters: dict[int, Character]
    cards: dict[int, Card]
    crises: dict[int, Crisis]
    #: None when the file has no `crossroads` list at all.
    fates: dict[int, Fate] | None

    @property
    def edition(self) -> Edition:
        """The edition that the scenario seems to be written for: what a server plays that was told none."""
        if self.fates is not None:
            return Edition.FATE
        equipment = any(card.kind.is_equipment for card in self.cards.values())
        return Edition.EQUIPMENT if equipment else Edition.GROUP

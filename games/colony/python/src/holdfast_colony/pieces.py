"""What a board is made of."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

#: How many zombies and barricades an entrance has room for.
PLACES = 3


class Phase(StrEnum):
    REGISTRATION = "registration"
    #: A player is to choose characters.
    PREPARATION = "preparation"
    TURNS = "turns"
    #: After the last turn of a round.
    COLONY = "colony"
    OVER = "over"


class Outcome(StrEnum):
    """How a game ended, in the server's words."""

    WON = "won"
    LOST_MORALE = "lost: the morale fell to 0"
    LOST_GOAL = "lost: the goal was not reached in the last round"
    ABANDONED = "abandoned: nobody was left to play"
    ABORTED = "aborted during registration"


class Life(StrEnum):
    UNUSED = "unused"
    ALIVE = "alive"
    DEAD = "dead"


@dataclass(slots=True)
class Entrance:
    zombies: int = 0
    barricades: int = 0

    @property
    def free(self) -> int:
        return max(0, PLACES - self.zombies - self.barricades)


@dataclass(slots=True)
class Place:
    """A location, as it is now."""

    #: How many are left to find; at the colony they are the start cards.
    cards: int
    entrances: list[Entrance]


@dataclass(slots=True)
class Worn:
    card: int
    #: Its one use of this round is over.
    used: bool = False


@dataclass(slots=True)
class Survivor:
    """A character of the scenario, in the game or not."""

    location: int
    life: Life = Life.UNUSED
    #: None before it came into the game.
    owner: int | None = None
    wounds: int = 0
    frostbites: int = 0
    #: Has moved this round.
    moved: bool = False
    #: How often its ability was used this round.
    uses: int = 0
    #: In the order in which it was put on.
    worn: list[Worn] = field(default_factory=list)

    @property
    def injuries(self) -> int:
        return self.wounds + self.frostbites


@dataclass(slots=True)
class Player:
    name: str
    #: Still in the game.
    present: bool = True
    #: The living, in the order in which they came into the game.
    survivors: list[int] = field(default_factory=list)
    hand: list[int] = field(default_factory=list)
    #: From the lowest.
    dice: list[int] = field(default_factory=list)
    #: Has used its plain waste disposal of this round (group edition).
    disposed: bool = False

    def smallest_die(self, needed: int) -> int | None:
        """The smallest that shows at least so much: the one that is spent."""
        return next((die for die in self.dice if die >= needed), None)

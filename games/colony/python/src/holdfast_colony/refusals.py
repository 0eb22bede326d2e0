"""Every refusal, as a class.

Written by generate.py from docs/protocol.json.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from . import values
from holdfast import reading

@dataclass(frozen=True, slots=True)
class AlreadyRegistered:
    player: values.PlayerId

    @classmethod
    def read(cls, value: object) -> AlreadyRegistered:
        return cls(player=reading.field(value, "player", reading.integer))


@dataclass(frozen=True, slots=True)
class NotRegistered:
    @classmethod
    def read(cls, value: object) -> NotRegistered:
        return cls()


@dataclass(frozen=True, slots=True)
class AlreadyStarted:
    @classmethod
    def read(cls, value: object) -> AlreadyStarted:
        return cls()


@dataclass(frozen=True, slots=True)
class HasLeft:
    player: values.PlayerId

    @classmethod
    def read(cls, value: object) -> HasLeft:
        return cls(player=reading.field(value, "player", reading.integer))


@dataclass(frozen=True, slots=True)
class StillChoosing:
    player: values.PlayerId

    @classmethod
    def read(cls, value: object) -> StillChoosing:
        return cls(player=reading.field(value, "player", reading.integer))


@dataclass(frozen=True, slots=True)
class NothingToChoose:
    @classmethod
    def read(cls, value: object) -> NothingToChoose:
        return cls()


@dataclass(frozen=True, slots=True)
class SameCharacterTwice:
    character: values.CharacterId

    @classmethod
    def read(cls, value: object) -> SameCharacterTwice:
        return cls(character=reading.field(value, "character", reading.integer))


@dataclass(frozen=True, slots=True)
class NotOffered:
    character: values.CharacterId
    offered: values.Few

    @classmethod
    def read(cls, value: object) -> NotOffered:
        return cls(
            character=reading.field(value, "character", reading.integer),
            offered=reading.field(value, "offered", values.Few.read),
        )


@dataclass(frozen=True, slots=True)
class NotYourTurn:
    turn: values.PlayerId

    @classmethod
    def read(cls, value: object) -> NotYourTurn:
        return cls(turn=reading.field(value, "turn", reading.integer))


@dataclass(frozen=True, slots=True)
class VoteFirst:
    @classmethod
    def read(cls, value: object) -> VoteFirst:
        return cls()


@dataclass(frozen=True, slots=True)
class VotingNow:
    asked: values.PlayerId

    @classmethod
    def read(cls, value: object) -> VotingNow:
        return cls(asked=reading.field(value, "asked", reading.integer))


@dataclass(frozen=True, slots=True)
class NoVoteNow:
    @classmethod
    def read(cls, value: object) -> NoVoteNow:
        return cls()


@dataclass(frozen=True, slots=True)
class NotInEdition:
    edition: values.Edition

    @classmethod
    def read(cls, value: object) -> NotInEdition:
        return cls(edition=reading.field(value, "edition", reading.word(values.Edition)))


@dataclass(frozen=True, slots=True)
class WrongArguments:
    command: int
    given: int

    @classmethod
    def read(cls, value: object) -> WrongArguments:
        return cls(
            command=reading.field(value, "command", reading.integer),
            given=reading.field(value, "given", reading.integer),
        )


@dataclass(frozen=True, slots=True)
class NotYourCharacter:
    character: values.CharacterId
    yours: values.Few

    @classmethod
    def read(cls, value: object) -> NotYourCharacter:
        return cls(
            character=reading.field(value, "character", reading.integer),
            yours=reading.field(value, "yours", values.Few.read),
        )


@dataclass(frozen=True, slots=True)
class NoSuchLocation:
    location: values.LocationId
    known: values.Few

    @classmethod
    def read(cls, value: object) -> NoSuchLocation:
        return cls(
            location=reading.field(value, "location", reading.integer),
            known=reading.field(value, "known", values.Few.read),
        )


@dataclass(frozen=True, slots=True)
class AlreadyThere:
    location: values.LocationId

    @classmethod
    def read(cls, value: object) -> AlreadyThere:
        return cls(location=reading.field(value, "location", reading.integer))


@dataclass(frozen=True, slots=True)
class LocationFull:
    location: values.LocationId
    places: int

    @classmethod
    def read(cls, value: object) -> LocationFull:
        return cls(
            location=reading.field(value, "location", reading.integer),
            places=reading.field(value, "places", reading.integer),
        )


@dataclass(frozen=True, slots=True)
class AlreadyMoved:
    character: values.CharacterId

    @classmethod
    def read(cls, value: object) -> AlreadyMoved:
        return cls(character=reading.field(value, "character", reading.integer))


@dataclass(frozen=True, slots=True)
class NoFuel:
    @classmethod
    def read(cls, value: object) -> NoFuel:
        return cls()


@dataclass(frozen=True, slots=True)
class NoSuchEntrance:
    entrance: values.Entrance
    entrances: int

    @classmethod
    def read(cls, value: object) -> NoSuchEntrance:
        return cls(
            entrance=reading.field(value, "entrance", reading.integer),
            entrances=reading.field(value, "entrances", reading.integer),
        )


@dataclass(frozen=True, slots=True)
class NoZombieThere:
    entrance: values.Entrance

    @classmethod
    def read(cls, value: object) -> NoZombieThere:
        return cls(entrance=reading.field(value, "entrance", reading.integer))


@dataclass(frozen=True, slots=True)
class NoFreePlace:
    entrance: values.Entrance

    @classmethod
    def read(cls, value: object) -> NoFreePlace:
        return cls(entrance=reading.field(value, "entrance", reading.integer))


@dataclass(frozen=True, slots=True)
class NoDieFor:
    needed: int
    left: tuple[int, ...]

    @classmethod
    def read(cls, value: object) -> NoDieFor:
        return cls(
            needed=reading.field(value, "needed", reading.integer),
            left=reading.field(value, "left", reading.listing(reading.integer)),
        )


@dataclass(frozen=True, slots=True)
class NoDieLeft:
    @classmethod
    def read(cls, value: object) -> NoDieLeft:
        return cls()


@dataclass(frozen=True, slots=True)
class NothingToSearch:
    @classmethod
    def read(cls, value: object) -> NothingToSearch:
        return cls()


@dataclass(frozen=True, slots=True)
class StackEmpty:
    location: values.LocationId

    @classmethod
    def read(cls, value: object) -> StackEmpty:
        return cls(location=reading.field(value, "location", reading.integer))


@dataclass(frozen=True, slots=True)
class NotInColony:
    character: values.CharacterId

    @classmethod
    def read(cls, value: object) -> NotInColony:
        return cls(character=reading.field(value, "character", reading.integer))


@dataclass(frozen=True, slots=True)
class NoWaste:
    @classmethod
    def read(cls, value: object) -> NoWaste:
        return cls()


@dataclass(frozen=True, slots=True)
class DisposedAlready:
    character: values.CharacterId

    @classmethod
    def read(cls, value: object) -> DisposedAlready:
        return cls(character=reading.field(value, "character", reading.integer))


@dataclass(frozen=True, slots=True)
class NotInHand:
    card: values.CardId
    hand: values.Few

    @classmethod
    def read(cls, value: object) -> NotInHand:
        return cls(
            card=reading.field(value, "card", reading.integer),
            hand=reading.field(value, "hand", values.Few.read),
        )


@dataclass(frozen=True, slots=True)
class NotWanted:
    card: values.CardId
    wanted: values.CrisisKind

    @classmethod
    def read(cls, value: object) -> NotWanted:
        return cls(
            card=reading.field(value, "card", reading.integer),
            wanted=reading.field(value, "wanted", reading.word(values.CrisisKind)),
        )


@dataclass(frozen=True, slots=True)
class CardNeedsTarget:
    card: values.CardId

    @classmethod
    def read(cls, value: object) -> CardNeedsTarget:
        return cls(card=reading.field(value, "card", reading.integer))


@dataclass(frozen=True, slots=True)
class CardTakesNoTarget:
    card: values.CardId

    @classmethod
    def read(cls, value: object) -> CardTakesNoTarget:
        return cls(card=reading.field(value, "card", reading.integer))


@dataclass(frozen=True, slots=True)
class TargetNotHere:
    target: int
    here: values.Few

    @classmethod
    def read(cls, value: object) -> TargetNotHere:
        return cls(
            target=reading.field(value, "target", reading.integer),
            here=reading.field(value, "here", values.Few.read),
        )


@dataclass(frozen=True, slots=True)
class NotInjured:
    target: values.CharacterId

    @classmethod
    def read(cls, value: object) -> NotInjured:
        return cls(target=reading.field(value, "target", reading.integer))


@dataclass(frozen=True, slots=True)
class AbilityIsPassive:
    character: values.CharacterId

    @classmethod
    def read(cls, value: object) -> AbilityIsPassive:
        return cls(character=reading.field(value, "character", reading.integer))


@dataclass(frozen=True, slots=True)
class AbilityNeedsTarget:
    character: values.CharacterId

    @classmethod
    def read(cls, value: object) -> AbilityNeedsTarget:
        return cls(character=reading.field(value, "character", reading.integer))


@dataclass(frozen=True, slots=True)
class AbilityTakesNoTarget:
    character: values.CharacterId

    @classmethod
    def read(cls, value: object) -> AbilityTakesNoTarget:
        return cls(character=reading.field(value, "character", reading.integer))


@dataclass(frozen=True, slots=True)
class AbilityUsedUp:
    character: values.CharacterId
    times: int

    @classmethod
    def read(cls, value: object) -> AbilityUsedUp:
        return cls(
            character=reading.field(value, "character", reading.integer),
            times=reading.field(value, "times", reading.integer),
        )


@dataclass(frozen=True, slots=True)
class AbilityElsewhere:
    character: values.CharacterId
    location: values.LocationId

    @classmethod
    def read(cls, value: object) -> AbilityElsewhere:
        return cls(
            character=reading.field(value, "character", reading.integer),
            location=reading.field(value, "location", reading.integer),
        )


@dataclass(frozen=True, slots=True)
class NoChildren:
    character: values.CharacterId

    @classmethod
    def read(cls, value: object) -> NoChildren:
        return cls(character=reading.field(value, "character", reading.integer))


Refusal: TypeAlias = (
    AlreadyRegistered
    | NotRegistered
    | AlreadyStarted
    | HasLeft
    | StillChoosing
    | NothingToChoose
    | SameCharacterTwice
    | NotOffered
    | NotYourTurn
    | VoteFirst
    | VotingNow
    | NoVoteNow
    | NotInEdition
    | WrongArguments
    | NotYourCharacter
    | NoSuchLocation
    | AlreadyThere
    | LocationFull
    | AlreadyMoved
    | NoFuel
    | NoSuchEntrance
    | NoZombieThere
    | NoFreePlace
    | NoDieFor
    | NoDieLeft
    | NothingToSearch
    | StackEmpty
    | NotInColony
    | NoWaste
    | DisposedAlready
    | NotInHand
    | NotWanted
    | CardNeedsTarget
    | CardTakesNoTarget
    | TargetNotHere
    | NotInjured
    | AbilityIsPassive
    | AbilityNeedsTarget
    | AbilityTakesNoTarget
    | AbilityUsedUp
    | AbilityElsewhere
    | NoChildren
)


_REFUSAL: dict[str, Callable[[object], Refusal]] = {
    "AlreadyRegistered": AlreadyRegistered.read,
    "NotRegistered": NotRegistered.read,
    "AlreadyStarted": AlreadyStarted.read,
    "HasLeft": HasLeft.read,
    "StillChoosing": StillChoosing.read,
    "NothingToChoose": NothingToChoose.read,
    "SameCharacterTwice": SameCharacterTwice.read,
    "NotOffered": NotOffered.read,
    "NotYourTurn": NotYourTurn.read,
    "VoteFirst": VoteFirst.read,
    "VotingNow": VotingNow.read,
    "NoVoteNow": NoVoteNow.read,
    "NotInEdition": NotInEdition.read,
    "WrongArguments": WrongArguments.read,
    "NotYourCharacter": NotYourCharacter.read,
    "NoSuchLocation": NoSuchLocation.read,
    "AlreadyThere": AlreadyThere.read,
    "LocationFull": LocationFull.read,
    "AlreadyMoved": AlreadyMoved.read,
    "NoFuel": NoFuel.read,
    "NoSuchEntrance": NoSuchEntrance.read,
    "NoZombieThere": NoZombieThere.read,
    "NoFreePlace": NoFreePlace.read,
    "NoDieFor": NoDieFor.read,
    "NoDieLeft": NoDieLeft.read,
    "NothingToSearch": NothingToSearch.read,
    "StackEmpty": StackEmpty.read,
    "NotInColony": NotInColony.read,
    "NoWaste": NoWaste.read,
    "DisposedAlready": DisposedAlready.read,
    "NotInHand": NotInHand.read,
    "NotWanted": NotWanted.read,
    "CardNeedsTarget": CardNeedsTarget.read,
    "CardTakesNoTarget": CardTakesNoTarget.read,
    "TargetNotHere": TargetNotHere.read,
    "NotInjured": NotInjured.read,
    "AbilityIsPassive": AbilityIsPassive.read,
    "AbilityNeedsTarget": AbilityNeedsTarget.read,
    "AbilityTakesNoTarget": AbilityTakesNoTarget.read,
    "AbilityUsedUp": AbilityUsedUp.read,
    "AbilityElsewhere": AbilityElsewhere.read,
    "NoChildren": NoChildren.read,
}


def read(value: object) -> Refusal:
    return reading.variant(value, _REFUSAL)

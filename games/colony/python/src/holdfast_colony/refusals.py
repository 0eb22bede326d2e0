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

    def to_json(self) -> dict[str, object]:
        return {"AlreadyRegistered": {"player": self.player}}


@dataclass(frozen=True, slots=True)
class NotRegistered:
    @classmethod
    def read(cls, value: object) -> NotRegistered:
        return cls()

    def to_json(self) -> dict[str, object]:
        return {"NotRegistered": {}}


@dataclass(frozen=True, slots=True)
class AlreadyStarted:
    @classmethod
    def read(cls, value: object) -> AlreadyStarted:
        return cls()

    def to_json(self) -> dict[str, object]:
        return {"AlreadyStarted": {}}


@dataclass(frozen=True, slots=True)
class HasLeft:
    player: values.PlayerId

    @classmethod
    def read(cls, value: object) -> HasLeft:
        return cls(player=reading.field(value, "player", reading.integer))

    def to_json(self) -> dict[str, object]:
        return {"HasLeft": {"player": self.player}}


@dataclass(frozen=True, slots=True)
class StillChoosing:
    player: values.PlayerId

    @classmethod
    def read(cls, value: object) -> StillChoosing:
        return cls(player=reading.field(value, "player", reading.integer))

    def to_json(self) -> dict[str, object]:
        return {"StillChoosing": {"player": self.player}}


@dataclass(frozen=True, slots=True)
class NothingToChoose:
    @classmethod
    def read(cls, value: object) -> NothingToChoose:
        return cls()

    def to_json(self) -> dict[str, object]:
        return {"NothingToChoose": {}}


@dataclass(frozen=True, slots=True)
class SameCharacterTwice:
    character: values.CharacterId

    @classmethod
    def read(cls, value: object) -> SameCharacterTwice:
        return cls(character=reading.field(value, "character", reading.integer))

    def to_json(self) -> dict[str, object]:
        return {"SameCharacterTwice": {"character": self.character}}


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

    def to_json(self) -> dict[str, object]:
        return {"NotOffered": {"character": self.character, "offered": self.offered.to_json()}}


@dataclass(frozen=True, slots=True)
class NotYourTurn:
    turn: values.PlayerId

    @classmethod
    def read(cls, value: object) -> NotYourTurn:
        return cls(turn=reading.field(value, "turn", reading.integer))

    def to_json(self) -> dict[str, object]:
        return {"NotYourTurn": {"turn": self.turn}}


@dataclass(frozen=True, slots=True)
class VoteFirst:
    @classmethod
    def read(cls, value: object) -> VoteFirst:
        return cls()

    def to_json(self) -> dict[str, object]:
        return {"VoteFirst": {}}


@dataclass(frozen=True, slots=True)
class VotingNow:
    asked: values.PlayerId

    @classmethod
    def read(cls, value: object) -> VotingNow:
        return cls(asked=reading.field(value, "asked", reading.integer))

    def to_json(self) -> dict[str, object]:
        return {"VotingNow": {"asked": self.asked}}


@dataclass(frozen=True, slots=True)
class NoVoteNow:
    @classmethod
    def read(cls, value: object) -> NoVoteNow:
        return cls()

    def to_json(self) -> dict[str, object]:
        return {"NoVoteNow": {}}


@dataclass(frozen=True, slots=True)
class NotInEdition:
    edition: values.Edition

    @classmethod
    def read(cls, value: object) -> NotInEdition:
        return cls(edition=reading.field(value, "edition", reading.word(values.Edition)))

    def to_json(self) -> dict[str, object]:
        return {"NotInEdition": {"edition": self.edition}}


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

    def to_json(self) -> dict[str, object]:
        return {"WrongArguments": {"command": self.command, "given": self.given}}


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

    def to_json(self) -> dict[str, object]:
        return {"NotYourCharacter": {"character": self.character, "yours": self.yours.to_json()}}


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

    def to_json(self) -> dict[str, object]:
        return {"NoSuchLocation": {"location": self.location, "known": self.known.to_json()}}


@dataclass(frozen=True, slots=True)
class AlreadyThere:
    location: values.LocationId

    @classmethod
    def read(cls, value: object) -> AlreadyThere:
        return cls(location=reading.field(value, "location", reading.integer))

    def to_json(self) -> dict[str, object]:
        return {"AlreadyThere": {"location": self.location}}


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

    def to_json(self) -> dict[str, object]:
        return {"LocationFull": {"location": self.location, "places": self.places}}


@dataclass(frozen=True, slots=True)
class AlreadyMoved:
    character: values.CharacterId

    @classmethod
    def read(cls, value: object) -> AlreadyMoved:
        return cls(character=reading.field(value, "character", reading.integer))

    def to_json(self) -> dict[str, object]:
        return {"AlreadyMoved": {"character": self.character}}


@dataclass(frozen=True, slots=True)
class NoFuel:
    @classmethod
    def read(cls, value: object) -> NoFuel:
        return cls()

    def to_json(self) -> dict[str, object]:
        return {"NoFuel": {}}


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

    def to_json(self) -> dict[str, object]:
        return {"NoSuchEntrance": {"entrance": self.entrance, "entrances": self.entrances}}


@dataclass(frozen=True, slots=True)
class NoZombieThere:
    entrance: values.Entrance

    @classmethod
    def read(cls, value: object) -> NoZombieThere:
        return cls(entrance=reading.field(value, "entrance", reading.integer))

    def to_json(self) -> dict[str, object]:
        return {"NoZombieThere": {"entrance": self.entrance}}


@dataclass(frozen=True, slots=True)
class NoFreePlace:
    entrance: values.Entrance

    @classmethod
    def read(cls, value: object) -> NoFreePlace:
        return cls(entrance=reading.field(value, "entrance", reading.integer))

    def to_json(self) -> dict[str, object]:
        return {"NoFreePlace": {"entrance": self.entrance}}


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

    def to_json(self) -> dict[str, object]:
        return {"NoDieFor": {"needed": self.needed, "left": list(self.left)}}


@dataclass(frozen=True, slots=True)
class NoDieLeft:
    @classmethod
    def read(cls, value: object) -> NoDieLeft:
        return cls()

    def to_json(self) -> dict[str, object]:
        return {"NoDieLeft": {}}


@dataclass(frozen=True, slots=True)
class NothingToSearch:
    @classmethod
    def read(cls, value: object) -> NothingToSearch:
        return cls()

    def to_json(self) -> dict[str, object]:
        return {"NothingToSearch": {}}


@dataclass(frozen=True, slots=True)
class StackEmpty:
    location: values.LocationId

    @classmethod
    def read(cls, value: object) -> StackEmpty:
        return cls(location=reading.field(value, "location", reading.integer))

    def to_json(self) -> dict[str, object]:
        return {"StackEmpty": {"location": self.location}}


@dataclass(frozen=True, slots=True)
class NotInColony:
    character: values.CharacterId

    @classmethod
    def read(cls, value: object) -> NotInColony:
        return cls(character=reading.field(value, "character", reading.integer))

    def to_json(self) -> dict[str, object]:
        return {"NotInColony": {"character": self.character}}


@dataclass(frozen=True, slots=True)
class NoWaste:
    @classmethod
    def read(cls, value: object) -> NoWaste:
        return cls()

    def to_json(self) -> dict[str, object]:
        return {"NoWaste": {}}


@dataclass(frozen=True, slots=True)
class DisposedAlready:
    character: values.CharacterId

    @classmethod
    def read(cls, value: object) -> DisposedAlready:
        return cls(character=reading.field(value, "character", reading.integer))

    def to_json(self) -> dict[str, object]:
        return {"DisposedAlready": {"character": self.character}}


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

    def to_json(self) -> dict[str, object]:
        return {"NotInHand": {"card": self.card, "hand": self.hand.to_json()}}


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

    def to_json(self) -> dict[str, object]:
        return {"NotWanted": {"card": self.card, "wanted": self.wanted}}


@dataclass(frozen=True, slots=True)
class CardNeedsTarget:
    card: values.CardId

    @classmethod
    def read(cls, value: object) -> CardNeedsTarget:
        return cls(card=reading.field(value, "card", reading.integer))

    def to_json(self) -> dict[str, object]:
        return {"CardNeedsTarget": {"card": self.card}}


@dataclass(frozen=True, slots=True)
class CardTakesNoTarget:
    card: values.CardId

    @classmethod
    def read(cls, value: object) -> CardTakesNoTarget:
        return cls(card=reading.field(value, "card", reading.integer))

    def to_json(self) -> dict[str, object]:
        return {"CardTakesNoTarget": {"card": self.card}}


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

    def to_json(self) -> dict[str, object]:
        return {"TargetNotHere": {"target": self.target, "here": self.here.to_json()}}


@dataclass(frozen=True, slots=True)
class NotInjured:
    target: values.CharacterId

    @classmethod
    def read(cls, value: object) -> NotInjured:
        return cls(target=reading.field(value, "target", reading.integer))

    def to_json(self) -> dict[str, object]:
        return {"NotInjured": {"target": self.target}}


@dataclass(frozen=True, slots=True)
class AbilityIsPassive:
    character: values.CharacterId

    @classmethod
    def read(cls, value: object) -> AbilityIsPassive:
        return cls(character=reading.field(value, "character", reading.integer))

    def to_json(self) -> dict[str, object]:
        return {"AbilityIsPassive": {"character": self.character}}


@dataclass(frozen=True, slots=True)
class AbilityNeedsTarget:
    character: values.CharacterId

    @classmethod
    def read(cls, value: object) -> AbilityNeedsTarget:
        return cls(character=reading.field(value, "character", reading.integer))

    def to_json(self) -> dict[str, object]:
        return {"AbilityNeedsTarget": {"character": self.character}}


@dataclass(frozen=True, slots=True)
class AbilityTakesNoTarget:
    character: values.CharacterId

    @classmethod
    def read(cls, value: object) -> AbilityTakesNoTarget:
        return cls(character=reading.field(value, "character", reading.integer))

    def to_json(self) -> dict[str, object]:
        return {"AbilityTakesNoTarget": {"character": self.character}}


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

    def to_json(self) -> dict[str, object]:
        return {"AbilityUsedUp": {"character": self.character, "times": self.times}}


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

    def to_json(self) -> dict[str, object]:
        return {"AbilityElsewhere": {"character": self.character, "location": self.location}}


@dataclass(frozen=True, slots=True)
class NoChildren:
    character: values.CharacterId

    @classmethod
    def read(cls, value: object) -> NoChildren:
        return cls(character=reading.field(value, "character", reading.integer))

    def to_json(self) -> dict[str, object]:
        return {"NoChildren": {"character": self.character}}


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

"""Every event, as a class.

Written by generate.py from docs/protocol.json.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from . import effects, refusals, values
from holdfast import reading

@dataclass(frozen=True, slots=True)
class Config:
    @classmethod
    def read(cls, value: object) -> Config:
        return cls()

    def to_json(self) -> dict[str, object]:
        return {"Config": {}}


@dataclass(frozen=True, slots=True)
class ActNow:
    @classmethod
    def read(cls, value: object) -> ActNow:
        return cls()

    def to_json(self) -> dict[str, object]:
        return {"ActNow": {}}


@dataclass(frozen=True, slots=True)
class Characters:
    c0: values.CharacterId
    c1: values.CharacterId
    c2: values.CharacterId
    c3: values.CharacterId

    @classmethod
    def read(cls, value: object) -> Characters:
        return cls(
            c0=reading.field(value, "c0", reading.integer),
            c1=reading.field(value, "c1", reading.integer),
            c2=reading.field(value, "c2", reading.integer),
            c3=reading.field(value, "c3", reading.integer),
        )

    def to_json(self) -> dict[str, object]:
        return {"Characters": {"c0": self.c0, "c1": self.c1, "c2": self.c2, "c3": self.c3}}


@dataclass(frozen=True, slots=True)
class CommandFailed:
    refusal: refusals.Refusal

    @classmethod
    def read(cls, value: object) -> CommandFailed:
        return cls(refusal=reading.field(value, "refusal", refusals.read))

    def to_json(self) -> dict[str, object]:
        return {"CommandFailed": {"refusal": self.refusal.to_json()}}


@dataclass(frozen=True, slots=True)
class VoteNow:
    @classmethod
    def read(cls, value: object) -> VoteNow:
        return cls()

    def to_json(self) -> dict[str, object]:
        return {"VoteNow": {}}


@dataclass(frozen=True, slots=True)
class RegistrationAborted:
    @classmethod
    def read(cls, value: object) -> RegistrationAborted:
        return cls()

    def to_json(self) -> dict[str, object]:
        return {"RegistrationAborted": {}}


@dataclass(frozen=True, slots=True)
class GameStarted:
    @classmethod
    def read(cls, value: object) -> GameStarted:
        return cls()

    def to_json(self) -> dict[str, object]:
        return {"GameStarted": {}}


@dataclass(frozen=True, slots=True)
class Player:
    player: values.PlayerId
    name: str

    @classmethod
    def read(cls, value: object) -> Player:
        return cls(
            player=reading.field(value, "player", reading.integer),
            name=reading.field(value, "name", reading.text),
        )

    def to_json(self) -> dict[str, object]:
        return {"Player": {"player": self.player, "name": self.name}}


@dataclass(frozen=True, slots=True)
class CharacterSpawned:
    player: values.PlayerId
    character: values.CharacterId

    @classmethod
    def read(cls, value: object) -> CharacterSpawned:
        return cls(
            player=reading.field(value, "player", reading.integer),
            character=reading.field(value, "character", reading.integer),
        )

    def to_json(self) -> dict[str, object]:
        return {"CharacterSpawned": {"player": self.player, "character": self.character}}


@dataclass(frozen=True, slots=True)
class ChildSpawned:
    @classmethod
    def read(cls, value: object) -> ChildSpawned:
        return cls()

    def to_json(self) -> dict[str, object]:
        return {"ChildSpawned": {}}


@dataclass(frozen=True, slots=True)
class CardDrawn:
    player: values.PlayerId
    card: values.CardId

    @classmethod
    def read(cls, value: object) -> CardDrawn:
        return cls(
            player=reading.field(value, "player", reading.integer),
            card=reading.field(value, "card", reading.integer),
        )

    def to_json(self) -> dict[str, object]:
        return {"CardDrawn": {"player": self.player, "card": self.card}}


@dataclass(frozen=True, slots=True)
class NextRound:
    round: int

    @classmethod
    def read(cls, value: object) -> NextRound:
        return cls(round=reading.field(value, "round", reading.integer))

    def to_json(self) -> dict[str, object]:
        return {"NextRound": {"round": self.round}}


@dataclass(frozen=True, slots=True)
class Crisis:
    crisis: values.CrisisId

    @classmethod
    def read(cls, value: object) -> Crisis:
        return cls(crisis=reading.field(value, "crisis", reading.integer))

    def to_json(self) -> dict[str, object]:
        return {"Crisis": {"crisis": self.crisis}}


@dataclass(frozen=True, slots=True)
class DieRolled:
    player: values.PlayerId
    value: int

    @classmethod
    def read(cls, value: object) -> DieRolled:
        return cls(
            player=reading.field(value, "player", reading.integer),
            value=reading.field(value, "value", reading.integer),
        )

    def to_json(self) -> dict[str, object]:
        return {"DieRolled": {"player": self.player, "value": self.value}}


@dataclass(frozen=True, slots=True)
class Moved:
    character: values.CharacterId
    location: values.LocationId
    fuel: bool | None = None

    @classmethod
    def read(cls, value: object) -> Moved:
        return cls(
            character=reading.field(value, "character", reading.integer),
            location=reading.field(value, "location", reading.integer),
            fuel=reading.field(value, "fuel", reading.optional(reading.boolean)),
        )

    def to_json(self) -> dict[str, object]:
        return {"Moved": {"character": self.character, "location": self.location, "fuel": self.fuel}}


@dataclass(frozen=True, slots=True)
class ZombieKilled:
    character: values.CharacterId
    location: values.LocationId
    entrance: values.Entrance

    @classmethod
    def read(cls, value: object) -> ZombieKilled:
        return cls(
            character=reading.field(value, "character", reading.integer),
            location=reading.field(value, "location", reading.integer),
            entrance=reading.field(value, "entrance", reading.integer),
        )

    def to_json(self) -> dict[str, object]:
        return {"ZombieKilled": {"character": self.character, "location": self.location, "entrance": self.entrance}}


@dataclass(frozen=True, slots=True)
class Barricaded:
    character: values.CharacterId
    location: values.LocationId
    entrance: values.Entrance

    @classmethod
    def read(cls, value: object) -> Barricaded:
        return cls(
            character=reading.field(value, "character", reading.integer),
            location=reading.field(value, "location", reading.integer),
            entrance=reading.field(value, "entrance", reading.integer),
        )

    def to_json(self) -> dict[str, object]:
        return {"Barricaded": {"character": self.character, "location": self.location, "entrance": self.entrance}}


@dataclass(frozen=True, slots=True)
class Searched:
    character: values.CharacterId
    location: values.LocationId

    @classmethod
    def read(cls, value: object) -> Searched:
        return cls(
            character=reading.field(value, "character", reading.integer),
            location=reading.field(value, "location", reading.integer),
        )

    def to_json(self) -> dict[str, object]:
        return {"Searched": {"character": self.character, "location": self.location}}


@dataclass(frozen=True, slots=True)
class WasteChanged:
    amount: int

    @classmethod
    def read(cls, value: object) -> WasteChanged:
        return cls(amount=reading.field(value, "amount", reading.integer))

    def to_json(self) -> dict[str, object]:
        return {"WasteChanged": {"amount": self.amount}}


@dataclass(frozen=True, slots=True)
class Contributed:
    player: values.PlayerId
    card: values.CardId

    @classmethod
    def read(cls, value: object) -> Contributed:
        return cls(
            player=reading.field(value, "player", reading.integer),
            card=reading.field(value, "card", reading.integer),
        )

    def to_json(self) -> dict[str, object]:
        return {"Contributed": {"player": self.player, "card": self.card}}


@dataclass(frozen=True, slots=True)
class CardUsed:
    card: values.CardId
    character: values.CharacterId | None = None
    target: int | None = None

    @classmethod
    def read(cls, value: object) -> CardUsed:
        return cls(
            card=reading.field(value, "card", reading.integer),
            character=reading.field(value, "character", reading.optional(reading.integer)),
            target=reading.field(value, "target", reading.optional(reading.integer)),
        )

    def to_json(self) -> dict[str, object]:
        return {"CardUsed": {"card": self.card, "character": self.character, "target": self.target}}


@dataclass(frozen=True, slots=True)
class AbilityUsed:
    character: values.CharacterId
    target: int | None = None

    @classmethod
    def read(cls, value: object) -> AbilityUsed:
        return cls(
            character=reading.field(value, "character", reading.integer),
            target=reading.field(value, "target", reading.optional(reading.integer)),
        )

    def to_json(self) -> dict[str, object]:
        return {"AbilityUsed": {"character": self.character, "target": self.target}}


@dataclass(frozen=True, slots=True)
class FoodChanged:
    amount: int
    reason: values.FoodChange

    @classmethod
    def read(cls, value: object) -> FoodChanged:
        return cls(
            amount=reading.field(value, "amount", reading.integer),
            reason=reading.field(value, "reason", reading.word(values.FoodChange)),
        )

    def to_json(self) -> dict[str, object]:
        return {"FoodChanged": {"amount": self.amount, "reason": self.reason}}


@dataclass(frozen=True, slots=True)
class MoralChanged:
    amount: int
    reason: values.MoralChange

    @classmethod
    def read(cls, value: object) -> MoralChanged:
        return cls(
            amount=reading.field(value, "amount", reading.integer),
            reason=reading.field(value, "reason", reading.word(values.MoralChange)),
        )

    def to_json(self) -> dict[str, object]:
        return {"MoralChanged": {"amount": self.amount, "reason": self.reason}}


@dataclass(frozen=True, slots=True)
class Wounded:
    character: values.CharacterId

    @classmethod
    def read(cls, value: object) -> Wounded:
        return cls(character=reading.field(value, "character", reading.integer))

    def to_json(self) -> dict[str, object]:
        return {"Wounded": {"character": self.character}}


@dataclass(frozen=True, slots=True)
class Frostbitten:
    character: values.CharacterId

    @classmethod
    def read(cls, value: object) -> Frostbitten:
        return cls(character=reading.field(value, "character", reading.integer))

    def to_json(self) -> dict[str, object]:
        return {"Frostbitten": {"character": self.character}}


@dataclass(frozen=True, slots=True)
class Bitten:
    character: values.CharacterId | None = None

    @classmethod
    def read(cls, value: object) -> Bitten:
        return cls(character=reading.field(value, "character", reading.optional(reading.integer)))

    def to_json(self) -> dict[str, object]:
        return {"Bitten": {"character": self.character}}


@dataclass(frozen=True, slots=True)
class SurvivorKilled:
    character: values.CharacterId

    @classmethod
    def read(cls, value: object) -> SurvivorKilled:
        return cls(character=reading.field(value, "character", reading.integer))

    def to_json(self) -> dict[str, object]:
        return {"SurvivorKilled": {"character": self.character}}


@dataclass(frozen=True, slots=True)
class ChildKilled:
    @classmethod
    def read(cls, value: object) -> ChildKilled:
        return cls()

    def to_json(self) -> dict[str, object]:
        return {"ChildKilled": {}}


@dataclass(frozen=True, slots=True)
class ColonyPhaseStarted:
    @classmethod
    def read(cls, value: object) -> ColonyPhaseStarted:
        return cls()

    def to_json(self) -> dict[str, object]:
        return {"ColonyPhaseStarted": {}}


@dataclass(frozen=True, slots=True)
class StarvationTokenAdded:
    @classmethod
    def read(cls, value: object) -> StarvationTokenAdded:
        return cls()

    def to_json(self) -> dict[str, object]:
        return {"StarvationTokenAdded": {}}


@dataclass(frozen=True, slots=True)
class ZombieSpawned:
    location: values.LocationId
    entrance: values.Entrance

    @classmethod
    def read(cls, value: object) -> ZombieSpawned:
        return cls(
            location=reading.field(value, "location", reading.integer),
            entrance=reading.field(value, "entrance", reading.integer),
        )

    def to_json(self) -> dict[str, object]:
        return {"ZombieSpawned": {"location": self.location, "entrance": self.entrance}}


@dataclass(frozen=True, slots=True)
class BarricadeDestroyed:
    location: values.LocationId
    entrance: values.Entrance

    @classmethod
    def read(cls, value: object) -> BarricadeDestroyed:
        return cls(
            location=reading.field(value, "location", reading.integer),
            entrance=reading.field(value, "entrance", reading.integer),
        )

    def to_json(self) -> dict[str, object]:
        return {"BarricadeDestroyed": {"location": self.location, "entrance": self.entrance}}


@dataclass(frozen=True, slots=True)
class Left:
    player: values.PlayerId

    @classmethod
    def read(cls, value: object) -> Left:
        return cls(player=reading.field(value, "player", reading.integer))

    def to_json(self) -> dict[str, object]:
        return {"Left": {"player": self.player}}


@dataclass(frozen=True, slots=True)
class GameEnd:
    win: bool

    @classmethod
    def read(cls, value: object) -> GameEnd:
        return cls(win=reading.field(value, "win", reading.boolean))

    def to_json(self) -> dict[str, object]:
        return {"GameEnd": {"win": self.win}}


@dataclass(frozen=True, slots=True)
class Crossroad:
    fate: values.FateId

    @classmethod
    def read(cls, value: object) -> Crossroad:
        return cls(fate=reading.field(value, "fate", reading.integer))

    def to_json(self) -> dict[str, object]:
        return {"Crossroad": {"fate": self.fate}}


@dataclass(frozen=True, slots=True)
class VoteResult:
    answer: bool

    @classmethod
    def read(cls, value: object) -> VoteResult:
        return cls(answer=reading.field(value, "answer", reading.boolean))

    def to_json(self) -> dict[str, object]:
        return {"VoteResult": {"answer": self.answer}}


@dataclass(frozen=True, slots=True)
class Registered:
    player: values.PlayerId
    name: str

    @classmethod
    def read(cls, value: object) -> Registered:
        return cls(
            player=reading.field(value, "player", reading.integer),
            name=reading.field(value, "name", reading.text),
        )

    def to_json(self) -> dict[str, object]:
        return {"Registered": {"player": self.player, "name": self.name}}


@dataclass(frozen=True, slots=True)
class ChoiceOffered:
    player: values.PlayerId

    @classmethod
    def read(cls, value: object) -> ChoiceOffered:
        return cls(player=reading.field(value, "player", reading.integer))

    def to_json(self) -> dict[str, object]:
        return {"ChoiceOffered": {"player": self.player}}


@dataclass(frozen=True, slots=True)
class TurnBegan:
    player: values.PlayerId

    @classmethod
    def read(cls, value: object) -> TurnBegan:
        return cls(player=reading.field(value, "player", reading.integer))

    def to_json(self) -> dict[str, object]:
        return {"TurnBegan": {"player": self.player}}


@dataclass(frozen=True, slots=True)
class TurnEnded:
    player: values.PlayerId

    @classmethod
    def read(cls, value: object) -> TurnEnded:
        return cls(player=reading.field(value, "player", reading.integer))

    def to_json(self) -> dict[str, object]:
        return {"TurnEnded": {"player": self.player}}


@dataclass(frozen=True, slots=True)
class DieSpent:
    player: values.PlayerId
    value: int

    @classmethod
    def read(cls, value: object) -> DieSpent:
        return cls(
            player=reading.field(value, "player", reading.integer),
            value=reading.field(value, "value", reading.integer),
        )

    def to_json(self) -> dict[str, object]:
        return {"DieSpent": {"player": self.player, "value": self.value}}


@dataclass(frozen=True, slots=True)
class EffectUsed:
    character: values.CharacterId
    effect: effects.Effect

    @classmethod
    def read(cls, value: object) -> EffectUsed:
        return cls(
            character=reading.field(value, "character", reading.integer),
            effect=reading.field(value, "effect", effects.read),
        )

    def to_json(self) -> dict[str, object]:
        return {"EffectUsed": {"character": self.character, "effect": self.effect.to_json()}}


@dataclass(frozen=True, slots=True)
class VoteAsked:
    player: values.PlayerId

    @classmethod
    def read(cls, value: object) -> VoteAsked:
        return cls(player=reading.field(value, "player", reading.integer))

    def to_json(self) -> dict[str, object]:
        return {"VoteAsked": {"player": self.player}}


Event: TypeAlias = (
    Config
    | ActNow
    | Characters
    | CommandFailed
    | VoteNow
    | RegistrationAborted
    | GameStarted
    | Player
    | CharacterSpawned
    | ChildSpawned
    | CardDrawn
    | NextRound
    | Crisis
    | DieRolled
    | Moved
    | ZombieKilled
    | Barricaded
    | Searched
    | WasteChanged
    | Contributed
    | CardUsed
    | AbilityUsed
    | FoodChanged
    | MoralChanged
    | Wounded
    | Frostbitten
    | Bitten
    | SurvivorKilled
    | ChildKilled
    | ColonyPhaseStarted
    | StarvationTokenAdded
    | ZombieSpawned
    | BarricadeDestroyed
    | Left
    | GameEnd
    | Crossroad
    | VoteResult
    | Registered
    | ChoiceOffered
    | TurnBegan
    | TurnEnded
    | DieSpent
    | EffectUsed
    | VoteAsked
)


_EVENT: dict[str, Callable[[object], Event]] = {
    "Config": Config.read,
    "ActNow": ActNow.read,
    "Characters": Characters.read,
    "CommandFailed": CommandFailed.read,
    "VoteNow": VoteNow.read,
    "RegistrationAborted": RegistrationAborted.read,
    "GameStarted": GameStarted.read,
    "Player": Player.read,
    "CharacterSpawned": CharacterSpawned.read,
    "ChildSpawned": ChildSpawned.read,
    "CardDrawn": CardDrawn.read,
    "NextRound": NextRound.read,
    "Crisis": Crisis.read,
    "DieRolled": DieRolled.read,
    "Moved": Moved.read,
    "ZombieKilled": ZombieKilled.read,
    "Barricaded": Barricaded.read,
    "Searched": Searched.read,
    "WasteChanged": WasteChanged.read,
    "Contributed": Contributed.read,
    "CardUsed": CardUsed.read,
    "AbilityUsed": AbilityUsed.read,
    "FoodChanged": FoodChanged.read,
    "MoralChanged": MoralChanged.read,
    "Wounded": Wounded.read,
    "Frostbitten": Frostbitten.read,
    "Bitten": Bitten.read,
    "SurvivorKilled": SurvivorKilled.read,
    "ChildKilled": ChildKilled.read,
    "ColonyPhaseStarted": ColonyPhaseStarted.read,
    "StarvationTokenAdded": StarvationTokenAdded.read,
    "ZombieSpawned": ZombieSpawned.read,
    "BarricadeDestroyed": BarricadeDestroyed.read,
    "Left": Left.read,
    "GameEnd": GameEnd.read,
    "Crossroad": Crossroad.read,
    "VoteResult": VoteResult.read,
    "Registered": Registered.read,
    "ChoiceOffered": ChoiceOffered.read,
    "TurnBegan": TurnBegan.read,
    "TurnEnded": TurnEnded.read,
    "DieSpent": DieSpent.read,
    "EffectUsed": EffectUsed.read,
    "VoteAsked": VoteAsked.read,
}


def read(value: object) -> Event:
    return reading.variant(value, _EVENT)

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
class NotAMove:
    text: str

    @classmethod
    def read(cls, value: object) -> NotAMove:
        return cls(text=reading.field(value, "text", reading.text))

    def to_json(self) -> dict[str, object]:
        return {"NotAMove": {"text": self.text}}


@dataclass(frozen=True, slots=True)
class NotYourTurn:
    next: values.Side

    @classmethod
    def read(cls, value: object) -> NotYourTurn:
        return cls(next=reading.field(value, "next", reading.word(values.Side)))

    def to_json(self) -> dict[str, object]:
        return {"NotYourTurn": {"next": self.next}}


@dataclass(frozen=True, slots=True)
class NothingThere:
    square: values.Square

    @classmethod
    def read(cls, value: object) -> NothingThere:
        return cls(square=reading.field(value, "square", reading.text))

    def to_json(self) -> dict[str, object]:
        return {"NothingThere": {"square": self.square}}


@dataclass(frozen=True, slots=True)
class NotYourPiece:
    square: values.Square
    piece: values.Piece

    @classmethod
    def read(cls, value: object) -> NotYourPiece:
        return cls(
            square=reading.field(value, "square", reading.text),
            piece=reading.field(value, "piece", reading.text),
        )

    def to_json(self) -> dict[str, object]:
        return {"NotYourPiece": {"square": self.square, "piece": self.piece}}


@dataclass(frozen=True, slots=True)
class NotYourPocket:
    piece: values.Piece

    @classmethod
    def read(cls, value: object) -> NotYourPocket:
        return cls(piece=reading.field(value, "piece", reading.text))

    def to_json(self) -> dict[str, object]:
        return {"NotYourPocket": {"piece": self.piece}}


@dataclass(frozen=True, slots=True)
class NotInPocket:
    piece: values.Piece

    @classmethod
    def read(cls, value: object) -> NotInPocket:
        return cls(piece=reading.field(value, "piece", reading.text))

    def to_json(self) -> dict[str, object]:
        return {"NotInPocket": {"piece": self.piece}}


@dataclass(frozen=True, slots=True)
class Occupied:
    square: values.Square

    @classmethod
    def read(cls, value: object) -> Occupied:
        return cls(square=reading.field(value, "square", reading.text))

    def to_json(self) -> dict[str, object]:
        return {"Occupied": {"square": self.square}}


@dataclass(frozen=True, slots=True)
class PawnRank:
    square: values.Square

    @classmethod
    def read(cls, value: object) -> PawnRank:
        return cls(square=reading.field(value, "square", reading.text))

    def to_json(self) -> dict[str, object]:
        return {"PawnRank": {"square": self.square}}


@dataclass(frozen=True, slots=True)
class OwnPiece:
    square: values.Square

    @classmethod
    def read(cls, value: object) -> OwnPiece:
        return cls(square=reading.field(value, "square", reading.text))

    def to_json(self) -> dict[str, object]:
        return {"OwnPiece": {"square": self.square}}


@dataclass(frozen=True, slots=True)
class KingStands:
    square: values.Square

    @classmethod
    def read(cls, value: object) -> KingStands:
        return cls(square=reading.field(value, "square", reading.text))

    def to_json(self) -> dict[str, object]:
        return {"KingStands": {"square": self.square}}


@dataclass(frozen=True, slots=True)
class CannotReach:
    piece: values.Piece
    square: values.Square

    @classmethod
    def read(cls, value: object) -> CannotReach:
        return cls(
            piece=reading.field(value, "piece", reading.text),
            square=reading.field(value, "square", reading.text),
        )

    def to_json(self) -> dict[str, object]:
        return {"CannotReach": {"piece": self.piece, "square": self.square}}


@dataclass(frozen=True, slots=True)
class KingInCheck:
    @classmethod
    def read(cls, value: object) -> KingInCheck:
        return cls()

    def to_json(self) -> dict[str, object]:
        return {"KingInCheck": {}}


@dataclass(frozen=True, slots=True)
class GameOver:
    @classmethod
    def read(cls, value: object) -> GameOver:
        return cls()

    def to_json(self) -> dict[str, object]:
        return {"GameOver": {}}


@dataclass(frozen=True, slots=True)
class NotBegun:
    @classmethod
    def read(cls, value: object) -> NotBegun:
        return cls()

    def to_json(self) -> dict[str, object]:
        return {"NotBegun": {}}


@dataclass(frozen=True, slots=True)
class NotSeated:
    @classmethod
    def read(cls, value: object) -> NotSeated:
        return cls()

    def to_json(self) -> dict[str, object]:
        return {"NotSeated": {}}


@dataclass(frozen=True, slots=True)
class AlreadySeated:
    side: values.Side

    @classmethod
    def read(cls, value: object) -> AlreadySeated:
        return cls(side=reading.field(value, "side", reading.word(values.Side)))

    def to_json(self) -> dict[str, object]:
        return {"AlreadySeated": {"side": self.side}}


@dataclass(frozen=True, slots=True)
class SideTaken:
    side: values.Side
    by: str

    @classmethod
    def read(cls, value: object) -> SideTaken:
        return cls(
            side=reading.field(value, "side", reading.word(values.Side)),
            by=reading.field(value, "by", reading.text),
        )

    def to_json(self) -> dict[str, object]:
        return {"SideTaken": {"side": self.side, "by": self.by}}


@dataclass(frozen=True, slots=True)
class Full:
    @classmethod
    def read(cls, value: object) -> Full:
        return cls()

    def to_json(self) -> dict[str, object]:
        return {"Full": {}}


@dataclass(frozen=True, slots=True)
class AlreadyOffered:
    @classmethod
    def read(cls, value: object) -> AlreadyOffered:
        return cls()

    def to_json(self) -> dict[str, object]:
        return {"AlreadyOffered": {}}


@dataclass(frozen=True, slots=True)
class AnswerOffer:
    @classmethod
    def read(cls, value: object) -> AnswerOffer:
        return cls()

    def to_json(self) -> dict[str, object]:
        return {"AnswerOffer": {}}


@dataclass(frozen=True, slots=True)
class NoOffer:
    @classmethod
    def read(cls, value: object) -> NoOffer:
        return cls()

    def to_json(self) -> dict[str, object]:
        return {"NoOffer": {}}


@dataclass(frozen=True, slots=True)
class ReasonTooLong:
    most: int

    @classmethod
    def read(cls, value: object) -> ReasonTooLong:
        return cls(most=reading.field(value, "most", reading.integer))

    def to_json(self) -> dict[str, object]:
        return {"ReasonTooLong": {"most": self.most}}


@dataclass(frozen=True, slots=True)
class TooLateToAbort:
    @classmethod
    def read(cls, value: object) -> TooLateToAbort:
        return cls()

    def to_json(self) -> dict[str, object]:
        return {"TooLateToAbort": {}}


@dataclass(frozen=True, slots=True)
class NothingToTakeBack:
    @classmethod
    def read(cls, value: object) -> NothingToTakeBack:
        return cls()

    def to_json(self) -> dict[str, object]:
        return {"NothingToTakeBack": {}}


@dataclass(frozen=True, slots=True)
class AlreadyAsked:
    @classmethod
    def read(cls, value: object) -> AlreadyAsked:
        return cls()

    def to_json(self) -> dict[str, object]:
        return {"AlreadyAsked": {}}


@dataclass(frozen=True, slots=True)
class AnswerTakeback:
    @classmethod
    def read(cls, value: object) -> AnswerTakeback:
        return cls()

    def to_json(self) -> dict[str, object]:
        return {"AnswerTakeback": {}}


@dataclass(frozen=True, slots=True)
class NoTakeback:
    @classmethod
    def read(cls, value: object) -> NoTakeback:
        return cls()

    def to_json(self) -> dict[str, object]:
        return {"NoTakeback": {}}


@dataclass(frozen=True, slots=True)
class NotInThisVersion:
    version: int

    @classmethod
    def read(cls, value: object) -> NotInThisVersion:
        return cls(version=reading.field(value, "version", reading.integer))

    def to_json(self) -> dict[str, object]:
        return {"NotInThisVersion": {"version": self.version}}


Refusal: TypeAlias = (
    NotAMove
    | NotYourTurn
    | NothingThere
    | NotYourPiece
    | NotYourPocket
    | NotInPocket
    | Occupied
    | PawnRank
    | OwnPiece
    | KingStands
    | CannotReach
    | KingInCheck
    | GameOver
    | NotBegun
    | NotSeated
    | AlreadySeated
    | SideTaken
    | Full
    | AlreadyOffered
    | AnswerOffer
    | NoOffer
    | ReasonTooLong
    | TooLateToAbort
    | NothingToTakeBack
    | AlreadyAsked
    | AnswerTakeback
    | NoTakeback
    | NotInThisVersion
)


_REFUSAL: dict[str, Callable[[object], Refusal]] = {
    "NotAMove": NotAMove.read,
    "NotYourTurn": NotYourTurn.read,
    "NothingThere": NothingThere.read,
    "NotYourPiece": NotYourPiece.read,
    "NotYourPocket": NotYourPocket.read,
    "NotInPocket": NotInPocket.read,
    "Occupied": Occupied.read,
    "PawnRank": PawnRank.read,
    "OwnPiece": OwnPiece.read,
    "KingStands": KingStands.read,
    "CannotReach": CannotReach.read,
    "KingInCheck": KingInCheck.read,
    "GameOver": GameOver.read,
    "NotBegun": NotBegun.read,
    "NotSeated": NotSeated.read,
    "AlreadySeated": AlreadySeated.read,
    "SideTaken": SideTaken.read,
    "Full": Full.read,
    "AlreadyOffered": AlreadyOffered.read,
    "AnswerOffer": AnswerOffer.read,
    "NoOffer": NoOffer.read,
    "ReasonTooLong": ReasonTooLong.read,
    "TooLateToAbort": TooLateToAbort.read,
    "NothingToTakeBack": NothingToTakeBack.read,
    "AlreadyAsked": AlreadyAsked.read,
    "AnswerTakeback": AnswerTakeback.read,
    "NoTakeback": NoTakeback.read,
    "NotInThisVersion": NotInThisVersion.read,
}


def read(value: object) -> Refusal:
    return reading.variant(value, _REFUSAL)

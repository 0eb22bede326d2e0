"""A board in the shape of a chronicle's picture, so that it can be compared with the server's."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any, TypeAlias

from holdfast_colony import events
from holdfast_colony.board import Board
from holdfast_colony.pieces import Place, Player, Survivor
from holdfast_colony.scenario import (
    ChangeFood,
    ChangeMoral,
    Choice,
    Consequence,
    Scenario,
    SpawnSurvivors,
    SpawnZombies,
)


Picture: TypeAlias = dict[str, Any]

#: Keys that a client cannot know, and keys that are only for plots.
BESIDE_THE_BOARD = {"hidden", "figures"}


class Painter:
    """Knows the place of everything in the lists of a scenario, which is how a picture names it."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.cards = _places(scenario.cards)
        self.characters = _places(scenario.characters)
        self.locations = _places(scenario.locations)
        self.crises = _places(scenario.crises)
        self.fates = _places(scenario.fates or {})

    def picture(self, board: Board) -> dict[str, Any]:
        return {
            "phase": board.phase,
            "round": board.round,
            "player": board.player,
            "outcome": board.outcome,
            "morale": board.morale,
            "food": board.food,
            "starvation": board.starvation_tokens,
            "waste": board.waste,
            "children": board.children,
            "crisis": None if board.crisis is None else self.crises[board.crisis],
            "contributed": board.contributed,
            "places": [self.place(place) for place in board.places.values()],
            "characters": [self.character(survivor) for survivor in board.survivors.values()],
            "players": [self.player(player) for player in board.players],
            "vote": board.vote,
            "crossroad": None if board.crossroad is None else self.fates[board.crossroad],
            "choice": None if board.choice is None else self.words(board.choice),
        }

    def place(self, place: Place) -> dict[str, Any]:
        entrances = [{"zombies": each.zombies, "barricades": each.barricades} for each in place.entrances]
        return {"cards": place.cards, "entrances": entrances}

    def character(self, survivor: Survivor) -> dict[str, Any]:
        return {
            "life": survivor.life,
            "owner": survivor.owner,
            "place": self.locations[survivor.location],
            "wounds": survivor.wounds,
            "frostbites": survivor.frostbites,
            "moved": survivor.moved,
            "uses": survivor.uses,
            "worn": [{"card": self.cards[worn.card], "used": worn.used} for worn in survivor.worn],
        }

    def player(self, player: Player) -> dict[str, Any]:
        return {
            "name": player.name,
            "present": player.present,
            "characters": [self.characters[character] for character in player.survivors],
            "hand": [self.cards[card] for card in player.hand],
            "dice": player.dice,
        }

    def words(self, consequence: Consequence) -> str:
        match consequence:
            case ChangeFood(amount):
                return f"food {amount:+}"
            case ChangeMoral(amount):
                return f"morale {amount:+}"
            case SpawnSurvivors(amount, children):
                return f"{amount} new survivors" + (" and children" if children else "")
            case SpawnZombies(amount, None):
                return f"{amount} zombies everywhere"
            case SpawnZombies(amount, location):
                return f"{amount} zombies at {self.scenario.locations[location or 0].name}"
            case Choice(first, second):
                return f"a vote between yes ({self.words(first)}) and no ({self.words(second)})"


def fold(chronicle: list[Picture], board: Board) -> Iterator[tuple[events.Event, Picture, Picture]]:
    """Folds the public events of a chronicle: each event, the server's picture after it, and the board's."""
    painter = Painter(board.scenario)
    picture: dict[str, Any] = {}
    for line in chronicle:
        if "checkpoint" in line and not picture:
            picture = line["checkpoint"]["picture"]
        for told in line.get("entry", {}).get("events", []):
            if told["step"] is None:
                continue
            for pointer, _, value in told["patch"]:
                _put(picture, pointer, value)
            event = _event(told["event"])
            board.apply(event)
            server = {key: value for key, value in picture.items() if key not in BESIDE_THE_BOARD}
            yield event, server, painter.picture(board)


def _event(positional: list[Any]) -> events.Event:
    name, *arguments = positional
    names = [field.name for field in fields(getattr(events, name))]
    return events.read({name: dict(zip(names, arguments))})


def _put(picture: Any, pointer: str, value: Any) -> None:
    *path, last = [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]
    for part in path:
        picture = picture[int(part) if isinstance(picture, list) else part]
    picture[int(last) if isinstance(picture, list) else last] = value


def _places(table: dict[int, Any]) -> dict[int, int]:
    return {identifier: place for place, identifier in enumerate(table)}

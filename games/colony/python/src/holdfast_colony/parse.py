"""Reads the text of a scenario. The server has checked it: here nothing is explained, only refused."""

from __future__ import annotations

import json
from typing import Any

from holdfast.errors import BadMessage
from .scenario import (
    Ability,
    Aim,
    Barricade,
    Barricades,
    Card,
    CardKind,
    ChangeFood,
    ChangeMoral,
    Character,
    Choice,
    Consequence,
    Crisis,
    Fate,
    Feed,
    Goal,
    Heal,
    Injury,
    Kill,
    Location,
    LocationsWithZombies,
    NoInfection,
    Scenario,
    Search,
    SpawnSurvivors,
    SpawnZombies,
    Survive,
    Trash,
    Trigger,
    Wound,
)
from .values import CrisisKind


def parse_scenario(text: str) -> Scenario:
    try:
        return _scenario(json.loads(text.removeprefix("\ufeff"), parse_float=_whole))
    except (LookupError, TypeError, ValueError) as error:
        raise BadMessage(f"this is no scenario: {error!r}") from error


def _whole(raw: str) -> int:
    """All numbers of a scenario are whole, but may be written as 10.0."""
    return int(float(raw))


def _scenario(file: dict[str, Any]) -> Scenario:
    places = [_location(entry) for entry in file["locations"]]
    homes = {card: place.id for place in places for card in place.cards}
    crossroads = file.get("crossroads")
    return Scenario(
        max_players=file["maxPlayers"],
        goal=_goal(file["goal"]),
        colony=next(entry["colony"]["identifier"] for entry in file["locations"] if "colony" in entry),
        locations={place.id: place for place in sorted(places, key=lambda place: place.id)},
        characters={character.id: character for character in map(_character, file["characters"])},
        cards={card.id: card for card in (_card(entry, homes) for entry in file["cards"])},
        crises={crisis.id: crisis for crisis in map(_crisis, file["crises"])},
        fates=None if crossroads is None else {fate.id: fate for fate in map(_fate, crossroads)},
    )


def _only(entry: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The one key of an object, and what stands there."""
    ((key, body),) = entry.items()
    return key, body


def _location(entry: dict[str, Any]) -> Location:
    if "colony" in entry:
        colony = entry["colony"]
        return Location(colony["identifier"], "colony", colony["entrances"], None, tuple(colony["startCards"]))
    spaces, cards = entry["survivorSpaces"], tuple(entry["cards"])
    return Location(entry["identifier"], entry["name"], entry["entrances"], spaces, cards)


def _card(entry: dict[str, Any], homes: dict[int, int]) -> Card:
    kind, body = _only(entry)
    card = body["identifier"]
    return Card(card, CardKind(kind), body.get("amount", 0), body.get("location"), homes.get(card))


def _character(entry: dict[str, Any]) -> Character:
    name, status, ability = entry["name"], entry["status"], _ability(entry["ability"])
    return Character(entry["identifier"], name, status, entry["attack"], entry["search"], ability)


def _ability(entry: dict[str, Any]) -> Ability:
    match _only(entry):
        case "wound", {"before": before, "after": after}:
            return Wound(Injury(before), Injury(after))
        case "no_infection", _:
            return NoInfection()
        case "search", {"location": location, "numCards": cards, "maxActivations": times}:
            return Search(location, cards, times)
        case "trash", {"numCards": cards}:
            return Trash(cards)
        case "heal", _:
            return Heal()
        case "feed", {"numFood": food}:
            return Feed(food)
        case "barricade", {"numBarricades": barricades, "maxActivations": times}:
            return Barricade(barricades, times)
        case "kill", {"locationId": location, "dieValue": die, "numZombies": zombies, "maxActivations": times, **rest}:
            return Kill(location, die, zombies, times, rest.get("infectionDie", False), rest.get("children", False))
        case other:
            raise ValueError(f"no ability: {other}")


def _crisis(entry: dict[str, Any]) -> Crisis:
    kind, body = _only(entry)
    return Crisis(body["identifier"], CrisisKind(kind.upper()), body["requiredCards"], body["moralChange"])


def _goal(entry: dict[str, Any]) -> Goal:
    aim: Aim = Survive()
    if "barricades" in entry:
        aim = Barricades(entry["barricades"])
    elif "locationWithZombies" in entry:
        aim = LocationsWithZombies(entry["locationWithZombies"])
    colony, locations = entry["zombiesColony"], entry["zombiesLocations"]
    return Goal(entry["rounds"], entry["moral"], colony, locations, entry["childrenInColony"], aim)


def _fate(entry: dict[str, Any]) -> Fate:
    trigger, body = _only(entry)
    consequence = _consequence(body["consequence"])
    return Fate(body["identifier"], Trigger(trigger), consequence, body.get("locationId"), body.get("amount", 0))


def _consequence(entry: dict[str, Any]) -> Consequence:
    match _only(entry):
        case "changeFood", {"amount": amount}:
            return ChangeFood(amount)
        case "changeMoral", {"amount": amount}:
            return ChangeMoral(amount)
        case "spawnSurvivors", {"amount": amount, **rest}:
            return SpawnSurvivors(amount, rest.get("children", False))
        case "spawnZombies", {"amount": amount, **rest}:
            return SpawnZombies(amount, rest.get("locationId"))
        case "choice", {"consequence1": first, "consequence2": second}:
            return Choice(_consequence(first), _consequence(second))
        case other:
            raise ValueError(f"no consequence: {other}")

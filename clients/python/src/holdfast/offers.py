"""Offers: what a client of any game can do now, as the server tells it. docs/protocol.md describes them."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass

from . import reading
from .errors import BadArgument, BadMessage


@dataclass(frozen=True, slots=True)
class Range:
    """A whole number in these bounds."""

    least: int
    most: int

    def allows(self, value: object) -> bool:
        return isinstance(value, int) and not isinstance(value, bool) and self.least <= value <= self.most


@dataclass(frozen=True, slots=True)
class Text:
    """A text with so many characters; `name` asks for the name of the player."""

    least: int
    most: int
    name: bool

    def allows(self, value: object) -> bool:
        return isinstance(value, str) and self.least <= len(value) <= self.most


@dataclass(frozen=True, slots=True)
class Free:
    """Any value that the game takes."""

    about: str

    def allows(self, value: object) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class Argument:
    """A field of a command that the client fills in. The command has an example of it."""

    field: str
    label: str
    form: Range | Text | Free


@dataclass(frozen=True, slots=True)
class RawCommand:
    """A command of any rulebook, as JSON."""

    value: object

    def to_json(self) -> object:
        return self.value


@dataclass(frozen=True, slots=True)
class Choice:
    """A command that may be sent."""

    #: The labels of the questions that lead to it, and its own.
    labels: tuple[str, ...]
    #: The command, with examples of its arguments.
    command: object
    arguments: tuple[Argument, ...]
    #: Whether it stands beside the play: it starts, interrupts or gives up the game.
    aside: bool
    #: Whether it depends on facts that are hidden from this client.
    uncertain: bool

    def fill(self, **values: object) -> RawCommand:
        """The command with these values of its arguments; the others keep the example."""
        known = {argument.field: argument for argument in self.arguments}
        for field, value in values.items():
            if field not in known:
                raise BadArgument(f"the command has no argument {field!r}")
            if not known[field].form.allows(value):
                raise BadArgument(f"{known[field].label}: {value!r} is not allowed")
        if not values or not isinstance(self.command, dict):
            return RawCommand(self.command)
        ((kind, fields),) = self.command.items()
        return RawCommand({kind: fields | values})

    def fill_randomly(self, name: str, rng: random.Random) -> RawCommand:
        """The command with random numbers, and with this name of the player."""
        values: dict[str, object] = {}
        for argument in self.arguments:
            match argument.form:
                case Range(least, most):
                    values[argument.field] = rng.randint(least, most)
                case Text(name=True):
                    values[argument.field] = name
                case Text() | Free():
                    pass
        return self.fill(**values)


@dataclass(frozen=True, slots=True)
class Offers:
    """A question, or what the game waits for, and what can be done."""

    title: str
    #: All commands that the rules may take now, in order, with those that stand beside the play.
    all_choices: tuple[Choice, ...]

    @property
    def choices(self) -> tuple[Choice, ...]:
        """All commands of the play that the rules may take now."""
        return tuple(choice for choice in self.all_choices if not choice.aside)

    def random_command(self, name: str, rng: random.Random) -> RawCommand | None:
        """A random choice with random arguments; None if there is nothing to do."""
        choices = self.choices
        return rng.choice(choices).fill_randomly(name, rng) if choices else None


def read_offers(text: str) -> Offers:
    """Reads the text of an answer."""
    try:
        value = json.loads(text)
    except ValueError as error:
        raise BadMessage(f"the server sends offers that are no JSON: {error}") from None
    title = reading.field(value, "title", reading.text)
    return Offers(title, tuple(_choices(value, (), False)))


def _choices(value: object, before: tuple[str, ...], aside: bool) -> Iterator[Choice]:
    for offer in reading.field(value, "offers", reading.listing(reading.anything)):
        labels = (*before, reading.field(offer, "label", reading.text))
        beside = aside or _flag(offer, "aside")
        if reading.field(offer, "offers", reading.anything) is not None:
            yield from _choices(offer, labels, beside)
        elif reading.field(offer, "impossible", reading.anything) is None:
            command = reading.field(offer, "command", reading.anything)
            arguments = reading.field(offer, "arguments", reading.optional(reading.listing(_argument))) or ()
            yield Choice(labels, command, arguments, beside, _flag(offer, "uncertain"))


def _flag(value: object, name: str) -> bool:
    return reading.field(value, name, reading.optional(reading.boolean)) or False


def _argument(value: object) -> Argument:
    field, label = (reading.field(value, name, reading.text) for name in ("field", "label"))
    form = (
        reading.field(value, "range", reading.optional(_range))
        or reading.field(value, "text", reading.optional(_text))
        or reading.field(value, "free", reading.optional(_free))
    )
    if form is None:
        raise BadMessage(f"the argument {field} has no form that this client knows")
    return Argument(field, label, form)


def _range(value: object) -> Range:
    return Range(*(reading.field(value, name, reading.integer) for name in ("least", "most")))


def _text(value: object) -> Text:
    least, most = (reading.field(value, name, reading.integer) for name in ("least", "most"))
    return Text(least, most, _flag(value, "name"))


def _free(value: object) -> Free:
    return Free(reading.field(value, "about", reading.text))

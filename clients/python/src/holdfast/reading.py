"""Reads JSON values into the parts of messages. A value that does not fit is a `BadMessage`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import TypeAlias, TypeVar

from .errors import BadMessage

T = TypeVar("T")

#: The names of a command's fields in their order, and how many of them are needed.
Positions: TypeAlias = tuple[tuple[str, ...], int]
E = TypeVar("E", bound=StrEnum)


def field(value: object, name: str, read: Callable[[object], T]) -> T:
    """A field of an object; a missing field is null. Unknown fields are ignored."""
    if not isinstance(value, dict):
        raise BadMessage(f"an object is expected, not {value!r}")
    try:
        return read(value.get(name))
    except BadMessage as error:
        raise BadMessage(f"{name}: {error}") from None


def variant(value: object, kinds: Mapping[str, Callable[[object], T]]) -> T:
    """An object with one key, the name of its kind, or the name alone."""
    name: object = value
    inner: object = {}
    if isinstance(value, dict) and len(value) == 1:
        ((name, inner),) = value.items()
    read = kinds.get(name) if isinstance(name, str) else None
    if read is None:
        raise BadMessage(f"one of {', '.join(kinds)} is expected, not {value!r}")
    return read(inner)


def command(
    value: object,
    kinds: Mapping[str, Callable[[object], T]],
    positions: Mapping[str, Positions],
    wrong_arguments: Callable[[int, int], T] | None,
) -> T:
    """A command by its fields, `{"Move": {"character": 1, "location": 20}}`, or by position, `["Move", 1, 20]`.

    A wrong number of arguments is a command of its own in some rulebooks: `wrong_arguments` takes the number of the command and how
    many came.
    """
    match value:
        case [str(name), *given] if name in positions:
            names, needed = positions[name]
            if needed <= len(given) <= len(names):
                return variant({name: dict(zip(names, given))}, kinds)
            if wrong_arguments is not None:
                return wrong_arguments(list(positions).index(name), len(given))
            raise BadMessage(f"{name} has {needed} to {len(names)} arguments, not {len(given)}")
        case [str(name), *_]:
            raise BadMessage(f"there is no command {name}")
        case _:
            return variant(value, kinds)


def anything(value: object) -> object:
    return value


def integer(value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    raise BadMessage(f"an integer is expected, not {value!r}")


def boolean(value: object) -> bool:
    if isinstance(value, bool):
        return value
    raise BadMessage(f"true or false is expected, not {value!r}")


def text(value: object) -> str:
    if isinstance(value, str):
        return value
    raise BadMessage(f"a text is expected, not {value!r}")


def optional(read: Callable[[object], T]) -> Callable[[object], T | None]:
    return lambda value: None if value is None else read(value)


def listing(read: Callable[[object], T]) -> Callable[[object], tuple[T, ...]]:
    def read_all(value: object) -> tuple[T, ...]:
        if not isinstance(value, list):
            raise BadMessage(f"a list is expected, not {value!r}")
        return tuple(map(read, value))

    return read_all


def word(kind: type[E]) -> Callable[[object], E]:
    def read(value: object) -> E:
        try:
            return kind(text(value))
        except ValueError:
            raise BadMessage(f"one of {', '.join(kind)} is expected, not {value!r}") from None

    return read

"""Writes the message classes of the client from docs/protocol.json: `python3 generate.py`.

The protocol's own messages go to `holdfast/messages.py`, those of a rulebook to a package in the folder of its game. Plain
types of a rulebook are in `values.py`; an enum whose variants carry something is a module with a class for each variant, and is
their union.
"""

from __future__ import annotations

import json
import keyword
import re
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parents[1]
DESCRIPTION = PROJECT / "docs" / "protocol.json"

PLAIN = {"string": ("str", "text"), "token": ("str", "text"), "bool": ("bool", "boolean")}
# Which rulebook's they are is not known where a message is read or written.
PLAIN |= {"command": ("object", "anything"), "event": ("object", "anything")}
PLAIN |= {number: ("int", "integer") for number in ("u8", "u16", "u32", "u64", "i32", "i64")}

Description = dict[str, Any]

#: The kind of a command with a wrong number of arguments, in the rulebooks that have one.
WRONG_ARGUMENTS = "WrongArguments"


def render(protocol: Description) -> dict[Path, str]:
    """Every file that is written, by its path in the project."""
    files = {}
    for name, rulebook in protocol["rulebooks"].items():
        for module, text in RulebookModules(rulebook).render():
            files[Path("games", name, "python", "src", f"holdfast_{name}", f"{module}.py")] = text
        files[Path("games", name, "python", "src", f"holdfast_{name}", "testing.py")] = TestingModule(name, rulebook).render()
    files[Path("clients", "python", "src", "holdfast", "messages.py")] = ProtocolModule(protocol).render()
    return files


class Module:
    """A file in the making."""

    def __init__(self, types: dict[str, Description], title: str) -> None:
        self.types = types
        self.title = title
        self.imports: set[str] = set()
        self.parts: list[str] = []

    def text(self) -> str:
        body = re.sub(r"(: TypeAlias = \w+)\n\n\n(?=\w+: TypeAlias)", r"\1\n", "\n\n\n".join(self.parts))
        head = [f'"""{self.title}\n\nWritten by generate.py from docs/protocol.json.\n"""']
        head.append("from __future__ import annotations")
        standard = []
        if abstract := [name for name in ("Callable", "Sequence") if re.search(rf"\b{name}\[", body)]:
            standard.append(f"from collections.abc import {', '.join(abstract)}")
        if "@dataclass" in body:
            standard.append("from dataclasses import dataclass")
        if "StrEnum)" in body:
            standard.append("from enum import StrEnum")
        if typing := [name for name in ("Any", "TypeAlias") if re.search(rf"(: |\[){name}\b", body)]:
            standard.append(f"from typing import {', '.join(typing)}")
        head.append("\n".join(standard))
        if self.imports:
            head.append("\n".join(sorted(self.imports)))
        return "\n\n".join(head) + "\n\n" + body + "\n"

    def place(self, name: str) -> str:
        """How this module calls a named type: its own name, or that of its module before it."""
        return name

    def python(self, kind: Any) -> str:
        """The Python type of a described type."""
        if isinstance(kind, dict):
            if "option" in kind:
                return f"{self.python(kind['option'])} | None"
            return f"tuple[{self.python(kind.get('list', kind.get('array')))}, ...]"
        if kind in PLAIN:
            return PLAIN[kind][0]
        return self.place(kind)

    def reader(self, kind: Any) -> str:
        """What reads a described type from JSON."""
        if isinstance(kind, dict):
            if "option" in kind:
                return f"reading.optional({self.reader(kind['option'])})"
            return f"reading.listing({self.reader(kind.get('list', kind.get('array')))})"
        if kind in PLAIN:
            return f"reading.{PLAIN[kind][1]}"
        described = self.types[kind]
        if "same" in described:
            return self.reader(described["same"])
        if "struct" in described:
            return f"{self.place(kind)}.read"
        if is_word(described):
            return f"reading.word({self.place(kind)})"
        return self.enum_reader(kind)

    def enum_reader(self, name: str) -> str:
        return f"read_{snake(name)}"

    def writer(self, kind: Any, value: str) -> str:
        """An expression that makes JSON of a value."""
        if isinstance(kind, dict):
            if "option" in kind:
                inner = self.writer(kind["option"], value)
                return value if inner == value else f"{value} and {inner}"
            inner = self.writer(kind.get("list", kind.get("array")), "each")
            return f"list({value})" if inner == "each" else f"[{inner} for each in {value}]"
        if kind in PLAIN:
            return value
        described = self.types[kind]
        if "same" in described:
            return self.writer(described["same"], value)
        return value if is_word(described) else f"{value}.to_json()"

    def alias(self, name: str, described: Description) -> None:
        self.parts.append(f"{name}: TypeAlias = {self.python(described['same'])}")

    def word(self, name: str, described: Description) -> None:
        rows = [f'    {variant["name"].upper()} = "{variant["name"]}"' for variant in described["enum"]]
        self.parts.append("\n".join([f"class {name}(StrEnum):", *rows]))

    def dataclass(
        self, name: str, fields: list[Description], *, read: bool, write: bool, wire: str | None = None
    ) -> None:
        """A class; `wire` is the key under which it stands in a message that is written, if there is one."""
        lines = ["@dataclass(frozen=True, slots=True)", f"class {name}:"]
        for field in sorted(fields, key=lambda field: field.get("optional", False)):
            default = f" = {default_of(field['type'])}" if field.get("optional") else ""
            lines.append(f"    {variable(field)}: {self.python(field['type'])}{default}")
        if fields:
            lines.append("")
        if read:
            lines += ["    @classmethod", f"    def read(cls, value: object) -> {name}:"]
            given = [f'{variable(f)}=reading.field(value, "{f["name"]}", {self.reader(f["type"])})' for f in fields]
            lines += wrapped("        return cls(", given, ")")
        if read and write:
            lines.append("")
        if write:
            given = [f'"{field["name"]}": {self.writer(field["type"], "self." + variable(field))}' for field in fields]
            lines.append("    def to_json(self) -> dict[str, object]:")
            start, end = ("{", "}") if wire is None else (f'{{"{wire}": {{', "}}")
            lines += wrapped(f"        return {start}", given, end)
        self.parts.append("\n".join(lines))

    def wrapper(self, name: str, kind: Any, *, read: bool, write: bool, wire: str) -> None:
        """A variant with a value that has no class of its own."""
        lines = ["@dataclass(frozen=True, slots=True)", f"class {name}:", f"    value: {self.python(kind)}", ""]
        if read:
            lines += ["    @classmethod", f"    def read(cls, value: object) -> {name}:"]
            lines.append(f"        return cls({self.reader(kind)}(value))")
        if read and write:
            lines.append("")
        if write:
            lines.append("    def to_json(self) -> dict[str, object]:")
            lines.append(f'        return {{"{wire}": {self.writer(kind, "self.value")}}}')
        self.parts.append("\n".join(lines))

    def name_alone(self, name: str, wire: str, *, read: bool = False) -> None:
        lines = ["@dataclass(frozen=True, slots=True)", f"class {name}:"]
        if read:
            lines += ["    @classmethod", f"    def read(cls, value: object) -> {name}:", "        return cls()", ""]
        lines += ["    def to_json(self) -> str:", f'        return "{wire}"']
        self.parts.append("\n".join(lines))

    def union(
        self, name: str, members: list[tuple[str, str]], *, read: bool, positions: dict[str, list[Description]] | None
    ) -> None:
        """All variants, each with its name in JSON and its class; `positions` are the fields of commands, which also come in a list."""
        rows = "".join(f"    | {member}\n" for _, member in members)
        self.parts.append(f"{name}: TypeAlias = (\n{rows.replace('    | ', '    ', 1)})")
        if not read:
            return
        kinds, table = "".join(f'    "{wire}": {member}.read,\n' for wire, member in members), f"_{snake(name).upper()}"
        self.parts.append(f"{table}: dict[str, Callable[[object], {name}]] = {{\n{kinds}}}")
        reader = self.enum_reader(name)
        if positions is None:
            self.parts.append(f"def {reader}(value: object) -> {name}:\n    return reading.variant(value, {table})")
            return
        fields = "".join(f'    "{wire}": {positions_of(listed)},\n' for wire, listed in positions.items())
        self.parts.append(f"_POSITIONS: dict[str, reading.Positions] = {{\n{fields}}}")
        wrong = WRONG_ARGUMENTS if WRONG_ARGUMENTS in positions else None
        given = f"value, {table}, _POSITIONS, {wrong}"
        self.parts.append(f"def {reader}(value: object) -> {name}:\n    return reading.command({given})")

    def variants(
        self, name: str, described: Description, *, read: bool, write: bool, positions: bool = False
    ) -> None:
        members: list[tuple[str, str]] = []
        for variant in described["enum"]:
            wire = variant["name"]
            kind, title = variant.get("value"), wire[0].upper() + wire[1:]
            own = isinstance(kind, str) and "struct" in self.types.get(kind, {})
            if own and all(member != kind for _, member in members):
                title = kind
            elif kind is not None:
                self.wrapper(title, kind, read=read, write=write, wire=wire)
            elif "fields" not in variant and read and write:
                self.name_alone(title, wire, read=True)
            elif "fields" in variant or read:
                self.dataclass(title, variant.get("fields", []), read=read, write=write, wire=wire)
            else:
                self.name_alone(title, wire)
            members.append((wire, title))
        listed = {variant["name"]: variant.get("fields", []) for variant in described["enum"]} if positions else None
        self.union(name, members, read=read, positions=listed)


class RulebookModules:
    """The modules of a rulebook's messages."""

    def __init__(self, rulebook: Description) -> None:
        self.types: dict[str, Description] = rulebook["types"]
        self.command: str = rulebook["command"]

    def render(self) -> list[tuple[str, str]]:
        values = self.module("What messages are made of.")
        for name, described in self.types.items():
            if "same" in described:
                values.alias(name, described)
            elif is_word(described):
                values.word(name, described)
            elif "struct" in described:
                values.dataclass(name, described["struct"], read=True, write=True)
        modules = [("values", self.with_imports(values))]
        for name, described in self.types.items():
            if "enum" in described and not is_word(described):
                module = self.module(f"Every {name.lower()}, as a class.", own=name)
                module.variants(name, described, read=True, write=True, positions=name == self.command)
                modules.append((plural(name), self.with_imports(module)))
        return modules

    def module(self, title: str, own: str | None = None) -> Module:
        return RulebookModule(self.types, title, own)

    def with_imports(self, module: Module) -> str:
        body = "\n".join(module.parts)
        if "reading." in body:
            module.imports.add("from holdfast import reading")
        others = {plural(name) for name in self.types} | {"values"}
        used = sorted(other for other in others if re.search(rf"(?<![.\w]){other}\.", body))
        if used:
            module.imports.add(f"from . import {', '.join(used)}")
        return module.text()


class RulebookModule(Module):
    def __init__(self, types: dict[str, Description], title: str, own: str | None) -> None:
        super().__init__(types, title)
        self.own = own

    def place(self, name: str) -> str:
        if name == self.own:
            return name
        if "enum" in self.types[name] and not is_word(self.types[name]):
            return f"{plural(name)}.{name}"
        return name if self.own is None else f"values.{name}"

    def enum_reader(self, name: str) -> str:
        return "read" if name == self.own else f"{plural(name)}.read"


class TestingModule(Module):
    """The test kit of a rulebook: a method for each command and event."""

    def __init__(self, name: str, rulebook: Description) -> None:
        super().__init__(rulebook["types"], f"Tests of servers of {name}: a method for each command and event.")
        self.name = name
        self.rulebook = rulebook

    def render(self) -> str:
        commands = self.types[self.rulebook["command"]]["enum"]
        events = self.types[self.rulebook["event"]]["enum"]
        lines = ["class Client(testkit.Client):", f'    """A client of a game of {self.name}."""', ""]
        for command in commands:
            lines += self.sending(command)
        for event in events:
            lines += self.asserting(event)
        lines.pop()
        self.parts.append("\n".join(lines))
        self.parts.append(GAME.format(name=self.name))
        self.imports.add("from holdfast import testkit")
        self.imports.add("from holdfast.testkit import ANY")
        return self.text()

    def sending(self, command: Description) -> list[str]:
        fields = command.get("fields", [])
        given = [f", {variable(f)}: {self.given(f['type'])}{' = None' if f.get('optional') else ''}" for f in fields]
        lines = [f"    def send_{snake(command['name'])}(self{''.join(given)}) -> None:"]
        values = ", ".join(f"{self.json(variable(f), f['type'])}" for f in fields)
        if any(f.get("optional") for f in fields):
            lines.append(f"        arguments: list[object] = [{values}]")
            lines.append("        while arguments and arguments[-1] is None:")
            lines.append("            arguments.pop()")
            lines.append(f'        self.send("{command["name"]}", *arguments)')
        else:
            lines.append(f'        self.send("{command["name"]}"{", " if values else ""}{values})')
        return [*lines, ""]

    def given(self, kind: Any) -> str:
        """The type of an argument: plain ones, and anything else as JSON."""
        if isinstance(kind, dict) and "option" in kind:
            return f"{self.given(kind['option'])} | None"
        if isinstance(kind, str) and kind in PLAIN:
            return PLAIN[kind][0]
        same = self.types.get(kind, {}).get("same") if isinstance(kind, str) else None
        return "Any" if same is None else self.given(same)

    def json(self, value: str, kind: Any) -> str:
        plain = isinstance(kind, dict) or kind in PLAIN or "same" in self.types.get(kind, {})
        return value if plain or is_word(self.types[kind]) else f"{value}.to_json()"

    def asserting(self, event: Description) -> list[str]:
        """An event with a text has it as its first argument, in place of its fields."""
        names = [variable(field) for field in event.get("fields", [])]
        if event.get("text"):
            names = ["text"]
        given = "".join(f", {name}: Any = ANY" for name in names)
        values = "".join(f", {name}" for name in names)
        name = event["name"]
        return [
            f"    def assert_{snake(name)}(self{given}) -> list[Any]:",
            f'        return self.assert_event("{name}"{values})',
            "",
            f"    def until_{snake(name)}(self{given}) -> list[Any]:",
            f'        return self.assert_event("{name}"{values}, until=True)',
            "",
        ]


GAME = """def game(
    scenario: str,
    *,
    seed: int,
    players: Sequence[str],
    edition: str | None = None,
    timeout: int | None = None,
) -> testkit.Game[Client]:
    \"\"\"Starts a game: `with game("winter", seed=7, players=["Ana", "Bo"]) as (ana, bo): ..`.\"\"\"
    return testkit.Game(Client, "{name}", scenario, seed=seed, players=players, edition=edition, timeout=timeout)"""


class ProtocolModule:
    """The protocol's own messages."""

    def __init__(self, protocol: Description) -> None:
        self.protocol = protocol

    def render(self) -> str:
        types = self.protocol["types"]
        module = Module(types, "The messages of the protocol itself.")
        module.parts.append(f"PROTOCOL = {self.protocol['protocol']}")
        sent = reachable(types, self.protocol["from_client"])
        for name in in_order(types):
            described, read = types[name], name not in sent
            if "same" in described:
                module.alias(name, described)
            elif is_word(described):
                module.word(name, described)
            elif "struct" in described:
                module.dataclass(name, described["struct"], read=read, write=not read, wire=variant_of(types, name))
            else:
                module.variants(name, described, read=read, write=not read)
        module.imports.add("from . import reading")
        return module.text()


def is_word(described: Description) -> bool:
    """Whether a type is an enum of names alone."""
    return "enum" in described and all("value" not in v and "fields" not in v for v in described["enum"])


def named_in(described: Description) -> list[str]:
    """The names of the types in a type."""
    return re.findall(r'"(?:type|value|same|list|option|array)": "(\w+)"', json.dumps(described))


def reachable(types: dict[str, Description], name: str) -> set[str]:
    found, open_names = set(), [name]
    while open_names:
        name = open_names.pop()
        if name in types and name not in found:
            found.add(name)
            open_names += named_in(types[name])
    return found


def in_order(types: dict[str, Description]) -> list[str]:
    """What is used stands before what uses it."""
    done: list[str] = []

    def visit(name: str) -> None:
        if name in types and name not in done:
            for inner in named_in(types[name]):
                visit(inner)
            done.append(name)

    for name in types:
        visit(name)
    return done


def variant_of(types: dict[str, Description], struct: str) -> str | None:
    """The name under which a struct is a variant of an enum."""
    variants = (variant for described in types.values() for variant in described.get("enum", []))
    return next((variant["name"] for variant in variants if variant.get("value") == struct), None)


def default_of(kind: Any) -> str:
    return {"bool": "False", "u64": "0"}.get(kind, "None") if isinstance(kind, str) else "None"


def wrapped(start: str, parts: list[str], end: str) -> list[str]:
    one_line = start + ", ".join(parts) + end
    if len(one_line) <= 120:
        return [one_line]
    return [start, *(f"            {part}," for part in parts), f"        {end}"]


def positions_of(fields: list[Description]) -> str:
    """The names of fields in their order, and how many are needed."""
    needed = max((at + 1 for at, field in enumerate(fields) if not field.get("optional")), default=0)
    names = "".join(f'"{field["name"]}", ' for field in fields)
    return f"(({names.rstrip() if len(fields) == 1 else names.removesuffix(', ')}), {needed})"


def variable(field: Description) -> str:
    """The name of a field in Python, where some words are taken."""
    name: str = field["name"]
    return f"{name}_" if keyword.iskeyword(name) else name


def snake(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def plural(name: str) -> str:
    return f"{snake(name)}s"


if __name__ == "__main__":
    for path, text in render(json.loads(DESCRIPTION.read_text())).items():
        (PROJECT / path).parent.mkdir(parents=True, exist_ok=True)
        (PROJECT / path).write_text(text)

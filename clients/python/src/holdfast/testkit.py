"""Tests of servers in Python: what the test kits of all games share.

The package of a game has a client with a method for each command and event, made from docs/protocol.json:

    from holdfast_colony.testing import game

    def test_a_stranger_cannot_start() -> None:
        with game("first-night", seed=7, players=["Ana", "Bo"]) as (ana, bo):
            bo.send_start_game()
            bo.assert_command_failed()
            ana.assert_nothing_more()

`systest run tests/` runs such files beside scripts, with the same options and verdicts, and so does `pytest`. The games are played by
`systest broker`: by our rules, or on the server that `systest run --server ".."` names. Under pytest, `SYSTEST_BROKER` names its command, as
a JSON list; without it, `systest` is looked for on the path.
"""

from __future__ import annotations

import importlib.util
import inspect
import json
import os
import subprocess
import sys
import time
import traceback
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Generic, TypeVar


class Anything:
    """Matches every value."""

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return "_"


#: Matches every value of an argument.
ANY: Any = Anything()


class GameFailure(AssertionError):
    """The server crashed, hangs, or does not speak the protocol: no difference in the rules."""

    def __init__(self, verdict: str, message: str) -> None:
        super().__init__(message)
        self.verdict = verdict


class Broker:
    """A process that plays the games of a test."""

    def __init__(self) -> None:
        command = json.loads(os.environ.get("SYSTEST_BROKER", '["systest", "broker"]'))
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, request: dict[str, object]) -> Any:
        process = self._process
        assert process.stdin is not None and process.stdout is not None
        try:
            process.stdin.write(json.dumps(request) + "\n")
            process.stdin.flush()
            line = process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            raise GameFailure("SERVER_FAIL", f"the broker ended with {process.wait()}")
        answer = json.loads(line)
        if "failure" in answer:
            failure = answer["failure"]
            if failure["verdict"] == "FAIL":
                raise AssertionError(failure["message"])
            raise GameFailure(failure["verdict"], failure["message"])
        return answer["ok"]

    def close(self) -> None:
        process = self._process
        assert process.stdin is not None and process.stdout is not None
        process.stdin.close()
        process.wait()
        process.stdout.close()


class Client:
    """A client of a game. The kit of a game adds a method for each command and event."""

    def __init__(self, broker: Broker, name: str, scenario: str) -> None:
        self.name = name
        #: The text of the scenario.
        self.scenario = scenario
        self._broker = broker
        self._received: list[list[object]] = []
        self._sent = ""

    def send(self, command: str, *arguments: object) -> None:
        """Sends a command by its name, also a malformed one. All events that it causes are there when this returns."""
        self._sent = f"{self.name}: {_shown([command, *arguments])}"
        self._broker.ask({"send": {"client": self.name, "command": [command, *arguments]}})

    def next_event(self) -> list[Any] | None:
        """The next event, such as `["Moved", 1, 20]`, or None."""
        event: list[Any] | None = self._broker.ask({"next": self.name})
        if event is not None:
            self._received.append(event)
        return event

    def events(self) -> list[list[Any]]:
        """All events that have come and were not looked at: for tests of any order."""
        return list(iter(self.next_event, None))

    def assert_nothing_more(self) -> None:
        event = self.next_event()
        assert event is None, self._difference("nothing more", event)

    def assert_event(self, name: str, *expected: object, until: bool = False) -> list[Any]:
        """The next event, which must be this one; `until` skips others. Returns its arguments."""
        while True:
            event = self.next_event()
            if event is not None and event[0] == name and _fits(expected, event[1:]):
                return event[1:]
            if event is None or not until:
                raise AssertionError(self._difference(_shown([name, *expected]), event))

    def _difference(self, expected: str, came: list[Any] | None) -> str:
        before = self._received[:-1] if came is not None else self._received
        lines = [f"{self.name} received something else", f"  expected: {expected}"]
        lines.append(f"  came:     {'nothing' if came is None else _shown(came)}")
        lines.append(f"  {self.name} received before:" if before else f"  {self.name} received nothing before")
        lines += [f"      {_shown(event)}" for event in before[-6:]]
        if self._sent:
            lines.append(f"  after {self._sent}")
        return "\n".join(lines)


C = TypeVar("C", bound=Client)


class Game(Generic[C]):
    """A game with its clients. Use it with `with`: it is given up at the end."""

    def __init__(
        self,
        client: type[C],
        rulebook: str,
        scenario: str,
        *,
        seed: int,
        players: Sequence[str],
        edition: str | None = None,
        timeout: int | None = None,
    ) -> None:
        self._broker = Broker()
        # A scenario in a file is beside the test.
        callers = (frame.filename for frame in inspect.stack())
        file = next((name for name in callers if not Path(name).parent.name.startswith("holdfast")), "")
        start = {"rulebook": rulebook, "scenario": scenario, "seed": seed, "players": list(players), "file": file}
        try:
            text = self._broker.ask({"start": start | {"edition": edition, "timeout": timeout}})
        except BaseException:
            self._broker.close()
            raise
        self.clients = tuple(client(self._broker, name, text) for name in players)

    def __enter__(self) -> Game[C]:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._broker.close()

    def __iter__(self) -> Iterator[C]:
        return iter(self.clients)

    def silence(self) -> None:
        """All clients send nothing until the time of a player is up."""
        self._broker.ask({"silence": None})

    def assert_ended(self) -> None:
        """The game is over, no client receives more, and the server has ended with exit code 0."""
        for client in self.clients:
            client.assert_nothing_more()
        self._broker.ask({"ended": None})


def _fits(expected: Sequence[object], came: Sequence[object]) -> bool:
    """Missing values at the end match anything, and so do missing optional ones."""
    padded = [*came, *([None] * (len(expected) - len(came)))]
    return all(wanted is ANY or wanted == value for wanted, value in zip(expected, padded))


def _shown(call: Sequence[object]) -> str:
    name, *values = call
    text = " ".join([str(name), *("_" if value is ANY else json.dumps(value, default=str) for value in values)])
    return text if len(text) <= 100 else f"{text[:100]} .."


# Below: the program that runs the tests of a file for `systest run`.


def _print(test: str, error: BaseException | None, details: str, seconds: float) -> None:
    verdict, message = "OK", ""
    if isinstance(error, GameFailure):
        verdict, message = error.verdict, f"{details}{error}"
    elif isinstance(error, AssertionError):
        verdict, message = "FAIL", f"{details}{error}"
    elif error is not None:
        verdict, message = "FAIL", "".join(traceback.format_exception(error))
    row = {"test": test, "verdict": verdict, "message": message, "seconds": seconds}
    # pytest ends no line before it prints.
    sys.stdout.write(f"\nsystest: {json.dumps(row)}\n")


def _place(error: BaseException | None, file: Path) -> str:
    """The line of the test that failed."""
    frames = traceback.extract_tb(error.__traceback__) if error else []
    own = [frame for frame in frames if Path(frame.filename).resolve() == file]
    return f"{own[-1].filename}:{own[-1].lineno}: {own[-1].line}\n" if own else ""


def _run_alone(file: Path, wanted: str) -> bool:
    """Runs all functions `test_..` of a file, without pytest."""
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(file.parent))
    spec.loader.exec_module(module)
    failed = False
    for name, test in list(vars(module).items()):
        if not (name.startswith("test_") and callable(test) and wanted in name):
            continue
        since = time.monotonic()
        error: BaseException | None = None
        try:
            test()
        except Exception as caught:
            error = caught
        failed |= error is not None
        _print(name, error, _place(error, file), time.monotonic() - since)
    return not failed


class _Verdicts:
    """A plugin of pytest that prints verdicts."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def pytest_runtest_makereport(self, item: Any, call: Any) -> None:
        error = call.excinfo.value if call.excinfo else None
        skipped = error is not None and type(error).__name__ == "Skipped"
        if call.when == "call" and not skipped or error is not None and not skipped:
            _print(item.name, error, _place(error, self._file), call.duration)


def _run_pytest(pytest: Any, file: Path, wanted: str) -> bool:
    arguments = [str(file), "-q", "-s", "-p", "no:cacheprovider", "--no-header", "--tb=no"]
    code = pytest.main(arguments + (["-k", wanted] if wanted else []), plugins=[_Verdicts(file)])
    # 5: no test was selected.
    return code in (0, 5)


def main() -> int:
    file, wanted = Path(sys.argv[1]).resolve(), sys.argv[2] if len(sys.argv) > 2 else ""
    try:
        import pytest
    except ImportError:
        return 0 if _run_alone(file, wanted) else 1
    return 0 if _run_pytest(pytest, file, wanted) else 1


if __name__ == "__main__":
    # The module is imported by its name as well, and both must have the same classes.
    from holdfast import testkit

    sys.exit(testkit.main())

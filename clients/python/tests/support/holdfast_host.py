"""The real server, as a process of its own that never outlives its test. The tests of games use it too."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Any

#: Seconds, and more than anything takes on a machine with other things to do.
PATIENCE = 300


def holdfast(*arguments: str) -> str:
    """Runs the program to its end."""
    return subprocess.run([_program(), *arguments], check=True, capture_output=True, text=True, timeout=PATIENCE).stdout


def _program() -> str:
    program = os.environ.get("HOLDFAST_BIN")
    if program is None:
        raise RuntimeError("HOLDFAST_BIN is the path of the program that is tested")
    return program


class Host:
    """A host with a log in a folder that goes with it."""

    def __init__(self) -> None:
        self.folder = tempfile.TemporaryDirectory(prefix="holdfast-python-")
        self.log = str(Path(self.folder.name) / "games.log")
        self.process: subprocess.Popen[str] | None = None
        self.address = "127.0.0.1:0"
        self.start()

    def start(self) -> None:
        """Starts it, after the first time on the same port again."""
        arguments = ["host", "--listen", self.address, "--http", "off", "--log", self.log]
        # What is tested is the client: nothing waits for the disk, and no bot is too fast.
        arguments += ["--durability", "normal", "--messages-per-second", "100000"]
        pipes: dict[str, Any] = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "text": True}
        self.process = subprocess.Popen([_program(), *arguments], **pipes)
        assert self.process.stdout is not None
        said = self.process.stdout.readline()
        if not said.startswith("listening on "):
            self.close()
            raise RuntimeError(f"the host says {said!r}")
        self.address = said.split()[-1]

    def kill(self) -> None:
        """As kill -9 does."""
        if self.process is not None:
            self.process.kill()
            self._wait()

    def stop(self) -> None:
        """As a host is stopped that tells its clients."""
        if self.process is not None:
            self.process.terminate()
            self._wait()

    def _wait(self) -> None:
        if self.process is not None:
            self.process.wait(timeout=PATIENCE)
            if self.process.stdout is not None:
                self.process.stdout.close()
            self.process = None

    def close(self) -> None:
        self.kill()
        self.folder.cleanup()

    def __enter__(self) -> Host:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def chronicle(self, game: str) -> list[dict[str, Any]]:
        """A finished game, with a picture after every step."""
        lines = holdfast("log", "export", self.log, game, "--format", "jsonl").splitlines()
        return [json.loads(line) for line in lines]

    def finished(self) -> list[str]:
        """The games of the log that are over."""
        rows = holdfast("log", "list", self.log, "--status", "finished", "--json").splitlines()
        return [json.loads(row)["name"] for row in rows]

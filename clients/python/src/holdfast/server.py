"""The server's side: a server of one game in Python, for authors of servers.

`ServerConnection` opens a port, welcomes clients, answers their pings, and hands over their commands one at a time. Everything is
blocking, and all rules can be in one loop:

    with ServerConnection(port, commands.read, rulebook="colony") as connection:
        while not game.over:
            client, command = connection.next_command(timeout=60)
            for receiver, event in game.take(client, command):
                connection.send(receiver, event)

`docs/put-your-server-under-test.md` says what a server has to answer.
"""

from __future__ import annotations

import json
import queue
import secrets
import socket
import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import Generic, Protocol, TypeVar

from .errors import BadMessage
from .messages import PROTOCOL
from .transport import LONGEST_LINE

C = TypeVar("C")

#: Seconds for clients to close their side after the end.
LINGER = 1.0


class Event(Protocol):
    """An event of a rulebook, such as `holdfast_colony.events.GameStarted`."""

    def to_json(self) -> dict[str, object]: ...


class TimeUp(Exception):
    """No command came in the given time."""


class _Client:
    """A client that was welcomed."""

    def __init__(self, number: int, connection: socket.socket) -> None:
        self.number = number
        self.connection = connection
        self.told = 0
        self.gone = False

    def write(self, message: object) -> None:
        if self.gone:
            return
        try:
            _write(self.connection, message)
        except OSError:
            self.gone = True


class ServerConnection(Generic[C]):
    """All clients of a game. `read` makes commands of JSON, for example `holdfast_colony.commands.read`."""

    def __init__(
        self, port: int, read: Callable[[object], C], *, host: str = "127.0.0.1", rulebook: str = "", edition: str = ""
    ) -> None:
        self._read = read
        self._about = {"rulebook": rulebook, "edition": edition}
        self._clients: list[_Client] = []
        self._threads: list[threading.Thread] = []
        self._closed = False
        self._lock = threading.Lock()
        # Pings stand behind the commands of their client, so that a pong comes after all events of these.
        self._inbox: queue.Queue[tuple[_Client, dict[str, object]]] = queue.Queue()
        self._listener = socket.create_server((host, port))
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self) -> ServerConnection[C]:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def next_command(self, timeout: float | None = None) -> tuple[int, C]:
        """The next command, with the number of its client. Clients are numbered from 0. Raises `TimeUp` after `timeout` seconds."""
        deadline = None if timeout is None else time.monotonic() + timeout
        while True:
            # Pings and messages that are no commands give no more time.
            left = None if deadline is None else max(0.0, deadline - time.monotonic())
            try:
                client, message = self._inbox.get(timeout=left)
            except queue.Empty:
                raise TimeUp from None
            if "ping" in message:
                client.write({"pong": message["ping"]})
                continue
            try:
                return client.number, self._read(message["command"])
            except BadMessage as error:
                client.write(_refusal("bad_message", str(error)))

    def send(self, client: int, event: Event, text: str | None = None) -> None:
        """Sends an event; `text` is the scenario of a `Config`, or the words of a refusal."""
        self.send_json(client, event.to_json(), text)

    def send_json(self, client: int, event: object, text: str | None = None) -> None:
        """Sends an event in any form of the protocol, such as `["CommandFailed", "It is Bo's turn."]`."""
        receiver = self._clients[client]
        receiver.told += 1
        receiver.write({"event": {"number": receiver.told, "event": event, "text": text}})

    def close(self) -> None:
        """Ends the game: all connections are closed after everything that was sent. Waits up to a second for clients that still talk."""
        self._listener.close()
        with self._lock:
            clients, self._closed = list(self._clients), True
        for client in clients:
            client.write({"closing": {"reason": "game_over", "message": "the game is over"}})
            try:
                client.connection.shutdown(socket.SHUT_WR)
            except OSError:
                pass
        # A connection that is closed with unread messages may lose what was sent.
        deadline = time.monotonic() + LINGER
        for thread in self._threads:
            thread.join(max(0.0, deadline - time.monotonic()))

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            thread = threading.Thread(target=self._serve, args=(connection,), daemon=True)
            self._threads.append(thread)
            thread.start()

    def _serve(self, connection: socket.socket) -> None:
        client: _Client | None = None
        try:
            with connection, connection.makefile("rb") as lines:
                while line := lines.readline(LONGEST_LINE):
                    if not line.strip():
                        continue
                    message = _message(line)
                    if message is None:
                        _write(connection, _closing("bad_message", "a line is one JSON object with one key"))
                        return
                    if client is None:
                        client = self._welcome(connection, message)
                    elif "ping" in message or "command" in message:
                        self._inbox.put((client, message))
                    else:
                        client.write(_refusal("bad_message", f"this server knows no {next(iter(message))}"))
        except OSError:
            # The client has gone.
            pass

    def _welcome(self, connection: socket.socket, message: dict[str, object]) -> _Client | None:
        hello = message.get("hello")
        if not isinstance(hello, dict):
            _write(connection, _refusal("bad_message", "the first message is a hello"))
            return None
        want = hello.get("want")
        if not (isinstance(want, dict) and "join" in want):
            _write(connection, _refusal("unknown_game", "this server has a single game; a client can only join it"))
            return None
        protocol = hello.get("protocol")
        with self._lock:
            if self._closed:
                return None
            client = _Client(len(self._clients), connection)
            spoken = min(protocol, PROTOCOL) if isinstance(protocol, int) else PROTOCOL
            answer = {"protocol": spoken, "game": "game", "client": client.number, "token": secrets.token_hex(16)}
            client.write({"welcome": answer | {"next": 1, **self._about, "commands": 0, "scenario": None}})
            self._clients.append(client)
        return client


def _message(line: bytes) -> dict[str, object] | None:
    try:
        message = json.loads(line)
    except ValueError:
        return None
    return message if isinstance(message, dict) and len(message) == 1 else None


def _refusal(reason: str, message: str) -> object:
    return {"refused": {"reason": reason, "message": message}}


def _closing(reason: str, message: str) -> object:
    return {"closing": {"reason": reason, "message": message}}


def _write(connection: socket.socket, message: object) -> None:
    connection.sendall(json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")

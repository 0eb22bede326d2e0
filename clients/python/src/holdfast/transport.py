"""Lines to a server and back: over asyncio, or blocking.

Both have the same coroutines. Those of `Blocking` wait by themselves and never suspend, so that `run` can call whatever
is built on them like a function: no event loop, no thread.
"""

from __future__ import annotations

import asyncio
import hashlib
import socket
import ssl
import time
from collections.abc import Coroutine
from typing import Any, Protocol, TypeVar

from .errors import BadMessage

T = TypeVar("T")

#: The longest line in bytes, with its end.
LONGEST_LINE = 1024 * 1024 + 2

#: Seconds for a server to accept a connection.
CONNECT = 10.0


class Quiet(Exception):
    """No message came in the given time."""


class Transport(Protocol):
    async def connect(self, host: str, port: int) -> None: ...

    async def write(self, data: bytes) -> None: ...

    async def read_line(self, timeout: float | None) -> bytes:
        """Raises `Quiet` after `timeout` seconds; no data is lost."""
        ...

    async def sleep(self, seconds: float) -> None: ...

    async def close(self) -> None: ...


def run(coroutine: Coroutine[Any, Any, T]) -> T:
    """Runs a coroutine that never suspends."""
    try:
        coroutine.send(None)
    except StopIteration as done:
        result: T = done.value
        return result
    raise AssertionError("a blocking transport does not suspend")


def pinned(*fingerprints: str) -> ssl.SSLContext:
    """A TLS context that trusts the certificates with these fingerprints (SHA-256, as a host prints it) and no others."""
    pins = {bytes.fromhex(pin.replace(":", "")) for pin in fingerprints}

    def check(certificate: bytes | None) -> None:
        if certificate is None or hashlib.sha256(certificate).digest() not in pins:
            raise ssl.SSLCertVerificationError("the server has another certificate than the pinned one")

    class PinnedSocket(ssl.SSLSocket):
        def do_handshake(self, block: bool = False) -> None:
            super().do_handshake(block)
            check(self.getpeercert(binary_form=True))

    class PinnedObject(ssl.SSLObject):
        def do_handshake(self) -> None:
            super().do_handshake()
            check(self.getpeercert(binary_form=True))

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.sslsocket_class = PinnedSocket
    context.sslobject_class = PinnedObject
    return context


class Asynchronous:
    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        self._tls = tls
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def connect(self, host: str, port: int) -> None:
        async with asyncio.timeout(CONNECT):
            self._reader, self._writer = await asyncio.open_connection(
                host, port, limit=LONGEST_LINE, ssl=self._tls
            )

    async def write(self, data: bytes) -> None:
        if self._writer is None:
            raise ConnectionResetError("not connected")
        self._writer.write(data)
        await self._writer.drain()

    async def read_line(self, timeout: float | None) -> bytes:
        if self._reader is None:
            raise ConnectionResetError("not connected")
        try:
            async with asyncio.timeout(timeout):
                line = await self._reader.readline()
        except TimeoutError:
            raise Quiet from None
        except ValueError:
            raise BadMessage(f"the server sends a line of more than {LONGEST_LINE} bytes") from None
        return _whole(line)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    async def close(self) -> None:
        writer, self._reader, self._writer = self._writer, None, None
        if writer is not None:
            writer.close()
            try:
                await writer.wait_closed()
            except OSError:
                pass


class Blocking:
    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        self._tls = tls
        self._socket: socket.socket | None = None
        self._heard = bytearray()

    async def connect(self, host: str, port: int) -> None:
        self._socket = socket.create_connection((host, port), CONNECT)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if self._tls is not None:
            self._socket = self._tls.wrap_socket(self._socket, server_hostname=host)
        self._heard.clear()

    async def write(self, data: bytes) -> None:
        if self._socket is None:
            raise ConnectionResetError("not connected")
        self._socket.settimeout(None)
        self._socket.sendall(data)

    async def read_line(self, timeout: float | None) -> bytes:
        if self._socket is None:
            raise ConnectionResetError("not connected")
        deadline = None if timeout is None else time.monotonic() + timeout
        looked = 0
        while (end := self._heard.find(b"\n", looked)) < 0:
            looked = len(self._heard)
            if looked > LONGEST_LINE:
                raise BadMessage(f"the server sends a line of more than {LONGEST_LINE} bytes")
            piece = self._receive(self._socket, deadline)
            if not piece:
                return _whole(b"")
            self._heard += piece
        line = bytes(self._heard[: end + 1])
        del self._heard[: end + 1]
        return _whole(line)

    def _receive(self, connection: socket.socket, deadline: float | None) -> bytes:
        left = None if deadline is None else deadline - time.monotonic()
        if left is not None and left <= 0:
            raise Quiet
        connection.settimeout(left)
        try:
            return connection.recv(64 * 1024)
        except TimeoutError:
            raise Quiet from None

    async def sleep(self, seconds: float) -> None:
        time.sleep(seconds)

    async def close(self) -> None:
        connection, self._socket = self._socket, None
        if connection is not None:
            connection.close()


def _whole(line: bytes) -> bytes:
    """A whole line; an unfinished one means that the connection is over."""
    if not line.endswith(b"\n"):
        raise ConnectionResetError("the server has gone")
    return line

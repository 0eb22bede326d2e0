"""A host behind a proxy with a certificate, as docs/tls.md has it."""

from __future__ import annotations

import asyncio
import shutil
import ssl
import subprocess
import threading
import unittest
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from holdfast_colony import Client, ConnectionLost, Place, SyncClient

from .host import PATIENCE, Host


@unittest.skipUnless(shutil.which("openssl"), "no openssl here, TLS was not tested")
class TlsTest(unittest.TestCase):
    def test_both_kinds_of_client(self) -> None:
        with Host() as host, proxy(host) as (address, certificate):
            trusting = ssl.create_default_context(cafile=str(certificate))
            with SyncClient(address, Place.create("first-night"), tls=trusting) as ana:
                ana.register("Ana")
                bo = asyncio.run(join(address, ana.game, trusting))
                self.assertEqual((bo.resumed, bo.view.player), (0, 1))
                ana.ping()
                self.assertEqual(len(ana.view.board.players), 2)
            self.assertEqual(len(SyncClient.games(address, trusting)), 1)
            # The certificate is signed by no authority.
            with self.assertRaisesRegex(ConnectionLost, "self.signed"):
                SyncClient.games(address, ssl.create_default_context())


async def join(address: str, game: str | None, tls: ssl.SSLContext) -> Client:
    async with Client(address, Place.join(game), tls=tls) as client:
        await client.register("Bo")
        return client


@contextmanager
def proxy(host: Host) -> Iterator[tuple[str, Path]]:
    """Its address, and the certificate to trust."""
    folder = Path(host.folder.name)
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    make = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    make += ["-addext", "subjectAltName=DNS:localhost", "-keyout", str(key), "-out", str(certificate)]
    subprocess.run(make, check=True, capture_output=True, timeout=PATIENCE)
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(certificate, key)
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    try:
        serving = asyncio.run_coroutine_threadsafe(serve(host.address, server), loop).result(10)
        yield f"localhost:{serving.sockets[0].getsockname()[1]}", certificate
        loop.call_soon_threadsafe(serving.close)
    finally:
        asyncio.run_coroutine_threadsafe(end_others(), loop).result(10)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


async def serve(behind: str, tls: ssl.SSLContext) -> asyncio.Server:
    address, port = behind.split(":")

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        from_host, to_host = await asyncio.open_connection(address, int(port))
        await asyncio.gather(copy(reader, to_host), copy(from_host, writer))

    return await asyncio.start_server(connected, "127.0.0.1", 0, ssl=tls)


async def copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while piece := await reader.read(4096):
            writer.write(piece)
            await writer.drain()
    except OSError:
        pass
    writer.close()


async def end_others() -> None:
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)

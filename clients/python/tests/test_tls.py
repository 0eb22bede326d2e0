"""Encrypted connections to a server whose certificate is pinned."""

from __future__ import annotations

import asyncio
import shutil
import socket
import ssl
import subprocess
import tempfile
import threading
import unittest
from pathlib import Path

from holdfast import pinned
from holdfast.transport import Asynchronous, Blocking, run


@unittest.skipUnless(shutil.which("openssl"), "no openssl here, pinning was not tested")
class Pinning(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        key, certificate = (str(Path(folder.name) / name) for name in ("key.pem", "certificate.pem"))
        new = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=elsewhere"]
        subprocess.run(["openssl", *new, "-keyout", key, "-out", certificate], check=True, capture_output=True)
        shown = ["openssl", "x509", "-noout", "-fingerprint", "-sha256", "-in", certificate]
        answer = subprocess.run(shown, check=True, capture_output=True, text=True).stdout
        self.fingerprint = answer.strip().split("=")[1]
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(certificate, key)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(self._listener.close)
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
                with self._context.wrap_socket(connection, server_side=True) as stream:
                    stream.sendall(b"{}\n")
            except ssl.SSLError:
                continue
            except OSError:
                return

    def blocking(self, pin: str) -> bytes:
        async def read() -> bytes:
            transport = Blocking(pinned(pin))
            await transport.connect("127.0.0.1", self.port)
            line = await transport.read_line(10)
            await transport.close()
            return line

        return run(read())

    def asynchronous(self, pin: str) -> bytes:
        async def read() -> bytes:
            transport = Asynchronous(pinned(pin))
            await transport.connect("127.0.0.1", self.port)
            line = await transport.read_line(10)
            await transport.close()
            return line

        return asyncio.run(read())

    def test_only_the_pinned_certificate(self) -> None:
        for read in (self.blocking, self.asynchronous):
            self.assertEqual(read(self.fingerprint).strip(), b"{}")
            self.assertEqual(read(self.fingerprint.replace(":", "").lower()).strip(), b"{}")
            with self.assertRaises(ssl.SSLCertVerificationError):
                read("00" * 32)
        with self.assertRaises(ValueError):
            pinned("no fingerprint")


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/env python3
"""Keeps a live log of a program as test data: `python3 tests/live/make.py PROGRAM`.

The program hosts games of several rulebooks. It is killed with -9 in the middle of them. `games.sql` is the log that it left, and
`clients.json` has the places of the clients: game, token, and every event that they were told. Today's host must go on with
both: `live.rs` in the tests of the games. Run it with the program of the last landed state (`xtask/landed.txt`), before the version of
the log rises.
"""

import json
import pathlib
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
HEAD = """\
-- A log of version {version} of the schema, as a host that was killed left it. `make.py` wrote it.
PRAGMA application_id = 0x486f6c64;
PRAGMA user_version = {version};
"""


class Client:
    """A client over JSON lines."""

    def __init__(self, address: str, want: object, game: str | None = None) -> None:
        host, port = address.rsplit(":", 1)
        self.lines = socket.create_connection((host, int(port))).makefile("rw", encoding="utf-8", newline="\n")
        self.events: list[object] = []
        self.pings = 0
        self.say({"hello": {"protocol": 3, "want": want, "game": game, "board": True}})
        welcome = self.hear()["welcome"]
        self.game, self.token = welcome["game"], welcome["token"]

    def say(self, message: object) -> None:
        self.lines.write(json.dumps(message) + "\n")
        self.lines.flush()

    def hear(self) -> dict:
        return json.loads(self.lines.readline())

    def command(self, command: object) -> None:
        """Sends a command, and waits until everything that it causes was told."""
        self.say({"command": command})
        self.catch_up()

    def catch_up(self) -> None:
        self.pings += 1
        self.say({"ping": self.pings})
        while (message := self.hear()) != {"pong": self.pings}:
            if "event" not in message:
                sys.exit(f"the host said {message}")
            self.events.append(message["event"])

    def place(self) -> dict:
        return {"game": self.game, "token": self.token, "events": self.events}


def colony(address: str) -> list[Client]:
    create = {"create": {"rulebook": "colony", "scenario": "first-night", "seed": 7}}
    ana = Client(address, create)
    bo = Client(address, {"join": {}}, ana.game)
    ana.command({"Register": {"name": "Ana"}})
    bo.command({"Register": {"name": "Bo"}})
    for player in [ana, bo]:
        player.catch_up()
        offered = next(told["event"]["Characters"] for told in player.events if "Characters" in told["event"])
        player.command({"SelectCharacters": {"first": offered["c0"], "second": offered["c1"]}})
    return [ana, bo]


def crazyhouse(address: str) -> list[Client]:
    ana = Client(address, {"create": {"rulebook": "crazyhouse", "scenario": "standard", "seed": 7}})
    bo = Client(address, {"join": {}}, ana.game)
    ana.command({"Join": {"name": "Ana", "side": "white"}})
    bo.command({"Join": {"name": "Bo", "side": "black"}})
    ana.command({"Move": {"text": "g1-f3"}})
    bo.command({"Move": {"text": "g8-f6"}})
    return [ana, bo]


def treasure(url: str) -> dict:
    """A game with two players that have not built their halves."""

    def ask(path: str, document: str | None = None) -> str:
        data = document.encode() if document else None
        request = urllib.request.Request(url + path, data=data, headers={"Content-Type": "application/xml"})
        with urllib.request.urlopen(request, timeout=300) as answer:
            return answer.read().decode()

    game = re.search("<uniqueGameID>(.*?)</uniqueGameID>", ask("/games"))[1]
    players = []
    for name in ["Ana", "Bo"]:
        document = (
            "<playerRegistration><studentFirstName>{0}</studentFirstName><studentLastName>{0}</studentLastName>"
            "<studentUAccount>{0}</studentUAccount></playerRegistration>"
        ).format(name)
        players.append(re.search("<uniquePlayerID>(.*?)</uniquePlayerID>", ask(f"/games/{game}/players", document))[1])
    return {"game": game, "players": players}


def play(host: subprocess.Popen) -> dict:
    """Begins a game of each rulebook. Returns what their clients know."""
    said = {}
    while "listening" not in said:
        word, _, address = host.stdout.readline().strip().partition(" on ")
        said[word] = address
    places = {}
    for game, begin in {"colony": colony, "crazyhouse": crazyhouse}.items():
        clients = begin(said["listening"])
        for client in clients:
            client.catch_up()
        places[game] = [client.place() for client in clients]
    places["treasure"] = treasure(said["treasure"])
    return places


def main() -> None:
    program = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        log = str(pathlib.Path(folder) / "games.db")
        ports = ["--listen", "127.0.0.1:0", "--http", "off", "--treasure", "127.0.0.1:0"]
        host = subprocess.Popen([program, "host", *ports, "--log", log], stdout=subprocess.PIPE, text=True)
        try:
            places = play(host)
        finally:
            host.send_signal(signal.SIGKILL)
            host.wait()
        connection = sqlite3.connect(log)
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        dump = "\n".join(connection.iterdump())
    (HERE / "games.sql").write_text(HEAD.format(version=version) + dump + "\n")
    (HERE / "clients.json").write_text(json.dumps(places, indent=1) + "\n")


if __name__ == "__main__":
    main()

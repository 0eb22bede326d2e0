#!/usr/bin/env python3
"""Keeps live logs of a program as test data: `python3 tests/live/make.py PROGRAM`.

The program hosts games of several rulebooks. It is killed with -9 in the middle of them. `games.sql` is the log that it left, and
`clients.json` has the places of the clients: game, token, and every event that they were told. The game of `project` has a process
and a log of its own, `project.sql`, with the configuration `project.xml`; its players are known by their hashes. Today's program must
go on with all of it: `live.rs` in the tests of the games. Run it with the program of the last landed state (`xtask/landed.txt`),
before the version of the log rises.
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
import time
import urllib.request
from collections.abc import Callable

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


class ProjectPlayer:
    """A player of the project game, over frames of XML."""

    ROOT = 'xmlns="http://messageSchema.something.com" protocolVersion="1"'

    def __init__(self, address: str, number: int, team: str) -> None:
        host, port = address.rsplit(":", 1)
        self.stream = socket.create_connection((host, int(port)))
        self.number, self.team, self.told = number, team, []
        self.bytes, self.messages = b"", []
        answer = ""
        # The server refuses players until the Game Master is there.
        while "<Confirmation>" not in answer:
            self.say(
                f"<Connection {self.ROOT}><Request><Hash>{self.uuid(9999)}</Hash>"
                "<SenderAddress>127.0.0.1:1</SenderAddress><Role>Player</Role></Request></Connection>"
            )
            answer = self.hear("<Connection ")
            time.sleep(0.1)
        self.player = re.search("<Id>(.*?)</Id>", answer)[1]

    def uuid(self, number: int) -> str:
        return f"{self.number:08x}-0000-4000-8000-{number:012x}"

    def say(self, document: str) -> None:
        self.stream.sendall(document.encode() + b"\x17")

    def hear(self, *wanted: str) -> str:
        """The next message that has all of these texts."""
        while True:
            while not self.messages:
                while b"\x17" not in self.bytes:
                    if not (more := self.stream.recv(4096)):
                        sys.exit("the server has closed the connection")
                    self.bytes += more
                frame, _, self.bytes = self.bytes.partition(b"\x17")
                self.messages = frame.decode().split("<Message ")
            message = self.messages.pop(0)
            if all(part in message for part in wanted):
                return message

    def ask(self, number: int, content: str, kind: str) -> str:
        self.say(
            f'<Messages {self.ROOT}><Message id="{self.uuid(number)}"><Sender id="{self.player}"/><Receiver id="0"/>'
            f"<Content>{content}</Content></Message></Messages>"
        )
        return self.hear(kind, f'contextId="{self.uuid(number)}"')

    def register(self) -> None:
        self.ask(
            0, f"<GameState><Setup><Request><Team>{self.team}</Team></Request></Setup></GameState>", "<Confirmation>"
        )

    def move(self, number: int, direction: str) -> None:
        content = f"<Action><Move><Request><Direction>{direction}</Direction></Request></Move></Action>"
        answer = self.ask(number, content, "<Move><Response>")
        place = [int(re.search(f"<{axis}>(.*?)</{axis}>", answer)[1]) for axis in "XY"]
        self.told.append({"direction": direction, "position": place})


def project(server: subprocess.Popen) -> list[dict]:
    """A game that has begun, with two players that have moved."""
    while not (line := server.stdout.readline()).startswith("listening on "):
        if not line:
            sys.exit("the server of the project game does not listen")
    address = line.removeprefix("listening on ").strip()
    players = [ProjectPlayer(address, 1, "Blue"), ProjectPlayer(address, 2, "Red")]
    for player in players:
        player.register()
    for player in players:
        player.hear("<Start>")
    for number, direction in enumerate(["Up", "Right", "Down", "Left", "Up"], start=1):
        for player in players:
            player.move(number, direction)
    return [{"team": player.team, "moves": player.told} for player in players]


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


def leave_log(program: list[str], begin: Callable[[subprocess.Popen], object], name: str) -> object:
    """Starts a program with a log, begins games, and kills it. Keeps the log, and returns what the clients know."""
    with tempfile.TemporaryDirectory() as folder:
        log = str(pathlib.Path(folder) / "games.db")
        process = subprocess.Popen([*program, "--log", log], stdout=subprocess.PIPE, text=True)
        try:
            places = begin(process)
        finally:
            process.send_signal(signal.SIGKILL)
            process.wait()
        connection = sqlite3.connect(log)
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        dump = "\n".join(connection.iterdump())
    (HERE / name).write_text(HEAD.format(version=version) + dump + "\n")
    return places


def main() -> None:
    program = sys.argv[1]
    ports = ["--listen", "127.0.0.1:0", "--http", "off"]
    places = leave_log([program, "host", *ports, "--treasure", "127.0.0.1:0"], play, "games.sql")
    quiet = ["--trace-file", "off", "--cs-trace-file", "off"]
    configuration = ["--config", str(HERE / "project.xml")]
    places["project"] = leave_log([program, "project", "serve", *configuration, *ports, *quiet], project, "project.sql")
    (HERE / "clients.json").write_text(json.dumps(places, indent=1) + "\n")


if __name__ == "__main__":
    main()

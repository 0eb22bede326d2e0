"""A server without any library, which says everything in the shortest forms that `systest` takes.

    plain_server.py FORM --config FILE --port PORT --seed SEED --edition EDITION

FORM is how it says that a command failed: `text` (a list with a text), `name` (nothing but the name), `object` (an object with a text),
`empty` (an object without anything). It opens its port before it reads the scenario.
"""

import json
import socket
import sys
import threading
import time
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[5]
sys.path.insert(0, str(PROJECT / "games/colony/python/examples"))

from registration import Registration  # noqa: E402

form = sys.argv[1]
options = dict(zip(sys.argv[2::2], sys.argv[3::2]))


def failed(text):
    return {
        "text": ["CommandFailed", text],
        "name": "CommandFailed",
        "object": {"CommandFailed": text},
        "empty": {"CommandFailed": {}},
    }[form]


def event(name, arguments):
    if name == "CommandFailed":
        return failed(*arguments)
    if not arguments:
        return name
    return [name, *arguments] if form in ("text", "name") else {name: arguments}


def say(connection, message):
    try:
        connection.sendall(json.dumps(message, separators=(",", ":")).encode() + b"\n")
    except OSError:
        pass


def serve(connection, game, clients, lock):
    number = None
    for line in connection.makefile():
        message = json.loads(line)
        with lock:
            if "hello" in message:
                number = len(clients)
                clients.append(connection)
                say(connection, {"welcome": {}})
            elif "ping" in message:
                say(connection, {"pong": message["ping"]})
            else:
                name, *arguments = message["command"]
                for client, told, values in game.take(number, name, arguments):
                    say(clients[client], {"event": event(told, values)})
                if game.over:
                    for client in clients:
                        client.shutdown(socket.SHUT_WR)
                    return


def main():
    listener = socket.create_server(("127.0.0.1", int(options["--port"])))
    # A slow start, so that clients come first.
    time.sleep(0.3)
    with open(options["--config"], encoding="utf-8", newline="") as file:
        text = file.read()
    try:
        game = Registration(text, int(options["--seed"]), options["--edition"])
    except (ValueError, KeyError) as wrong:
        print("not a scenario:", wrong, file=sys.stderr)
        sys.exit(1)
    clients, lock = [], threading.Lock()

    def accept():
        while True:
            connection, _ = listener.accept()
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=serve, args=(connection, game, clients, lock), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    while not game.over:
        time.sleep(0.01)
    time.sleep(0.1)


main()

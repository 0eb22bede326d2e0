"""A server of colony that ends where the first round would begin: an example for `holdfast.server`.

    PYTHONPATH=clients/python/src:games/colony/python/src python3 games/colony/python/examples/toy_server.py \
        --config winter.json --port 7700 --seed 7 --timeout 60 --edition group

It plays the registration and the choice of characters as the rules demand:

    systest run games/colony/scripts --tag registration --without-tag turns \
        --server "python3 games/colony/python/examples/toy_server.py --config {config} --port {port} --seed {seed} .."
"""

from __future__ import annotations

import argparse
import dataclasses
from pathlib import Path

from registration import Registration, Told

from holdfast.server import ServerConnection, TimeUp
from holdfast_colony import commands, events


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--config", type=Path, required=True)
    options.add_argument("--port", type=int, required=True)
    options.add_argument("--seed", type=int, required=True)
    options.add_argument("--timeout", type=float, default=60.0)
    options.add_argument("--edition", default="group")
    given = options.parse_args()
    with given.config.open(encoding="utf-8", newline="") as file:
        game = Registration(file.read(), given.seed, given.edition)
    with ServerConnection(given.port, commands.read, rulebook="colony", edition=given.edition) as connection:
        while not game.over:
            try:
                client, command = connection.next_command(given.timeout)
            except TimeUp:
                tell(connection, game.time_up())
                continue
            arguments = [value for value in dataclasses.astuple(command) if value is not None]
            tell(connection, game.take(client, type(command).__name__, arguments))


def tell(connection: ServerConnection[commands.Command], told: Told) -> None:
    for client, name, arguments in told:
        match name:
            case "Config":
                connection.send(client, events.Config(), str(arguments[0]))
            case "CommandFailed":
                connection.send_json(client, [name, *arguments])
            case _:
                connection.send(client, getattr(events, name)(*arguments))


if __name__ == "__main__":
    main()

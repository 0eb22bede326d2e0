"""A bot to start from, for every game: python3 examples/bot.py --rulebook crazyhouse --new standard --count 2"""

from __future__ import annotations

import argparse
import asyncio
import random

from holdfast import Client, HoldfastError, Offers, Place, RawCommand


def decide(offers: Offers, name: str, rng: random.Random) -> RawCommand | None:
    """What to do now, of `offers.choices`; None waits. Change this!"""
    return offers.random_command(name, rng)


async def play(client: Client[object], name: str, rng: random.Random) -> None:
    """Plays one seat to the end of the game."""
    async for offers in client.offer_turns():
        command = decide(offers, name, rng)
        if command is not None:
            await client.send(command)
    await client.close()


async def play_game(given: argparse.Namespace, seed: int | None) -> None:
    """Enters or creates a game, takes all seats that this program plays, and plays them at the same time."""
    place: Place[object] = Place.create(given.new, rulebook=given.rulebook, seed=seed) if given.new else Place.join(given.game)
    async with asyncio.TaskGroup() as playing:
        for seat in range(1, given.count + 1):
            client = Client(given.connect, place)
            await client.open()
            name = given.name if given.count == 1 else f"{given.name} {seat}"
            print(f"{name} plays {client.game}", flush=True)
            place = Place.join(client.game)
            playing.create_task(play(client, name, random.Random(None if seed is None else f"{seed} {seat}")))
    print(client.farewell)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--connect", default="127.0.0.1:7700", metavar="HOST:PORT")
    parser.add_argument("--rulebook", help="what to play; without it, the host's first one")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--new", metavar="SCENARIO", help="create games of this scenario")
    which.add_argument("--game", metavar="ID", help="join a game; without it, the only game of the server")
    parser.add_argument("--name", default="Python")
    parser.add_argument("--count", type=positive, default=1, help="how many bots play")
    parser.add_argument("--games", type=positive, default=1, help="how many games to create, one after the other")
    parser.add_argument("--seed", type=int, help="of the first game and its bots; each further game has the next one")
    given = parser.parse_args()
    if not given.new and given.games > 1:
        parser.error("--games needs --new")
    for number in range(given.games):
        asyncio.run(play_game(given, None if given.seed is None else given.seed + number))


def positive(text: str) -> int:
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"{text} is not a number from 1 on")
    return int(text)


if __name__ == "__main__":
    try:
        main()
    except* HoldfastError as errors:
        raise SystemExit("\n".join(str(error) for error in errors.exceptions)) from None

"""A bot to start from: python3 examples/bot.py --connect 127.0.0.1:7700 --new winter --name Ana"""

import argparse

from holdfast_colony import Asked, CardKind, HoldfastError, Place, SyncClient, View, commands


def decide(view: View) -> commands.Command:
    """What to do now. Change this! What is refused is asked again: then `view.refused` says why."""
    board, me = view.board, view.me
    if view.asked is Asked.CHARACTERS:
        return commands.SelectCharacters(*sorted(view.offered, key=lambda each: board.character(each).search)[:2])
    if view.asked is Asked.VOTE:
        return commands.Vote(True)
    if view.refused:
        return commands.EndTurn()
    food = [card for card in me.hand if board.card_kind(card) is CardKind.FOOD]
    if food and board.food < board.mouths():
        return commands.UseCard(food[0])
    for character in me.survivors:
        if me.smallest_die(board.character(character).search):
            if board.places[board.survivors[character].location].cards:
                return commands.Search(character)
            worth = [place for place in board.places if board.places[place].cards and not board.survivors_at(place)]
            if worth and not board.survivors[character].moved:
                return commands.Move(character, worth[0])
    return commands.EndTurn()


def play(given: argparse.Namespace, place: Place) -> None:
    """Plays one game to its end."""
    with SyncClient(given.connect, place) as client:
        client.register(given.name)
        print(f"{given.name} plays {client.game}", flush=True)
        if given.new:
            client.start(given.players)
        for view in client.turns():
            client.send(decide(view))
        print(client.farewell)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--connect", default="127.0.0.1:7700", metavar="HOST:PORT")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--new", metavar="SCENARIO", help="make a game, and start it with so many --players")
    which.add_argument("--game", help="join one that is there; without it, the only game of the server")
    parser.add_argument("--players", type=int, default=1)
    parser.add_argument("--name", default="Python")
    parser.add_argument("--games", type=int, default=1, help="how many games to make, one after the other")
    parser.add_argument("--seed", type=int, help="of the first game; each further game has the next one")
    given = parser.parse_args()
    try:
        for number in range(given.games if given.new else 1):
            seed = None if given.seed is None else given.seed + number
            play(given, Place.create(given.new, seed=seed) if given.new else Place.join(given.game))
    except HoldfastError as error:
        raise SystemExit(str(error)) from None

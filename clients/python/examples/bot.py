"""A bot to start from: python3 examples/bot.py --connect 127.0.0.1:7700 --new winter --name Ana"""

import argparse

from holdfast import Asked, CardKind, Place, SyncClient, View, commands


def decide(view: View) -> commands.Command:
    """What to do now. Change this!"""
    board, me = view.board, view.me
    if view.asked is Asked.CHARACTERS:
        best = sorted(view.offered, key=lambda character: board.character(character).search)
        return commands.SelectCharacters(best[0], best[1])
    if view.asked is Asked.VOTE:
        return commands.Vote(True)
    if view.refused:
        return commands.EndTurn()
    food = [card for card in me.hand if board.card_kind(card) is CardKind.FOOD]
    if food and board.food < board.mouths():
        return commands.UseCard(food[0])
    for character in me.survivors:
        survivor = board.survivors[character]
        if me.smallest_die(board.character(character).search):
            if board.places[survivor.location].cards:
                return commands.Search(character)
            worth = [place for place in board.places if board.places[place].cards and not board.survivors_at(place)]
            if worth and not survivor.moved:
                return commands.Move(character, worth[0])
    return commands.EndTurn()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--connect", default="127.0.0.1:7700", metavar="HOST:PORT")
    parser.add_argument("--new", metavar="SCENARIO", help="make a game, and start it with so many --players")
    parser.add_argument("--players", type=int, default=1)
    parser.add_argument("--join", metavar="GAME")
    parser.add_argument("--name", default="Python")
    given = parser.parse_args()
    with SyncClient(given.connect, Place.create(given.new) if given.new else Place.join(given.join)) as client:
        client.register(given.name)
        print(f"{given.name} plays {client.game}", flush=True)
        if given.new:
            while len(client.view.board.players) < given.players:
                client.next()
            client.send(commands.StartGame())
        for view in client.turns():
            client.send(decide(view))
        print(client.farewell)

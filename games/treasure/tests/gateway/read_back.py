"""Reads answers of the treasure port the way clients do, and prints how many of them were states."""

import pathlib
import re
import sys
import xml.etree.ElementTree as tree

TYPE = "{http://www.w3.org/2001/XMLSchema-instance}type"
PLAYERS = {"NoPlayerPresent", "EnemyPlayerPosition", "MyPlayerPosition", "BothPlayerPosition"}


def one(element, name):
    found = element.findall(name)
    assert len(found) == 1, f"{len(found)} <{name}> in <{element.tag}>"
    return found[0]


def state(text, data):
    own = re.search(r"<!--(.*?)-->", text).group(1)
    players = one(data, "players").findall("player")
    assert len(players) == 2, players
    me = [player for player in players if one(player, "uniquePlayerID").text == own]
    assert len(me) == 1, "oneself, found by the id"
    assert one(me[0], "state").text in {"MustAct", "MustWait", "Won", "Lost"}
    assert one(me[0], "collectedTreasure").text in {"true", "false"}
    nodes = one(one(data, "map"), "mapNodes").findall("mapNode")
    places = {(int(one(node, "X").text), int(one(node, "Y").text)) for node in nodes}
    assert len(nodes) == 100 and len(places) == 100, len(nodes)
    positions = [one(node, "playerPositionState").text for node in nodes]
    assert set(positions) <= PLAYERS
    assert sum(position in {"MyPlayerPosition", "BothPlayerPosition"} for position in positions) == 1
    assert sum(one(node, "fortState").text == "MyFortPresent" for node in nodes) == 1
    assert one(data, "gameStateId").text


def main():
    states = 0
    for file in pathlib.Path(sys.argv[1]).iterdir():
        text = file.read_text(encoding="utf-8")
        envelope = tree.fromstring(text.encode("utf-8"))
        assert envelope.tag == "responseEnvelope", "no namespace"
        names = [one(envelope, name) for name in ("exceptionName", "exceptionMessage", "state")]
        data = envelope.find("data")
        if names[2].text == "Error":
            assert data is None, "no data with an error"
            continue
        assert not names[0].text and not names[1].text
        if data is not None:
            assert data.attrib == {TYPE: "gameState"}, data.attrib
            state(text, data)
            states += 1
    print(states)


main()

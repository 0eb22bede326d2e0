"""A bot for any game of the common wire: it takes any offer. It finds its seat in its environment, as `arena` says.

With an argument it misbehaves from its third command on: `crash`, `hang`, `flood`, or `seats`, which takes a second seat at once.
"""

import json
import os
import random
import socket
import sys
import time

how = sys.argv[1] if len(sys.argv) > 1 else "well"
chance = random.Random(int(os.environ["HOLDFAST_SEED"]))
name = os.environ["HOLDFAST_NAME"]


class Link:
    def __init__(self):
        host, port = os.environ["HOLDFAST_CONNECT"].rsplit(":", 1)
        connection = socket.create_connection((host, int(port)))
        # One file for both ways would forget what it has read ahead whenever it writes.
        self.lines, self.out = connection.makefile("r"), connection.makefile("w")
        self.asked = 0
        self.send({"hello": {"protocol": 3, "want": {"join": {}}, "game": os.environ["HOLDFAST_GAME"]}})

    def send(self, message):
        self.out.write(json.dumps(message) + "\n")
        self.out.flush()

    def ask(self):
        self.asked += 1
        self.send({"offers": self.asked})


def leaves(offers):
    for offer in offers["offers"]:
        if offer.get("aside") or "impossible" in offer:
            continue
        if "offers" in offer:
            yield from leaves(offer)
        else:
            yield offer


def misbehave(link):
    if how == "crash":
        raise SystemExit("I have had enough")
    if how == "hang":
        time.sleep(1000)
    while how == "flood":
        link.send({"command": {"Resign": {"why": 1}}})
        link.send({"command": {"Join": {"name": "again"}}})


link = Link()
if how == "seats":
    other = Link()
    other.send({"command": {"Join": {"name": "other"}}})
sent = 0
for line in link.lines:
    message = json.loads(line)
    if "welcome" in message or "event" in message:
        link.ask()
    elif "closing" in message:
        break
    elif "offers" in message and message["offers"]["number"] == link.asked:
        offers = list(leaves(json.loads(message["offers"]["offers"])))
        if not offers:
            continue
        offer = chance.choice(offers)
        command = offer["command"]
        for argument in offer.get("arguments", []):
            if argument.get("text", {}).get("name"):
                next(iter(command.values()))[argument["field"]] = name
        sent += 1
        if sent == 3:
            misbehave(link)
        link.send({"command": command})
        link.ask()

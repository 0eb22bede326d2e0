"""The first part of colony's rules, for example servers: registration and the choice of characters (RULES.md#protocol).

It does no input or output. `Registration.take` returns what the clients are told: a client, the event's name, and its arguments.
"""

from __future__ import annotations

import json

Told = list[tuple[int, str, list[object]]]


class JavaRandom:
    """The generator of RULES.md#randomness."""

    def __init__(self, seed: int) -> None:
        self.state = (seed ^ 0x5DEECE66D) & ((1 << 48) - 1)

    def next(self, bits: int) -> int:
        self.state = (self.state * 0x5DEECE66D + 0xB) & ((1 << 48) - 1)
        value = self.state >> (48 - bits)
        return value - (1 << bits) if value >> (bits - 1) and bits == 32 else value

    def next_below(self, bound: int) -> int:
        if bound & (bound - 1) == 0:
            return (bound * self.next(31)) >> 31
        while True:
            bits = self.next(31)
            value = bits % bound
            if bits - value + (bound - 1) < 1 << 31:
                return value

    def shuffle(self, items: list[int]) -> None:
        for end in range(len(items), 1, -1):
            other = self.next_below(end)
            items[end - 1], items[other] = items[other], items[end - 1]


class Registration:
    """A game up to the choice of the last player. Then the example ends: nothing is answered any more."""

    def __init__(self, scenario: str, seed: int, edition: str) -> None:
        self.text = scenario
        self.scenario = json.loads(scenario)
        self.random = JavaRandom(seed)
        self.players: list[tuple[int, str]] = []
        self.started = False
        self.over = False
        self.chosen = 0
        self.offered: list[int] = []
        self.unused = [character["identifier"] for character in self.scenario["characters"]]
        self._shuffle_stacks(edition)

    def _shuffle_stacks(self, edition: str) -> None:
        """Everything that is shuffled before the characters, in the order of RULES.md#randomness."""
        colony = next(place["colony"] for place in self.scenario["locations"] if "colony" in place)
        self.start_cards: list[int] = list(colony["startCards"])
        self.random.shuffle(self.start_cards)
        places = [place for place in self.scenario["locations"] if "colony" not in place]
        for place in sorted(places, key=lambda place: place["identifier"]):
            self.random.shuffle(list(place["cards"]))
        self.random.shuffle(list(range(len(self.scenario["crises"]))))
        if edition == "fate":
            self.random.shuffle(list(range(len(self.scenario["crossroads"]))))

    def take(self, client: int, name: str, arguments: list[object]) -> Told:
        """What a command causes; `name` is `WrongArguments` for a command with a wrong number of arguments."""
        if self.over:
            return []
        if not self.started:
            return self._register(client, name, arguments)
        player = next((at for at, (other, _) in enumerate(self.players) if other == client), None)
        if player is None:
            late = name in ("Register", "StartGame")
            return [(client, "CommandFailed", ["The game has already started."])] if late else []
        return self._choose(client, player, name, arguments)

    def time_up(self) -> Told:
        return self._abort() if not self.started else []

    def _all(self, name: str, *arguments: object) -> Told:
        return [(client, name, list(arguments)) for client, _ in self.players]

    def _abort(self) -> Told:
        self.over = True
        return self._all("RegistrationAborted")

    def _register(self, client: int, name: str, arguments: list[object]) -> Told:
        is_player = any(other == client for other, _ in self.players)
        match name:
            case "Register" if is_player:
                return [(client, "CommandFailed", ["You are registered already."])]
            case "Register":
                self.players.append((client, str(arguments[0])))
                told: Told = [(client, "Config", [self.text])]
                full = len(self.players) == self.scenario["maxPlayers"]
                return told + self._start() if full else told
            case "StartGame" if is_player:
                return self._start()
            case "StartGame":
                return [(client, "CommandFailed", ["Only a registered client can start the game."])]
            case _:
                return self._abort()

    def _start(self) -> Told:
        self.started = True
        told = self._all("GameStarted")
        for player, (_, name) in enumerate(self.players):
            told += self._all("Player", player, name)
        return told + self._offer()

    def _offer(self) -> Told:
        self.random.shuffle(self.unused)
        self.offered, self.unused = self.unused[:4], self.unused[4:]
        return [(self.players[self.chosen][0], "Characters", list(self.offered))]

    def _choose(self, client: int, player: int, name: str, arguments: list[object]) -> Told:
        if self.chosen == len(self.players):
            return []
        choice = [one for one in arguments if one in self.offered]
        if player != self.chosen or name != "SelectCharacters" or len(set(choice)) != 2:
            return [(client, "CommandFailed", ["This cannot be chosen now."])]
        told: Told = []
        for character in sorted(self.offered):
            if character in choice:
                told += self._all("CharacterSpawned", player, character)
        self.unused += [character for character in self.offered if character not in choice]
        for _ in range(5):
            told += self._all("CardDrawn", player, self.start_cards.pop(0))
        self.chosen += 1
        return told + self._offer() if self.chosen < len(self.players) else told

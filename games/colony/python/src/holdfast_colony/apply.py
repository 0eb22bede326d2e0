"""How events change the board."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from . import effects, events, scenario
from .pieces import Entrance, Life, Outcome, Phase, Player, Survivor, Worn
from .scenario import CardKind
from .values import Edition

if TYPE_CHECKING:
    from .board import Board


def apply(board: Board, event: events.Event) -> None:
    match event:
        case events.Registered(name=name):
            board.players.append(Player(name))
        case events.RegistrationAborted():
            _end(board, Outcome.ABORTED)
        case events.GameStarted():
            board.phase, board.player = Phase.PREPARATION, None
        case events.ChoiceOffered(player):
            board.phase, board.player = Phase.PREPARATION, player
        case events.CharacterSpawned(player, character):
            _spawn(board, player, character)
        case events.CardDrawn(player, card):
            _draw(board, player, card)

        case events.NextRound():
            board.round += 1
            board.phase, board.player = Phase.TURNS, None
            # The remaining start cards can no longer be drawn.
            board.places[board.scenario.colony].cards = 0
        case events.Crisis(crisis):
            board.crisis = crisis if crisis in board.scenario.crises else None
            board.contributed = 0
        case events.DieRolled(player, value):
            if owner := _player(board, player):
                owner.dice = sorted([*owner.dice, value])
        case events.DieSpent(player, value):
            if owner := _player(board, player):
                _remove(owner.dice, value)
        case events.TurnBegan(player):
            board.phase, board.player = Phase.TURNS, player
        case events.TurnEnded(player):
            _end_turn(board, player)
        case events.ColonyPhaseStarted():
            board.phase, board.player = Phase.COLONY, None

        case events.Moved(character, location, fuel):
            _move(board, character, location, fuel)
        case events.ZombieKilled(_, location, at):
            if entrance := _entrance(board, location, at):
                entrance.zombies = max(0, entrance.zombies - 1)
        case events.ZombieSpawned(location, at):
            if entrance := _entrance(board, location, at):
                entrance.zombies += min(1, entrance.free)
        case events.Barricaded(_, location, at):
            if entrance := _entrance(board, location, at):
                entrance.barricades += min(1, entrance.free)
        case events.BarricadeDestroyed(location, at):
            if entrance := _entrance(board, location, at):
                entrance.barricades = max(0, entrance.barricades - 1)
        case events.WasteChanged(amount):
            before = 0 if board.edition is Edition.GROUP else board.waste
            board.waste = max(0, before + amount)
        case events.Contributed(player, card):
            board.contributed += 1
            if owner := _player(board, player):
                _remove(owner.hand, card)
        case events.CardUsed(card, character, target):
            _use_card(board, card, character, target)
        case events.AbilityUsed(character, target):
            _use_ability(board, character, target)
        case events.EffectUsed(character, effect):
            _use_effect(board, character, effect)

        case events.FoodChanged(amount):
            board.food += amount
        case events.MoralChanged(amount):
            board.morale += amount
        case events.StarvationTokenAdded():
            board.starvation_tokens += 1
        case events.ChildSpawned():
            board.children += 1
        case events.ChildKilled() | events.Bitten(None):
            board.children = max(0, board.children - 1)
        case events.Wounded(character):
            if survivor := board.survivors.get(character):
                survivor.wounds += 1
        case events.Frostbitten(character):
            if survivor := board.survivors.get(character):
                survivor.frostbites += 1
        case events.SurvivorKilled(character):
            _bury(board, character)
        case events.Bitten(bitten):
            if bitten is not None:
                _bury(board, bitten)

        case events.Crossroad(card):
            fate = (board.scenario.fates or {}).get(card)
            board.crossroad = None if fate is None else card
            _choose(board, None if fate is None else fate.consequence)
        case events.VoteAsked(player):
            board.vote = player
        case events.VoteResult(answer):
            board.vote = None
            if board.choice is not None:
                _choose(board, board.choice.first if answer else board.choice.second)
        case events.Left(player):
            if owner := _player(board, player):
                owner.present, owner.hand, owner.dice = False, [], []
            if not any(player.present for player in board.players):
                _end(board, Outcome.ABANDONED)
        case events.GameEnd(win):
            lost = Outcome.LOST_MORALE if board.morale <= 0 else Outcome.LOST_GOAL
            _end(board, Outcome.WON if win else lost)

        # Sent to one client only, or known from another event already.
        case events.Config() | events.ActNow() | events.Characters() | events.CommandFailed() | events.VoteNow():
            pass
        case events.Player() | events.Searched():
            pass
        case _:
            assert_never(event)


def _end(board: Board, outcome: Outcome) -> None:
    board.phase, board.player, board.outcome = Phase.OVER, None, outcome
    board.vote = board.choice = None


def _choose(board: Board, consequence: scenario.Consequence | None) -> None:
    """Keeps a consequence that is a choice, and forgets any other."""
    board.choice = consequence if isinstance(consequence, scenario.Choice) else None


def _spawn(board: Board, player: int, character: int) -> None:
    survivor, owner = board.survivors.get(character), _player(board, player)
    if survivor is None or owner is None or survivor.life is not Life.UNUSED:
        return
    survivor.life, survivor.owner, survivor.location = Life.ALIVE, player, board.scenario.colony
    owner.survivors.append(character)


def _bury(board: Board, character: int) -> None:
    survivor = board.survivors.get(character)
    if survivor is None or survivor.life is not Life.ALIVE or survivor.owner is None:
        return
    survivor.life, survivor.worn = Life.DEAD, []
    owner = board.players[survivor.owner]
    _remove(owner.survivors, character)
    if not owner.survivors:
        owner.hand = []


def _draw(board: Board, player: int, number: int) -> None:
    card, owner = board.scenario.cards.get(number), _player(board, player)
    if card is None:
        return
    if card.home is not None:
        stack = board.places[card.home]
        stack.cards = max(0, stack.cards - 1)
    if owner is not None:
        owner.hand.append(number)


def _end_turn(board: Board, player: int) -> None:
    board.phase, board.player = Phase.TURNS, None
    owner = _player(board, player)
    if owner is None:
        return
    owner.dice, owner.disposed = [], False
    for own in owner.survivors:
        survivor = board.survivors[own]
        survivor.moved, survivor.uses = False, 0
        for worn in survivor.worn:
            worn.used = False


def _move(board: Board, character: int, location: int, fuel: bool | None) -> None:
    survivor = board.survivors.get(character)
    if fuel and survivor is not None and survivor.owner is not None:
        card = board.fuel(survivor.owner)
        if card is not None:
            _remove(board.players[survivor.owner].hand, card)
    _relocate(board, character, location)


def _relocate(board: Board, character: int, location: int) -> None:
    survivor = board.survivors.get(character)
    if survivor is not None and location in board.places and survivor.life is Life.ALIVE:
        survivor.location, survivor.moved = location, True


def _use_card(board: Board, card: int, character: int | None, target: int | None) -> None:
    if card not in board.scenario.cards:
        return
    kind = board.card_kind(card)
    for player in board.players:
        if card in player.hand:
            _remove(player.hand, card)
            # Its lowest die is rolled again.
            if kind is CardKind.STUFF:
                del player.dice[:1]
    if character is None or target is None:
        return
    match kind:
        case CardKind.MEDICINE:
            _heal(board, target)
        case CardKind.LOCK:
            _barricade(board, character, target, 1)
        case CardKind.FUEL:
            _relocate(board, character, target)
        case CardKind.HAMMER | CardKind.COLT | CardKind.SNOW_BOOTS | CardKind.SWAB | CardKind.BLUEPRINT:
            if wearer := board.survivors.get(target):
                wearer.worn.append(Worn(card))
        case CardKind.FOOD | CardKind.STUFF | CardKind.SCISSORS:
            pass
        case _:
            assert_never(kind)


def _use_ability(board: Board, character: int, target: int | None) -> None:
    if character not in board.survivors:
        return
    board.survivors[character].uses += 1
    match board.character(character).ability:
        case scenario.Feed(food):
            board.food += food
        case scenario.Heal():
            if target is not None:
                _heal(board, target)
        case scenario.Barricade(barricades):
            if target is not None:
                _barricade(board, character, target, barricades)
        case scenario.Kill() | scenario.Wound() | scenario.NoInfection() | scenario.Search() | scenario.Trash():
            pass
        case other:
            assert_never(other)


def _use_effect(board: Board, character: int, effect: effects.Effect) -> None:
    survivor = board.survivors.get(character)
    if survivor is None:
        return
    match effect:
        case effects.Ability():
            survivor.uses += 1
        case effects.Equipment(card):
            worn = next((worn for worn in survivor.worn if worn.card == card), None)
            if worn is not None:
                worn.used = True
        case effects.Disposal():
            if survivor.owner is not None:
                board.players[survivor.owner].disposed = True
        case _:
            assert_never(effect)


def _heal(board: Board, character: int) -> None:
    """Heals one injury, a frostbite first."""
    survivor: Survivor | None = board.survivors.get(character)
    if survivor is None:
        return
    if survivor.frostbites > 0:
        survivor.frostbites -= 1
    else:
        survivor.wounds = max(0, survivor.wounds - 1)


def _barricade(board: Board, character: int, at: int, most: int) -> None:
    survivor = board.survivors.get(character)
    entrance = None if survivor is None else _entrance(board, survivor.location, at)
    if entrance is not None:
        entrance.barricades += min(entrance.free, most)


def _entrance(board: Board, location: int, at: int) -> Entrance | None:
    place = board.places.get(location)
    if place is None or not 0 <= at < len(place.entrances):
        return None
    return place.entrances[at]


def _player(board: Board, player: int) -> Player | None:
    return board.players[player] if 0 <= player < len(board.players) else None


def _remove(numbers: list[int], number: int) -> None:
    if number in numbers:
        numbers.remove(number)

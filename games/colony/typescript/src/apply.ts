// How events change the board.

import { Player, type Board, type Entrance } from "./board.js";
import type { Effect, Event } from "./messages.js";
import type { Consequence } from "./scenario.js";

/** A function for each kind of event: the compiler finds a kind that is missing. */
type Handlers = { [K in Kind]: (board: Board, fields: Fields<K>) => void };
type Kind = Event extends infer M ? (M extends unknown ? keyof M : never) : never;
type Fields<K extends Kind> = Extract<Event, Record<K, unknown>> extends Record<K, infer F> ? F : never;

export function apply(board: Board, event: Event): void {
  const [kind, fields] = Object.entries(event)[0] ?? [];
  // A later server may have further kinds of events.
  if (kind !== undefined && Object.hasOwn(HANDLERS, kind)) HANDLERS[kind as Kind](board, fields as never);
}

/** Events for one client only, and those that are known from another event already. */
const nothing = () => {};

const HANDLERS: Handlers = {
  Config: nothing,
  ActNow: nothing,
  Characters: nothing,
  CommandFailed: nothing,
  VoteNow: nothing,
  Player: nothing,
  Searched: nothing,

  Registered: (board, { name }) => void board.players.push(new Player(name)),
  RegistrationAborted: (board) => end(board, "aborted during registration"),
  GameStarted: (board) => enter(board, "preparation", null),
  ChoiceOffered: (board, { player }) => enter(board, "preparation", player),
  CharacterSpawned: (board, { player, character }) => {
    const survivor = board.survivors.get(character);
    const owner = board.players[player];
    if (!survivor || !owner || survivor.life !== "unused") return;
    Object.assign(survivor, { life: "alive", owner: player, location: board.scenario.colony });
    owner.survivors.push(character);
  },
  CardDrawn: (board, { player, card }) => {
    const known = board.scenario.cards.get(card);
    if (!known) return;
    const stack = known.home === null ? undefined : board.places.get(known.home);
    if (stack) stack.cards = Math.max(0, stack.cards - 1);
    board.players[player]?.hand.push(card);
  },

  NextRound: (board) => {
    board.round += 1;
    enter(board, "turns", null);
    // The remaining start cards can no longer be drawn.
    board.places.get(board.scenario.colony)!.cards = 0;
  },
  Crisis: (board, { crisis }) => {
    board.crisis = board.scenario.crises.has(crisis) ? crisis : null;
    board.contributed = 0;
  },
  DieRolled: (board, { player, value }) => {
    board.players[player]?.dice.push(value);
    board.players[player]?.dice.sort((one, other) => one - other);
  },
  DieSpent: (board, { player, value }) => remove(board.players[player]?.dice, value),
  TurnBegan: (board, { player }) => enter(board, "turns", player),
  TurnEnded: (board, { player }) => {
    enter(board, "turns", null);
    const owner = board.players[player];
    if (!owner) return;
    Object.assign(owner, { dice: [], disposed: false });
    for (const own of owner.survivors) {
      const survivor = board.survivors.get(own);
      if (!survivor) continue;
      Object.assign(survivor, { moved: false, uses: 0 });
      for (const worn of survivor.worn) worn.used = false;
    }
  },
  ColonyPhaseStarted: (board) => enter(board, "colony", null),

  Moved: (board, { character, location, fuel }) => {
    const owner = board.survivors.get(character)?.owner ?? null;
    if (fuel && owner !== null) {
      const card = board.fuel(owner);
      if (card !== null) remove(board.players[owner]?.hand, card);
    }
    relocate(board, character, location);
  },
  ZombieKilled: (board, { location, entrance }) => at(board, location, entrance, (it) => (it.zombies = Math.max(0, it.zombies - 1))),
  ZombieSpawned: (board, { location, entrance }) => at(board, location, entrance, (it) => (it.zombies += Math.min(1, it.free))),
  Barricaded: (board, { location, entrance }) => at(board, location, entrance, (it) => (it.barricades += Math.min(1, it.free))),
  BarricadeDestroyed: (board, { location, entrance }) =>
    at(board, location, entrance, (it) => (it.barricades = Math.max(0, it.barricades - 1))),
  WasteChanged: (board, { amount }) => {
    board.waste = Math.max(0, (board.edition === "group" ? 0 : board.waste) + amount);
  },
  Contributed: (board, { player, card }) => {
    board.contributed += 1;
    remove(board.players[player]?.hand, card);
  },
  CardUsed: (board, { card, character = null, target = null }) => useCard(board, card, character, target),
  AbilityUsed: (board, { character, target = null }) => useAbility(board, character, target),
  EffectUsed: (board, { character, effect }) => useEffect(board, character, effect),

  FoodChanged: (board, { amount }) => void (board.food += amount),
  MoralChanged: (board, { amount }) => void (board.morale += amount),
  StarvationTokenAdded: (board) => void (board.starvationTokens += 1),
  ChildSpawned: (board) => void (board.children += 1),
  ChildKilled: (board) => loseChild(board),
  Wounded: (board, { character }) => {
    const survivor = board.survivors.get(character);
    if (survivor) survivor.wounds += 1;
  },
  Frostbitten: (board, { character }) => {
    const survivor = board.survivors.get(character);
    if (survivor) survivor.frostbites += 1;
  },
  SurvivorKilled: (board, { character }) => bury(board, character),
  Bitten: (board, { character = null }) => (character === null ? loseChild(board) : bury(board, character)),

  Crossroad: (board, { fate: card }) => {
    const fate = board.scenario.fates?.get(card);
    board.crossroad = fate ? card : null;
    choose(board, fate?.consequence);
  },
  VoteAsked: (board, { player }) => void (board.vote = player),
  VoteResult: (board, { answer }) => {
    board.vote = null;
    if (board.choice) choose(board, board.choice.choice[answer ? "consequence1" : "consequence2"]);
  },
  Left: (board, { player }) => {
    const owner = board.players[player];
    if (owner) Object.assign(owner, { present: false, hand: [], dice: [] });
    if (!board.players.some(({ present }) => present)) end(board, "abandoned: nobody was left to play");
  },
  GameEnd: (board, { win }) => {
    const lost = board.morale <= 0 ? "lost: the morale fell to 0" : "lost: the goal was not reached in the last round";
    end(board, win ? "won" : lost);
  },
};

function enter(board: Board, phase: Board["phase"], player: number | null): void {
  Object.assign(board, { phase, player });
}

function end(board: Board, outcome: Board["outcome"]): void {
  enter(board, "over", null);
  Object.assign(board, { outcome, vote: null, choice: null });
}

/** Keeps a consequence that is a choice, and forgets any other. */
function choose(board: Board, consequence: Consequence | undefined): void {
  board.choice = consequence && "choice" in consequence ? consequence : null;
}

function loseChild(board: Board): void {
  board.children = Math.max(0, board.children - 1);
}

function bury(board: Board, character: number): void {
  const survivor = board.survivors.get(character);
  if (!survivor || survivor.life !== "alive" || survivor.owner === null) return;
  Object.assign(survivor, { life: "dead", worn: [] });
  const owner = board.players[survivor.owner];
  remove(owner?.survivors, character);
  if (owner && !owner.survivors.length) owner.hand = [];
}

function relocate(board: Board, character: number, location: number): void {
  const survivor = board.survivors.get(character);
  if (survivor?.life === "alive" && board.places.has(location)) Object.assign(survivor, { location, moved: true });
}

function useCard(board: Board, card: number, character: number | null, target: number | null): void {
  const kind = board.cardKind(card);
  if (kind === undefined) return;
  for (const player of board.players.filter(({ hand }) => hand.includes(card))) {
    remove(player.hand, card);
    // Its lowest die is rolled again.
    if (kind === "stuff") player.dice.shift();
  }
  if (character === null || target === null) return;
  switch (kind) {
    case "medicine":
      return heal(board, target);
    case "lock":
      return barricade(board, character, target, 1);
    case "fuel":
      return relocate(board, character, target);
    case "hammer":
    case "colt":
    case "snow_boots":
    case "swab":
    case "blueprint":
      return void board.survivors.get(target)?.worn.push({ card, used: false });
    case "food":
    case "stuff":
    case "scissors":
      return;
  }
}

function useAbility(board: Board, character: number, target: number | null): void {
  const survivor = board.survivors.get(character);
  const ability = board.character(character)?.ability;
  if (!survivor || !ability) return;
  survivor.uses += 1;
  // What other abilities do is told by events of its own.
  if ("feed" in ability) board.food += ability.feed.numFood;
  else if ("heal" in ability && target !== null) heal(board, target);
  else if ("barricade" in ability && target !== null) barricade(board, character, target, ability.barricade.numBarricades);
}

function useEffect(board: Board, character: number, effect: Effect): void {
  const survivor = board.survivors.get(character);
  if (!survivor) return;
  if (effect === "Ability") {
    survivor.uses += 1;
  } else if (effect === "Disposal") {
    const owner = survivor.owner === null ? undefined : board.players[survivor.owner];
    if (owner) owner.disposed = true;
  } else {
    const worn = survivor.worn.find(({ card }) => card === effect.Equipment);
    if (worn) worn.used = true;
  }
}

/** Heals one injury, a frostbite first. */
function heal(board: Board, character: number): void {
  const survivor = board.survivors.get(character);
  if (!survivor) return;
  if (survivor.frostbites > 0) survivor.frostbites -= 1;
  else survivor.wounds = Math.max(0, survivor.wounds - 1);
}

function barricade(board: Board, character: number, entrance: number, most: number): void {
  const survivor = board.survivors.get(character);
  if (survivor) at(board, survivor.location, entrance, (it) => (it.barricades += Math.min(it.free, most)));
}

function at(board: Board, location: number, entrance: number, change: (entrance: Entrance) => void): void {
  const found = board.places.get(location)?.entrances[entrance];
  if (found) change(found);
}

function remove(numbers: number[] | undefined, number: number): void {
  const index = numbers?.indexOf(number) ?? -1;
  if (index >= 0) numbers?.splice(index, 1);
}

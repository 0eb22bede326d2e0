// The board that the client folds is the server's, after every event.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { holdfast, installed, starter, withHost } from "../../../../clients/typescript/tests/support.mjs";

const { Board, View, parseScenario } = await installed("holdfast-colony");
const { Client, create, resume, watch } = await installed("holdfast-client");

/** Of each scenario. */
const GAMES = 12;

const text = (name) => readFileSync(new URL(`../../scenarios/${name}.json`, import.meta.url), "utf8");

/** A board in the shape of a chronicle's picture, which names everything by its place in the lists of the scenario. */
function picture(board) {
  const { scenario } = board;
  const index = (table, id) => (id === null ? null : [...table.keys()].indexOf(id));
  const words = (consequence) => {
    const [kind, body] = Object.entries(consequence)[0];
    const sign = (amount) => (amount < 0 ? `${amount}` : `+${amount}`);
    if (kind === "changeFood") return `food ${sign(body.amount)}`;
    if (kind === "changeMoral") return `morale ${sign(body.amount)}`;
    if (kind === "spawnSurvivors") return `${body.amount} new survivors${body.children ? " and children" : ""}`;
    if (kind === "choice") return `a vote between yes (${words(body.consequence1)}) and no (${words(body.consequence2)})`;
    const where = body.locationId === undefined ? "everywhere" : `at ${scenario.locations.get(body.locationId).name}`;
    return `${body.amount} zombies ${where}`;
  };
  return {
    phase: board.phase,
    round: board.round,
    player: board.player,
    outcome: board.outcome,
    morale: board.morale,
    food: board.food,
    starvation: board.starvationTokens,
    waste: board.waste,
    children: board.children,
    crisis: index(scenario.crises, board.crisis),
    contributed: board.contributed,
    places: [...board.places.values()].map(({ cards, entrances }) => ({
      cards,
      entrances: entrances.map(({ zombies, barricades }) => ({ zombies, barricades })),
    })),
    characters: [...board.survivors.values()].map((survivor) => ({
      life: survivor.life,
      owner: survivor.owner,
      place: index(scenario.locations, survivor.location),
      wounds: survivor.wounds,
      frostbites: survivor.frostbites,
      moved: survivor.moved,
      uses: survivor.uses,
      worn: survivor.worn.map(({ card, used }) => ({ card: index(scenario.cards, card), used })),
    })),
    players: board.players.map(({ name, present, survivors, hand, dice }) => ({
      name,
      present,
      characters: survivors.map((character) => index(scenario.characters, character)),
      hand: hand.map((card) => index(scenario.cards, card)),
      dice,
    })),
    vote: board.vote,
    crossroad: scenario.fates ? index(scenario.fates, board.crossroad) : null,
    choice: board.choice && words(board.choice),
  };
}

/** The names of each event's fields, in the order of the chronicle. */
const { rulebooks } = JSON.parse(readFileSync(new URL("../../../../docs/protocol.json", import.meta.url), "utf8"));
const EVENTS = new Map(rulebooks.colony.types.Event.enum.map(({ name, fields = [], audience }) => [name, { fields, audience }]));

function put(value, pointer, changed) {
  const path = pointer.split("/").slice(1).map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  const last = path.pop();
  path.reduce((inner, part) => inner[part], value)[last] = changed;
}

/** Folds the public events of a chronicle, and compares with the server's picture after each. Adds the kinds to `kinds`. */
function compare(chronicle, board, kinds) {
  let server = null;
  for (const { checkpoint, entry } of chronicle) {
    server ??= checkpoint?.picture;
    for (const { step, patch, event: [kind, ...values] } of entry?.events ?? []) {
      if (step === null) continue;
      for (const [pointer, , changed] of patch) put(server, pointer, changed);
      const names = EVENTS.get(kind).fields.map(({ name }) => name);
      board.apply({ [kind]: Object.fromEntries(names.map((name, index) => [name, values[index]])) });
      // What a client cannot know, and what is only for plots.
      const { hidden: _, figures: __, ...known } = server;
      assert.deepEqual(picture(board), known, `after ${kind} ${values}`);
      kinds.add(kind);
    }
  }
  assert.notEqual(board.outcome, null);
}

test("the board is the server's after every event", async () => {
  const kinds = new Set();
  for (const [number, scenario] of ["first-night", "winter", "crossroads"].entries()) {
    await withHost(async (host) => {
      const load = ["load", "--connect", host.address, "--scenario", scenario, "--players", number ? "3" : "2", "--games", "4"];
      for (let seed = 1_000_000 * number; host.finished().length < GAMES; seed += 10_000) {
        for (const bots of ["random", "sensible"]) holdfast(...load, "--bots", bots, "--seconds", "1", "--seed", `${seed}`);
      }
      const games = host.finished();
      const every = Math.floor(games.length / GAMES);
      for (const game of games.filter((_, index) => index % every === 0).slice(0, GAMES)) {
        compare(host.chronicle(game), new Board(parseScenario(text(scenario))), kinds);
      }
    });
  }
  const isPublic = ({ audience }) => !audience.includes("only");
  const never = [...EVENTS].filter(([kind, event]) => isPublic(event) && !kinds.has(kind)).map(([kind]) => kind);
  // Bots register, stay to the end and play. Some rare events are not in so few games.
  const rare = ["RegistrationAborted", "Left", "ChildKilled", "EffectUsed", "Bitten", "BarricadeDestroyed", "AbilityUsed"];
  assert.deepEqual(never.filter((kind) => !rare.includes(kind)), []);
});

test("a view is what a client was told, and is there again after a resume", () =>
  withHost(async (host) => {
    const view = new View();
    const ana = await Client.open(host.address, create("first-night", { seed: 3 }), { fold: view });
    assert.throws(() => view.board, /only registered players/);
    await ana.play({ Register: { name: "Ana" } });
    assert.equal(view.me.name, "Ana");
    await ana.play({ StartGame: {} });
    assert.equal(view.asked, "characters");
    await ana.play({ SelectCharacters: { first: view.offered[0], second: view.offered[0] } });
    assert.ok(view.refused && view.asked === "characters");
    await ana.play({ SelectCharacters: { first: view.offered[0], second: view.offered[1] } });
    assert.equal(view.me.survivors.length, 2);
    assert.deepEqual([view.refused, view.asked], [null, "act"]);

    const again = new View();
    const resumed = await Client.open(host.address, resume(ana.game, ana.token), { fold: again });
    await resumed.ping();
    assert.deepEqual(picture(again.board), picture(view.board));
    assert.deepEqual([again.player, again.asked], [view.player, view.asked]);

    const looking = new View();
    const spectator = await Client.open(host.address, watch(ana.game), { fold: looking });
    await spectator.ping();
    assert.deepEqual(picture(looking.board), picture(view.board));
    await resumed.play({ Leave: {} });
    while (await spectator.next());
    assert.equal(looking.board.outcome, "abandoned: nobody was left to play");
  }));

test("the board of another game is refused", () => {
  assert.throws(() => new View().welcome({ rulebook: "chess", edition: "blitz" }), /no board/);
  assert.throws(() => parseScenario("{}"), /this is no scenario/);
  assert.deepEqual(parseScenario(`\ufeff${text("winter")}`), parseScenario(text("winter")));
});

test("the starter plays", () =>
  withHost(async (host) => {
    const said = starter("colony-bot.js", "--connect", host.address, "--new", "winter", "--games", "3", "--seed", "7", "--name", "Bo");
    assert.equal(said.match(/^Bo plays /gm).length, 3);
    assert.equal(said.match(/^The game is over: /gm).length, 3);
    assert.equal(host.finished().length, 3);
  }));

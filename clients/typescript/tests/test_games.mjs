// Games on a real host, of whichever rulebooks of the common wire it has.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { DESCRIPTION } from "../generate.mjs";
import { installed, starter, withHost } from "./support.mjs";

const { Client, create, join, randomCommand, resume, seededRandom, watch } = await installed("holdfast-client");

/** A scenario of each rulebook that is played with offers, if the project has it. */
const SCENARIOS = { crazyhouse: "standard", colony: "first-night" };
const { rulebooks } = JSON.parse(readFileSync(DESCRIPTION, "utf8"));
const RULEBOOKS = Object.keys(SCENARIOS).filter((name) => name in rulebooks);

async function play(client, name, seed, kill = async () => {}) {
  const random = seededRandom(seed);
  let turns = 0;
  for await (const offers of client.turns()) {
    const command = randomCommand(offers, name, random);
    if (command !== null) client.send(command);
    await kill((turns += 1));
  }
  return turns;
}

async function seats(address, rulebook) {
  const ana = await Client.open(address, create(SCENARIOS[rulebook], { rulebook, seed: 11 }));
  return [ana, await Client.open(address, join(ana.game))];
}

for (const rulebook of RULEBOOKS) {
  test(`${rulebook}: two clients play by offers, a third watches`, () =>
    withHost(async ({ address }) => {
      const clients = await seats(address, rulebook);
      const watching = await Client.open(address, watch(clients[0].game));
      assert.deepEqual((await Client.games(address)).map(({ rulebook: played }) => played), [rulebook]);
      await Promise.all(clients.map((client, seat) => play(client, `player ${seat}`, seat)));
      for await (const { number } of watching) assert.equal(number, watching.seen);
      for (const client of [...clients, watching]) assert.match(client.farewell, /^The game is over: /);
      assert.ok(watching.seen > 20 && watching.scenario, `${watching.seen}`);
      // A program that has only the token hears the same again.
      const again = await Client.open(address, resume(clients[0].game, clients[0].token));
      let heard = 0;
      for await (const _ of again) heard += 1;
      assert.equal(heard, clients[0].seen);
    }));

  test(`${rulebook}: the host is killed in the middle, twice`, () =>
    withHost(async (host) => {
      const clients = await seats(host.address, rulebook);
      const kill = async (turn) => {
        if (turn !== 3 && turn !== 6) return;
        await host.kill();
        await host.run();
      };
      const [turns] = await Promise.all(clients.map((client, seat) => play(client, `player ${seat}`, seat, seat ? undefined : kill)));
      assert.ok(turns > 6, `${turns}`);
      assert.equal(clients[0].resumed, 2);
      // The other one may try to reconnect during both kills.
      assert.ok(clients[1].resumed > 0);
      assert.deepEqual(host.finished(), [clients[0].game]);
    }));

  test(`${rulebook}: the starter plays several games`, () =>
    withHost(async (host) => {
      const played = (...args) => starter("bot.js", "--connect", host.address, "--rulebook", rulebook, "--new", SCENARIOS[rulebook], "--count", "2", ...args);
      const said = played("--games", "2", "--seed", "5", "--name", "Bo");
      assert.equal(said.match(/^Bo \d plays /gm).length, 4);
      assert.equal(said.match(/^The game is over: /gm).length, 2);
      assert.equal(host.finished().length, 2);
    }));
}

test("there are rulebooks to play", () => assert.ok(RULEBOOKS.length > 0));

test("a place is had once, and a stranger has no token", () =>
  withHost(async ({ address }) => {
    const rulebook = RULEBOOKS[0];
    const ana = await Client.open(address, create(SCENARIOS[rulebook], { rulebook }));
    const again = await Client.open(address, resume(ana.game, ana.token));
    await assert.rejects(ana.next(), { name: "Closed", reason: "replaced" });
    again.close();
    await assert.rejects(Client.open(address, resume(ana.game, "0".repeat(32))), { name: "Refused", reason: "unknown_token" });
    await assert.rejects(Client.open(address, join("nothing")), { name: "Refused", reason: "unknown_game" });
    await assert.rejects(Client.open(address, create("nothing")), { name: "Refused", reason: "bad_scenario" });
  }));

test("the same over a WebSocket", { skip: typeof WebSocket === "undefined" && "no WebSocket in this Node" }, () =>
  withHost(
    async ({ page }) => {
      const rulebook = RULEBOOKS[0];
      const ana = await Client.open(page, create(SCENARIOS[rulebook], { rulebook, seed: 11 }));
      const clients = [ana, await Client.open(page.replace("http:", "ws:"), join(ana.game))];
      await Promise.all(clients.map((client, seat) => play(client, `player ${seat}`, seat)));
      for (const client of clients) assert.match(client.farewell, /^The game is over: /);
      await assert.rejects(Client.open("http://127.0.0.1:1", join("x")), { name: "ConnectionLost" });
    },
    { http: true },
  ));

test("the starter says what is wrong", () => {
  for (const [words, status, args] of [
    [/either --new/, 2, ["--new", "x", "--game", "y"]],
    [/Unknown option/, 2, ["--fast"]],
    [/--games needs a number/, 2, ["--new", "x", "--games", "many"]],
    [/no connection to 127.0.0.1:1/, 1, ["--new", "x", "--connect", "127.0.0.1:1"]],
  ]) {
    assert.throws(() => starter("bot.js", ...args), (error) => error.status === status && words.test(error.stderr), String(words));
  }
});

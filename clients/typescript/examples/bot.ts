// A bot to start from, for every game: node out/bot.js --rulebook crazyhouse --new blitz --count 2

import process from "node:process";
import { parseArgs } from "node:util";

import { Client, HoldfastError, create, join, randomCommand, seededRandom, type Entry, type Offers } from "holdfast-client";

const USAGE = `bot.js --new SCENARIO [--rulebook NAME] | [--game ID]   [--connect ADDRESS] [--name NAME] [--count BOTS] [--games COUNT] [--seed SEED]`;

/** What to do now, of what is possible; null waits. Change this! */
function decide(offers: Offers, name: string, random: () => number): unknown {
  return randomCommand(offers, name, random);
}

/** Plays one seat to the end of the game. */
async function play(client: Client, name: string, random: () => number): Promise<void> {
  for await (const offers of client.turns()) {
    const command = decide(offers, name, random);
    if (command !== null) client.send(command);
  }
}

const TEXT = { type: "string" } as const;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { connect: TEXT, rulebook: TEXT, new: TEXT, game: TEXT, name: TEXT, count: TEXT, games: TEXT, seed: TEXT },
  });
  const { connect = "127.0.0.1:7700", rulebook, new: scenario, game, name = "TypeScript" } = values;
  const whole = (option: string, without: number, least: number) => {
    const number = values[option] === undefined ? without : Number(values[option]);
    if (!Number.isSafeInteger(number) || number < least) throw new TypeError(`--${option} needs a number`);
    return number;
  };
  const [count, games] = [whole("count", 1, 1), whole("games", 1, 1)];
  const seed = values["seed"] === undefined ? null : whole("seed", 0, Number.MIN_SAFE_INTEGER);
  if (scenario !== undefined && game !== undefined) throw new TypeError("either --new creates games or --game joins one");
  if (scenario === undefined && games > 1) throw new TypeError("--games needs --new");

  for (let number = 0; number < games; number += 1) {
    const gameSeed = seed === null ? null : seed + number;
    let entry: Entry = scenario === undefined ? join(game) : create(scenario, { rulebook, seed: gameSeed });
    const clients: Client[] = [];
    const playing: Promise<void>[] = [];
    for (let seat = 1; seat <= count; seat += 1) {
      const client = await Client.open(connect, entry);
      const own = count === 1 ? name : `${name} ${seat}`;
      console.log(`${own} plays ${client.game}`);
      entry = join(client.game);
      clients.push(client);
      playing.push(play(client, own, gameSeed === null ? Math.random : seededRandom(31 * gameSeed + seat)));
    }
    await Promise.all(playing);
    console.log(clients[0]?.farewell);
  }
}

main().catch((error: Error) => {
  if (error instanceof HoldfastError) console.error(error.message);
  else console.error(error instanceof TypeError ? `${error.message}\n${USAGE}` : error);
  process.exitCode = error instanceof TypeError ? 2 : 1;
});

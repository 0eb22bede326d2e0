// A bot to start from that knows the board of colony: node out/colony-bot.js --new winter --name Ana

import process from "node:process";
import { parseArgs } from "node:util";

import { Client, HoldfastError, create, join, type Entry } from "holdfast-client";
import { View, type Command, type Event } from "holdfast-colony";

/** What to do now. Change this! What is refused is asked again: then `view.refused` says why. */
function decide(view: View): Command {
  const { board, me } = view;
  if (view.asked === "vote") return { Vote: { answer: true } };
  if (view.asked === "characters") {
    const search = (character: number) => board.character(character)?.search ?? 0;
    const [first = 0, second = 0] = [...view.offered].sort((one, other) => search(one) - search(other));
    return { SelectCharacters: { first, second } };
  }
  if (view.refused) return { EndTurn: {} };
  const food = me.hand.find((card) => board.cardKind(card) === "food");
  if (food !== undefined && board.food < board.mouths()) return { UseCard: { card: food } };
  for (const character of me.survivors) {
    const survivor = board.survivors.get(character);
    if (!survivor || me.smallestDie(board.character(character)?.search ?? 0) === null) continue;
    if (board.places.get(survivor.location)?.cards) return { Search: { character } };
    const worth = [...board.places].find(([place, { cards }]) => cards && !board.survivorsAt(place).length);
    if (worth && !survivor.moved) return { Move: { character, location: worth[0] } };
  }
  return { EndTurn: {} };
}

/** Plays one game to its end. With `players`, it starts the game when so many are there. */
async function play(address: string, entry: Entry, name: string, players: number): Promise<void> {
  const view = new View();
  const client = await Client.open<Command, Event>(address, entry, { fold: view });
  const told = await client.play({ Register: { name } });
  if (view.refused) throw new HoldfastError(told.at(-1)?.text ?? "the registration was refused");
  console.log(`${name} plays ${client.game}`);
  if (players > 0) {
    while (view.board.players.length < players && view.board.phase === "registration" && (await client.next()));
    // A game starts by itself when there is no room left.
    if (view.board.phase === "registration" && players < view.board.scenario.maxPlayers) client.send({ StartGame: {} });
  }
  while (!client.isOver) {
    // Waits for the answer to what was sent. A command that was lost with a connection is asked for again.
    await client.ping();
    while (view.asked === null && (await client.next()));
    if (!client.isOver) client.send(decide(view));
  }
  console.log(client.farewell);
}

const TEXT = { type: "string" } as const;

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { connect: TEXT, new: TEXT, game: TEXT, name: TEXT, players: TEXT, games: TEXT, seed: TEXT } });
  const { connect = "127.0.0.1:7700", new: scenario, game, name = "TypeScript" } = values;
  if ((scenario === undefined) === (game === undefined)) throw new TypeError("either --new SCENARIO creates games or --game ID joins one");
  const whole = (option: string, without: number) => {
    const number = Number(values[option] ?? without);
    if (!Number.isSafeInteger(number)) throw new TypeError(`--${option} needs a number`);
    return number;
  };
  if (game !== undefined) return play(connect, join(game), name, 0);
  for (let number = 0; number < whole("games", 1); number += 1) {
    const seed = values["seed"] === undefined ? null : whole("seed", 0) + number;
    await play(connect, create(scenario ?? "", { rulebook: "colony", seed }), name, whole("players", 1));
  }
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = error instanceof TypeError ? 2 : 1;
});

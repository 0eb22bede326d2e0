// Offers: what a client can do now, as the server tells it. docs/protocol.md describes them.

import { BadArgument, BadMessage } from "./errors.js";

/** A question, or what the game waits for, and the answers. */
export interface Offers<C = unknown> {
  title: string;
  offers: Offer<C>[];
}

/** A command, or another question. */
export interface Offer<C = unknown> {
  /** What a person reads. */
  label: string;
  /** Whether it stands beside the play: it starts, interrupts or gives up the game. */
  aside?: boolean;
  command?: C;
  /** The fields of the command to fill in first. */
  arguments?: Argument[];
  title?: string;
  offers?: Offer<C>[];
  /** Why the rules refuse it now. */
  impossible?: string;
  /** Whether it depends on facts that are hidden from this client. */
  uncertain?: boolean;
}

/** A field of a command that the client fills in. The command has an example of it. */
export interface Argument {
  field: string;
  label: string;
  range?: { least: number; most: number };
  /** A text with so many characters; `name` asks for the name of the player. */
  text?: { least: number; most: number; name?: boolean };
  free?: { about: string };
}

/** A command that may be sent. */
export interface Choice<C = unknown> {
  /** The labels of the questions that lead to it, and its own. */
  labels: string[];
  command: C;
  arguments: Argument[];
  aside: boolean;
  uncertain: boolean;
}

/** Reads the text of an answer. */
export function readOffers<C>(text: string): Offers<C> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new BadMessage("the server sends offers that are no JSON");
  }
  const { title, offers } = (value ?? {}) as Partial<Offers<C>>;
  if (typeof title !== "string" || !Array.isArray(offers)) throw new BadMessage("the server sends no offers");
  return { title, offers };
}

/** All commands that the rules may take now, in order. What stands beside the play is among them only if it is asked for. */
export function choices<C>(offers: Pick<Offers<C>, "offers">, options: { aside?: boolean } = {}): Choice<C>[] {
  const found: Choice<C>[] = [];
  const visit = (offer: Offer<C>, before: string[], isAside: boolean) => {
    const labels = [...before, offer.label];
    const aside = isAside || offer.aside === true;
    if (aside && !options.aside) return;
    for (const inner of offer.offers ?? []) visit(inner, labels, aside);
    if (offer.command !== undefined && offer.impossible === undefined) {
      found.push({ labels, command: offer.command, arguments: offer.arguments ?? [], aside, uncertain: offer.uncertain === true });
    }
  };
  for (const offer of offers.offers) visit(offer, [], false);
  return found;
}

/** The command of a choice, with these values of its arguments; the others keep the example. */
export function fill<C>({ command, arguments: wanted }: Choice<C>, values: Record<string, unknown>): C {
  for (const [field, value] of Object.entries(values)) {
    const argument = wanted.find((each) => each.field === field);
    if (!argument) throw new BadArgument(`the command has no argument ${JSON.stringify(field)}`);
    if (!allows(argument, value)) throw new BadArgument(`${argument.label}: ${JSON.stringify(value)} is not allowed`);
  }
  const [kind, fields] = Object.entries(command as Record<string, object>)[0] ?? [];
  if (kind === undefined || Object.keys(values).length === 0) return command;
  return { [kind]: { ...fields, ...values } } as C;
}

function allows({ range, text }: Argument, value: unknown): boolean {
  const isWithin = (number: number, { least, most }: { least: number; most: number }) => least <= number && number <= most;
  if (range) return Number.isInteger(value) && isWithin(value as number, range);
  if (text) return typeof value === "string" && isWithin([...value].length, text);
  return true;
}

/**
 * A random choice with random arguments; null if there is nothing to do. `random` gives numbers from 0 up to 1, as `Math.random`
 * does.
 */
export function randomCommand<C>(offers: Pick<Offers<C>, "offers">, name: string, random: () => number): C | null {
  const all = choices(offers);
  const choice = all[Math.floor(random() * all.length)];
  if (!choice) return null;
  const values: Record<string, unknown> = {};
  for (const { field, range, text } of choice.arguments) {
    if (range) values[field] = range.least + Math.floor(random() * (range.most - range.least + 1));
    else if (text?.name) values[field] = name;
  }
  return fill(choice, values);
}

/** Random numbers that are the same for the same seed (mulberry32). Not for secrets. */
export function seededRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

// Offers: what a client can do now, as the host tells it. Nothing here needs a browser.

/** @import { Offer, OfferArgument, Offers } from "./types.js" */

/** @typedef {Record<string, any>} Command */

/**
 * All offers that are commands, in order, without the questions that lead to them.
 * @param {Pick<Offers, "offers">} offers
 * @returns {Generator<Offer & { command: Command }>}
 */
export function* leaves({ offers }, aside = false) {
  for (const offer of offers) {
    const beside = aside || Boolean(offer.aside);
    if (offer.command) yield { ...offer, command: offer.command, ...(beside ? { aside: true } : {}) };
    else if (offer.offers) yield* leaves({ offers: offer.offers }, beside);
  }
}

/**
 * A command with the values of its arguments, in order.
 * @param {Command} command
 * @param {OfferArgument[]} fields
 * @param {unknown[]} values
 * @returns {Command}
 */
export function fill(command, fields, values) {
  const [kind, given] = Object.entries(command)[0];
  return { [kind]: { ...given, ...Object.fromEntries(fields.map(({ field }, at) => [field, values[at]])) } };
}

/**
 * The value of an argument as a person writes it. Throws where it is not allowed.
 * @param {OfferArgument} argument
 * @param {string} text
 * @returns {unknown}
 */
export function readValue({ label, range, text: limits }, text) {
  if (range) {
    const number = Number(text);
    if (text.trim() !== "" && Number.isInteger(number) && range.least <= number && number <= range.most) return number;
    throw new Error(`${label}: a whole number from ${range.least} to ${range.most}.`);
  }
  if (limits) {
    const length = [...text].length;
    if (limits.least <= length && length <= limits.most) return text;
    throw new Error(`${label}: a text of ${limits.least} to ${limits.most} characters.`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${label}: this is not JSON.`);
  }
}

/**
 * The command that takes a seat, if there is exactly one way to do so: an offer with the player's name as its only argument.
 * @param {Offers} offers
 * @param {string} name
 * @returns {Command | null}
 */
export function joining(offers, name) {
  const ways = [...leaves(offers)].filter((offer) => !offer.aside && !offer.impossible && offer.arguments?.some(({ text }) => text?.name));
  if (ways.length !== 1 || ways[0].arguments?.length !== 1) return null;
  return fill(ways[0].command, ways[0].arguments, [name]);
}

/**
 * The question that these answers lead to. Answers that no longer exist are left out.
 * @param {Offers} offers
 * @param {string[]} path labels
 * @returns {{ open: Offers, path: string[] }}
 */
export function follow(offers, path) {
  /** @type {Offers} */
  let open = { title: offers.title, offers: offers.offers };
  /** @type {string[]} */
  const taken = [];
  for (const label of path) {
    const next = open.offers.find((offer) => offer.label === label && offer.offers);
    if (!next?.offers) break;
    open = { title: next.title ?? "", offers: next.offers };
    taken.push(label);
  }
  return { open, path: taken };
}

/**
 * A command of the offers, with the places of the drawing that it is about, and the words that lead to it.
 * @typedef {{ offer: Offer & { command: Command }, targets: string[], words: string[] }} Targeted
 */

/**
 * The commands that are about places of the drawing.
 * @param {Offers} offers
 * @param {(command: Command) => string[] | null} targetsOf
 * @returns {Targeted[]}
 */
export function targeted(offers, targetsOf) {
  /** @type {Targeted[]} */
  const found = [];
  /** @type {(offers: Offer[], words: string[]) => void} */
  const visit = (offers, words) => {
    for (const offer of offers) {
      const all = [...words, offer.label];
      if (offer.offers) visit(offer.offers, all);
      if (!offer.command) continue;
      const targets = targetsOf(offer.command);
      if (targets && targets.length > 0) found.push({ offer: { ...offer, command: offer.command }, targets, words: all });
    }
  };
  visit(offers.offers, []);
  return found;
}

/**
 * What can be clicked in the drawing, after some places were clicked already: each next place with its commands.
 * @param {Targeted[]} all
 * @param {string[]} chosen
 * @returns {Map<string, Targeted[]>}
 */
export function nextTargets(all, chosen) {
  /** @type {Map<string, Targeted[]>} */
  const next = new Map();
  for (const one of all) {
    if (one.targets.length <= chosen.length || chosen.some((target, at) => one.targets[at] !== target)) continue;
    const target = one.targets[chosen.length];
    next.set(target, [...(next.get(target) ?? []), one]);
  }
  return next;
}

// Offers: what a client can do now, as the host tells it.

/** @import { Offer, Offers } from "./types.js" */

/**
 * All offers that are commands, in order, without the questions that lead to them.
 * @param {Pick<Offers, "offers">} offers
 * @returns {Generator<Offer & { command: Record<string, any> }>}
 */
export function* leaves({ offers }) {
  for (const offer of offers) {
    if (offer.command) yield { ...offer, command: offer.command };
    else if (offer.offers) yield* leaves({ offers: offer.offers });
  }
}

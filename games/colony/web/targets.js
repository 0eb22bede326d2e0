// The places of the drawing that commands are about: a survivor first, then where it goes or what it works at; or a card of the hand, then what it is used at.

/** @import { Picture, Stage } from "./types.js" */

/**
 * @param {Record<string, any>} command
 * @param {Stage} stage
 * @param {Picture | null} picture
 * @returns {string[] | null}
 */
export function targets({ Move, Attack, Barricade, Search, CleanWaste, UseAbility, ContributeCard, UseCard }, stage, picture) {
  if (Move) return [who(Move.character), `place-${Move.location}`];
  const works = Attack ?? Barricade;
  if (works) {
    const at = stage.characters.findIndex(({ id }) => id === works.character);
    const place = stage.places[picture?.characters[at]?.place ?? -1];
    return place ? [who(works.character), `door-${place.id}-${works.entrance}`] : null;
  }
  const alone = Search ?? CleanWaste ?? UseAbility;
  if (alone) return [who(alone.character)];
  if (ContributeCard) return [`card-${ContributeCard.card}`];
  if (UseCard) return [`card-${UseCard.card}`, ...aims(UseCard, stage, picture)];
  return null;
}

/**
 * What a card is used at.
 * @type {(use: { card: number, character: number | null, target: number | null }, stage: Stage, picture: Picture | null) => string[]}
 */
function aims({ card, character, target }, stage, picture) {
  if (character === null || target === null) return [];
  switch (stage.cards.find(({ id }) => id === card)?.kind) {
    case "fuel":
      return [who(character), `place-${target}`];
    case "medicine":
      return [who(target)];
    case "lock":
    case "scissors":
      return [`door-${stage.places[picture?.characters[stage.characters.findIndex(({ id }) => id === character)]?.place ?? -1]?.id}-${target}`];
    default:
      return [];
  }
}

/** @param {number} character */
const who = (character) => `character-${character}`;

// Loads the module that draws a rulebook's pictures.

/** @import { DrawingModule } from "./types.js" */

/**
 * The drawing module of a rulebook. A host has one for each of its rulebooks. A game from a file may be of another one; then, and if
 * the module is broken, the picture is a tree of values.
 * @param {string} rulebook
 * @returns {Promise<DrawingModule>}
 */
export async function drawingModule(rulebook) {
  /** @type {() => Promise<DrawingModule>} */
  const tree = () => import("./tree.js");
  // The rulebook must stay one part of the address.
  if (!/^[a-z][a-z0-9-]{0,63}$/.test(rulebook)) return tree();
  return import(`/web/${rulebook}/draw.js`).catch(tree);
}

/**
 * Where a game is played: on a page of the rulebook, or on the page for every game; null if not in a browser.
 * @param {DrawingModule} module
 * @param {string} game
 */
export function playAddress(module, game) {
  if (module.page === null) return null;
  return module.page?.(game) ?? `/games/${encodeURIComponent(game)}/play`;
}

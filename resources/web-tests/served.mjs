// Lets the tests import the modules of the pages by the addresses at which the host serves them:
// `/web/dom.js` is resources/web/dom.js, and `/web/NAME/draw.js` is games/NAME/web/draw.js. Use it with `node --import`.

import { existsSync } from "node:fs";
import { register } from "node:module";
import { isMainThread } from "node:worker_threads";

const root = new URL("../../", import.meta.url);

/** The file of an address below `/web/`. */
function fileOf(path) {
  const shared = new URL(`resources/web/${path}`, root);
  if (existsSync(shared)) return shared;
  const [game, ...rest] = path.split("/");
  return new URL(`games/${game}/web/${rest.join("/")}`, root);
}

export async function resolve(specifier, context, next) {
  const found = specifier.startsWith("/web/") ? fileOf(specifier.slice("/web/".length)).href : (await next(specifier, context)).url;
  const isPage = /\/web\/.*\.js$/.test(found);
  return isPage ? { url: found, format: "module", shortCircuit: true } : next(specifier, context);
}

// Node loads this file a second time in the thread of the hooks, which must not register them again.
if (isMainThread) register(import.meta.url);

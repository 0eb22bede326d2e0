// The errors that clients received: all of them, or those of one account, which is part of the address.

import { byId, called, date, field, find, make, plural, say, toggle } from "/web/dom.js";
import { explain, json, path } from "/web/api.js";

/** @typedef {{ game: string, at: number, account: string, name: string, exception: string, message: string, lost: boolean }} ClientError */

const TYPING_MS = 300;

const form = byId("find", HTMLFormElement);
const account = field(form, "account");
let requests = 0;
let typing = 0;

account.value = new URLSearchParams(location.search).get("account") ?? "";
form.addEventListener("submit", (event) => {
  event.preventDefault();
  changed();
});
account.addEventListener("input", () => {
  clearTimeout(typing);
  typing = setTimeout(changed, TYPING_MS);
});

function changed() {
  clearTimeout(typing);
  const address = new URL(location.href);
  const wanted = account.value.trim();
  if (wanted) address.searchParams.set("account", wanted);
  else address.searchParams.delete("account");
  history.replaceState(null, "", address);
  errors();
}

/** Asks the host for the errors and shows them. */
export async function errors() {
  const request = (requests += 1);
  const wanted = account.value.trim();
  const query = wanted ? `?account=${encodeURIComponent(wanted)}` : "";
  try {
    const found = await json(`${path("rulebooks", "treasure", "errors")}${query}`);
    if (request === requests) show(found, wanted);
  } catch (error) {
    if (request === requests) say(byId("found"), explain(error));
  }
}

/**
 * @param {{ games: number, errors: ClientError[], more: boolean }} answer
 * @param {string} wanted
 */
function show({ games, errors: found, more }, wanted) {
  const table = byId("errors", HTMLTableElement);
  table.hidden = found.length === 0;
  find(table, "tbody").replaceChildren(...found.map(row));
  const whose = wanted ? ` of ${wanted}` : "";
  say(byId("found"), `${plural(found.length, "error")} in ${plural(games, "game")}${whose}${more ? "; older games were not searched" : ""}`);
  toggle(table, "data-account", true, wanted);
}

/** @param {ClientError} error */
function row({ game, at, account: whose, name, exception, message, lost }) {
  /** @type {(...children: (Node | string)[]) => HTMLElement} */
  const cell = (...children) => make("td", {}, ...children);
  return make(
    "tr",
    { "data-exception": exception, "data-account": whose },
    cell(make("time", { datetime: new Date(at).toISOString() }, date(at))),
    cell(make("a", { href: `/games/${encodeURIComponent(game)}` }, called(game, 40))),
    cell(called(whose, 60), make("span", { class: "soft" }, " ", called(name, 60))),
    cell(make("code", {}, exception), ...(lost ? [make("span", { class: "soft" }, " lost the game")] : [])),
    cell(called(message, 2000)),
  );
}

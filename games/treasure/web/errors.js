// What clients were answered instead of success: all of it, or that of one account, which is part of the address.

import { byId, called, date, make, say, toggle } from "../dom.js";
import { explain, json, path } from "../api.js";

const TYPING = 300;

const form = byId("find");
const { account } = form.elements;
let asked = 0;
let typing;

account.value = new URLSearchParams(location.search).get("account") ?? "";
form.addEventListener("submit", (event) => {
  event.preventDefault();
  changed();
});
account.addEventListener("input", () => {
  clearTimeout(typing);
  typing = setTimeout(changed, TYPING);
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

/** Asks the host and shows what it says. */
export async function errors() {
  const turn = (asked += 1);
  const wanted = account.value.trim();
  const query = wanted ? `?account=${encodeURIComponent(wanted)}` : "";
  try {
    const found = await json(`${path("rulebooks", "treasure", "errors")}${query}`);
    if (turn === asked) show(found, wanted);
  } catch (error) {
    if (turn === asked) say(byId("found"), explain(error));
  }
}

function show({ games, errors: found, more }, wanted) {
  const table = byId("errors");
  table.hidden = found.length === 0;
  table.tBodies[0].replaceChildren(...found.map(row));
  const count = (number, what) => `${number} ${what}${number === 1 ? "" : "s"}`;
  const whose = wanted ? ` of ${wanted}` : "";
  say(byId("found"), `${count(found.length, "error")} in ${count(games, "game")}${whose}${more ? "; older games were not looked into" : ""}`);
  toggle(table, "data-account", true, wanted);
}

function row({ game, at, account: whose, name, exception, message, lost }) {
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

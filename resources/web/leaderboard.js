// The best players of a rulebook.

import { explain, json, path } from "./api.js";
import { byId, complain, make, toggle } from "./dom.js";
import { resultTable } from "./me.js";

const choice = byId("rulebook", HTMLSelectElement);

start();

async function start() {
  try {
    const { rulebooks } = await json(path("scenarios"));
    choice.replaceChildren(...rulebooks.map((/** @type {{ name: string }} */ { name }) => make("option", { value: name }, name)));
    const wanted = new URLSearchParams(location.search).get("rulebook");
    if (wanted && rulebooks.some((/** @type {{ name: string }} */ { name }) => name === wanted)) choice.value = wanted;
    choice.addEventListener("change", show);
    await show();
  } catch (error) {
    complain(explain(error));
  }
  toggle(document.body, "data-ready", true);
}

async function show() {
  history.replaceState(null, "", `?rulebook=${encodeURIComponent(choice.value)}`);
  try {
    const { players } = await json(`${path("leaderboard")}?rulebook=${encodeURIComponent(choice.value)}`);
    byId("empty").hidden = players.length > 0;
    byId("players").replaceChildren(...(players.length > 0 ? [resultTable(players, true)] : []));
    complain(null);
  } catch (error) {
    complain(explain(error));
  }
}

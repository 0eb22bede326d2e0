// The page of an account: signing in, one's games and results, tokens, password, export and deletion.

import { explain, json, messageOf, path, post } from "./api.js";
import { button, byId, complain, date, field, find, make, onClick, say, toggle } from "./dom.js";
import { change, gameLink, me, resultTable } from "./me.js";

show();

async function show() {
  try {
    const who = await me();
    byId("enter").hidden = who.accounts === "off" || who.name !== null;
    byId("own").hidden = who.name === null;
    if (who.accounts === "off") complain("This host has no accounts.");
    if (who.name !== null) {
      say(byId("name"), who.name);
      byId("standings").replaceChildren(resultTable(who.standings ?? [], false));
      await Promise.all([showGames(), showTokens()]);
    }
  } catch (error) {
    complain(explain(error));
  }
  toggle(document.body, "data-ready", true);
}

async function showGames() {
  const { games } = await json(path("me", "games"));
  byId("no-games").hidden = games.length > 0;
  byId("games").replaceChildren(
    ...games.map((/** @type {any} */ game) => {
      const words = game.ended === null ? "running" : `${game.verdict ?? "ended"}, ${date(game.ended)}`;
      const turn = game.your_turn ? [make("span", { class: "turn" }, "your turn")] : [];
      return make("li", {}, gameLink(game.game), make("small", {}, `${game.rulebook}, ${words}`), ...turn);
    }),
  );
}

async function showTokens() {
  const { tokens } = await json(path("me", "tokens"));
  byId("tokens").replaceChildren(
    ...tokens.map((/** @type {any} */ token) => {
      const what = token.kind === "token" ? token.label || "a token" : token.current ? "this browser" : "a browser";
      const end = button({}, () => act(() => change(path("me", "revoke"), { id: token.id })), token.kind === "token" ? "Revoke" : "End");
      return make("li", {}, make("bdi", {}, what), make("small", {}, date(token.created)), ...(token.current ? [] : [end]));
    }),
  );
}

/** @param {() => Promise<unknown>} work */
async function act(work) {
  complain(null);
  try {
    await work();
    await show();
  } catch (error) {
    complain(messageOf(error));
  }
}

/**
 * @param {string} id
 * @param {(form: HTMLFormElement, button: string) => Promise<void>} work
 */
function onSubmit(id, work) {
  const form = byId(id, HTMLFormElement);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const button = event.submitter instanceof HTMLButtonElement ? event.submitter.value : "";
    act(async () => {
      await work(form, button);
      form.reset();
    });
  });
}

onSubmit("enter", async (form, button) => {
  await post(path(button || "sign-in"), { name: field(form, "name").value, password: field(form, "password").value });
});
onSubmit("new-token", async (form) => {
  const { token } = await change(path("me", "tokens"), { label: field(form, "label").value });
  byId("made").hidden = false;
  say(find(byId("made"), "code"), token);
});
onSubmit("password", async (form) => {
  await change(path("me", "password"), { old: field(form, "old").value, new: field(form, "new").value });
  complain("The password is changed. All other sessions and tokens have ended.");
});
onSubmit("delete", async (form) => {
  if (!confirm("Delete the account, its results and its list of games?")) return;
  await change(path("me", "delete"), { password: field(form, "password").value });
});
onClick("sign-out", () => act(() => change(path("sign-out"), {})));

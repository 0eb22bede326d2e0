// The dialog for a new game: the scenarios that people can play on this host, each with a picture and a sentence.

import { byId, capital, complain, field, find, make, onClick } from "./dom.js";
import { explain, json, path, post } from "./api.js";
import { submit } from "./form.js";
import { storeCreator } from "./session.js";

/** @import { Choices } from "./types.js" */

/** What can be played on this host. @returns {Promise<Choices>} */
export const choices = () => json(path("scenarios"));

/**
 * A scenario for people: "First night", or the rulebook and the scenario where that says more.
 * @param {string} rulebook
 * @param {string} scenario
 */
export function scenarioTitle(rulebook, scenario) {
  return capital((scenario === "standard" ? rulebook : scenario).replaceAll(/[-_]/g, " "));
}

export class NewGame {
  #dialog = byId("new-dialog", HTMLDialogElement);
  #form = byId("new-form", HTMLFormElement);

  constructor() {
    onClick("new-game", () => this.open());
    submit(this.#form, (token) => this.#create(token));
  }

  /**
   * Opens the dialog, with the first scenario of a rulebook chosen.
   * @param {string | null} wanted
   */
  async open(wanted = null) {
    this.#dialog.showModal();
    try {
      const { scenarios, rulebooks } = await choices();
      const books = new Map(rulebooks.map((book) => [book.name, book]));
      const playable = scenarios.filter(({ rulebook }) => books.get(rulebook)?.people);
      const first = playable.find(({ rulebook }) => rulebook === wanted) ?? playable[0];
      const several = new Set(playable.map(({ rulebook }) => rulebook)).size > 1;
      const cards = playable.map((one) => {
        const { rulebook, name, about } = one;
        const poster = books.get(rulebook)?.poster;
        const title = scenarioTitle(rulebook, name);
        const of = several && name !== "standard" ? make("small", {}, rulebook) : "";
        return make(
          "label",
          { class: "scenario" },
          make("input", { type: "radio", name: "scenario", value: JSON.stringify([rulebook, name]), checked: one === first, required: true }),
          poster ? make("img", { src: `${poster}#${encodeURIComponent(name)}`, alt: "" }) : make("span", { class: "no-poster", "aria-hidden": "true" }, title.charAt(0)),
          make("span", {}, make("b", {}, title), " ", of, make("span", { class: "about" }, about || (name === "standard" ? (books.get(rulebook)?.about ?? "") : ""))),
        );
      });
      const box = byId("scenarios");
      box.replaceChildren(find(box, "legend"), ...cards);
      find(box, "input:checked").focus();
    } catch (error) {
      this.#dialog.close();
      complain(explain(error));
    }
  }

  /** @param {string} token */
  async #create(token) {
    const chosen = find(this.#form, "[name=scenario]:checked", HTMLInputElement);
    const [rulebook, name] = JSON.parse(chosen.value);
    /** @param {string} key */
    const text = (key) => field(this.#form, key).value.trim() || null;
    const [seconds, seed] = [text("timeout"), text("seed")];
    const body = JSON.stringify({ scenario: name, rulebook, edition: text("edition"), timeout: seconds && Number(seconds) * 1000, admission: field(this.#form, "admission", HTMLSelectElement).value });
    // A seed has 64 bits, more than a number in JavaScript can hold, so it goes into the JSON as text.
    const seeded = seed ? body.replace(/}$/, `,"seed":${BigInt(seed)}}`) : body;
    const { game, creator, invitation } = await post(path("games"), seeded, token);
    storeCreator(game, creator);
    location.assign(`/games/${encodeURIComponent(invitation ?? game)}/play`);
  }
}

/**
 * What is played here, as cards: a picture, a sentence, and the way to play. Returns the rulebooks.
 * @param {HTMLElement} list
 * @param {NewGame} dialog
 */
export async function showRulebooks(list, dialog) {
  const { scenarios, rulebooks, pages } = await choices();
  list.replaceChildren(
    ...rulebooks.map(({ name, about, poster, people }) => {
      const page = pages[name];
      const title = scenarioTitle(name, "standard");
      const isOffered = people && scenarios.some(({ rulebook }) => rulebook === name);
      const label = { class: people ? "button primary" : "button", "aria-label": `${people ? "Play" : "Programs play"} ${title}` };
      const way = page ? make("a", { ...label, href: page }, people ? "Play now" : "Programs play") : isOffered ? make("button", { ...label, type: "button" }, "Play now") : make("small", {}, "Played by programs");
      if (!page) way.addEventListener("click", () => isOffered && dialog.open(name));
      const picture = poster ? make("img", { src: poster, alt: "", loading: "lazy" }) : make("span", { class: "no-poster", "aria-hidden": "true" }, title.charAt(0));
      return make("li", { class: "rulebook", "data-rulebook": name }, picture, make("h2", {}, title), make("p", {}, about), way);
    }),
  );
  return rulebooks;
}

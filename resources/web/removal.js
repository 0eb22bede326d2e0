// Ends a game, or removes a finished one, for the operator: deletes it, or moves it into the archive of the host.

import { json, path, post } from "./api.js";
import { byId, find, onClick } from "./dom.js";
import { submit } from "./form.js";

export class Removal {
  #dialog = byId("removal", HTMLDialogElement);
  #game = "";

  constructor() {
    onClick("remove-game", () => this.#dialog.showModal());
    submit(find(this.#dialog, "form", HTMLFormElement), (token) => this.#remove(token));
  }

  /** @param {import("./viewer.js").Viewer} viewer */
  opened({ game, source }) {
    this.#game = game?.name ?? "";
    byId("remove-game").hidden = !source?.remote || !game;
    for (const label of this.#dialog.querySelectorAll("label.check")) if (label instanceof HTMLElement) label.hidden = label.classList.contains("running") !== (game?.status === "running");
  }

  /** @param {string} token of the operator */
  async #remove(token) {
    const how = find(this.#dialog, "[name=how]:checked", HTMLInputElement).value;
    if (how !== "") await post(path("games", this.#game, how), how === "access" ? { change: "end" } : {}, token);
    else await json(path("games", this.#game), { method: "DELETE", headers: token ? { Authorization: `Bearer ${token}` } : {} });
    location.assign(how === "access" ? location.pathname : "/");
  }
}

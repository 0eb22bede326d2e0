// What can be done with a game as a whole: link, downloads, fork.

import { byId, cut, say } from "./dom.js";
import { path, post } from "./api.js";
import { submit } from "./form.js";

export class Actions {
  constructor(viewer) {
    this.viewer = viewer;
    this.dialog = byId("fork-dialog");
    byId("fork").addEventListener("click", () => this.ask());
    byId("copy-link").addEventListener("click", () => this.copy());
    this.dialog.querySelector(".cancel").addEventListener("click", () => this.dialog.close());
    submit(byId("fork-form"), async (token) => {
      const { game } = await post(path("games", viewer.game.name, "fork"), { entry: this.entry }, token);
      location.assign(`/games/${encodeURIComponent(game)}`);
    });
    // A menu that stays open in the way is a nuisance.
    document.addEventListener("click", (event) => {
      if (!byId("downloads").contains(event.target)) byId("downloads").open = false;
    });
  }

  opened({ game, source, scripts }) {
    const here = source.remote;
    byId("fork").hidden = !here || game.status !== "finished";
    byId("copy-link").hidden = !here;
    byId("downloads").hidden = !here;
    for (const kind of ["jsonl", "csv", "script"]) byId(`download-${kind}`).href = path("games", game.name, "export", kind);
    byId("download-script").hidden = !scripts || game.status === "running";
  }

  /** Asks whether to fork at the entry that made the shown step. */
  ask() {
    const { chunk, step, ready } = this.viewer;
    if (byId("fork").hidden || !ready) return;
    const entry = chunk.entryOf(step);
    this.entry = entry?.number ?? 0;
    say(byId("fork-entry"), this.entry === 0 ? "0 (nothing has happened yet)" : `#${this.entry}`);
    say(byId("fork-text"), entry ? cut(`${entry.by ?? "The clock"}${entry.text ? `: ${entry.text}` : ""}`, 200) : "");
    this.dialog.showModal();
  }

  async copy() {
    if (byId("copy-link").hidden) return;
    const address = new URL(location.href);
    address.searchParams.set("step", this.viewer.step);
    try {
      await navigator.clipboard.writeText(address.href);
      this.tell("Link copied");
    } catch {
      // Without leave for the clipboard (plain http) the address bar has the link.
      this.viewer.address();
      this.tell("The link is in the address bar");
    }
  }

  tell(text) {
    const button = byId("copy-link");
    say(button, text);
    say(byId("said"), text);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => say(button, "Copy link"), 2500);
  }
}

// The page as a place: the board fills the window, the player's table lies at its lower edge, and everything else waits in drawers
// behind tabs. A rulebook has it if its drawing module has a `table`.

import { button, byId, make, say, toggle } from "./dom.js";

/** The drawers by the sections that they show, with their signs. @type {[id: string, sign: string, words: string][]} */
const DRAWERS = [
  ["menu", "☰", "Menu"],
  ["how", "?", "How it is played"],
  ["log", "≡", "What happened"],
  ["people", "✎", "Players and chat"],
];

export class Frame {
  /** @type {Map<string, { button: HTMLButtonElement, count: HTMLElement, news: number }>} */
  #tabs = new Map();

  open() {
    document.body.classList.add("framed");
    toggle(byId("board"), "data-fills", true);
    // Beside the table, over it and over its scenes.
    byId("main").append(byId("clock"));
    byId("menu").append(document.querySelector(".top .tools") ?? "", byId("asides"));
    byId("menu").hidden = byId("tabs").hidden = false;
    byId("how", HTMLDetailsElement).open = true;
    for (const [id, sign, words] of DRAWERS) {
      const count = make("u", { hidden: true });
      const tab = button({ "data-tab": id, "aria-label": words, "aria-expanded": "false", "aria-controls": id, title: words }, () => this.show(document.body.dataset.drawer === id ? null : id), make("span", { "aria-hidden": "true" }, sign), count);
      this.#tabs.set(id, { button: tab, count, news: 0 });
      byId("tabs").append(tab);
      // Lines of what happened and of the chat that the player has not seen.
      const lines = id === "log" ? byId("feed") : id === "people" ? byId("people").querySelector("ol") : null;
      if (lines) new MutationObserver((changes) => this.#count(id, changes.reduce((sum, change) => sum + change.addedNodes.length, 0))).observe(lines, { childList: true });
    }
    document.addEventListener("keydown", (event) => event.key === "Escape" && this.show(null));
    document.addEventListener("pointerdown", ({ target }) => target instanceof Element && !target.closest("aside, #tabs, .top, dialog") && this.show(null));
  }

  /** @param {string | null} drawer */
  show(drawer) {
    const shown = document.body.dataset.drawer ?? null;
    if (shown === drawer) return;
    toggle(document.body, "data-drawer", drawer !== null, drawer ?? "");
    for (const [id, tab] of this.#tabs) tab.button.setAttribute("aria-expanded", String(id === drawer));
    if (drawer) this.#count(drawer, 0);
    if (drawer === "log") byId("feed").scrollTop = byId("feed").scrollHeight;
    else if (shown && !drawer && byId(shown).contains(document.activeElement)) this.#tabs.get(shown)?.button.focus();
  }

  /** @type {(id: string, more: number) => void} */
  #count(id, more) {
    const tab = this.#tabs.get(id);
    if (!tab) return;
    tab.news = document.body.dataset.drawer === id ? 0 : tab.news + more;
    tab.count.hidden = tab.news === 0;
    say(tab.count, String(Math.min(tab.news, 99)));
  }
}

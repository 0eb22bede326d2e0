// The offers of the player as buttons and forms: one question at a time, with the reasons for what is not possible.

import { button, byId, make, onClick, say, toggle } from "./dom.js";
import { fill, follow, readValue } from "./offers.js";
import { messageOf } from "./api.js";
import { NAME, stored } from "./stored.js";

/** @import { Offer, Offers } from "./types.js" */

export class OfferPanel {
  /** @type {Offers | null} */
  #offers = null;
  /** @type {string[]} the answers that led to the open question */
  #path = [];
  /** @type {Offer | null} the offer whose arguments are filled in */
  #filling = null;
  #shown = "";
  #isBusy = false;
  #send;
  #dialog = byId("sure", HTMLDialogElement);
  /** Whether the rulebook's table shows the first question. */
  #isDrawn = false;
  /** @type {Record<string, any> | null} the command that waits for a yes */
  #unsure = null;
  /** @type {(label: string) => Element | null} a picture for an answer */
  sign = () => null;

  /** @param {(command: Record<string, any>) => void} send */
  constructor(send) {
    this.#send = send;
    onClick("back", () => this.back());
    onClick("sure-yes", () => {
      this.#dialog.close();
      if (this.#unsure) this.#send(this.#unsure);
    });
    this.#dialog.querySelector(".cancel")?.addEventListener("click", () => this.#dialog.close());
    document.addEventListener("keydown", (event) => this.#key(event));
  }

  /**
   * Shows offers. The open question stays open if it still exists.
   * @param {Offers | null} offers
   * @param {boolean} isBusy whether a command was sent and its answer has not come
   * @param {boolean} [isDrawn] whether the rulebook's table shows the first question
   */
  show(offers, isBusy, isDrawn = this.#isDrawn) {
    this.#isDrawn = isDrawn;
    const [now, before] = [JSON.stringify(offers?.offers ?? null) + (offers?.title ?? ""), JSON.stringify(this.#offers?.offers ?? null) + (this.#offers?.title ?? "")];
    if (now !== before) this.#filling = null;
    this.#offers = offers;
    this.#isBusy = isBusy;
    this.#draw();
  }

  /** Leaves the open question. */
  back() {
    if (this.#filling) this.#filling = null;
    else this.#path = this.#path.slice(0, -1);
    this.#draw();
    this.#focusFirst();
  }

  /**
   * Takes an offer: opens its question or its form, or sends its command.
   * @param {Offer} offer
   * @param {string} [sure] what to ask before the command is sent; it cannot be undone
   */
  take(offer, sure) {
    if (this.#isBusy) return;
    if (offer.impossible) {
      say(byId("said"), offer.impossible);
      return;
    }
    if (offer.offers) {
      this.#path = [...this.#path, offer.label];
      this.#draw();
      this.#focusFirst();
    } else if (offer.arguments) {
      this.#filling = offer;
      this.#draw();
      this.#focusFirst();
    } else if (offer.command && (offer.aside || sure)) {
      this.#unsure = offer.command;
      say(byId("sure-title"), sure ?? `${offer.label}?`);
      this.#dialog.showModal();
    } else if (offer.command) {
      this.#send(offer.command);
    }
  }

  #draw() {
    const offers = this.#offers;
    const { open, path } = follow(offers ?? { title: "", offers: [] }, this.#path);
    byId("offers").hidden = !offers || (this.#isDrawn && path.length === 0 && !this.#filling);
    if (!offers) return;
    this.#path = path;
    const now = JSON.stringify([open, path, this.#filling]);
    toggle(byId("offers"), "aria-busy", this.#isBusy);
    if (now === this.#shown) return;
    this.#shown = now;
    const hadFocus = byId("offers").contains(document.activeElement);
    byId("back").hidden = path.length === 0 && !this.#filling;
    say(byId("question"), this.#filling ? this.#filling.label : open.title || "What will you do?");
    const ordinary = open.offers.filter((offer) => !offer.aside);
    const beside = open.offers.filter((offer) => offer.aside && !(offer.impossible && offer.command));
    byId("choices").replaceChildren(...(this.#filling ? [this.#form(this.#filling)] : ordinary.map((offer, at) => this.#row(offer, at))));
    byId("asides").replaceChildren(...(this.#filling ? [] : beside.map((offer) => this.#button(offer))));
    byId("asides").hidden = this.#filling !== null || beside.length === 0;
    if (hadFocus && !byId("offers").contains(document.activeElement)) this.#focusFirst();
  }

  /** @param {Offer} offer */
  #row(offer, at = 0) {
    const node = this.#button(offer);
    if (at < 9 && !offer.impossible) node.prepend(make("kbd", { "aria-hidden": "true" }, String(at + 1)));
    return make("li", {}, node);
  }

  /** @param {Offer} offer */
  #button(offer) {
    const sign = this.sign(offer.label);
    const node = offerButton(offer, offer.label, () => this.take(offer));
    if (sign) node.prepend(sign);
    if (offer.offers) node.append(make("span", { class: "more", "aria-hidden": "true" }, "›"));
    if (offer.uncertain) node.append(make("small", { class: "reason" }, "Hidden facts decide whether this works."));
    return node;
  }

  /**
   * The form for the arguments of an offer.
   * @param {Offer} offer
   */
  #form(offer) {
    const fields = offer.arguments ?? [];
    const given = Object.values(offer.command ?? {})[0] ?? {};
    const inputs = fields.map((argument) => {
      const example = given[argument.field];
      const value = argument.text?.name ? (stored(NAME) ?? "") : argument.free ? JSON.stringify(example) : String(example ?? "");
      const limits = argument.range
        ? { type: "number", min: argument.range.least, max: argument.range.most, step: 1 }
        : { type: "text", maxlength: argument.text ? 2 * argument.text.most : null, autocomplete: argument.text?.name ? "nickname" : "off" };
      return make("input", { ...limits, value, name: argument.field, "aria-describedby": argument.free ? "free" : null });
    });
    const wrong = make("p", { class: "error", role: "alert", hidden: true });
    const labels = fields.map((argument, at) => make("label", {}, argument.label, inputs[at], ...(argument.free ? [make("small", {}, argument.free.about)] : [])));
    const form = make("form", { class: "fill", novalidate: true }, ...labels, wrong, make("button", { class: "lamp" }, offer.label));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      try {
        const command = fill(offer.command ?? {}, fields, fields.map((argument, at) => readValue(argument, inputs[at].value)));
        if (!this.#isBusy) this.#send(command);
      } catch (error) {
        say(wrong, messageOf(error));
        wrong.hidden = false;
      }
    });
    return make("li", {}, form);
  }

  #focusFirst() {
    /** @type {HTMLElement | null} */
    const first = byId("choices").querySelector("input, button:not([aria-disabled])") ?? byId("choices").querySelector("button");
    (byId("offers").hidden ? byId("table") : (first ?? byId("offers"))).focus();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || this.#dialog.open) return;
    if (event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement) return;
    if (event.key === "Escape" && !byId("offers").hidden && !byId("back").hidden) this.back();
    else if (/^[1-9]$/.test(event.key)) {
      // The last one: a scene lies over the table.
      const drawn = document.querySelector(`.target-menu:not([hidden]) [data-digit="${event.key}"]`) ?? [...byId("table").querySelectorAll(`:scope:not([hidden]) [data-digit="${event.key}"]`)].at(-1);
      const button = byId("offers").hidden ? drawn : byId("choices").children[Number(event.key) - 1]?.querySelector("button");
      if (!(button instanceof HTMLElement) || button.getAttribute("aria-disabled")) return;
      event.preventDefault();
      button.click();
    }
  }
}

/**
 * A button for an offer, or for the reason why it is not possible.
 * @param {Offer} offer
 * @param {string} words
 * @param {() => void} take
 */
export function offerButton({ impossible }, words, take) {
  return button({ class: "offer", "aria-disabled": impossible ? "true" : null }, take, make("bdi", { class: "label" }, words), ...(impossible ? [make("small", { class: "reason" }, impossible)] : []));
}

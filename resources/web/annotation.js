// A note about a moment, in the address of the page: `?note=STEP:TEXT`. Nothing is stored on the host.

import { byId, copied, cut, find, onClick, say } from "./dom.js";

/** @import { Viewer } from "./viewer.js" */

export const LONGEST_NOTE = 280;

/**
 * The note in an address, or null.
 * @param {string} address
 * @returns {{ step: number, text: string } | null}
 */
export function readNote(address) {
  const [, step, text] = new URL(address).searchParams.get("note")?.match(/^(\d{1,9}):(.+)$/s) ?? [];
  return text === undefined || text.trim() === "" ? null : { step: Number(step), text: cut(text, LONGEST_NOTE) };
}

/**
 * The address of a moment with a note.
 * @param {string} address
 * @param {number} step
 * @param {string} text
 */
export function withNote(address, step, text) {
  const url = new URL(address);
  url.searchParams.set("step", String(step));
  url.searchParams.set("note", `${step}:${cut(text.trim(), LONGEST_NOTE)}`);
  return url.href;
}

export class Annotation {
  #viewer;
  #dialog = byId("note-dialog", HTMLDialogElement);
  #step = 0;

  /** @param {Viewer} viewer */
  constructor(viewer) {
    this.#viewer = viewer;
    const form = byId("note-form", HTMLFormElement);
    onClick("annotate", () => {
      this.#step = viewer.step;
      this.#dialog.showModal();
    });
    find(form, ".cancel").addEventListener("click", () => this.#dialog.close());
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const text = find(form, "textarea", HTMLTextAreaElement).value;
      if (text.trim() === "") return;
      const address = withNote(location.href, this.#step, text);
      history.replaceState(null, "", address);
      this.#dialog.close();
      this.#show();
      say(byId("said"), (await copied(address)) ? "The link with the note is copied." : "The link with the note is in the address bar.");
    });
    onClick("annotation-go", () => {
      const note = readNote(location.href);
      if (note) viewer.go(note.step);
    });
    onClick("annotation-close", () => {
      const address = new URL(location.href);
      address.searchParams.delete("note");
      history.replaceState(null, "", address);
      this.#show();
    });
  }

  opened() {
    byId("annotate").hidden = !this.#viewer.source?.remote;
    this.#show();
  }

  #show() {
    const note = readNote(location.href);
    byId("annotation").hidden = note === null;
    say(byId("annotation-words"), note ? `Event ${note.step}: ${note.text}` : "");
  }
}

// Forms that POST. A refusal is shown in the form. The field for the admin token appears only when the host asks for it.

import { explain, statusOf } from "./api.js";
import { find, say } from "./dom.js";

/**
 * @param {HTMLFormElement} form
 * @param {(token: string) => Promise<void>} send
 */
export function submit(form, send) {
  const wrong = find(form, ".error");
  const token = find(form, ".token");
  const button = find(form, "button.primary", HTMLButtonElement);
  form.querySelector(".cancel")?.addEventListener("click", () => form.closest("dialog")?.close());
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    button.disabled = true;
    wrong.hidden = true;
    const field = find(token, "input", HTMLInputElement);
    try {
      await send(field.value);
    } catch (error) {
      if (statusOf(error) === 401) {
        token.hidden = false;
        field.focus();
      }
      say(wrong, explain(error));
      wrong.hidden = false;
    }
    button.disabled = false;
  });
}

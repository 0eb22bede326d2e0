// Forms that POST: the refusal is shown in the form, and the admin token is asked for only when the host wants one.

import { explain } from "./api.js";
import { say } from "./dom.js";

export function submit(form, send) {
  const wrong = form.querySelector(".error");
  const token = form.querySelector(".token");
  const button = form.querySelector("button.primary");
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    button.disabled = true;
    wrong.hidden = true;
    try {
      await send(token.querySelector("input").value);
    } catch (error) {
      if (error.status === 401) {
        token.hidden = false;
        token.querySelector("input").focus();
      }
      say(wrong, explain(error));
      wrong.hidden = false;
    }
    button.disabled = false;
  });
}

// Who may come into a game that waits, for its creator: the page that created a game keeps the secret of the creator.

import { explain, path, post } from "./api.js";
import { byId, onClick } from "./dom.js";
import { storedCreator } from "./session.js";

/**
 * Shows the creator what can be changed, until the game begins.
 * @param {string} code the name of the game, or an invitation
 * @param {(words: string | null) => void} complain
 * @returns {((client: number) => Promise<boolean>) | null} removes a client from the game, for its creator
 */
export function manage(code, complain) {
  const game = code.split(".")[0];
  const token = storedCreator(game);
  if (!token) return null;
  const [admission, closed] = [byId("admission", HTMLSelectElement), byId("closed", HTMLInputElement)];
  /** @param {unknown} change */
  const ask = async (change) => {
    try {
      const now = await post(path("games", game, "access"), { token, change });
      [admission.value, closed.checked] = [now.admission, now.closed];
      if (now.invitation) byId("link", HTMLInputElement).value = `${location.origin}/games/${now.invitation}/play`;
      byId("manage").hidden = change === "end";
      complain(null);
      return true;
    } catch (error) {
      if (change) complain(explain(error));
      return false;
    }
  };
  admission.addEventListener("change", () => ask({ admission: admission.value }));
  closed.addEventListener("change", () => ask({ closed: closed.checked }));
  onClick("new-invitation", () => ask({ invite: {} }));
  onClick("end", () => confirm("End this game for everyone?") && ask("end"));
  ask(null);
  return (client) => ask({ remove: { client } });
}

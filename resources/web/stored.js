// What this browser remembers.

/** @param {string} key */
export function stored(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/**
 * @param {string} key
 * @param {string | null} value null forgets it
 */
export function store(key, value) {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // Without storage, it lasts as long as the page.
  }
}

/** The key of the name that the player used last. */
export const NAME = "name";

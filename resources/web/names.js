// What this browser remembers about its player.

/** The name that the player used last, or null. */
export function storedName() {
  try {
    return localStorage.getItem("name");
  } catch {
    return null;
  }
}

/** @param {string} name */
export function storeName(name) {
  try {
    localStorage.setItem("name", name);
  } catch {
    // Without storage, the player enters it again.
  }
}

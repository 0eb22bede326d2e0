// What this browser remembers: the player's name, and which side of which game it wants next.

const read = (key) => {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
};

const write = (key, value) => {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // Storage may be forbidden; then it is asked again.
  }
};

/** The name that was used last; with a name, remembers it. */
export function whoAmI(name) {
  if (name !== undefined) write("name", name);
  return read("name");
}

/** Remembers that a side of a game is wanted, for the page of that game. */
export function wish(game, name, side) {
  write(`wish:${game}`, JSON.stringify({ name, side }));
}

/** What was wished for a game, once. */
export function wanted(game) {
  const found = read(`wish:${game}`);
  write(`wish:${game}`, null);
  return found && JSON.parse(found);
}

// What the browser remembers: choices of the reader and the keys of seats.

const PREFIX = "tesuji.";

/** What was remembered under a name, or `usual`. */
export function recall(name, usual = null) {
  try {
    const text = localStorage.getItem(PREFIX + name);
    return text === null ? usual : JSON.parse(text);
  } catch {
    return usual;
  }
}

/** Remembers something; without storage it is forgotten with the page. */
export function remember(name, value) {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // A browser that stores nothing still plays.
  }
}

/** The keys of this browser's seats in a match, by player. */
export function keysOf(match) {
  return recall(`keys.${match}`, {});
}

/** Keeps the keys of seats in a match. */
export function keepKeys(match, keys) {
  remember(`keys.${match}`, { ...keysOf(match), ...keys });
}

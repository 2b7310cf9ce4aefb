// The colours of players.

/** Players who are called after a colour have it; the others have the colour of their seat. */
const NAMED = ["black", "white", "red", "blue", "green", "yellow"];

/** The colour of a player, for styles. */
export function seatColour(name, player) {
  return NAMED.includes(name) ? `var(--seat-${name})` : `var(--seat${player % 6})`;
}

/** Attributes of an element that names a player: a dot of its colour stands before it. */
export function seatMark(name, player) {
  return { class: "seat", style: `--seat-colour: ${seatColour(name, player)}` };
}

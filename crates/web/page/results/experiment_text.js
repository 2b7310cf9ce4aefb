// The file of an experiment, from what a form says. Pure text.

/**
 * An experiment in TOML.
 * @param {{title: string, games: string[], agents: string[], playouts: number, pairs: number, until: boolean}} wanted
 */
export function experimentText({ title, games, agents, playouts, pairs, until }) {
  const list = (/** @type {string[]} */ names) => `[${names.map((name) => JSON.stringify(name)).join(", ")}]`;
  const whole = (/** @type {number} */ value) => (Number.isInteger(value) && value > 0 ? value : 1);
  const lines = [`title = ${JSON.stringify(title.trim() || "experiment")}`, `games = ${list(games)}`,
    `agents = ${list(agents)}`, "seed = 1", `pairs = ${until ? Math.max(whole(pairs), UNTIL) : whole(pairs)}`,
    `budget = { playouts = ${whole(playouts)} }`];
  // A sequential test: is one side stronger by 35 Elo, or are they within that?
  if (until) lines.push("", "[sprt]", "elo0 = 0", "elo1 = 35");
  return `${lines.join("\n")}\n`;
}

/** The most pairs of a run that ends when it is decided. */
const UNTIL = 1000;

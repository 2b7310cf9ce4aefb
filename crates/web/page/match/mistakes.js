// Which choices of a match cost most. Pure functions of judgements.

/** Mistakes that are listed for each side. */
const LISTED = 3;

/**
 * The costliest choices of a player that were surely mistakes: the interval of their cost is above 0.
 * @param {any[]} judgements each with `player`, `cost` and `interval`
 * @param {number} player
 */
export function costliest(judgements, player) {
  return judgements.filter((judged) => judged.player === player && judged.cost !== null && judged.cost > 0
    && (judged.interval === null || judged.interval[0] > 0))
    .sort((one, two) => Number(two.cost) - Number(one.cost)).slice(0, LISTED);
}

/**
 * The mean cost of a player's choices, or null if none was judged.
 * @param {{player: number, cost: number | null}[]} judgements @param {number} player
 */
export function meanCost(judgements, player) {
  const costs = judgements.filter((judged) => judged.player === player && judged.cost !== null)
    .map((judged) => Math.max(0, Number(judged.cost)));
  return costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0) / costs.length;
}

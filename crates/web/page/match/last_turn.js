// The last turn of a match: everything that whoever acted last did in a row.

/**
 * The steps of the last turn before a position. Chance between them belongs to it; where several choose at once, a turn
 * is one step.
 * @param {{players: number[], shown?: any[]}[]} history @param {number} step the steps before the position
 */
export function lastTurn(history, step) {
  const made = history.slice(0, step);
  const last = made.findLastIndex(({ players }) => players.length > 0);
  if (last < 0) return [];
  const own = made[last].players;
  let first = last;
  // Alone, a player acts in every step: there a turn is one step, too.
  const alone = history.every(({ players }) => players.every((player) => player === 0));
  while (!alone && own.length === 1 && first > 0) {
    const before = made.slice(0, first).findLastIndex(({ players }) => players.length > 0);
    if (before < 0 || made[before].players.length !== 1 || made[before].players[0] !== own[0]) break;
    first = before;
  }
  return made.slice(first, last + 1).filter(({ players }) => players.length > 0);
}

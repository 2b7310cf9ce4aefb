// Opponents by strength: what the server knows of a game's levels, and which level an opponent is.

import { get, query } from "./calls.js";

const known = new Map();

/** The levels of a game by its address, the weakest first, and whether they were measured. */
export function levelsOf(game) {
  if (!known.has(game)) {
    const asked = get("/api/games/levels" + query({ game }));
    asked.catch(() => known.delete(game));
    known.set(game, asked);
  }
  return known.get(game);
}

/** The level of that name, or the weakest. */
export function levelOf(levels, name) {
  return levels.find((level) => level.name === name) ?? levels[0];
}

/** The parts of a budget that a request can name. */
export function budgetOf({ playouts, seconds }) {
  return { ...(playouts ? { playouts } : {}), ...(seconds ? { seconds } : {}) };
}

/** A level as a seat of a new match. A handicap divides its budget. */
export function opponentSeat({ agent, budget }, handicap = 1) {
  const part = { ...budgetOf(budget) };
  if (part.playouts) part.playouts = Math.max(1, Math.round(part.playouts / handicap));
  if (part.seconds) part.seconds = Math.max(0.001, part.seconds / handicap);
  return { agent, budget: part };
}

/** The level that a seat of a match is, or null. */
export function levelOfSeat(levels, { agent, limit }) {
  const same = (level) => level.agent === agent && (level.budget.playouts ?? null) === (limit?.playouts ?? null)
    && (level.budget.seconds ?? null) === (limit?.seconds ?? null);
  return levels.find(same) ?? null;
}

/** The next stronger level, or null. */
export function nextLevel(levels, level) {
  return levels[levels.findIndex(({ name }) => name === level.name) + 1] ?? null;
}

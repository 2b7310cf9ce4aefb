// A die that shows what nature drew.

import { calm, h, put, s } from "./dom.js";

const PIPS = {
  1: [[0, 0]],
  2: [[-1, -1], [1, 1]],
  3: [[-1, -1], [0, 0], [1, 1]],
  4: [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  5: [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]],
  6: [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]],
};

/** Milliseconds that a roll takes at most. */
const LONGEST = 700;

/** The face of a die: pips for 1 to 6, text for anything else. */
export function face(outcome) {
  const pips = PIPS[outcome.trim()];
  const inner = pips
    ? pips.map(([x, y]) => s("circle", { cx: 22 + 11 * x, cy: 22 + 11 * y, r: 4 }))
    : s("text", { x: 22, y: 23, textLength: outcome.length > 4 ? 38 : null, lengthAdjust: "spacingAndGlyphs" },
      outcome.slice(0, 9));
  return s("svg", { class: "die", viewBox: "0 0 44 44", "aria-hidden": "true" },
    s("rect", { x: 1.5, y: 1.5, width: 41, height: 41, rx: 8 }), inner);
}

/** Shows the outcomes in `tray` one after the other; resolves when the last one lies still. */
export async function roll(tray, outcomes) {
  for (const outcome of outcomes) {
    const die = face(outcome);
    put(tray, die, h("span", { class: "unseen" }, outcome));
    if (calm() || document.hidden) continue;
    die.classList.add("rolling");
    // A page that is not drawn does not move its dice; the match goes on all the same.
    const ended = die.getAnimations().map((animation) => animation.finished.catch(() => null));
    await Promise.race([Promise.all(ended), new Promise((resolve) => setTimeout(resolve, LONGEST))]);
  }
}

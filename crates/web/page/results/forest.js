// A win rate with its interval as a line from 0 to 100 %, and the published number as a mark on it.

import { s } from "../dom.js";
import { percent } from "../format.js";
import { t } from "../strings.js";

const [WIDTH, HEIGHT] = [120, 18];

/** The drawing of one row: `win_rate`, `interval` and, if there is one, `published`. */
export function forestRow({ win_rate: rate, interval, published }) {
  if (rate === null || rate === undefined) return null;
  const x = (share) => 3 + (WIDTH - 6) * share;
  const middle = HEIGHT / 2;
  const words = [t("forest.ours", { rate: percent(rate, 0) }), interval ? t("forest.interval",
    { low: percent(interval[0], 0), high: percent(interval[1], 0) }) : "",
    published === null || published === undefined ? "" : t("forest.paper", { rate: percent(published, 0) })];
  return s("svg", { class: "forest-row", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img",
    "aria-label": words.filter(Boolean).join(", ") },
    s("line", { class: "axis", x1: x(0), x2: x(1), y1: middle, y2: middle }),
    s("line", { class: "axis middle", x1: x(0.5), x2: x(0.5), y1: 2, y2: HEIGHT - 2 }),
    interval ? s("line", { class: "interval", x1: x(interval[0]), x2: x(interval[1]), y1: middle, y2: middle }) : null,
    s("circle", { class: "ours", cx: x(rate), cy: middle, r: 3.2 }),
    published === null || published === undefined ? null : s("path", { class: "paper-mark",
      d: `M${x(published)} ${middle - 5}l5 5-5 5-5-5z` }));
}

// The evaluation bar and the graph of values over a match.

import { h, put, s } from "./dom.js";
import { number } from "./format.js";
import { t } from "./strings.js";

/** Who stands how well: one part of the bar for each player. */
export class EvaluationBar {
  constructor(players) {
    this.players = players;
    this.left = h("span", { class: "seat seat-0" });
    this.right = h("span", { class: "seat seat-1" });
    this.track = h("div", { class: "evaluation-track" });
    this.element = h("div", { class: "evaluation", role: "img" }, this.left, this.track, this.right);
    this.show(null);
  }

  /** Shows the shares of the players (they add up to 1), or that nothing is known. */
  show(shares) {
    const text = (share) => (shares ? number(100 * share, 0) + "%" : "–");
    const known = shares ?? this.players.map(() => 1 / this.players.length);
    put(this.left, text(known[0]));
    put(this.right, text(known.at(-1)));
    put(this.track, known.map((share, index) =>
      h("span", { style: `width:${100 * share}%;background:var(--seat${index % 6});opacity:${shares ? 1 : 0.25}` })));
    this.element.setAttribute("aria-label", shares
      ? t("evaluation.now", { shares: this.players.map((name, index) => `${name} ${text(shares[index])}`).join(", ") })
      : t("evaluation.none"));
  }
}

const [WIDTH, HEIGHT] = [600, 120];

/** A graph over the steps of a match: `points` are `{step, player, share}`; `onpick(step)` is called on a click. */
export function valueGraph({ points, steps, at, players, onpick }) {
  const x = (step) => 8 + ((WIDTH - 16) * step) / Math.max(1, steps);
  const y = (share) => 6 + (HEIGHT - 12) * (1 - share);
  const lines = players.map((_, player) => {
    const own = points.filter((point) => point.player === player);
    return [
      s("polyline", { points: own.map((point) => `${x(point.step)},${y(point.share)}`).join(" "), fill: "none", stroke: `var(--seat${player % 6})`, "stroke-width": 2, "stroke-linejoin": "round" }),
      own.length <= 60 ? own.map((point) => s("circle", { cx: x(point.step), cy: y(point.share), r: 2.6, fill: `var(--seat${player % 6})` })) : null,
    ];
  });
  const pick = (event) => {
    const box = event.currentTarget.getBoundingClientRect();
    const inside = ((event.clientX - box.left) / box.width) * WIDTH;
    onpick(Math.max(0, Math.min(steps, Math.round(((inside - 8) / (WIDTH - 16)) * steps))));
  };
  return s("svg", { class: "graph", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": t("graph.name"), onclick: pick },
    s("line", { x1: 8, x2: WIDTH - 8, y1: y(0.5), y2: y(0.5), stroke: "var(--line)", "stroke-dasharray": "3 4" }),
    s("line", { x1: x(at), x2: x(at), y1: 4, y2: HEIGHT - 4, stroke: "var(--accent)", "stroke-width": 1.5 }),
    lines);
}

// The evaluation bar and the graph of values over a match.

import { h, put, s } from "./dom.js";
import { number } from "./format.js";
import { seatColour, seatMark } from "./seats.js";
import { catalogue, t } from "./strings.js";

/** Who stands how well: one part of the bar for each player. */
export class EvaluationBar {
  constructor(players) {
    this.players = players;
    this.left = h("span", seatMark(players[0], 0));
    // In a game for one there is nobody at the other end.
    this.right = players.length > 1 ? h("span", seatMark(players.at(-1), players.length - 1)) : null;
    this.track = h("div", { class: "evaluation-track" });
    this.element = h("div", { class: "evaluation", role: "img" }, this.left, this.track, this.right);
    this.show(null);
  }

  /** Shows the shares of the players (they add up to 1 unless there is only one), or that nothing is known. */
  show(shares) {
    const text = (share) => (shares ? number(100 * share, 0) + "%" : "–");
    const known = shares ?? this.players.map(() => (this.right ? 1 / this.players.length : 0));
    put(this.left, text(known[0]));
    if (this.right) put(this.right, text(known.at(-1)));
    const opacity = shares ? 1 : 0.25;
    put(this.track, known.map((share, index) => {
      const colour = seatColour(this.players[index], index);
      return h("span", { style: `width:${100 * share}%;background:${colour};opacity:${opacity}` });
    }));
    this.element.setAttribute("aria-label", shares
      ? t("evaluation.now", { shares: this.players.map((name, index) => `${catalogue(name)} ${text(shares[index])}`)
        .join(", ") })
      : t("evaluation.none"));
  }
}

const [WIDTH, HEIGHT] = [600, 120];

/** A graph over the steps of a match: `points` are `{step, player, share}`; `onpick(step)` is called on a click. */
export function valueGraph({ points, steps, at, players, onpick }) {
  const x = (step) => 8 + ((WIDTH - 16) * step) / Math.max(1, steps);
  const y = (share) => 6 + (HEIGHT - 12) * (1 - share);
  // Strokes keep their width whatever the graph's shape; a point is a stroke without length.
  const lines = players.map((name, player) => {
    const own = points.filter((point) => point.player === player).map((point) => `${x(point.step)},${y(point.share)}`);
    const pen = { fill: "none", stroke: seatColour(name, player), "stroke-linejoin": "round", "stroke-linecap": "round",
      "vector-effect": "non-scaling-stroke" };
    return [s("polyline", { points: own.join(" "), "stroke-width": 2, ...pen }),
      own.length <= 80 ? s("path", { d: own.map((point) => `M${point}h0`).join(""), "stroke-width": 6, ...pen })
        : null];
  });
  const pick = (event) => {
    const box = event.currentTarget.getBoundingClientRect();
    const inside = ((event.clientX - box.left) / box.width) * WIDTH;
    onpick(Math.max(0, Math.min(steps, Math.round(((inside - 8) / (WIDTH - 16)) * steps))));
  };
  return s("svg", { class: "graph", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img",
    "aria-label": t("graph.name"), onclick: pick },
    s("line", { x1: 8, x2: WIDTH - 8, y1: y(0.5), y2: y(0.5), stroke: "var(--line)", "stroke-dasharray": "3 4",
      "vector-effect": "non-scaling-stroke" }),
    s("line", { x1: x(at), x2: x(at), y1: 4, y2: HEIGHT - 4, stroke: "var(--accent)", "stroke-width": 1.5,
      "vector-effect": "non-scaling-stroke" }),
    lines);
}

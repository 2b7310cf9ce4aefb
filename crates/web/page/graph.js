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

const [LEFT, RIGHT, TOP, BOTTOM] = [34, 8, 8, 18];
const HEIGHT = 130;

/**
 * A graph over the steps of a match, with axes, a legend and what is under the pointer in words: `points` are `{step,
 * player, share, cost?}`; `onpick(step)` is called on a click. A cost of a choice is a drop below its point.
 */
export class ValueGraph {
  constructor(onpick) {
    this.onpick = onpick;
    this.tip = h("span", { class: "graph-tip", role: "status" });
    this.legend = h("span", { class: "graph-legend" });
    this.place = h("div", { class: "graph-place" });
    this.element = h("div", { class: "graph-box" }, h("div", { class: "graph-head small" }, this.legend, this.tip),
      this.place);
  }

  show({ points, steps, at, players }) {
    this.points = points;
    this.steps = steps;
    this.players = players;
    const width = Math.max(200, this.place.clientWidth || 420);
    const x = (this.x = (step) => LEFT + ((width - LEFT - RIGHT) * step) / Math.max(1, steps));
    const y = (share) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - share);
    put(this.legend, players.map((name, player) => h("span", seatMark(name, player), catalogue(name), " ")));
    const axis = [0, 0.5, 1].map((share) => [
      s("line", { x1: LEFT, x2: width - RIGHT, y1: y(share), y2: y(share), class: share === 0.5 ? "axis middle"
        : "axis" }),
      s("text", { x: LEFT - 5, y: y(share), class: "tick", "text-anchor": "end", "dominant-baseline": "central" },
        `${100 * share}%`)]);
    const ticks = ticksOf(steps).map((step) => s("text", { x: x(step), y: HEIGHT - 5, class: "tick",
      "text-anchor": "middle" }, String(step)));
    const lines = players.map((name, player) => {
      const own = points.filter((point) => point.player === player);
      const pen = { fill: "none", stroke: seatColour(name, player), "stroke-linejoin": "round",
        "stroke-linecap": "round" };
      const path = own.map((point) => `${x(point.step)},${y(point.share)}`);
      return [s("polyline", { points: path.join(" "), "stroke-width": 2, ...pen }), own.length <= 120
        ? s("path", { d: path.map((point) => `M${point}h0`).join(""), "stroke-width": 6, ...pen }) : null,
        own.filter(({ drop }) => drop > 0.02).map(({ step, share, drop }) => s("line", { x1: x(step), x2: x(step),
          y1: y(share), y2: y(Math.min(1, share + drop)), class: "drop", stroke: seatColour(name, player) }))];
    });
    this.cursor = s("line", { y1: TOP, y2: HEIGHT - BOTTOM, class: "cursor", visibility: "hidden" });
    put(this.place, s("svg", { class: "graph", viewBox: `0 0 ${width} ${HEIGHT}`, role: "img",
      "aria-label": t("graph.name"), onclick: (event) => this.onpick(this.stepAt(event)),
      onpointermove: (event) => this.point(this.stepAt(event)), onpointerleave: () => this.point(null) },
      axis, ticks, s("line", { x1: x(at), x2: x(at), y1: TOP, y2: HEIGHT - BOTTOM, class: "now" }), lines,
      this.cursor));
  }

  stepAt(event) {
    const box = event.currentTarget.getBoundingClientRect();
    const inside = (event.clientX - box.left) * (event.currentTarget.viewBox.baseVal.width / box.width);
    const [first, last] = [this.x(0), this.x(this.steps)];
    return Math.max(0, Math.min(this.steps, Math.round(((inside - first) / (last - first || 1)) * this.steps)));
  }

  /** Says what is known at a step. */
  point(step) {
    this.cursor.setAttribute("visibility", step === null ? "hidden" : "visible");
    if (step === null) return put(this.tip);
    this.cursor.setAttribute("x1", this.x(step));
    this.cursor.setAttribute("x2", this.x(step));
    const here = this.points.filter((point) => point.step === step);
    return put(this.tip, t("graph.step", { step }), here.map(({ player, share }) =>
      ` ${catalogue(this.players[player])} ${number(100 * share, 0)}%`));
  }
}

/** Steps that are written below the axis. */
function ticksOf(steps) {
  const pace = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find((pace) => steps / pace <= 8) ?? 2000;
  return Array.from({ length: Math.floor(steps / pace) + 1 }, (_, index) => index * pace);
}

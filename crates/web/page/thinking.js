// What an agent thinks: its figures, its candidates as a table, the line it expects. Fixed heights, so that nothing
// jumps while thoughts stream in.

import { h, put } from "./dom.js";
import { count, number, percent, seconds } from "./format.js";
import { prettyAction, t } from "./strings.js";

/** The letters of an action that fit into the table of candidates. */
const NARROW = 14;

/** A table of candidates that is updated in place. `onlook(candidate | null)` tells which row is pointed at. */
export class ThoughtTable {
  constructor({ onlook = (_candidate) => {} } = {}) {
    this.onlook = onlook;
    this.rows = [];
    this.caption = h("p", { class: "thought-caption" });
    this.figures = h("dl", { class: "figures" });
    this.body = h("tbody");
    this.line = h("p", { class: "line" });
    this.limit = h("p", { class: "thought-limit small soft" });
    const head = ["action", "visits", "value", "prior", "probability"];
    this.element = h("div", { class: "thought", data: { playouts: 0 } }, this.caption, this.figures, this.limit,
      h("div", { class: "scroll candidates", tabindex: 0, role: "region", "aria-label": t("thought.candidates") },
        h("table", null, h("thead", null,
          h("tr", null, head.map((name, index) => h("th", { class: index > 0 ? "n" : null, scope: "col" },
          t(`thought.${name}`))))), this.body)),
      h("h3", null, t("thought.line")), this.line);
    this.show(null);
  }

  /** Shows a decision under a caption, or that there is none; `words` writes an action of the position as people do. */
  show(decision, caption = t("thought.none"), words = prettyAction) {
    this.words = words;
    put(this.caption, caption);
    const figure = (name, text) => [h("dt", null, t(`thought.${name}`)), h("dd", null, text)];
    put(this.figures,
      h("div", null, figure("value", number(decision?.value, 3))),
      h("div", null, figure("playouts", count(decision?.playouts))),
      h("div", null, figure("depth", count(decision?.depth))),
      h("div", null, figure("time", seconds(decision ? decision.milliseconds / 1000 : null))));
    put(this.line, decision ? decision.line.map((joint) => h("span", { class: "joint" },
      joint.map(prettyAction).join(" / "))) : "–");
    put(this.limit, decision?.limit ? limitText(decision.limit) : "");
    this.showRows(decision?.candidates ?? [], decision?.action, decision?.more ?? 0);
    this.element.dataset.playouts = decision?.playouts ?? 0;
  }

  showRows(candidates, chosen, more) {
    const total = Math.max(1, candidates.reduce((sum, candidate) => sum + candidate.visits, 0));
    candidates.forEach((candidate, index) => {
      const row = (this.rows[index] ??= this.row());
      row.candidate = candidate;
      const whole = this.words(candidate.action);
      // Long words would be cut; they are under the pointer.
      const name = whole.length > NARROW ? prettyAction(candidate.action) : whole;
      const texts = [name, count(candidate.visits), number(candidate.value, 3), number(candidate.prior, 3),
        percent(candidate.probability, 0)];
      texts.forEach((text, column) => {
        if (row.cells[column].textContent !== text) row.cells[column].textContent = text;
      });
      row.cells[0].title = whole;
      row.element.style.setProperty("--part", `${(100 * candidate.visits) / total}%`);
      row.element.classList.toggle("best", candidate.action === chosen);
      if (!row.element.isConnected) this.body.append(row.element);
    });
    this.rows.splice(candidates.length).forEach((row) => row.element.remove());
    this.rest?.remove();
    this.rest = more > 0
      ? h("tr", null, h("td", { colspan: 5, class: "soft" }, t("thought.more", { count: more }))) : null;
    if (this.rest) this.body.append(this.rest);
  }

  row() {
    const cells = [0, 1, 2, 3, 4].map((column) => h("td", { class: column > 0 ? "n" : "action" }));
    const row = { cells, candidate: null };
    row.element = h("tr", { onpointerenter: () => this.onlook(row.candidate), onpointerleave: () => this.onlook(null) },
      cells);
    return row;
  }
}

/** Which limit ended a search, in words: `1000 playouts`, `30 nodes`, `250ms`, or the agent's settings. */
export function limitText(limit) {
  const [, amount, unit] = limit.match(/^([\d.]+) ?(playouts|nodes|ns|µs|ms|s)$/) ?? [];
  if (unit === "playouts" || unit === "nodes") return t(`thought.limit.${unit}`, { count: count(Number(amount)) });
  const scale = { s: 1, ms: 1e-3, "µs": 1e-6, ns: 1e-9 }[unit];
  if (scale) return t("thought.limit.time", { time: seconds(Number(amount) * scale) });
  return t("thought.limit.settings", { names: limit.replace(/ and |, /g, t("thought.limit.and")) });
}

/** How strongly each candidate is drawn: visits where there are any, else probabilities; the best one is 1. */
export function weights(candidates) {
  const by = candidates.some((candidate) => candidate.visits > 0)
    ? (candidate) => candidate.visits : (candidate) => candidate.probability;
  const greatest = Math.max(...candidates.map(by), 1e-9);
  return candidates.map((candidate) => by(candidate) / greatest);
}

// Who stands how well: the bar, and the graph of values over the match.

import { h, put } from "../dom.js";
import { EvaluationBar, ValueGraph } from "../graph.js";

/** The bar and the graph of a match page. */
export class Evaluation {
  constructor(page) {
    this.page = page;
    this.bar = h("div", { class: "bar-place" });
    this.graph = new ValueGraph((step) => page.goTo(step));
    this.shares = null;
  }

  /** The values by step and player: the judge's where the match was reviewed, else what the agents expected. */
  points() {
    const [least, greatest] = this.page.live.payoff_range;
    const judged = this.page.review.points();
    if (judged.length > 0) return judged.map((point) => ({ ...point, share: this.share(point.value),
      drop: (point.cost ?? 0) / (greatest - least || 1) }));
    return this.page.live.history.flatMap((step, index) => step.players.map((player, place) => ({ step: index, player,
      value: step.decisions[place]?.value ?? null })))
      .filter(({ value }) => value !== null).map((point) => ({ ...point, share: this.share(point.value) }));
  }

  /** Shows the match as it stands. */
  show() {
    const { page } = this;
    const { live, shown } = page;
    if (!this.shares) {
      this.shares = new EvaluationBar(live.players);
      put(this.bar, this.shares.element);
    }
    const points = this.points();
    this.graph.show({ points, steps: live.steps, at: shown.step, players: live.players });
    if (page.present && live.payoffs) this.result(live.payoffs);
    else if (page.thoughts.thought?.step !== shown.step) {
      const last = points.filter(({ step }) => step <= shown.step).at(-1);
      this.evaluate(last ? last.player : 0, last ? last.value : null);
    }
  }

  /** Shows what everybody got. */
  result(payoffs) {
    if (payoffs.length === 1) return this.evaluate(0, payoffs[0]);
    const shares = payoffs.map((payoff) => this.share(payoff));
    const all = shares.reduce((sum, share) => sum + share, 0);
    this.shares.show(all > 0 ? shares.map((share) => share / all) : null);
  }

  /** A value on the scale of payoffs as a share from 0 to 1. */
  share(value) {
    const [least, greatest] = this.page.live.payoff_range;
    return Math.max(0, Math.min(1, (value - least) / (greatest - least || 1)));
  }

  /** Shows a value for one player in the bar; the others share the rest. */
  evaluate(player, value) {
    if (value === null || value === undefined) return this.shares.show(null);
    const own = this.share(value);
    const { players } = this.page.live;
    this.shares.show(players.map((_, index) => (index === player ? own : (1 - own) / (players.length - 1 || 1))));
  }
}

// The review of a match: a strong agent judges every choice, and the costliest mistakes of each side are listed.

import { get, listen, post } from "../calls.js";
import { button, h, notice, put } from "../dom.js";
import { count, number } from "../format.js";
import { seatMark } from "../seats.js";
import { catalogue, phraseText, prettyAction, t } from "../strings.js";
import { costliest, meanCost } from "./mistakes.js";

/** The panel beside a match page. */
export class ReviewPanel {
  constructor(page) {
    this.page = page;
    this.review = null;
    this.body = h("div", { class: "stack tight", id: "review" });
    this.element = h("div", { class: "stack tight" }, h("p", { class: "small soft" }, t("review.about")), this.body);
  }

  leave() {
    this.socket?.close();
  }

  /** The panel is opened: the review that was made before, if there is one. */
  async open() {
    if (this.review || this.asked) return this.draw();
    this.asked = true;
    const kept = await get(`/api/matches/${this.page.id}/review`).catch(() => null);
    if (kept) this.follow(kept);
    else this.draw();
  }

  async start() {
    try {
      this.follow(await post(`/api/matches/${this.page.id}/review`, {}));
    } catch (error) {
      notice(error.message, "error");
    }
  }

  follow(review) {
    this.take(review);
    this.socket?.close();
    if (!ended(review)) this.socket = listen(`/api/matches/${this.page.id}/review/live`,
      (message) => this.take(message.review), { once: true });
  }

  take(review) {
    this.review = review;
    if (review.error) notice(review.error, "error");
    this.draw();
    this.page.evaluation.show();
  }

  /** The judge's values, for the graph: one point for each choice. */
  points() {
    return (this.review?.judgements ?? []).filter(({ value }) => value !== null)
      .map(({ step, player, value, cost }) => ({ step, player, value, cost }));
  }

  draw() {
    const { review, page } = this;
    const { live } = page;
    if (!live) return;
    this.body.dataset.state = review?.state ?? "none";
    if (!review || review.state === "failed") {
      put(this.body, live.over ? button(t("review.start"), () => this.start(), { class: "primary", id: "review-start" })
        : h("p", { class: "empty" }, t("review.later")));
      return;
    }
    const done = review.state === "done";
    put(this.body,
      h("p", { class: "small soft" }, t("review.judge", { agent: review.agent, budget: spent(review.budget),
        searches: review.searches })),
      done ? null : h("progress", { max: Math.max(1, review.total), value: review.done,
        "aria-label": t("review.progress") }),
      live.players.map((name, player) => this.side(name, player)),
      h("p", { class: "small soft" }, t(live.features.includes("simultaneous") ? "review.hidden" : "review.scale")));
  }

  /** One player's costliest mistakes. */
  side(name, player) {
    const { review, page } = this;
    const worst = costliest(review.judgements, player);
    return h("section", { class: "review-side", data: { side: player } },
      h("h3", null, h("span", seatMark(name, player), catalogue(name)), " ",
        h("span", { class: "soft small" }, t("review.mean", { cost: this.points100(meanCost(review.judgements,
          player)) }))),
      worst.length === 0 ? h("p", { class: "small soft" }, t("review.none"))
        : h("ol", { class: "mistakes" }, worst.map((mistake) => h("li", null,
          h("button", { type: "button", class: "mistake", data: { mistake: mistake.step },
            onclick: () => page.goTo(mistake.step) },
            h("span", null, h("b", null, t("review.step", { step: mistake.step + 1 })), " ",
              this.words(mistake.step, player, mistake.action)),
            h("span", null, t("review.better", { action: prettyAction(mistake.best) })),
            h("span", { class: "number cost" }, `−${this.points100(mistake.cost)} `,
              h("span", { class: "soft" }, mistake.interval
                ? `(${this.points100(mistake.interval[0])} … ${this.points100(mistake.interval[1])})` : "")))))));
  }

  /** A difference of values in points of a hundred of the range of payoffs. */
  points100(value) {
    if (value === null || value === undefined) return "–";
    const [least, greatest] = this.page.live.payoff_range;
    return number((100 * value) / (greatest - least || 1), 0);
  }

  words(step, player, action) {
    const made = this.page.live.history[step];
    const place = made?.players.indexOf(player) ?? -1;
    return made?.shown[place] ? phraseText(made.shown[place].phrase) : prettyAction(action);
  }
}

/** A budget such as `playouts=1500` in words. */
function spent(budget) {
  const [, playouts] = budget.match(/^playouts=(\d+)$/) ?? [];
  return playouts ? t("seat.budget.playouts", { count: count(Number(playouts)) }) : budget;
}

function ended({ state }) {
  return state === "done" || state === "failed";
}

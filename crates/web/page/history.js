// The steps of a match as a list, and the slider over them.

import { button, h, put } from "./dom.js";
import { number } from "./format.js";
import { seatMark } from "./seats.js";
import { phraseText, t } from "./strings.js";

/** The list of steps; `onpick(step)` goes to the position after that many steps. */
export class HistoryList {
  constructor(onpick) {
    this.onpick = onpick;
    this.length = 0;
    this.list = h("ol", { class: "steps" });
    this.element = h("div", { class: "scroll tall", tabindex: 0, role: "region", "aria-label": t("history") },
      this.list);
  }

  /** Shows the steps of a view; the position after `at` of them is marked. */
  show(history, at) {
    const items = [...this.list.children];
    const kept = items.findIndex((item, index) => item.dataset.text !== text(history[index]));
    items.slice(kept < 0 ? items.length : kept).forEach((item) => item.remove());
    for (let index = this.list.children.length; index < history.length; index += 1)
      this.list.append(this.item(history[index], index));
    for (const item of this.list.querySelectorAll('[aria-current]')) item.removeAttribute("aria-current");
    const current = at > 0 ? this.list.children[at - 1] : null;
    current?.firstElementChild.setAttribute("aria-current", "step");
    if (current) {
      const [top, bottom] = [current.offsetTop, current.offsetTop + current.offsetHeight];
      const frame = this.element;
      if (top < frame.scrollTop || bottom > frame.scrollTop + frame.clientHeight)
        frame.scrollTop = top - frame.clientHeight / 2;
    }
  }

  item(step, index) {
    const value = step.decisions.find((decision) => decision && decision.value !== null)?.value;
    return h("li", { data: { text: text(step) } },
      h("button", { type: "button", class: "step", onclick: () => this.onpick(index + 1) },
      h("span", { class: "step-number" }, index + 1),
      h("span", { class: "step-text" },
        step.joint.map((action, i) => h("span", step.players.length > 0
        ? { ...seatMark(step.actors[i], step.players[i]), title: action } : { class: "nature" },
        step.shown[i] ? phraseText(step.shown[i].phrase) : action))),
      h("span", { class: "step-value number" }, value === undefined ? "" : number(value, 2))));
  }
}

function text(step) {
  return step ? JSON.stringify([step.actors, step.joint]) : undefined;
}

/** Buttons and a slider to go through the positions; `onpick(step)`, with `null` for the present. */
export class Slider {
  constructor(onpick) {
    this.range = h("input", { type: "range", min: 0, value: 0, id: "position", "aria-label": t("position"),
      oninput: () => onpick(this.range.valueAsNumber) });
    const go = (change) => () =>
      onpick(Math.max(0, Math.min(Number(this.range.max), this.range.valueAsNumber + change)));
    this.text = h("span", { class: "number soft small slider-text" });
    this.back = button("‹", go(-1), { "aria-label": t("position.back"), id: "back" });
    this.forward = button("›", go(1), { "aria-label": t("position.forward"), id: "forward" });
    this.present = button(t("position.present"), () => onpick(null), { id: "present" });
    this.element = h("div", { class: "slider" }, this.back, this.range, this.forward, this.text, this.present);
  }

  show(step, steps, live) {
    this.range.max = steps;
    this.range.value = step;
    this.back.disabled = step === 0;
    this.forward.disabled = step >= steps;
    this.present.disabled = live;
    put(this.text, `${step} / ${steps}`);
    this.range.setAttribute("aria-valuetext", t("position.of", { step, steps }));
  }
}

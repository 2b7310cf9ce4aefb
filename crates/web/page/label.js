// Labelling (paper 000, section 7.1): the opponent's actions one by one, "I would play this", "bad", "not sure".

import { change, get, query } from "./calls.js";
import { button, field, h, notice, put } from "./dom.js";
import { recall, remember } from "./memory.js";
import { seatMark } from "./seats.js";
import { wordsIn } from "./match/thoughts.js";
import { catalogue, t } from "./strings.js";

const LABELS = [[1, "labels.would"], [0, "labels.bad"], [0.5, "labels.unsure"]];

/** The panel beside a match page. */
export class LabelPanel {
  constructor(page) {
    this.page = page;
    this.entries = null;
    this.index = 0;
    this.by = h("input", { type: "text", value: recall("name", t("setup.you")), maxlength: 40, id: "label-by",
      onchange: () => { remember("name", this.by.value.trim()); this.open(); } });
    this.body = h("div", { class: "stack tight label-body" });
    this.element = h("div", { class: "stack tight" }, h("p", { class: "small soft" }, t("labels.about")),
      field(t("labels.by"), this.by), this.body);
  }

  /** Who labels. */
  get name() {
    return this.by.value.trim() || t("setup.you");
  }

  /** Loads the labels and goes to the first action without one. */
  async open() {
    try {
      const { labels } = await get(`/api/matches/${this.page.id}/labels` + query({ by: this.name }));
      this.own = labels.filter((entry) => entry.own).length;
      this.entries = labels.filter((entry) => !entry.own);
    } catch (error) {
      this.entries = null;
      put(this.body, h("p", { class: "empty" }, error.message));
      return;
    }
    this.go(this.unlabelled(0));
  }

  /** The next action without a label from `from` on, else `from`. */
  unlabelled(from) {
    const next = this.entries.findIndex((entry, index) => index >= from && entry.label === null);
    return next < 0 ? Math.max(0, Math.min(from, this.entries.length - 1)) : next;
  }

  go(index) {
    this.index = index;
    const entry = this.entries[index];
    if (entry && this.page.shown.step !== entry.step) this.page.goTo(entry.step);
    this.draw();
  }

  /** Another position is on the board. */
  position() {
    if (this.page.tabs?.current === "labels" && this.entries) this.draw();
  }

  draw() {
    const entry = this.entries[this.index];
    if (!entry) {
      put(this.body, h("p", { class: "empty" }, t("labels.none")));
      return;
    }
    const done = this.entries.filter(({ label }) => label !== null).length;
    put(this.body,
      h("p", { class: "label-action" }, h("span", seatMark(this.page.live.players[entry.player], entry.player),
        catalogue(this.page.live.players[entry.player])), " ",
        h("b", { id: "label-action", data: { action: entry.action } }, this.words(entry))),
      h("div", { class: "label-buttons" }, LABELS.map(([value, name], index) =>
        button([h("kbd", null, index + 1), " ", t(name)], () => this.set(value),
          { "aria-pressed": String(entry.label === value), data: { label: value } }))),
      h("div", { class: "buttons" },
        button(t("labels.back"), () => this.go(this.index - 1), { disabled: this.index === 0 }),
        button(t("labels.next"), () => this.go(this.index + 1), { disabled: this.index + 1 >= this.entries.length }),
        button(t("labels.clear"), () => this.set(null), { disabled: entry.label === null })),
      h("progress", { max: this.entries.length, value: done, "aria-label": t("labels.progress.name") }),
      h("p", { class: "small soft", id: "label-progress", data: { done, step: entry.step } },
        t("labels.progress", { at: this.index + 1, total: this.entries.length, done, own: this.own })));
    this.mark(entry);
  }

  /** The action as people write it, once its position is shown. */
  words(entry) {
    const { shown } = this.page;
    return wordsIn(shown?.step === entry.step ? shown : null, entry.player)(entry.action);
  }

  /** Shows the action on the board of the position before it. */
  mark(entry) {
    const { shown, board } = this.page;
    if (!shown || shown.step !== entry.step) return;
    const action = shown.legal.find(({ player }) => player === entry.player)?.actions.find(({ text }) =>
      text === entry.action);
    board.arrows(action ? [{ areas: action.clicks, weight: 1 }] : []);
  }

  async set(label) {
    const entry = this.entries[this.index];
    if (!entry) return;
    try {
      await change(`/api/matches/${this.page.id}/labels/${entry.step}`, { label, by: this.name, player: entry.player });
      entry.label = label;
    } catch (error) {
      notice(error.message, "error");
      return;
    }
    if (label === null) this.draw();
    else this.go(this.unlabelled(Math.min(this.index + 1, this.entries.length - 1)));
  }

  /** Takes a key; was it one of ours? */
  key(key) {
    const label = { 1: LABELS[0][0], 2: LABELS[1][0], 3: LABELS[2][0] }[key];
    if (label === undefined || !this.entries) return false;
    this.set(label);
    return true;
  }
}

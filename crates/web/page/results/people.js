// A table that people play: the reader is led through the protocol, and the results stand beside the paper's.

import { get, post } from "../calls.js";
import { button, field, h, notice, put } from "../dom.js";
import { percent } from "../format.js";
import { keepKeys, recall, remember } from "../memory.js";
import { own, t, titleText } from "../strings.js";

/** The page. */
export function peoplePage(main, id) {
  new PeoplePage(main, id);
}

class PeoplePage {
  constructor(main, id) {
    this.id = id;
    this.told = null;
    this.entry = null;
    this.body = h("div", { class: "stack" }, h("p", { class: "soft" }, t("loading")));
    this.title = h("h1", null, h("code", null, id));
    this.name = h("input", { type: "text", id: "nickname", maxlength: 40, value: recall("name", t("setup.you")),
      onchange: () => { remember("name", this.name.value.trim()); this.show(); } });
    put(main, h("div", { class: "title" }, this.title, h("p", null, t("people.about"))), this.body);
    this.load();
  }

  async load() {
    try {
      [this.told, this.entry] = await Promise.all([get(`/api/people/${this.id}`), get(`/api/library/${this.id}`)]);
      put(this.title, h("code", null, this.id), " ", own(this.entry, "title"));
      this.show();
    } catch (error) {
      put(this.body, h("p", { class: "empty" }, error.message));
    }
  }

  get person() {
    return this.name.value.trim() || t("setup.you");
  }

  show() {
    const { told } = this;
    put(this.body,
      h("section", { class: "card stack tight" }, h("h2", null, t("people.next")),
        h("p", { class: "small soft" }, t("people.protocol", { game: titleText(told.title), matches: told.matches })),
        field(t("people.nickname"), this.name),
        h("ul", { class: "plain-list" }, told.opponents.map((opponent, number) => this.line(opponent, number)))),
      h("section", { class: "card" }, h("h2", null, t("people.results")), this.results()));
  }

  /** What the reader does next against one opponent. */
  line(opponent, number) {
    const own = opponent.people[this.person];
    const begun = own?.begun ?? 0;
    const action = own?.unfinished ? h("a", { class: "button primary", href: `#/match/${own.unfinished}` },
      t("people.resume")) : begun >= this.told.matches ? h("span", { class: "chip on" }, t("people.done"))
      : button(t("people.start", { number: begun + 1, matches: this.told.matches,
        side: t(begun % 2 === 0 ? "people.first" : "people.second") }), () => this.begin(opponent, number, begun),
        { class: "primary", data: { opponent: number } });
    return h("li", { class: "run-line" }, h("span", null, opponent.label), action);
  }

  async begin({ agent, budget }, number, begun) {
    const person = { person: this.person };
    const limits = Object.fromEntries((budget ?? "").split(",").filter(Boolean).map((part) => part.split("=")));
    const opponent = { agent, ...(limits.playouts ? { budget: { playouts: Number(limits.playouts) } } : {}) };
    try {
      remember("name", this.person);
      const { id, keys } = await post("/api/matches", { game: this.told.game,
        seats: begun % 2 === 0 ? [person, opponent] : [opponent, person],
        protocol: { table: this.id, opponent: number } });
      keepKeys(id, keys);
      location.hash = `#/match/${id}`;
    } catch (error) {
      notice(error.message, "error");
    }
  }

  results() {
    const row = (label, result) => h("tr", null, h("td", null, label),
      h("td", { class: "n" }, result.win_rate === null ? "–" : h("b", null, percent(result.win_rate, 0))),
      h("td", { class: "n soft" }, result.interval ? `${percent(result.interval[0], 0)}–${percent(result.interval[1],
        0)}` : "–"),
      h("td", { class: "n" }, `${result.wins}-${result.draws}-${result.losses}`));
    return h("div", { class: "scroll", tabindex: 0 },
      h("table", { class: "people-results" }, h("thead", null, h("tr", null,
      h("th", { scope: "col" }, t("people.who")), h("th", { class: "n", scope: "col" }, t("people.rate")),
      h("th", { class: "n", scope: "col" }, "95%"), h("th", { class: "n", scope: "col" }, t("people.wdl")))),
    h("tbody", null, this.told.opponents.map((opponent) => [
      h("tr", { class: "group" }, h("th", { colspan: 4, scope: "rowgroup" }, opponent.label)),
      h("tr", null, h("td", null, t("table.paper"), opponent.note
        ? h("div", { class: "soft small", lang: "en" }, opponent.note)
        : null), h("td", { class: "n" }, percent(opponent.published, 0)),
        h("td", { class: "n soft" }, opponent.published_interval
          ? `${percent(opponent.published_interval[0], 0)}–${percent(opponent.published_interval[1], 0)}` : "–"),
        h("td", { class: "n soft" }, `/ ${opponent.published_matches}`)),
      row(t("people.all"), opponent.all),
      Object.entries(opponent.people).map(([name, result]) => row(name, result))]))));
  }
}

// All matches of the lab: those in progress, finished ones, and replays opened from files.

import { get, post, query, remove } from "./calls.js";
import { button, h, notice, put, select } from "./dom.js";
import { moment } from "./format.js";
import { keysOf } from "./memory.js";
import { outcome } from "./status.js";
import { seatMark } from "./seats.js";
import { t, titleText } from "./strings.js";

/** The page. */
export function replaysPage(main) {
  new Replays(main);
}

const PAGE = 25;

class Replays {
  constructor(main) {
    this.offset = 0;
    this.state = "all";
    this.list = h("div", { id: "match-list" }, h("p", { class: "soft" }, t("loading")));
    const file = h("input", { type: "file", accept: ".json,application/json", class: "unseen", id: "replay-file",
      "aria-label": t("replays.open"), onchange: () => this.open(file) });
    const states = [["all", t("replays.all")], ["live", t("replays.live")], ["over", t("replays.over")]];
    put(main,
      h("div", { class: "title" }, h("h1", null, t("nav.replays")), h("p", null, t("replays.about"))),
      h("section", { class: "card stack" },
        h("div", { class: "toolbar" },
          select(states, "all", (state) => { this.state = state; this.offset = 0; this.load(); },
          { "aria-label": t("replays.which") }), file, button(t("replays.open"), () => file.click(),
          { class: "primary" })),
        this.list));
    this.load();
  }

  async load() {
    const { total, matches } = await get("/api/matches" + query({ offset: this.offset, limit: PAGE,
      state: this.state }));
    const turn = (change) => () => {
      this.offset += change;
      this.load();
    };
    put(this.list, total === 0 ? h("p", { class: "empty" }, t("replays.none")) : [
      h("ul", { class: "plain-list" }, matches.map((match) => this.item(match))),
      h("div", { class: "pages" }, button(t("store.before"), turn(-PAGE), { disabled: this.offset === 0 }),
        h("span", { class: "number soft small" },
          `${this.offset + 1}–${Math.min(total, this.offset + PAGE)} / ${total}`),
          button(t("store.after"), turn(PAGE), { disabled: this.offset + PAGE >= total }))]);
  }

  item(match) {
    const keys = keysOf(match.id);
    const who = match.seats.map((seat) => h("span", seatMark(seat.name, seat.player),
      seat.kind === "agent" ? seat.agent : seat.kind === "person" ? seat.person : t("seat.open")));
    return h("li", { class: "match-item" },
      h("a", { class: "entry", href: `#/match/${match.id}${match.origin === "play" ? "" : "/0"}`,
        data: { match: match.id } },
        h("span", { class: "entry-title" }, h("b", null, match.title || titleText(match.game_title)),
          h("span", { class: "match-who" }, who),
          h("span", { class: "soft small" }, [moment(1000 * match.updated), t("replays.steps", { count: match.steps }),
            match.over ? outcome(match, keys) : t("replays.going")].join(" · "))),
        h("span", { class: `chip ${match.over ? "" : "on"}` }, t(`origin.${match.origin}`))),
      Object.keys(keys).length > 0 ? button(t("replays.remove"), () => this.remove(match.id, Object.values(keys)[0]),
        { class: "plain", "aria-label": t("replays.remove.name", { name: match.title || match.game }) }) : null);
  }

  async remove(id, key) {
    try {
      await remove(`/api/matches/${id}`, { key });
    } catch (error) {
      notice(error.message, "error");
    }
    this.load();
  }

  async open(input) {
    const [file] = input.files;
    if (!file) return;
    try {
      const { id, study } = await post("/api/replays", await file.text());
      location.hash = study ? `#/match/${id}/study/${study}` : `#/match/${id}/0`;
    } catch (error) {
      notice(error.message, "error");
    }
    input.value = "";
  }
}

// Teaching (paper 000): label actions, learn a table of memberships from the labels, play against it.

import { change, get, post } from "../calls.js";
import { button, field, h, notice, put } from "../dom.js";
import { count, number } from "../format.js";
import { keepKeys, recall } from "../memory.js";
import { translatePlot } from "../results/plots.js";
import { catalogue, t, titleText } from "../strings.js";

/** The page; `name` is a table to show. */
export function teachPage(main, name) {
  new TeachPage(main, name);
}

/** The game that tables are for: the map of paper 000's experiments here. */
const GAME = "tubstap(map=meadow)";

class TeachPage {
  constructor(main, name) {
    this.labels = h("div");
    this.tables = h("div");
    this.shown = h("div", { id: "learned" });
    this.name = h("input", { type: "text", id: "table-name", value: t("teach.name.usual"), maxlength: 40 });
    const file = h("input", { type: "file", accept: ".csv,text/csv", class: "unseen", id: "table-file",
      "aria-label": t("teach.upload"), onchange: () => this.upload(file) });
    put(main,
      h("div", { class: "title" }, h("h1", null, t("nav.teach")), h("p", null, t("teach.about"))),
      h("div", { class: "columns" },
        h("div", { class: "stack" },
          h("section", { class: "card stack tight" }, h("h2", null, t("teach.step1")), h("p", { class: "small soft" },
            t("teach.step1.about")), h("div", { class: "buttons" },
            button(t("teach.play"), () => this.play("unit-uct-10"), { id: "teach-play" }),
            h("a", { class: "button", href: "#/replays" }, t("nav.replays"))), this.labels),
          h("section", { class: "card stack tight" }, h("h2", null, t("teach.step2")),
            field(t("teach.name"), this.name),
            h("div", { class: "buttons" }, button(t("teach.learn"), () => this.learn(), { class: "primary",
              id: "learn" }), file, button(t("teach.upload"), () => file.click()))),
          h("section", { class: "card" }, h("h2", null, t("teach.step3")), this.tables),
          h("section", { class: "card" }, h("h2", null, t("train")), h("p", { class: "small soft" }, t("train.about")),
            h("a", { class: "button", href: "#/train", id: "train" }, t("train.open")))),
        h("section", { class: "card" }, h("h2", null, t("teach.changed")), this.shown)));
    put(this.shown, h("p", { class: "empty" }, t("teach.none")));
    this.load();
    if (name) this.open(name);
  }

  async load() {
    const { games, tables } = await get("/api/tables");
    put(this.labels, games.length === 0 ? h("p", { class: "empty" }, t("teach.nolabels"))
      : h("ul", { class: "plain-list small" }, games.map(({ game, counts }) => h("li", { data: { labels: game } },
        titleText(game === "tubstap" ? "TUBSTAP" : game), ": ", t("teach.counts", { ...counts })))));
    put(this.tables, tables.length === 0 ? h("p", { class: "empty" }, t("teach.notables"))
      : h("ul", { class: "plain-list" }, tables.map(({ name, agent }) => h("li", { class: "run-line",
        data: { table: name } }, h("span", null, shortName(name)), h("span", { class: "buttons" },
        button(t("teach.show"), () => this.open(name), { class: "plain" }),
        button(t("home.play"), () => this.play(agent), { class: "primary" }))))));
  }

  async learn() {
    try {
      this.show(await post("/api/tables", { game: GAME, name: this.name.value.trim() || t("teach.name.usual") }));
      this.load();
    } catch (error) {
      notice(error.message, "error");
    }
  }

  async upload(input) {
    const [file] = input.files;
    if (!file) return;
    try {
      this.show(await change("/api/tables", { name: file.name, text: await file.text() }));
      this.load();
    } catch (error) {
      notice(error.message, "error");
    }
    input.value = "";
  }

  async open(name) {
    try {
      this.show(await get(`/api/tables/${encodeURIComponent(name)}`));
    } catch (error) {
      notice(error.message, "error");
    }
  }

  /** A table, and how the agent that plays with it changed. */
  show(learned) {
    const [before, after] = learned.plots.map((svg) =>
      document.importNode(new DOMParser().parseFromString(svg, "image/svg+xml").documentElement, true));
    [before, after].forEach(translatePlot);
    put(this.shown,
      h("p", null, h("b", null, shortName(learned.name)), " ", h("span", { class: "soft small" },
        t("teach.figures", { samples: count(learned.samples), vectors: count(learned.vectors) }))),
      h("div", { class: "plots learned-plots" }, h("figure", null, before, h("figcaption", null, t("teach.before"))),
        h("figure", null, after, h("figcaption", null, t("teach.after")))),
      learned.changes.length === 0 ? h("p", { class: "soft" }, t("teach.same"))
        : h("div", { class: "scroll", tabindex: 0 },
        h("table", null, h("thead", null, h("tr", null, learned.features.map((name) =>
          h("th", { class: "n", scope: "col" }, t(`feature-name.${name}`))), ["before", "after"].map((name) =>
          h("th", { class: "n", scope: "col" }, t(`teach.${name}`))))),
        h("tbody", null, learned.changes.map(({ features, before: old, after: now }) => h("tr", null,
          features.map((value, at) => h("td", { class: "n" }, featureText(learned.features[at], value))),
          h("td", { class: "n" }, number(old, 2)), h("td", { class: "n" }, h("b", null, number(now, 2)))))))),
      h("p", { class: "small soft" }, t("teach.meaning")),
      h("div", { class: "buttons" }, button(t("home.play"), () => this.play(learned.agent), { class: "primary",
        id: "play-learned" })));
  }

  /** A match against an agent. */
  async play(agent) {
    try {
      const seats = [{ person: recall("name", t("setup.you")) }, { agent }];
      const { id, keys } = await post("/api/matches", { game: GAME, seats });
      keepKeys(id, keys);
      location.hash = `#/match/${id}`;
    } catch (error) {
      notice(error.message, "error");
    }
  }
}

/** The units in the order in which features number them, from 1. */
const UNITS = ["fighter", "attacker", "panzer", "cannon", "antiair", "infantry"];

/** A feature's value; kinds of units by their name. */
function featureText(name, value) {
  if (name !== "unit" && name !== "target") return number(value, Number.isInteger(value) ? 0 : 2);
  return value === 0 ? t("feature-name.none") : catalogue(UNITS[value - 1] ?? String(value));
}

function shortName(name) {
  return name.replace(/^upload:/, "").replace(/\.csv$/, "");
}

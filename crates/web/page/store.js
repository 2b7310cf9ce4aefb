// The results of a store: cross tables, ladder, pairings, the report with its plots, and every match.

import { get, listen, post, query } from "./calls.js";
import { button, h, notice, put } from "./dom.js";
import { count, number, percent } from "./format.js";
import { progressLines } from "./results.js";
import { plotSection } from "./results/plots.js";
import { noteTitles, storeTitle, titlesNoted } from "./results/titles.js";
import { ourCell } from "./table.js";
import { language, t } from "./strings.js";

/** The page. */
export function storePage(main, name) {
  const page = new StorePage(main, name);
  return () => page.socket?.close();
}

const PAGE = 25;

class StorePage {
  constructor(main, name) {
    this.name = name;
    this.path = `/api/stores/${encodeURIComponent(name)}`;
    this.summaries = h("div", { class: "stack" }, h("p", { class: "soft" }, t("loading")));
    this.plots = h("div");
    this.matches = h("div");
    this.running = h("div", { class: "running" });
    this.offset = 0;
    put(main,
      h("div", { class: "title" }, h("h1", null, h("code", null, name)),
        h("p", null, h("a", { href: `${this.path}/report`, target: "_blank", rel: "noopener", id: "report" },
        t("store.report")))),
      h("div", { class: "stack" }, this.running, this.summaries, this.plots,
        h("section", { class: "card" }, h("h2", null, t("store.matches")), this.matches)));
    this.load();
    this.socket = listen("/api/experiments/live", (message) => this.progress(message));
  }

  async load() {
    try {
      const { summaries } = await get(this.path);
      if (language() === "ja" && !titlesNoted()) noteTitles((await get("/api/experiments")).library);
      put(this.summaries, summaries.map((summary) => this.summary(summary)));
      put(this.plots, plotSection(`${this.path}/plots`));
    } catch (error) {
      put(this.summaries, h("p", { class: "empty" }, error.message));
    }
    this.loadMatches();
  }

  progress({ running, queue, ended }) {
    const ours = running?.store === this.name;
    put(this.running, ours ? h("section", { class: "card" }, progressLines(running, [], [])) : null);
    const state = JSON.stringify([ours, queue.length, ended.filter(({ store }) => store === this.name)]);
    if (this.state !== undefined && state !== this.state) this.load();
    this.state = state;
  }

  summary(summary) {
    const games = [...new Set(summary.results.map(({ game }) => game))];
    return h("section", { class: "card stack" },
      h("div", null, h("h2", null, storeTitle(this.name, summary.title)), summary.about
        ? h("p", { class: "soft small", lang: "en" }, summary.about) : null,
        h("p", { class: "small soft number" },
          t("store.line", { matches: count(summary.matches), pairs: count(summary.pairs), seed: summary.seed,
          fouls: summary.fouls }), " ",
          h("span", { class: `chip ${summary.complete ? "on" : ""}` },
            t(summary.complete ? "results.complete" : "results.partial")))),
      games.map((game) => {
        const results = summary.results.filter((result) => result.game === game);
        const rating = summary.ratings.find((entry) => entry.game === game);
        return h("div", { class: "stack tight" }, h("h3", null, game), crossTable(results),
          h("div", { class: "columns" }, pairings(results), ladder(rating?.ratings, summary.agents)));
      }),
      games.length > 1 ? h("div", null, h("h3", null, t("store.overall")),
        ladder(summary.ratings.find((entry) => !entry.game)?.ratings, summary.agents)) : null);
  }

  async loadMatches() {
    const { total, matches } = await get(this.path + "/matches" + query({ offset: this.offset, limit: PAGE }));
    const turn = (change) => () => {
      this.offset += change;
      this.loadMatches();
    };
    put(this.matches, total === 0 ? h("p", { class: "empty" }, t("store.none")) : [
      h("div", { class: "scroll", tabindex: 0 }, h("table", null,
        h("thead", null, h("tr", null, ["number", "game", "agents", "payoffs", "steps", "open"]
          .map((name) => h("th", { scope: "col" }, name === "open"
          ? h("span", { class: "unseen" }, t("store.open")) : t(`store.${name}`))))),
        h("tbody", null, matches.map((match) => h("tr", null, h("td", { class: "number" }, match.number),
          h("td", null, match.game), h("td", null, match.labels.join(" – ")),
          h("td", { class: "number" }, match.payoffs?.map((payoff) => number(payoff, Number.isInteger(payoff) ? 0 : 2))
            .join(" : ") ?? "–", match.foul ? h("span", { class: "chip bad" }, t("store.foul")) : null),
          h("td", { class: "number" }, match.steps),
            h("td", null, button(t("store.open"), () => this.open(match.number),
            { class: "plain", data: { match: match.number } }))))))),
      h("div", { class: "pages" }, button(t("store.before"), turn(-PAGE), { disabled: this.offset === 0 }),
        h("span", { class: "number soft small" },
          `${this.offset + 1}–${Math.min(total, this.offset + PAGE)} / ${count(total)}`),
          button(t("store.after"), turn(PAGE), { disabled: this.offset + PAGE >= total }))]);
  }

  async open(number) {
    try {
      const { id } = await post(`${this.path}/matches/${number}`);
      location.hash = `#/match/${id}/0`;
    } catch (error) {
      notice(error.message, "error");
    }
  }
}

/** Win rates of the row against the column. */
function crossTable(results) {
  const names = [...new Set(results.flatMap(({ first, second }) => [first, second]))];
  const rate = (row, column) => {
    const direct = results.find(({ first, second }) => first === row && second === column);
    const reversed = results.find(({ first, second }) => first === column && second === row);
    return direct?.win_rate ?? (reversed?.win_rate === null || reversed === undefined ? null : 1 - reversed.win_rate);
  };
  const cell = (row, column) => {
    if (row === column) return h("td", { class: "n soft" }, "·");
    const value = rate(row, column);
    const colour = value >= 0.5 ? "--good" : "--bad";
    const strength = Math.round(60 * Math.abs(value - 0.5));
    const wash = value === null ? "" : `background:color-mix(in srgb, var(${colour}) ${strength}%, transparent)`;
    return h("td", { class: "n", style: wash }, percent(value, 0));
  };
  return h("div", { class: "scroll", tabindex: 0 },
    h("table", { class: "cross" }, h("caption", { class: "unseen" }, t("store.cross")),
    h("thead", null, h("tr", null, h("th"), names.map((name) => h("th", { class: "n", scope: "col" }, name)))),
    h("tbody", null, names.map((row) => h("tr", null, h("th", { scope: "row" }, row),
      names.map((column) => cell(row, column)))))));
}

function pairings(results) {
  return h("div", { class: "scroll", tabindex: 0 }, h("table", null,
    h("thead", null, h("tr", null, h("th", { scope: "col" }, t("table.first")),
      h("th", { scope: "col" }, t("table.second")), h("th", { class: "n", scope: "col" }, t("table.paper")),
      h("th", { class: "n", scope: "col" }, t("store.ours")))),
    h("tbody", null, results.map((result) => h("tr", null, h("td", null, result.first), h("td", null, result.second),
      h("td", { class: "n" }, percent(result.published?.result.win_rate ?? null)),
      h("td", { class: "n" }, ourCell(result)))))));
}

/** Ratings, the best first, with bars for their intervals. */
function ladder(ratings, agents) {
  if (!ratings) return null;
  const rows = ratings.agents.map(({ elo, interval }, index) => ({ elo, low: interval?.[0] ?? null,
    high: interval?.[1] ?? null, label: agents[index]?.label ?? String(index) })).filter(({ elo }) => elo !== null)
    .sort((a, b) => b.elo - a.elo);
  const least = Math.min(...rows.map(({ elo, low }) => low ?? elo));
  const width = Math.max(1, Math.max(...rows.map(({ elo, high }) => high ?? elo)) - least);
  const place = (elo) => (100 * (elo - least)) / width;
  const bar = (low, high) => `left:${place(low)}%;width:${Math.max(1, place(high) - place(low))}%`;
  return h("div", { class: "scroll", tabindex: 0 }, h("table", { class: "ladder" },
    h("thead", null, h("tr", null, h("th", { scope: "col" }, t("agent")),
      h("th", { class: "n", scope: "col" }, "Elo"), h("th", { class: "n", scope: "col" }, "95%"),
      h("th", { "aria-hidden": "true" }))),
    h("tbody", null, rows.map(({ label, elo, low, high }) => h("tr", null, h("td", null, label),
      h("td", { class: "n" }, number(elo, 0)),
      h("td", { class: "n soft" }, `${number(low, 0)} … ${number(high, 0)}`),
      h("td", { class: "ladder-bar", "aria-hidden": "true" },
        h("span", { style: bar(low ?? elo, high ?? elo) })))))));
}

// One table of the library: what the paper printed beside what we have, and a form to play it.

import { get, listen, post } from "./calls.js";
import { button, field, h, notice, put, select } from "./dom.js";
import { count, percent, seconds } from "./format.js";
import { forestTable, progressLines } from "./results.js";
import { plotSection } from "./results/plots.js";
import { noteTitles } from "./results/titles.js";
import { own, t } from "./strings.js";

/** The page. */
export function tablePage(main, id) {
  const page = new TablePage(main, id);
  return () => page.socket?.close();
}

class TablePage {
  constructor(main, id) {
    this.main = main;
    this.id = id;
    this.socket = null;
    this.load();
  }

  async load() {
    try {
      const [entry, all] = await Promise.all([get(`/api/library/${this.id}`), get("/api/experiments")]);
      const stores = all.library.find(({ id }) => id === this.id)?.stores ?? [];
      const results = await Promise.all(stores.map((name) => get(`/api/stores/${encodeURIComponent(name)}`)
        .catch(() => null)));
      this.ended = JSON.stringify(all.ended);
      noteTitles(all.library);
      this.show(entry, results.filter(Boolean));
      this.socket ??= listen("/api/experiments/live", (message) => this.progress(message));
    } catch (error) {
      put(this.main, h("p", { class: "empty" }, error.message));
    }
  }

  progress({ running, queue, ended }) {
    put(this.running, progressLines(running, queue, ended));
    if (JSON.stringify(ended) !== this.ended) this.load();
  }

  show(entry, results) {
    this.running = h("div", { class: "running" });
    put(this.main,
      h("div", { class: "title" }, h("h1", null, h("code", null, entry.id), " ", own(entry, "title")),
        entry.about ? h("p", { lang: "en" }, withCode(entry.about)) : null),
      h("div", { class: "stack" },
        entry.committed ? h("section", { class: "card stack tight", id: "committed" },
          h("h2", null, t("table.committed")),
          entry.committed.rows.length > 0 ? forestTable(entry.committed.rows) : null,
          h("details", null, h("summary", null, t("table.everything")),
            committedText(entry.committed_html))) : null,
        entry.committed ? plotSection(`/api/plots/${entry.id}`) : null,
        results.length > 0 || (entry.published.length > 0 && !entry.committed) ? h("section", { class: "card" },
          h("h2", null, t("table.numbers")), comparison(entry, results)) : null,
        h("div", { class: "columns" },
          h("section", { class: "card stack tight" }, h("h2", null, t("table.play")), entry.state === "ready"
            ? this.form(entry) : entry.people ? h("a", { class: "button primary", href: `#/people/${entry.id}` },
              t("people.open")) : h("p", { class: "soft" }, entry.by_hand
                ? withCode(own(entry, "by_hand")) : t("table.needs", { needs: own({ needs: entry.waits_for,
                  needs_ja: entry.needs_ja }, "needs") })),
            h("div", null, this.running)),
          entry.toml === null ? null : h("section", { class: "card stack tight" }, h("h2", null, t("table.setting")),
            entry.games.length === 0 ? null : h("div", null, h("h3", null, t("table.games")),
              h("ul", { class: "plain-list small" },
              entry.games.map(({ label, address }) => h("li", null, label === address ? null
              : [h("span", { translate: "no" }, label), ": "],
              h("code", null, address))))),
            entry.agents.length === 0 ? null : h("div", null, h("h3", null, t("table.agents")),
              h("ul", { class: "plain-list small" },
              entry.agents.map(({ label, address, budget }) => h("li", null, label === address ? null
              : [h("span", { translate: "no" }, label), ": "],
              h("code", null, address), " ", h("span", { class: "soft" }, budget))))),
            entry.toml ? h("details", null, h("summary", null, t("table.file")),
              h("pre", { class: "scroll file", tabindex: 0 }, entry.toml)) : null))));
  }

  form(entry) {
    let scale = "quick";
    const cost = h("p", { class: "small soft", id: "cost", role: "status" });
    const pairs = h("input", { type: "number", min: 1, step: 1, placeholder: t("table.pairs.usual"), id: "pairs",
      onchange: () => estimate() });
    const wanted = () => ({ name: entry.id, scale, pairs: pairs.value === "" ? undefined : pairs.valueAsNumber });
    const estimate = async () => {
      put(cost, t("loading"));
      const told = await post("/api/experiments/estimate", wanted()).catch((error) => error);
      put(cost, told instanceof Error ? told.message : told.matches === 0 ? t("experiment.cost.none")
        : t("experiment.cost", { matches: count(told.matches), time: seconds(told.seconds) }));
    };
    estimate();
    const start = async () => {
      try {
        const { store } = await post("/api/experiments", wanted());
        notice(t("results.started", { store }));
      } catch (error) {
        notice(error.message, "error");
      }
    };
    return h("div", { class: "stack tight" },
      h("div", { class: "fields" },
        field(t("table.scale"), select([["quick", t("results.quick", { pairs: entry.quick?.pairs ?? "?" })],
          ["full", t("results.full", { pairs: entry.full?.pairs ?? "?" })]], scale, (value) => {
          scale = value;
          estimate();
        }, { id: "scale" })), field(t("table.pairs"), pairs)), cost,
      h("div", { class: "buttons" }, button(t("results.start"), start, { class: "primary", id: "experiment-start" })));
  }
}

/** A text in which what is between backticks is code. */
function withCode(text) {
  return text.split("`").map((part, index) => (index % 2 === 1 ? h("code", null, part) : part));
}

/** A section of the committed pages; the server made its HTML from the program's own Markdown. */
function committedText(html) {
  return h("div", { class: "committed scroll", tabindex: 0, lang: "en" },
    [...new DOMParser().parseFromString(html ?? "", "text/html").body.childNodes]);
}

/** The paper's numbers beside those of each store. */
function comparison(entry, results) {
  const ours = results.flatMap(({ name, summaries }) => summaries.map((summary) => ({ name, summary })));
  const key = ({ game, first, second }) => JSON.stringify([game, first, second]);
  const rows = new Map(entry.published.map((published) => [key(published),
    { ...published, published, found: new Map() }]));
  for (const { name, summary } of ours) {
    for (const result of summary.results) {
      const row = rows.get(key(result)) ?? { ...result, published: result.published?.result ?? null, found: new Map() };
      row.found.set(name, result);
      rows.set(key(result), row);
    }
  }
  const several = new Set([...rows.values()].map(({ game }) => game)).size > 1;
  return h("div", { class: "scroll", tabindex: 0 }, h("table", { class: "compare" },
    h("thead", null, h("tr", null, several ? h("th", { scope: "col" }, t("table.game")) : null,
      h("th", { scope: "col" }, t("table.first")), h("th", { scope: "col" }, t("table.second")),
      h("th", { class: "n", scope: "col" }, t("table.paper")),
        results.map(({ name }) => h("th", { class: "n", scope: "col" }, h("a", { href: `#/store/${name}` }, name))))),
    h("tbody", null, [...rows.values()].map(({ game, first, second, published, found }) => h("tr", null,
      several ? h("td", null, game) : null, h("td", null, first), h("td", null, second),
      h("td", { class: "n", title: published?.note }, published ? [percent(published.win_rate),
        published.games ? h("span", { class: "soft small" }, ` / ${count(published.games)}`) : null] : "–"),
      results.map(({ name }) => h("td", { class: "n" }, ourCell(found.get(name)))))))));
}

/** Our win rate with its interval, the games it rests on, and whether it agrees with the paper. */
export function ourCell(result) {
  if (!result || result.win_rate === null) return "–";
  const verdict = result.published?.agreement?.verdict;
  const games = result.wins + result.draws + result.losses;
  return [h("b", null, percent(result.win_rate)), result.interval ? h("span", { class: "soft small" },
    ` ${percent(result.interval[0], 0)}–${percent(result.interval[1], 0)}`) : null,
    h("span", { class: "soft small" }, ` / ${count(games)}`), verdict
      ? h("div", null, h("span", { class: `chip ${verdict === "agrees" ? "on" : verdict === "differs" ? "bad" : ""}` },
      t(`verdict.${verdict}`))) : null];
}

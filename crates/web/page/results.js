// Results: the papers with what came out, what runs, what is stored, and a form for experiments.

import { get, listen, post } from "./calls.js";
import { button, h, notice, put } from "./dom.js";
import { count, percent } from "./format.js";
import { queueCard } from "./queue.js";
import { ExperimentForm } from "./results/experiment.js";
import { forestRow } from "./results/forest.js";
import { noteTitles, storeTitle } from "./results/titles.js";
import { own, t } from "./strings.js";

/** The page. */
export function resultsPage(main) {
  const page = new Results(main);
  return () => page.socket.close();
}

class Results {
  constructor(main) {
    this.papers = h("div", { class: "stack", id: "papers" }, h("p", { class: "soft" }, t("loading")));
    this.running = h("div", { class: "running", id: "running" });
    this.library = h("div");
    this.stores = h("div");
    this.form = new ExperimentForm();
    put(main,
      h("div", { class: "title" }, h("h1", null, t("results")), h("p", null, t("results.about"))),
      h("div", { class: "columns results" },
        this.papers,
        h("div", { class: "stack" },
          h("section", { class: "card", "aria-live": "polite" }, h("h2", null, t("results.running")), this.running),
          h("section", { class: "card" }, h("h2", null, t("results.own")), this.form.element),
          queueCard(),
          h("section", { class: "card" }, h("h2", null, t("results.stores")), this.stores),
          h("section", { class: "card" }, h("h2", null, t("results.tables")), this.library))));
    this.load();
    this.socket = listen("/api/experiments/live", (message) => this.progress(message));
  }

  async load() {
    const [told, papers] = await Promise.all([get("/api/experiments"), this.told ? this.told : get("/api/papers")]);
    this.told = papers;
    noteTitles(told.library);
    this.ended = JSON.stringify(told.ended);
    put(this.papers, papers.map((paper) => paperCard(paper)));
    put(this.library, groups(told.library)
      .map(([group, entries]) => h("details", { class: "table-group" },
      h("summary", null, groupName(group), " ", h("span", { class: "chip" }, entries.length)),
      h("ul", { class: "plain-list" },
        entries.map((entry) => h("li", null,
        h("a", { class: "entry", href: entry.people ? `#/people/${entry.id}` : `#/table/${entry.id}`,
          data: { table: entry.id } },
        h("span", { class: "entry-title" }, h("code", null, entry.id), " ", own(entry, "title")),
        h("span", { class: `chip ${entry.state === "ready" ? "on" : ""}` }, entry.stores.length > 0
          ? t("results.played") : entry.committed ? t("results.committed") : t(`results.${entry.state}`)))))))));
    put(this.stores, told.stores.length === 0 ? h("p", { class: "empty" }, t("results.stores.none")) : h("ul",
      { class: "plain-list" }, told.stores.map((store) =>
      h("li", null, h("a", { class: "entry", href: `#/store/${store.name}`, data: { store: store.name } },
        h("span", { class: "entry-title" }, storeTitle(store.name, store.title), h("br"),
        h("code", { class: "soft" }, store.name)),
        h("span", { class: `chip ${store.error ? "bad" : ""}` }, store.error
          ? t("results.broken") : t("results.matches", { count: count(store.matches) })))))));
    this.progress(told);
  }

  progress({ running, queue, ended }) {
    put(this.running, progressLines(running, queue, ended));
    if (this.ended !== undefined && JSON.stringify(ended) !== this.ended) {
      this.ended = JSON.stringify(ended);
      this.load();
    }
  }
}

/** A paper: what it claims, what came out, and its tables with the published numbers beside ours. */
function paperCard(paper) {
  const compared = paper.tables.filter(({ rows }) => rows.some(({ published }) => published !== null));
  return h("section", { class: "card stack tight paper", data: { paper: paper.id } },
    h("div", null, h("p", { class: "small soft" }, t("results.paper", { number: paper.id })),
      h("h2", null, own(paper, "title")), h("p", null, h("b", null, t("paper.claim")), " ", own(paper, "claim")),
      h("p", null, h("b", null, t("paper.finding")), " ", own(paper, "finding"))),
    h("div", { class: "buttons" }, paper.example ? button(t("paper.example"), () => openExample(paper.example),
      { data: { example: paper.example } }) : null),
    compared.length > 0 ? h("details", { open: true }, h("summary", null, t("paper.compared")),
      compared.map((table) => h("div", { class: "stack tight" }, h("h3", null, h("a", { href: `#/table/${table.id}` },
        own(table, "title"))), forestTable(table.rows.filter(({ published }) => published !== null))))) : null,
    h("details", null, h("summary", null, t("paper.tables")), h("ul", { class: "plain-list" },
      paper.tables.map((table) => h("li", null, h("a", { class: "entry",
        href: table.people ? `#/people/${table.id}` : `#/table/${table.id}` },
      h("span", { class: "entry-title" }, h("code", null, table.id), " ", own(table, "title"), table.needs
        ? h("span", { class: "soft small" }, t("paper.needs", { needs: own(table, "needs") })) : null),
      h("span", { class: "chip" }, table.people ? t("results.by-hand") : table.rows.length > 0
        ? t("results.committed") : t("results.ready"))))))));
}

async function openExample(name) {
  try {
    const { id } = await post(`/api/examples/${name}`);
    location.hash = `#/match/${id}/0`;
  } catch (error) {
    notice(error.message, "error");
  }
}

/** Published and own win rates with intervals and verdicts, drawn and in numbers. */
export function forestTable(rows) {
  const several = new Set(rows.map(({ game }) => game)).size > 1;
  return h("div", { class: "scroll", tabindex: 0 }, h("table", { class: "compare" },
    h("thead", null, h("tr", null, several ? h("th", { scope: "col" }, t("table.game")) : null,
      h("th", { scope: "col" }, t("table.first")), h("th", { scope: "col" }, t("table.second")),
      h("th", { class: "n", scope: "col" }, t("table.paper")), h("th", { class: "n", scope: "col" }, t("store.ours")),
      h("th", { class: "forest", scope: "col" }, t("table.plot")), h("th", { scope: "col" }, t("table.verdict")))),
    h("tbody", null, rows.map((row) => h("tr", null, several ? h("td", null, row.game) : null,
      h("td", { translate: "no" }, row.first), h("td", { translate: "no" }, row.second),
      h("td", { class: "n", title: row.note || null }, row.published === null ? "–" : percent(row.published)),
      h("td", { class: "n" }, h("b", null, percent(row.win_rate)), row.interval ? h("span", { class: "soft small" },
        ` ${percent(row.interval[0], 0)}–${percent(row.interval[1], 0)}`) : null,
        h("span", { class: "soft small" }, ` / ${count(row.matches)}`)),
      h("td", { class: "forest" }, forestRow(row)),
      h("td", null, row.verdict ? h("span", { class: `chip ${verdictClass(row.verdict)}` },
        t(`verdict.${row.verdict.replaceAll(" ", "_")}`)) : null))))));
}

function verdictClass(verdict) {
  return verdict === "agrees" ? "on" : verdict === "differs" ? "bad" : "";
}

/** What runs, waits and has ended. */
export function progressLines(running, queue, ended) {
  const stop = (store) => button(t("results.stop"), () => post("/api/experiments/stop", { store })
    .catch((error) => notice(error.message, "error")), { class: "plain" });
  return [
    running ? h("div", { class: "run" },
      h("div", null, h("a", { href: `#/store/${running.store}` }, storeTitle(running.store, running.title))),
      h("progress", { max: Math.max(1, running.total), value: running.done, "aria-label": running.title }),
      h("div", { class: "run-line" }, h("span", { class: "number soft small" },
        t("results.progress", { done: count(running.done), total: count(running.total), wins: running.wins,
        draws: running.draws, losses: running.losses })), stop(running.store)), livePairings(running.pairings))
      : h("p", { class: "soft small" }, t("results.idle")),
    queue.map(({ store, title }) => h("div", { class: "run-line small" },
      h("span", null, t("results.queued", { title: storeTitle(store, title) })), stop(store))),
    ended.slice(0, 3).map(({ store, title, complete, error }) => h("div", { class: "run-line small" },
      h("a", { href: `#/store/${store}` }, storeTitle(store, title)),
      h("span", { class: `chip ${error ? "bad" : "on"}` }, error
        ? t("results.failed") : t(complete ? "results.complete" : "results.stopped")), error
        ? h("span", { class: "soft", lang: "en" }, error) : null)),
  ];
}

/** The pairings of a run with the intervals that hold so far. */
function livePairings(pairings) {
  const known = pairings.filter(({ matches }) => matches > 0);
  if (known.length === 0) return null;
  return h("table", { class: "live" }, h("caption", { class: "small soft" }, t("results.live")),
    h("tbody", null, known.map((row) => h("tr", null, h("td", { class: "small" }, `${row.first} – ${row.second}`,
      h("span", { class: "soft" }, ` ${row.game}`)),
    h("td", { class: "n small" }, percent(row.win_rate, 0), row.interval ? h("span", { class: "soft" },
      ` ${percent(row.interval[0], 0)}–${percent(row.interval[1], 0)}`) : null),
    h("td", { class: "forest" }, forestRow(row))))));
}

/** Entries by the part of their id before the slash, in their order. */
function groups(entries) {
  const found = new Map();
  for (const entry of entries) {
    const [group] = entry.id.split("/");
    found.set(group, [...(found.get(group) ?? []), entry]);
  }
  return [...found];
}

function groupName(group) {
  return /^\d+$/.test(group) ? t("results.paper", { number: group }) : t(`results.group.${group}`);
}

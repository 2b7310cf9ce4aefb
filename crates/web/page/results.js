// Experiments: every table of the papers with its state, what is stored, what runs; and a form to start one.

import { get, listen, post } from "./calls.js";
import { button, field, h, notice, put, select } from "./dom.js";
import { count } from "./format.js";
import { queueCard } from "./queue.js";
import { t } from "./strings.js";

/** The page. */
export function resultsPage(main) {
  const page = new Results(main);
  return () => page.socket.close();
}

const EXAMPLE = `title = "My experiment"
games = ["tic-tac-toe"]
agents = ["uct", "mc"]
seed = 1
pairs = 10
budget = { playouts = 200 }
`;

class Results {
  constructor(main) {
    this.running = h("div", { class: "running", id: "running" });
    this.library = h("div");
    this.stores = h("div");
    put(main,
      h("div", { class: "title" }, h("h1", null, t("results")), h("p", null, t("results.about"))),
      h("div", { class: "columns results" },
        h("section", { class: "card" }, h("h2", null, t("results.tables")), this.library),
        h("div", { class: "stack" },
          h("section", { class: "card", "aria-live": "polite" }, h("h2", null, t("results.running")), this.running),
          queueCard(),
          h("section", { class: "card" }, h("h2", null, t("results.stores")), this.stores),
          h("section", { class: "card" }, h("h2", null, t("results.own")), this.form()))));
    this.load();
    this.socket = listen("/api/experiments/live", (message) => this.progress(message));
  }

  async load() {
    const told = await get("/api/experiments");
    this.ended = JSON.stringify(told.ended);
    put(this.library, groups(told.library)
      .map(([group, entries]) => h("details",
      { class: "table-group", open: entries.some(({ state }) => state === "ready") },
      h("summary", null, groupName(group), " ", h("span", { class: "chip" }, entries.length)),
      h("ul", { class: "plain-list" },
        entries.map((entry) => h("li", null,
        h("a", { class: "entry", href: `#/table/${entry.id}`, data: { table: entry.id } },
        h("span", { class: "entry-title" }, h("code", null, entry.id), " ", entry.title),
        h("span", { class: `chip ${entry.state === "ready" ? "on" : ""}` }, entry.stores.length > 0
          ? t("results.played") : t(`results.${entry.state}`)))))))));
    put(this.stores, told.stores.length === 0 ? h("p", { class: "empty" }, t("results.stores.none")) : h("ul",
      { class: "plain-list" }, told.stores.map((store) =>
      h("li", null, h("a", { class: "entry", href: `#/store/${store.name}`, data: { store: store.name } },
        h("span", { class: "entry-title" }, store.title || store.name, h("br"),
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

  form() {
    const title = h("input", { type: "text", value: "my-experiment", maxlength: 60, id: "experiment-title" });
    const text = h("textarea", { spellcheck: "false", id: "experiment-text" });
    text.value = EXAMPLE;
    const start = async () => {
      try {
        const { store } = await post("/api/experiments", { toml: text.value, title: title.value.trim(),
          scale: "full" });
        notice(t("results.started", { store }));
      } catch (error) {
        notice(error.message, "error");
      }
    };
    return h("div", { class: "stack tight" }, field(t("results.own.title"), title),
      field(t("results.own.text"), text, t("results.own.hint")),
      h("div", { class: "buttons" }, button(t("results.start"), start, { class: "primary", id: "experiment-start" })));
  }
}

/** What runs, waits and has ended. */
export function progressLines(running, queue, ended) {
  const stop = (store) => button(t("results.stop"), () => post("/api/experiments/stop", { store })
    .catch((error) => notice(error.message, "error")), { class: "plain" });
  return [
    running ? h("div", { class: "run" },
      h("div", null, h("a", { href: `#/store/${running.store}` }, running.title || running.store)),
      h("progress", { max: Math.max(1, running.total), value: running.done, "aria-label": running.title }),
      h("div", { class: "run-line" }, h("span", { class: "number soft small" },
        t("results.progress", { done: count(running.done), total: count(running.total), wins: running.wins,
        draws: running.draws, losses: running.losses })), stop(running.store)))
      : h("p", { class: "soft small" }, t("results.idle")),
    queue.map(({ store, title }) => h("div", { class: "run-line small" },
      h("span", null, t("results.queued", { title: title || store })), stop(store))),
    ended.slice(-3).map(({ store, title, complete, error }) => h("div", { class: "run-line small" },
      h("a", { href: `#/store/${store}` }, title || store),
      h("span", { class: `chip ${error ? "bad" : "on"}` }, error
        ? t("results.failed") : t(complete ? "results.complete" : "results.stopped")), error
        ? h("span", { class: "soft" }, error) : null)),
  ];
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

/** A select of how much is played. */
export function scaleSelect(quick, full, onchange) {
  return select([["quick", t("results.quick", { pairs: quick ?? "?" })],
    ["full", t("results.full", { pairs: full ?? "?" })]], "quick", onchange, { id: "scale" });
}

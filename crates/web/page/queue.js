// Experiments on many machines: the queue that the lab watches, if it was started with `--queue`.

import { get } from "./calls.js";
import { h, put } from "./dom.js";
import { count, percent } from "./format.js";
import { t } from "./strings.js";

/** How often the queue is looked at, in milliseconds. */
const EVERY = 5000;
/** A worker that was silent for this many seconds is shown as gone. */
const GONE = 35;

/** A card with the state of the queue, hidden if none is watched. It ends when it leaves the page. */
export function queueCard() {
  const body = h("div", { id: "queue" });
  const card = h("section", { class: "card", hidden: true }, h("h2", null, t("queue")), body);
  const look = async () => {
    const told = await get("/api/queue").catch((error) => ({ watched: true, error: error.message }));
    if (!told.watched) return;
    card.hidden = false;
    put(body, told.error ? h("p", { class: "soft" }, told.error) : [experiments(told), workers(told)]);
    setTimeout(() => card.isConnected && look(), EVERY);
  };
  look();
  return card;
}

function experiments({ experiments: listed }) {
  if (listed.length === 0) return h("p", { class: "empty" }, t("queue.none"));
  return listed.map((run) => h("div", { class: "run", data: { queued: run.id } },
    h("div", null, run.title),
    h("progress", { max: Math.max(1, run.total), value: run.finished ? run.total : run.done, "aria-label": run.title }),
    h("div", { class: "run-line" }, h("span", { class: "number soft small" }, t("queue.progress", {
      done: count(run.done), total: count(run.total), rate: count(run.pairs_per_hour), workers: run.workers }),
    " ", run.finished ? t("queue.finished") : left(run.seconds_left))),
    run.deviating.map((name) => h("p", { class: "small" }, t("queue.deviates", { name }))),
    run.speed_spread > 0.1 ? h("p", { class: "small" }, t("queue.spread", { spread: percent(run.speed_spread, 0) }))
      : null));
}

function left(seconds) {
  if (seconds === null || seconds === undefined) return "";
  return t("queue.left", { minutes: count(Math.ceil(seconds / 60)) });
}

function workers({ workers: listed }) {
  if (listed.length === 0) return h("p", { class: "soft small" }, t("queue.workers.none"));
  return h("table", { class: "queue-workers" },
    h("thead", null, h("tr", null, ["worker", "threads", "speed", "pairs", "seen"].map((name) =>
      h("th", { scope: "col" }, t(`queue.${name}`))))),
    h("tbody", null, listed.map((worker) => h("tr", { data: { worker: worker.name },
      class: worker.seconds_ago > GONE || worker.banned ? "soft" : null },
    h("td", null, worker.name), h("td", { class: "number" }, worker.threads),
    h("td", { class: "number" }, count(worker.speed)), h("td", { class: "number" }, count(worker.pairs)),
    h("td", { class: "number" }, worker.banned ? t("queue.banned")
      : t("queue.ago", { seconds: count(worker.seconds_ago) }))))));
}

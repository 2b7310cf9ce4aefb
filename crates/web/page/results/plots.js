// The plots of results: the same drawings as in reports.

import { get } from "../calls.js";
import { h, put } from "../dom.js";
import { language, t } from "../strings.js";

/** What the server calls its plots, and the texts for them. */
const CAPTIONS = [
  ["Win rate of the first agent, with 95 % interval", "plots.rates"],
  ["Length of matches: shortest to longest, middle half, median and mean", "plots.lengths"],
  ["Win rate of the row's agent against the column's, %", "plots.cross"],
  ["Ratings with 95 % intervals", "plots.ratings"],
  ["Depth of the search tree by the agent's decision in a match", "plots.depth"],
  ["Depth of the search tree at the first decisions", "plots.first"],
  ["Time by the agent's decision in a match", "plots.time"],
  ["root exploitability by playouts", "plots.exploitability"],
  ["NashConv by playouts", "plots.nashconv"],
];

/** What stands on plots: names of axes and of the legend. Labels of agents and games stay as they are. */
const WORDS = new Map([
  ["wins and half the draws, %", "plots.word.rate"],
  ["Elo, relative to the mean", "plots.word.elo"],
  ["steps", "plots.word.steps"],
  ["milliseconds", "plots.word.milliseconds"],
  ["decision of the agent in the match", "plots.word.decision"],
  ["playouts a decision", "plots.word.playouts"],
  ["root exploitability", "plots.word.exploitability"],
  ["ours", "plots.word.ours"],
  ["published", "plots.word.published"],
  ["rating", "plots.word.rating"],
  ["range", "plots.word.range"],
  ["middle half", "plots.word.middle"],
  ["median", "plots.word.median"],
  ["mean", "plots.word.mean"],
  ["membership in the good actions, %, over risk and unit", "plots.word.membership"],
  ["unit", "feature-name.unit"],
  ["risk", "feature-name.risk"],
]);

/** A caption in the reader's language; the game before it stays. */
function captionText(caption) {
  const [english, key] = CAPTIONS.find(([known]) => caption.endsWith(known)) ?? [];
  if (!key) return caption;
  const game = caption.slice(0, -english.length);
  return (game === "Over all games: " ? t("plots.all-games") : game) + t(key);
}

/** Writes the words on a drawing in the reader's language. */
export function translatePlot(drawn) {
  if (language() === "en") return;
  for (const text of drawn.querySelectorAll("text")) {
    const key = WORDS.get(text.textContent.trim());
    if (key) text.textContent = t(key);
  }
}

/** A section with the plots that an address answers with. It is empty where there are none. */
export function plotSection(path) {
  const section = h("section", { class: "card stack tight plots-card", hidden: true });
  const show = async () => {
    const plots = await get(path).catch(() => []);
    if (plots.length === 0) return;
    put(section, h("h2", null, t("plots")), h("div", { class: "plots" }, plots.map(figure)));
    section.hidden = false;
  };
  show();
  return section;
}

/** One plot. The server draws it; it is the program's own SVG. */
function figure({ caption, svg }) {
  const drawn = new DOMParser().parseFromString(svg, "text/html").body.firstElementChild;
  drawn?.setAttribute("aria-label", captionText(caption));
  drawn?.setAttribute("role", "img");
  if (drawn) translatePlot(drawn);
  return h("figure", { class: "plot" }, h("figcaption", { class: "small" }, captionText(caption)), drawn);
}

// The plots of results: the same drawings as in reports.

import { get } from "../calls.js";
import { h, put } from "../dom.js";
import { t } from "../strings.js";

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
];

/** A caption in the reader's language; the game before it stays. */
function captionText(caption) {
  const [english, key] = CAPTIONS.find(([known]) => caption.endsWith(known)) ?? [];
  return key ? caption.slice(0, -english.length) + t(key) : caption;
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
  if (drawn && !drawn.hasAttribute("aria-label")) drawn.setAttribute("aria-label", caption);
  drawn?.setAttribute("role", "img");
  return h("figure", { class: "plot" }, h("figcaption", { class: "small" }, captionText(caption)), drawn);
}

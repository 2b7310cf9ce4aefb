// The plots of results: the same drawings as in reports.

import { get } from "../calls.js";
import { h, put } from "../dom.js";
import { t } from "../strings.js";

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
  return h("figure", { class: "plot" }, h("figcaption", { class: "small" }, caption), drawn);
}

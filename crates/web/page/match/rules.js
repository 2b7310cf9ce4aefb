// The rules of the game beside the board: the documents' text, with legends and tables.

import { picture } from "../board.js";
import { get, query } from "../calls.js";
import { h, put } from "../dom.js";
import { catalogue, language, t } from "../strings.js";

/** The panel beside a match page. */
export class RulesPanel {
  constructor(page) {
    this.page = page;
    this.element = h("div", { class: "rules scroll tall", id: "rules", tabindex: 0, role: "region",
      "aria-label": t("rules") });
  }

  async open() {
    if (this.asked) return;
    this.asked = true;
    try {
      put(this.element, rulesText(await get("/api/games/rules" + query({ game: this.page.live.game,
        language: language() }))));
    } catch (error) {
      put(this.element, h("p", { class: "empty" }, error.message));
    }
  }
}

/** Rules as the server tells them: a text for people, else the sheet itself. */
export function rulesText({ html, language: written, text, legend }) {
  // The server makes this HTML from the program's own documents; it lets no raw HTML through.
  const body = html ? [...new DOMParser().parseFromString(html, "text/html").body.childNodes] : [];
  const signs = legend.length === 0 ? null : h("ul", { class: "legend" }, legend.map(({ name, picture: sign }) =>
    h("li", null, picture(sign), catalogue(name))));
  const words = html ? h("div", { lang: written }, body) : h("p", { class: "soft" }, t("rules.none"));
  return [signs, words,
    text ? h("details", { open: !html }, h("summary", null, t("rules.data")),
      h("pre", { class: "file" }, text)) : null];
}

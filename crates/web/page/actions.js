// The legal actions as a list: for keyboards, for small screens, and for games whose boards are hard to click.

import { h, put } from "./dom.js";
import { noteText, t } from "./strings.js";

/** More actions than this are found by the search field. */
const SHOWN = 300;

/** The list; `onaction(action)` is called with a choice, `onlook(actions)` with what is pointed at. */
export class ActionList {
  constructor({ onaction, onlook }) {
    this.onaction = onaction;
    this.onlook = onlook;
    this.actions = [];
    this.search = h("input", { type: "search", placeholder: t("actions.search"), "aria-label": t("actions.search"),
      oninput: () => this.draw() });
    this.list = h("div", { class: "actions", role: "group", "aria-label": t("actions"),
      onkeydown: (event) => this.key(event) });
    this.element = h("div", { class: "stack tight" }, this.search,
      h("div", { class: "scroll tall", tabindex: 0 }, this.list));
  }

  /** Lists these actions, or says why there are none. */
  show(actions, reason) {
    this.actions = actions;
    this.narrowed = actions;
    this.reason = reason;
    this.search.value = "";
    this.search.disabled = actions.length === 0;
    this.draw();
  }

  /** Lists only these of the actions. */
  narrow(actions) {
    this.narrowed = actions;
    this.draw();
  }

  draw() {
    const wanted = this.search.value.toLowerCase();
    const found = this.narrowed.filter((action) =>
      `${action.text} ${action.words}`.toLowerCase().includes(wanted));
    const nothing = this.actions.length === 0 ? this.reason : t("actions.nothing");
    put(this.list, found.length === 0 ? h("p", { class: "empty" }, nothing) : null,
      found.slice(0, SHOWN).map((action, index) =>
        h("button", { type: "button", class: "action", tabindex: index === 0 ? 0 : -1, data: { action: action.text },
          onclick: () => this.onaction(action), onpointerenter: () => this.onlook([action]),
          onpointerleave: () => this.onlook([]), onfocus: () => this.onlook([action]) },
          h("span", null, action.words), action.note ? h("span", { class: "soft small" },
            noteText(action.note)) : null)),
      found.length > SHOWN ? h("p", { class: "soft small" },
        t("actions.more", { count: found.length - SHOWN })) : null);
  }

  key(event) {
    const buttons = [...this.list.querySelectorAll("button")];
    const at = buttons.indexOf(document.activeElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0,
      End: buttons.length - 1 }[event.key];
    if (to === undefined || at < 0) return;
    event.preventDefault();
    event.stopPropagation();
    const next = buttons[Math.max(0, Math.min(buttons.length - 1, to))];
    buttons[at].tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }
}

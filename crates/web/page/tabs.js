// Panels of which one is shown.

import { h } from "./dom.js";

/** Tabs: `panels` are `[key, name, element]`; `onchange(key)` is called when another one is shown. */
export class Tabs {
  constructor(panels, onchange = (_key) => {}) {
    this.panels = panels;
    this.onchange = onchange;
    this.buttons = panels.map(([key, name]) =>
      h("button", { type: "button", role: "tab", id: `tab-${key}`, "aria-controls": `panel-${key}`,
        onclick: () => this.show(key), onkeydown: (event) => this.key(event) }, name));
    this.panes = panels.map(([key, , element]) =>
      h("div", { role: "tabpanel", id: `panel-${key}`, "aria-labelledby": `tab-${key}`, class: "pane" }, element));
    this.element = h("div", { class: "tabs" }, h("div", { role: "tablist", class: "tab-list" }, this.buttons),
      this.panes);
    this.current = null;
  }

  /** Offers a panel, or hides its tab where it has nothing to show. */
  offer(key, on) {
    const at = this.panels.findIndex(([name]) => name === key);
    this.buttons[at].hidden = !on;
  }

  /** Shows one panel. */
  show(key) {
    if (key === this.current) return;
    this.current = key;
    this.panels.forEach(([name], index) => {
      const on = name === key;
      this.buttons[index].setAttribute("aria-selected", String(on));
      this.buttons[index].tabIndex = on ? 0 : -1;
      this.panes[index].hidden = !on;
    });
    this.onchange(key);
  }

  key(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const { length } = this.panels;
    let to = this.panels.findIndex(([key]) => key === this.current);
    do to = (to + step + length) % length; while (this.buttons[to].hidden);
    this.show(this.panels[to][0]);
    this.buttons[to].focus();
  }
}

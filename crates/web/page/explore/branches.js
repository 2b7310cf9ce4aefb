// A tree of variations as a list: each line is a step with its figures; the chosen one has the keyboard.

import { button, h, put } from "../dom.js";
import { count, number, percent } from "../format.js";
import { prettyAction, t } from "../strings.js";

/**
 * The list. `onpick(node)` shows a variation, `onopen(node)` lists what can follow it, `onremove(node)` takes it out;
 * `figures(node)` is what is known of it.
 */
export class Branches {
  constructor({ onpick, onopen, onremove, figures }) {
    this.onpick = onpick;
    this.onopen = onopen;
    this.onremove = onremove;
    this.figures = figures;
    this.rows = [];
    this.element = h("ul", { class: "tree", role: "tree", "aria-label": t("tree"),
      onkeydown: (event) => this.key(event) });
  }

  show(root, current) {
    const focused = this.element.contains(document.activeElement);
    this.rows = [];
    put(this.element, this.item(root, current));
    if (focused) this.element.querySelector("[aria-selected=true] .node-name")?.focus();
  }

  item(node, current) {
    const name = node.joint ? node.joint.map(prettyAction).join(" / ") : t("tree.root");
    const text = h("span", { class: "number soft small" });
    this.rows.push({ node, text });
    this.write(node, text);
    const row = h("div", { class: "node", role: "treeitem", "aria-selected": String(node === current) },
      button("▸", () => this.onopen(node), { class: "plain toggle", "aria-label": t("tree.open", { name }),
        "aria-expanded": String(node.children.length > 0) }),
      h("button", { type: "button", class: "plain node-name", onclick: () => this.onpick(node) },
        h("span", null, name, node.comment ? h("span", { class: "remark" }, ` ${node.comment}`) : null), text),
      node.parent ? button("×", () => this.onremove(node), { class: "plain toggle",
        "aria-label": t("explore.remove", { name }) }) : null);
    return h("li", { role: "none" }, row, node.children.length > 0
      ? h("ul", { role: "group" }, node.children.map((child) => this.item(child, current))) : null);
  }

  /** Figures may have changed: only their texts do. */
  update() {
    this.rows.forEach(({ node, text }) => this.write(node, text));
  }

  write(node, text) {
    const known = this.figures(node);
    const words = !known ? "" : known.visits === undefined ? percent(known.probability, 1)
      : `${count(known.visits)} · ${number(known.value, 3)}`;
    if (text.textContent !== words) text.textContent = words;
  }

  key(event) {
    const rows = [...this.element.querySelectorAll(".node-name")];
    const at = rows.indexOf(document.activeElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1 }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    rows[Math.max(0, Math.min(rows.length - 1, to))].focus();
  }
}

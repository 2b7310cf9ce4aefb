// Any position analysed by any agent, and a tree whose nodes are opened one by one: the position after a candidate is
// analysed by the same agent.

import { AgentForm } from "./agent.js";
import { get, listen, post } from "./calls.js";
import { button, field, h, notice, put, select } from "./dom.js";
import { count, number, percent } from "./format.js";
import { recall, remember } from "./memory.js";
import { outcome } from "./status.js";
import { catalogue, t } from "./strings.js";
import { ThoughtTable } from "./thinking.js";
import { drawCandidates } from "./match/thoughts.js";

/** The panel beside a match page. */
export class AnalysisPanel {
  constructor(page) {
    this.page = page;
    this.root = null;
    this.node = null;
    this.sockets = new Set();
    this.table = new ThoughtTable({ onlook: (candidate) => this.draw(candidate) });
    this.agent = h("div");
    this.mover = h("div");
    this.go = button(t("analysis.start"), () => this.start(), { class: "primary", id: "analyse" });
    this.halt = button(t("match.stop"), () => this.stop(), { id: "analysis-stop", disabled: true });
    this.tree = h("ul", { class: "tree", role: "tree", "aria-label": t("tree"),
      onkeydown: (event) => this.key(event) });
    this.element = h("div", { class: "stack tight" }, this.agent, this.mover,
      h("div", { class: "buttons" }, this.go, this.halt), this.table.element,
      h("h3", null, t("tree")), h("div", { class: "scroll tree-place" }, this.tree));
  }

  leave() {
    this.sockets.forEach((socket) => socket.close());
  }

  /** Another position is shown. */
  position(view) {
    if (view.line.length > 0) return;
    this.view = view;
    if (this.page.tabs.current === "analysis") this.begin();
  }

  /** The tree begins anew in another position, with the last analysis of it if there is one. */
  async begin() {
    const { view } = this;
    if (!view) return;
    this.form ??= this.makeForm(view.game);
    const place = `${view.step} ${view.state}`;
    if (this.root?.place === place) return this.draw();
    const root = new Node(this, view.step, [], null);
    this.root = root;
    root.place = place;
    root.view = view;
    this.playerChoice(view);
    put(this.tree, root.element);
    this.select(root, false);
    const known = (await get(`/api/matches/${this.page.id}/analyses`))
      .filter(({ step, line, state }) => step === view.step && line.length === 0 && state !== "failed");
    if (known.length > 0 && this.root === root && !root.analysis) root.follow(known.at(-1));
  }

  makeForm(game) {
    const form = new AgentForm(game, recall("analyst", undefined), () => remember("analyst", form.value));
    put(this.agent, form.element);
    return form;
  }

  playerChoice(view) {
    const movers = view.turn.kind === "players" ? view.turn.players : [];
    this.player = movers[0];
    put(this.mover, movers.length > 1 ? field(t("analysis.player"),
      select(movers.map((player) => [String(player), catalogue(view.players[player])]), String(this.player),
      (player) => { this.player = Number(player); }, { id: "analysis-player" })) : null);
    this.go.disabled = movers.length === 0;
  }

  start() {
    this.select(this.root, this.page.shown.line.length > 0);
    return this.root.analyse(this.player);
  }

  async stop() {
    if (this.node?.analysis) await post(`/api/analyses/${this.node.analysis.id}/stop`)
      .catch((error) => notice(error.message, "error"));
  }

  /** Shows a node's analysis in the table, and its position on the board. */
  async select(node, move = true) {
    this.node = node;
    for (const item of this.tree.querySelectorAll("[aria-selected=true]")) item.setAttribute("aria-selected", "false");
    node.row.setAttribute("aria-selected", "true");
    this.show();
    if (move) {
      await this.page.fetchPosition(node.step, node.line);
      this.draw();
    }
  }

  show() {
    const { analysis, view } = this.node;
    this.halt.disabled = !analysis || (analysis.state !== "running" && analysis.state !== "queued");
    if (analysis) this.table.show(analysis.decision,
      t(`analysis.${analysis.state}`,
      { agent: analysis.agent, name: catalogue(view?.players[analysis.player] ?? "") }));
    else this.table.show(null, t("analysis.none"));
    this.table.element.dataset.state = analysis?.state ?? "none";
    this.draw();
  }

  /** Draws the selected node's candidates if its position is on the board. */
  draw(only = null) {
    const { page, node } = this;
    if (page.tabs?.current !== "analysis" || !page.shown) return;
    const here = page.shown.step === node?.step && JSON.stringify(page.shown.line) === JSON.stringify(node.line);
    const decision = node?.analysis?.decision;
    if (!here || !decision) return page.board.arrows([]);
    drawCandidates(page, decision.candidates, node.analysis.player, only);
    page.evaluation.evaluate(node.analysis.player, decision.value);
  }

  key(event) {
    const rows = [...this.tree.querySelectorAll(".node")];
    const at = rows.indexOf(document.activeElement.closest(".node"));
    const to = { ArrowDown: at + 1, ArrowUp: at - 1 }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    rows[Math.max(0, Math.min(rows.length - 1, to))].querySelector("button").focus();
  }
}

/** Candidates of a node that are listed; the rest is in the table. */
const LISTED = 12;

/** A position in the tree: the one after `line`, reached by `candidate` of its parent. */
class Node {
  constructor(panel, step, line, name, figures = null) {
    Object.assign(this, { panel, step, line, name, figures, analysis: null, view: null, children: null });
    this.toggle = button("▸", () => this.open(),
      { class: "plain toggle", "aria-label": t("tree.open", { name: name ?? t("tree.root") }),
      "aria-expanded": "false" });
    this.text = h("button", { type: "button", class: "plain node-name", onclick: () => panel.select(this) });
    this.row = h("div", { class: "node", role: "treeitem", "aria-selected": "false" }, this.toggle, this.text);
    this.below = h("ul", { role: "group" });
    this.element = h("li", { role: "none" }, this.row, this.below);
    this.draw();
  }

  draw() {
    const { figures } = this;
    const parts = figures?.probability !== undefined && figures.visits === undefined ? percent(figures.probability, 1)
      : figures ? `${count(figures.visits)} · ${number(figures.value, 3)}` : "";
    put(this.text, h("span", null, this.name ?? t("tree.root")), h("span", { class: "number soft small" }, parts));
    this.toggle.hidden = this.name === null;
  }

  /** Opens or closes the node. */
  async open() {
    if (this.children) {
      this.below.hidden = !this.below.hidden;
      this.mark();
      return;
    }
    const view = await this.panel.page.fetchPosition(this.step, this.line);
    if (!view) return;
    this.view = view;
    this.panel.select(this, false);
    this.children = [];
    this.mark();
    if (view.turn.kind === "over")
      put(this.below, h("li", { class: "soft small" }, outcome({ ...view, resigned: null, fault: null })));
    else if (view.turn.kind === "chance")
      this.setChildren(view.chances.map(({ text, probability }) => [[text], { probability }]));
    else await this.analyse(view.turn.players[0]);
  }

  mark() {
    const open = this.children !== null && !this.below.hidden;
    put(this.toggle, open ? "▾" : "▸");
    this.toggle.setAttribute("aria-expanded", String(open));
  }

  /** Lets the panel's agent analyse this position. */
  async analyse(player) {
    const { page, form } = this.panel;
    try {
      const { id } = await post(`/api/matches/${page.id}/analyses`,
        { step: this.step, line: this.line, player, ...form.value });
      this.follow({ id, player, agent: form.value.agent.name, state: "queued", decision: null });
    } catch (error) {
      notice(error.message, "error");
    }
  }

  /** Shows an analysis, and how it goes on if it is not done. */
  follow(analysis) {
    this.socket?.close();
    this.take(analysis);
    if (analysis.state === "done") return;
    this.socket = listen(`/api/analyses/${analysis.id}/live`, (message) => this.take(message.analysis), { once: true });
    this.panel.sockets.add(this.socket);
  }

  take(analysis) {
    this.analysis = analysis;
    if (analysis.error) notice(analysis.error, "error");
    const { decision } = analysis;
    if (decision) {
      if (this.name === null) this.figures = { visits: decision.playouts, value: decision.value };
      this.setChildren(decision.candidates.slice(0, LISTED)
        .map((candidate) => [this.joint(candidate.action), candidate]));
      this.draw();
    }
    if (this.panel.node === this) this.panel.show();
  }

  /** The step that a candidate makes; where several choose at once, the others do what the agent expects of them. */
  joint(action) {
    const { view, analysis } = this;
    if (!view || view.legal.length < 2) return [action];
    const expected = analysis.decision.line[0];
    return view.legal.map(({ player, actions }, index) => (player === analysis.player ? action : expected?.[index]
      ?? actions[0].text));
  }

  /** Lists children by `[joint, figures]`; those that are there already keep what is below them. */
  setChildren(wanted) {
    const known = new Map((this.children ?? []).map((child) => [child.name, child]));
    this.children = wanted.map(([joint, figures]) => {
      const name = joint.join(" / ");
      const child = known.get(name) ?? new Node(this.panel, this.step, [...this.line, joint], name, figures);
      child.figures = figures;
      child.draw();
      return child;
    });
    const order = this.children.map((child) => child.element);
    if (order.length !== this.below.children.length
      || order.some((element, index) => this.below.children[index] !== element)) put(this.below, order);
    this.mark();
  }
}

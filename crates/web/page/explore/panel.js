// Exploring: any position is analysed by one or two agents, moves are played by hand, and variations with comments are
// kept and shared.

import { AgentForm } from "../agent.js";
import { get, listen, post } from "../calls.js";
import { button, field, h, notice, put, select } from "../dom.js";
import { recall, remember } from "../memory.js";
import { drawCandidates, wordsIn } from "../match/thoughts.js";
import { catalogue, phraseText, t } from "../strings.js";
import { ThoughtTable } from "../thinking.js";
import { Branches } from "./branches.js";
import { Study } from "./variations.js";

/** The panel beside a match page. */
export class ExplorePanel {
  constructor(page) {
    this.page = page;
    this.study = new Study();
    this.node = null;
    this.step = null;
    /** What was found, by position: one list of analyses for each. */
    this.found = new Map();
    this.sockets = new Map();
    this.views = new Map();
    this.analysts = [this.analyst(0)];
    this.mover = h("div");
    this.go = button(t("analysis.start"), () => this.analyse(), { class: "primary", id: "analyse" });
    this.halt = button(t("match.stop"), () => this.stop(), { id: "analysis-stop", disabled: true });
    this.another = button(t("explore.another"), () => this.addAnalyst(), { id: "analysis-another", class: "plain" });
    this.steady = h("input", { type: "checkbox", id: "analysis-steady", checked: recall("steady", false),
      onchange: () => { remember("steady", this.steady.checked); this.keepUp(); } });
    this.tables = h("div", { class: "analysts" });
    this.branches = new Branches({ onpick: (node) => this.select(node), onopen: (node) => this.open(node),
      onremove: (node) => this.remove(node), figures: (node) => this.figures(node) });
    this.comment = h("textarea", { id: "comment", rows: 2, "aria-label": t("explore.comment"),
      placeholder: t("explore.comment"), maxlength: 2000, onchange: () => this.say(this.comment.value) });
    this.element = h("div", { class: "stack tight explore" },
      h("p", { class: "small soft" }, t("explore.about")), this.mover, this.tables,
      h("div", { class: "buttons" }, this.go, this.halt, this.another,
        h("label", { class: "check" }, this.steady, t("explore.steady"))),
      h("h3", null, t("tree")),
      h("div", { class: "scroll tree-place", tabindex: 0 }, this.branches.element), this.comment,
      h("div", { class: "buttons" },
        button(t("explore.link"), () => this.shareLink(), { id: "study-link" }),
        button(t("explore.file"), () => this.shareFile(), { id: "study-file" })));
    this.showTables();
  }

  leave() {
    this.sockets.forEach((socket) => socket.close());
  }

  analyst(number) {
    const table = new ThoughtTable({ onlook: (candidate) => this.draw(candidate, number) });
    return { form: null, table, place: h("div"), number };
  }

  addAnalyst() {
    if (this.analysts.length > 1) this.analysts.length = 1;
    else this.analysts.push(this.analyst(1));
    this.makeForms();
    this.showTables();
    this.show();
  }

  showTables() {
    put(this.another, t(this.analysts.length > 1 ? "explore.alone" : "explore.another"));
    this.tables.dataset.count = this.analysts.length;
    put(this.tables, this.analysts.map(({ place, table }) => h("div", { class: "stack tight" }, place, table.element)));
  }

  makeForms() {
    const { game } = this.page.live;
    for (const analyst of this.analysts) {
      if (analyst.form) continue;
      const key = analyst.number === 0 ? "analyst" : "analyst2";
      const form = new AgentForm(game, recall(key, undefined), () => remember(key, form.value));
      analyst.form = form;
      put(analyst.place, form.element);
    }
  }

  /** Another position of the match is shown. */
  position(view) {
    if (view.line.length === 0) this.views.set(key(view.step, []), view);
    if (this.page.tabs.current === "analysis") this.begin();
  }

  /** The panel is opened, or the match went on: the variations of the position that is shown. */
  async begin() {
    const { shown } = this.page;
    if (!shown) return;
    this.makeForms();
    if (shown.line.length > 0) return this.draw();
    if (this.step === shown.step && this.node) return this.draw();
    this.step = shown.step;
    this.node = this.study.at(shown.step);
    this.branches.show(this.node, this.node);
    this.show();
    await this.recallFound();
    this.keepUp();
  }

  /** Shows the last analysis of the position that was made before, if there is one. */
  async recallFound() {
    const { step } = this;
    const place = key(step, []);
    if (this.found.has(place)) return;
    const kept = (await get(`/api/matches/${this.page.id}/analyses`))
      .filter((analysis) => analysis.step === step && analysis.line.length === 0 && analysis.state !== "failed");
    if (kept.length > 0 && !this.found.has(place)) this.take(place, 0, kept.at(-1));
  }

  /** Is the board for playing in thought? */
  get active() {
    return this.page.tabs?.current === "analysis";
  }

  /** The actions that can be played by hand in the position shown. */
  actions(view) {
    return view.legal.find(({ player }) => player === this.player(view))?.actions ?? [];
  }

  /** For whom moves are played and searches made. */
  player(view) {
    const movers = view.turn.kind === "players" ? view.turn.players : [];
    return movers.includes(this.chosen) ? this.chosen : movers[0];
  }

  /** Plays an action by hand: a new variation, or the one that is there. */
  play(action) {
    const view = this.page.shown;
    return this.select(this.node.play(this.joint(view, action.text)));
  }

  /** The whole step with an action of the chosen player; the others do what was set or expected for them. */
  joint(view, text) {
    if (view.legal.length < 2) return [text];
    const own = this.player(view);
    const expected = this.best()?.decision?.line[0];
    return view.legal.map(({ player, actions }, index) => (player === own ? text : this.replies?.get(player)
      ?? expected?.[index] ?? actions[0].text));
  }

  /** Shows a variation on the board. */
  async select(node) {
    this.node = node;
    this.branches.show(this.root(node), node);
    const view = await this.page.fetchPosition(this.step, node.line);
    if (!view || this.node !== node) return;
    this.views.set(this.place, view);
    this.show();
    this.keepUp();
  }

  root(node) {
    return node.parent ? this.root(node.parent) : node;
  }

  /** Lists what can come next: outcomes of chance, or the candidates of the last analysis. */
  open(node) {
    const place = key(this.step, node.line);
    const candidates = this.found.get(place)?.[0]?.decision?.candidates ?? [];
    const view = this.views.get(place);
    if (view?.turn.kind === "chance") view.chances.slice(0, LISTED).forEach(({ text }) => node.play([text]));
    else if (view) candidates.slice(0, LISTED).forEach(({ action }) => node.play(this.joint(view, action)));
    else return this.select(node).then(() => this.open(node));
    this.branches.show(this.root(node), this.node);
    return null;
  }

  remove(node) {
    this.select(node.remove());
  }

  say(text) {
    this.node.comment = text.trim();
    this.branches.show(this.root(this.node), this.node);
  }

  get place() {
    return key(this.step, this.node.line);
  }

  /** The first agent's analysis of the node that is shown. */
  best() {
    return this.found.get(this.place)?.[0] ?? null;
  }

  /** Where several choose at once: for whom, and what the others are assumed to do. */
  showMover(view) {
    this.replies = new Map();
    const movers = view.turn.kind === "players" ? view.turn.players : [];
    const own = this.player(view);
    put(this.mover, movers.length < 2 ? null : h("div", { class: "fields" },
      field(t("analysis.player"), select(movers.map((player) => [String(player), catalogue(view.players[player])]),
        String(own), (player) => { this.chosen = Number(player); this.page.refresh(); this.showMover(view); },
        { id: "analysis-player" })),
      view.legal.filter(({ player }) => player !== own).map(({ player, name, actions }) =>
        field(t("explore.reply", { name: catalogue(name) }), select([["", t("explore.expected")],
          ...actions.map((action) => [action.text, phraseText(action.phrase)])], "", (text) => {
          if (text) this.replies.set(player, text);
          else this.replies.delete(player);
        }, { data: { reply: player } })))));
    this.go.disabled = movers.length === 0;
  }

  // Analyses

  /** Lets the agents search the position that is shown. */
  analyse() {
    const { place, node } = this;
    const view = this.page.shown;
    if (view.turn.kind !== "players") return;
    const player = this.player(view);
    this.analysts.forEach(async ({ form, number }) => {
      try {
        const { id } = await post(`/api/matches/${this.page.id}/analyses`,
          { step: this.step, line: node.line, player, ...form.value });
        this.take(place, number, { id, player, agent: form.value.agent.name, state: "queued", decision: null });
        this.sockets.get(number)?.close();
        this.sockets.set(number, listen(`/api/analyses/${id}/live`,
          (message) => this.take(place, number, message.analysis), { once: true }));
      } catch (error) {
        notice(error.message, "error");
      }
    });
  }

  async stop() {
    for (const analysis of this.found.get(this.place) ?? [])
      if (analysis && !ended(analysis)) await post(`/api/analyses/${analysis.id}/stop`)
        .catch((error) => notice(error.message, "error"));
  }

  /** Analyses what is shown, if the reader wants that at every step. */
  keepUp() {
    if (this.steady.checked && this.active && !this.found.has(this.place)) this.analyse();
  }

  /** Takes an analysis of a position. */
  take(place, number, analysis) {
    const all = this.found.get(place) ?? [];
    all[number] = analysis;
    this.found.set(place, all);
    if (analysis.error) notice(analysis.error, "error");
    if (this.node && this.place === place) this.show();
    this.branches.update();
  }

  /** The figures of a variation, from the analysis of its parent. */
  figures(node) {
    if (!node.parent) return null;
    const place = key(this.step, node.parent.line);
    const view = this.views.get(place);
    if (view?.turn.kind === "chance")
      return { probability: view.chances.find(({ text }) => text === node.joint[0])?.probability };
    const analysis = this.found.get(place)?.[0];
    const own = view?.legal.findIndex(({ player }) => player === analysis?.player) ?? 0;
    return analysis?.decision?.candidates.find(({ action }) => action === node.joint[Math.max(0, own)]) ?? null;
  }

  show() {
    const view = this.views.get(this.place) ?? this.page.shown;
    if (!view) return;
    this.showMover(view);
    this.comment.value = this.node.comment;
    const all = this.found.get(this.place) ?? [];
    this.halt.disabled = !all.some((analysis) => analysis && !ended(analysis));
    for (const { table, number } of this.analysts) {
      const analysis = all[number];
      if (analysis) {
        const name = catalogue(view.players[analysis.player] ?? "");
        table.show(analysis.decision, t(`analysis.${analysis.state}`, { agent: analysis.agent, name }),
          wordsIn(view, analysis.player));
      } else table.show(null, t("analysis.none"));
      table.element.dataset.state = analysis?.state ?? "none";
    }
    this.draw();
  }

  /** Draws the candidates of an analysis if its position is on the board. */
  draw(only = null, number = 0) {
    const { page } = this;
    if (!this.active || !page.shown) return;
    const here = this.node && key(page.shown.step, page.shown.line) === this.place;
    const analysis = here ? this.found.get(this.place)?.[number] : null;
    if (!analysis?.decision) return page.board.arrows([]);
    drawCandidates(page, analysis.decision.candidates, analysis.player, only);
    if (number === 0) page.evaluation.evaluate(analysis.player, analysis.decision.value);
  }

  // Sharing

  /** Opens a study that somebody shared. */
  async load(id) {
    try {
      const { tree } = await get(`/api/studies/${id}`);
      this.study = Study.from(tree);
      this.step = null;
      this.page.tabs.show("analysis");
      const first = [...this.study.roots.keys()].sort((one, two) => one - two)[0];
      if (first !== undefined) this.page.goTo(first);
      else this.begin();
    } catch (error) {
      notice(error.message, "error");
    }
  }

  async shareLink() {
    try {
      const { id } = await post(`/api/matches/${this.page.id}/studies`, { tree: this.study.data });
      const address = `${location.origin}/#/match/${this.page.id}/study/${id}`;
      this.element.dataset.shared = address;
      await navigator.clipboard.writeText(address).then(() => notice(t("match.link.copied")), () => notice(address));
    } catch (error) {
      notice(error.message, "error");
    }
  }

  async shareFile() {
    try {
      const replay = await get(`/api/matches/${this.page.id}/replay`);
      const text = JSON.stringify({ ...replay, study: this.study.data });
      const file = URL.createObjectURL(new Blob([text], { type: "application/json" }));
      const link = h("a", { href: file, download: `tesuji-study-${this.page.id}.json` });
      link.click();
      URL.revokeObjectURL(file);
      this.element.dataset.saved = String(text.length);
    } catch (error) {
      notice(error.message, "error");
    }
  }
}

/** Candidates that become variations when a node is opened. */
const LISTED = 8;

function key(step, line) {
  return JSON.stringify([step, line]);
}

function ended({ state }) {
  return state === "done" || state === "failed";
}

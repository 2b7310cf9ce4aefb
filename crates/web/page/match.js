// A match: its board, who is awaited, what agents think, its past positions.

import { get, listen, post, query } from "./calls.js";
import { ActionList } from "./actions.js";
import { AnalysisPanel } from "./analysis.js";
import { Board } from "./board.js";
import { roll } from "./dice.js";
import { button, h, notice, put, select } from "./dom.js";
import { EvaluationBar, valueGraph } from "./graph.js";
import { HistoryList, Slider } from "./history.js";
import { LabelPanel } from "./label.js";
import { keepKeys, keysOf, recall, remember } from "./memory.js";
import { seatLine, statusText } from "./status.js";
import { badgeOf, catalogue, noteText, t } from "./strings.js";
import { Tabs } from "./tabs.js";
import { ThoughtTable, weights } from "./thinking.js";

/** How long the page waits for the view after its own action, in milliseconds. */
const PATIENCE = 2000;

/** The page; `step` is the position to show, the present one if it is left out. */
export function matchPage(main, id, step) {
  const page = new MatchPage(main, id, step === undefined ? null : Number(step));
  return () => page.leave();
}

class MatchPage {
  constructor(main, id, step) {
    this.id = id;
    this.main = main;
    this.step = step;
    this.live = null;
    this.shown = null;
    this.thought = null;
    this.acting = null;
    this.line = [];
    this.clicks = new Map();
    this.build(main);
    this.events = new AbortController();
    const { signal } = this.events;
    addEventListener("position", () => this.follow(), { signal });
    addEventListener("keydown", (event) => this.key(event), { signal });
    this.socket = listen(`/api/matches/${id}/live`, (message) => this.hear(message), {
      onstate: (on) => this.offline(!on),
    });
  }

  leave() {
    this.left = true;
    this.socket.close();
    this.events.abort();
    this.analysis.leave();
  }

  build(main) {
    this.board = new Board({ onaction: (action) => this.act(action), onlook: (actions) => this.look(actions),
      onselect: (actions) => this.actions.narrow(actions) });
    this.title = h("div", { class: "title" }, h("h1", null, t("loading")));
    this.status = h("p", { class: "status", id: "status", role: "status" });
    this.bar = h("div", { class: "bar-place" });
    this.tray = h("div", { class: "tray", id: "tray", role: "status", "aria-label": t("dice") });
    this.hint = h("p", { class: "hint", id: "hint" });
    this.controls = h("div", { class: "buttons", id: "controls" });
    this.seats = h("div", { class: "seat-lines", id: "seats" });
    this.graph = h("div", { class: "graph-place" });
    this.slider = new Slider((step) => this.goTo(step));
    this.actions = new ActionList({ onaction: (action) => this.act(action), onlook: (actions) => this.look(actions) });
    this.history = new HistoryList((step) => this.goTo(step));
    this.thinking = new ThoughtTable({ onlook: (candidate) => this.drawThought(candidate) });
    this.analysis = new AnalysisPanel(this);
    this.labels = new LabelPanel(this);
    this.tabs = new Tabs([
      ["actions", t("actions"), this.actions.element],
      ["thinking", t("thinking"), this.thinking.element],
      ["analysis", t("analysis"), this.analysis.element],
      ["labels", t("labels"), this.labels.element],
      ["history", t("history"), this.history.element],
    ], (key) => this.changeTab(key));
    put(main, this.title,
      h("div", { class: "match" },
        h("section", { class: "card board-card", "aria-label": t("board") }, this.status, this.bar, this.board.element,
          h("div", { class: "under" }, this.hint, this.tray), this.controls, this.slider.element, this.graph),
        h("section", { class: "side" }, h("div", { class: "card" }, this.seats),
          h("div", { class: "card" }, this.tabs.element), this.help())));
    this.tabs.show(recall("tab", "actions"));
  }

  help() {
    const keys = [["↑ ↓ ← →", "keys.arrows"], ["Enter", "keys.enter"], ["Esc", "keys.escape"], ["e", "match.end"],
      ["u", "match.undo"], ["s", "match.stop"], [", .", "keys.steps"], ["1 2 3", "keys.labels"]];
    return h("details", { class: "card keys" }, h("summary", null, t("keys")),
      h("dl", null, keys.map(([key, name]) => h("div", null, h("dt", null, h("kbd", null, key)),
        h("dd", null, t(name))))));
  }

  // What the server says

  hear(message) {
    if (message.type === "view") this.receive(message.view);
    else if (message.type === "thought") this.hearThought(message);
    else if (message.type === "idle") this.searchEnded();
    else if (message.type === "gone") this.gone();
  }

  /** The match was removed: there is nothing to connect to any more. */
  gone() {
    this.removed = true;
    this.socket.close();
    this.status.classList.remove("offline");
    this.status.dataset.kind = "over";
    put(this.status, t("match.gone"));
    put(this.controls);
  }

  offline(is) {
    if (this.removed || this.left) return;
    this.connected = !is;
    if (is) this.fetchView();
    this.status.classList.toggle("offline", is);
    if (is) put(this.status, t("match.offline"));
    else if (this.shown) this.showStatus();
  }

  /** Asks for the view while there is no connection to send it. The match may have been removed in the meantime. */
  async fetchView() {
    try {
      this.receive(await get(`/api/matches/${this.id}`));
    } catch (error) {
      if (this.left || error.status === undefined) return;
      if (!this.shown) {
        this.removed = true;
        this.socket.close();
        put(this.main, h("p", { class: "empty" }, error.message));
      } else if (error.status === 404) this.gone();
    }
  }

  /** Waits for the view with this revision, which the connection sends; asks for it if it does not come. */
  expect(revision) {
    const known = () => Math.max(this.live?.revision ?? 0, this.waiting?.revision ?? 0);
    setTimeout(() => { if (!this.left && known() < revision) this.fetchView(); }, this.connected ? PATIENCE : 0);
  }

  /**
   * Takes a view. Answers and WebSocket messages can overtake each other: only the greatest revision counts. New rolls
   * are shown before the position they lead to; a view that arrives meanwhile waits.
   */
  async receive(view) {
    if (view.revision < Math.max(this.live?.revision ?? 0, this.waiting?.revision ?? 0)) return;
    this.waiting = view;
    if (this.rolling) return;
    while (this.waiting && !this.left) {
      const next = this.waiting;
      this.waiting = null;
      const known = this.live;
      this.live = next;
      if (known && (next.steps < known.steps || (this.thought && this.thought.step < next.steps))) this.thought = null;
      if (known && next.steps > known.steps && this.step === null) {
        const drawn = next.history.slice(known.steps).filter((step) => step.players.length === 0)
          .map((step) => step.joint.join(" "));
        this.rolling = true;
        await roll(this.tray, drawn);
        this.rolling = false;
      }
      // Whoever looks back, or at a line in thought, is not torn away.
      if ((this.step === null && this.line.length === 0) || !this.shown) await this.follow();
      else this.showFrame();
    }
  }

  /** A search ended: what it found is part of the match now. */
  searchEnded() {
    if (this.thought && !this.thought.stored) this.thought = null;
    this.showThought();
  }

  hearThought(message) {
    // A thought about a step that has been made since is out of date.
    if (message.step < (this.live?.steps ?? 0)) return;
    this.thought = message;
    if (!this.hidden(message)) this.showThought();
  }

  /** Would showing this thought tell somebody here what the other is about to choose at the same time? */
  hidden({ step }) {
    const live = this.live;
    if (!live || step !== live.steps || live.legal.length < 2) return false;
    return live.legal.some(({ player, chosen }) => !chosen && live.seats[player].kind !== "agent");
  }

  // Which position is shown

  /** Goes to a position: the address changes, and the page follows it. */
  goTo(step) {
    const present = step === null || (step === this.live?.steps && !this.live.over);
    const hash = `#/match/${this.id}${present ? "" : `/${step}`}`;
    if (hash === location.hash) this.follow();
    else location.replace(hash);
  }

  /** Shows the position the address names. */
  async follow() {
    const named = location.hash.match(/^#\/match\/[^/]+\/(\d+)$/);
    const step = named ? Number(named[1]) : null;
    this.step = step;
    this.line = [];
    if (step === null || step === this.live?.steps) {
      if (this.live) this.display(this.live);
      return;
    }
    await this.fetchPosition(step, []);
  }

  /** Shows the position after some steps and a line that is played in thought. */
  async fetchPosition(step, line) {
    const asked = (this.asked = {});
    this.line = line;
    try {
      const view = await get(`/api/matches/${this.id}` + query({ step, line: line.length > 0
        ? JSON.stringify(line) : undefined }));
      if (this.asked !== asked) return null;
      this.display(view);
      return view;
    } catch (error) {
      notice(error.message, "error");
      return null;
    }
  }

  get present() {
    return this.shown === this.live;
  }

  /** The players this browser may act for in the position shown. */
  get awaited() {
    if (!this.present || this.live.over || this.live.turn.kind !== "players") return [];
    const keys = keysOf(this.id);
    return this.live.legal.filter(({ player, chosen }) => !chosen && this.live.seats[player].kind === "person"
      && keys[player]);
  }

  display(view) {
    this.asked = null;
    const before = this.shown;
    this.shown = view;
    const moved = this.clicks.get(view.step - 1);
    if (view.line.length === 0) this.clicks.set(view.step, view.legal);
    const awaited = this.awaited;
    if (!awaited.some(({ player }) => player === this.acting)) this.acting = awaited[0]?.player ?? null;
    const own = awaited.find(({ player }) => player === this.acting);
    // News that change nothing on the board leave a choice in progress alone.
    const scene = JSON.stringify([view.step, view.line, view.state, this.acting, own?.actions ?? null, view.over]);
    if (!before || scene !== this.scene) {
      this.scene = scene;
      const actions = (own?.actions ?? [])
        .map((action) => ({ ...action, areas: action.clicks, badge: badgeOf(action.note) }));
      this.board.show(view.picture, actions);
      if (view.line.length === 0 && moved && view.step > 0)
        this.board.mark(stepAreas(moved, this.live.history[view.step - 1]));
      this.actions.show(actions, view.over ? t("match.over") : t("actions.none"));
      this.look([]);
    }
    this.showFrame();
    this.showThought();
    this.analysis.position(view);
    this.labels.position();
    if (!before) this.changeTab(this.tabs.current);
  }

  showFrame() {
    const { live, shown } = this;
    if (!this.evaluation) {
      this.evaluation = new EvaluationBar(live.players);
      put(this.bar, this.evaluation.element);
    }
    if (this.titled !== live.seed) this.showTitle();
    this.showStatus();
    put(this.seats, live.seats.map((seat) => seatLine(seat, live, keysOf(this.id), () => this.sit(seat.player))));
    const focused = this.controls.contains(document.activeElement) ? document.activeElement.id : null;
    this.showControls();
    if (focused) document.getElementById(focused)?.focus();
    this.slider.show(shown.step, live.steps, this.present);
    this.history.show(live.history, shown.step);
    const points = live.history.flatMap((step, index) => step.players.map((player,
      i) => ({ step: index, player, value: step.decisions[i]?.value ?? null })))
      .filter(({ value }) => value !== null).map((point) => ({ ...point, share: this.share(point.value) }));
    put(this.graph, valueGraph({ points, steps: live.steps, at: shown.step, players: live.players,
      onpick: (step) => this.goTo(step) }));
    if (this.present && live.payoffs && live.players.length === 1) this.evaluate(0, live.payoffs[0]);
    else if (this.present && live.payoffs) {
      const shares = live.payoffs.map((payoff) => this.share(payoff));
      const all = shares.reduce((sum, share) => sum + share, 0);
      this.evaluation.show(all > 0 ? shares.map((share) => share / all) : null);
    } else if (!this.thought || this.thought.step !== shown.step) {
      const last = points.filter(({ step }) => step <= shown.step).at(-1);
      this.evaluate(last ? last.player : 0, last ? last.value : null);
    }
  }

  /** Shows the title; the seed is known when the match is over. */
  showTitle() {
    const { live } = this;
    this.titled = live.seed;
    put(this.title, h("h1", { class: "game-title" }, live.title || live.game),
      h("p", { class: "mono small" }, Number.isSafeInteger(live.seed) ? t("match.seed", { seed: live.seed }) : ""),
      h("div", { class: "links" },
        button(t("match.link"), () => this.copyLink(), { class: "plain" }),
        h("a", { class: "button plain-link", href: `/api/matches/${this.id}/replay`, download: `tesuji-${this.id}.json`,
          id: "download" }, t("match.download"))));
  }

  showStatus() {
    const { text, kind } = statusText(this.live, this.shown, this.awaited, this.acting);
    put(this.status, text);
    this.status.dataset.kind = kind;
    this.status.dataset.step = this.shown.step;
  }

  showControls() {
    const { live } = this;
    const keys = keysOf(this.id);
    const mine = live.seats.filter((seat) => seat.kind === "person" && keys[seat.player]);
    const own = this.awaited.find(({ player }) => player === this.acting);
    const anyKey = live.origin === "play" && (mine.length > 0 || live.seats.every((seat) => seat.kind === "agent"));
    put(this.controls,
      this.awaited.length > 1
        ? select(this.awaited.map(({ player, name }) => [String(player), t("match.acting", { name: catalogue(name) })]),
        String(this.acting), (player) => { this.acting = Number(player); this.display(this.live); },
        { "aria-label": t("match.acting.name"), id: "acting" }) : null,
      mine.length > 0 ? [
        button(t("match.end"), () => this.endTurn(), { id: "end-turn", disabled: !own?.end_turn,
          hidden: !live.features.includes("multi-action") }),
        this.undoButton(mine),
        this.resignButton(mine),
      ] : null,
      anyKey ? button(t("match.stop"), () => this.stop(), { id: "stop", disabled: !live.thinking }) : null,
      live.over && live.origin === "play" ? h("a", { class: "button", href: "#/" }, t("match.again")) : null);
  }

  /** Where others must agree to an undo, the button says what a click does, and nothing is left to do after it. */
  undoButton(mine) {
    const { can_undo, undo } = this.live;
    const asked = undo && mine.every(({ player }) => !undo.missing.includes(player));
    const label = !undo ? "match.undo" : asked ? "match.undo.asked" : "match.undo.agree";
    return button(t(label), () => this.undo(), { id: "undo", disabled: !can_undo || asked });
  }

  resignButton(mine) {
    const resign = button(t("match.resign"), () => {
      if (resign.dataset.sure) this.send("resign", { player: this.acting ?? mine[0].player });
      else {
        resign.dataset.sure = "yes";
        resign.textContent = t("match.resign.sure");
      }
    }, { id: "resign", disabled: this.live.over });
    return resign;
  }

  // Thoughts

  showThought() {
    const { thought, shown } = this;
    if (!shown) return;
    if (shown.line.length > 0) return;
    if (thought && !this.hidden(thought) && (thought.step === shown.step || (this.present && !thought.stored))) {
      const name = catalogue(this.live.players[thought.player]);
      const { thinking } = this.live;
      const now = !thought.stored && thinking?.player === thought.player && !thinking.queued;
      this.thinking.show(thought.decision, t(now ? "thought.now" : "thought.then", { name, step: thought.step }));
      if (thought.step === shown.step) this.evaluate(thought.player, thought.decision.value);
    } else this.fetchThought();
    this.drawThought(null);
  }

  /** Shows what was thought before the step that was made in the position shown; at the present, the last thought. */
  async fetchThought() {
    const thoughtful = (step) => step.decisions.some(Boolean);
    const index = this.present ? this.live.history.findLastIndex(thoughtful) : this.shown.step;
    const step = this.live.history[index];
    if (!step || !thoughtful(step)) {
      this.thinking.show(null);
      return;
    }
    const asked = (this.askedThought = {});
    // A step that was taken back meanwhile has no thought any more.
    const told = await get(`/api/matches/${this.id}/steps/${index}`).catch(() => null);
    if (!told || this.askedThought !== asked) return;
    const { players, decisions } = told;
    const at = decisions.findIndex(Boolean);
    this.thought = { player: players[at], step: index, decision: decisions[at], stored: true };
    this.thinking.show(decisions[at],
      t("thought.then", { name: catalogue(this.live.players[players[at]]), step: index }));
    if (index === this.shown.step) this.evaluate(players[at], decisions[at].value);
    this.drawThought(null);
  }

  /** Draws the candidates of the thought on the board, or one of them, if they belong to the position shown. */
  drawThought(only) {
    const { thought, shown } = this;
    if (this.tabs?.current !== "thinking") return;
    if (!thought || thought.step !== shown?.step || shown.line.length > 0 || this.hidden(thought))
      this.board.arrows([]);
    else this.drawCandidates(thought.decision.candidates, thought.player, only);
  }

  /** Draws candidates of a player in the position shown. */
  drawCandidates(candidates, player, only = null) {
    const legal = this.shown.legal.find((entry) => entry.player === player)?.actions ?? [];
    const clicks = new Map(legal.map((action) => [action.text, action.clicks]));
    const parts = weights(candidates);
    this.board.arrows(candidates.map((candidate, index) => ({ areas: clicks.get(candidate.action) ?? [],
      weight: parts[index], candidate }))
      .filter(({ areas, candidate }) => areas.length > 0 && (!only || candidate.action === only.action)).slice(0, 8)
      .map(({ areas, weight }) => ({ areas, weight: only ? 1 : weight })));
  }

  /** A value on the scale of payoffs as a share from 0 to 1. */
  share(value) {
    const [least, greatest] = this.live.payoff_range;
    return Math.max(0, Math.min(1, (value - least) / (greatest - least || 1)));
  }

  /** Shows a value for one player in the bar; the others share the rest. */
  evaluate(player, value) {
    if (value === null || value === undefined) return this.evaluation.show(null);
    const own = this.share(value);
    const { players } = this.live;
    this.evaluation.show(players.map((_, index) => (index === player ? own : (1 - own) / (players.length - 1 || 1))));
  }

  changeTab(key) {
    if (!this.shown) return;
    if (key !== "labels") remember("tab", key);
    this.board.arrows([]);
    if (key === "thinking") this.showThought();
    if (key === "analysis") this.analysis.begin();
    if (key === "labels") this.labels.open();
  }

  // What people do

  look(actions) {
    if (actions.length === 0) {
      const hidden = this.choice && this.present && this.choice.step === this.live.steps && this.live.legal.length > 1;
      put(this.hint, this.awaited.length > 0 ? t("hint.choose") : hidden
        ? t("hint.chosen", { action: this.choice.text }) : "");
    } else if (actions.length === 1) {
      put(this.hint, h("b", null, actions[0].text), actions[0].note ? ` – ${noteText(actions[0].note)}` : "");
    } else {
      const hits = [...new Set(actions.filter((action) => action.note)
        .map((action) => `${action.text}: ${noteText(action.note)}`))];
      put(this.hint, h("b", null, t("hint.many", { count: actions.length })), hits.length > 0
        ? ` – ${hits.slice(0, 2).join("; ")}${hits.length > 2 ? " …" : ""}` : "");
    }
  }

  async send(what, body) {
    const keys = keysOf(this.id);
    try {
      const key = keys[body.player] ?? Object.values(keys)[0];
      const path = `/api/matches/${this.id}/${what}?answer=revision`;
      this.expect((await post(path, what === "undo" ? body : { ...body, key })).revision);
    } catch (error) {
      this.board.clear();
      notice(error.message, "error");
    }
  }

  act(action) {
    if (this.acting === null || !this.present) return;
    this.choice = { step: this.live.steps, text: action.text };
    this.send("actions", { player: this.acting, action: action.text });
  }

  endTurn() {
    const own = this.awaited.find(({ player }) => player === this.acting);
    if (own?.end_turn) this.send("end-turn", { player: this.acting });
  }

  /** Takes back a choice, or agrees to that, for all seats of this browser. */
  undo() {
    if (this.live.can_undo) this.send("undo", { keys: Object.values(keysOf(this.id)) });
  }

  stop() {
    if (this.live.thinking) this.send("stop", {});
  }

  async sit(player) {
    try {
      const name = recall("name", t("setup.you"));
      const { key } = await post(`/api/matches/${this.id}/seats/${player}`, { name });
      keepKeys(this.id, { [player]: key });
      if (this.present) this.display(this.live);
      else this.showFrame();
    } catch (error) {
      notice(error.message, "error");
    }
  }

  async copyLink() {
    try {
      await navigator.clipboard.writeText(location.href);
      notice(t("match.link.copied"));
    } catch {
      notice(location.href);
    }
  }

  key(event) {
    if (!this.live || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.target.closest?.("input, select, textarea")) return;
    const keys = {
      u: () => this.undo(), e: () => this.endTurn(), s: () => this.stop(), Escape: () => this.board.clear(),
      ",": () => this.slider.back.click(), ".": () => this.slider.forward.click(), Home: () => this.goTo(0),
        End: () => this.goTo(null),
    };
    if (this.tabs.current === "labels" && this.labels.key(event.key)) return event.preventDefault();
    if (event.key.startsWith("Arrow") && !event.target.closest?.("button, a, [role=tabpanel]")) this.board.focus(null);
    else if (keys[event.key]) keys[event.key]();
    else return;
    event.preventDefault();
  }
}

/** The areas of the actions of a step, by what was legal before it. */
function stepAreas(legal, step) {
  return (step?.players ?? []).flatMap((player, index) =>
    legal.find((entry) => entry.player === player)?.actions.find((action) => action.text === step.joint[index])?.clicks
      ?? []);
}

// A match: its board and the parts around it. The page holds which position is shown; its parts do the rest.

import { get, query } from "./calls.js";
import { ActionList } from "./actions.js";
import { Board } from "./board.js";
import { roll } from "./dice.js";
import { button, h, notice, put } from "./dom.js";
import { ExplorePanel } from "./explore/panel.js";
import { HistoryList, Slider } from "./history.js";
import { LabelPanel } from "./label.js";
import { Clocks } from "./match/clock.js";
import { Controls } from "./match/controls.js";
import { Evaluation } from "./match/evaluation.js";
import { Feed } from "./match/feed.js";
import { Hints } from "./match/hints.js";
import { keyList, pressed } from "./match/keys.js";
import { lastTurn } from "./match/last_turn.js";
import { ReviewPanel } from "./match/review.js";
import { RulesPanel } from "./match/rules.js";
import { ThoughtPanel } from "./match/thoughts.js";
import { TranscriptPanel, hasModels } from "./match/transcripts.js";
import { keysOf, recall, remember } from "./memory.js";
import { levelsOf } from "./levels.js";
import { click, soundOn, switchSound } from "./sound.js";
import { seatLine, statusText } from "./status.js";
import { badgeOf, noteText, phraseText, t, titleText } from "./strings.js";
import { Tabs } from "./tabs.js";

/** The panels that are open again in the next match. */
const RECALLED = ["actions", "thinking", "rules", "history"];

/** The page; `step` is the position to show, the present one if it is left out. */
export function matchPage(main, id, step, study) {
  const page = new MatchPage(main, id, step === undefined ? null : Number(step), study);
  return () => page.leave();
}

class MatchPage {
  constructor(main, id, step, study) {
    this.id = id;
    this.main = main;
    this.step = step;
    this.shown = null;
    this.acting = null;
    this.line = [];
    this.wantedStudy = study ?? null;
    this.levels = [];
    this.build(main);
    this.events = new AbortController();
    const { signal } = this.events;
    addEventListener("position", () => this.follow(), { signal });
    addEventListener("keydown", (event) => pressed(this, event), { signal });
    this.feed = new Feed(id, {
      onview: (view, before) => this.receive(view, before),
      onthought: (message) => this.thoughts.hear(message),
      onidle: () => this.thoughts.searchEnded(),
      ongone: (error) => this.gone(error),
      onconnection: (on) => this.connection(on),
    });
  }

  /** The present position of the match. */
  get live() {
    return this.feed?.live ?? null;
  }

  leave() {
    this.feed.close();
    this.events.abort();
    for (const part of [this.explore, this.review, this.hints, this.clocks]) part.leave();
  }

  build(main) {
    this.controls = new Controls(this);
    this.hints = new Hints(this);
    this.clocks = new Clocks();
    this.review = new ReviewPanel(this);
    this.rules = new RulesPanel(this);
    this.evaluation = new Evaluation(this);
    this.board = new Board({ onaction: (action) => this.controls.act(action), onlook: (actions) => this.look(actions),
      onselect: (actions) => this.actions.narrow(actions) });
    this.title = h("div", { class: "title" }, h("h1", null, t("loading")));
    this.status = h("p", { class: "status", id: "status", role: "status" });
    this.tray = h("div", { class: "tray", id: "tray", role: "status", "aria-label": t("dice") });
    this.hint = h("p", { class: "hint", id: "hint" });
    this.seats = h("div", { class: "seat-lines", id: "seats" });
    this.slider = new Slider((step) => this.goTo(step));
    this.actions = new ActionList({ onaction: (action) => this.controls.act(action),
      onlook: (actions) => this.look(actions) });
    this.history = new HistoryList((step) => this.goTo(step));
    this.thoughts = new ThoughtPanel(this);
    this.explore = new ExplorePanel(this);
    this.labels = new LabelPanel(this);
    this.transcripts = new TranscriptPanel(this);
    this.tabs = new Tabs([
      ["actions", t("actions"), this.actions.element],
      ["thinking", t("thinking"), this.thoughts.element],
      ["analysis", t("analysis"), this.explore.element],
      ["review", t("review"), this.review.element],
      ["rules", t("rules"), this.rules.element],
      ["history", t("history"), this.history.element],
      ["labels", t("labels"), this.labels.element],
      ["transcripts", t("transcripts"), this.transcripts.element],
    ], (key) => this.changeTab(key));
    put(main, this.title,
      h("div", { class: "match" },
        h("section", { class: "card board-card", "aria-label": t("board") }, this.status, this.evaluation.bar,
          this.board.element, h("div", { class: "under" }, this.hint, this.tray), this.controls.element,
          this.slider.element),
        h("section", { class: "side" }, h("div", { class: "card seats-card" }, this.seats),
          h("div", { class: "card tabs-card" }, this.tabs.element), h("div", { class: "card graph-card" },
            this.evaluation.graph.element), keyList())));
    // A match begins with a panel in which clicks on the board play.
    const last = recall("tab", "actions");
    this.tabs.offer("transcripts", false);
    this.tabs.show(RECALLED.includes(last) ? last : "actions");
  }

  // What the server says

  /** The match was removed, or was never there. */
  gone(error) {
    if (error) {
      put(this.main, h("div", { class: "empty" }, h("p", null, error.status === 404 ? t("match.missing")
        : error.message), h("a", { href: "#/replays" }, t("nav.replays"))));
      return;
    }
    this.status.classList.remove("offline");
    this.status.dataset.kind = "over";
    put(this.status, t("match.gone"));
    put(this.controls.element);
  }

  connection(on) {
    this.status.classList.toggle("offline", !on);
    if (!on) put(this.status, t("match.offline"));
    else if (this.shown) this.showStatus();
  }

  /** Takes a view. New rolls are shown before the position they lead to. */
  async receive(view, before) {
    if (before) this.thoughts.forget(view, before);
    if (before && this.tabs.current === "transcripts") this.transcripts.open();
    if (before && view.steps > before.steps && this.step === null) {
      const drawn = view.history.slice(before.steps).filter((step) => step.players.length === 0)
        .map((step) => step.joint.join(" "));
      await roll(this.tray, drawn);
      click();
    }
    if (this.feed.closed) return;
    // Whoever looks back, or at a line in thought, is not torn away.
    if ((this.step === null && this.line.length === 0) || !this.shown) await this.follow();
    else this.showFrame();
    if (!before) this.greet();
  }

  /** The first view has come: what is asked for once. */
  async greet() {
    if (this.wantedStudy) this.explore.load(this.wantedStudy);
    this.levels = (await levelsOf(this.live.game).catch(() => ({ levels: [] }))).levels;
    if (this.shown && !this.feed.closed) this.showSeats();
    this.tabs.offer("transcripts", hasModels(this.live));
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
    const named = location.hash.match(/^#\/match\/[^/]+\/(\d+)(?:\/|$)/);
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

  /** Is the present position shown? */
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

  /** Chooses for another player of this browser. */
  actFor(player) {
    this.acting = player;
    this.display(this.live);
  }

  /** Shows the position again: what this browser may do has changed. */
  refresh() {
    if (this.present) this.display(this.live);
    else this.showFrame();
  }

  display(view) {
    this.asked = null;
    const before = this.shown;
    this.shown = view;
    const awaited = this.awaited;
    if (!awaited.some(({ player }) => player === this.acting)) this.acting = awaited[0]?.player ?? null;
    const own = awaited.find(({ player }) => player === this.acting);
    // News that change nothing on the board leave a choice in progress alone.
    const legal = this.explore.active ? this.explore.actions(view) : own?.actions ?? [];
    const scene = JSON.stringify([view.step, view.line, view.state, this.acting, legal, view.over]);
    if (!before || scene !== this.scene) {
      this.scene = scene;
      const actions = legal.map((action) => ({ ...action, areas: action.clicks, badge: badgeOf(action.note),
        words: phraseText(action.phrase) }));
      this.board.show(view.picture, actions);
      if (view.line.length === 0) this.board.mark(lastTurn(this.live.history, view.step).flatMap(({ shown }) =>
        shown.flatMap(({ clicks }) => clicks)));
      this.actions.show(actions, view.over ? t("match.over") : t("actions.none"));
      this.look([]);
    }
    this.showChoice();
    this.showFrame();
    this.thoughts.show();
    this.explore.position(view);
    this.labels.position();
    if (!before) this.changeTab(this.tabs.current);
  }

  /** Shows everything around the board. */
  showFrame() {
    const { live, shown } = this;
    if (this.titled !== live.seed) this.showTitle();
    this.showStatus();
    this.showSeats();
    this.controls.show();
    this.controls.recallChoice();
    this.slider.show(shown.step, live.steps, this.present);
    this.history.show(live.history, shown.step);
    this.evaluation.show();
  }

  /** Shows the title; the seed is known when the match is over. */
  showTitle() {
    const { live } = this;
    this.titled = live.seed;
    const sound = button(t(soundOn() ? "sound.off" : "sound.on"), () => {
      switchSound();
      put(sound, t(soundOn() ? "sound.off" : "sound.on"));
    }, { class: "plain", id: "sound" });
    const letters = button(t("board.letters"), () => this.switchLetters(letters), { class: "plain", id: "letters",
      "aria-pressed": String(recall("letters", false)) });
    this.board.letters(recall("letters", false));
    letters.hidden = !this.board.element.querySelector(".letter");
    put(this.title, h("h1", { class: "game-title" }, live.title || titleText(live.game_title)),
      h("p", { class: "mono small" }, Number.isSafeInteger(live.seed) ? t("match.seed", { seed: live.seed }) : ""),
      h("div", { class: "links" }, letters, sound,
        button(t("match.link"), () => copyLink(), { class: "plain" }),
        h("a", { class: "button plain-link", href: `/api/matches/${this.id}/replay`, download: `tesuji-${this.id}.json`,
          id: "download" }, t("match.download"))));
  }

  switchLetters(letters) {
    remember("letters", !recall("letters", false));
    this.board.letters(recall("letters", false));
    letters.setAttribute("aria-pressed", String(recall("letters", false)));
  }

  /** Shows who sits where, and their clocks. */
  showSeats() {
    const { live } = this;
    put(this.seats, live.seats.map((seat) => seatLine(seat, live, keysOf(this.id), this.levels,
      () => this.controls.sit(seat.player), (clock) => this.clocks.place(seat.player, clock))));
    this.clocks.take(live);
  }

  /** Marks the own hidden choice on the board: only here, and only until everybody has chosen. */
  showChoice() {
    const { choice } = this.controls;
    const hidden = choice && this.present && !this.live.over && choice.step === this.live.steps
      && this.live.legal.length > 1;
    this.board.own(hidden ? choice.action.clicks : []);
    if (hidden) this.look([]);
  }

  showStatus() {
    const { text, kind } = statusText(this.live, this.shown, this.awaited, this.acting, keysOf(this.id));
    put(this.status, text);
    this.status.dataset.kind = kind;
    this.status.dataset.step = this.shown.step;
  }

  changeTab(key) {
    if (!this.shown) return;
    if (key !== "labels") remember("tab", key);
    this.board.arrows([]);
    // In the panel for exploring a click on the board plays in thought; elsewhere it plays in the match.
    this.display(this.shown);
    if (key === "thinking") this.thoughts.show();
    if (key === "review") this.review.open();
    if (key === "rules") this.rules.open();
    if (key === "labels") this.labels.open();
    if (key === "transcripts") this.transcripts.open();
  }

  /** Says what the actions under the pointer would do; without any, what was done or what to do. */
  look(actions) {
    if (actions.length === 0) return put(this.hint, this.quiet());
    const note = (action) => (action.note ? ` – ${noteText(action.note)}` : "");
    if (actions.length === 1) return put(this.hint, h("b", null, actions[0].words), note(actions[0]));
    const hits = [...new Set(actions.filter((action) => action.note).map((action) => action.words + note(action)))];
    return put(this.hint, h("b", null, t("hint.many", { count: actions.length })), hits.length > 0
      ? ` – ${hits.slice(0, 2).join("; ")}${hits.length > 2 ? " …" : ""}` : "");
  }

  /** What is said while nothing is pointed at: a hint, the own hidden choice, or the last turn. */
  quiet() {
    const { choice } = this.controls;
    if (!this.shown) return "";
    if (this.hints.text) return h("b", null, this.hints.text);
    const hidden = choice && this.present && choice.step === this.live.steps && this.live.legal.length > 1;
    if (hidden && !this.live.over) return t("hint.chosen", { action: phraseText(choice.action.phrase) });
    if (this.explore.active && this.shown.turn.kind === "players") return t("explore.hint");
    const turn = this.shown.line.length === 0 ? lastTurn(this.live.history, this.shown.step) : [];
    const words = turn.flatMap(({ shown }) => shown.map(({ phrase, note }) => phraseText(phrase)
      + (note ? ` (${noteText(note)})` : "")));
    if (words.length > 0) return t("hint.last", { actions: words.join("; ") });
    return this.awaited.length > 0 ? t("hint.choose") : "";
  }
}

async function copyLink() {
  try {
    await navigator.clipboard.writeText(location.href);
    notice(t("match.link.copied"));
  } catch {
    notice(location.href);
  }
}

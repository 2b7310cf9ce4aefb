// What the agents of a match think: while they search, and afterwards the search that led to a step.

import { get } from "../calls.js";
import { catalogue, phraseText, prettyAction, t } from "../strings.js";
import { ThoughtTable, weights } from "../thinking.js";

/** Candidates that are drawn on the board at most. */
const DRAWN = 8;

/** The panel beside a match page. */
export class ThoughtPanel {
  constructor(page) {
    this.page = page;
    this.thought = null;
    this.table = new ThoughtTable({ onlook: (candidate) => this.draw(candidate) });
    this.element = this.table.element;
  }

  /** A new view: thoughts about steps that have been made since, or were taken back, are out of date. */
  forget(view, before) {
    if (view.steps < before.steps || (this.thought && this.thought.step < view.steps)) this.thought = null;
  }

  /** A search ended: what it found is part of the match now. */
  searchEnded() {
    if (this.thought && !this.thought.stored) this.thought = null;
    this.show();
  }

  /** A thought of a search in progress. */
  hear(message) {
    // A thought about a step that has been made since is out of date.
    if (message.step < (this.page.live?.steps ?? 0)) return;
    this.thought = message;
    if (!this.hidden(message)) this.show();
  }

  /** Would showing this thought tell somebody here what the other is about to choose at the same time? */
  hidden({ step }) {
    const { live } = this.page;
    if (!live || step !== live.steps || live.legal.length < 2) return false;
    return live.legal.some(({ player, chosen }) => !chosen && live.seats[player].kind !== "agent");
  }

  /** Does the thought belong to the position shown? */
  get here() {
    const { thought, page } = this;
    return Boolean(thought) && thought.step === page.shown?.step && page.shown.line.length === 0
      && !this.hidden(thought);
  }

  show() {
    const { thought, page } = this;
    const { shown, live } = page;
    if (!shown || shown.line.length > 0) return;
    if (thought && !this.hidden(thought) && (thought.step === shown.step || (page.present && !thought.stored))) {
      const name = catalogue(live.players[thought.player]);
      const { thinking } = live;
      const now = !thought.stored && thinking?.player === thought.player && !thinking.queued;
      this.table.show(thought.decision, t(now ? "thought.now" : "thought.then", { name, step: thought.step }),
        wordsIn(thought.step === shown.step ? shown : live, thought.player));
      this.table.element.dataset.now = String(now);
      if (thought.step === shown.step) page.evaluation.evaluate(thought.player, thought.decision.value);
    } else this.fetch();
    this.draw(null);
  }

  /** Shows what was thought before the step that was made in the position shown; at the present, the last thought. */
  async fetch() {
    const { page } = this;
    const { live, shown } = page;
    const thoughtful = (step) => step.decisions.some(Boolean);
    const index = page.present ? live.history.findLastIndex(thoughtful) : shown.step;
    const step = live.history[index];
    this.table.element.dataset.now = "false";
    if (!step || !thoughtful(step)) {
      this.table.show(null);
      return;
    }
    const asked = (this.asked = {});
    // A step that was taken back meanwhile has no thought any more.
    const told = await get(`/api/matches/${page.id}/steps/${index}`).catch(() => null);
    if (!told || this.asked !== asked) return;
    const { players, decisions } = told;
    const at = decisions.findIndex(Boolean);
    this.thought = { player: players[at], step: index, decision: decisions[at], stored: true };
    this.table.show(decisions[at], t("thought.then", { name: catalogue(page.live.players[players[at]]), step: index }),
      wordsIn(page.shown, players[at]));
    if (index === page.shown.step) page.evaluation.evaluate(players[at], decisions[at].value);
    this.draw(null);
  }

  /** Draws the candidates of the thought on the board, or one of them, if they belong to the position shown. */
  draw(only) {
    const { thought, page } = this;
    if (page.tabs?.current !== "thinking") return;
    if (this.here) drawCandidates(page, thought.decision.candidates, thought.player, only);
    else page.board.arrows([]);
  }
}

/** Writes the actions of a player in a position as people do; an action that is not legal there keeps its text. */
export function wordsIn(view, player) {
  const legal = view?.legal.find((entry) => entry.player === player)?.actions ?? [];
  const phrases = new Map(legal.map(({ text, phrase }) => [text, phrase]));
  return (text) => (phrases.has(text) ? phraseText(phrases.get(text)) : prettyAction(text));
}

/** Draws candidates of a player in the position that a page shows. */
export function drawCandidates({ shown, board }, candidates, player, only = null) {
  const legal = shown.legal.find((entry) => entry.player === player)?.actions ?? [];
  const clicks = new Map(legal.map((action) => [action.text, action.clicks]));
  const parts = weights(candidates);
  board.arrows(candidates.map((candidate, index) => ({ areas: clicks.get(candidate.action) ?? [],
    weight: parts[index], candidate }))
    .filter(({ areas, candidate }) => areas.length > 0 && (!only || candidate.action === only.action)).slice(0, DRAWN)
    .map(({ areas, weight }) => ({ areas, weight: only ? 1 : weight })));
}

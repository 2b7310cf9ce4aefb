// Puzzles: positions with a known best action. The reader plays on the board; the server knows the answer.

import { ActionList } from "../actions.js";
import { Board } from "../board.js";
import { get, query } from "../calls.js";
import { button, h, notice, put } from "../dom.js";
import { number } from "../format.js";
import { recall, remember } from "../memory.js";
import { seatMark } from "../seats.js";
import { badgeOf, catalogue, noteText, phraseText, prettyAction, t, titleText } from "../strings.js";

/** The list of all puzzles. */
export function puzzlesPage(main) {
  list(main);
}

async function list(main) {
  put(main, h("div", { class: "title" }, h("h1", null, t("nav.puzzles")), h("p", null, t("puzzles.about"))),
    h("p", { class: "soft" }, t("loading")));
  const all = await get("/api/puzzles");
  const solved = recall("solved", []);
  const groups = Map.groupBy ? Map.groupBy(all, ({ title }) => title) : grouped(all);
  put(main, h("div", { class: "title" }, h("h1", null, t("nav.puzzles")), h("p", null, t("puzzles.about"))),
    h("div", { class: "cards" }, [...groups].map(([title, puzzles]) => h("section", { class: "card" },
      h("h2", null, titleText(title)), h("ul", { class: "puzzle-list" }, puzzles.map(({ id, goal }, index) =>
        h("li", null, h("a", { class: `button ${solved.includes(id) ? "solved" : ""}`, href: `#/puzzle/${id}`,
          data: { puzzle: id }, title: t(`puzzle.goal.${goal}`) }, solved.includes(id) ? "✓ " : "", index + 1))))))));
}

function grouped(all) {
  const groups = new Map();
  for (const each of all) groups.set(each.title, [...(groups.get(each.title) ?? []), each]);
  return groups;
}

/** One puzzle. */
export function puzzlePage(main, id) {
  new PuzzlePage(main, id);
}

class PuzzlePage {
  constructor(main, id) {
    this.id = id;
    this.chosen = [];
    this.all = null;
    this.board = new Board({ onaction: (action) => this.play(action), onlook: (actions) => this.look(actions),
      onselect: (actions) => this.actions.narrow(actions) });
    this.actions = new ActionList({ onaction: (action) => this.play(action),
      onlook: (actions) => this.look(actions) });
    this.status = h("p", { class: "status", id: "status", role: "status" });
    this.hint = h("p", { class: "hint", id: "hint" });
    this.controls = h("div", { class: "buttons" });
    this.title = h("h1", null, t("loading"));
    put(main, h("div", { class: "title" }, this.title),
      h("div", { class: "match" }, h("section", { class: "card board-card", "aria-label": t("board") }, this.status,
        this.board.element, h("div", { class: "under" }, this.hint), this.controls),
        h("section", { class: "side" }, h("div", { class: "card" }, h("h2", null, t("actions")),
          this.actions.element))));
    this.load();
  }

  async load() {
    try {
      this.all ??= await get("/api/puzzles");
      this.show(await get(`/api/puzzles/${this.id}` + query({ actions: JSON.stringify(this.chosen) })));
    } catch (error) {
      this.chosen.pop();
      notice(error.message, "error");
    }
  }

  show(told) {
    this.told = told;
    const { puzzle, players, answer } = told;
    const at = this.all.findIndex(({ id }) => id === this.id);
    put(this.title, t("puzzle.title", { number: at + 1, title: titleText(puzzle.title) }));
    const open = answer === null || answer === "unfinished";
    const actions = open ? (told.legal[0]?.actions ?? []).map((action) => ({ ...action, areas: action.clicks,
      badge: badgeOf(action.note), words: phraseText(action.phrase) })) : [];
    this.board.letters(recall("letters", false));
    this.board.show(told.picture, actions);
    this.actions.show(actions, t("actions.none"));
    this.look([]);
    this.status.dataset.kind = answer === "right" ? "over" : open ? "yours" : "past";
    this.status.dataset.answer = answer ?? "none";
    const goal = puzzle.goal === "win" ? t("puzzle.win") : this.goal(puzzle);
    put(this.status, answer === "right" ? t("puzzle.right") : answer === "wrong" ? t("puzzle.wrong")
      : [h("span", seatMark(players[puzzle.player], puzzle.player), catalogue(players[puzzle.player])), ": ", goal]);
    if (answer === "right") remember("solved", [...new Set([...recall("solved", []), this.id])]);
    const next = this.all[(at + 1) % this.all.length].id;
    put(this.controls,
      this.chosen.length > 0 ? button(t("puzzle.again"), () => { this.chosen = []; this.load(); },
        { id: "puzzle-again" }) : null,
      button(t("puzzle.solution"), () => this.solution(), { id: "puzzle-solution" }),
      h("a", { class: `button ${answer === "right" ? "primary" : ""}`, href: `#/puzzle/${next}`, id: "puzzle-next" },
        t("puzzle.next")));
  }

  /** What can be had from the position. */
  goal({ value, payoff_range: [least, greatest] }) {
    const share = (value - least) / (greatest - least || 1);
    if (share >= 0.999) return t("puzzle.goal.win");
    if (share === 0.5) return t("puzzle.goal.draw");
    return t("puzzle.goal.share", { share: number(100 * share, 0) });
  }

  look(actions) {
    put(this.hint, actions.length === 1 ? [h("b", null, actions[0].words), actions[0].note
      ? ` – ${noteText(actions[0].note)}` : ""] : actions.length > 1 ? t("hint.many", { count: actions.length })
      : this.told?.chosen.length ? t("hint.last", { actions: this.told.chosen.map(({ phrase }) => phraseText(phrase))
        .join("; ") }) : "");
  }

  play(action) {
    this.chosen.push(action.text);
    this.load();
  }

  async solution() {
    try {
      const { best, turn } = await get(`/api/puzzles/${this.id}/solution`);
      if (turn.length > 0) return this.showTurn(turn);
      const legal = this.told.legal[0]?.actions ?? [];
      const known = legal.filter(({ text }) => best.includes(text));
      this.board.arrows(known.map(({ clicks }) => ({ areas: clicks, weight: 1 })));
      notice(t("puzzle.best", { actions: best.map(prettyAction).join(", ") }));
    } catch (error) {
      notice(error.message, "error");
    }
    return null;
  }

  /** Shows a whole turn: from the first position, the first action as an arrow and all of them in words. */
  async showTurn(turn) {
    this.chosen = [];
    await this.load();
    const first = this.told.legal[0]?.actions.find(({ text }) => text === turn[0]);
    this.board.arrows(first ? [{ areas: first.clicks, weight: 1 }] : []);
    put(this.hint, h("span", { id: "puzzle-turn" }, t("puzzle.turn", { actions: turn.map(prettyAction).join(", ") })));
  }
}

// Hints on request: a strong agent looks at the position and shows what it would do.

import { listen, post } from "../calls.js";
import { notice } from "../dom.js";
import { percent } from "../format.js";
import { budgetOf, levelOf, levelsOf } from "../levels.js";
import { phraseText, t } from "../strings.js";

/** The agents whose search tells a value for every action; the first that can play gives hints. */
const HINT = "strong";

/** Hints of a match page. */
export class Hints {
  constructor(page) {
    this.page = page;
    this.hint = null;
  }

  leave() {
    this.socket?.close();
  }

  /** Asks for a hint in the present position. */
  async ask() {
    const { page } = this;
    const own = page.awaited.find(({ player }) => player === page.acting);
    if (!own) return;
    try {
      const { levels } = await levelsOf(page.live.game);
      const level = levelOf(levels, HINT);
      const step = page.live.steps;
      this.hint = { step, action: null };
      page.look([]);
      const { id } = await post(`/api/matches/${page.id}/analyses`,
        { step, line: [], player: own.player, agent: level.agent, budget: budgetOf(level.budget) });
      this.socket?.close();
      this.socket = listen(`/api/analyses/${id}/live`, ({ analysis }) => this.take(step, analysis), { once: true });
    } catch (error) {
      this.hint = null;
      notice(error.message, "error");
    }
  }

  take(step, { state, decision, error }) {
    const { page } = this;
    if (error) notice(error, "error");
    if (state !== "done" || page.live?.steps !== step || !page.present) return;
    const own = page.awaited.find(({ player }) => player === page.acting);
    const action = own?.actions.find(({ text }) => text === decision.action);
    if (!action) return;
    this.hint = { step, action, value: decision.value };
    page.board.arrows([{ areas: action.clicks, weight: 1 }]);
    page.look([]);
  }

  /** The hint in words, if it is for the position shown. */
  get text() {
    const { hint, page } = this;
    if (!hint || !page.present || hint.step !== page.live.steps) return null;
    if (!hint.action) return t("hints.thinking");
    return t("hints.try", { action: phraseText(hint.action.phrase), share: percent(page.evaluation.share(hint.value),
      0) });
  }
}

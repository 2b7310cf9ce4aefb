// What people do in a match: choose, end a turn, undo, resign, sit down. Each is a request and a button or a key.

import { post } from "../calls.js";
import { button, h, notice, put, select } from "../dom.js";
import { keepKeys, keysOf, recall } from "../memory.js";
import { Rematch } from "./rematch.js";
import { catalogue, t } from "../strings.js";

/** The buttons of a match page, and the requests behind them. */
export class Controls {
  constructor(page) {
    this.page = page;
    this.element = h("div", { class: "buttons", id: "controls" });
    /** The last choice of this browser: the step and the action's text. */
    this.choice = null;
    this.rematch = new Rematch(page);
  }

  /** Shows what can be done now. The button that has the keyboard keeps it. */
  show() {
    const focused = this.element.contains(document.activeElement) ? document.activeElement.id : null;
    this.draw();
    if (focused) document.getElementById(focused)?.focus();
  }

  draw() {
    const { page } = this;
    const { live } = page;
    const keys = keysOf(page.id);
    const mine = live.seats.filter((seat) => seat.kind === "person" && keys[seat.player]);
    const own = page.awaited.find(({ player }) => player === page.acting);
    const anyKey = live.origin === "play" && (mine.length > 0 || live.seats.every((seat) => seat.kind === "agent"));
    put(this.element,
      page.awaited.length > 1
        ? select(page.awaited.map(({ player, name }) => [String(player), t("match.acting", { name: catalogue(name) })]),
        String(page.acting), (player) => page.actFor(Number(player)),
        { "aria-label": t("match.acting.name"), id: "acting" }) : null,
      mine.length > 0 ? [
        button(t("match.end"), () => this.endTurn(), { id: "end-turn", disabled: !own?.end_turn,
          hidden: !live.features.includes("multi-action") }),
        this.undoButton(mine),
        live.over ? null : button(t("hints.ask"), () => page.hints.ask(), { id: "ask-hint", disabled: !own }),
        live.over ? null : this.resignButton(mine),
      ] : null,
      anyKey && !live.over
        ? button(t("match.stop"), () => this.stop(), { id: "stop", disabled: !live.thinking }) : null,
      this.rematch.show(),
      live.over ? button(t("review.open"), () => page.tabs.show("review"), { id: "open-review" }) : null);
  }

  /** Where others must agree to an undo, the button says what a click does, and nothing is left to do after it. */
  undoButton(mine) {
    const { can_undo, undo } = this.page.live;
    const asked = undo && mine.every(({ player }) => !undo.missing.includes(player));
    const label = !undo ? "match.undo" : asked ? "match.undo.asked" : "match.undo.agree";
    return button(t(label), () => this.undo(), { id: "undo", disabled: !can_undo || asked });
  }

  resignButton(mine) {
    const resign = button(t("match.resign"), () => {
      if (resign.dataset.sure) this.send("resign", { player: this.page.acting ?? mine[0].player });
      else {
        resign.dataset.sure = "yes";
        resign.textContent = t("match.resign.sure");
      }
    }, { id: "resign", disabled: this.page.live.over });
    return resign;
  }

  async send(what, body) {
    const { page } = this;
    const keys = keysOf(page.id);
    try {
      const key = keys[body.player] ?? Object.values(keys)[0];
      const path = `/api/matches/${page.id}/${what}?answer=revision`;
      page.feed.expect((await post(path, what === "undo" ? body : { ...body, key })).revision);
    } catch (error) {
      page.board.clear();
      notice(error.message, "error");
    }
  }

  act(action) {
    const { page } = this;
    if (page.explore.active) return page.explore.play(action);
    if (page.acting === null || !page.present) return null;
    this.choice = { step: page.live.steps, player: page.acting, action };
    return this.send("actions", { player: page.acting, action: action.text });
  }

  /** The own hidden choice in the step to come: what this browser sent, or what the server kept of it. */
  async recallChoice() {
    const { page } = this;
    const keys = keysOf(page.id);
    const hidden = page.live.legal.find(({ player, chosen }) => chosen && keys[player]);
    if (!hidden || page.live.legal.length < 2 || this.choice?.step === page.live.steps) return;
    const told = await post(`/api/matches/${page.id}/choices`, { keys: Object.values(keys) }).catch(() => []);
    const own = told.find(({ player }) => player === hidden.player);
    const action = hidden.actions.find(({ text }) => text === own?.action);
    if (!action || page.live.legal.length < 2) return;
    this.choice = { step: page.live.steps, player: hidden.player, action };
    page.showChoice();
  }

  endTurn() {
    const { page } = this;
    const own = page.awaited.find(({ player }) => player === page.acting);
    if (own?.end_turn) this.send("end-turn", { player: page.acting });
  }

  /** Takes back a choice, or agrees to that, for all seats of this browser. */
  undo() {
    if (this.page.live.can_undo) this.send("undo", { keys: Object.values(keysOf(this.page.id)) });
  }

  stop() {
    if (this.page.live.thinking) this.send("stop", {});
  }

  async sit(player) {
    const { page } = this;
    try {
      const name = recall("name", t("setup.you"));
      const { key } = await post(`/api/matches/${page.id}/seats/${player}`, { name });
      keepKeys(page.id, { [player]: key });
      page.refresh();
    } catch (error) {
      notice(error.message, "error");
    }
  }
}

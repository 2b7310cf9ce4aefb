// How long agents think: the search in progress, and all decisions of a seat so far.

import { seconds } from "../format.js";

/** Milliseconds between two readings of a running clock. */
const TICK = 200;

/** The clocks of a match page's seats. */
export class Clocks {
  constructor() {
    this.begun = null;
    this.running = null;
    this.places = new Map();
  }

  leave() {
    clearInterval(this.timer);
  }

  /** Takes a view: whose clock runs, and what was spent so far. */
  take(live) {
    this.spent = live.seats.map(({ player }) => live.history.reduce((sum, step) =>
      sum + (step.decisions[step.players.indexOf(player)]?.milliseconds ?? 0), 0) / 1000);
    const { thinking } = live;
    const running = thinking && !thinking.queued ? `${thinking.player} ${live.steps}` : null;
    if (running !== this.running) {
      this.running = running;
      this.begun = performance.now();
    }
    this.player = running === null ? null : thinking.player;
    clearInterval(this.timer);
    if (running !== null) this.timer = setInterval(() => this.show(), TICK);
    this.show();
  }

  /** Where the clock of a seat is shown. */
  place(player, element) {
    this.places.set(player, element);
  }

  show() {
    for (const [player, element] of this.places) {
      const now = player === this.player ? (performance.now() - this.begun) / 1000 : 0;
      const text = this.spent[player] + now === 0 ? "" : seconds(this.spent[player] + now);
      if (element.textContent !== text) element.textContent = text;
    }
  }
}

// After a match: again, with sides swapped, or against the next level.

import { post } from "../calls.js";
import { button, h, notice } from "../dom.js";
import { levelOfSeat, levelsOf, nextLevel, opponentSeat } from "../levels.js";
import { keepKeys, keysOf } from "../memory.js";
import { t } from "../strings.js";

/** The buttons after a match of a page; they begin matches like it. */
export class Rematch {
  constructor(page) {
    this.page = page;
    this.element = h("span", { class: "rematch" });
  }

  /** The seats of the match as a request. */
  seats() {
    return this.page.live.seats.map((seat) => (seat.kind === "agent" ? opponentSeat({ agent: seat.agent,
      budget: seat.limit ?? {} }) : seat.kind === "person" ? { person: seat.person } : { open: true }));
  }

  /** The buttons, or nothing while the match goes on. The next level appears when it is known. */
  show() {
    const { live } = this.page;
    if (!live.over || live.origin !== "play") return null;
    const swapped = () => this.begin([...this.seats()].reverse());
    const two = live.seats.length === 2;
    if (!this.asked) {
      this.asked = true;
      this.findNext();
    }
    return [button(t("rematch.again"), () => this.begin(this.seats()), { class: "primary", id: "rematch" }),
      two ? button(t("rematch.swap"), swapped, { id: "swap" }) : null, this.next ? button(t("rematch.next",
        { level: t(`level.${this.next.name}`) }), () => this.begin(this.nextSeats()), { id: "next-level" }) : null];
  }

  async findNext() {
    const { live } = this.page;
    const keys = keysOf(this.page.id);
    if (!live.seats.some((seat) => seat.kind === "person" && keys[seat.player])) return;
    const { levels } = await levelsOf(live.game).catch(() => ({ levels: [] }));
    const opponent = live.seats.find((seat) => seat.kind === "agent");
    const level = opponent ? levelOfSeat(levels, opponent) : null;
    this.next = level ? nextLevel(levels, level) : null;
    if (this.next) this.page.controls.show();
  }

  nextSeats() {
    return this.page.live.seats.map((seat) => (seat.kind === "agent" ? opponentSeat(this.next)
      : { person: seat.person ?? t("setup.you") }));
  }

  async begin(seats) {
    try {
      const { id, keys } = await post("/api/matches", { game: this.page.live.game, seats });
      keepKeys(id, keys);
      location.hash = `#/match/${id}`;
    } catch (error) {
      notice(error.message, "error");
    }
  }
}

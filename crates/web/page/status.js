// Who is awaited, who won, and who sits where, in words.

import { button, h } from "./dom.js";
import { count, number, seconds } from "./format.js";
import { seatMark } from "./seats.js";
import { levelOfSeat } from "./levels.js";
import { catalogue, prettyAction, t } from "./strings.js";

/** What is going on, with a kind for its colour: `yours`, `waiting`, `past` or `over`. */
export function statusText(live, shown, awaited, acting, keys = {}) {
  if (shown.line.length > 0)
    return { kind: "past",
    text: t("status.line", { step: shown.step, line: shown.line.map((joint) => joint.map(prettyAction).join(" / "))
      .join(" · ") }) };
  if (shown !== live && shown.step < live.steps)
    return { kind: "past", text: t("status.past", { step: shown.step, steps: live.steps }) };
  if (live.over) return { kind: "over", text: outcome(live, keys) };
  const own = awaited.find(({ player }) => player === acting);
  if (own) return { kind: "yours", text: t(live.legal.length > 1 ? "status.yours.hidden" : "status.yours",
    { name: catalogue(own.name) }) };
  if (live.thinking) return { kind: "waiting", text: t(live.thinking.queued ? "status.queued" : "status.thinking",
    { name: catalogue(live.players[live.thinking.player]) }) };
  const open = live.legal.filter(({ player, chosen }) => !chosen && live.seats[player].kind === "open");
  if (open.length > 0)
    return { kind: "waiting", text: t("status.open", { name: open.map(({ name }) => catalogue(name)).join(", ") }) };
  const others = live.legal.filter(({ chosen }) => !chosen).map(({ name }) => catalogue(name));
  return { kind: "waiting", text: t("status.waiting", { name: others.join(", ") || "…" }) };
}

/** How a match ended; `keys` are those of the seats of this browser, for whom it was won or lost. */
export function outcome({ players, payoffs, resigned, fault, seats }, keys = {}) {
  const parts = [];
  const mine = (seats ?? []).filter((seat) => seat.kind === "person" && keys[seat.player]);
  if (payoffs && players.length > 1 && mine.length === 1) {
    const best = Math.max(...payoffs);
    const own = payoffs[mine[0].player];
    const shared = payoffs.filter((payoff) => payoff === best).length > 1;
    parts.push(t(own < best ? "over.you.lost" : shared ? "over.draw" : "over.you.won"));
  }
  const told = parts.length > 0;
  if (fault) parts.push(faultText(fault));
  else if (resigned !== null && resigned !== undefined)
    parts.push(t("over.resigned", { name: catalogue(players[resigned]) }));
  if (payoffs) {
    const best = Math.max(...payoffs);
    const winners = players.filter((_, index) => payoffs[index] === best);
    if (told) {
      // Who won is said already.
    } else if (winners.length === players.length && players.length > 1) parts.push(t("over.draw"));
    else if (players.length > 1) parts.push(t("over.won", { name: winners.map(catalogue).join(", ") }));
    parts.push(`(${payoffs.map((payoff) => number(payoff, Number.isInteger(payoff) ? 0 : 2)).join(" : ")})`);
  }
  return parts.join(" ") || t("match.over");
}

/** What went wrong with an agent: the server says whose it is and, in English, why. */
function faultText(fault) {
  const [, player, reason] = fault.match(/^the agent of (.+?) failed(?:: (.*))?$/s) ?? [];
  if (!player) return t("over.fault", { fault });
  return t(reason ? "over.fault.why" : "over.fault.who", { name: catalogue(player), reason });
}

/** What a decision may cost, in words. */
function budgetText({ playouts, nodes, seconds: time }) {
  return [playouts && t("seat.budget.playouts", { count: count(playouts) }), nodes
    && t("seat.budget.nodes", { count: count(nodes) }),
    time && seconds(time)].filter(Boolean).join(", ");
}

/** One seat: who sits there, what it may spend, whether it has chosen; `onclock` gets the place of its clock. */
export function seatLine(seat, live, keys, levels, onsit, onclock) {
  const mover = live.legal.find(({ player }) => player === seat.player);
  const thinking = live.thinking?.player === seat.player;
  const state = live.over ? null
    : thinking ? h("span", { class: "chip on" }, t(live.thinking.queued ? "seat.queued" : "seat.thinking"))
      : mover && live.legal.length > 1 && mover.chosen ? h("span", { class: "chip on" }, t("seat.chosen"))
        : mover ? h("span", { class: "chip on" }, t("seat.to-move")) : null;
  const clock = h("span", { class: "number soft small clock", title: t("seat.clock") });
  onclock(clock);
  return h("div", { class: "seat-line", data: { player: seat.player } },
    h("span", seatMark(seat.name, seat.player), catalogue(seat.name)),
    h("span", { class: "seat-who" }, occupant(seat, live, keys, levels, onsit)), clock, state,
    live.over && live.payoffs ? h("span", { class: "number payoff" },
      number(live.payoffs[seat.player], Number.isInteger(live.payoffs[seat.player]) ? 0 : 2)) : null);
}

/** Who sits at a seat: a level by its word, any other agent by its address. */
function occupant(seat, live, keys, levels, onsit) {
  if (seat.kind === "agent") {
    const level = levelOfSeat(levels, seat);
    const about = `${seat.agent}, ${budgetText(seat.limit ?? {})}`;
    return level ? h("span", { title: about }, t(`level.${level.name}`))
      : [h("code", null, seat.agent), h("span", { class: "soft small" }, budgetText(seat.limit ?? {}))];
  }
  if (seat.kind === "person")
    return [h("span", null, seat.person), keys[seat.player] ? h("span", { class: "chip" }, t("seat.here")) : null];
  return [h("span", { class: "soft" }, t("seat.open")), live.over ? null : button(t("seat.sit"), onsit,
    { data: { sit: seat.player } })];
}

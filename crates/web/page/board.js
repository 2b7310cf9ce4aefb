// The board: the server's picture under a layer of areas that can be clicked, focused and decorated.

import { japanese } from "./captions.js";
import { h, s, put } from "./dom.js";
import { Selection } from "./selection.js";
import { catalogue, language, t } from "./strings.js";

/** A picture of the server as an element that follows the theme. */
export function picture({ svg }) {
  const drawn = document.importNode(new DOMParser().parseFromString(svg, "image/svg+xml").documentElement, true);
  drawn.setAttribute("aria-hidden", "true");
  drawn.setAttribute("class", "picture");
  drawn.removeAttribute("width");
  drawn.removeAttribute("height");
  if (language() === "ja") {
    for (const words of drawn.querySelectorAll("text")) words.textContent = japanese(words.textContent, catalogue);
  }
  return drawn;
}

/**
 * A board. `onaction(action)` is called with a complete choice, `onlook(actions)` with what is under the pointer, and
 * `onselect(actions)` with what is still possible after a click.
 */
export class Board {
  /** @param {{onaction?: any, onlook?: any, onselect?: any}} listeners */
  constructor({ onaction, onlook, onselect } = {}) {
    this.onaction = onaction ?? (() => {});
    this.onselect = onselect ?? (() => {});
    this.onlook = onlook ?? (() => {});
    this.heat = s("g");
    this.cells = s("g");
    this.marks = s("g");
    this.overlay = s("svg", { class: "overlay", role: "group", "aria-label": t("board") }, this.heat, this.cells,
      this.marks);
    this.element = h("div", { class: "board", onkeydown: (event) => this.key(event) });
    this.selection = new Selection([]);
    this.areas = new Map();
    this.focused = null;
  }

  /** Shows a picture (`width`, `height`, `svg`, `areas`) and the actions that can be chosen on it. */
  show(told, actions) {
    const drawn = picture(told);
    this.overlay.setAttribute("viewBox", `0 0 ${told.width} ${told.height}`);
    const hadFocus = this.element.contains(document.activeElement);
    this.areas = new Map(told.areas.map((area) => [area.id, area]));
    put(this.element, drawn, this.overlay);
    put(this.heat);
    put(this.marks);
    put(this.cells, told.areas.map((area) => this.cell(area)));
    this.selection = new Selection(actions);
    this.last = [];
    this.chosen = [];
    this.decorate();
    if (hadFocus) this.focus(this.focused);
  }

  /** Marks the areas of the last step. */
  mark(areas) {
    this.last = areas;
    this.decorate();
  }

  /** Marks the areas of a choice that only this person knows. */
  own(areas) {
    if (JSON.stringify(areas) === JSON.stringify(this.chosen)) return;
    this.chosen = areas;
    this.decorate();
  }

  /** Shows letters instead of signs, or the other way round. */
  letters(on) {
    this.element.toggleAttribute("data-letters", on);
  }

  cell(area) {
    const click = () => this.click(area.id);
    const look = () => this.look(area.id);
    const inset = 1;
    return s("rect", {
      class: "area", x: area.x + inset, y: area.y + inset, rx: 3,
      width: Math.max(1, area.width - 2 * inset), height: Math.max(1, area.height - 2 * inset),
      data: { area: area.id }, role: "button", tabindex: -1, onclick: click, onpointerenter: look, onfocus: look,
      onpointerleave: () => this.onlook([]),
    });
  }

  look(id) {
    const trial = new Selection(this.selection.actions);
    trial.path = [...this.selection.path];
    trial.goal = this.selection.goal;
    const action = trial.click(id);
    this.onlook(action ? [action] : trial.path.length > 0 ? trial.possible : []);
  }

  click(id) {
    this.focused = id;
    const action = this.selection.click(id);
    this.decorate();
    this.onselect(this.selection.possible);
    if (action) this.onaction(action);
    else this.onlook(this.selection.path.length > 0 ? this.selection.possible : []);
  }

  /** Forgets a choice in progress. */
  clear() {
    this.selection.clear();
    this.decorate();
    this.onselect(this.selection.possible);
    this.onlook([]);
  }

  decorate() {
    const { path, goal, next, later, actions } = this.selection;
    this.element.dataset.clicks = path.length + (goal === null ? 0 : 1);
    const firsts = new Set(actions.map((action) => action.areas[0]));
    for (const cell of this.cells.children) {
      const id = Number(cell.dataset.area);
      const open = next.has(id) || later.has(id);
      const chosen = path.includes(id) || id === goal;
      const classes = ["area"];
      if (open || (path.length > 0 && firsts.has(id))) classes.push("open");
      if (path.length === 0 && next.has(id)) classes.push("first");
      if (path.length > 0 && next.has(id)) classes.push(this.hits(id) ? "hit" : "next");
      if (later.has(id)) classes.push("hit");
      if (chosen) classes.push("chosen");
      if (this.last.includes(id)) classes.push("last");
      if (this.chosen?.includes(id)) classes.push("own");
      cell.setAttribute("class", classes.join(" "));
      const state = chosen ? t("area.chosen") : later.has(id) || classes.includes("hit") ? t("area.hit") : next.has(id)
        ? t("area.open") : "";
      cell.setAttribute("aria-label", [this.areas.get(id).label, state].filter(Boolean).join(", "));
      cell.setAttribute("aria-disabled", String(!classes.includes("open")));
      cell.setAttribute("tabindex", "-1");
    }
    const reachable = this.cellOf(this.focused) ?? this.cells.querySelector(".open") ?? this.cells.firstElementChild;
    reachable?.setAttribute("tabindex", "0");
    this.badges();
  }

  /** Would going on to `id` hit something: does it end actions that carry a note? */
  hits(id) {
    const { possible, path } = this.selection;
    return possible.some((action) => action.note && action.areas.at(-1) === id
      && action.areas.length === path.length + 1 && id !== path.at(-1));
  }

  /** Short notes at what an action would hit. */
  badges() {
    const { possible, path } = this.selection;
    const best = new Map();
    for (const action of path.length > 0 ? possible : []) {
      const short = action.badge;
      if (!short) continue;
      const area = action.areas.at(-1);
      if (!best.has(area) || best.get(area).localeCompare(short, undefined, { numeric: true }) < 0)
        best.set(area, short);
    }
    put(this.marks, [...best].map(([id, text]) => {
      const area = this.areas.get(id);
      if (!area) return null;
      const width = 8 + 7 * text.length;
      const [x, y] = [area.x + area.width - width + 4, area.y - 4];
      return s("g", { class: "badge" }, s("rect", { x, y, width, height: 17, rx: 8 }),
        s("text", { x: x + width / 2, y: y + 9 }, text));
    }));
  }

  cellOf(id) {
    return id === null ? null : this.cells.querySelector(`[data-area="${id}"]`);
  }

  /** Puts the keyboard on an area. */
  focus(id) {
    (this.cellOf(id) ?? this.cells.querySelector('[tabindex="0"]'))?.focus();
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const id = Number(event.target.dataset?.area ?? NaN);
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (event.key === "Escape") {
      if (this.selection.back()) this.decorate();
      this.onselect(this.selection.possible);
    } else if ((event.key === "Enter" || event.key === " ") && !Number.isNaN(id)) {
      this.click(id);
    } else if (ways[event.key] && !Number.isNaN(id)) {
      const to = this.neighbour(id, ways[event.key]);
      if (to !== null) {
        this.focused = to;
        this.decorate();
        this.focus(to);
      }
    } else return;
    event.preventDefault();
  }

  /** The nearest area in a direction. */
  neighbour(from, [dx, dy]) {
    const centre = (area) => [area.x + area.width / 2, area.y + area.height / 2];
    const [x, y] = centre(this.areas.get(from));
    let best = null;
    for (const area of this.areas.values()) {
      const [cx, cy] = centre(area);
      const ahead = (cx - x) * dx + (cy - y) * dy;
      const aside = Math.abs((cx - x) * dy) + Math.abs((cy - y) * dx);
      if (ahead <= 1) continue;
      const distance = ahead + 3 * aside;
      if (best === null || distance < best.distance) best = { id: area.id, distance };
    }
    return best?.id ?? null;
  }

  /** Draws candidates: `[{areas, weight}]`, weight from 0 to 1; arrows for paths, heat for single areas. */
  arrows(candidates) {
    const heat = new Map();
    const arrows = [];
    for (const { areas, weight } of candidates) {
      const stops = areas.filter((id, index) => id !== areas[index - 1]).map((id) => this.areas.get(id));
      if (stops.some((area) => !area) || weight < 0.02) continue;
      const centres = stops.map((area) => [area.x + area.width / 2, area.y + area.height / 2]);
      const last = stops.at(-1);
      heat.set(last, Math.max(weight, heat.get(last) ?? 0));
      const clear = 0.36 * Math.min(...stops.map((area) => Math.min(area.width, area.height)));
      if (centres.length > 1) arrows.push(...arrow(centres, weight, clear));
    }
    const warm = ([area, weight]) => s("rect", { class: "heat", x: area.x, y: area.y, width: area.width,
      height: area.height, rx: 3, opacity: 0.06 + 0.3 * weight });
    put(this.heat, [...heat].map(warm), arrows);
  }
}

/**
 * An arrow between the middles of areas that leaves what stands on its first and last area uncovered; what it passes
 * shows through.
 */
function arrow(points, weight, clear) {
  const width = 1.5 + 4 * weight;
  const start = towards(points[0], points[1], clear);
  const [x, y] = towards(points.at(-1), points.at(-2), clear);
  const [px, py] = points.length > 2 ? points.at(-2) : start;
  const length = Math.hypot(x - px, y - py) || 1;
  const [ux, uy] = [(x - px) / length, (y - py) / length];
  const size = Math.min(5 + 2 * width, length);
  const [bx, by] = [x - ux * size, y - uy * size];
  const line = [start, ...points.slice(1, -1), [bx, by]].map((point) => point.join(",")).join(" ");
  const head = [[x, y], [bx - uy * size * 0.5, by + ux * size * 0.5], [bx + uy * size * 0.5, by - ux * size * 0.5]];
  const opacity = 0.25 + 0.4 * weight;
  return [
    s("polyline", { class: "arrow", points: line, "stroke-width": width, opacity }),
    s("polygon", { class: "arrow-head", points: head.map((point) => point.join(",")).join(" "), opacity }),
  ];
}

/** The point at a distance from one point in the direction of another. */
function towards([x, y], [toX, toY], distance) {
  const length = Math.hypot(toX - x, toY - y) || 1;
  const share = Math.min(0.45, distance / length);
  return [x + share * (toX - x), y + share * (toY - y)];
}

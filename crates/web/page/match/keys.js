// The keys of a match page.

import { h } from "../dom.js";
import { t } from "../strings.js";

const KEYS = [["↑ ↓ ← →", "keys.arrows"], ["Enter", "keys.enter"], ["Esc", "keys.escape"], ["e", "match.end"],
  ["u", "match.undo"], ["s", "match.stop"], ["h", "hints.ask"], [", .", "keys.steps"], ["1 2 3", "keys.labels"]];

/** The list of keys. */
export function keyList() {
  return h("details", { class: "card keys" }, h("summary", null, t("keys")),
    h("dl", null, KEYS.map(([key, name]) => h("div", null, h("dt", null, h("kbd", null, key)),
      h("dd", null, t(name))))));
}

/** Does what a key says on a match page. */
export function pressed(page, event) {
  if (!page.live || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.target.closest?.("input, select, textarea")) return;
  const keys = {
    u: () => page.controls.undo(), e: () => page.controls.endTurn(), s: () => page.controls.stop(),
    h: () => page.hints.ask(), Escape: () => page.board.clear(), ",": () => page.slider.back.click(),
    ".": () => page.slider.forward.click(),
    Home: () => page.goTo(0), End: () => page.goTo(null),
  };
  if (page.tabs.current === "labels" && page.labels.key(event.key)) return event.preventDefault();
  if (event.key.startsWith("Arrow") && !event.target.closest?.("button, a, [role=tabpanel]")) page.board.focus(null);
  else if (keys[event.key]) keys[event.key]();
  else return;
  event.preventDefault();
}

// The page's frame: header, language, theme, and which page is shown for the address after `#`.

import { h, notice, put, s } from "./dom.js";
import { language, setLanguage, t } from "./strings.js";
import { applyTheme, switchTheme, theme } from "./theme.js";
import { homePage } from "./home.js";
import { setupPage } from "./setup.js";
import { matchPage } from "./match.js";
import { puzzlePage, puzzlesPage } from "./learn/puzzles.js";
import { teachPage } from "./learn/teach.js";
import { trainPage } from "./learn/train.js";
import { replaysPage } from "./replays.js";
import { peoplePage } from "./results/people.js";
import { resultsPage } from "./results.js";
import { tablePage } from "./table.js";
import { storePage } from "./store.js";

/**
 * Address patterns and their pages; a page fills its place and may return what is to be done on leaving it.
 * @type {[RegExp, string, (main: HTMLElement, ...parts: string[]) => (() => void) | void][]}
 */
const ROUTES = [
  [/^\/?$/, "play", homePage],
  [/^\/customise(?:\/(.+))?$/, "play", setupPage],
  [/^\/puzzles$/, "puzzles", puzzlesPage],
  [/^\/puzzle\/([^/]+)$/, "puzzles", puzzlePage],
  [/^\/teach(?:\/(.+))?$/, "teach", teachPage],
  [/^\/train$/, "teach", trainPage],
  [/^\/people\/(.+)$/, "results", peoplePage],
  [/^\/match\/([^/]+)(?:\/(\d+))?(?:\/study\/([^/]+))?$/, "replays", matchPage],
  [/^\/replays$/, "replays", replaysPage],
  [/^\/results$/, "results", resultsPage],
  [/^\/table\/(.+)$/, "results", tablePage],
  [/^\/store\/([^/]+)$/, "results", storePage],
];

const main = document.getElementById("main");
let leave = null;

function header(section) {
  const help = language() === "ja" ? "/help/ja/" : "/help/";
  const links = [["play", "#/"], ["puzzles", "#/puzzles"], ["teach", "#/teach"], ["replays", "#/replays"],
    ["results", "#/results"], ["help", help]];
  const other = language() === "ja" ? "en" : "ja";
  put(document.getElementById("header"),
    h("div", { class: "bar" },
      h("a", { class: "brand", href: "#/" }, mark(), "Tesuji"),
      h("nav", { "aria-label": t("nav") }, links.map(([name, href]) =>
        h("a", { href, "aria-current": name === section ? "page" : null }, t(`nav.${name}`)))),
      h("div", { class: "switches" },
        h("button", { type: "button", id: "language", lang: other, onclick: () => { setLanguage(other); show(); } },
          other === "ja" ? "日本語" : "English"),
        h("button", { type: "button", id: "theme", onclick: () => { switchTheme(); header(section); } },
          t(theme() === "dark" ? "theme.light" : "theme.dark")))));
}

function mark() {
  return s("svg", { viewBox: "0 0 32 32", "aria-hidden": "true" },
    s("circle", { cx: 12, cy: 19, r: 8.5, fill: "var(--seat0)" }),
    s("circle", { cx: 20, cy: 13, r: 8.5, fill: "var(--seat1)", stroke: "var(--card)", "stroke-width": 1.5 }));
}

/** The text of an address, or null if its escapes are broken. */
function decoded(text) {
  try {
    return decodeURI(text);
  } catch {
    return null;
  }
}

function show() {
  const path = decoded(location.hash.slice(1));
  const route = ROUTES.find(([pattern]) => path !== null && pattern.test(path));
  leave?.();
  leave = null;
  document.documentElement.lang = language();
  document.getElementById("skip").textContent = t("skip");
  header(route?.[1]);
  if (!route) {
    put(main, h("div", { class: "empty" }, h("p", null, t("page.unknown")), h("a", { href: "#/" }, t("nav.play"))));
    return;
  }
  const [pattern, section, page] = route;
  document.title = `${t(`nav.${section}`)} – Tesuji`;
  // Each page has a place of its own: what it still waits for when it is left cannot appear on the next one.
  const place = h("div", { data: { page: page.name } });
  put(main, place);
  leave = page(place, ...path.match(pattern).slice(1)) ?? null;
}

let shown = location.hash;

addEventListener("hashchange", () => {
  // Going to another position of the match that is shown is the match page's own affair.
  // A study is opened anew.
  const match = (hash) => hash.match(/^#\/match\/[^/]+/)?.[0];
  const same = match(shown) && match(shown) === match(location.hash) && !location.hash.includes("/study/");
  shown = location.hash;
  if (same) dispatchEvent(new CustomEvent("position"));
  else {
    show();
    main.focus();
    scrollTo(0, 0);
  }
});
addEventListener("unhandledrejection", (event) => notice(event.reason?.message ?? String(event.reason), "error"));

document.getElementById("skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
applyTheme();
show();
document.documentElement.dataset.ready = "true";

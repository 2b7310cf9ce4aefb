// Light or dark: the system's wish unless the reader chose.

import { recall, remember } from "./memory.js";

const dark = matchMedia("(prefers-color-scheme: dark)");

/** The theme that is shown. */
export function theme() {
  return recall("theme") ?? (dark.matches ? "dark" : "light");
}

/** Shows the theme, and follows the system. */
export function applyTheme() {
  document.documentElement.dataset.theme = theme();
}

/** Changes to the other theme and remembers it. */
export function switchTheme() {
  remember("theme", theme() === "dark" ? "light" : "dark");
  applyTheme();
}

dark.addEventListener("change", applyTheme);

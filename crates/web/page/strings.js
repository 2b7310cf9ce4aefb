// The texts of the page in the reader's language.

import { recall, remember } from "./memory.js";
import { CATALOGUE, TEXTS } from "./texts.js";

const LANGUAGES = ["en", "ja"];

let current = recall("language") ?? (navigator.language.startsWith("ja") ? "ja" : "en");

/** The language shown: `en` or `ja`. */
export function language() {
  return current;
}

/** Changes the language and remembers it. */
export function setLanguage(to) {
  current = to;
  remember("language", to);
}

/** A text by its key; `{name}` in it stands for `values.name`. A key without text is shown as it is. */
export function t(key, values = {}) {
  const text = TEXTS[key]?.[LANGUAGES.indexOf(current)] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

/** A text of the catalogue (a game's summary, a player's name) in the language shown, where it was translated. */
export function catalogue(text) {
  return current === "ja" ? CATALOGUE[text] ?? text : text;
}

/** A note on an action (`{key, values}`) in words. A kind of note without a text is shown as its names and numbers. */
export function noteText({ key, values }) {
  if (`note.${key}` in TEXTS) return t(`note.${key}`, values);
  const parts = Object.entries(values).map(([name, value]) => `${name} ${value}`);
  return parts.length > 0 ? `${key}: ${parts.join(", ")}` : key;
}

/** The few characters of a note that fit beside what an action would hit, or null. */
export function badgeOf(note) {
  return note && `note.${note.key}.badge` in TEXTS ? t(`note.${note.key}.badge`, note.values) : null;
}

// The texts of the page in the reader's language.

import { recall, remember } from "./memory.js";
import { TEXTS } from "./texts.js";
import { CATALOGUE } from "./texts/catalogue.js";
import { NAMES } from "./texts/names.js";

const LANGUAGES = ["en", "ja"];

let parametersLoaded = false;
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
  return current === "ja" ? NAMES[text] ?? CATALOGUE[text] ?? text : text;
}

/** Adds the Japanese of agents' parameters, which few readers need, when it is first needed. */
export async function loadParameterTexts() {
  if (current !== "ja" || parametersLoaded) return;
  const text = await fetch("/texts/parameters.txt").then((answer) => (answer.ok ? answer.text() : ""), () => "");
  for (const line of text.split("\n")) {
    const [english, japanese] = line.split("\t");
    if (japanese) CATALOGUE[english] = japanese;
  }
  parametersLoaded = true;
}

/** A text of the server that comes in both languages, as `name` and `name_ja`. */
export function own(told, name) {
  return (current === "ja" && told[`${name}_ja`]) || told[name];
}

/** The title of a game in the language shown: games, maps and sheets have names of their own. */
export function titleText(title) {
  if (current !== "ja" || catalogue(title) !== title) return catalogue(title);
  // Parameters follow in parentheses, a map after a colon.
  const [, named, parameters] = title.match(/^(.*?)( \([^()]*\))?$/);
  return named.split(": ").map(catalogue).join("：") + (parameters ?? "");
}

/** An action in parts (`{key, parts}`) in words; parts that the catalogue translates are translated. */
export function phraseText({ key, parts }) {
  if (key === "plain") return current === "ja" && NAMES[parts.text] ? NAMES[parts.text] : prettyAction(parts.text);
  const words = Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, catalogue(text)]));
  return `phrase.${key}` in TEXTS ? t(`phrase.${key}`, words) : Object.values(words).join(" ");
}

/** The text of an action with signs that people write: arrows between cells, a cross before what is hit. */
export function prettyAction(text) {
  return text.replace(/\b([a-z]{1,2}\d+)-([a-z]{1,2}\d+)/g, "$1→$2")
    .replace(/\b([a-z]{1,2}\d+)x([a-z]{1,2}\d+)/g, "$1 ×$2")
    .replace(/^\((.*)\)$/, "$1");
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

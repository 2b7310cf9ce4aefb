// The titles of stored results in the reader's language: a store that repeats a table of the library has its title.

import { language } from "../strings.js";

/** @type {Map<string, string>} */
const japanese = new Map();

/**
 * Takes note of the library's Japanese titles.
 * @param {{id: string, title_ja: string, stores: string[]}[]} library
 */
export function noteTitles(library) {
  for (const { id, title_ja: title, stores } of library) {
    // What was started a moment ago is not listed yet; the lab calls it after its table and its scale.
    const name = id.replaceAll("/", "-");
    for (const store of [...stores, `${name}-quick`, `${name}-full`]) japanese.set(store, title);
  }
}

/** Is anything known of the library? */
export function titlesNoted() {
  return japanese.size > 0;
}

/** The title of a store. @param {string} store @param {string} title the title in its file */
export function storeTitle(store, title) {
  return (language() === "ja" && japanese.get(store)) || title || store;
}

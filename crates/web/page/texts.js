// Every text of the page by its key: English, Japanese.

import { LEARN } from "./texts/learn.js";
import { MATCH } from "./texts/match.js";
import { RESULTS } from "./texts/results.js";
import { START } from "./texts/start.js";

/** @type {Record<string, string[]>} */
export const TEXTS = { ...START, ...MATCH, ...LEARN, ...RESULTS };

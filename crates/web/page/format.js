// Numbers, durations and dates as text.

import { language } from "./strings.js";

/** A number with that many decimals. */
export function number(value, decimals = 2) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  const text = value.toLocaleString(language(), { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
  // What rounds to zero has no sign.
  return /^-[0.,]*$/.test(text) ? text.slice(1) : text;
}

/** A whole number with its thousands parted. */
export function count(value) {
  return value === null || value === undefined ? "–" : Math.round(value).toLocaleString(language());
}

/** A share as per cent. */
export function percent(value, decimals = 1) {
  return value === null || value === undefined ? "–" : `${number(100 * value, decimals)}%`;
}

/** Seconds as text. */
export function seconds(value) {
  if (value === null || value === undefined) return "–";
  if (value >= 5400) return `${number(value / 3600, 1)} h`;
  if (value >= 90) return `${number(value / 60, 1)} min`;
  return value < 1 ? `${count(1000 * value)} ms` : `${number(value, value < 10 ? 2 : 1)} s`;
}

/** A moment as text. */
export function moment(milliseconds) {
  return new Date(milliseconds).toLocaleString(language(), { dateStyle: "medium", timeStyle: "short" });
}

// The lab's JSON and WebSocket calls (docs/api.md).

import { t } from "./strings.js";

/** A refusal of the server, with what it expected. */
export class Refusal extends Error {
  constructor(status, body) {
    const place = body.line ? ` (${t("error.place", { line: body.line, column: body.column ?? 1 })})` : "";
    super([(body.error ?? t("error.status", { status })) + place, body.help].filter(Boolean).join("\n"));
    this.status = status;
  }
}

async function call(method, path, body) {
  let answer;
  try {
    answer = await fetch(path, {
      method,
      headers: body === undefined ? {} : { "Content-Type": "application/json" },
      body: body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body),
    });
  } catch {
    throw new Error(t("error.offline"));
  }
  const text = await answer.text();
  let value = null;
  try {
    value = text === "" ? null : JSON.parse(text);
  } catch {
    value = { error: text.slice(0, 300) };
  }
  if (!answer.ok) throw new Refusal(answer.status, value ?? {});
  return value;
}

export const get = (path) => call("GET", path);
export const post = (path, body = {}) => call("POST", path, body);
export const change = (path, body) => call("PUT", path, body);
export const remove = (path, body) => call("DELETE", path, body);

/** The query part of a path; undefined values are left out. */
export function query(values) {
  const pairs = Object.entries(values).filter(([, value]) => value !== undefined && value !== null);
  return pairs.length === 0 ? "" : "?" + new URLSearchParams(pairs);
}

/**
 * Listens to a WebSocket until `close` is called. A lost connection is taken up again, after a growing pause, unless
 * the server said everything (`once`).
 */
export function listen(path, onmessage, { once = false, onstate = (_on) => {} } = {}) {
  let socket = null;
  let pause = 300;
  let timer = null;
  let closed = false;
  const open = () => {
    const address = new URL(path, location.href);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    socket = new WebSocket(address);
    socket.onopen = () => {
      pause = 300;
      onstate(true);
    };
    socket.onmessage = (event) => {
      if (!closed) onmessage(JSON.parse(event.data));
    };
    socket.onclose = () => {
      if (closed || once) return;
      onstate(false);
      timer = setTimeout(open, pause);
      pause = Math.min(2 * pause, 8000);
    };
  };
  open();
  return {
    close() {
      closed = true;
      clearTimeout(timer);
      socket.close();
    },
  };
}

// What the server says of a match: its views by WebSocket and by request, of which only the greatest revision counts.

import { get, listen } from "../calls.js";

/** How long the page waits for the view after its own action, in milliseconds. */
const PATIENCE = 2000;

/**
 * The views of a match. `onview(view, before)` may be asynchronous: a view that arrives meanwhile waits.
 * `onthought(message)` and `onidle()` report searches, `ongone(error)` that the match is not there (any more; then
 * without an error), `onconnection(on)` whether there is a connection.
 */
export class Feed {
  constructor(id, { onview, onthought, onidle, ongone, onconnection }) {
    this.id = id;
    this.onview = onview;
    this.onthought = onthought;
    this.onidle = onidle;
    this.ongone = ongone;
    this.onconnection = onconnection;
    this.live = null;
    this.waiting = null;
    this.busy = false;
    this.closed = false;
    this.connected = false;
    this.socket = listen(`/api/matches/${id}/live`, (message) => this.hear(message), {
      onstate: (on) => this.connection(on),
    });
  }

  /** Nothing more is told. */
  close() {
    this.closed = true;
    this.socket.close();
  }

  hear(message) {
    if (message.type === "view") this.receive(message.view);
    else if (message.type === "thought") this.onthought(message);
    else if (message.type === "idle") this.onidle();
    else if (message.type === "gone") this.end();
  }

  /** There is nothing to connect to any more. */
  end(error = null) {
    this.close();
    this.ongone(error);
  }

  connection(on) {
    if (this.closed) return;
    this.connected = on;
    if (!on) this.fetch();
    this.onconnection(on);
  }

  /** Asks for the view while there is no connection to send it. The match may have been removed in the meantime. */
  async fetch() {
    try {
      this.receive(await get(`/api/matches/${this.id}`));
    } catch (error) {
      if (this.closed || error.status === undefined) return;
      if (!this.live) this.end(error);
      else if (error.status === 404) this.end();
    }
  }

  /** The greatest revision that has arrived. */
  get revision() {
    return Math.max(this.live?.revision ?? 0, this.waiting?.revision ?? 0);
  }

  /** Waits for the view with this revision, which the connection sends; asks for it if it does not come. */
  expect(revision) {
    setTimeout(() => { if (!this.closed && this.revision < revision) this.fetch(); }, this.connected ? PATIENCE : 0);
  }

  /** Takes a view. Answers and WebSocket messages can overtake each other: only the greatest revision counts. */
  async receive(view) {
    if (view.revision < this.revision) return;
    this.waiting = view;
    if (this.busy) return;
    this.busy = true;
    while (this.waiting && !this.closed) {
      const before = this.live;
      this.live = this.waiting;
      this.waiting = null;
      await this.onview(this.live, before);
    }
    this.busy = false;
  }
}

// An experiment by a form: games and agents from lists, a budget, a number of pairs or "until decided". The file that
// this amounts to is shown beside it and can be edited.

import { agentsFor } from "../agent.js";
import { get, post } from "../calls.js";
import { button, field, h, notice, put, select } from "../dom.js";
import { count, seconds } from "../format.js";
import { catalogue, t, titleText } from "../strings.js";
import { experimentText } from "./experiment_text.js";

/** Milliseconds of quiet before an estimate is asked for. */
const QUIET = 700;

/** The form. */
export class ExperimentForm {
  constructor() {
    this.games = [];
    this.agents = [];
    this.title = h("input", { type: "text", value: t("experiment.title.usual"), maxlength: 60, id: "experiment-title",
      oninput: () => this.change() });
    this.gameList = h("div", { class: "chosen", id: "experiment-games" });
    this.agentList = h("div", { class: "chosen", id: "experiment-agents" });
    this.gameChoice = h("div");
    this.agentChoice = h("div");
    const number = (id, value) => h("input", { type: "number", min: 1, step: 1, value, id,
      oninput: () => this.change() });
    this.playouts = number("experiment-playouts", 200);
    this.pairs = number("experiment-pairs", 20);
    this.until = h("input", { type: "checkbox", id: "experiment-until", onchange: () => this.change() });
    this.cost = h("p", { class: "small soft", id: "experiment-cost", role: "status" });
    this.text = h("textarea", { spellcheck: "false", id: "experiment-text", "aria-label": t("results.own.text"),
      oninput: () => this.edited() });
    this.element = h("div", { class: "stack tight" },
      field(t("results.own.title"), this.title), field(t("table.games"), this.gameChoice), this.gameList,
      field(t("table.agents"), this.agentChoice), this.agentList,
      h("div", { class: "fields" }, field(t("experiment.playouts"), this.playouts),
        field(t("table.pairs"), this.pairs)),
      h("label", { class: "check" }, this.until, t("experiment.until")),
      h("details", { open: matchMedia("(min-width: 1001px)").matches }, h("summary", null, t("results.own.text")),
        this.text), this.cost,
      h("div", { class: "buttons" }, button(t("results.start"), () => this.start(), { class: "primary",
        id: "experiment-start" })));
    this.load();
  }

  async load() {
    const { cards, more } = await get("/api/cards");
    const all = [...cards, ...more];
    this.titles = new Map(all.map(({ game, title }) => [game, title]));
    put(this.gameChoice, select([["", t("experiment.add")], ...all.map(({ game, title }) => [game, titleText(title)])],
      "", (game) => this.addGame(game), { id: "experiment-game", "aria-label": t("table.games") }));
    this.addGame("tic-tac-toe");
    await this.offerAgents();
    this.addAgent("uct");
    this.addAgent("mc");
  }

  /** Lists the agents that can play all chosen games. */
  async offerAgents() {
    const lists = await Promise.all(this.games.map((game) => agentsFor(game).catch(() => [])));
    const plays = (name) => lists.every((list) => list.some((other) => other.name === name));
    const able = (lists[0] ?? []).filter(({ name }) => plays(name));
    put(this.agentChoice, select([["", t("experiment.add")], ...able.map(({ name, summary }) =>
      [name, `${name} – ${catalogue(summary)}`])], "", (agent) => this.addAgent(agent), { id: "experiment-agent",
      "aria-label": t("table.agents") }));
  }

  addGame(game) {
    if (game && !this.games.includes(game)) this.games.push(game);
    this.offerAgents();
    this.change();
  }

  addAgent(agent) {
    if (agent && !this.agents.includes(agent)) this.agents.push(agent);
    this.change();
  }

  showChosen() {
    const chip = (list, name, text) => h("span", { class: "chip on" }, text, button("×", () => {
      list.splice(list.indexOf(name), 1);
      this.offerAgents();
      this.change();
    }, { class: "plain", "aria-label": t("experiment.remove", { name: text }) }));
    put(this.gameList, this.games.map((game) => chip(this.games, game, titleText(this.titles?.get(game) ?? game))));
    put(this.agentList, this.agents.map((agent) => chip(this.agents, agent, agent)));
  }

  change() {
    this.showChosen();
    this.text.value = experimentText({ title: this.title.value, games: this.games, agents: this.agents,
      playouts: this.playouts.valueAsNumber, pairs: this.pairs.valueAsNumber, until: this.until.checked });
    this.edited();
  }

  edited() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.estimate(), QUIET);
  }

  async estimate() {
    if (!this.element.isConnected || this.games.length === 0 || this.agents.length < 2) return;
    const asked = (this.asked = this.text.value);
    try {
      const told = await post("/api/experiments/estimate", { toml: asked });
      if (this.asked === asked) put(this.cost, t("experiment.cost", { matches: count(told.matches),
        time: seconds(told.seconds) }));
    } catch (error) {
      if (this.asked === asked) put(this.cost, error.message);
    }
  }

  async start() {
    try {
      const { store } = await post("/api/experiments", { toml: this.text.value, title: this.title.value.trim(),
        scale: "full" });
      notice(t("results.started", { store }));
    } catch (error) {
      notice(error.message, "error");
    }
  }
}

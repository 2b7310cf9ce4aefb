// Choosing an agent: its name, its parameters as a form, and its budget.

import { get, query } from "./calls.js";
import { field, h, put, select } from "./dom.js";
import { givenArguments, parameterFields } from "./parameters.js";
import { catalogue, loadParameterTexts, t } from "./strings.js";

const lists = new Map();

/** The agents that can play a game. */
export function agentsFor(game) {
  if (!lists.has(game)) {
    const asked = get("/api/agents" + query({ game }));
    asked.catch(() => lists.delete(game));
    lists.set(game, asked);
  }
  return lists.get(game);
}

/** What agents are chosen for at first. */
const USUAL = { agent: { name: "uct", arguments: {} }, budget: { playouts: 1000 } };
const USUAL_SECONDS = 1;

/** A chooser of agent and budget for a game. */
export class AgentForm {
  constructor(game, value, onchange = () => {}) {
    this.onchange = onchange;
    // What an older page remembered has another form.
    const wanted = value?.agent?.name ? value.agent : USUAL.agent;
    this.name = wanted.name;
    this.values = { ...wanted.arguments };
    this.budget = { ...(value?.budget ?? USUAL.budget) };
    this.agents = [];
    this.choice = h("div");
    this.summary = h("p", { class: "small soft agent-summary" });
    this.parameters = h("div", { class: "fields" });
    this.more = h("details", null, h("summary", null, t("agent.parameters")), this.parameters);
    this.cost = h("div", { class: "pair" });
    this.element = h("div", { class: "stack tight agent-form" },
      h("div", { class: "pair agent-pair" }, this.choice, this.cost), this.summary, this.more);
    this.showBudget();
    this.setGame(game);
  }

  /** The agent (its name and arguments) and its budget. */
  get value() {
    const agent = this.agents.find(({ name }) => name === this.name);
    const given = agent ? givenArguments(agent.parameters, this.values) : this.values;
    return { agent: { name: this.name, arguments: given }, budget: this.budget };
  }

  /** Lists the agents that can play a game. */
  async setGame(game) {
    this.game = game;
    const [agents] = await Promise.all([agentsFor(game), loadParameterTexts()]);
    if (this.game !== game) return;
    this.agents = agents;
    if (!agents.some(({ name }) => name === this.name)) {
      this.name = (agents.find(({ name }) => name === "mc") ?? agents[0])?.name;
      this.values = {};
    }
    const kinds = agents.filter((agent) => !agent.preset_of);
    const presets = agents.filter((agent) => agent.preset_of);
    const option = ({ name }) => h("option", { value: name }, name);
    const list = h("select", { onchange: () => this.pick(list.value), "aria-label": t("agent"),
      data: { role: "agent" } },
      h("optgroup", { label: t("agent.kinds") }, kinds.map(option)),
      presets.length > 0 ? h("optgroup", { label: t("agent.presets") }, presets.map(option)) : null);
    list.value = this.name;
    put(this.choice, field(t("agent"), list));
    this.pick(this.name, true);
  }

  pick(name, first = false) {
    this.name = name;
    const agent = this.agents.find((agent) => agent.name === name);
    if (!first) this.values = {};
    put(this.summary, catalogue(agent?.summary ?? ""));
    // What a decision may cost is the seat's affair here.
    const shown = (agent?.parameters ?? []).filter(({ name }) => !["playouts", "nodes", "time"].includes(name));
    put(this.parameters, parameterFields(shown, this.values, this.onchange));
    this.more.hidden = shown.length === 0;
    this.onchange();
  }

  showBudget() {
    const unit = "seconds" in this.budget ? "seconds" : "playouts";
    const amount = h("input", {
      type: "number", min: unit === "seconds" ? 0.05 : 1, step: unit === "seconds" ? 0.05 : 1, value: this.budget[unit],
      "aria-label": t("budget"), data: { role: "amount" },
      onchange: () => {
        if (amount.valueAsNumber > 0) this.budget = { [unit]: amount.valueAsNumber };
        this.onchange();
      },
    });
    const units = select([["playouts", t("budget.playouts")], ["seconds", t("budget.seconds")]], unit, (value) => {
      this.budget = value === "seconds" ? { seconds: USUAL_SECONDS } : { ...USUAL.budget };
      this.showBudget();
      this.onchange();
    }, { "aria-label": t("budget.unit"), data: { role: "unit" } });
    put(this.cost, field(t("budget"), amount), field(t("budget.unit"), units));
  }
}

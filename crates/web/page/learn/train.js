// Training a network by self-play: a form with bounds, and every training of the lab with its loss and its strength.

import { get, listen, post } from "../calls.js";
import { button, field, h, notice, put, select } from "../dom.js";
import { count, number, percent, seconds } from "../format.js";
import { keepKeys, recall } from "../memory.js";
import { forestRow } from "../results/forest.js";
import { t, titleText } from "../strings.js";
import { curve } from "./curve.js";

/** The page. */
export function trainPage(main) {
  const page = new TrainPage(main);
  return () => page.socket?.close();
}

class TrainPage {
  constructor(main) {
    this.form = h("div");
    this.list = h("div", { class: "stack", id: "trainings" });
    this.socket = null;
    put(main, h("div", { class: "title" }, h("h1", null, t("train")), h("p", null, t("train.about"))),
      h("div", { class: "stack" }, h("section", { class: "card" }, this.form), this.list));
    this.load();
  }

  async load() {
    const { games, most_minutes: most, trainings } = await get("/api/trainings");
    this.fill(games, most);
    this.show(trainings);
    this.socket = listen("/api/trainings/live", (message) => this.show(message.trainings));
  }

  fill(games, most) {
    let game = games.find((each) => each.game.startsWith("einstein"))?.game ?? games[0]?.game;
    const name = h("input", { type: "text", id: "train-name", value: "my-network", maxlength: 40 });
    const minutes = h("input", { type: "number", id: "train-minutes", value: 2, min: 0.1, max: most, step: "any" });
    const start = async () => {
      try {
        await post("/api/trainings", { game, name: name.value.trim(), minutes: minutes.valueAsNumber });
      } catch (error) {
        notice(error.message, "error");
      }
    };
    put(this.form, h("div", { class: "stack tight" }, h("div", { class: "fields" },
      field(t("train.game"), select(games.map((each) => [each.game, titleText(each.title)]), game, (value) => {
        game = value;
      }, { id: "train-game" })), field(t("teach.name"), name), field(t("train.minutes", { most }), minutes)),
      h("div", { class: "buttons" }, button(t("train.start"), start, { class: "primary", id: "train-start" }))));
  }

  show(trainings) {
    put(this.list, trainings.length === 0 ? h("p", { class: "empty" }, t("train.none"))
      : trainings.map((training) => card(training)));
  }
}

function card({ name, game, game_title: title, state, done, matches, seconds: taken, loss, points, strength, error,
  agent }) {
  const stop = () => post("/api/trainings/stop", { name }).catch((failed) => notice(failed.message, "error"));
  const running = state === "running";
  return h("section", { class: "card stack tight", data: { training: name, state } },
    h("div", { class: "run-line" }, h("h2", null, name, " ", h("span", { class: "soft small" }, titleText(title))),
      h("span", { class: "buttons" }, h("span", { class: `chip ${state === "done" ? "on" : state === "failed"
        ? "bad" : ""}` }, t(`train.${state}`)), running ? button(t("train.stop"), stop, { class: "plain",
        data: { stop: name } }) : button(t("home.play"), () => play(game, agent), { class: "primary" }))),
    running ? h("progress", { value: done, max: 1, "aria-label": t("train.progress", { name }) }) : null,
    error ? h("p", { class: "small bad" }, error) : null,
    h("p", { class: "small number" }, t("train.figures", { matches: count(matches), time: seconds(taken),
      loss: number(loss, 4) })),
    h("div", { class: "columns" },
      h("figure", { class: "plot" }, h("figcaption", { class: "small soft" }, t("train.loss")),
        curve(points.map((point) => [point.matches, point.loss]), t("train.loss"))),
      strength.length === 0 ? h("p", { class: "small soft" }, t("train.unmeasured")) : strengthTable(strength)));
}

/** The network against fixed opponents on the way, with intervals. */
function strengthTable(strength) {
  return h("div", { class: "scroll", tabindex: 0 }, h("table", { class: "strength" },
    h("thead", null, h("tr", null, ["trained", "opponent", "rate"].map((column) => h("th", { scope: "col" },
      t(`train.${column}`))), h("th", { "aria-hidden": "true" }))),
    h("tbody", null, strength.map((each) => h("tr", null, h("td", { class: "n" }, count(each.trained)),
      h("td", null, h("code", null, each.opponent)), h("td", { class: "n" }, h("b", null, percent(each.win_rate, 0)),
        h("span", { class: "soft small" }, ` ${percent(each.interval[0], 0)}–${percent(each.interval[1], 0)} / `,
          count(each.matches))), h("td", null, forestRow(each)))))));
}

/** Plays against a network. */
async function play(game, agent) {
  try {
    const seats = [{ person: recall("name", t("setup.you")) }, { agent, budget: { playouts: 1000 } }];
    const { id, keys } = await post("/api/matches", { game, seats });
    keepKeys(id, keys);
    location.hash = `#/match/${id}`;
  } catch (error) {
    notice(error.message, "error");
  }
}

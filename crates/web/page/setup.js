// Customising: any game with any parameters, who sits where, and a seed; start.

import { get, post, query } from "./calls.js";
import { AgentForm } from "./agent.js";
import { Board } from "./board.js";
import { button, field, h, notice, put, select } from "./dom.js";
import { levelOf, levelsOf, opponentSeat } from "./levels.js";
import { keepKeys, recall, remember } from "./memory.js";
import { givenArguments, parameterFields, sameArguments } from "./parameters.js";
import { seatMark } from "./seats.js";
import { catalogue, t } from "./strings.js";

/** The page. */
export function setupPage(main, wanted) {
  new Setup(main, wanted);
}

class Setup {
  constructor(main, wanted) {
    this.wanted = { ...recall("setup", {}), ...(wanted ? { game: fromAddress(wanted) } : {}) };
    this.games = [];
    this.uploads = [];
    this.list = h("div", { class: "games", role: "listbox", "aria-label": t("setup.games") });
    this.form = h("div", { class: "card stack", id: "game-form" }, h("p", { class: "soft" }, t("loading")));
    this.search = h("input", { type: "search", id: "game-search", placeholder: t("setup.search"),
      "aria-label": t("setup.search"), oninput: () => this.showList() });
    const file = h("input", { type: "file", accept: ".tbsmap,.kif,.gdl,.tree,.toml", class: "unseen", id: "upload",
      "aria-label": t("setup.upload"), onchange: () => this.upload(file) });
    put(main,
      h("div", { class: "title" }, h("h1", null, t("setup.title")), h("p", null, t("setup.about"))),
      h("div", { class: "columns setup" },
        h("section", { class: "card stack", "aria-label": t("setup.games") }, this.search, this.list,
          h("div", { class: "upload" }, file, button(t("setup.upload"), () => file.click()),
            h("span", { class: "small soft" }, t("setup.upload.hint")))),
        this.form));
    this.load();
  }

  async load() {
    [this.games, this.uploads] = await Promise.all([get("/api/games"), get("/api/uploads")]);
    const known = this.games.some((game) => game.name === this.wanted.game?.name);
    this.pick(known ? this.wanted.game : example(this.games[0]));
  }

  showList() {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const text = (game) => [game.name, game.title, catalogue(game.title), game.summary, catalogue(game.summary),
      ...game.features,
      ...game.features.map((feature) => t(`feature.${feature}`)),
      ...game.parameters.flatMap((parameter) => parameter.choices)].join(" ").toLowerCase();
    const found = this.games.filter((game) => words.every((word) => text(game).includes(word)));
    put(this.list, found.length === 0 ? h("p", { class: "empty" }, t("setup.nothing")) : found.map((game) =>
      h("button", { type: "button", role: "option", class: "game", "aria-selected": String(game === this.game),
        data: { game: game.name }, onclick: () => this.pick(example(game), true),
        onkeydown: (event) => this.key(event) },
        h("span", { class: "game-name" }, catalogue(game.title)),
        h("span", { class: "game-chips" },
          game.features.map((feature) => h("span", { class: "chip" }, t(`feature.${feature}`)))),
        h("span", { class: "game-summary" }, catalogue(game.summary)))));
  }

  key(event) {
    const step = { ArrowDown: "nextElementSibling", ArrowUp: "previousElementSibling" }[event.key];
    if (!step) return;
    event.preventDefault();
    event.currentTarget[step]?.focus();
  }

  /** Chooses a game by its name and arguments. */
  pick({ name, arguments: values }, scroll = false) {
    this.game = this.games.find((game) => game.name === name);
    this.values = { ...values };
    this.showList();
    this.showForm();
    this.describe();
    if (scroll && matchMedia("(max-width: 900px)").matches) this.form.scrollIntoView({ block: "start" });
  }

  /** The name and arguments of the chosen game. */
  get chosenGame() {
    return { name: this.game.name, arguments: givenArguments(this.game.parameters, this.values) };
  }

  showForm() {
    const { game } = this;
    this.preview = new Board();
    this.preview.element.classList.add("small");
    this.shown = h("code", { class: "address" });
    this.seats = h("div", { class: "stack seats" });
    this.seed = h("input", { type: "number", min: 0, max: Number.MAX_SAFE_INTEGER, step: 1,
      placeholder: t("setup.seed.any"), id: "seed" });
    this.start = button(t("setup.start"), () => this.begin(), { class: "primary", id: "start", disabled: true });
    const changed = () => this.describe();
    const uploads = this.uploads.map((upload) => upload.name);
    put(this.form,
      h("div", null, h("h2", { data: { name: game.name } }, catalogue(game.title)),
        h("p", { class: "soft small" }, catalogue(game.summary)), this.shown),
      h("div", { class: "preview" }, this.preview.element),
      game.examples.length > 1 ? h("div", null, h("h3", null, t("setup.examples")),
        h("div", { class: "examples" }, game.examples.map((text, index) =>
        h("button", { type: "button", class: "example", data: { index },
          onclick: () => this.pick(example(game, index)) }, text)))) : null,
      game.parameters.length > 0 ? h("details", { open: game.parameters.some(({ choices }) => choices.length > 0) },
        h("summary", null, t("setup.parameters")),
        h("div", { class: "fields" }, parameterFields(game.parameters, this.values, changed, uploads))) : null,
      h("div", null, h("h2", null, t("setup.seats")), this.seats),
      h("div", { class: "fields" }, field(t("setup.seed"), this.seed, t("setup.seed.hint"))),
      h("div", { class: "buttons start-row" }, this.start));
  }

  /** Asks what the chosen game looks like; the answer decides how many seats there are. */
  async describe() {
    const asked = (this.asked = this.chosenGame);
    put(this.shown, asked.name);
    for (const item of this.form.querySelectorAll(".example")) {
      const same = sameArguments(this.game.parameters, example(this.game, item.dataset.index).arguments,
        asked.arguments);
      item.setAttribute("aria-pressed", String(same));
    }
    this.start.disabled = true;
    try {
      const told = await get("/api/games/describe" + query({ name: asked.name,
        arguments: JSON.stringify(asked.arguments) }));
      if (this.asked !== asked) return;
      put(this.shown, told.game);
      this.preview.show(told.picture, []);
      asked.told = told.game;
      await this.showSeats(told.players, told.game);
      if (this.asked === asked) this.start.disabled = false;
    } catch (error) {
      if (this.asked !== asked) return;
      notice(error.message, "error");
    }
  }

  async showSeats(players, game) {
    const names = JSON.stringify(players);
    const { levels } = await levelsOf(game).catch(() => ({ levels: [] }));
    if (this.asked?.told !== game) return;
    if (this.seats.dataset.players === names && this.seats.dataset.levels === JSON.stringify(levels)) {
      this.chosen.forEach(({ form }) => form?.setGame(game));
      return;
    }
    this.seats.dataset.players = names;
    this.seats.dataset.levels = JSON.stringify(levels);
    const remembered = this.chosen?.map(({ kind, form }) => ({ kind, ...(form?.value ?? {}) })) ?? this.wanted.seats
      ?? [];
    const usual = (player) => (player === 0 ? "person" : levels[1]?.name ?? "agent");
    this.chosen = players.map((name, player) => ({ kind: remembered[player]?.kind ?? usual(player), form: null, name,
      levels, handicap: 1 }));
    put(this.seats, this.chosen.map((seat, player) => {
      const place = h("div");
      const person = h("input", { type: "text", value: recall("name", t("setup.you")), maxlength: 40,
        data: { role: "name" } });
      const display = (kind) => {
        seat.kind = kind;
        if (kind === "agent" && !seat.form)
          seat.form = new AgentForm(game, remembered[player]?.agent ? remembered[player] : undefined);
        put(place, kind === "agent" ? seat.form.element : kind === "person" ? field(t("setup.name"), person)
          : kind === "open" ? h("p", { class: "small soft" }, t("setup.open.hint")) : handicapField(seat));
      };
      seat.person = person;
      const kinds = [["person", t("setup.person")], ...levels.map(({ name }) => [name, t(`level.${name}`)]),
        ["agent", t("setup.agent")], ["open", t("setup.open")]];
      if (!kinds.some(([kind]) => kind === seat.kind)) seat.kind = usual(player);
      display(seat.kind);
      return h("fieldset", { class: "seat-form", data: { seat: player } },
        h("legend", seatMark(seat.name, player), catalogue(seat.name)),
        select(kinds, seat.kind, display, { "aria-label": t("setup.who", { seat: catalogue(seat.name) }),
          data: { role: "kind" } }), place);
    }));
  }

  async begin() {
    this.start.disabled = true;
    const seats = this.chosen.map(({ kind, form, person, levels, handicap }) =>
      kind === "agent" ? form.value : kind === "open" ? { open: true } : kind === "person"
        ? { person: person.value.trim() || t("setup.you") } : opponentSeat(levelOf(levels, kind), handicap));
    const name = seats.find((seat) => seat.person)?.person;
    if (name) remember("name", name);
    remember("setup", { game: this.chosenGame,
      seats: this.chosen.map(({ kind, form }) => ({ kind, ...(form?.value ?? {}) })) });
    try {
      const seed = this.seed.value === "" ? undefined : this.seed.valueAsNumber;
      const { id, keys } = await post("/api/matches", { game: this.chosenGame, seats, seed });
      keepKeys(id, keys);
      location.hash = `#/match/${id}`;
    } catch (error) {
      this.start.disabled = false;
      notice(error.message, "error");
    }
  }

  async upload(input) {
    const [file] = input.files;
    if (!file) return;
    // Until the file is checked there is no game to start: the one shown before is not meant any more.
    this.asked = null;
    this.start.disabled = true;
    this.form.setAttribute("aria-busy", "true");
    put(this.shown, t("setup.uploading", { name: file.name }));
    try {
      const bytes = new Uint8Array(await file.arrayBuffer());
      const { parts, warnings } = await post("/api/uploads", { name: file.name, base64: base64(bytes) });
      this.uploads = await get("/api/uploads");
      warnings.forEach((warning) => notice(warning));
      this.pick(parts);
    } catch (error) {
      notice(error.message, "error");
      this.describe();
    }
    this.form.removeAttribute("aria-busy");
    input.value = "";
  }
}

/** The strength of a level can be cut: it gets a part of its budget. */
function handicapField(seat) {
  const parts = [["1", t("handicap.none")], ...[2, 4, 10].map((part) => [String(part), t("handicap.part", { part })])];
  return field(t("handicap"), select(parts, String(seat.handicap), (part) => { seat.handicap = Number(part); },
    { data: { role: "handicap" } }), t("handicap.hint"));
}

/** A game by the part of an address that names it. */
function fromAddress(text) {
  try {
    return JSON.parse(decodeURIComponent(text));
  } catch {
    return undefined;
  }
}

/** An example of a game as a name and arguments. */
function example(game, index = 0) {
  return { name: game.name, arguments: game.example_arguments[index] ?? {} };
}

function base64(bytes) {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

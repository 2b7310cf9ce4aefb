// The first page: a card for each game with a picture, opponents by strength and one button to play. Everything else is
// behind "Customise".

import { get, post, query } from "./calls.js";
import { picture } from "./board.js";
import { button, h, notice, put, select } from "./dom.js";
import { levelOf, levelsOf, opponentSeat } from "./levels.js";
import { keepKeys, recall, remember } from "./memory.js";
import { catalogue, t, titleText } from "./strings.js";

/** The page. */
export function homePage(main) {
  const page = new Home(main);
  return () => page.leave();
}

class Home {
  constructor(main) {
    this.grid = h("div", { class: "cards", id: "cards" }, h("p", { class: "soft" }, t("loading")));
    this.found = h("div", { class: "found", id: "found" });
    this.search = h("input", { type: "search", id: "game-search", placeholder: t("home.search"),
      "aria-label": t("home.search"), oninput: () => this.show() });
    put(main,
      h("div", { class: "home-head" }, h("div", null, h("h1", null, t("home.title")),
        h("p", { class: "soft" }, t("home.about"))), this.search),
      this.grid, this.found,
      h("p", { class: "home-more" }, h("a", { href: "#/customise", class: "button", id: "customise" },
        t("home.customise")), " ", h("a", { href: "#/puzzles", class: "button" }, t("nav.puzzles")), " ",
        h("a", { href: "#/teach", class: "button" }, t("nav.teach"))));
    // Pictures are made when their card comes into view: opening a game can take a moment.
    this.watcher = new IntersectionObserver((entries) => entries.filter((entry) => entry.isIntersecting)
      .forEach((entry) => { this.watcher.unobserve(entry.target); this.cards.get(entry.target)?.fill(); }));
    this.cards = new Map();
    this.load();
  }

  leave() {
    this.watcher.disconnect();
  }

  async load() {
    const told = await get("/api/cards");
    this.games = told.cards;
    this.more = told.more;
    this.show();
  }

  show() {
    if (!this.games) return;
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const text = ({ game, title, summary }) => [game, title, titleText(title), summary, catalogue(summary)].join(" ")
      .toLowerCase();
    const fits = (game) => words.every((word) => text(game).includes(word));
    const cards = this.games.filter(fits).map((game) => this.card(game));
    put(this.grid, cards);
    const more = words.length === 0 ? [] : this.more.filter(fits);
    put(this.found, more.length === 0 ? (cards.length === 0 ? h("p", { class: "empty" }, t("setup.nothing")) : null)
      : [h("h2", null, t("home.more")), h("ul", { class: "plain-list" }, more.map((game) => h("li", null,
        h("a", { class: "entry", href: customiseAddress(game.parts), data: { found: game.game } },
          h("span", { class: "entry-title" }, h("b", null, titleText(game.title)),
            h("span", { class: "soft small" }, summaryOf(game)))))))]);
  }

  card(game) {
    const known = [...this.cards.values()].find((card) => card.game === game);
    if (known) return known.element;
    const card = new Card(game);
    this.cards.set(card.element, card);
    this.watcher.observe(card.element);
    return card.element;
  }
}

/** The address of the page that customises a game. */
export function customiseAddress({ name, arguments: values }) {
  return `#/customise/${encodeURIComponent(JSON.stringify({ name, arguments: values }))}`;
}

/** One game: its picture, a line about it, and what to do with it. */
class Card {
  constructor(game) {
    this.game = game;
    this.level = recall("level", "club");
    this.picture = h("div", { class: "card-picture", "aria-hidden": "true" });
    this.levels = h("div", { class: "card-level" });
    this.play = button(t("home.play"), () => this.start(false), { class: "primary", data: { play: game.game },
      disabled: true });
    this.watch = button(t("home.watch"), () => this.start(true), { class: "plain", data: { watch: game.game },
      disabled: true });
    const title = titleText(game.title);
    this.element = h("section", { class: "card game-card", data: { card: game.game }, "aria-label": title },
      this.picture, h("div", { class: "card-text" }, h("h2", null, title),
        h("p", { class: "soft small" }, summaryOf(game))),
      h("div", { class: "card-start" }, this.levels, this.play),
      h("div", { class: "card-more" }, this.watch,
        h("a", { class: "button plain-link", href: customiseAddress(game.parts),
          "aria-label": t("home.customise.name", { name: title }) }, t("home.customise"))));
  }

  /** Asks for the picture and the opponents. */
  async fill() {
    try {
      const [told, { levels, measured }] = await Promise.all([
        get("/api/games/describe" + query({ game: this.game.game })), levelsOf(this.game.game)]);
      this.players = told.players;
      put(this.picture, picture(told.picture));
      this.known = levels;
      const named = levels.map(({ name }) => name);
      if (!named.includes(this.level)) this.level = named[0];
      put(this.levels, select(levels.map(({ name }) => [name, t(`level.${name}`)]), this.level, (level) => {
        this.level = level;
        remember("level", level);
      }, { "aria-label": t("level"), data: { role: "level" },
        title: measured ? strengthText(levels) : t("level.guess") }));
      for (const each of [this.play, this.watch]) each.disabled = false;
    } catch (error) {
      put(this.picture, h("p", { class: "small soft" }, error.message));
    }
  }

  /** Begins a match: the reader against the chosen level, or two agents of that level. */
  async start(watching) {
    const level = levelOf(this.known, this.level);
    for (const each of [this.play, this.watch]) each.disabled = true;
    try {
      const seats = this.players.map((_, player) => (player === 0 && !watching
        ? { person: recall("name", t("setup.you")) } : opponentSeat(level)));
      const { id, keys } = await post("/api/matches", { game: this.game.parts, seats });
      keepKeys(id, keys);
      location.hash = `#/match/${id}`;
    } catch (error) {
      notice(error.message, "error");
      for (const each of [this.play, this.watch]) each.disabled = false;
    }
  }
}

/** How much stronger each level is than the one below, in words. */
function strengthText(levels) {
  return levels.filter(({ win_rate }) => win_rate !== null).map(({ name, win_rate, matches }, index) =>
    t("level.strength", { name: t(`level.${name}`), below: t(`level.${levels[index]?.name}`),
      rate: Math.round(100 * win_rate), matches })).join("\n");
}

/** A card's line: what this rule sheet is, where that was written, else what the game is. */
function summaryOf({ parts, summary }) {
  const key = `sheet.${parts.arguments.sheet}`;
  const own = t(key);
  return own === key ? catalogue(summary) : own;
}

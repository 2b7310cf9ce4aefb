// What the language models of a match were asked and answered: one entry a decision, one part a request.

import { get } from "../calls.js";
import { h, put } from "../dom.js";
import { count, number } from "../format.js";
import { catalogue, prettyAction, t } from "../strings.js";

/** Is a language model among the seats? */
export function hasModels(live) {
  return live.seats.some(({ agent }) => /^llm\b/.test(agent ?? ""));
}

/** The panel beside a match page. */
export class TranscriptPanel {
  constructor(page) {
    this.page = page;
    this.element = h("div", { class: "transcripts scroll tall", id: "transcripts", tabindex: 0, role: "region",
      "aria-label": t("transcripts") });
  }

  /** Asks again when the match has come further. */
  async open() {
    const { live, id } = this.page;
    const asked = (this.asked = {});
    try {
      const told = await get(`/api/matches/${id}/transcripts`);
      if (this.asked !== asked) return;
      put(this.element, told.length === 0 ? h("p", { class: "empty" }, t("transcripts.none"))
        : [system(told[0]), told.map((decision) => entry(decision, live.players))]);
    } catch (error) {
      if (this.asked === asked) put(this.element, h("p", { class: "empty" }, error.message));
    }
  }
}

/** The message that begins every request. */
function system({ header }) {
  return h("details", { class: "small" }, h("summary", null, t("transcripts.system", { model: header.model ?? "?" })),
    h("pre", { class: "file" }, header.system ?? ""));
}

function entry({ step, player, failed, exchanges }, players) {
  return h("section", { class: "transcript", data: { step, failed } },
    h("h3", null, t("thought.then", { name: catalogue(players[player]), step }), failed
      ? h("span", { class: "chip bad" }, t("transcripts.failed")) : null),
    exchanges.map(exchangePart));
}

function exchangePart({ attempt, prompt, answer, verdict, action, reason, seconds, input_tokens: input,
  output_tokens: output }) {
  const accepted = verdict === "accepted";
  const figures = [t("transcripts.seconds", { seconds: number(seconds ?? 0, 1) }),
    input === undefined ? null : t("transcripts.tokens", { input: count(input), output: count(output ?? 0) })];
  return h("div", { class: "exchange" },
    h("p", { class: "small" }, h("span", { class: `chip ${accepted ? "on" : "bad"}` },
      accepted ? prettyAction(action) : t(`transcripts.${verdict}`)), " ",
      h("span", { class: "soft" }, t("transcripts.attempt", { attempt }), " · ", figures.filter(Boolean).join(" · ")),
      accepted || !reason ? null : h("span", { class: "soft" }, " – ", reason)),
    answer ? h("pre", { class: "answer" }, answer) : null,
    h("details", { class: "small" }, h("summary", null, t("transcripts.prompt")),
      h("pre", { class: "file" }, prompt)));
}

// Unit tests of the page's pure modules.

import assert from "node:assert/strict";
import { test } from "node:test";

import { japanese } from "../../page/captions.js";
import { Study, Variation } from "../../page/explore/variations.js";
import { scaled } from "../../page/learn/scale.js";
import { lastTurn } from "../../page/match/last_turn.js";
import { costliest, meanCost } from "../../page/match/mistakes.js";
import { experimentText } from "../../page/results/experiment_text.js";
import { Selection } from "../../page/selection.js";

test("a choice is complete when one path is walked, and an enemy in reach narrows it", () => {
  const action = (text, ...areas) => ({ text, areas });
  const choice = new Selection([action("stay", 1, 1, 1), action("go", 1, 2, 2), action("go and hit", 1, 2, 9),
    action("other", 5, 5, 5)]);
  assert.equal(choice.click(7), null);
  assert.equal(choice.click(1), null);
  assert.deepEqual([...choice.next].sort(), [1, 2]);
  assert.deepEqual([...choice.later], [9]);
  // Only one action ends on the enemy: two clicks are enough.
  assert.equal(choice.click(9).text, "go and hit");
  assert.equal(choice.path.length, 0);
  choice.click(1);
  choice.click(2);
  assert.equal(choice.back(), true);
  assert.deepEqual(choice.path, [1]);
  assert.equal(choice.completes(9).text, "go and hit");
  assert.equal(choice.click(5), null);
  assert.equal(choice.click(5).text, "other");
});

test("variations keep their steps and comments through a file", () => {
  const study = new Study();
  const first = study.at(4).play(["b2-c3"]);
  const second = first.play(["d", "e"]);
  second.comment = "better";
  assert.equal(study.at(4).play(["b2-c3"]), first, "the same step is the same variation");
  assert.deepEqual(second.line, [["b2-c3"], ["d", "e"]]);
  study.at(9);
  const data = JSON.parse(JSON.stringify(study.data));
  assert.deepEqual(data, { roots: [{ step: 4, children: [{ joint: ["b2-c3"], children: [{ joint: ["d", "e"],
    comment: "better" }] }] }] });
  const read = Study.from(data);
  assert.deepEqual(read.data, data);
  assert.deepEqual(read.at(4).children[0].children[0].line, [["b2-c3"], ["d", "e"]]);
  assert.equal(second.remove(), first);
  assert.equal(first.children.length, 0);
});

test("a study that is not one is empty", () => {
  for (const odd of [null, 7, {}, { roots: 3 }, { roots: [{ step: -1 }, { step: "x" }, null] }])
    assert.deepEqual(Study.from(odd).data, { roots: [] });
  assert.deepEqual(Variation.from({ children: [{ joint: "no" }, { joint: [1] }] }).data,
    { children: [{ joint: ["1"] }] });
});

test("the last turn is everything that the last player did in a row, with chance between", () => {
  const step = (...players) => ({ players });
  const ends = (history) => lastTurn(history, history.length).length;
  assert.equal(ends([]), 0);
  assert.equal(ends([step(0), step(0), step(1), step(1), step(1)]), 3);
  assert.equal(ends([step(1), step(), step(0), step()]), 1);
  assert.equal(ends([step(1), step(0), step(), step(0)]), 2);
  assert.equal(ends([step(0, 1), step(0, 1)]), 1);
  // Alone, a turn is one step.
  assert.equal(ends([step(0), step(0), step(0)]), 1);
});

test("only sure mistakes are listed, the costliest first, three of each side", () => {
  const judged = (player, cost, low) => ({ player, cost, interval: low === null ? null : [low, cost] });
  const all = [judged(0, 0.1, 0.05), judged(0, 0.9, 0.5), judged(0, 0.4, -0.1), judged(0, 0.3, 0.1),
    judged(0, 0.2, 0.1),
    judged(1, 0.7, 0.2), judged(0, null, null), judged(0, 0, 0)];
  assert.deepEqual(costliest(all, 0).map(({ cost }) => cost), [0.9, 0.3, 0.2]);
  assert.deepEqual(costliest(all, 1).map(({ cost }) => cost), [0.7]);
  assert.equal(meanCost([judged(0, 0.2, 0), judged(0, -0.2, -1)], 0), 0.1);
  assert.equal(meanCost(all, 2), null);
});

test("a form becomes the file of an experiment", () => {
  const wanted = { title: "a \"b\"", games: ["tic-tac-toe", "gdl(hex-9x9)"], agents: ["uct", "mc"], playouts: 50,
    pairs: 3, until: false };
  assert.equal(experimentText(wanted), "title = \"a \\\"b\\\"\"\ngames = [\"tic-tac-toe\", \"gdl(hex-9x9)\"]\n"
    + "agents = [\"uct\", \"mc\"]\nseed = 1\npairs = 3\nbudget = { playouts = 50 }\n");
  const decided = experimentText({ ...wanted, until: true, playouts: NaN });
  assert.match(decided, /pairs = 1000\nbudget = \{ playouts = 1 \}\n\n\[sprt\]\nelo0 = 0\nelo1 = 35\n$/);
});

test("a curve fills its drawing, and its vertical axis begins at 0", () => {
  const { last, highest, places } = scaled([[0, 0.5], [100, 0.25], [200, 0]]);
  assert.deepEqual([last, highest], [200, 0.5]);
  const [[left, top], [, middle], [right, floor]] = places;
  assert.ok(left < right && top < middle && middle < floor);
  assert.equal(middle - top, floor - middle);
  // Without a loss above 0 nothing is divided by 0.
  assert.ok(scaled([[0, 0], [0, 0]]).places.flat().every(Number.isFinite));
});

test("captions of boards are written in Japanese, and what is no caption stays", () => {
  const word = (name) => ({ red: "赤", black: "黒" })[name] ?? name;
  assert.equal(japanese("turn 3 of 27: red", word), "27 ターン中 3 ターン目：赤");
  assert.equal(japanese("turn 27 of 27: red has won", word), "27 ターン中 27 ターン目：赤 の勝ち");
  assert.equal(japanese("black moves 4", word), "黒 の番（4 の駒）");
  assert.equal(japanese("a1", word), "a1");
  assert.equal(japanese("10", word), "10");
});

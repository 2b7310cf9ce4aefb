// What is written on boards, in Japanese. Drawings come from the server in English; names are translated by `word`.

/** @type {[RegExp, (parts: string[], word: (name: string) => string) => string][]} */
const CAPTIONS = [
  [/^turn (\d+) of (\d+): (.+)$/, ([turn, of, who], word) => `${of} ターン中 ${turn} ターン目：${japanese(who, word)}`],
  [/^(\w+) to move, but not the king diagonally$/, ([who], word) => `${word(who)} の番（王は斜めに動かせない）`],
  [/^(\w+) to move$/, ([who], word) => `${word(who)} の番`],
  [/^(\w+) (?:has )?won$/, ([who], word) => `${word(who)} の勝ち`],
  [/^a draw$/, () => "引き分け"],
  [/^(red|blue) (\d+)$/, ([who, points], word) => `${word(who)} ${points}`],
  [/^(\w+) leads by (\d+)$/, ([who, points], word) => `${word(who)} が ${points} 点リード`],
  [/^level$/, () => "同点"],
  [/^round (\d+) of (\d+)$/, ([round, of]) => `${of} 回中 ${round} 回目`],
  [/^place (\w+)$/, ([who], word) => `${word(who)} の配置`],
  [/^(\w+) begins a turn$/, ([who], word) => `${word(who)} の手番の始め`],
  [/^(\w+): roll on or hold\?$/, ([who], word) => `${word(who)}：振るか、ホールドするか`],
  [/^(\w+): (\d+) coins?$/, ([who, coins], word) => `${word(who)}：持ち金 ${coins}`],
  [/^(\w+) chooses$/, ([who], word) => `${word(who)} が選ぶ番`],
  [/^(\w+) and (\w+) choose at once$/, ([one, two], word) => `${word(one)} と ${word(two)} が同時に選ぶ`],
  [/^control (\w+)$/, ([who], word) => `手番：${word(who)}`],
  [/^(\w+) rolls$/, ([who], word) => `${word(who)} がサイコロを振る`],
  [/^(\w+) moves (\d)$/, ([who, stone], word) => `${word(who)} の番（${stone} の駒）`],
  [/^roll$/, () => "振る"],
  [/^hold$/, () => "ホールド"],
  [/^prizes$/, () => "賞品"],
];

/** Names of players and of choices that stand alone on boards. */
const NAMED = ["red", "blue", "black", "white", "first", "second", "vertical", "horizontal", "cooperate", "defect",
  "stag", "hare", "heads", "tails", "rock", "paper", "scissors", "Prisoner's dilemma", "Stag hunt", "Matching pennies",
  "Rock, paper, scissors"];

/** The caption in Japanese; one that is not known is only looked up as a name. */
export function japanese(caption, word) {
  for (const [pattern, write] of CAPTIONS) {
    const found = caption.match(pattern);
    if (found) return write(found.slice(1), word);
  }
  return NAMED.includes(caption) ? word(caption) : caption;
}

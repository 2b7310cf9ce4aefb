// Texts of the catalogue in Japanese.

/** Texts of the catalogue in Japanese; what is missing is shown in English. */
export const CATALOGUE = /** @type {Record<string, string>} */ ({
  red: "赤", blue: "青", black: "黒", white: "白", first: "プレイヤー1", second: "プレイヤー2", vertical: "縦", horizontal: "横",
  "Two armies on a map, every unit acts once a turn; wipe out the other side or lead in HP at the turn limit":
    "マップ上の二軍の戦い。1ターンに全ユニットが1回ずつ行動し、敵を全滅させるか、ターン上限でHPが多い側の勝ち",
  "TUBSTAP on a generated map: the same seed, the same map": "自動生成マップのTUBSTAP。同じシードからは同じマップができる",
  "Slide a piece as far as the die says; three in line with the king win (7×7 board with a cross-shaped wall)":
    "サイコロの目だけ駒を滑らせる。王を含む3駒が並べば勝ち（十字の壁がある7×7盤）",
  "EinStein würfelt nicht!: race six numbered stones to the far corner; the die says which may move":
    "アインシュタインはサイコロを振らない。番号つきの6個の駒を対角の隅へ進める。動かせる駒は目で決まる",
  "Pig: roll on and risk the turn's points, or hold; the first to the target wins":
    "ピッグ。振り続けてターンの得点を賭けるか、止めて確定させるか。先に目標点に達した側の勝ち",
  "Both players lay a bar of three at once, vertical against horizontal; a player who alone cannot move loses":
    "縦と横の3マスの棒を同時に置く。自分だけ置けなくなった側の負け",
  "Both players lay a domino at once, vertical against horizontal; a player who alone cannot move loses":
    "縦と横のドミノを同時に置く。自分だけ置けなくなった側の負け",
  "Players lay bars of three in turn, vertical against horizontal; a player who cannot move loses":
    "縦と横の3マスの棒を交互に置く。置けなくなった側の負け",
  "Players lay dominoes in turn, vertical against horizontal; a player who cannot move loses":
    "縦と横のドミノを交互に置く。置けなくなった側の負け",
  "Both bid a card for each prize at once; the higher card takes it": "賞品ごとに手札を1枚ずつ同時に出し、大きい方が取る",
  "Blind bids from equal purses push a wrestler off the track": "同額の持ち金から同時に入札し、力士を土俵の外へ押し出す",
  "A table of payoffs: both choose at once, once or several times": "利得表のゲーム。両者が同時に選び、1回または繰り返し行う",
  "Rock, paper, scissors with open hands of cards that are spent; most rounds won wins":
    "公開された手札を使い切るじゃんけん。勝った回数が多い側の勝ち",
  "Two rows of pawns each; the first pawn on the far row wins": "2列ずつのポーンで始め、先に相手の最終列に達した側の勝ち",
  "Discs fall down columns; four in a line win": "円盤を列に落とし、4つ並べば勝ち",
  "Three in a row on a 3×3 board; a draw under optimal play": "三目並べ。両者が最善なら引き分け",
  "A small game whose whole tree is written in a text, with its value if known": "ゲーム木全体をテキストで書いた小さなゲーム",
  "Any game from its rules in the Game Description Language: a bundled sheet, or your own file":
    "GDL（ゲーム記述言語）のルールで書かれた任意のゲーム。同梱のルールまたは自分のファイル",
  "A uniformly random legal action": "合法手を一様ランダムに選ぶ",
  "Flat Monte Carlo: plays every action out many times and takes the best; no tree":
    "原始モンテカルロ。各着手から多数のプレイアウトを行い、最良の手を選ぶ（木は作らない）",
  "Flat Monte Carlo that allocates playouts by UCB1": "有望な手にプレイアウトを多く割り当てる原始モンテカルロ（UCB1）",
  "Monte Carlo tree search by upper confidence bounds (UCT), decoupled at joint moves":
    "UCTによるモンテカルロ木探索。同時手番では各プレイヤーが独立に選択する",
  "UCT with double progressive widening: few actions and outcomes first, more with more visits":
    "double progressive widening つきUCT。訪問数に応じて手と偶然の結果の候補を増やす",
  "The best action, or the first of the best two, by the game's evaluation of single actions":
    "ゲームが与える行動評価で最良の行動（または最良の2行動の先頭）",
  "Attack action search (paper 002, section 4.2): all sequences of attacks, the rest by a routine":
    "攻撃行動探索（論文002 4.2節）。攻撃の列をすべて調べ、残りは移動ルーチンで動かす",
  "Depth-limited Monte Carlo (paper 002, section 4.3): random whole turns, evaluated by short playouts":
    "深さ限定モンテカルロ（論文002 4.3節）。ターン全体をランダムに作り、短いプレイアウトで評価",
  "Expectiminimax with Star1 and Star2 pruning, iterative deepening and a table; max^n beyond two players":
    "Star1・Star2枝刈りと反復深化つき期待値ミニマックス。3人以上はmax^n",
  "Online evolution: whole turns mutate and recombine, evaluated by short playouts":
    "オンライン進化。ターン全体を変異・交叉させ、短いプレイアウトで評価",
  "the name of a bundled map, or the path of a `.tbsmap` file": "同梱マップの名前",
  "`v0108`, as the platform plays, or `paper`, as paper 000 prints": "`v0108`（プラットフォームの規則）または `paper`（論文000の規則）",
  "which map": "マップのシード",
  "columns": "列数",
  "rows": "行数",
  "units of each side": "各軍のユニット数",
  "the HP of units, from-to": "ユニットのHP（最小-最大）",
  "`point`, `mirror` or `none`": "対称性：`point`（点対称）、`mirror`（線対称）、`none`（なし）",
  "rows and columns of the standard layout, 4 to 8": "標準配置の行数と列数（4～8）",
  "walls of the standard layout: standard (cross from 6×6 on, else centre), cross, centre or none":
    "標準配置の壁：standard（6×6以上は十字、他は中央）、cross、centre、none",
  "standard, or a whole board: rows separated by `/`, `k` `m` black, `K` `M` white, `#` wall, `.` free":
    "standard または盤面全体：行は `/` で区切り、`k` `m` は黒、`K` `M` は白、`#` は壁、`.` は空き",
  "may the first move of the match not be a diagonal king move?": "初手で王を斜めに動かすことを禁じるか",
  "moves (choices of both players together) after which the match is a draw": "引き分けになるまでの両者合計の手数",
  "who moves first: black or white": "先手：black（黒）または white（白）",
  "random, fixed, or the stones of black and white over their corners row by row such as 123456/654321 (fixed)":
    "初期配置：random、fixed、または 123456/654321 のような指定",
  "points that win, 2 to 1000": "勝ちとなる点数（2～1000）",
  "rows of the board; rows times columns is at most 128": "盤の行数（行数×列数は128以下）",
  "columns of the board": "盤の列数",
  "cards in each hand, and prizes: 2 to 24": "手札と賞品の枚数（2～24）",
  "the order of the prizes: random, descending or ascending": "賞品の順：random、descending、ascending",
  "payoffs: win-loss (1, 0, -1) or points-difference": "利得：win-loss（1, 0, -1）または points-difference（得点差）",
  "coins in each purse: 1 to 200": "持ち金（1～200）",
  "places on each side of the middle: 0 to 30": "中央から片側のマス数（0～30）",
  "the least bid; who has less bids it all": "最低入札額（足りなければ全額）",
  "rounds after which the match ends: 1 to 10000": "終局までの回数（1～10000）",
  "a bundled table or the path of a .toml file": "同梱の利得表",
  "none, bernoulli (random payoffs with the table's means), or as the file says":
    "none、bernoulli（表の値を平均とする乱数）、またはファイルのとおり",
  "rounds, 1 to 1000; payoffs are the mean over them": "繰り返し回数（1～1000）。利得は平均",
  "the first player's hand, letters r, p and s": "プレイヤー1の手札（r・p・s）",
  "the second player's hand, as many cards": "プレイヤー2の手札（同じ枚数）",
  "points for a round won with rock: 0 to 9": "グーで勝ったときの点（0～9）",
  "points for a round won with paper: 0 to 9": "パーで勝ったときの点（0～9）",
  "points for a round won with scissors: 0 to 9": "チョキで勝ったときの点（0～9）",
  "rows of the board, at least 4": "盤の行数（4以上）",
  "columns of the board, at least 2; rows × columns is at most 64": "盤の列数（2以上、行数×列数は64以下）",
  "rows of the board": "盤の行数",
  "columns of the board; columns × (rows + 1) is at most 64": "盤の列数（列数×(行数+1)は64以下）",
  "how many in a line win, from 3 to 5": "勝ちとなる並びの長さ（3～5）",
  "the name of a bundled tree, or the path of a file": "同梱のゲーム木の名前",
  "the name of a bundled rule sheet, or the path of a `.kif` file": "同梱のルールの名前",
  "what runs the rules: auto, network or interpreter": "ルールの実行方式：auto、network、interpreter",
  "a match ends after this many steps": "対局を打ち切る手数",
  "megabytes that grounding may take before the interpreter is chosen": "グラウンディングに使えるメモリ（MB）。超えた場合はインタプリタを使う",
  "million steps that grounding may take before the interpreter is chosen": "グラウンディングの計算量の上限（百万ステップ）。超えた場合はインタプリタを使う",
  "The Monte Carlo player of paper 003 §5.2.4: equal shares, random playouts, most wins":
    "論文003 5.2.4節のモンテカルロ。均等配分、ランダムプレイアウト、勝ち数最大",
  "The flat Monte Carlo player that paper 001 plays against: equal shares, random playouts":
    "論文001の対戦相手の原始モンテカルロ。均等配分、ランダムプレイアウト",
  "Unit-action-tree UCT as the program of paper 000 searches (section 5)": "ユニット行動木UCT（論文000のプログラムのとおり、5節）",
  "Unit-action-tree UCT of paper 000 (section 5), every node counted and played for its own mover":
    "ユニット行動木UCT（論文000 5節、各節点を手番側の立場で数える修正版）",
  "Unit-action-tree UCT as the program of paper 000 searches (section 7, threshold 10)":
    "ユニット行動木UCT（論文000のプログラムのとおり、7節、閾値10）",
  "Unit-action-tree UCT of paper 000 (section 7, threshold 10), sound": "ユニット行動木UCT（論文000 7節、閾値10、修正版）",
  "PUCT with a learned network: it judges leaves without playouts, and gives the priors":
    "学習したネットワークを使うPUCT。葉をプレイアウトなしで評価し、事前確率も与える",
  "UCT of paper 002 (section 4.1): 6000 playouts a turn, shared by its units":
    "論文002 4.1節のUCT。1ターン6000プレイアウトをユニットで分け合う",
  "UCT of paper 002 with the rules of the program that survives from its line":
    "論文002のUCTを、その系統で残っているプログラムの規則で動かしたもの",
  "turn-uct-program with progressive widening at the root, attacks first":
    "turn-uct-program に根だけの progressive widening（攻撃を先に）を加えたもの",
  "UCT with progressive widening of paper 002 (section 4.1.1): attacks first, few actions at first":
    "論文002 4.1.1節の progressive widening つきUCT。攻撃を優先し、少数の候補手から始める",
  "The UCT player of paper 001: random playouts, one new node a playout, the tree kept between moves":
    "論文001のUCT。ランダムプレイアウト、1回に1節点を展開し、木を次の手番に引き継ぐ",
  "Best single action (paper 000, section 3.1)": "最良の単独行動（論文000 3.1節）",
  "Action-pair evaluation (paper 000, section 3.2)": "行動対の評価（論文000 3.2節）",
  "DLMC with the parameters of paper 002, table 2": "DLMC（論文002 表2のパラメータ）",
  "DLMC with attack action search (paper 002, section 5.1, method 1 of table 2)": "攻撃行動探索つきDLMC（論文002 5.1節、表2の手法1）",
  "DLMC with local adjustment (paper 002, section 5.2, method 2 of table 2)": "局所修正つきDLMC（論文002 5.2節、表2の手法2）",
  "DLMC with attack action search and local adjustment (paper 002, section 6, method 1+2 of table 2)":
    "攻撃行動探索と局所修正つきDLMC（論文002 6節、表2の手法1+2）",
  "DLMC with the parameters of paper 000, section 5.1": "DLMC（論文000 5.1節のパラメータ）",
  "dlmc-both for large maps: at most eight units of a local fight at a time, plans joined (paper 002, section 8)":
    "局所戦ごとにdlmc-bothで計画して合成する。大きなマップ向け（論文002 8節）",
  "Alpha-beta over the own turn and the reply: fixed order, few actions a piece, few active pieces":
    "自ターンと相手の応手のαβ探索。ユニットの順を固定し、動かす駒と候補手を絞る",
  "Paper 003: averages over dice and actions, pruned in stages; needs an evaluation":
    "論文003の先読み。サイコロの目と手について平均し、候補を段階的に絞る（評価関数が必要）",
  "Paper 003 §4: the look-ahead by own pieces; depth=5 is the 5-ply of §5.2.3":
    "論文003 4節、自分の駒による先読み（depth=5 は5.2.3節の5手読み）",
  "Paper 003 §4: the look-ahead by both sides' pieces": "論文003 4節、両者の駒による先読み",
  "Paper 003 §4: type(A+B), typeB where one is behind and typeA elsewhere": "論文003 4節 type(A+B)。劣勢ではtypeB、他ではtypeA",
  "Several agents nominate an action each, flat Monte Carlo decides among them (paper 003 §6.4)":
    "複数のプログラムが推薦した手から原始モンテカルロで選ぶ（論文003 6.4節）",
  "Paper 003 §6.4: the three look-aheads nominate, uniform playouts decide": "論文003 6.4節。3種の先読みが手を推薦し、一様プレイアウトで決める",
  "million conditions that the interpreter may examine for one query": "インタプリタが1回の問い合わせで調べる条件数の上限（百万単位）",
  "Unit-action-tree UCT of paper 000 with fuzzy pruning (section 7)": "ファジィ評価で枝刈りするユニット行動木UCT（論文000 7節）",
  "Unit-action-tree UCT of paper 000 with fuzzy pruning (section 7), sound": "ファジィ評価で枝刈りするユニット行動木UCT（論文000 7節、修正版）",
  "The control of paper 000 (section 7.5): pruning by shuffled memberships": "論文000 7.5節の対照実験。並べ替えた帰属度で枝刈りする",
  "Unit-action-tree UCT of paper 000 with memberships as first UCB values (section 8)":
    "帰属度をUCB値の初期値とするユニット行動木UCT（論文000 8節）",
  "Unit-action-tree UCT of paper 000 with memberships as first UCB values (section 8), sound":
    "帰属度をUCB値の初期値とするユニット行動木UCT（論文000 8節、修正版）",
  "ggp-uct whose playouts prefer actions that paid in earlier playouts (MAST)": "プレイアウトで過去に成績の良い手を優先する ggp-uct（MAST）",
  "ggp-uct whose playouts prefer sequences of actions that paid in earlier playouts (NST)":
    "プレイアウトで過去に成績の良い手の並びを優先する ggp-uct（NST）",
  "ggp-uct whose playouts prefer pairs of states that paid in earlier playouts (outlook of paper 001)":
    "プレイアウトで過去に成績の良い局面の対を優先する ggp-uct（論文001の今後の課題）",
  "Solves games for one player without chance: breadth-first and nested Monte Carlo search for a plan":
    "偶然のない一人用ゲームを解く。幅優先探索と入れ子モンテカルロ探索で手順を探す",
  "Trains a network by self-play on the start clock, and looks ahead with it":
    "開始時の持ち時間に自己対局でネットワークを学習し、それを使って先読みする",
  "The general game player: a search chosen by the game's features and by matches on the start clock":
    "汎用ゲームプレイヤー。ゲームの特徴と、開始時の持ち時間内の対局で探索を選ぶ",
  "ggp-uct with GRAVE in the tree": "木探索にGRAVEを用いる ggp-uct",
  "GRAVE in the tree and NST in the playouts: ggp-grave and ggp-nst in one":
    "木探索にGRAVE、プレイアウトにNSTを用いる（ggp-grave と ggp-nst の併用）",
  "dlmc-both with as many playouts for twenty times the turns, shared by sequential halving":
    "同じプレイアウト数で20倍のターン候補を比べる dlmc-both。下位半分を繰り返し除く（sequential halving）",
  "Monte Carlo on one table of joint actions (paper 004), for one or two players": "同時着手の組の表によるモンテカルロ（論文004、1人または2人用）",
  "Monte Carlo of paper 004: all joint actions equally likely, the best mean": "論文004のモンテカルロ。着手の組を一様に選び、平均が最良の手を指す",
  "SimpleUCB0.5 of paper 004: own UCB1 only, the most visits": "論文004の SimpleUCB0.5。自分の手だけをUCB1で選び、訪問数が最大の手を指す",
  "SimpleUCB1 of paper 004: each side by its own UCB1, the most visits": "論文004の SimpleUCB1。両者がそれぞれUCB1で選び、訪問数が最大の手を指す",
  "MSUCB1 of paper 004: joint actions drawn from the equilibrium of their UCB1 values":
    "論文004の MSUCB1。UCB1値の行列の均衡戦略に従って着手の組を選ぶ",
  "MSUCB1.5 of paper 004 (§6.3): MSUCB1 with own UCB1 in the second step":
    "論文004 6.3節の MSUCB1.5。2手目では自分の手をUCB1で選ぶ MSUCB1",
  "Monte Carlo tree search with mixed strategies at every joint move, for one or two players":
    "同時手番ごとに混合戦略を用いるモンテカルロ木探索（1人または2人用）",
  "MSUCT, the plan of paper 004 (§7): MSUCB at every node of a growing tree": "MSUCT（論文004 7節の今後の課題）。探索木の各節点でMSUCBを用いる",
  "Decoupled UCT, drawn in proportion to visits": "decoupled UCT。訪問数に比例する確率で指す",
  "Simultaneous-move MCTS by Exp3, the average strategy": "Exp3による同時手番のMCTS。平均戦略で指す",
  "Simultaneous-move MCTS by regret matching, the average strategy": "regret matching による同時手番のMCTS。平均戦略で指す",
  "Exact where half the budget suffices; else by the game's network; else by playouts with solved tables":
    "思考量の半分で解ければ厳密解を使う。解けなければゲームのネットワークで探索する。ネットワークがなければ利得行列の値を用いる decoupled UCT、大きな行列では regret matching+",
  "Counterfactual regret minimisation on the game cut at a depth, for one or two players":
    "深さを制限したゲームでのCFR（counterfactual regret minimization、1人または2人用）",
  "Monte Carlo CFR by external sampling on the game cut after one step": "1手先で打ち切ったゲームでのモンテカルロCFR（external sampling）",
  "Monte Carlo CFR by outcome sampling on the game cut after one step": "1手先で打ち切ったゲームでのモンテカルロCFR（outcome sampling）",
  "Plays at random, then fails on purpose: tests that tournaments survive it": "ランダムに指した後、わざと異常な動作をする（大会の試験用）",
  "A program outside that speaks the engine protocol on its standard input and output": "標準入出力でエンジンプロトコルを話す外部プログラム",
  "Somebody met over a network, as stores name them; cannot be seated": "ネットワーク越しの対局者（記録用。対局には選べない）",
});

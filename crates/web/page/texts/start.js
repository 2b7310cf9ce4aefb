// Texts of the frame, the first page, the page that customises, and the list of matches: English, Japanese.

export const START = {
  skip: ["Skip to the content", "本文へ移動"],
  loading: ["Loading…", "読み込み中…"],

  nav: ["Pages", "ページ"],
  "nav.play": ["Play", "対局する"],
  "nav.replays": ["Matches", "対局一覧"],
  "nav.results": ["Results", "実験結果"],
  "nav.help": ["Help", "ヘルプ"],
  "nav.puzzles": ["Puzzles", "次の一手"],
  "nav.teach": ["Teach", "教える"],

  "theme.dark": ["Dark", "ダーク"],
  "theme.light": ["Light", "ライト"],
  "page.unknown": ["This page does not exist.", "このページは存在しません。"],

  "error.offline": [
    "The lab does not respond. Check that it is still running.",
    "サーバーから応答がありません。tesuji lab が動作しているか確認してください。",
  ],
  "error.status": ["The lab rejected the request (status {status}).", "要求が拒否されました（ステータス {status}）。"],
  "error.place": ["line {line}, column {column}", "{line} 行目 {column} 文字目"],

  "setup.title": ["Play", "対局する"],
  "setup.about": [
    "Choose a game and the players, then start. Agents can also play each other.",
    "ゲームと対局者を選んで対局を始めます。プログラムどうしの対局もできます。",
  ],
  "setup.games": ["Games", "ゲーム一覧"],
  "setup.search": ["Search games, maps and rule sheets", "ゲーム・マップ・ルールを検索"],
  "setup.nothing": ["No game matches.", "該当するゲームがありません。"],
  "setup.upload": ["Open a map or a rule sheet…", "マップ・ルールのファイルを開く…"],
  "setup.upload.hint": [".tbsmap, .kif or .gdl, .tree, .toml", ".tbsmap、.kif・.gdl、.tree、.toml"],
  "setup.examples": ["Examples", "例"],
  "setup.parameters": ["Parameters", "パラメータ"],
  "setup.seats": ["Seats", "対局者"],
  "setup.who": ["Player for {seat}", "{seat} の対局者"],
  "setup.person": ["A person at this browser", "人間（この端末）"],
  "setup.open": ["Open: a person at another browser", "空席（別の端末からの参加を待つ）"],
  "setup.uploading": ["Checking {name}…", "{name} を確認中…"],
  "setup.open.hint": [
    "Share the address of the match; anyone who opens it can take this seat.",
    "対局ページのURLを共有すると、開いた人がこの席で対局できます。",
  ],
  "setup.name": ["Name", "名前"],
  "setup.you": ["Player", "プレイヤー"],
  "setup.seed": ["Seed", "乱数シード"],
  "setup.seed.any": ["any", "自動"],
  "setup.seed.hint": ["The same seed and the same choices give the same match.", "シードとすべての着手が同じなら、同じ対局が再現されます。"],
  "setup.start": ["Start the match", "対局を始める"],
  "setup.agent": ["Any agent…", "プログラムを選ぶ…"],

  "feature.chance": ["chance", "偶然手番あり"],
  "feature.simultaneous": ["simultaneous", "同時手番"],
  "feature.multi-action": ["several actions a turn", "1手番に複数行動"],
  "feature.general-sum": ["general-sum", "非ゼロ和"],
  "feature.many-players": ["three or more players", "3人以上"],
  "feature.hidden-information": ["hidden information", "不完全情報"],

  agent: ["Agent", "プログラム"],
  "agent.kinds": ["Kinds", "種類"],
  "agent.presets": ["Presets", "プリセット"],
  "agent.parameters": ["Parameters", "パラメータ"],

  budget: ["Budget", "1手の思考量"],
  "budget.unit": ["Unit", "単位"],
  "budget.playouts": ["playouts", "プレイアウト"],
  "budget.seconds": ["seconds", "秒"],

  "home.title": ["Play a game", "ゲームを選んで対局"],
  "home.about": [
    "Choose a game and how strong the opponent is. Rules are beside the board.",
    "ゲームと相手の強さを選んでください。ルールは盤の横で読めます。",
  ],
  "home.search": ["Search games, maps and rule sheets", "ゲーム・マップ・ルールを検索"],
  "home.more": ["Also found", "そのほかの検索結果"],
  "home.play": ["Play now", "対局する"],
  "home.watch": ["Watch two agents", "プログラムどうしを観戦"],
  "home.customise": ["Customise", "詳細設定"],
  "home.customise.name": ["Customise {name}", "{name} の詳細設定"],

  "sheet.reversi": [
    "Enclose the other side's discs to turn them; most discs at the end win",
    "相手の石を挟んで裏返す。終局時に石の多い側の勝ち",
  ],
  "sheet.hex-9x9": [
    "Connect your two edges with a chain of stones before the other side connects theirs",
    "自分の二辺を石でつなぐ。先につないだ側の勝ち",
  ],

  level: ["Opponent", "相手の強さ"],
  "level.beginner": ["Beginner", "入門"],
  "level.club": ["Club", "中級"],
  "level.strong": ["Strong", "上級"],
  "level.champion": ["Champion", "最強"],
  "level.strength": [
    "{name} scores {rate} % against the level below ({matches} matches).",
    "{name}は一つ下の強さに対して得点率 {rate} %（{matches} 局）。",
  ],
  "level.guess": ["These levels were not measured for this game.", "このゲームでの強さは測定していません。"],

  handicap: ["Handicap", "ハンデ"],
  "handicap.none": ["none", "なし"],
  "handicap.part": ["the opponent thinks 1/{part} as much", "相手の思考量を 1/{part} にする"],
  "handicap.hint": ["Fewer playouts for each decision.", "1手あたりのプレイアウト数を減らします。"],

  keys: ["Keys", "キー操作"],
  "keys.arrows": ["move over the board or the list", "盤面や一覧の中を移動"],
  "keys.enter": ["choose", "選ぶ"],
  "keys.escape": ["undo a click", "クリックを取り消す"],
  "keys.steps": ["one step back or forward", "1手戻る・進む"],
  "keys.labels": ["set a label (in the Label panel)", "ラベルを付ける（ラベル付けの画面で）"],

  "replays.about": [
    "All matches of this lab; they survive a restart. A replay file opens in any lab.",
    "保存されているすべての対局です（再起動後も残ります）。棋譜ファイルはほかの環境でも開けます。",
  ],
  "replays.open": ["Open a replay…", "棋譜を開く…"],
  "replays.which": ["Which matches", "表示する対局"],
  "replays.all": ["All matches", "すべて"],
  "replays.live": ["In progress", "対局中"],
  "replays.over": ["Finished", "終局"],
  "replays.none": ["There are no matches yet.", "まだ対局がありません。"],
  "replays.steps": ["{count} steps", "{count} 手"],
  "replays.going": ["in progress", "対局中"],
  "replays.remove": ["Remove", "削除"],
  "replays.remove.name": ["Remove {name}", "{name} を削除"],

  "origin.play": ["match", "対局"],
  "origin.replay": ["file", "ファイル"],
  "origin.store": ["experiment", "実験"],
};

//! The generated parts of the pages of agents.

use std::fmt::Write as _;

use tesuji_arena::{AgentInfo, DecisionText, Features, Occupant, Player, Rng, Streams, Trust};

use super::generated::{Decided, Page, Sources};

/// Games with small boards, for pictures of decisions.
const PICTURED: [&str; 4] = ["connect-four", "goofspiel(5)", "tubstap(map=one-blow)", "dice7"];
/// Playouts of the decision in a picture.
const PLAYOUTS: u64 = 200;
/// The most candidates in a picture.
const CANDIDATES: usize = 8;

fn info<'a>(sources: &'a Sources, name: &str) -> &'a AgentInfo {
    sources.catalogue.agent(name).unwrap()
}

/// All kinds, with links to their pages.
pub(super) fn list(sources: &Sources) -> String {
    let mut text = String::from("| kind | what it is | handles |\n| --- | --- | --- |\n");
    for info in sources.catalogue.agents().iter().filter(|info| info.preset_of.is_none()) {
        let name = info.name;
        writeln!(text, "| [`{name}`](kinds/{name}.md) | {} | {} |", info.summary, handles(info)).unwrap();
    }
    text
}

fn handles(info: &AgentInfo) -> String {
    match info.handles {
        _ if info.requires.contains(Features::HIDDEN) => "games with hidden information".to_owned(),
        all if all == Features::all() => "every game".to_owned(),
        open if open == Features::OPEN => "every game without hidden information".to_owned(),
        none if none.is_empty() => "alternating moves without chance".to_owned(),
        some => some.to_string(),
    }
}

/// The games that a kind handles, in Japanese.
fn handles_in_japanese(info: &AgentInfo) -> String {
    match info.handles {
        _ if info.requires.contains(Features::HIDDEN) => "不完全情報ゲーム".to_owned(),
        all if all == Features::all() => "すべてのゲーム".to_owned(),
        open if open == Features::OPEN => "不完全情報ゲーム以外のすべてのゲーム".to_owned(),
        none if none.is_empty() => "偶然のない交互着手".to_owned(),
        some => {
            let names = [
                (Features::CHANCE, "偶然"),
                (Features::SIMULTANEOUS, "同時着手"),
                (Features::MULTI_ACTION, "一手番に多くの行動"),
                (Features::GENERAL_SUM, "非零和"),
                (Features::MANY_PLAYERS, "三人以上"),
                (Features::HIDDEN, "不完全情報"),
            ];
            let held = names.iter().filter(|(feature, _)| some.contains(*feature)).map(|(_, name)| *name);
            held.collect::<Vec<_>>().join("、")
        }
    }
}

/// What a kind is, and a decision of it.
pub(super) fn summary(sources: &mut Sources, name: &str, page: &Page) -> String {
    let kind = info(sources, name).clone();
    let mut text = match page.japanese {
        true => format!("対応するゲーム: {}。\n", handles_in_japanese(&kind)),
        false => format!("{}.\n\nHandles: {}.\n", kind.summary, handles(&kind)),
    };
    if !sources.decisions.contains_key(name) {
        let made = decision(sources, &kind);
        sources.decisions.insert(name.to_owned(), made);
    }
    if let Some(Some((address, game, svg))) = sources.decisions.get(name) {
        let file = format!("agents/{name}.svg");
        sources.pictures.insert(file.clone(), svg.clone());
        let title = match page.japanese {
            true => format!("`{game}` の初期局面での `{address}` の判断（{PLAYOUTS} プレイアウト）"),
            false => {
                format!("What `{address}` thinks of the first position of `{game}` after {PLAYOUTS} playouts")
            }
        };
        write!(text, "\n![{title}]({}pictures/{file})\n", page.up).unwrap();
    }
    text
}

/// The parameters of a kind.
pub(super) fn parameters(sources: &Sources, name: &str, page: &Page) -> String {
    let parameters = &info(sources, name).parameters;
    if parameters.is_empty() {
        return if page.japanese { "パラメータはありません。\n" } else { "No parameters.\n" }.to_owned();
    }
    let mut text = String::from(match page.japanese {
        true => "| パラメータ | 既定値 | 意味 |\n| --- | --- | --- |\n",
        false => "| parameter | default | meaning |\n| --- | --- | --- |\n",
    });
    for parameter in parameters {
        let default = match parameter.default.as_deref() {
            None if page.japanese => "必須".to_owned(),
            None => "needed".to_owned(),
            Some("") => "–".to_owned(),
            Some(default) => format!("`{default}`"),
        };
        let summary = match page.japanese {
            true => sources.translations.get(parameter.summary).unwrap_or_else(|| {
                panic!("docs/ja/parameters.txt lacks the Japanese of `{}` ({name})", parameter.summary)
            }),
            false => parameter.summary,
        };
        writeln!(text, "| `{}` | {default} | {} |", parameter.name, summary.replace('|', "\\|")).unwrap();
    }
    text
}

/// The presets of a kind.
pub(super) fn presets(sources: &Sources, name: &str, page: &Page) -> String {
    let presets: Vec<&AgentInfo> =
        sources.catalogue.agents().iter().filter(|info| info.preset_of == Some(name)).collect();
    if presets.is_empty() {
        return if page.japanese { "ありません。\n" } else { "None.\n" }.to_owned();
    }
    if page.japanese {
        let names: Vec<String> = presets.iter().map(|preset| format!("`{}`", preset.name)).collect();
        let english = format!("{}agents/kinds/{name}.md#presets", page.up);
        return format!("{}。内容は[英語の表]({english})にあります。\n", names.join("、\n"));
    }
    let mut text = String::from("| preset | what it is |\n| --- | --- |\n");
    presets.iter().for_each(|preset| writeln!(text, "| `{}` | {} |", preset.name, preset.summary).unwrap());
    text
}

/// What agents of a kind achieved.
pub(super) fn strength(sources: &Sources, name: &str, page: &Page) -> String {
    if info(sources, name).trust != Trust::Contained {
        let whoever = "As strong as whoever plays.\n";
        return if page.japanese { "指す者の強さによります。\n" } else { whoever }.to_owned();
    }
    let is_one = |label: &str| {
        sources.catalogue.agent(label).is_ok_and(|info| info.name == name || info.preset_of == Some(name))
    };
    sources.strength.of(&is_one, page.japanese)
}

/// A decision of a kind or of its first preset that can play one of the games: address, game, picture.
fn decision(sources: &Sources, kind: &AgentInfo) -> Option<Decided> {
    if kind.trust != Trust::Contained || kind.name == "faulty" {
        return None;
    }
    let presets = sources.catalogue.agents().iter().filter(|info| info.preset_of == Some(kind.name));
    let addresses: Vec<String> =
        std::iter::once(kind.name).chain(presets.map(|info| info.name)).map(str::to_owned).collect();
    for game in PICTURED {
        let opened = sources.catalogue.open(game).unwrap();
        for address in &addresses {
            if opened.check_agent(address).is_err() {
                continue;
            }
            let mut table = opened.new_match(None).unwrap();
            let mut rng = Rng::new(1);
            while table.draw_outcome(&mut rng).is_some() {}
            let seats = table.spec().players.iter().map(|name| Occupant::Person { name: name.clone() }).collect();
            table.fill_seats(seats, Streams::by_step(1)).unwrap();
            let player: Player = table.turn().movers().next().unwrap();
            table.seat(player, address).unwrap();
            let budget = PLAYOUTS.to_string().parse().unwrap();
            let Ok(thought) = table.think(player, &budget, &mut rng) else { continue };
            if thought.candidates.is_empty() {
                continue;
            }
            let picture = table.picture();
            return Some((
                address.clone(),
                game.to_owned(),
                drawn(&picture.body, picture.width, picture.height, &thought),
            ));
        }
    }
    None
}

/// A board with bars for the candidates: visits, and the value beside them.
fn drawn(board: &str, width: f64, height: f64, thought: &DecisionText) -> String {
    let scale = 260.0 / height;
    let (left, total_width) = (width * scale + 30.0, width * scale + 430.0);
    let shown: Vec<_> = thought.candidates.iter().take(CANDIDATES).collect();
    let most = shown.iter().map(|candidate| candidate.visits).max().unwrap_or(0).max(1);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {total_width:.0} 290\" width=\"{total_width:.0}\" \
         height=\"290\" font-family=\"system-ui, sans-serif\" font-size=\"13\">\n<rect width=\"100%\" height=\"100%\" \
         fill=\"#ffffff\"/>\n<svg x=\"10\" y=\"15\" width=\"{:.0}\" height=\"260\" viewBox=\"0 0 {width} \
         {height}\">\n{board}</svg>\n<text x=\"{left:.0}\" y=\"26\" font-weight=\"700\">plays {}</text>\n",
        width * scale,
        escape(&thought.action)
    );
    for (place, candidate) in shown.iter().enumerate() {
        let y = 44 + 29 * place;
        let length = 150.0 * candidate.visits as f64 / most as f64;
        let value = candidate.value.map_or(String::new(), |value| format!(", value {value:.3}"));
        write!(
            svg,
            "<text x=\"{left:.0}\" y=\"{}\">{}</text>\n<rect x=\"{:.0}\" y=\"{y}\" width=\"{length:.1}\" height=\"16\" \
             fill=\"#7fb0d0\"/>\n<text x=\"{:.0}\" y=\"{}\">{} visits{value}</text>\n",
            y + 13,
            escape(&candidate.action),
            left + 70.0,
            left + 78.0 + length,
            y + 13,
            candidate.visits,
        )
        .unwrap();
    }
    svg + "</svg>\n"
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

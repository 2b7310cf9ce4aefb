//! The rules of games for people: the pages in `docs/games` and `docs/ja/games`, inside the program, as HTML.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd, html};
use serde::{Deserialize, Serialize};
use tesuji_bundle::Bundle;
use utoipa::ToSchema;

static PAGES: Bundle = Bundle::new(include_bytes!(concat!(env!("OUT_DIR"), "/games")));
static JAPANESE_PAGES: Bundle = Bundle::new(include_bytes!(concat!(env!("OUT_DIR"), "/games-ja")));
static RULEBOOKS: Bundle = Bundle::new(include_bytes!(concat!(env!("OUT_DIR"), "/rulebooks")));

/// The sections of a page that are for players; the others are about programs.
const FOR_PLAYERS: [&str; 4] = ["Rules", "Features and payoffs", "ルール", "特徴と利得"];

/// The language of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, ToSchema)]
pub(crate) enum Language {
    /// English.
    #[default]
    #[serde(rename = "en")]
    English,
    /// Japanese.
    #[serde(rename = "ja")]
    Japanese,
}

/// The rules of a game as HTML, with the language of the text: Japanese only if it was asked for and there is such a
/// page. `data` is the map or sheet the game is played with. `None` if there is no page at all.
pub(crate) fn html_of(game: &str, data: Option<&str>, wanted: Language) -> Option<(String, Language)> {
    if game == "gdl" {
        let book = RULEBOOKS.text(&format!("{}.md", data?))?;
        return Some((to_html(&book), Language::English));
    }
    let name = format!("{game}.md");
    let japanese = JAPANESE_PAGES.text(&name).filter(|_| wanted == Language::Japanese);
    let (text, language) = match japanese {
        Some(text) => (text, Language::Japanese),
        None => (PAGES.text(&name)?, Language::English),
    };
    Some((to_html(&for_players(&text)), language))
}

/// The introduction and the sections for players.
fn for_players(text: &str) -> String {
    let mut kept = String::new();
    let (mut wanted, mut code) = (true, false);
    for line in text.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            wanted = FOR_PLAYERS.contains(&heading.trim());
        }
        // The picture of the board is beside the panel: its drawing in text is left out.
        if line.starts_with("```") && kept.matches("## ").count() == 0 {
            code = !code;
            continue;
        }
        // Marks of generated parts are for those who write the pages.
        if wanted && !code && !line.starts_with("# ") && !line.starts_with("<!--") {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}

/// Markdown as HTML. Raw HTML is shown as text, and links leave the page only to the web.
pub(crate) fn to_html(text: &str) -> String {
    let parser = Parser::new_ext(text, Options::ENABLE_TABLES);
    let (mut inside_link, mut inside_image) = (false, false);
    let events = parser.filter_map(|event| match event {
        Event::Start(Tag::Image { .. }) => {
            inside_image = true;
            None
        }
        Event::End(TagEnd::Image) => {
            inside_image = false;
            None
        }
        _ if inside_image => None,
        Event::Html(text) | Event::InlineHtml(text) => Some(Event::Text(text)),
        Event::Start(Tag::Link { ref dest_url, .. }) if !dest_url.starts_with("http") => {
            inside_link = true;
            None
        }
        Event::End(TagEnd::Link) if inside_link => {
            inside_link = false;
            None
        }
        event => Some(event),
    });
    let mut out = String::new();
    html::push_html(&mut out, events);
    // What is left of a paragraph that was a picture.
    out.replace("<p></p>\n", "")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn english(game: &str, data: Option<&str>) -> Option<String> {
        html_of(game, data, Language::English).map(|(html, _)| html)
    }

    #[test]
    fn every_game_has_rules_for_players() {
        for info in tesuji_standard::catalogue().games() {
            if info.name == "gdl" {
                continue;
            }
            let rules = english(info.name, None).unwrap_or_else(|| panic!("no rules of {}", info.name));
            assert!(rules.contains("<h2>Rules</h2>"), "{}: {rules}", info.name);
            assert!(
                !rules.contains("Known facts") && !rules.contains("<pre>") && !rules.contains("generated"),
                "{}: {rules}",
                info.name
            );
        }
        // The legend of units and terrain, and the damage table.
        let tubstap = english("tubstap", None).unwrap();
        assert!(tubstap.contains("<table>") && tubstap.contains("mountain") && tubstap.contains("panzer"));
        assert!(english("gdl", Some("breakthrough")).is_some_and(|rules| rules.contains("<p>")));
        assert!(english("gdl", Some("hanoi-4")).is_none() && english("nothing", None).is_none());
    }

    #[test]
    fn every_native_game_has_japanese_rules_and_a_sheet_has_the_english_text() {
        for info in tesuji_standard::catalogue().games().iter().filter(|info| info.name != "gdl") {
            let (rules, language) = html_of(info.name, None, Language::Japanese).unwrap();
            assert_eq!(language, Language::Japanese, "{}", info.name);
            assert!(
                rules.contains("<h2>ルール</h2>") && rules.contains("<h2>特徴と利得</h2>"),
                "{}: {rules}",
                info.name
            );
            assert!(
                !rules.contains("<img") && !rules.contains("</code> の初期局面") && !rules.contains("generated"),
                "{}: {rules}",
                info.name
            );
        }
        let sheet = html_of("gdl", Some("breakthrough"), Language::Japanese).unwrap();
        assert_eq!(sheet.1, Language::English);
    }

    #[test]
    fn both_languages_have_the_same_numbers_in_their_tables() {
        let numbers = |language| {
            let (html, _) = html_of("tubstap", None, language).unwrap();
            let cells = html.split("<td>").skip(1).filter_map(|cell| cell.split("</td>").next());
            let digits = |cell: &str| cell.chars().filter(char::is_ascii_digit).collect::<String>();
            cells.map(digits).collect::<Vec<_>>()
        };
        let english = numbers(Language::English);
        assert!(english.len() > 80, "{english:?}");
        assert_eq!(numbers(Language::Japanese), english);
    }

    #[test]
    fn raw_html_is_text_and_links_inside_the_documents_are_words() {
        let html = to_html("a <b>b</b> [c](other.md) [d](https://example.org) ![e](x.svg)\n\n<script>x</script>\n");
        assert!(!html.contains("<img") && !html.contains(" e"), "{html}");
        assert!(!html.contains("<script>") && !html.contains("<b>"), "{html}");
        assert!(html.contains(" c ") && html.contains("href=\"https://example.org\""), "{html}");
    }
}

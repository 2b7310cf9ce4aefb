//! The rules of games for people: the pages in `docs/games`, inside the program, as HTML.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd, html};
use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "../../docs/games"]
struct Pages;

#[derive(RustEmbed)]
#[folder = "../../data/rulebooks"]
struct Rulebooks;

/// The sections of a page that are for players; the others are about programs.
const FOR_PLAYERS: [&str; 2] = ["Rules", "Features and payoffs"];

/// The rules of a game as HTML; `data` is the map or sheet it is played with. `None` if there is no page.
pub(crate) fn html_of(game: &str, data: Option<&str>) -> Option<String> {
    let page = |text: Vec<u8>| String::from_utf8(text).ok();
    if game == "gdl" {
        let book = data.and_then(|data| Rulebooks::get(&format!("{data}.md")))?;
        return page(book.data.into_owned()).map(|text| to_html(&text));
    }
    let text = page(Pages::get(&format!("{game}.md"))?.data.into_owned())?;
    Some(to_html(&for_players(&text)))
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
        if wanted && !code && !line.starts_with("# ") {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}

/// Markdown as HTML. Raw HTML is shown as text, and links leave the page only to the web.
pub(crate) fn to_html(text: &str) -> String {
    let parser = Parser::new_ext(text, Options::ENABLE_TABLES);
    let mut inside_link = false;
    let events = parser.filter_map(|event| match event {
        Event::Html(text) | Event::InlineHtml(text) => Some(Event::Text(text)),
        Event::Start(Tag::Link { ref dest_url, .. }) if !dest_url.starts_with("http") => {
            inside_link = true;
            None
        }
        Event::End(TagEnd::Link) if inside_link => {
            inside_link = false;
            None
        }
        Event::Start(Tag::Image { .. }) | Event::End(TagEnd::Image) => None,
        event => Some(event),
    });
    let mut out = String::new();
    html::push_html(&mut out, events);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_has_rules_for_players() {
        for info in tesuji_standard::catalogue().games() {
            if info.name == "gdl" {
                continue;
            }
            let rules = html_of(info.name, None).unwrap_or_else(|| panic!("no rules of {}", info.name));
            assert!(rules.contains("<h2>Rules</h2>"), "{}: {rules}", info.name);
            assert!(!rules.contains("Known facts") && !rules.contains("<pre>"), "{}: {rules}", info.name);
        }
        // The legend of units and terrain, and the damage table.
        let tubstap = html_of("tubstap", None).unwrap();
        assert!(tubstap.contains("<table>") && tubstap.contains("mountain") && tubstap.contains("panzer"));
        assert!(html_of("gdl", Some("breakthrough")).is_some_and(|rules| rules.contains("<p>")));
        assert!(html_of("gdl", Some("hanoi-4")).is_none() && html_of("nothing", None).is_none());
    }

    #[test]
    fn raw_html_is_text_and_links_inside_the_documents_are_words() {
        let html = to_html("a <b>b</b> [c](other.md) [d](https://example.org)\n\n<script>x</script>\n");
        assert!(!html.contains("<script>") && !html.contains("<b>"), "{html}");
        assert!(html.contains(" c ") && html.contains("href=\"https://example.org\""), "{html}");
    }
}

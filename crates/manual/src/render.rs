//! Markdown to web pages.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use pulldown_cmark::{CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};

use crate::book::Book;
use crate::sources;

/// The page of a chapter.
pub(crate) fn page(book: &Book, source: &str) -> Option<String> {
    let text = sources::text(source)?;
    let chapter = book.chapters().find(|chapter| chapter.path == source)?;
    Some(layout(book, source, &chapter.title, &body(&text), ""))
}

/// The Markdown of a page as HTML: headings have anchors, and links to Markdown lead to pages.
pub(crate) fn body(text: &str) -> String {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_FOOTNOTES;
    let mut events: Vec<Event<'_>> = Parser::new_ext(text, options).collect();
    let mut anchors = Anchors::default();
    for start in 0..events.len() {
        if let Event::Start(Tag::Heading { .. }) = &events[start] {
            let words: String =
                events[start..].iter().take_while(|event| !is_heading_end(event)).map(words_of).collect();
            if let Event::Start(Tag::Heading { id, .. }) = &mut events[start] {
                *id = Some(CowStr::from(anchors.next(&words)));
            }
        }
        if let Event::Start(Tag::Link { dest_url, .. }) = &mut events[start] {
            *dest_url = CowStr::from(page_address(dest_url));
        }
    }
    let mut html = String::with_capacity(2 * text.len());
    html::push_html(&mut html, events.into_iter());
    html
}

fn is_heading_end(event: &Event<'_>) -> bool {
    matches!(
        event,
        Event::End(TagEnd::Heading(
            HeadingLevel::H1
                | HeadingLevel::H2
                | HeadingLevel::H3
                | HeadingLevel::H4
                | HeadingLevel::H5
                | HeadingLevel::H6
        ))
    )
}

fn words_of<'a>(event: &'a Event<'_>) -> &'a str {
    match event {
        Event::Text(text) | Event::Code(text) => text,
        Event::SoftBreak => " ",
        _ => "",
    }
}

/// The address of the page of a Markdown file; other addresses stay.
fn page_address(address: &str) -> String {
    let (path, anchor) = address.split_once('#').map_or((address, ""), |(path, anchor)| (path, anchor));
    if address.contains("://") || !path.ends_with(".md") {
        return address.to_owned();
    }
    let stem = path.strip_suffix("README.md").map(|folder| format!("{folder}index"));
    let stem = stem.unwrap_or_else(|| path.trim_end_matches(".md").to_owned());
    let anchor = if anchor.is_empty() { String::new() } else { format!("#{anchor}") };
    format!("{stem}.html{anchor}")
}

/// Gives headings their anchors, as mdBook does: small letters, hyphens for spaces, numbers for repetitions.
#[derive(Default)]
struct Anchors {
    used: BTreeMap<String, u32>,
}

impl Anchors {
    fn next(&mut self, heading: &str) -> String {
        let plain = |c: char| match c {
            c if c.is_alphanumeric() || c == '_' || c == '-' => Some(c.to_lowercase().next().unwrap_or(c)),
            c if c.is_whitespace() => Some('-'),
            _ => None,
        };
        let anchor: String = heading.trim().chars().filter_map(plain).collect();
        let times = self.used.entry(anchor.clone()).or_default();
        *times += 1;
        if *times == 1 { anchor } else { format!("{anchor}-{}", *times - 1) }
    }
}

/// A whole page around a body. `source` is the Markdown of the chapter; nothing for pages that are none.
pub(crate) fn layout(book: &Book, source: &str, title: &str, body: &str, query: &str) -> String {
    let words = book.words();
    let root = "../".repeat(source.matches('/').count());
    let mut contents = String::new();
    for part in &book.parts {
        if !part.title.is_empty() {
            push(&mut contents, format_args!("<h2>{}</h2>", escape(&part.title)));
        }
        contents.push_str("<ul>\n");
        for chapter in &part.chapters {
            let current = if chapter.path == source { " aria-current=\"page\"" } else { "" };
            push(
                &mut contents,
                format_args!(
                    "<li class=\"depth-{}\"><a href=\"{root}{}\"{current}>{}</a></li>",
                    chapter.depth.min(3),
                    page_address(&chapter.path),
                    escape(&chapter.title)
                ),
            );
        }
        contents.push_str("</ul>\n");
    }
    let (language, search, lab) = (words.language, &words.search, words.lab);
    let other = match book.folder {
        "ja/" => "",
        _ => "ja/",
    };
    format!(
        "<!doctype html>\n<html lang=\"{language}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{} – Tesuji 手筋</title>\n\
         <link rel=\"stylesheet\" href=\"{root}style.css\">\n</head>\n<body>\n<header>\n\
         <a class=\"name\" href=\"{root}{}index.html\">Tesuji 手筋</a>\n\
         <form action=\"/help/{}search\" role=\"search\"><input type=\"search\" name=\"q\" value=\"{}\" \
         placeholder=\"{search}\" aria-label=\"{search}\"></form>\n\
         <a href=\"{root}{other}index.html\">{}</a>\n<a href=\"/\">{lab}</a>\n</header>\n\
         <div class=\"columns\">\n<nav>\n{contents}</nav>\n<main>\n{body}</main>\n</div>\n</body>\n</html>\n",
        escape(title),
        book.folder,
        book.folder,
        escape(query),
        words.other_language,
    )
}

fn push(text: &mut String, line: std::fmt::Arguments<'_>) {
    let written = writeln!(text, "{line}");
    debug_assert!(written.is_ok(), "writing to a string cannot fail");
}

/// Escapes a text for HTML.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

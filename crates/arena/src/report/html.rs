//! A report as one web page.
//!
//! The page is also well-formed XML; the tests parse it as such.

use std::fmt::Write as _;

use tesuji_core::drawing;

use super::document::{Block, Cell, Chapter, Document, Table, UNKNOWN, one_line, verdict};
use crate::statistics::Verdict;

/// The style sheet: light and dark mode, large and small screens.
const STYLE: &str = include_str!("style.css");

/// The document as a page.
pub(super) fn render(document: &Document) -> String {
    let title = match &document.chapters[..] {
        [chapter] => &chapter.title,
        _ => &document.title,
    };
    let title = escape(title);
    let mut body = format!("<h1>{title}</h1>\n");
    if let [chapter] = &document.chapters[..] {
        push_blocks(&mut body, chapter, 1);
    } else {
        let entry = |(index, chapter): (usize, &Chapter)| {
            format!("<li><a href=\"#e{}\">{}</a></li>\n", index + 1, escape(&chapter.title))
        };
        if !document.chapters.is_empty() {
            let entries: String = document.chapters.iter().enumerate().map(entry).collect();
            body.push_str(&format!("<nav><ol>\n{entries}</ol></nav>\n"));
        }
        for (index, chapter) in document.chapters.iter().enumerate() {
            body.push_str(&format!("<section>\n<h2 id=\"e{}\">{}</h2>\n", index + 1, escape(&chapter.title)));
            push_blocks(&mut body, chapter, 2);
            body.push_str("</section>\n");
        }
    }
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <meta name=\"color-scheme\" content=\"light dark\"/>\n<title>{title}</title>\n<style>\n{STYLE}</style>\n\
         </head>\n\
         <body>\n<main>\n{body}</main>\n</body>\n</html>\n"
    )
}

/// Consecutive plots share a grid.
fn push_blocks(page: &mut String, chapter: &Chapter, depth: usize) {
    for run in chapter.blocks.chunk_by(|one, two| matches!((one, two), (Block::Plot(_), Block::Plot(_)))) {
        let plots = matches!(run, [Block::Plot(_), ..]);
        if plots {
            page.push_str("<div class=\"plots\">\n");
        }
        run.iter().for_each(|block| push_block(page, block, depth));
        if plots {
            page.push_str("</div>\n");
        }
    }
}

fn push_block(page: &mut String, block: &Block, depth: usize) {
    let heading = |depth: usize, title: &str| format!("<h{depth}>{}</h{depth}>\n", escape(title));
    let text = match block {
        Block::Section(title) => heading(depth + 1, title),
        Block::Part(title) => heading(depth + 2, title),
        Block::Paragraph(text) => format!("<p>{}</p>\n", escape(text)),
        Block::List(items) => {
            let items: String = items.iter().map(|item| format!("<li>{}</li>\n", escape(item))).collect();
            format!("<ul>\n{items}</ul>\n")
        }
        Block::Facts(facts) => {
            let fact = |(name, fact): &(&str, String)| {
                format!("<div><dt>{}</dt><dd>{}</dd></div>\n", escape(name), escape(fact))
            };
            format!("<dl>\n{}</dl>\n", facts.iter().map(fact).collect::<String>())
        }
        Block::Table(shown) => table(shown),
        Block::Plot(plot) => {
            format!("<figure>\n<figcaption>{}</figcaption>\n{}</figure>\n", escape(plot.caption()), plot.svg())
        }
    };
    page.push_str(&text);
}

fn table(table: &Table) -> String {
    let side =
        |column: usize| if table.columns.get(column).is_some_and(|column| column.right) { " class=\"r\"" } else { "" };
    let mut text = format!(
        "<div class=\"box\" role=\"region\" tabindex=\"0\" aria-label=\"{}\">\n<table>\n<thead><tr>",
        escape(&table.name)
    );
    for (index, column) in table.columns.iter().enumerate() {
        let _ = write!(text, "<th scope=\"col\"{}>{}</th>", side(index), escape(&column.title));
    }
    text.push_str("</tr></thead>\n<tbody>\n");
    for row in &table.rows {
        text.push_str("<tr>");
        for (index, shown) in row.iter().enumerate() {
            let _ = write!(text, "<td{}>{}</td>", side(index), cell(shown));
        }
        text.push_str("</tr>\n");
    }
    text.push_str("</tbody>\n</table>\n</div>\n");
    text
}

fn cell(cell: &Cell) -> String {
    match cell {
        Cell::Text(text) => escape(text),
        Cell::Code(text) => format!("<code>{}</code>", escape(text)),
        Cell::Verdict(given) => {
            let class = match given {
                Verdict::Agrees => "agrees",
                Verdict::Differs => "differs",
                Verdict::NotEnoughMatches => "open",
            };
            format!("<span class=\"verdict {class}\">{}</span>", verdict(*given))
        }
        Cell::Unknown => format!("<span class=\"unknown\">{UNKNOWN}</span>"),
    }
}

fn escape(text: &str) -> String {
    drawing::escape(&one_line(text))
}

//! A report as Markdown, in GitHub's dialect (tables).

use super::document::{Block, Cell, Document, Table, UNKNOWN, one_line, verdict};

/// The document as Markdown. With an introduction, which has a title of its own, the chapters follow it.
pub(super) fn render(document: &Document, introduction: Option<&str>) -> String {
    let mut blocks = Vec::new();
    let depth = match (introduction, document.chapters.len()) {
        (Some(text), _) => {
            blocks.push(text.trim().to_owned());
            2
        }
        (None, 1) => 1,
        (None, _) => {
            blocks.push(heading(1, &document.title));
            2
        }
    };
    for chapter in &document.chapters {
        blocks.push(heading(depth, &chapter.title));
        blocks.extend(chapter.blocks.iter().filter_map(|piece| block(piece, depth)));
    }
    let mut text = blocks.join("\n\n");
    text.push('\n');
    text
}

fn heading(depth: usize, title: &str) -> String {
    format!("{} {}", "#".repeat(depth), escape(title))
}

fn block(block: &Block, depth: usize) -> Option<String> {
    Some(match block {
        Block::Section(title) => heading(depth + 1, title),
        Block::Part(title) => heading(depth + 2, title),
        Block::Paragraph(text) => paragraph(text),
        Block::List(items) => items.iter().map(|item| format!("- {}", paragraph(item))).collect::<Vec<_>>().join("\n"),
        Block::Facts(facts) => {
            let lines = facts.iter().map(|(name, fact)| format!("- **{}:** {}", escape(name), escape(fact)));
            lines.collect::<Vec<_>>().join("\n")
        }
        Block::Table(shown) => table(shown),
        Block::Plot(_) => return None,
    })
}

fn table(table: &Table) -> String {
    let line = |cells: Vec<String>| format!("| {} |", cells.join(" | "));
    let titles = line(table.columns.iter().map(|column| escape(&column.title)).collect());
    let rule = line(table.columns.iter().map(|column| if column.right { "---:" } else { "---" }.to_owned()).collect());
    let rows = table.rows.iter().map(|row| line(row.iter().map(cell).collect()));
    [titles, rule].into_iter().chain(rows).collect::<Vec<_>>().join("\n")
}

fn cell(cell: &Cell) -> String {
    match cell {
        Cell::Text(text) => escape(text),
        Cell::Code(text) => code(text),
        Cell::Verdict(given) => verdict(*given).to_owned(),
        Cell::Unknown => UNKNOWN.to_owned(),
    }
}

/// A code span for a table cell, fenced by more backticks than the text has in a row. A pipe would end the cell even
/// here.
fn code(text: &str) -> String {
    let text = one_line(text).replace('|', "\\|");
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let pad = if text.is_empty() || text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// Text at the start of a line, where a dash or a number would begin a list.
fn paragraph(text: &str) -> String {
    let text = escape(text);
    let digits = text.chars().take_while(char::is_ascii_digit).count();
    match text[digits..].chars().next() {
        Some('.' | ')') if digits > 0 => format!("{}\\{}", &text[..digits], &text[digits..]),
        Some('-' | '+' | '=' | '>') if digits == 0 => format!("\\{text}"),
        _ => text,
    }
}

/// Escapes text for Markdown and the HTML within it.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in one_line(text).chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '#' | '|' | '~' => escaped.extend(['\\', c]),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_stays_text() {
        assert_eq!(escape("<b>a|b</b>\n*_x_* & [y](z)"), "&lt;b>a\\|b&lt;/b> \\*\\_x\\_\\* &amp; \\[y\\](z)");
        assert_eq!(paragraph("1. one"), "1\\. one");
        assert_eq!(paragraph("12) one"), "12\\) one");
        assert_eq!(paragraph("- one"), "\\- one");
        assert_eq!(paragraph("1 one-two"), "1 one-two");
        assert_eq!(paragraph(""), "");
        assert_eq!(code("uct(c=0.5)"), "`uct(c=0.5)`");
        assert_eq!(code("a|`b``c"), "```a\\|`b``c```");
        assert_eq!(code("`"), "`` ` ``");
    }
}

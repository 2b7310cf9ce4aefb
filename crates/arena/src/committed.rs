//! The results that come with the program: the pages in `experiments/results`, read back table by table.
//!
//! The pages are written by [`markdown_page`](crate::markdown_page); this is its other end. Only what a reader of a
//! table needs is read: who met whom, how often, with which result and interval, and the published number beside it.

mod plots;

use serde::Serialize;

use crate::library::{committed_pages, library};

/// The committed results of one experiment.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct CommittedTable {
    /// The experiment of the library.
    pub id: String,
    /// The page it stands on, such as `002.md`.
    pub page: String,
    /// The heading on the page.
    pub title: String,
    /// What the page says of the experiment before its figures.
    pub about: String,
    /// The section as Markdown.
    pub markdown: String,
    /// The pairings.
    pub rows: Vec<CommittedRow>,
}

/// One pairing in one game.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct CommittedRow {
    /// The game's label; empty if there is only one.
    pub game: String,
    /// The first agent's label.
    pub first: String,
    /// The second agent's label.
    pub second: String,
    /// Matches played.
    pub matches: u64,
    /// The first agent's win rate.
    pub win_rate: f64,
    /// The 95 % interval over pairs.
    pub interval: Option<(f64, f64)>,
    /// The published win rate.
    pub published: Option<f64>,
    /// The published number of matches.
    pub published_matches: Option<u64>,
    /// `agrees`, `differs`, `not enough games` or `not determinable`.
    pub verdict: String,
    /// A remark on the published number.
    pub note: String,
}

/// The committed results of an experiment, from every page that has some.
pub fn committed_table(id: &str) -> Option<CommittedTable> {
    committed_tables().into_iter().find(|table| table.id == id)
}

/// All committed results, in the order of the pages.
pub fn committed_tables() -> Vec<CommittedTable> {
    let titles: Vec<(String, String)> = library()
        .into_iter()
        .filter_map(|entry| {
            let file: toml::Table = entry.source().ok()?.text().parse().ok()?;
            Some((file.get("title")?.as_str()?.to_owned(), entry.id))
        })
        .collect();
    let mut tables = Vec::new();
    for (page, text) in committed_pages() {
        for section in sections(&deepened(&text, &titles)) {
            let title = section.lines().next().unwrap_or_default().trim_start_matches("## ").trim().to_owned();
            let named = section.lines().find_map(|line| line.strip_prefix("- **Reproduces:** "));
            let titled = || titles.iter().find(|(known, _)| *known == title).map(|(_, id)| id.as_str());
            // Two experiments can reproduce one table: the title tells them apart.
            let Some(id) = titled().or(named.map(str::trim)) else { continue };
            let rows = rows(&section);
            let about: Vec<&str> = section
                .lines()
                .skip(1)
                .take_while(|line| !line.starts_with("- **") && !line.starts_with('#'))
                .filter(|line| !line.trim().is_empty())
                .collect();
            tables.push(CommittedTable {
                id: id.to_owned(),
                page: page.clone(),
                title,
                about: about.join(" "),
                rows,
                markdown: section,
            });
        }
    }
    tables
}

/// A page on one experiment has that experiment's title; its headings become those of a page on several.
fn deepened(text: &str, titles: &[(String, String)]) -> String {
    let title = text.lines().next().and_then(|line| line.strip_prefix("# "));
    if !titles.iter().any(|(known, _)| Some(known.as_str()) == title) {
        return text.to_owned();
    }
    let deeper = |line: &str| if line.starts_with('#') { format!("#{line}\n") } else { format!("{line}\n") };
    text.lines().map(deeper).collect()
}

/// The sections of a page, each with its heading.
fn sections(text: &str) -> Vec<String> {
    let mut sections: Vec<String> = Vec::new();
    for line in text.lines() {
        if line.starts_with("## ") {
            sections.push(String::new());
        }
        if let Some(section) = sections.last_mut() {
            section.push_str(line);
            section.push('\n');
        }
    }
    sections
}

/// A table of Markdown: its columns' names, and its rows.
struct Table<'a> {
    names: Vec<&'a str>,
    rows: Vec<Vec<&'a str>>,
}

impl<'a> Table<'a> {
    /// Reads the first table from a line on.
    fn read(lines: &[&'a str]) -> Option<Table<'a>> {
        let mut lines = lines.iter().skip_while(|line| !line.starts_with('|')).take_while(|line| line.starts_with('|'));
        let names = cells(lines.next()?);
        Some(Table { names, rows: lines.skip(1).map(|line| cells(line)).collect() })
    }

    fn get(&self, row: &[&'a str], name: &str) -> Option<&'a str> {
        let column = self.names.iter().position(|known| *known == name)?;
        row.get(column).copied()
    }
}

fn cells(line: &str) -> Vec<&str> {
    line.trim().trim_matches('|').split(" | ").map(str::trim).collect()
}

fn rows(section: &str) -> Vec<CommittedRow> {
    let lines: Vec<&str> = section.lines().collect();
    let mut rows: Vec<CommittedRow> = Vec::new();
    let mut game = String::new();
    for (index, line) in lines.iter().enumerate() {
        // The table of a heading ends before the next heading.
        let end = lines[index + 1..].iter().position(|line| line.starts_with('#'));
        let below = &lines[index + 1..end.map_or(lines.len(), |end| index + 1 + end)];
        if let Some(name) = line.strip_prefix("### Results") {
            game = name.trim_start_matches(" in ").trim().to_owned();
            let Some(table) = Table::read(below) else { continue };
            rows.extend(table.rows.iter().filter_map(|row| result(&table, row, &game)));
        } else if line.starts_with("#### Beside the published") {
            let Some(table) = Table::read(below) else { continue };
            for row in &table.rows {
                let (Some(first), Some(second)) = (table.get(row, "First"), table.get(row, "Second")) else { continue };
                let same =
                    |known: &&mut CommittedRow| known.game == game && known.first == first && known.second == second;
                let Some(known) = rows.iter_mut().find(same) else { continue };
                known.published = table.get(row, "Published").and_then(percent);
                known.published_matches = table.get(row, "Published games").and_then(count);
                known.verdict = table.get(row, "Verdict").unwrap_or_default().to_owned();
                known.note = table.get(row, "Note").filter(|note| *note != "–").unwrap_or_default().to_owned();
            }
        }
    }
    rows
}

fn result(table: &Table<'_>, row: &[&str], game: &str) -> Option<CommittedRow> {
    let interval = table.names.iter().position(|name| name.starts_with("95 %") && name.contains("pairs"));
    let interval = interval.or_else(|| table.names.iter().position(|name| name.starts_with("95 %")));
    Some(CommittedRow {
        game: game.to_owned(),
        first: cell(table, row, "First")?,
        second: cell(table, row, "Second")?,
        matches: count(&cell(table, row, "Games")?)?,
        win_rate: percent(&cell(table, row, "Win rate")?)?,
        interval: interval.and_then(|column| row.get(column)).and_then(|text| range(text)),
        ..CommittedRow::default()
    })
}

fn cell(table: &Table<'_>, row: &[&str], name: &str) -> Option<String> {
    let column = table.names.iter().position(|known| *known == name)?;
    row.get(column).map(|text| (*text).to_owned())
}

/// `72.8 %` as a share.
fn percent(text: &str) -> Option<f64> {
    format!("{}e-2", text.trim().trim_end_matches('%').trim()).parse().ok()
}

/// `57.6–84.0 %` as two shares.
fn range(text: &str) -> Option<(f64, f64)> {
    let (low, high) = text.split_once('–')?;
    Some((percent(low)?, percent(high)?))
}

/// `1,200` as a number.
fn count(text: &str) -> Option<u64> {
    text.replace(',', "").trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_paper_has_committed_results_with_intervals() {
        let tables = committed_tables();
        for paper in ["000/", "001/", "002/", "003/", "004/"] {
            let own: Vec<_> = tables.iter().filter(|table| table.id.starts_with(paper)).collect();
            assert!(!own.is_empty(), "{paper}");
            assert!(own.iter().flat_map(|table| &table.rows).all(|row| row.matches > 0 && row.win_rate <= 1.0));
            assert!(own.iter().flat_map(|table| &table.rows).any(|row| row.interval.is_some()), "{paper}");
        }
        let types = committed_table("003/types").unwrap();
        let row = &types.rows[0];
        assert_eq!((row.first.as_str(), row.second.as_str(), row.matches), ("typeB", "typeA", 2_000));
        assert_eq!((row.win_rate, row.published, row.interval), (0.459, Some(0.4), Some((0.444, 0.474))));
        assert_eq!(row.verdict, "not determinable");
        assert!(types.about.starts_with("typeB and type(A+B) lost"), "{}", types.about);
        // A section that reproduces no table of a paper is found by its title.
        assert!(committed_table("004/ladder").is_some_and(|table| table.rows.len() > 20));
        // Several games: the published number of one is not given to another.
        let table1 = committed_table("001/table1").unwrap();
        let games: Vec<&str> = table1.rows.iter().map(|row| row.game.as_str()).collect();
        assert_eq!(games, ["Tic-Tac-Toe", "ConnectFour", "ConnectFive"]);
        assert_eq!(table1.rows[0].published, Some(0.71));
    }
}

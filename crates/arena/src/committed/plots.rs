//! The plots of committed results, drawn from the tables of their pages: the stores of the runs are not published.
//!
//! A plot shows nothing that no table has, so each of these can be drawn again: ratings, cross tables, the depth of
//! the first decisions, and root exploitability by playouts.

use super::{CommittedTable, Table, count, percent};
use crate::report::{Line, PlotPicture, RatedLabel, exploitability_lines, heat_map, ladder, lines_by_move};

impl CommittedTable {
    /// The plots of the experiment's report that its page determines, in the order of the page.
    pub fn plots(&self) -> Vec<PlotPicture> {
        let lines: Vec<&str> = self.markdown.lines().collect();
        let mut section = "";
        let mut plots = Vec::new();
        for (index, line) in lines.iter().enumerate() {
            if let Some(title) = line.strip_prefix("### ") {
                section = title.trim_start_matches("Results in ").trim();
            }
            let Some(part) = line.strip_prefix("#### ") else { continue };
            let end = lines[index + 1..].iter().position(|line| line.starts_with('#'));
            let below = &lines[index + 1..end.map_or(lines.len(), |end| index + 1 + end)];
            let tables = tables(below);
            let found = match part {
                "Ratings" => tables.first().and_then(|table| ladder(section, &ratings(table))),
                "Cross table" => tables.first().and_then(|table| cross_table(section, table)),
                "Thinking" => tables.get(1).and_then(|table| depths(section, table)),
                "Root exploitability" => tables.first().and_then(|table| exploitability(section, table)),
                _ => None,
            };
            plots.extend(found);
        }
        plots
    }
}

/// All tables of some lines.
fn tables<'a>(lines: &[&'a str]) -> Vec<Table<'a>> {
    let mut tables = Vec::new();
    let mut rest = lines;
    while let Some(start) = rest.iter().position(|line| line.starts_with('|')) {
        tables.extend(Table::read(&rest[start..]));
        let length = rest[start..].iter().position(|line| !line.starts_with('|')).unwrap_or(rest.len() - start);
        rest = &rest[start + length..];
    }
    tables
}

/// `+1,147` or `−22` as a number.
fn signed(text: &str) -> Option<f64> {
    text.trim().replace('−', "-").replace(',', "").trim_start_matches('+').parse().ok()
}

fn ratings(table: &Table<'_>) -> Vec<RatedLabel> {
    let rated = table.rows.iter().filter_map(|row| {
        let interval = table.get(row, "95 %").and_then(|text| text.split_once(" to "));
        let interval = interval.and_then(|(low, high)| Some((signed(low)?, signed(high)?)));
        Some((table.get(row, "Agent")?.to_owned(), signed(table.get(row, "Elo")?)?, interval))
    });
    rated.collect()
}

fn cross_table(section: &str, table: &Table<'_>) -> Option<PlotPicture> {
    let labels: Vec<&str> = table.rows.iter().filter_map(|row| row.first().copied()).collect();
    let rates = table.rows.iter().map(|row| row.iter().skip(1).map(|cell| percent(cell)).collect()).collect();
    (table.names.len() == labels.len() + 1).then(|| heat_map(section, &labels, rates))
}

fn depths(section: &str, table: &Table<'_>) -> Option<PlotPicture> {
    let line = |row: &Vec<&str>| {
        let depths = row.iter().skip(1).map_while(|cell| signed(cell));
        row.first().map(|label| Line::by_move(label, depths))
    };
    lines_by_move(section, "Depth of the search tree at the first decisions", "steps", {
        table.rows.iter().filter_map(line).collect()
    })
}

fn exploitability(section: &str, table: &Table<'_>) -> Option<PlotPicture> {
    let playouts: Vec<u64> = table.names.iter().skip(3).filter_map(|name| count(name)).collect();
    let mut agents: Vec<(&str, Vec<Vec<f64>>)> = Vec::new();
    for row in &table.rows {
        let gaps = row.iter().skip(3).map(|cell| cell.split(" ± ").next().and_then(signed));
        let Some(gaps) = gaps.collect::<Option<Vec<f64>>>() else { continue };
        let label = row.first().copied().unwrap_or_default();
        match agents.iter_mut().find(|(known, _)| *known == label) {
            Some((_, rows)) => rows.push(gaps),
            None => agents.push((label, vec![gaps])),
        }
    }
    // The mean over the players, as in the report.
    let line = |(label, rows): (&str, Vec<Vec<f64>>)| {
        let mean = |place: usize| rows.iter().map(|gaps| gaps[place]).sum::<f64>() / rows.len() as f64;
        let points = playouts.iter().enumerate().map(|(place, &playouts)| ((playouts as f64).log10(), mean(place)));
        Line { label: label.to_owned(), points: points.collect() }
    };
    exploitability_lines(section, agents.into_iter().map(line).collect())
}

#[cfg(test)]
mod tests {
    use crate::{committed_table, committed_tables};

    #[test]
    fn the_plots_of_a_report_are_drawn_from_its_page() {
        let captions = |id: &str| -> Vec<String> {
            committed_table(id).unwrap().plots().into_iter().map(|plot| plot.caption).collect()
        };
        let gap = captions("004/gap");
        assert_eq!(gap.len(), 2, "{gap:?}");
        assert!(gap[0].starts_with("6×6: root exploitability"), "{gap:?}");
        let ladder = committed_table("004/ladder").unwrap().plots();
        let rated = ladder.iter().find(|plot| plot.caption.contains("Ratings")).unwrap();
        assert!(rated.svg.starts_with("<svg") && rated.svg.contains("joint-best"), "{}", rated.svg);
        assert!(captions("levels/boards").iter().any(|caption| caption.contains("Depth of the search tree")));
    }

    #[test]
    fn every_paper_has_plots() {
        let tables = committed_tables();
        for paper in ["000/", "001/", "002/", "003/", "004/"] {
            let plots = tables.iter().filter(|table| table.id.starts_with(paper)).flat_map(|table| table.plots());
            assert!(plots.count() > 0, "{paper}");
        }
    }
}

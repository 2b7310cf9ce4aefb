//! Plots of the published numbers beside ours, from the pages of results.

mod measured;

use std::fmt::Write as _;
use std::fs;

use super::generated::{Page, Sources};
use super::root;

/// One comparison, in percent.
struct Comparison {
    label: String,
    published: f64,
    ours: f64,
    /// The interval of the difference, in points.
    interval: Option<(f64, f64)>,
}

/// The plots of a page: its comparisons with published numbers; without any, its other tables of results.
pub(super) fn of(sources: &mut Sources, page: &str, at: &Page) -> String {
    let text = fs::read_to_string(root().join(format!("experiments/results/{page}.md"))).unwrap();
    let mut plots: Vec<(String, &str, &str, String)> = tables(&text)
        .into_iter()
        .map(|(title, rows)| (title, "Published and own win rates", "公表値と再現値の勝率", draw(&rows)))
        .collect();
    if plots.is_empty() {
        plots = measured::plots(&text);
    }
    let mut out = String::new();
    for (place, (title, english, japanese, svg)) in plots.into_iter().enumerate() {
        let file = format!("results/{page}-{}.svg", place + 1);
        sources.pictures.insert(file.clone(), svg);
        let what = if at.japanese { japanese } else { english };
        writeln!(out, "![{what}: {title}]({}pictures/{file})\n", at.up).unwrap();
        writeln!(out, "*{title}*\n").unwrap();
    }
    assert!(!out.is_empty(), "{page} has no table that can be drawn");
    out
}

/// The tables of comparisons with the headings above them.
fn tables(text: &str) -> Vec<(String, Vec<Comparison>)> {
    let mut tables: Vec<(String, Vec<Comparison>)> = Vec::new();
    let (mut chapter, mut section, mut inside) = (String::new(), String::new(), false);
    for line in text.lines() {
        if let Some(title) = line.strip_prefix("## ") {
            (chapter, section) = (title.to_owned(), String::new());
        } else if let Some(title) = line.strip_prefix("### Results in ") {
            section = format!(", {title}");
        }
        if !line.starts_with('|') {
            inside = false;
            continue;
        }
        if line.starts_with("| First | Second | Published ") {
            inside = true;
            tables.push((format!("{chapter}{section}"), Vec::new()));
        } else if inside && !line.starts_with("| ---") {
            let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
            let number = |text: &str| text.replace('−', "-").trim_end_matches(" %").trim().parse::<f64>().ok();
            let (Some(published), Some(ours)) = (number(cells[2]), number(cells[4])) else { continue };
            let interval = cells[7].split_once(" to ").and_then(|(low, high)| {
                let plain = |text: &str| number(&text.replace('+', ""));
                Some((plain(low)?, plain(high)?))
            });
            let label = format!("{} – {}", cells[0], cells[1]);
            if let Some((_, rows)) = tables.last_mut() {
                rows.push(Comparison { label, published, ours, interval });
            }
        }
    }
    tables.retain(|(_, rows)| !rows.is_empty());
    tables
}

/// Diamonds are published, dots ours; the bar is the interval of the difference, placed at the published number.
fn draw(rows: &[Comparison]) -> String {
    let height = 60 + 26 * rows.len();
    let x = |percent: f64| 330.0 + percent.clamp(0.0, 100.0) * 3.9;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 740 {height}\" width=\"740\" height=\"{height}\" \
         font-family=\"system-ui, sans-serif\" font-size=\"12\" fill=\"#24303a\">\n<rect width=\"740\" \
         height=\"{height}\" fill=\"#ffffff\"/>\n"
    );
    for tick in [0.0, 25.0, 50.0, 75.0, 100.0] {
        writeln!(
            svg,
            "<line x1=\"{0}\" y1=\"10\" x2=\"{0}\" y2=\"{1}\" stroke=\"#ddd\"/>\n<text x=\"{0}\" y=\"{2}\" \
             text-anchor=\"middle\">{tick} %</text>",
            x(tick),
            height - 40,
            height - 24
        )
        .unwrap();
    }
    for (place, row) in rows.iter().enumerate() {
        let y = 26 + 26 * place;
        let label: String = row.label.chars().take(52).collect();
        let label = label.replace('&', "&amp;").replace('<', "&lt;").replace('\\', "");
        writeln!(svg, "<text x=\"318\" y=\"{}\" text-anchor=\"end\">{label}</text>", y + 4).unwrap();
        if let Some((low, high)) = row.interval {
            let (left, right) = (x(row.published + low), x(row.published + high));
            writeln!(
                svg,
                "<line x1=\"{left:.1}\" y1=\"{y}\" x2=\"{right:.1}\" y2=\"{y}\" stroke=\"#2a6f97\" stroke-width=\"3\"/>"
            )
            .unwrap();
        }
        let (ours, published) = (x(row.ours), x(row.published));
        writeln!(
            svg,
            "<circle cx=\"{ours:.1}\" cy=\"{y}\" r=\"5\" fill=\"#2a6f97\"/>\n<path d=\"M{published:.1} {} l6 6 -6 6 -6 \
             -6z\" fill=\"none\" stroke=\"#b5482f\" stroke-width=\"2\"/>",
            y - 6
        )
        .unwrap();
    }
    writeln!(
        svg,
        "<text x=\"330\" y=\"{}\">diamond: published; dot: ours; bar: 95 % of the difference</text>\n</svg>",
        height - 6
    )
    .unwrap();
    svg
}

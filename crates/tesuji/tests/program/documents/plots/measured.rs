//! Plots of our own measurements: win rates of pairings, exploitability by playouts, visits of joint actions.

use std::fmt::Write as _;

/// Title, what it shows in English and in Japanese, and the picture.
type Plot = (String, &'static str, &'static str, String);

/// A table with the headings above it.
struct Table {
    title: String,
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

/// The plots of all tables of a page that have one of the known forms.
pub(super) fn plots(text: &str) -> Vec<Plot> {
    let known = [rates, gaps, whole_games, visits];
    tables(text).iter().filter_map(|table| known.iter().find_map(|plot| plot(table))).collect()
}

fn tables(text: &str) -> Vec<Table> {
    let mut found: Vec<Table> = Vec::new();
    let (mut chapter, mut section, mut label, mut inside) = (String::new(), String::new(), String::new(), false);
    for line in text.lines() {
        if let Some(title) = line.strip_prefix("## ") {
            (chapter, section, label) = (title.to_owned(), String::new(), String::new());
        } else if let Some(title) = line.strip_prefix("### ") {
            (section, label) = (format!(", {title}"), String::new());
        } else if line.ends_with(':') && line.len() < 100 {
            label = format!(", {}", line.trim_end_matches(':').replace('`', ""));
        }
        if !line.starts_with('|') {
            inside = false;
            continue;
        }
        let cells = line.trim().strip_prefix('|').and_then(|line| line.strip_suffix('|')).unwrap_or(line);
        let cells: Vec<String> = cells.split('|').map(|cell| cell.trim().to_owned()).collect();
        if !inside {
            inside = true;
            found.push(Table { title: format!("{chapter}{section}{label}"), columns: cells, rows: Vec::new() });
        } else if !line.starts_with("| ---")
            && let Some(table) = found.last_mut()
        {
            table.rows.push(cells);
        }
    }
    found
}

fn number(text: &str) -> Option<f64> {
    text.replace('−', "-").replace(',', "").trim().trim_end_matches(" %").trim().parse().ok()
}

/// Win rates of pairings with their intervals over pairs.
fn rates(table: &Table) -> Option<Plot> {
    let place = |name: &str| table.columns.iter().position(|column| column == name);
    let (rate, interval) = (place("Win rate")?, place("95 % (pairs)")?);
    place("First")?;
    let rows: Vec<(String, f64, (f64, f64))> = table
        .rows
        .iter()
        .filter_map(|row| {
            let (low, high) = row.get(interval)?.split_once('–')?;
            Some((format!("{} – {}", row[0], row[1]), number(&row[rate])?, (number(low)?, number(high)?)))
        })
        .collect();
    if rows.is_empty() {
        return None;
    }
    let height = 60 + 24 * rows.len();
    let x = |percent: f64| 330.0 + percent.clamp(0.0, 100.0) * 3.9;
    let mut svg = opened(740, height);
    for tick in [0.0, 25.0, 50.0, 75.0, 100.0] {
        scale(&mut svg, x(tick), height, &format!("{tick} %"));
    }
    for (place, (label, rate, (low, high))) in rows.iter().enumerate() {
        let y = 24 + 24 * place;
        named(&mut svg, 318.0, y + 4, label);
        bar(&mut svg, x(*low), x(*high), y, COLOURS[0]);
        dot(&mut svg, x(*rate), y, COLOURS[0]);
    }
    let note = "dot: win rate of the first agent; bar: 95 % over pairs";
    closed(&mut svg, 330, height, note);
    Some((table.title.clone(), "Win rates of the first agent", "前者の勝率", svg))
}

/// Exploitability with its interval, by playouts.
fn gaps(table: &Table) -> Option<Plot> {
    if table.columns.get(..3)? != ["Agent", "Player", "Decisions"] {
        return None;
    }
    let budgets = &table.columns[3..];
    let values: Vec<(String, Vec<(f64, f64)>)> = table
        .rows
        .iter()
        .filter_map(|row| {
            let pairs: Option<Vec<(f64, f64)>> = row[3..]
                .iter()
                .map(|cell| cell.split_once(" ± ").and_then(|(mean, half)| Some((number(mean)?, number(half)?))))
                .collect();
            Some((format!("{}, {}", row[0], row[1]), pairs?))
        })
        .collect();
    let most = values.iter().flat_map(|(_, pairs)| pairs).map(|(mean, half)| mean + half).fold(0.1, f64::max);
    let most = (most * 10.0).ceil() / 10.0;
    let height = 60 + 30 * values.len();
    let x = |value: f64| 300.0 + (value / most).clamp(0.0, 1.0) * 400.0;
    let mut svg = opened(740, height);
    for tick in 0..=(most * 10.0).round() as usize {
        scale(&mut svg, x(tick as f64 / 10.0), height, &format!("{:.1}", tick as f64 / 10.0));
    }
    for (place, (label, pairs)) in values.iter().enumerate() {
        let y = 24 + 30 * place;
        named(&mut svg, 288.0, y + 4, label);
        for (budget, (mean, half)) in pairs.iter().enumerate() {
            let (y, colour) = (y - 7 + 7 * budget, COLOURS[budget % COLOURS.len()]);
            bar(&mut svg, x(mean - half), x(mean + half), y, colour);
            dot(&mut svg, x(*mean), y, colour);
        }
    }
    let playouts = legend(budgets);
    closed(&mut svg, 20, height, &format!("less is better; bar: 95 %; dots by playouts: {playouts}"));
    Some((table.title.clone(), "Root exploitability by playouts", "プレイアウト数と根の搾取可能量", svg))
}

/// NashConv by playouts.
fn whole_games(table: &Table) -> Option<Plot> {
    let (first, budgets) = table.columns.split_first()?;
    if first != "Agent" || budgets.is_empty() || !budgets.iter().all(|budget| number(budget).is_some()) {
        return None;
    }
    // A row for each agent, a line in it for each budget.
    let row_height = 14 + 7 * budgets.len();
    let height = 60 + row_height * table.rows.len();
    // Both players can lose all: 2 with payoffs from -1 to 1.
    let x = |value: f64| 150.0 + (value / 2.0).clamp(0.0, 1.0) * 540.0;
    let mut svg = opened(740, height);
    for tick in 0..=4 {
        scale(&mut svg, x(f64::from(tick) / 2.0), height, &format!("{:.1}", f64::from(tick) / 2.0));
    }
    for (place, row) in table.rows.iter().enumerate() {
        let y = 20 + row_height * place;
        named(&mut svg, 138.0, y + 7 * budgets.len() / 2 + 2, &row[0]);
        for (budget, value) in row[1..].iter().map(|cell| number(cell)).enumerate() {
            dot(&mut svg, x(value?), y + 7 * budget, COLOURS[budget % COLOURS.len()]);
        }
    }
    let playouts = legend(budgets);
    closed(&mut svg, 20, height, &format!("NashConv, less is better; dots by playouts: {playouts}"));
    Some((table.title.clone(), "NashConv by playouts", "プレイアウト数と NashConv", svg))
}

/// Which colour stands for which number of playouts.
fn legend(budgets: &[String]) -> String {
    let names = ["blue", "orange", "green", "violet", "red"].iter().zip(budgets);
    names.map(|(colour, budget)| format!("{colour} {budget}")).collect::<Vec<_>>().join(", ")
}

/// Visits of joint actions as shades.
fn visits(table: &Table) -> Option<Plot> {
    let named_rows = table.rows.iter().all(|row| row[0].starts_with("**"));
    if !table.columns.first()?.is_empty() || table.rows.is_empty() || !named_rows {
        return None;
    }
    let value = |cell: &String| number(cell.split(" (").next().unwrap_or_default());
    let most = table.rows.iter().flat_map(|row| &row[1..]).filter_map(value).fold(1.0, f64::max);
    let (width, height) = (130 + 80 * (table.columns.len() - 1), 70 + 40 * table.rows.len());
    let mut svg = opened(width, height);
    for (place, column) in table.columns[1..].iter().enumerate() {
        let x = 160 + 80 * place;
        writeln!(svg, "<text x=\"{x}\" y=\"24\" text-anchor=\"middle\">{}</text>", escape(column)).unwrap();
    }
    for (line, row) in table.rows.iter().enumerate() {
        let y = 36 + 40 * line;
        named(&mut svg, 108.0, y + 24, row[0].trim_matches('*'));
        for (place, cell) in row[1..].iter().enumerate() {
            let visits = value(cell).unwrap_or(0.0);
            // The root of the share, so that rare visits can still be seen.
            let strength = (visits / most).sqrt();
            let ink = if strength > 0.6 { "#ffffff" } else { "#24303a" };
            let x = 120 + 80 * place;
            writeln!(
                svg,
                "<rect x=\"{x}\" y=\"{y}\" width=\"78\" height=\"38\" fill=\"#2a6f97\" \
                 fill-opacity=\"{strength:.3}\" stroke=\"#ddd\"/>\n<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" \
                 fill=\"{ink}\">{visits}</text>",
                x + 39,
                y + 24
            )
            .unwrap();
        }
    }
    closed(&mut svg, 20, height, "visits of each pair of actions; darker: more");
    Some((table.title.clone(), "Visits of joint actions", "同時着手の訪問数", svg))
}

/// Blue, orange, green, violet, red.
const COLOURS: [&str; 5] = ["#2a6f97", "#d9822b", "#4f8a3c", "#7d5ba6", "#b0413e"];

fn opened(width: usize, height: usize) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" font-family=\"system-ui, sans-serif\" font-size=\"12\" fill=\"#24303a\">\n<rect \
         width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n"
    )
}

fn closed(svg: &mut String, x: usize, height: usize, note: &str) {
    writeln!(svg, "<text x=\"{x}\" y=\"{}\">{note}</text>\n</svg>", height - 6).unwrap();
}

fn scale(svg: &mut String, x: f64, height: usize, label: &str) {
    writeln!(
        svg,
        "<line x1=\"{x:.1}\" y1=\"10\" x2=\"{x:.1}\" y2=\"{}\" stroke=\"#ddd\"/>\n<text x=\"{x:.1}\" y=\"{}\" \
         text-anchor=\"middle\">{label}</text>",
        height - 40,
        height - 24
    )
    .unwrap();
}

fn named(svg: &mut String, x: f64, y: usize, label: &str) {
    let label: String = label.chars().take(52).collect();
    writeln!(svg, "<text x=\"{x}\" y=\"{y}\" text-anchor=\"end\">{}</text>", escape(&label)).unwrap();
}

fn bar(svg: &mut String, left: f64, right: f64, y: usize, colour: &str) {
    writeln!(
        svg,
        "<line x1=\"{left:.1}\" y1=\"{y}\" x2=\"{right:.1}\" y2=\"{y}\" stroke=\"{colour}\" stroke-width=\"2\"/>"
    )
    .unwrap();
}

fn dot(svg: &mut String, x: f64, y: usize, colour: &str) {
    writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y}\" r=\"4\" fill=\"{colour}\"/>").unwrap();
}

fn escape(text: &str) -> String {
    text.replace("&lt;", "<").replace('&', "&amp;").replace('<', "&lt;").replace('\\', "")
}

//! The measured strengths of agents, read from the page of results that `tesuji report` wrote.

/// One pairing of a page of results.
#[derive(Clone, Debug)]
struct Row {
    game: String,
    first: String,
    second: String,
    games: String,
    wins: String,
    rate: f64,
    interval: (f64, f64),
    budget: String,
}

/// The rows of a page.
pub(super) struct Strength {
    rows: Vec<Row>,
}

impl Strength {
    /// Reads a page.
    pub(super) fn read(page: &str) -> Strength {
        let mut rows = Vec::new();
        let (mut game, mut budget, mut games) = (String::new(), String::new(), Vec::new());
        let mut columns: Vec<String> = Vec::new();
        for line in page.lines() {
            if line.starts_with("## ") {
                games.clear();
                game.clear();
            } else if let Some(heading) = line.trim_start_matches('#').strip_prefix(" Results") {
                game = heading.strip_prefix(" in ").map_or_else(|| only(&games), str::to_owned);
            }
            let Some(cells) = line.strip_prefix("| ").and_then(|line| line.strip_suffix(" |")) else { continue };
            let cells: Vec<String> = cells.split(" | ").map(|cell| cell.trim_matches('`').to_owned()).collect();
            match cells[0].as_str() {
                "First" | "Agent" | "Game" => columns = cells,
                "---" => {}
                _ => {
                    let value = |name: &str| {
                        let place = columns.iter().position(|column| column == name)?;
                        cells.get(place).cloned()
                    };
                    if columns[0] == "Game" {
                        games.push(cells[0].clone());
                    } else if let Some(spent) = value("Budget a decision") {
                        budget = spent;
                    } else if let (Some(rate), Some(interval)) = (value("Win rate"), value("95 % (pairs)")) {
                        let Some((low, high)) = interval.trim_end_matches(" %").split_once('–') else { continue };
                        let number = |text: &str| text.trim_end_matches(" %").parse::<f64>().unwrap();
                        rows.push(Row {
                            game: game.clone(),
                            first: cells[0].clone(),
                            second: cells[1].clone(),
                            games: value("Games").unwrap(),
                            wins: value("W-D-L").unwrap(),
                            rate: number(&rate),
                            interval: (number(low), number(high)),
                            budget: budget.clone(),
                        });
                    }
                }
            }
        }
        assert!(rows.len() > 20, "only {} results", rows.len());
        Strength { rows }
    }

    /// What agents of these names achieved, from their view.
    pub(super) fn of(&self, is_one: &dyn Fn(&str) -> bool, japanese: bool) -> String {
        let own = self.rows.iter().flat_map(|row| [row.clone(), row.turned()]).filter(|row| is_one(&row.first));
        table(own.filter(|row| row.first != row.second).collect(), japanese)
    }

    /// What was measured in a game.
    pub(super) fn in_game(&self, name: &str, japanese: bool) -> String {
        let here = |row: &&Row| row.game.split('(').next() == Some(name);
        let rows: Vec<Row> = self.rows.iter().filter(here).map(Row::turned).collect();
        if rows.is_empty() { String::new() } else { format!("\n{}", table(rows, japanese)) }
    }
}

fn only(games: &[String]) -> String {
    games.first().cloned().unwrap_or_default()
}

impl Row {
    /// The same from the other agent's view.
    fn turned(&self) -> Row {
        let mut wins: Vec<&str> = self.wins.split('-').collect();
        wins.reverse();
        Row {
            first: self.second.clone(),
            second: self.first.clone(),
            wins: wins.join("-"),
            rate: 100.0 - self.rate,
            interval: (100.0 - self.interval.1, 100.0 - self.interval.0),
            ..self.clone()
        }
    }
}

fn table(rows: Vec<Row>, japanese: bool) -> String {
    if rows.is_empty() {
        let nothing = "Not measured in the experiments `strength/…`.\n";
        return if japanese { "実験 `strength/…` では測定していません。\n" } else { nothing }.to_owned();
    }
    let columns = match japanese {
        true => "| ゲーム | エージェント | 相手 | 予算 | 対局数 | 勝-分-負 | 勝率 | 95 % 信頼区間（対局の組） |",
        false => "| game | agent | opponent | budget | matches | W-D-L | win rate | 95 % over pairs |",
    };
    let mut text = format!("{columns}\n| --- | --- | --- | --- | ---: | ---: | ---: | ---: |\n");
    for row in rows {
        let Row { game, first, second, games, wins, rate, interval: (low, high), budget } = &row;
        text.push_str(&format!(
            "| `{game}` | `{first}` | `{second}` | `{budget}` | {games} | {wins} | {rate:.1} % | {low:.1}–{high:.1} \
             % |\n"
        ));
    }
    text
}

//! Texts of matrix games: actions by their names, states by their totals.

use tesuji_core::{Actor, InputError, Notation};

use super::file::{Amount, UNIT};
use super::{HIGH, Matrix, State};

/// An amount as an exact decimal number.
pub(super) fn amount_text(amount: Amount) -> String {
    let (whole, part) = (amount.unsigned_abs() / UNIT as u64, amount.unsigned_abs() % UNIT as u64);
    let sign = if amount < 0 { "-" } else { "" };
    let text = format!("{sign}{whole}.{part:09}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Parses the text of [`amount_text`].
fn parse_amount(text: &str) -> Option<Amount> {
    let (sign, digits) = text.strip_prefix('-').map_or((1, text), |rest| (-1, rest));
    let (whole, part) = digits.split_once('.').unwrap_or((digits, "0"));
    let plain = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if !plain(whole) || !plain(part) || part.len() > 9 {
        return None;
    }
    let whole: Amount = whole.parse().ok()?;
    let part: Amount = format!("{part:0<9}").parse().ok()?;
    Some(sign * whole.checked_mul(UNIT as Amount)?.checked_add(part)?)
}

impl Matrix {
    /// The least and the greatest payoff of one round.
    fn bounds(&self) -> [Amount; 2] {
        let (low, high) = self.spec.payoffs;
        [low, high].map(|payoff| (payoff * UNIT).round() as Amount)
    }
}

impl Notation for Matrix {
    const READS_STATES: bool = true;

    fn rules_in_words(&self) -> Option<&'static str> {
        Some(include_str!("../../rules/matrix.md"))
    }

    /// The action's name; an outcome of chance as `high low`: the results of the first and the second player.
    fn action_text(&self, _state: &State, actor: Actor, action: u8) -> String {
        match actor {
            Actor::Player(player) => self.table.actions[player.index()][usize::from(action)].clone(),
            Actor::Chance => HIGH.map(|bit| if action & bit != 0 { "high" } else { "low" }).join(" "),
        }
    }

    /// `settled=2 totals=1.4,0.9 last=0,1`: rounds, sums so far, and the last actions counted from 0 (`-` before the
    /// first round); ` open` follows while chance has not settled the last round.
    fn state_text(&self, state: &State) -> String {
        let [first, second] = state.totals.map(amount_text);
        let last = state.last.map_or("-".to_owned(), |[row, column]| format!("{row},{column}"));
        let open = if state.open { " open" } else { "" };
        format!("settled={} totals={first},{second} last={last}{open}", state.settled)
    }

    fn parse_state(&self, text: &str) -> Result<State, InputError> {
        let wrong = |message: String| {
            InputError::new(format!("`{}`: {message}", text.trim()))
                .with_help("expected a state such as `settled=2 totals=1.4,0.9 last=0,1`")
        };
        let mut words = text.split_whitespace();
        let mut value = |key: &str| {
            let word = words.next().unwrap_or("");
            let after = word.strip_prefix(key).and_then(|rest| rest.strip_prefix('='));
            after.ok_or_else(|| wrong(format!("expected `{key}=` at `{word}`")))
        };
        let settled_text = value("settled")?;
        let totals_text = value("totals")?;
        let last_text = value("last")?;
        let open = match words.next() {
            None => false,
            Some("open") => true,
            Some(other) => return Err(wrong(format!("expected `open` or the end at `{other}`"))),
        };
        if let Some(word) = words.next() {
            return Err(wrong(format!("unexpected `{word}` at the end")));
        }
        let settled: Option<u16> = settled_text.parse().ok().filter(|settled| *settled <= self.rounds);
        let settled =
            settled.ok_or_else(|| wrong(format!("`{settled_text}` is not a round from 0 to {}", self.rounds)))?;
        let totals =
            totals_text.split_once(',').and_then(|(first, second)| Some([parse_amount(first)?, parse_amount(second)?]));
        let totals = totals.ok_or_else(|| wrong(format!("`{totals_text}` is not two sums")))?;
        let [low, high] = self.bounds().map(|bound| bound * Amount::from(settled));
        if totals.iter().any(|total| !(low..=high).contains(total)) {
            let (low, high) = (amount_text(low), amount_text(high));
            return Err(wrong(format!("after {settled} rounds a sum lies from {low} to {high}")));
        }
        if self.constant_sum.is_some_and(|sum| totals[0] + totals[1] != sum * Amount::from(settled)) {
            return Err(wrong("the two sums do not add up as the table's payoffs do".to_owned()));
        }
        let last = match last_text {
            "-" => None,
            text => {
                let pair = text.split_once(',').and_then(|(row, column)| {
                    let index = |text: &str, player: usize| {
                        text.parse().ok().filter(|&index: &u8| usize::from(index) < self.table.actions[player].len())
                    };
                    Some([index(row, 0)?, index(column, 1)?])
                });
                Some(pair.ok_or_else(|| wrong(format!("`{text}` is not a pair of actions")))?)
            }
        };
        if open && (!self.table.bernoulli || settled == self.rounds) {
            return Err(wrong("chance has nothing to settle here".to_owned()));
        }
        if last.is_some() != (settled > 0 || open) {
            return Err(wrong("the last actions are missing, or given before the first round".to_owned()));
        }
        Ok(State { totals, settled, last, open })
    }

    fn board_text(&self, state: &State) -> String {
        let [rows, columns] = &self.table.actions;
        let cell = |joint: [u8; 2]| {
            let cell = self.table.cell(joint);
            let marks = if state.last == Some(joint) { ["[", "]"] } else { ["", ""] };
            let [first, second] = [0, 1].map(|player| amount_text(self.table.payoffs[player][cell]));
            format!("{}{first} {second}{}", marks[0], marks[1])
        };
        let mut lines = vec![[vec![String::new()], columns.clone()].concat()];
        for (row, name) in rows.iter().enumerate() {
            let cells = (0..columns.len()).map(|column| cell([row as u8, column as u8]));
            lines.push(std::iter::once(name.clone()).chain(cells).collect());
        }
        let wide: Vec<usize> = (0..=columns.len())
            .map(|column| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0))
            .collect();
        let mut text = String::new();
        for line in lines {
            let cells: Vec<String> = line.iter().zip(&wide).map(|(cell, &wide)| format!("{cell:<wide$}")).collect();
            text.push_str(cells.join("  ").trim_end());
            text.push('\n');
        }
        let [first, second] = state.totals.map(amount_text);
        text.push_str(&format!("round {} of {}, sums {first} {second}\n", state.settled, self.rounds));
        text
    }
}

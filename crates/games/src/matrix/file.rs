//! The file format of matrix games.
//!
//! ```toml
//! title = "Prisoner's dilemma"                  # optional
//! players = ["first", "second"]                 # optional
//! actions = [["cooperate", "defect"], ["cooperate", "defect"]]
//! payoffs = [[0.6, 0.1], [0.8, 0.3]]            # the first player's: a row for each of his actions
//! second_payoffs = [[0.6, 0.8], [0.1, 0.3]]     # left out in a zero-sum game
//! noise = "none"                                # optional: "none" or "bernoulli"
//! range = [0, 1]                                # optional: the two results of the noise, and the scale of payoffs
//! ```
//!
//! Payoffs are stored in billionths, so that sums over rounds are exact and equal positions compare equal.

use std::ops::Range;

use serde::Deserialize;
use tesuji_core::{InputError, Source};
use toml::Spanned;

/// Payoffs in billionths.
pub(super) type Amount = i64;

/// Amounts per unit of payoff.
pub(super) const UNIT: f64 = 1e9;
/// The greatest absolute payoff: a thousand rounds of it still fit an [`Amount`].
const GREATEST: f64 = 1e6;
/// The most actions of one player.
const MOST_ACTIONS: usize = 200;
/// The longest name that fits a drawing, in characters.
const LONGEST_NAME: usize = 40;

/// A table that has been checked.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Table {
    pub(super) title: Option<String>,
    pub(super) players: [String; 2],
    pub(super) actions: [Vec<String>; 2],
    /// By player: the payoffs, row by row.
    pub(super) payoffs: [Vec<Amount>; 2],
    pub(super) bernoulli: bool,
    /// The scale of payoffs, which are the two results of noise: as written in the file, or the least and the greatest
    /// payoff of either player.
    pub(super) range: [Amount; 2],
}

impl Table {
    /// The sum of both payoffs, if it is the same in every cell.
    pub(super) fn constant_sum(&self) -> Option<Amount> {
        let sum = |(first, second): (&Amount, &Amount)| first + second;
        let mut sums = self.payoffs[0].iter().zip(&self.payoffs[1]).map(sum);
        let constant = sums.next()?;
        sums.all(|sum| sum == constant).then_some(constant)
    }

    /// The index of a cell in the list of payoffs.
    #[inline]
    pub(super) fn cell(&self, [row, column]: [u8; 2]) -> usize {
        usize::from(row) * self.actions[1].len() + usize::from(column)
    }
}

type Rows = Spanned<Vec<Spanned<Vec<Spanned<f64>>>>>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    title: Option<Spanned<String>>,
    players: Option<Spanned<Vec<Spanned<String>>>>,
    actions: Spanned<Vec<Spanned<Vec<Spanned<String>>>>>,
    payoffs: Rows,
    second_payoffs: Option<Rows>,
    noise: Option<Spanned<String>>,
    range: Option<Spanned<Vec<Spanned<f64>>>>,
}

/// Parses a table from the text of a file.
pub(super) fn parse(source: &Source) -> Result<Table, InputError> {
    let file: File = toml::from_str(source.text()).map_err(|error| {
        let span = error.span().unwrap_or(0..0);
        InputError::new(error.message().trim().replace('\n', ", "))
            .with_help(
                "a matrix game has actions and payoffs, and may have title, players, second_payoffs, noise, range",
            )
            .at(source, span.start, span.len())
    })?;
    let wrong = |span: Range<usize>, message: String| InputError::new(message).at(source, span.start, span.len());
    let amount = |number: &Spanned<f64>| {
        let value = *number.get_ref();
        if value.is_finite() && value.abs() <= GREATEST {
            Ok((value * UNIT).round() as Amount)
        } else {
            Err(wrong(number.span(), format!("expected a payoff from {} to {GREATEST}, found {value}", -GREATEST)))
        }
    };
    let name = |name: &Spanned<String>| {
        let text = name.get_ref();
        let clean =
            text == text.trim() && !text.is_empty() && !text.starts_with('#') && !text.contains(char::is_control);
        if clean && text.chars().count() <= LONGEST_NAME {
            Ok(text.clone())
        } else {
            let expected =
                format!("a name of 1 to {LONGEST_NAME} characters without blanks around it or `#` before it");
            Err(wrong(name.span(), format!("expected {expected}")))
        }
    };
    let names = |list: &Spanned<Vec<Spanned<String>>>| {
        let mut names: Vec<String> = Vec::new();
        for entry in list.get_ref() {
            let text = name(entry)?;
            if names.contains(&text) {
                return Err(wrong(entry.span(), format!("`{text}` stands twice")));
            }
            names.push(text);
        }
        Ok(names)
    };

    let players = match &file.players {
        None => ["first".to_owned(), "second".to_owned()],
        Some(list) => <[String; 2]>::try_from(names(list)?)
            .map_err(|names| wrong(list.span(), format!("expected 2 players, found {}", names.len())))?,
    };
    let [first, second] = file.actions.get_ref().as_slice() else {
        let found = file.actions.get_ref().len();
        return Err(wrong(file.actions.span(), format!("expected the actions of 2 players, found {found} lists")));
    };
    let mut actions = [Vec::new(), Vec::new()];
    for (actions, list) in actions.iter_mut().zip([first, second]) {
        *actions = names(list)?;
        if actions.is_empty() || actions.len() > MOST_ACTIONS {
            let found = actions.len();
            return Err(wrong(list.span(), format!("expected 1 to {MOST_ACTIONS} actions, found {found}")));
        }
    }
    let table = |rows: &Rows| {
        let [height, width] = [actions[0].len(), actions[1].len()];
        if rows.get_ref().len() != height {
            let found = rows.get_ref().len();
            return Err(wrong(
                rows.span(),
                format!("expected {height} rows, one for each action of the first, found {found}"),
            ));
        }
        let mut amounts = Vec::with_capacity(height * width);
        for row in rows.get_ref() {
            if row.get_ref().len() != width {
                let found = row.get_ref().len();
                let expected = format!("expected {width} payoffs, one for each action of the second, found {found}");
                return Err(wrong(row.span(), expected));
            }
            for number in row.get_ref() {
                amounts.push(amount(number)?);
            }
        }
        Ok(amounts)
    };
    let own = table(&file.payoffs)?;
    let others = match &file.second_payoffs {
        Some(rows) => table(rows)?,
        None => own.iter().map(|amount| -amount).collect(),
    };
    let bernoulli = match file.noise.as_ref().map(|noise| (noise.get_ref().as_str(), noise.span())) {
        None | Some(("none", _)) => false,
        Some(("bernoulli", _)) => true,
        Some((other, span)) => {
            return Err(wrong(span, format!("expected `none` or `bernoulli`, found `{other}`")));
        }
    };
    let all = || own.iter().chain(&others).copied();
    let reached = [all().min().unwrap_or(0), all().max().unwrap_or(0)];
    let range = match &file.range {
        None => reached,
        Some(range) => match range.get_ref().as_slice() {
            [low, high] => {
                let bounds = [amount(low)?, amount(high)?];
                if bounds[0] > reached[0] || bounds[1] < reached[1] {
                    let [least, greatest] = reached.map(|amount| amount as f64 / UNIT);
                    let message = format!("expected a range around all payoffs, which go from {least} to {greatest}");
                    return Err(wrong(range.span(), message));
                }
                bounds
            }
            other => return Err(wrong(range.span(), format!("expected 2 numbers, found {}", other.len()))),
        },
    };
    let title = file.title.as_ref().map(name).transpose()?;
    Ok(Table { title, players, actions, payoffs: [own, others], bernoulli, range })
}

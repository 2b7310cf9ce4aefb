//! The results of pairings, compared with published ones, and violations of the rules.

use super::document::{Block, Cell, Table, one_line};
use super::numbers::{count, elo, mean, percent, points, probability, rates, span, sprt};
use super::plots::{Lengths, WinRates};
use crate::{Comparison, PairingSummary, Summary};

/// Writes the results of all pairings in a game.
pub(super) fn write(summary: &Summary, game: &str, blocks: &mut Vec<Block>) {
    let results: Vec<&PairingSummary> = summary.results.iter().filter(|result| result.game == game).collect();
    blocks.push(Block::Table(table(&results)));
    blocks.push(Block::Paragraph(LEGEND.into()));
    if results.iter().any(|result| result.stopped_early) {
        blocks.push(Block::Paragraph(STOPPED_LEGEND.into()));
    }
    if results.iter().any(|result| repeats(result)) {
        blocks.push(Block::Paragraph(COPIES_LEGEND.into()));
    }
    blocks.extend(WinRates::of(&results).map(|plot| Block::Plot(Box::new(plot))));
    blocks.extend(Lengths::of(&results).map(|plot| Block::Plot(Box::new(plot))));
    if results.iter().any(|result| result.published.is_some()) {
        blocks.push(Block::Part("Beside the published numbers".into()));
        blocks.push(Block::Table(comparisons(&results)));
        blocks.push(Block::Paragraph(COMPARISON_LEGEND.into()));
    }
}

/// How to read the table of results.
const LEGEND: &str = "All figures are the first agent's: won, drawn and lost (W-D-L), a draw as half a win. The \
     interval over pairs, by empirical likelihood, takes the two matches of a pair, with seats swapped, as one \
     observation; Elo and superiority follow from it. Wilson's interval takes single matches.";

/// How to read results that a sequential test ended.
const STOPPED_LEGEND: &str = "\
     A sequential test stops when results are extreme, so after an early end the win rate, its interval \
     over pairs and Elo are biased. The interval at any stop is not: a confidence sequence (Orabona and \
     Jun), valid whenever a series ends.";

/// How to read results with copies.
const COPIES_LEGEND: &str = "\
     Matches with the same moves and seats in which nothing random was drawn are copies: all figures of \
     uncertainty count only effective games.";

/// How to read the table of comparisons.
const COMPARISON_LEGEND: &str = "\
     Differences are ours less the published win rate, in points, with Newcombe's interval over our pairs \
     and the published games. Results agree if the whole interval lies within ten points; they differ if \
     it excludes 0 and does not; else there were not enough games. Without the number of published games \
     the verdict is not determinable.";

fn table(results: &[&PairingSummary]) -> Table {
    let tested = results.iter().any(|result| result.sprt.is_some());
    let repeated = results.iter().any(|result| repeats(result));
    let mut table = Table::new("Results")
        .left("First")
        .left("Second")
        .right("Games")
        .right("W-D-L")
        .right("Win rate")
        .right("95 % (Wilson)")
        .right("95 % (pairs)")
        .right_if(tested, "95 % (any stop)")
        .right("Elo")
        .right("Superiority")
        .right_if(tested, "Sequential test")
        .right_if(repeated, "Effective games")
        .right("Steps");
    for result in results {
        let tally = &result.tally;
        let mut row = vec![
            Cell::text(&result.first),
            Cell::text(&result.second),
            Cell::text(count(tally.matches())),
            Cell::text(format!("{}-{}-{}", tally.wins, tally.draws, tally.losses)),
            Cell::known(result.win_rate.and_then(percent)),
            Cell::known(result.interval.and_then(rates)),
            Cell::known(result.pair_interval.and_then(rates)),
        ];
        if tested {
            row.push(Cell::known(result.anytime_interval.and_then(rates)));
        }
        row.extend([Cell::known(result.elo.and_then(elo)), Cell::known(result.superiority.and_then(probability))]);
        if tested {
            row.push(Cell::known(result.sprt.as_ref().and_then(|report| {
                Some(format!("{}{}", sprt(report)?, if result.stopped_early { ", ended early" } else { "" }))
            })));
        }
        if repeated {
            let worth = if repeats(result) { mean(result.duplicates.effective) } else { Some(count(tally.matches())) };
            row.push(Cell::known(worth));
        }
        row.push(Cell::known(result.mean_steps.and_then(mean)));
        table.rows.push(row);
    }
    table
}

/// Whether the sample is worth less than its number of matches, by more than rounding hides.
fn repeats(result: &PairingSummary) -> bool {
    result.duplicates.effective < result.duplicates.matches as f64 - 0.005
}

fn comparisons(results: &[&PairingSummary]) -> Table {
    let compared =
        || results.iter().filter_map(|result| result.published.as_ref().map(|published| (*result, published)));
    let noted = compared().any(|(_, published)| !published.result.note.trim().is_empty());
    let mut table = Table::new("Ours beside the published numbers")
        .left("First")
        .left("Second")
        .right("Published")
        .right("Published games")
        .right("Ours")
        .right("Our games")
        .right("Difference")
        .right("95 % of it")
        .left("Verdict");
    if noted {
        table = table.left("Note");
    }
    for (result, Comparison { result: published, agreement }) in compared() {
        let difference = result.win_rate.map(|rate| rate - published.win_rate);
        let interval = agreement.and_then(|agreement| agreement.interval);
        let mut row = vec![
            Cell::text(&result.first),
            Cell::text(&result.second),
            Cell::known(percent(published.win_rate)),
            Cell::text(published.matches.map_or_else(|| "not told".to_owned(), count)),
            Cell::known(result.win_rate.and_then(percent)),
            Cell::text(count(result.tally.matches())),
            Cell::known(difference.and_then(points)),
            Cell::known(interval.and_then(|(low, high)| span((low * 100.0, high * 100.0), 1))),
            agreement.map_or(Cell::Unknown, |agreement| Cell::Verdict(agreement.verdict)),
        ];
        if noted {
            let note = one_line(&published.note);
            row.push(Cell::text(if note.is_empty() { "–" } else { &note }));
        }
        table.rows.push(row);
    }
    table
}

/// Writes the violations of the rules.
pub(super) fn write_fouls(summary: &Summary, blocks: &mut Vec<Block>) {
    let mut told = Vec::new();
    for result in &summary.results {
        let [game, first, second] = [&result.game, &result.first, &result.second].map(|label| one_line(label));
        let pairing = format!("{game}, {first} against {second}");
        told.extend(result.fouls.iter().map(|foul| format!("{pairing}: {}", one_line(foul))));
        let more = result.forfeited.saturating_sub(result.fouls.len() as u64);
        if more > 0 {
            told.push(format!("{pairing}: {} more", count(more)));
        }
    }
    if !told.is_empty() {
        blocks.extend([Block::Section("Fouls".into()), Block::List(told)]);
    }
}

//! The cross table of all agents, and their ratings.

use super::document::{Block, Cell, Table};
use super::numbers::{count, decimals, percent, points, probability, signed, span, things};
use super::plots::{HeatMap, Ladder, Plot};
use crate::Summary;
use crate::statistics::{Ratings, Tally};

/// With fewer agents a cross table shows no more than the table of results.
const CROSSED_AGENTS: usize = 3;

/// Writes the cross table and the ratings of a game, or of all games together.
pub(super) fn write(summary: &Summary, game: Option<&str>, blocks: &mut Vec<Block>) {
    let labels: Vec<&str> = summary.agents.iter().map(|agent| agent.label.as_str()).collect();
    let mut plots: Vec<Block> = Vec::new();
    if labels.len() >= CROSSED_AGENTS {
        let tallies = tallies(summary, game);
        blocks.push(Block::Part("Cross table".into()));
        blocks.push(Block::Table(cross_table(&labels, &tallies)));
        blocks.push(Block::Paragraph("Win rates of the row's agent against the column's.".into()));
        plots.push(Block::Plot(Box::new(HeatMap::new(&labels, &tallies))));
    }
    if let Some(rating) = summary.ratings.iter().find(|rating| rating.game.as_deref() == game) {
        blocks.push(Block::Part("Ratings".into()));
        if let Some(ratings) = &rating.ratings {
            let order = order(ratings);
            blocks.push(Block::Table(rating_table(&labels, ratings, &order)));
            blocks.push(Block::Paragraph(rating_note(&labels, ratings)));
            plots.extend(Ladder::of(&labels, ratings, &order).map(|plot| Block::Plot(Box::new(plot) as Box<dyn Plot>)));
        } else {
            blocks.push(Block::Paragraph("The ratings are not determinable.".into()));
        }
    }
    blocks.append(&mut plots);
}

/// The results by row and column; pairings listed in either order are added up.
fn tallies(summary: &Summary, game: Option<&str>) -> Vec<Vec<Tally>> {
    let agents = summary.agents.len();
    let mut tallies = vec![vec![Tally::default(); agents]; agents];
    let place = |label: &str| summary.agents.iter().position(|agent| agent.label == label);
    for result in summary.results.iter().filter(|result| game.is_none_or(|game| result.game == game)) {
        if let (Some(first), Some(second)) = (place(&result.first), place(&result.second)) {
            tallies[first][second].add(result.tally);
            tallies[second][first].add(result.tally.reversed());
        }
    }
    tallies
}

fn cross_table(labels: &[&str], tallies: &[Vec<Tally>]) -> Table {
    let mut table = Table::new("Cross table").left("Agent");
    for label in labels {
        table = table.right(*label);
    }
    for (row, label) in labels.iter().enumerate() {
        let against = tallies[row].iter().enumerate().map(|(column, tally)| match tally.rate().and_then(percent) {
            _ if row == column => Cell::text("–"),
            Some(rate) => Cell::text(rate),
            None => Cell::text("not met"),
        });
        table.rows.push([Cell::text(*label)].into_iter().chain(against).collect());
    }
    table
}

/// The agents from the strongest to the weakest, those without a rating last.
fn order(ratings: &Ratings) -> Vec<usize> {
    let mut order: Vec<usize> = (0..ratings.agents.len()).collect();
    let elo = |agent: usize| ratings.agents[agent].elo.unwrap_or(f64::NEG_INFINITY);
    order.sort_by(|&a, &b| elo(b).total_cmp(&elo(a)));
    order
}

fn rating_table(labels: &[&str], ratings: &Ratings, order: &[usize]) -> Table {
    let mut table =
        Table::new("Ratings").left("Agent").right("Elo").right("95 %").right("Games").right("Score per game");
    for &agent in order {
        let Some((rated, label)) = ratings.agents.get(agent).zip(labels.get(agent)) else { continue };
        table.rows.push(vec![
            Cell::text(*label),
            Cell::known(rated.elo.and_then(|elo| signed(elo, 0))),
            Cell::known(rated.interval.and_then(|interval| span(interval, 0))),
            Cell::text(count(rated.matches)),
            Cell::known(rated.rate.and_then(percent)),
        ]);
    }
    table
}

fn rating_note(labels: &[&str], ratings: &Ratings) -> String {
    let fit = &ratings.fit;
    let mut note = format!(
        "Elo relative to the mean of all agents, fitted jointly on the scale of the results: Bradley and Terry's \
         model, a draw as half a win; intervals by {} resamplings of the pairs.",
        count(u64::from(ratings.fitted))
    );
    if let Some(drawn) = percent(fit.draws).filter(|_| fit.draws > 0.0) {
        note.push_str(&format!(" Drawn: {drawn} of games."));
    }
    if let (Some(p_value), Some(chi_square)) = (fit.quality.p_value, decimals(fit.quality.chi_square, 1)) {
        let (freedom, chance) = (fit.quality.freedom, probability(p_value).unwrap_or_default());
        let verdict = if p_value < 0.05 { "The model does not fit" } else { "The model fits" };
        note.push_str(&format!(
            " {verdict}: χ² = {chi_square} with {}, a misfit of this size has probability {chance}",
            things(freedom as u64, "degree of freedom", "degrees of freedom")
        ));
        match fit.quality.worst {
            Some((first, second, distance)) if distance.abs() >= 0.0005 => {
                let apart = points(distance).unwrap_or_default();
                note.push_str(&format!(
                    "; the score of {} against {} is furthest from the expected one, by {apart} points.",
                    labels[first], labels[second]
                ));
            }
            _ => note.push('.'),
        }
    }
    if !fit.determined {
        note.push_str(
            " The results alone do not determine these ratings: half a win and half a loss added for each agent \
             hold them.",
        );
    }
    note
}

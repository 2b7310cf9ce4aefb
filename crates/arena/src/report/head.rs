//! The head of a chapter: the experiment, its games and agents, and how much of it is finished.

use super::document::{Block, Cell, Table, one_line};
use super::numbers::{count, things};
use crate::Summary;
use crate::experiment::Scale;

/// The number of hash digits shown, enough to distinguish games.
const HASH_DIGITS: usize = 12;

/// Writes the head of a chapter.
pub(super) fn write(summary: &Summary, blocks: &mut Vec<Block>) {
    let paragraphs = summary.about.split("\n\n").map(one_line).filter(|text| !text.is_empty());
    blocks.extend(paragraphs.map(Block::Paragraph));
    blocks.push(Block::Facts(facts(summary)));
    let mut games = Table::new("Games").left("Game").left("Address").right("Version").left("Hash");
    games.rows.extend(summary.games.iter().map(|game| {
        vec![
            Cell::text(&game.label),
            Cell::Code(game.address.clone()),
            Cell::text(game.version.to_string()),
            Cell::Code(game.hash.chars().take(HASH_DIGITS).collect()),
        ]
    }));
    let mut agents = Table::new("Agents").left("Agent").left("Address").left("Budget a decision");
    agents.rows.extend(summary.agents.iter().map(|agent| {
        vec![Cell::text(&agent.label), Cell::Code(agent.address.clone()), Cell::Code(agent.budget.clone())]
    }));
    blocks.extend([Block::Section("Games and agents".into()), Block::Table(games), Block::Table(agents)]);
}

fn facts(summary: &Summary) -> Vec<(&'static str, String)> {
    let mut facts = Vec::new();
    facts.extend(summary.reproduces.as_ref().map(|table| ("Reproduces", one_line(table))));
    let scale = match summary.scale {
        Scale::Quick => "quick",
        Scale::Full => "full",
    };
    facts.push(("Scale", scale.to_owned()));
    facts.push(("Seed", summary.seed.to_string()));
    facts.push(("Pairs of matches in each pairing", count(summary.pairs)));
    if summary.fixed_seats {
        facts.push(("Seats", "fixed: a pair is a single match".to_owned()));
    }
    facts.extend(summary.start.as_ref().map(|start| ("Start clock", start.clone())));
    if let Some(hours) = summary.core_hours {
        facts.push(("Cost", format!("about {hours} core-hours")));
        facts.push(("Store", "not published; running the experiment makes it".to_owned()));
    }
    facts.push(("State", state(summary)));
    if summary.fouls > 0 {
        facts.push(("Forfeited by a foul", things(summary.fouls, "match", "matches")));
    }
    facts
}

/// Whether the run is complete and, if not, how much of it is.
fn state(summary: &Summary) -> String {
    let matches = things(summary.matches, "match", "matches");
    let early = summary.results.iter().filter(|result| result.stopped_early).count() as u64;
    let pairings = things(early, "pairing", "pairings");
    if summary.complete {
        return match early {
            0 => format!("complete, {matches}"),
            _ => format!("complete, {matches}; the sequential test ended {pairings} early"),
        };
    }
    let running = summary.results.iter().filter(|result| !result.stopped_early);
    let (there, asked) =
        running.fold((0, 0u64), |(there, asked), result| (there + result.pairs, asked.saturating_add(summary.pairs)));
    let (there, asked) = (count(there), count(asked));
    match early {
        0 => format!("incomplete, {there} of {asked} pairs are there ({matches})"),
        _ => format!(
            "incomplete, {there} of {asked} pairs are there ({matches} in all), not counting {pairings} that the \
             sequential test ended early"
        ),
    }
}

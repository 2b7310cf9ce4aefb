//! Statistics of decisions: playouts, depth and time.

use super::document::{Block, Cell, Table};
use super::numbers::{count, mean};
use super::plots::{Line, Lines};
use crate::{Summary, Thinking};

/// Means by move end where fewer than this fraction of the matches is still running: a few long matches give no useful
/// mean.
const STILL_PLAYING: f64 = 0.05;

/// The number of first decisions of a match whose depth is shown: the first turn of six units (paper 000, table 6).
const FIRST_DECISIONS: usize = 6;

/// Writes the statistics of the agents' decisions in a game.
pub(super) fn write(summary: &Summary, game: &str, blocks: &mut Vec<Block>) {
    let thoughts: Vec<Thoughts> =
        summary.agents.iter().map(|agent| Thoughts::of(summary, Some(game), &agent.label)).collect();
    if thoughts.iter().all(|thoughts| thoughts.decisions == 0) {
        return;
    }
    blocks.push(Block::Part("Thinking".into()));
    let mut table = Table::new("Thinking")
        .left("Agent")
        .right("Decisions")
        .right("Playouts a decision")
        .right("Depth a decision, in steps");
    for (agent, thoughts) in summary.agents.iter().zip(&thoughts) {
        let each = |sum: f64| (thoughts.decisions > 0).then(|| mean(sum / thoughts.decisions as f64)).flatten();
        table.rows.push(vec![
            Cell::text(&agent.label),
            Cell::text(count(thoughts.decisions)),
            Cell::known(each(thoughts.playouts)),
            Cell::known(each(thoughts.depth)),
        ]);
    }
    blocks.push(Block::Table(table));
    blocks.extend(first_depths(summary, &thoughts).map(Block::Table));
    let depths = summary.agents.iter().zip(&thoughts).map(|(agent, thoughts)| {
        let means = thoughts.by_move.iter().map(|(count, depth)| depth / (*count).max(1) as f64);
        Line::by_move(&agent.label, means.take(thoughts.moves()))
    });
    let plot = Lines::by_move("Depth of the search tree by the agent's decision in a match", "steps", depths.collect());
    blocks.extend(plot.map(|plot| Block::Plot(Box::new(plot))));
}

/// The mean depth at the first decisions of a match; `None` if no agent searched a tree.
fn first_depths(summary: &Summary, thoughts: &[Thoughts]) -> Option<Table> {
    let shown = thoughts.iter().map(Thoughts::moves).max().unwrap_or(0).min(FIRST_DECISIONS);
    if thoughts.iter().all(|thoughts| thoughts.depth == 0.0) || shown == 0 {
        return None;
    }
    let mut table = Table::new("Depth at the first decisions").left("Depth, in steps, at decision");
    for place in 0..shown {
        table = table.right((place + 1).to_string());
    }
    for (agent, thoughts) in summary.agents.iter().zip(thoughts) {
        let mut row = vec![Cell::text(&agent.label)];
        for place in 0..shown {
            let known = thoughts.by_move.get(place).filter(|(count, _)| *count > 0);
            row.push(Cell::known(known.and_then(|(count, depth)| mean(depth / *count as f64))));
        }
        table.rows.push(row);
    }
    Some(table)
}

/// Writes the thinking times, if requested.
pub(super) fn write_times(summary: &Summary, blocks: &mut Vec<Block>) {
    let Some(timings) = summary.timings.as_ref().filter(|timings| !timings.is_empty()) else { return };
    blocks.push(Block::Section("Time".into()));
    let mut table = Table::new("Time").left("Agent").right("Decisions").right("Milliseconds a decision");
    let mut lines = Vec::new();
    for timing in timings {
        let known = if timing.decisions > 0 { mean(timing.milliseconds) } else { None };
        table.rows.push(vec![Cell::text(&timing.agent), Cell::text(count(timing.decisions)), Cell::known(known)]);
        let moves = Thoughts::of(summary, None, &timing.agent).moves();
        lines.push(Line::by_move(&timing.agent, timing.by_move.iter().copied().take(moves)));
    }
    blocks.push(Block::Table(table));
    blocks.push(Block::Paragraph(
        "As measured on the machines that played; the only figures here that do not repeat.".into(),
    ));
    let plot = Lines::by_move("Time by the agent's decision in a match", "milliseconds", lines);
    blocks.extend(plot.map(|plot| Block::Plot(Box::new(plot))));
}

/// An agent's decisions over several pairings.
#[derive(Default)]
struct Thoughts {
    decisions: u64,
    playouts: f64,
    depth: f64,
    /// By decision of a match: their number, and the sum of depths.
    by_move: Vec<(u64, f64)>,
}

impl Thoughts {
    fn of(summary: &Summary, game: Option<&str>, agent: &str) -> Thoughts {
        let mut all = Thoughts::default();
        for result in summary.results.iter().filter(|result| game.is_none_or(|game| result.game == game)) {
            for (label, thinking) in result.agents.iter().zip(&result.thinking) {
                if label == agent {
                    all.add(thinking);
                }
            }
        }
        all
    }

    fn add(&mut self, thinking: &Thinking) {
        self.decisions += thinking.decisions;
        self.playouts += thinking.playouts * thinking.decisions as f64;
        self.depth += thinking.depth * thinking.decisions as f64;
        let by_move = thinking.decisions_by_move.iter().zip(&thinking.depth_by_move);
        for (place, (&count, depth)) in by_move.enumerate() {
            if self.by_move.len() <= place {
                self.by_move.push((0, 0.0));
            }
            self.by_move[place].0 += count;
            self.by_move[place].1 += depth * count as f64;
        }
    }

    /// The number of moves whose mean is worth drawing.
    fn moves(&self) -> usize {
        let begun = self.by_move.first().map_or(0, |(count, _)| *count);
        self.by_move.iter().take_while(|(count, _)| *count > 0 && *count as f64 >= begun as f64 * STILL_PLAYING).count()
    }
}

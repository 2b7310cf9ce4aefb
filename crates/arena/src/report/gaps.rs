//! The exploitability of agents in the first move, if an experiment measured it.

use super::document::{Block, Cell, Table};
use super::numbers::{count, decimals};
use super::plots::Lines;
use crate::{GapReport, Summary};

/// Half the width of a 95 % interval, in standard errors.
const NORMAL: f64 = 1.96;

/// Writes the exploitability in a game.
pub fn write(summary: &Summary, game: &str, blocks: &mut Vec<Block>) {
    let reports: Vec<&GapReport> = summary.gaps.iter().filter(|report| report.game == game).collect();
    let Some(first) = reports.first() else { return };
    blocks.push(Block::Part("What the first move gives away".into()));
    let worth = decimals(first.value, 6).unwrap_or_default();
    blocks.push(Block::Paragraph(format!(
        "The game is worth {worth} to the first player. A gap is what a player's strategy in the first state falls short of \
         what he could secure, when the other replies as well as can be and both play perfectly afterwards; means of single \
         decisions with half the width of their 95 % interval."
    )));
    let mut playouts: Vec<u64> = reports.iter().flat_map(|report| &report.points).map(|point| point.playouts).collect();
    playouts.sort_unstable();
    playouts.dedup();
    let mut table = Table::new("Gaps by playouts").left("Agent").left("Player").right("Decisions");
    for &playouts in &playouts {
        table = table.right(count(playouts));
    }
    for report in &reports {
        let mut players: Vec<&str> = Vec::new();
        for point in &report.points {
            if !players.contains(&point.player.as_str()) {
                players.push(&point.player);
            }
        }
        for player in players {
            let at = |playouts| report.points.iter().find(|point| point.player == player && point.playouts == playouts);
            let gap = |&playouts: &u64| {
                let point = at(playouts)?;
                Some(format!("{} ± {}", decimals(point.gap, 4)?, decimals(NORMAL * point.error, 4)?))
            };
            let decisions = report.points.iter().filter(|point| point.player == player).map(|point| point.decisions);
            let mut row =
                vec![Cell::text(&report.agent), Cell::text(player), Cell::text(count(decisions.max().unwrap_or(0)))];
            row.extend(playouts.iter().map(|playouts| Cell::known(gap(playouts))));
            table.rows.push(row);
        }
    }
    blocks.push(Block::Table(table));
    blocks.extend(Lines::gaps(&reports).map(|plot| Block::Plot(Box::new(plot))));
}

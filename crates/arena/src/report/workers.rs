//! The machines that played under time budgets.

use super::document::{Block, Cell, Table};
use super::numbers::{count, percent};
use crate::summary::{SPEED_TOLERANCE, speed_spread};
use crate::{Summary, WorkerSummary};

/// Writes the speeds of the machines, and a warning if they differ.
pub(super) fn write(summary: &Summary, blocks: &mut Vec<Block>) {
    if summary.workers.is_empty() {
        return;
    }
    let mut table = Table::new("Machines").left("Worker").right("Playouts a second");
    let row = |worker: &WorkerSummary| vec![Cell::text(&worker.name), Cell::text(count(worker.speed as u64))];
    table.rows.extend(summary.workers.iter().map(row));
    blocks.extend([Block::Section("Machines".into()), Block::Table(table)]);
    let spread = speed_spread(summary.workers.iter().map(|worker| worker.speed));
    let verdict = match percent(spread) {
        Some(spread_text) if spread > SPEED_TOLERANCE => format!(
            "Warning: the fastest machine is {spread_text} faster than the slowest. Under time budgets an agent is \
             stronger on a faster machine, so these results mix different strengths."
        ),
        _ => "The machines are about equally fast: results under time budgets are comparable.".to_owned(),
    };
    blocks.push(Block::Paragraph(verdict));
}

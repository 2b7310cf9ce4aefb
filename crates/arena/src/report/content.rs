//! The contents of a report on some runs, in order.

use super::document::{Block, Chapter, Document, one_line};
use super::{exploitability, head, models, results, root_exploitability, standings, thinking, workers};
use crate::Summary;

/// The report on some runs.
pub(super) fn report(summaries: &[Summary]) -> Document {
    let title = match summaries.len() {
        0 => "No results".to_owned(),
        count => format!("Results of {count} experiments"),
    };
    Document { title, chapters: summaries.iter().map(chapter).collect() }
}

fn chapter(summary: &Summary) -> Chapter {
    let mut blocks = Vec::new();
    head::write(summary, &mut blocks);
    let several = summary.games.len() > 1;
    for game in &summary.games {
        let heading = if several { format!("Results in {}", one_line(&game.label)) } else { "Results".to_owned() };
        blocks.push(Block::Section(heading));
        if summary.pairs > 0 {
            results::write(summary, &game.label, &mut blocks);
            standings::write(summary, Some(&game.label), &mut blocks);
            thinking::write(summary, &game.label, &mut blocks);
        }
        root_exploitability::write(summary, &game.label, &mut blocks);
        exploitability::write(summary, &game.label, &mut blocks);
    }
    if several && summary.pairs > 0 {
        blocks.push(Block::Section("Over all games".into()));
        standings::write(summary, None, &mut blocks);
    }
    models::write(summary, &mut blocks);
    thinking::write_times(summary, &mut blocks);
    workers::write(summary, &mut blocks);
    results::write_fouls(summary, &mut blocks);
    Chapter { title: one_line(&summary.title), blocks }
}

//! Language models: a section of a report, and a page for each model.

use super::document::{Block, Cell, Chapter, Document, Table, one_line};
use super::numbers::{count, decimals, mean, percent, rates};
use super::{html, markdown};
use crate::statistics::Tally;
use crate::{Conduct, PairingSummary, Price, Summary};

/// How to read the figures.
const LEGEND: &str = "\
     An answer counts only if it names exactly one legal action in the agreed form; nothing is ever replaced. \
     The illegal rate is the share of decisions whose first answer did not count, with a 95 % interval over matches. \
     A model that runs out of requests forfeits the match, which counts as lost.";

/// Writes how the language models of a run conducted themselves.
pub(super) fn write(summary: &Summary, blocks: &mut Vec<Block>) {
    if summary.models.is_empty() {
        return;
    }
    blocks.push(Block::Section("Language models".into()));
    blocks.push(Block::Table(conduct_table(&summary.models.iter().collect::<Vec<_>>(), &[])));
    blocks.push(Block::Paragraph(LEGEND.into()));
}

/// A page about one model.
pub struct ModelPage {
    /// The name of the model.
    pub model: String,
    document: Document,
}

impl ModelPage {
    /// The page as Markdown.
    pub fn markdown(&self) -> String {
        markdown::render(&self.document, None)
    }

    /// The page as a web page, without network access or scripts.
    pub fn html(&self) -> String {
        html::render(&self.document)
    }
}

/// A page for each language model that played in some runs, in the order of their names. `prices` are for the column of
/// costs.
pub fn model_pages(summaries: &[Summary], prices: &[Price]) -> Vec<ModelPage> {
    let mut models: Vec<&str> = summaries.iter().flat_map(|summary| &summary.models).map(|c| &*c.model).collect();
    models.sort_unstable();
    models.dedup();
    models.into_iter().map(|model| page(model, summaries, prices)).collect()
}

fn page(model: &str, summaries: &[Summary], prices: &[Price]) -> ModelPage {
    let mut blocks = vec![Block::Section("Results".into())];
    let mut results = Table::new("Results")
        .left("Experiment")
        .left("Game")
        .left("Agent")
        .left("Opponent")
        .right("Games")
        .right("W-D-L")
        .right("Win rate")
        .right("95 % (pairs)")
        .right("Forfeited");
    let mut conducts = Vec::new();
    for summary in summaries {
        let own = summary.models.iter().filter(|conduct| conduct.model == model);
        for conduct in own {
            conducts.push(conduct);
            let met = summary.results.iter().filter(|result| result.agents.contains(&conduct.agent));
            results.rows.extend(met.map(|result| result_row(summary, result, &conduct.agent)));
        }
    }
    blocks.push(Block::Table(results));
    let legend =
        "Figures are the model's own, a draw as half a win. Forfeited: matches that a failure of either agent ended.";
    blocks.push(Block::Paragraph(legend.into()));
    blocks.push(Block::Section("Answers".into()));
    blocks.push(Block::Table(conduct_table(&conducts, prices)));
    blocks.push(Block::Paragraph(LEGEND.into()));
    let reasons: Vec<String> = conducts
        .iter()
        .flat_map(|conduct| &conduct.reasons)
        .map(|(reason, times)| format!("{} ({})", one_line(reason), count(*times)))
        .collect();
    if !reasons.is_empty() {
        blocks.extend([Block::Section("Answers that did not count".into()), Block::List(reasons)]);
    }
    let chapter = Chapter { title: one_line(model), blocks };
    ModelPage { model: model.to_owned(), document: Document { title: one_line(model), chapters: vec![chapter] } }
}

/// A result from the view of one of the agents.
fn result_row(summary: &Summary, result: &PairingSummary, agent: &str) -> Vec<Cell> {
    let first = result.first == agent;
    let tally: Tally = if first { result.tally } else { result.tally.reversed() };
    let turned = |(low, high): (f64, f64)| if first { (low, high) } else { (1.0 - high, 1.0 - low) };
    let opponents: Vec<&str> = result.agents.iter().map(String::as_str).filter(|other| *other != agent).collect();
    let opponent = if opponents.is_empty() { agent.to_owned() } else { opponents.join(", ") };
    vec![
        Cell::text(one_line(&summary.title)),
        Cell::text(one_line(&result.game)),
        Cell::text(one_line(agent)),
        Cell::text(one_line(&opponent)),
        Cell::text(count(tally.matches())),
        Cell::text(format!("{}-{}-{}", tally.wins, tally.draws, tally.losses)),
        Cell::known(tally.rate().and_then(percent)),
        Cell::known(result.pair_interval.map(turned).and_then(rates)),
        Cell::text(count(result.forfeited)),
    ]
}

fn conduct_table(conducts: &[&Conduct], prices: &[Price]) -> Table {
    let mut table = Table::new("Answers of language models")
        .left("Agent")
        .left("Model")
        .left("Prompts")
        .right("Decisions")
        .right("Requests")
        .right("Illegal rate")
        .right("95 %")
        .right("Not legal")
        .right("Unreadable")
        .right("No answer")
        .right("Forfeits")
        .right("Tokens in")
        .right("Tokens out")
        .right("Seconds a request")
        .right_if(!prices.is_empty(), "Cost");
    for conduct in conducts {
        let legal = if conduct.legal_listed { "legal actions" } else { "without legal actions" };
        let scrambled = if conduct.scramble.is_some() { ", scrambled" } else { "" };
        let mut row = vec![
            Cell::text(one_line(&conduct.agent)),
            Cell::text(one_line(&conduct.model)),
            Cell::text(format!("{legal}{scrambled}")),
            Cell::text(count(conduct.decisions)),
            Cell::text(count(conduct.requests)),
            Cell::known(conduct.illegal_rate.and_then(percent)),
            Cell::known(conduct.illegal_interval.and_then(rates)),
            Cell::text(count(conduct.not_legal)),
            Cell::text(count(conduct.unreadable)),
            Cell::text(count(conduct.failed)),
            Cell::text(count(conduct.forfeited)),
            Cell::text(count(conduct.input_tokens)),
            Cell::text(count(conduct.output_tokens)),
            Cell::known(conduct.seconds_a_request().and_then(mean)),
        ];
        if !prices.is_empty() {
            row.push(Cell::known(conduct.cost(prices).and_then(|cost| decimals(cost, 4))));
        }
        table.rows.push(row);
    }
    table
}

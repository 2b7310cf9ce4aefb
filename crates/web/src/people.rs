//! Tables that people play: the lab leads a person through the protocol and counts the results.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use tesuji_arena::statistics::{Tally, score, wilson};
use tesuji_arena::{CONFIDENCE, Opponent, Protocol, library_entry};
use utoipa::ToSchema;

use crate::database::ProtocolRow;
use crate::error::ApiError;
use crate::lab::Lab;

/// A match that is played for a table.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ProtocolRequest {
    /// The table of the library.
    pub table: String,
    /// The number of the opponent in the protocol.
    pub opponent: usize,
}

/// What people play for a table, and how it went.
#[derive(Serialize, ToSchema)]
pub(crate) struct PeopleView {
    /// The game's address.
    pub game: String,
    /// What people call the game.
    pub title: String,
    /// Matches of one person against each opponent.
    pub matches: u64,
    /// The opponents with the results against them.
    pub opponents: Vec<OpponentView>,
}

/// An opponent with the results of people against it.
#[derive(Serialize, ToSchema)]
pub(crate) struct OpponentView {
    /// What the paper calls it.
    pub label: String,
    /// Its address.
    pub agent: String,
    /// What a decision may cost.
    pub budget: String,
    /// The agent's published win rate against people.
    pub published: f64,
    /// The published number of matches.
    pub published_matches: u64,
    /// The 95 % interval of the published win rate.
    pub published_interval: Option<(f64, f64)>,
    /// A remark on the published number.
    pub note: String,
    /// The results of everybody.
    pub all: ResultView,
    /// The results of each person, by nickname.
    pub people: BTreeMap<String, ResultView>,
}

/// Results of an agent against people.
#[derive(Clone, Default, Serialize, ToSchema)]
pub(crate) struct ResultView {
    /// Matches the agent won.
    pub wins: u64,
    /// Draws.
    pub draws: u64,
    /// Matches the agent lost.
    pub losses: u64,
    /// The agent's win rate.
    pub win_rate: Option<f64>,
    /// Its 95 % interval.
    pub interval: Option<(f64, f64)>,
    /// The match that is not over yet.
    pub unfinished: Option<String>,
    /// Matches that were begun.
    pub begun: u64,
}

/// The protocol of a table.
pub(crate) fn protocol(table: &str) -> Result<Protocol, ApiError> {
    let entry = library_entry(table)?;
    entry.people.ok_or_else(|| ApiError::bad(format!("`{table}` is not a table that people play")))
}

/// What people play for a table, and how it went so far.
pub(crate) fn view(lab: &Lab, table: &str) -> Result<PeopleView, ApiError> {
    let protocol = protocol(table)?;
    let game = lab.catalogue.open(&protocol.game)?;
    let rows = lab.services.database.protocol(table)?;
    let opponent = |(number, opponent): (usize, &Opponent)| {
        let own: Vec<&ProtocolRow> = rows.iter().filter(|row| row.opponent == number).collect();
        let mut names: Vec<&str> = own.iter().map(|row| row.person.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        let of = |name: &str| own.iter().copied().filter(|row| row.person == name).collect::<Vec<_>>();
        let result = |rows: &[&ProtocolRow]| result(game.spec(), rows);
        OpponentView {
            label: opponent.label.clone(),
            agent: opponent.agent.clone(),
            budget: opponent.budget.clone(),
            published: opponent.win_rate,
            published_matches: opponent.published_matches,
            published_interval: wilson(
                opponent.win_rate * opponent.published_matches as f64,
                opponent.published_matches,
                CONFIDENCE,
            ),
            note: opponent.note.clone(),
            all: result(&own),
            people: names.iter().map(|name| ((*name).to_owned(), result(&of(name)))).collect(),
        }
    };
    let opponents = protocol.opponents.iter().enumerate().map(opponent).collect();
    let title = lab.catalogue.title(&protocol.game)?;
    Ok(PeopleView { game: protocol.game.clone(), title, matches: protocol.matches, opponents })
}

/// The agent's results in these matches.
fn result(spec: &tesuji_arena::Spec, rows: &[&ProtocolRow]) -> ResultView {
    let mut tally = Tally::default();
    for row in rows.iter().filter(|row| row.over) {
        if let Some(payoffs) = &row.payoffs {
            tally.count(1.0 - score(spec, payoffs, row.seat));
        }
    }
    ResultView {
        wins: tally.wins,
        draws: tally.draws,
        losses: tally.losses,
        win_rate: tally.rate(),
        interval: wilson(tally.score(), tally.matches(), CONFIDENCE),
        unfinished: rows.iter().find(|row| !row.over).map(|row| row.id.clone()),
        begun: rows.len() as u64,
    }
}

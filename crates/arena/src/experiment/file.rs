//! Reads an experiment from TOML: checks, and errors with their place.

use std::collections::BTreeSet;
use std::ops::Range;
use std::time::Duration;

use tesuji_core::{InputError, Source};
use toml::Spanned;

use super::written::{
    File, Written, WrittenBudget, WrittenClock, WrittenExploitability, WrittenPairings, WrittenResult, WrittenScale,
    WrittenSprt,
};
use super::{
    Competitor, EarlyStop, EnteredGame, Experiment, Labelled, MOST_PAIRS, Published, RootExploitability, Scale,
};
use crate::statistics::{EloScale, SprtSettings};
use crate::{Budget, Catalogue, root_exploitability};

/// The greatest number of playouts of a decision whose exploitability is measured; more are taken to be a typing error.
const MOST_ROOT_PLAYOUTS: u64 = 1_000_000_000;
/// The greatest number of measured decisions for one figure.
const MOST_REPEATS: u64 = 1_000_000;
/// Decisions for each figure of root exploitability, unless the file says otherwise.
const ROOT_REPEATS: u64 = 10;
/// Searches for each state of a whole game, unless the file says otherwise.
const WHOLE_REPEATS: u64 = 1;

/// Reads and checks an experiment, and opens its games. Errors name the file, the line and what was expected.
pub fn read_experiment(catalogue: &Catalogue, source: &Source, scale: Scale) -> Result<Experiment, InputError> {
    Reader { catalogue, source }.check(parse(source)?, scale)
}

/// The addresses of the agents in a file. Nothing is opened or built.
pub fn agents_named(source: &Source) -> Result<Vec<String>, InputError> {
    let agents = parse(source)?.agents.into_inner();
    Ok(agents.into_iter().map(|written| written.into_inner().address).collect())
}

fn parse(source: &Source) -> Result<File, InputError> {
    toml::from_str(source.text()).map_err(|error| {
        let place = error.span().unwrap_or(0..0);
        InputError::new(error.message().trim().to_owned()).with_help("docs/experiments.md describes every key").at(
            source,
            place.start,
            place.len(),
        )
    })
}

struct Reader<'a> {
    catalogue: &'a Catalogue,
    source: &'a Source,
}

impl Reader<'_> {
    fn wrong(&self, span: Range<usize>, message: impl Into<String>) -> InputError {
        InputError::new(message).at(self.source, span.start, span.len())
    }

    /// An error from deeper down, at the place of the text that caused it.
    fn placed<T>(&self, span: Range<usize>, result: Result<T, InputError>) -> Result<T, InputError> {
        result.map_err(|error| error.at(self.source, span.start, span.len()))
    }

    fn check(&self, file: File, scale: Scale) -> Result<Experiment, InputError> {
        let chosen = match scale {
            Scale::Quick => file.scale.quick,
            Scale::Full => file.scale.full,
        };
        let WrittenScale { pairs, budget, root_exploitability, exploitability } = chosen.unwrap_or_default();
        let pairs = pairs.unwrap_or(file.pairs);
        let games = self.games(&file.games)?;
        let at_root = root_exploitability.or(file.root_exploitability);
        let at_root = at_root.map(|written| self.root_exploitability(&written, &games)).transpose()?;
        let whole = exploitability.or(file.exploitability);
        let whole = whole.map(|written| self.exploitability(&written, &games)).transpose()?;
        let least = u64::from(at_root.is_none() && whole.is_none());
        if !(least..=MOST_PAIRS).contains(pairs.get_ref()) {
            return Err(self.wrong(pairs.span(), format!("expected {least} to {MOST_PAIRS} pairs")));
        }
        let budget = budget.or(file.budget).map(|budget| self.budget(budget.span(), budget.get_ref())).transpose()?;
        // Without matches the only decisions are those that are measured.
        let playouts = at_root.iter().chain(&whole).flat_map(|measured| &measured.playouts);
        let largest = playouts.max().filter(|_| *pairs.get_ref() == 0);
        // A list of pairings may hold an agent that plays alone.
        let listed = matches!(file.pairings.as_ref().map(Spanned::get_ref), Some(WrittenPairings::List(_)));
        let least = if listed { 1 } else { 2 };
        let common = budget.or(largest.map(|&most| Budget::playouts(most)));
        let agents = self.agents(&file.agents, least, common, &games)?;
        let mut pairings = self.pairings(file.pairings, &agents, &games)?;
        if *pairs.get_ref() == 0 {
            pairings.clear();
        }
        let start = file.start.map(|written| self.start(&written)).transpose()?;
        let overtime = file.overtime.map(|written| self.overtime(&written)).transpose()?;
        let sprt = file.sprt.map(|written| self.sprt(&written)).transpose()?;
        let core_hours = file.core_hours.map(|written| self.core_hours(&written)).transpose()?;
        let published = file.published.iter().map(|result| self.published(result, &games, &agents));
        Ok(Experiment {
            title: file.title,
            about: file.about,
            reproduces: file.reproduces,
            published: published.collect::<Result<_, _>>()?,
            games,
            agents,
            pairings,
            pairs: *pairs.get_ref(),
            seed: file.seed,
            shared_dice: file.shared_dice,
            fixed_seats: file.fixed_seats,
            core_hours: core_hours.filter(|_| scale == Scale::Full),
            start,
            overtime,
            sprt,
            root_exploitability: at_root,
            exploitability: whole,
            scale,
        })
    }

    fn root_exploitability(
        &self,
        written: &Spanned<WrittenExploitability>,
        games: &[EnteredGame],
    ) -> Result<RootExploitability, InputError> {
        for game in games {
            self.placed(written.span(), game.game.exploitability_meter())?;
        }
        self.measured(written, ROOT_REPEATS)
    }

    fn exploitability(
        &self,
        written: &Spanned<WrittenExploitability>,
        games: &[EnteredGame],
    ) -> Result<RootExploitability, InputError> {
        for game in games {
            let limits = root_exploitability::whole_game_limits(None);
            self.placed(written.span(), game.game.whole_game_meter(None, &limits))?;
        }
        self.measured(written, WHOLE_REPEATS)
    }

    fn measured(
        &self,
        written: &Spanned<WrittenExploitability>,
        default: u64,
    ) -> Result<RootExploitability, InputError> {
        let place = written.span();
        let WrittenExploitability { playouts, repeats } = written.get_ref();
        let repeats = repeats.unwrap_or(default);
        let distinct: BTreeSet<u64> = playouts.iter().copied().collect();
        let sensible = distinct.iter().all(|playouts| (1..=MOST_ROOT_PLAYOUTS).contains(playouts));
        if distinct.is_empty() || distinct.len() < playouts.len() || !sensible {
            let message = format!("expected a list of different numbers of playouts, 1 to {MOST_ROOT_PLAYOUTS}");
            return Err(self.wrong(place, message));
        }
        if !(1..=MOST_REPEATS).contains(&repeats) {
            return Err(self.wrong(place, format!("expected 1 to {MOST_REPEATS} repeats")));
        }
        Ok(RootExploitability { playouts: playouts.clone(), repeats })
    }

    fn budget(&self, place: Range<usize>, written: &WrittenBudget) -> Result<Budget, InputError> {
        let WrittenBudget { playouts, nodes, time } = written;
        let mut parts = Vec::new();
        parts.extend(playouts.map(|count| format!("playouts={count}")));
        parts.extend(nodes.map(|count| format!("nodes={count}")));
        parts.extend(time.as_ref().map(|time| format!("time={time}")));
        if parts.is_empty() {
            return Err(self.wrong(place, "a budget limits playouts, nodes or time; this one limits nothing"));
        }
        self.placed(place, parts.join(",").parse())
    }

    fn start(&self, written: &Spanned<WrittenClock>) -> Result<Budget, InputError> {
        match written.get_ref() {
            WrittenClock::Text(text) => self.placed(written.span(), Budget::from_clock(text)),
            WrittenClock::Table(table) => self.budget(written.span(), table),
        }
    }

    fn labels(
        &self,
        all: &Spanned<Vec<Spanned<Written>>>,
        what: &str,
        least: usize,
    ) -> Result<Vec<Labelled>, InputError> {
        if all.get_ref().len() < least {
            return Err(self.wrong(all.span(), format!("expected at least {least} {what}")));
        }
        let mut seen = BTreeSet::new();
        let mut labels = Vec::new();
        for written in all.get_ref() {
            let Written { address, label, .. } = written.get_ref();
            let label = label.clone().unwrap_or_else(|| address.clone());
            if !seen.insert(label.clone()) {
                return Err(self
                    .wrong(written.span(), format!("two {what} are called `{label}`"))
                    .with_help("give one of them a `label`"));
            }
            labels.push(Labelled { label, address: address.clone() });
        }
        Ok(labels)
    }

    fn games(&self, all: &Spanned<Vec<Spanned<Written>>>) -> Result<Vec<EnteredGame>, InputError> {
        let mut games = Vec::new();
        for (written, Labelled { label, address }) in all.get_ref().iter().zip(self.labels(all, "games", 1)?) {
            let game = self.placed(written.span(), self.catalogue.open(&address))?;
            games.push(EnteredGame::new(label, address, game));
            if let Some(budget) = &written.get_ref().budget {
                return Err(self.wrong(budget.span(), "a game has no budget"));
            }
        }
        Ok(games)
    }

    fn agents(
        &self,
        all: &Spanned<Vec<Spanned<Written>>>,
        least: usize,
        common: Option<Budget>,
        games: &[EnteredGame],
    ) -> Result<Vec<Competitor>, InputError> {
        let labels = self.labels(all, "agents", least)?;
        let mut agents = Vec::new();
        for (written, name) in all.get_ref().iter().zip(labels) {
            let own = written.get_ref().budget.as_ref();
            let own = own.map(|budget| self.budget(budget.span(), budget.get_ref())).transpose()?;
            for game in games {
                self.placed(written.span(), game.game.check_agent(&name.address))?;
            }
            let Some(budget) = own.or(common) else {
                return Err(self
                    .wrong(written.span(), format!("`{}` has no budget", name.label))
                    .with_help("add `budget = { playouts = 1000 }` for all agents or for this one"));
            };
            agents.push(Competitor { name, budget });
        }
        Ok(agents)
    }

    fn pairings(
        &self,
        written: Option<Spanned<WrittenPairings>>,
        agents: &[Competitor],
        games: &[EnteredGame],
    ) -> Result<Vec<Vec<usize>>, InputError> {
        let all =
            || (0..agents.len()).flat_map(|first| (first + 1..agents.len()).map(move |second| vec![first, second]));
        let Some(written) = written else { return Ok(all().collect()) };
        let place = written.span();
        match written.into_inner() {
            WrittenPairings::All => Ok(all().collect()),
            WrittenPairings::First => Ok((1..agents.len()).map(|second| vec![0, second]).collect()),
            WrittenPairings::List(listed) => {
                let mut pairings: Vec<Vec<usize>> = Vec::new();
                for labels in &listed {
                    let found = labels.iter().map(|label| self.agent(&place, agents, label));
                    let pairing = found.collect::<Result<Vec<usize>, _>>()?;
                    let named = labels.join("`, `");
                    if pairing.iter().collect::<BTreeSet<_>>().len() < pairing.len() {
                        return Err(self
                            .wrong(place, format!("the pairing of `{named}` names an agent twice"))
                            .with_help("list the agent twice under `agents`, with different labels"));
                    }
                    if pairings.contains(&pairing) {
                        return Err(self.wrong(place, format!("the pairing of `{named}` is listed twice")));
                    }
                    let seats = |game: &EnteredGame| game.game.spec().players.len();
                    if let Some(game) = games.iter().find(|game| ![2, seats(game)].contains(&pairing.len())) {
                        let (count, label, seats) = (pairing.len(), &game.label, seats(game));
                        let message =
                            format!("a pairing of {count} agent(s) in `{label}`, a game for {seats} player(s)");
                        return Err(self.wrong(place, message).with_help("name two agents, or one for each player"));
                    }
                    pairings.push(pairing);
                }
                if pairings.is_empty() {
                    return Err(self.wrong(place, "expected at least one pairing"));
                }
                Ok(pairings)
            }
        }
    }

    fn agent(&self, place: &Range<usize>, agents: &[Competitor], label: &str) -> Result<usize, InputError> {
        agents.iter().position(|agent| agent.name.label == label).ok_or_else(|| {
            let labels: Vec<&str> = agents.iter().map(|agent| agent.name.label.as_str()).collect();
            self.wrong(place.clone(), format!("there is no agent `{label}` in this file"))
                .with_help(format!("its agents are {}", labels.join(", ")))
        })
    }

    fn overtime(&self, written: &Spanned<String>) -> Result<Duration, InputError> {
        let budget: Budget = self.placed(written.span(), format!("time={}", written.get_ref()).parse())?;
        budget.time.ok_or_else(|| self.wrong(written.span(), "expected a time such as \"2s\""))
    }

    fn core_hours(&self, written: &Spanned<f64>) -> Result<f64, InputError> {
        let hours = *written.get_ref();
        let sensible = hours > 0.0 && hours.is_finite();
        sensible.then_some(hours).ok_or_else(|| self.wrong(written.span(), "expected a number of hours above 0"))
    }

    fn sprt(&self, written: &Spanned<WrittenSprt>) -> Result<EarlyStop, InputError> {
        let WrittenSprt { elo0, elo1, alpha, beta, model, normalised } = *written.get_ref();
        let scale = if normalised { EloScale::Normalised } else { EloScale::Logistic };
        let settings = SprtSettings { elo0, elo1, alpha, beta, scale };
        if settings.bounds().is_none() {
            let message = "expected elo0 below elo1, both within ±2000, and alpha and beta above 0 with a sum below 1";
            return Err(self.wrong(written.span(), message));
        }
        Ok(EarlyStop { settings, model })
    }

    fn published(
        &self,
        written: &Spanned<WrittenResult>,
        games: &[EnteredGame],
        agents: &[Competitor],
    ) -> Result<Published, InputError> {
        let place = written.span();
        let WrittenResult { game, first, second, wins, draws, losses, win_rate, games: played, note } =
            written.get_ref();
        self.agent(&place, agents, first)?;
        self.agent(&place, agents, second)?;
        let game = match game {
            Some(label) => games.iter().find(|game| game.label == *label),
            None if games.len() == 1 => games.first(),
            None => None,
        };
        let Some(game) = game else {
            let labels: Vec<&str> = games.iter().map(|game| game.label.as_str()).collect();
            return Err(self
                .wrong(place, "expected `game`, the label of a game of this file")
                .with_help(labels.join(", ")));
        };
        let counts = match (wins, losses) {
            (Some(wins), Some(losses)) => Some([*wins, draws.unwrap_or(0), *losses]),
            (None, None) => None,
            _ => return Err(self.wrong(place, "expected both `wins` and `losses`, or neither")),
        };
        let total = counts.map(|counts| counts.iter().sum::<u64>()).filter(|&total| total > 0);
        let counted =
            counts.zip(total).map(|([wins, draws, _], total)| (wins as f64 + draws as f64 / 2.0) / total as f64);
        let rate = match counted.or(*win_rate) {
            Some(rate) if (0.0..=1.0).contains(&rate) => rate,
            _ => return Err(self.wrong(place, "expected `wins` and `losses`, or `win_rate` from 0 to 1")),
        };
        Ok(Published {
            game: game.label.clone(),
            first: first.clone(),
            second: second.clone(),
            win_rate: rate,
            matches: total.or(*played),
            counts,
            note: note.clone(),
        })
    }
}

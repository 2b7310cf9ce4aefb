//! What a result depends on, as hashes: two runs with the same identity play the same matches.

use serde::Serialize;
use sha2::{Digest, Sha256};
use tesuji_core::Actor;

use crate::experiment::{Competitor, EnteredGame, Experiment};
use crate::{AnyGame, InputError};

/// A game of a run: enough to notice that it is not the same game any more.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct GameIdentity {
    /// The name in tables.
    pub label: String,
    /// The address.
    pub address: String,
    /// The version of its rules.
    pub version: u32,
    /// A hash of its start as written and drawn, of its legal actions there and of its spec: a map file that changed
    /// shows here.
    pub hash: String,
}

/// The content hash of an opened game.
pub(crate) fn game_hash(game: &dyn AnyGame) -> Result<String, InputError> {
    let table = game.new_match(None)?;
    let mut hash = Sha256::new();
    let mut add = |text: &str| {
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text.as_bytes());
    };
    add(&format!("{:?}", game.spec()));
    add(&table.state_text());
    add(&table.picture().svg());
    for (actor, name) in table.actors() {
        add(&name);
        add(&table.legal(actor).join("\n"));
        if actor == Actor::Chance {
            add(&format!("{:?}", table.chances()));
        }
    }
    Ok(hex(&hash.finalize()))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The games of an experiment as they are now.
pub(crate) fn game_identities(experiment: &Experiment) -> Result<Vec<GameIdentity>, InputError> {
    let identify = |entered: &EnteredGame| {
        Ok(GameIdentity {
            label: entered.label.clone(),
            address: entered.address.clone(),
            version: entered.game.spec().version,
            hash: entered.content_hash()?.to_owned(),
        })
    };
    experiment.games.iter().map(identify).collect()
}

/// An agent of a run: enough to notice that it is not the same agent any more.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct AgentIdentity {
    /// The name in tables.
    pub label: String,
    /// The address.
    pub address: String,
    /// What a decision may cost.
    pub budget: String,
    /// A hash of address, budget, the files it names and the version of the program, which is what an agent's behaviour
    /// depends on.
    pub hash: String,
}

/// For each agent of an experiment a hash of the files that its address names, as they are now; empty if it names none.
pub(crate) fn agent_contents(experiment: &Experiment) -> Result<Vec<String>, InputError> {
    let hash = |agent: &Competitor| {
        let mut all = String::new();
        for entered in &experiment.games {
            all.push_str(&entered.game.agent_contents(&agent.name.address)?);
        }
        Ok(if all.is_empty() { all } else { hex(&Sha256::digest(all)) })
    };
    experiment.agents.iter().map(hash).collect()
}

/// The agents of an experiment as this program plays them, with their [`agent_contents`].
pub(crate) fn agent_identities(experiment: &Experiment, contents: &[String], version: &str) -> Vec<AgentIdentity> {
    let identify = |(agent, contents): (&Competitor, &String)| {
        let budget = agent.budget.to_string();
        let address = agent.name.address.clone();
        let hash = hex(&Sha256::digest(format!("{address}\n{budget}\n{version}{contents}")));
        AgentIdentity { label: agent.name.label.clone(), address, budget, hash }
    };
    experiment.agents.iter().zip(contents).map(identify).collect()
}

/// The identity of a run: games, agents, the files they name, budgets, pairings and seed. The number of pairs is not
/// part of it, so that a longer run resumes where a shorter one ended.
pub(crate) fn run_identity(experiment: &Experiment, games: &[GameIdentity], contents: &[String]) -> String {
    let mut hash = Sha256::new();
    hash.update(format!("{games:?}").as_bytes());
    for (agent, contents) in experiment.agents.iter().zip(contents) {
        hash.update(format!("{:?} {}\n{contents}", agent.name, agent.budget).as_bytes());
    }
    // Pairings of two are written as they always were, so that old runs keep their identity.
    let pairing = |agents: &Vec<usize>| match agents[..] {
        [first, second] => format!("({first}, {second})"),
        _ => format!("{agents:?}"),
    };
    let pairings: Vec<String> = experiment.pairings.iter().map(pairing).collect();
    let pairings = pairings.join(", ");
    hash.update(format!("[{pairings}] {} {:?}", experiment.seed, experiment.overtime).as_bytes());
    if experiment.shared_dice {
        hash.update(b" shared dice");
    }
    if experiment.fixed_seats {
        hash.update(b" fixed seats");
    }
    // Without a start clock nothing is added: such runs keep the identity they always had.
    if let Some(start) = experiment.start {
        hash.update(format!(" start {start}").as_bytes());
    }
    hex(&hash.finalize())
}

//! A ring: some agents who meet in one game, match after match, on one thread.
//!
//! A *round* is all seatings of the agents with the same dice. As many agents as seats: the seats rotate. Two agents in
//! a game for more: each seat in turn holds the first agent, and copies of the second sit elsewhere. A game for one:
//! each agent plays alone, and the better payoff wins the round.

use std::time::Duration;

use tesuji_core::laws::Complete;
use tesuji_core::{InputError, Player};
use tesuji_play::{Agent, Budget};
use tesuji_play::{DecisionRecord, Ending, Match, Seated, Streams};

use crate::decision_text::joint_texts;
use crate::playable::Playable;

/// An agent who competes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entrant {
    /// Its address.
    pub address: String,
    /// What a decision may cost, unless the address says so itself.
    pub budget: Budget,
    /// What it may spend before the first step of a match, the start clock; `None`: nothing.
    pub start: Option<Budget>,
    /// The longest a decision may take before it is a foul.
    pub limit: Option<Duration>,
}

/// Plays the matches of some agents in one game.
pub trait Ring: Send {
    /// The seat plans of a round: for each match, the agent in each seat.
    fn seatings(&self) -> &[Vec<usize>];

    /// Plays match `seating` of the round that has `seed`. `record`: keep the moves as text.
    fn play(&mut self, seating: usize, seed: u64, record: bool) -> PlayedMatch;
}

/// A finished match.
#[derive(Clone, PartialEq, Debug)]
pub struct PlayedMatch {
    /// Which seating of its round.
    pub seating: usize,
    /// What each seat got.
    pub payoffs: Vec<f64>,
    /// How it ended.
    pub ending: Ending,
    /// Steps played.
    pub steps: u32,
    /// Did chance or an agent draw a random number? Other programs get a seed for each decision, but whether they use
    /// it is not known: it does not count. `None` where no streams are kept: matches that were refereed elsewhere.
    pub random: Option<bool>,
    /// Every decision in order.
    pub decisions: Vec<DecisionRecord>,
    /// The moves as text, if they were asked for.
    pub moves: String,
    /// By seat: what agents asked and were answered, of those who keep that.
    pub transcripts: Vec<(Player, String)>,
}

impl PlayedMatch {
    /// The foul that ended it, with the agent that committed it, in words.
    pub fn foul(&self, agents: &[String], seatings: &[Vec<usize>]) -> Option<String> {
        match &self.ending {
            Ending::Natural | Ending::Resigned { .. } => None,
            Ending::Foul { player, foul } => {
                Some(format!("{}: {foul}", agents[seatings[self.seating][player.index()]]))
            }
        }
    }
}

/// The seat plans of a round.
pub fn seatings(agents: usize, seats: usize) -> Vec<Vec<usize>> {
    if agents == seats {
        (0..seats).map(|shift| (0..seats).map(|seat| (seat + seats - shift) % seats).collect()).collect()
    } else if seats == 1 {
        (0..agents).map(|agent| vec![agent]).collect()
    } else {
        (0..seats).map(|own| (0..seats).map(|seat| usize::from(seat != own)).collect()).collect()
    }
}

pub(crate) struct TypedRing<G: Complete> {
    game: Playable<G>,
    entrants: Vec<Entrant>,
    seatings: Vec<Vec<usize>>,
    /// Whether each entrant is another program.
    outside: Vec<bool>,
    /// One agent for each seat that an entrant can hold at once; rebuilt after a foul.
    copies: Vec<Vec<Box<dyn Agent<G>>>>,
}

impl<G: Complete> TypedRing<G> {
    /// Refuses entrants that cannot play, and numbers of them that do not fit the seats.
    pub(crate) fn new(game: Playable<G>, entrants: &[Entrant]) -> Result<TypedRing<G>, InputError> {
        let spec = game.spec();
        let seats = spec.players.len();
        if entrants.len() != seats && entrants.len() != 2 {
            let players = spec.players.join(", ");
            let message = format!("`{}` is for {seats} player(s), got {} agent(s)", spec.name, entrants.len());
            return Err(InputError::new(message).with_help(format!("one agent for each of: {players}")));
        }
        let seatings = seatings(entrants.len(), seats);
        let copies =
            |agent: usize| seatings.iter().map(|seating| seating.iter().filter(|&&held| held == agent).count()).max();
        let build = |(agent, entrant): (usize, &Entrant)| {
            (0..copies(agent).unwrap_or(0)).map(|_| game.build_agent(&entrant.address)).collect()
        };
        let copies = entrants.iter().enumerate().map(build).collect::<Result<_, InputError>>()?;
        let outside = entrants.iter().map(|entrant| game.is_outside(&entrant.address)).collect();
        Ok(TypedRing { entrants: entrants.to_vec(), seatings, outside, copies, game })
    }

    fn rebuild(&mut self) {
        for (entrant, copies) in self.entrants.iter().zip(&mut self.copies) {
            for copy in copies {
                *copy = self
                    .game
                    .build_agent(&entrant.address)
                    .unwrap_or_else(|error| panic!("`{}` was built before: {error}", entrant.address));
            }
        }
    }
}

impl<G: Complete> Ring for TypedRing<G> {
    fn seatings(&self) -> &[Vec<usize>] {
        &self.seatings
    }

    fn play(&mut self, seating: usize, seed: u64, record: bool) -> PlayedMatch {
        let plan = &self.seatings[seating];
        let mut free: Vec<_> = self.copies.iter_mut().map(|copies| copies.iter_mut()).collect();
        let mut seated = Vec::new();
        for &agent in plan {
            let entrant = &self.entrants[agent];
            if let Some(copy) = free[agent].next() {
                let Entrant { budget, start, limit, .. } = *entrant;
                seated.push(Seated { agent: &mut **copy, budget, start, limit });
            }
        }
        let streams = Streams::new(seed, seating as u64, plan.len());
        let mut machine = Match::new(&*self.game, streams.clone());
        let ending = machine.play(&mut seated);
        let drew = |(seat, &agent): (usize, &usize)| {
            !self.outside[agent] && machine.streams().seat_drew(&streams, seat) == Some(true)
        };
        let random = machine.streams().chance_drew(&streams) == Some(true) || plan.iter().enumerate().any(drew);
        let transcripts = seated.iter_mut().zip(self.game.spec().seats());
        let transcripts = transcripts.filter_map(|(seated, player)| Some((player, seated.agent.transcript()?)));
        let played = PlayedMatch {
            seating,
            transcripts: transcripts.collect(),
            payoffs: machine.payoffs().unwrap_or_default(),
            steps: machine.history().len() as u32,
            random: Some(random),
            moves: if record { moves(&machine) } else { String::new() },
            decisions: machine.take_decisions(),
            ending,
        };
        if played.ending != Ending::Natural {
            self.rebuild();
        }
        played
    }
}

/// The steps of a match as text, one a line, the actions of a step separated by tabs.
fn moves<G: Complete>(machine: &Match<G, &G>) -> String {
    let game = machine.game();
    let mut state = machine.start();
    let mut text = String::new();
    for joint in machine.history().steps() {
        text.push_str(&joint_texts(game, &state, joint).join("\t"));
        text.push('\n');
        game.apply(&mut state, joint);
    }
    text
}

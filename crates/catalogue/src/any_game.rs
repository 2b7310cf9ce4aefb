//! A game without its types: what the surfaces hold.

use std::fmt;

use serde::Serialize;
use tesuji_core::laws::{Complete, Report, Violation};
use tesuji_core::{
    Capabilities, ErrorKind, FeatureSet, Features, Game, InputError, Named, Picture, Player, Spec, perft_table,
};
use tesuji_learn::{SelfPlay, self_play};

use crate::bench::{BenchPlan, BenchResult, bench};
use crate::certificate::{CheckedCertificate, certificate, check_certificate};
use crate::erased::{ErasedGame, State};
use crate::exploitability::{
    ExploitabilityMeter, ExploitabilityPlan, ExploitabilityReport, TypedMeter, exploitability,
};
use crate::games::CheckLaws;
#[cfg(feature = "numbers")]
use crate::numbers::ByNumbers;
use crate::playable::Playable;
use crate::regret::{RegretPlan, RegretReport, regret};
use crate::ring::{Entrant, Ring, TypedRing};
use crate::solve::{Solution, SolvePlan, is_for_joint_moves, solve};
use crate::text_match::TextMatch;
use crate::visits::{JointVisits, joint_visits};
use crate::whole_game::{TypedWholeGame, WholeGameMeter};
use crate::{AgentInfo, AnyMatch};

/// An opened game. Everything a surface can ask of one, in text.
pub trait AnyGame: Send + Sync {
    /// What holds in every state.
    fn spec(&self) -> &Spec;

    /// What executes the rules; `native` for games written in Rust.
    fn engine(&self) -> &'static str;

    /// How long opening took, in seconds.
    fn load_seconds(&self) -> f64;

    /// What the game knows of good play, by name.
    fn knowledge(&self) -> KnowledgeInfo;

    /// Paths from the start for depths 1 to `depth`.
    fn perft(&self, depth: u32) -> Vec<u64>;

    /// Checks the laws by random play.
    fn check_laws(&self, seed: u64) -> Result<Report, Violation>;

    /// A match in progress, from the start or from a written state.
    fn new_match(&self, state: Option<&str>) -> Result<Box<dyn AnyMatch>, InputError>;

    /// Can this agent play here? Builds it and says why not.
    fn check_agent(&self, address: &str) -> Result<(), InputError>;

    /// What this agent's decisions depend on beside its address: the contents of files that it names. Empty if there
    /// are none.
    fn agent_contents(&self, address: &str) -> Result<String, InputError>;

    /// Can an action have these features? Tells the first that it cannot have, by its number, and what was expected.
    fn check_features(&self, features: &[f64]) -> Result<(), (usize, String)>;

    /// The text of a table of memberships that the game offers.
    fn membership_table(&self, name: &str) -> Option<&'static str>;

    /// The features that networks learn from; `None` if the game offers none.
    fn feature_set(&self) -> Option<FeatureSet>;

    /// The networks that come with the game.
    fn networks(&self) -> Vec<NamedInfo>;

    /// The text of a network that comes with the game.
    fn network_text(&self, name: &str) -> Option<&'static str>;

    /// Matches of a network against itself; refuses games that training does not cover.
    fn self_play(&self) -> Result<Box<dyn SelfPlay>, InputError>;

    /// Seats agents for match after match; as many as there are players, or two.
    fn ring(&self, entrants: &[Entrant]) -> Result<Box<dyn Ring>, InputError>;

    /// A match in the game's own record format; `None` if it has none. Refuses moves that are not legal.
    fn record(&self, steps: &[Vec<String>], agents: &[String]) -> Result<Option<String>, InputError>;

    /// What the signs of the game's pictures mean: names and small pictures.
    fn legend(&self) -> Vec<(String, Picture)>;

    /// The text that the rules come from, where they are data: a rule sheet, a map.
    fn rules_text(&self) -> Option<String>;

    /// The rules in words, where the game has them: Markdown.
    fn rules_in_words(&self) -> Option<&'static str>;

    /// Measures speed on one thread.
    fn bench(&self, plan: &BenchPlan) -> Result<BenchResult, InputError>;

    /// The value under best play, from the start or from a written state; refuses games it cannot solve.
    fn solve(&self, state: Option<&str>, plan: &SolvePlan<'_>) -> Result<Solution, InputError>;

    /// A certificate of the value under best play, as text; refuses games that it cannot solve or certify.
    fn certificate(&self, state: Option<&str>, plan: &SolvePlan<'_>) -> Result<String, InputError>;

    /// Checks a certificate of this game claim by claim.
    fn check_certificate(&self, text: &str) -> Result<CheckedCertificate, InputError>;

    /// What an agent's decisions lose against the exact values of sampled positions; refuses games it cannot solve.
    fn regret(&self, plan: &RegretPlan, limits: &SolvePlan<'_>) -> Result<RegretReport, InputError>;

    /// What an agent's strategy in the first state, or in a written one, gives away; refuses games it cannot solve.
    fn exploitability(
        &self,
        state: Option<&str>,
        plan: &ExploitabilityPlan,
        limits: &SolvePlan<'_>,
    ) -> Result<ExploitabilityReport, InputError>;

    /// Measures what agents give away in the first state, one decision at a time; refuses games it cannot solve.
    fn exploitability_meter(&self) -> Result<Box<dyn ExploitabilityMeter>, InputError>;

    /// Measures agents' strategies for the whole game, from the start or from a written state; refuses games with more
    /// states than the plan allows.
    fn whole_game_meter(
        &self,
        state: Option<&str>,
        limits: &SolvePlan<'_>,
    ) -> Result<Box<dyn WholeGameMeter>, InputError>;

    /// How often an agent tries each joint action of the first state, or of a written one; for the first who moves
    /// there unless told otherwise.
    fn joint_visits(
        &self,
        state: Option<&str>,
        plan: &ExploitabilityPlan,
        player: Option<Player>,
    ) -> Result<Vec<JointVisits>, InputError>;

    /// The game for programs that know actions by number.
    #[cfg(feature = "numbers")]
    fn by_numbers(&self) -> &dyn ByNumbers;

    /// All agents of the catalogue that opened the game.
    fn agents(&self) -> &[AgentInfo];

    /// The agents that can play this game with their defaults: they handle all its features, and find what they need to
    /// know of it.
    fn able_agents(&self) -> Vec<AgentInfo> {
        self.agents().iter().filter(|info| self.check_agent(info.name).is_ok()).cloned().collect()
    }
}

impl fmt::Debug for dyn AnyGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AnyGame({})", self.spec().name)
    }
}

/// The names of what a game knows.
#[derive(Clone, Debug, Serialize)]
pub struct KnowledgeInfo {
    /// Playout policies beside the uniform one.
    pub policies: Vec<NamedInfo>,
    /// The policy that playouts use unless told otherwise.
    pub customary_policy: &'static str,
    /// Evaluations.
    pub evaluations: Vec<NamedInfo>,
    /// Features of actions.
    pub action_features: Vec<NamedInfo>,
    /// Tables of how good actions look by their features.
    pub membership_tables: Vec<NamedInfo>,
}

/// A name with the sentence that explains it.
#[derive(Clone, Debug, Serialize)]
pub struct NamedInfo {
    /// How users write it.
    pub name: &'static str,
    /// What it is.
    pub summary: &'static str,
}

fn named(all: &'static [Named]) -> Vec<NamedInfo> {
    all.iter().map(|named| NamedInfo { name: named.name, summary: named.summary }).collect()
}

/// The typed game behind an [`AnyGame`].
pub(crate) struct Opened<G: Complete> {
    pub(crate) game: Playable<G>,
    erased: ErasedGame<G>,
    check_laws: CheckLaws<G>,
    load_seconds: f64,
}

impl<G: Complete> Opened<G> {
    pub(crate) fn new(game: Playable<G>, check_laws: CheckLaws<G>, load_seconds: f64) -> Opened<G> {
        Opened { erased: ErasedGame::new(&game), game, check_laws, load_seconds }
    }

    /// The written state, or the start.
    pub(crate) fn state(&self, written: Option<&str>) -> Result<G::State, InputError> {
        written.map_or_else(|| Ok(self.game.start()), |text| self.game.parse_state(text))
    }

    /// Refuses a game with hidden information: exact solvers look at the whole state.
    fn solvable(&self) -> Result<(), InputError> {
        let spec = self.game.spec();
        if spec.features.contains(Features::HIDDEN) {
            let message = format!("`{}` cannot be solved: it has hidden information", spec.name);
            return Err(InputError::new(message).of_kind(ErrorKind::Refused).with_help(
                "solvers and measures against exact values are for games in which everybody sees the state",
            ));
        }
        Ok(())
    }
}

impl<G: Complete> AnyGame for Opened<G> {
    fn spec(&self) -> &Spec {
        self.game.spec()
    }

    fn engine(&self) -> &'static str {
        self.game.engine()
    }

    fn load_seconds(&self) -> f64 {
        self.load_seconds
    }

    fn knowledge(&self) -> KnowledgeInfo {
        let game = &*self.game;
        let (heuristics, features) = (game.heuristics(), game.action_features());
        let customary = heuristics.and_then(|heuristics| heuristics.customary_policy(game));
        KnowledgeInfo {
            policies: named(heuristics.map_or(&[], |heuristics| heuristics.policies(game))),
            customary_policy: customary.unwrap_or("uniform"),
            evaluations: named(heuristics.map_or(&[], |heuristics| heuristics.evaluations(game))),
            action_features: named(features.map_or(&[], |features| features.names(game))),
            membership_tables: named(features.map_or(&[], |features| features.tables(game))),
        }
    }

    fn agents(&self) -> &[AgentInfo] {
        self.game.agent_infos()
    }

    fn perft(&self, depth: u32) -> Vec<u64> {
        perft_table(&*self.game, depth)
    }

    fn check_laws(&self, seed: u64) -> Result<Report, Violation> {
        (self.check_laws)(&self.game, seed)
    }

    fn new_match(&self, state: Option<&str>) -> Result<Box<dyn AnyMatch>, InputError> {
        Ok(Box::new(TextMatch::new(self.erased.game(), State::new(self.state(state)?))))
    }

    fn check_agent(&self, address: &str) -> Result<(), InputError> {
        self.game.build_agent(address).map(drop)
    }

    fn agent_contents(&self, address: &str) -> Result<String, InputError> {
        self.game.agent_contents(address)
    }

    fn check_features(&self, features: &[f64]) -> Result<(), (usize, String)> {
        for (index, &value) in features.iter().enumerate() {
            let range = self.game.action_features().and_then(|features| features.range(&self.game, index));
            match range {
                Some((least, most))
                    if value.fract() != 0.0 || !(f64::from(least)..=f64::from(most)).contains(&value) =>
                {
                    return Err((index, format!("a whole number from {least} to {most}")));
                }
                None if !value.is_finite() => return Err((index, "a finite number".to_owned())),
                _ => {}
            }
        }
        Ok(())
    }

    fn membership_table(&self, name: &str) -> Option<&'static str> {
        self.game.action_features()?.table(&self.game, name)
    }

    fn feature_set(&self) -> Option<FeatureSet> {
        self.game.value_features().map(|features| features.set(&self.game))
    }

    fn networks(&self) -> Vec<NamedInfo> {
        named(self.game.value_features().map_or(&[], |features| features.networks(&self.game)))
    }

    fn network_text(&self, name: &str) -> Option<&'static str> {
        self.game.value_features()?.network(&self.game, name)
    }

    fn self_play(&self) -> Result<Box<dyn SelfPlay>, InputError> {
        // Self-play is not compiled for games without features.
        if const { G::OFFERS.contains(Capabilities::VALUE_FEATURES) } {
            Ok(Box::new(self_play(self.game.shared())?))
        } else {
            let name = &self.game.spec().name;
            Err(InputError::new(format!("`{name}` offers no features to learn from"))
                .with_help("`tesuji train --list` lists the games that do"))
        }
    }

    fn ring(&self, entrants: &[Entrant]) -> Result<Box<dyn Ring>, InputError> {
        Ok(Box::new(TypedRing::new(self.game.clone(), entrants)?))
    }

    fn record(&self, steps: &[Vec<String>], agents: &[String]) -> Result<Option<String>, InputError> {
        let erased = self.erased.game();
        let mut table = TextMatch::new(erased.clone(), erased.start());
        for joint in steps {
            table.step(joint)?;
        }
        Ok(self.game.record(&self.erased.steps(table.history()), agents))
    }

    fn legend(&self) -> Vec<(String, Picture)> {
        self.game.legend()
    }

    fn rules_text(&self) -> Option<String> {
        self.game.rules_text()
    }

    fn rules_in_words(&self) -> Option<&'static str> {
        self.game.rules_in_words()
    }

    fn bench(&self, plan: &BenchPlan) -> Result<BenchResult, InputError> {
        bench(&*self.game, &self.erased.game(), self.load_seconds, plan)
    }

    fn solve(&self, state: Option<&str>, plan: &SolvePlan<'_>) -> Result<Solution, InputError> {
        self.solvable()?;
        solve(&*self.game, &self.state(state)?, plan)
    }

    fn certificate(&self, state: Option<&str>, plan: &SolvePlan<'_>) -> Result<String, InputError> {
        self.solvable()?;
        certificate(&*self.game, &self.state(state)?, plan)
    }

    fn check_certificate(&self, text: &str) -> Result<CheckedCertificate, InputError> {
        check_certificate(&*self.game, text)
    }

    fn regret(&self, plan: &RegretPlan, limits: &SolvePlan<'_>) -> Result<RegretReport, InputError> {
        self.solvable()?;
        regret(&self.game, plan, limits)
    }

    fn exploitability(
        &self,
        state: Option<&str>,
        plan: &ExploitabilityPlan,
        limits: &SolvePlan<'_>,
    ) -> Result<ExploitabilityReport, InputError> {
        self.solvable()?;
        let state = self.state(state)?;
        if const { is_for_joint_moves::<G>() } {
            exploitability(TypedMeter::new(self.game.clone(), state)?, plan, limits)
        } else {
            exploitability(TypedMeter::new(self.erased.game(), State::new(state))?, plan, limits)
        }
    }

    fn exploitability_meter(&self) -> Result<Box<dyn ExploitabilityMeter>, InputError> {
        self.solvable()?;
        if const { is_for_joint_moves::<G>() } {
            Ok(Box::new(TypedMeter::new(self.game.clone(), self.game.start())?))
        } else {
            Ok(Box::new(TypedMeter::new(self.erased.game(), State::new(self.game.start()))?))
        }
    }

    fn whole_game_meter(
        &self,
        state: Option<&str>,
        limits: &SolvePlan<'_>,
    ) -> Result<Box<dyn WholeGameMeter>, InputError> {
        self.solvable()?;
        let state = self.state(state)?;
        if const { is_for_joint_moves::<G>() } {
            Ok(Box::new(TypedWholeGame::new(self.game.clone(), &state, limits)?))
        } else {
            Ok(Box::new(TypedWholeGame::new(self.erased.game(), &State::new(state), limits)?))
        }
    }

    #[cfg(feature = "numbers")]
    fn by_numbers(&self) -> &dyn ByNumbers {
        self
    }

    fn joint_visits(
        &self,
        state: Option<&str>,
        plan: &ExploitabilityPlan,
        player: Option<Player>,
    ) -> Result<Vec<JointVisits>, InputError> {
        joint_visits(&self.erased.game(), &State::new(self.state(state)?), plan, player)
    }
}

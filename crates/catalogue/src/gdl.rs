//! Rule sheets as scripts and people ask about them: checked, described, replayed, engines compared.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use serde::Serialize;
use serde_json::{Map, Value};
use tesuji_core::{InputError, Source};
use tesuji_gdl::referee::{LaneReferee, MachineReferee, compare, tidy};
use tesuji_gdl::{EngineKind, Ground, Interpreter, Literal, Network, Sheet, Term, compile, dot, keyword, place_of};
use tesuji_play::{Budget, Meter};

pub use tesuji_gdl::explain::{Application, Condition, Explainer, Explanation, Reason};
pub use tesuji_gdl::interpreter::Limits;
pub use tesuji_gdl::referee::LANES;
pub use tesuji_gdl::referee::{Compared, Referee, View};
pub use tesuji_gdl::tutor::{Agreement, Detail, Disagreement, Examples, Plan, Suspect, Verdict, tutor};
pub use tesuji_gdl::validate::{Finding, Severity, Trial, compare_engines, validate};
pub use tesuji_gdl::{GroundingLimits, vectors};

use crate::games::unknown;

/// What can run a sheet, the reference first: the engines, and [`LANES`].
pub const ENGINES: [&str; 3] = [EngineKind::ALL[0].name(), EngineKind::ALL[1].name(), LANES];

/// The error that nothing of that name runs a sheet.
pub(crate) fn unknown_engine(name: &str) -> InputError {
    unknown("engine", name, &ENGINES, "engines are interpreter, network and lanes")
}

/// Reads a sheet, looks at it from all sides and compares the engines on it. Errors of form are the only finding then.
pub fn check(source: Source, trial: &Trial) -> Vec<Finding> {
    match Sheet::read(source) {
        Ok(sheet) => {
            let mut findings = validate(&sheet, trial);
            // Errors come first.
            findings.splice(0..0, compare_engines(&sheet, trial));
            findings
        }
        Err(error) => vec![Finding { severity: Severity::Error, error }],
    }
}

/// Writes examples for the tutor: random matches on a right sheet.
pub fn examples(source: Source, plan: &Plan, limits: Limits) -> Result<Examples, InputError> {
    tesuji_gdl::tutor::generate(&Sheet::read(source)?, plan, limits)
}

/// How much a sheet may take before it is refused or left to the interpreter.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SheetLimits {
    /// What a question to the interpreter may cost.
    pub interpreter: Limits,
    /// What grounding may take.
    pub grounding: GroundingLimits,
    /// How long grounding may take; `None`: as long as its other limits allow.
    pub grounding_time: Option<Duration>,
}

/// The rules of a sheet without variables, with their network; or why there is none.
type Grounded = Result<(Box<Ground>, Arc<Network>), InputError>;

/// A sheet that can be played.
pub struct Rules {
    sheet: Sheet,
    interpreter: Interpreter,
    limits: SheetLimits,
    /// Made when first asked for: grounding may take long.
    network: OnceLock<Grounded>,
}

impl Rules {
    /// Reads a sheet and makes the interpreter ready. The sheet is grounded when the network is first asked for; an
    /// engine that cannot take the sheet says why then.
    pub fn open(source: Source, limits: &SheetLimits) -> Result<Rules, InputError> {
        let sheet = Sheet::read(source)?;
        let interpreter = Interpreter::new(&sheet, limits.interpreter)?;
        Ok(Rules { sheet, interpreter, limits: *limits, network: OnceLock::new() })
    }

    fn network(&self) -> &Grounded {
        self.network.get_or_init(|| network(&self.sheet, &self.limits))
    }

    /// A match on an engine of that name.
    pub fn referee(&self, engine: &str) -> Result<Box<dyn Referee + '_>, InputError> {
        if engine == EngineKind::Interpreter.name() {
            return Ok(Box::new(self.interpreter.referee()));
        }
        if !ENGINES.contains(&engine) {
            return Err(unknown_engine(engine));
        }
        let (ground, network) = self.network().as_ref().map_err(InputError::clone)?;
        if engine == LANES {
            return Ok(Box::new(LaneReferee::new(ground, network, &self.sheet.symbols)));
        }
        Ok(Box::new(MachineReferee::new(ground, Arc::clone(network), &self.sheet.symbols)))
    }

    /// Plays random matches on all engines that can take the sheet; the names of these engines, and how far they agree.
    pub fn verify(&self, matches: u64, most_steps: usize, seed: u64) -> Result<(Vec<String>, Compared), InputError> {
        let able = if self.network().is_ok() { &ENGINES[..] } else { &ENGINES[..1] };
        let mut referees = able.iter().map(|engine| self.referee(engine)).collect::<Result<Vec<_>, _>>()?;
        let engines = referees.iter().map(|referee| referee.engine().to_owned()).collect();
        let compared = compare(&mut referees, matches, most_steps, seed)?;
        Ok((engines, compared))
    }

    /// Why the network cannot take the sheet, if so.
    pub fn network_trouble(&self) -> Option<&InputError> {
        self.network().as_ref().err()
    }

    /// The network as a graph in the language of Graphviz; an error if there is none.
    pub fn dot(&self) -> Result<String, InputError> {
        let (ground, network) = self.network().as_ref().map_err(InputError::clone)?;
        Ok(dot(network, ground, &self.sheet.symbols))
    }

    /// Plays written joint moves and shows each state to `see`, the last one too. A move that is not legal, or a move
    /// after the end, is an error at its place.
    pub fn replay(&self, engine: &str, moves: &Source, see: &mut dyn FnMut(&Value)) -> Result<(), InputError> {
        let referee = self.referee(engine)?;
        let roles = referee.roles();
        self.follow(referee, moves, &mut |_, view| see(&shown(&roles, view)))
    }

    /// Explains a fact, or why it does not hold, in the state after written joint moves; see [`Explainer::explain`].
    pub fn why(&self, moves: Option<&Source>, question: &str) -> Result<Explanation, InputError> {
        let explainer = Explainer::new(&self.sheet, &[question], self.limits.interpreter)?;
        let mut joints = Vec::new();
        if let Some(moves) = moves {
            let referee = self.referee(EngineKind::Interpreter.name())?;
            self.follow(referee, moves, &mut |joint, _| joints.extend(joint.map(<[String]>::to_vec)))?;
        }
        let timeline = explainer.timeline(None, &joints)?;
        explainer.explain(&timeline, timeline.last(), question)
    }

    /// The text of the sheet.
    pub fn source(&self) -> &Source {
        &self.sheet.source
    }

    /// Plays written joint moves and shows each state to `see`, with the moves that led to it.
    fn follow(
        &self,
        mut referee: Box<dyn Referee + '_>,
        moves: &Source,
        see: &mut dyn FnMut(Option<&[String]>, &View),
    ) -> Result<(), InputError> {
        let roles = referee.roles();
        let mut view = referee.view()?;
        see(None, &view);
        let mut offset = 0;
        for line in moves.text().split_inclusive('\n') {
            let start = offset;
            offset += line.len();
            let written = line.trim_end_matches(['\n', '\r']);
            if written.trim().is_empty() || written.trim_start().starts_with('#') {
                continue;
            }
            let whole = |message: String| InputError::new(message).at(moves, start, written.len());
            if view.terminal {
                return Err(whole("a move after the end of the match".to_owned()));
            }
            let fields: Vec<&str> = written.split('\t').collect();
            if fields.len() != roles.len() {
                let message = format!("{} move(s) for {} role(s)", fields.len(), roles.len());
                let order = roles.join(", ");
                return Err(whole(message).with_help(format!("one move for each role, separated by tabs: {order}")));
            }
            let mut joint = Vec::new();
            let mut field_start = start;
            for ((field, role), legal) in fields.iter().zip(&roles).zip(&view.legal) {
                let text = tidy(field);
                let lead = field.len() - field.trim_start().len();
                match place_of(&text, legal) {
                    Some(place) => joint.push(legal[place].clone()),
                    None => {
                        let error = InputError::new(format!("`{text}` is not a legal move of {role} here"));
                        let few: Vec<&str> = legal.iter().take(8).map(String::as_str).collect();
                        let more = if legal.len() > few.len() { ", …" } else { "" };
                        return Err(error
                            .at(moves, field_start + lead, field.trim().len())
                            .with_help(format!("legal: {}{more}", few.join(", "))));
                    }
                }
                field_start += field.len() + 1;
            }
            referee.step(&joint)?;
            view = referee.view()?;
            see(Some(&joint), &view);
        }
        Ok(())
    }
}

fn network(sheet: &Sheet, limits: &SheetLimits) -> Grounded {
    let meter = limits.grounding_time.map(|time| Meter::start(Budget::time(time)));
    let late = || meter.as_ref().is_some_and(|meter| !meter.allows(0, 0));
    match compile(sheet, &limits.grounding, &late)? {
        Ok(compiled) => Ok((compiled.ground, Arc::new(compiled.network))),
        Err(obstacle) if obstacle.is_stopped() => {
            let seconds = limits.grounding_time.unwrap_or_default().as_secs_f64();
            Err(InputError::new(format!("grounding took longer than {seconds} s")))
        }
        Err(obstacle) => Err(InputError::new(obstacle.to_string())),
    }
}

/// A state in the shape that scripts rely on.
fn shown(roles: &[String], view: &View) -> Value {
    let legal: Map<String, Value> = match view.terminal {
        true => Map::new(),
        false => roles.iter().cloned().zip(view.legal.iter().map(|moves| moves.clone().into())).collect(),
    };
    let goals: Map<String, Value> =
        roles.iter().enumerate().map(|(index, role)| (role.clone(), view.goal(index).into())).collect();
    serde_json::json!({ "facts": view.facts, "legal": legal, "terminal": view.terminal, "goals": goals })
}

/// A relation of a sheet.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct RelationInfo {
    /// Its name.
    pub name: String,
    /// How many arguments it has.
    pub arity: usize,
    /// Clauses without conditions.
    pub facts: usize,
    /// Rules with conditions; a clause with `or` counts once for each of its alternatives.
    pub rules: usize,
}

/// What a sheet is like.
#[derive(Clone, Debug, Serialize)]
pub struct SheetInfo {
    /// The roles, in order.
    pub roles: Vec<String>,
    /// The relations, by name.
    pub relations: Vec<RelationInfo>,
    /// Rules and facts together.
    pub rules: usize,
    /// Conditions of all rules.
    pub conditions: usize,
    /// Facts of the first state.
    pub initial_facts: usize,
    /// What was found in it: `negation`, `functions`, `chance`, `hints`, ….
    pub features: Vec<&'static str>,
    /// The engine it runs on.
    pub engine: &'static str,
    /// Why.
    pub reason: String,
    /// What the network is made of, if there is one.
    pub network: Option<NetworkInfo>,
}

/// The size of a network.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct NetworkInfo {
    /// Facts that can ever hold.
    pub facts: usize,
    /// Moves that can ever be made.
    pub moves: usize,
    /// Gates.
    pub gates: usize,
    /// Inputs of all gates.
    pub links: usize,
}

impl Rules {
    /// Describes the sheet.
    pub fn info(&self) -> SheetInfo {
        let sheet = &self.sheet;
        let mut relations: BTreeMap<(String, usize), (usize, usize)> = BTreeMap::new();
        for rule in &sheet.rules {
            let name = sheet.symbols.text(rule.head.relation).to_owned();
            let counts = relations.entry((name, rule.head.arguments.len())).or_default();
            if rule.body.is_empty() { counts.0 += 1 } else { counts.1 += 1 }
        }
        let relations = relations.into_iter();
        let network = self.network().as_ref().ok().map(|(ground, network)| {
            let size = network.size();
            let moves = ground.moves.iter().map(Vec::len).sum();
            NetworkInfo { facts: ground.facts.len(), moves, gates: size.gates, links: size.links }
        });
        let (engine, reason) = match self.network() {
            Ok(_) => ("network", "its rules without variables fit within the limits".to_owned()),
            Err(error) => ("interpreter", error.to_string()),
        };
        SheetInfo {
            roles: sheet.roles().into_iter().map(|role| sheet.symbols.text(role).to_owned()).collect(),
            relations: relations
                .map(|((name, arity), (facts, rules))| RelationInfo { name, arity, facts, rules })
                .collect(),
            rules: sheet.rules.len(),
            conditions: sheet.rules.iter().map(|rule| rule.body.len()).sum(),
            initial_facts: self.interpreter.initial().terms().len(),
            features: features(sheet),
            engine,
            reason,
            network,
        }
    }
}

/// What a sheet makes use of.
fn features(sheet: &Sheet) -> Vec<&'static str> {
    let literals = || sheet.rules.iter().flat_map(|rule| &rule.body);
    let heads = |name| sheet.rules.iter().any(|rule| rule.head.relation == name);
    let function = |term: &Term| matches!(term, Term::Function(..));
    let nested = |term: &Term| matches!(term, Term::Function(_, inner) if inner.iter().any(function));
    let negation = literals().any(|literal| matches!(literal, Literal::Fails(_)));
    let distinct = literals().any(|literal| matches!(literal, Literal::Distinct(..) | Literal::Same(..)));
    let functions = sheet.rules.iter().any(|rule| rule.head.arguments.iter().any(nested));
    let chance = sheet.roles().contains(&keyword::RANDOM);
    let single = sheet.roles().len() == 1;
    let alternatives = sheet.rules.windows(2).any(|pair| pair[0].place == pair[1].place);
    let initial_rules = sheet.rules.iter().any(|rule| rule.head.relation == keyword::INIT && !rule.body.is_empty());
    let candidates = [
        ("single-player", single),
        ("chance", chance),
        ("negation", negation),
        ("distinct", distinct),
        ("or", alternatives),
        ("nested functions", functions),
        ("init by rules", initial_rules),
        ("recursion", tesuji_gdl::validate::is_recursive(sheet)),
        ("base and input hints", heads(keyword::BASE) || heads(keyword::INPUT)),
        ("sees", heads(keyword::SEES)),
    ];
    candidates.into_iter().filter(|(_, found)| *found).map(|(name, _)| name).collect()
}

//! Agents by name: what each kind takes between the parentheses of an address such as `uct(playouts=2000,c=0.15)`, and
//! how it is built for a game.

use tesuji_core::{
    Address, Arguments, Features, Game, Horizon, InputError, Knowledge, Named, Parameter, Uniform, nearest,
};

use crate::budget::parse_time;
use crate::{
    Agent, Allocation, Budget, Fault, FaultyAgent, FinalChoice, FirstPlay, FlatMonteCarlo, Opponents, RandomAgent,
    Selection, Settings, Simulation, TotalCount, Uct,
};

/// A kind of agent: its name, its parameters, and how one is made.
pub trait AgentKind {
    /// The name before the parentheses.
    const NAME: &'static str;
    /// What it is, in a sentence.
    const SUMMARY: &'static str;
    /// What it can play.
    const HANDLES: Features;
    /// What may stand between the parentheses.
    const PARAMETERS: &'static [Parameter];

    /// Makes the agent. `arguments` were bound to [`PARAMETERS`](AgentKind::PARAMETERS).
    fn build<G: Game + Knowledge + 'static>(arguments: &Arguments, game: &G) -> Result<Box<dyn Agent<G>>, InputError>;
}

/// A name for a kind with some of its arguments already given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Preset {
    /// The name before the parentheses.
    pub name: &'static str,
    /// The kind it stands for.
    pub base: &'static str,
    /// The arguments it gives, as written between parentheses.
    pub arguments: &'static str,
    /// What it is, in a sentence.
    pub summary: &'static str,
}

/// All presets.
pub const PRESETS: &[Preset] = &[Preset {
    name: "mc-ucb",
    base: FlatKind::NAME,
    arguments: "allocation=ucb1,choice=visits",
    summary: "Flat Monte Carlo whose playouts go where they promise most (UCB1)",
}];

impl Preset {
    /// The address of the base kind that `user`, an address with this preset's name, stands for. `parameters` are those
    /// of the base; what the user gives takes the place of what the preset gives.
    pub fn resolve(&self, user: &Address, parameters: &[Parameter]) -> Result<Address, InputError> {
        let preset: Address = format!("{}({})", self.base, self.arguments).parse()?;
        let mut names = parameters.iter().map(|parameter| parameter.name);
        let mut arguments = Vec::new();
        for (key, value) in &user.arguments {
            let key = match key {
                Some(key) => key.clone(),
                None => names.next().map(str::to_owned).ok_or_else(|| {
                    InputError::new(format!("too many arguments: `{value}` in `{user}`"))
                        .with_help(format!("`{}` takes what `{}` takes", self.name, self.base))
                })?,
            };
            arguments.push((Some(key), value.clone()));
        }
        let given = arguments.len();
        for (key, value) in preset.arguments {
            if !arguments[..given].iter().any(|(name, _)| *name == key) {
                arguments.push((key, value));
            }
        }
        Ok(Address { name: preset.name, arguments })
    }
}

const PLAYOUTS: Parameter = Parameter::new("playouts", "", "playouts per decision; empty: the seat's budget");
const NODES: Parameter = Parameter::new("nodes", "", "nodes made per decision; empty: the seat's budget");
const TIME: Parameter = Parameter::new("time", "", "time per decision such as 250ms; empty: the seat's budget");
const PLAYOUT: Parameter = Parameter::new(
    "playout",
    "customary",
    "who plays on: uniform, a policy the game offers, or the game's customary one (uniform if it names none)",
);
const HORIZON_STEPS: Parameter = Parameter::new("steps", "", "a playout's greatest length in steps; empty: to the end");
const HORIZON_TURNS: Parameter = Parameter::new("turns", "", "a playout's greatest length in turns; empty: to the end");
const EVALUATION: Parameter =
    Parameter::new("evaluation", "", "judges a playout cut short, by a name the game offers; empty: everybody even");
const SCALE: Parameter = Parameter::new("scale", "1", "how far the evaluation must rise to lift an even share to 0.73");

/// The budget among the arguments; no limit if none is given.
fn budget(arguments: &Arguments) -> Result<Budget, InputError> {
    let count = |name: &str| optional(arguments, name, |name| arguments.integer(name, 1..=u64::MAX));
    let time = |name: &str| {
        parse_time(arguments.text(name)).ok_or_else(|| arguments.wrong(name, "a time such as 250ms, 1.5s or 2min"))
    };
    Ok(Budget { playouts: count("playouts")?, nodes: count("nodes")?, time: optional(arguments, "time", time)? })
}

/// `None` if the text of a parameter is empty.
fn optional<T>(
    arguments: &Arguments,
    name: &str,
    read: impl FnOnce(&str) -> Result<T, InputError>,
) -> Result<Option<T>, InputError> {
    if arguments.text(name).is_empty() { Ok(None) } else { read(name).map(Some) }
}

/// How playouts go, by the arguments and what the game knows.
fn simulation<G: Knowledge + 'static>(arguments: &Arguments, game: &G) -> Result<Simulation<G>, InputError> {
    let length = |name: &str| optional(arguments, name, |name| arguments.integer(name, 0..=u64::from(u32::MAX)));
    let name = match arguments.text(PLAYOUT.name) {
        "customary" => game.customary_policy().unwrap_or("uniform"),
        name => name,
    };
    let policy = match name {
        "uniform" => Box::new(Uniform::default()),
        name => game
            .policy(name)
            .ok_or_else(|| unknown(game, PLAYOUT.name, name, &["uniform", "customary"], game.policies()))?,
    };
    let evaluation = match arguments.text(EVALUATION.name) {
        "" => None,
        name => {
            Some(game.evaluation(name).ok_or_else(|| unknown(game, EVALUATION.name, name, &[], game.evaluations()))?)
        }
    };
    let horizon = Horizon {
        steps: length(HORIZON_STEPS.name)?.map_or(u32::MAX, |steps| steps as u32),
        turns: length(HORIZON_TURNS.name)?.map_or(u32::MAX, |turns| turns as u32),
    };
    Ok(Simulation { policy, horizon, evaluation, scale: arguments.number(SCALE.name, 1e-9..=1e9)? })
}

/// The error that the game offers nothing of that name.
fn unknown<G: Game>(game: &G, parameter: &str, name: &str, always: &[&str], offered: &[Named]) -> InputError {
    let names: Vec<&str> = always.iter().copied().chain(offered.iter().map(|named| named.name)).collect();
    let near = nearest(name, names.iter().copied(), 1);
    let hint = near.first().map_or(String::new(), |near| format!("; did you mean `{near}`?"));
    let offer = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    let game = &game.spec().name;
    InputError::new(format!("`{parameter}={name}`: `{game}` has no such {parameter}{hint}"))
        .with_help(format!("`{game}` offers {offer}"))
}

/// The words for [`FinalChoice`], in the order of [`CHOICES`]; agents that choose by themselves take the last word too.
const CHOICE_WORDS: [&str; 6] = ["visits", "mean", "robust", "secure", "mixed", "auto"];
const CHOICES: [FinalChoice; 5] =
    [FinalChoice::Visits, FinalChoice::Mean, FinalChoice::Robust, FinalChoice::Secure, FinalChoice::Mixed];

/// The kind `random`.
pub struct RandomKind;

impl AgentKind for RandomKind {
    const NAME: &'static str = "random";
    const SUMMARY: &'static str = "Any legal action, each equally likely";
    const HANDLES: Features = Features::all();
    const PARAMETERS: &'static [Parameter] = &[];

    fn build<G: Game + Knowledge + 'static>(_: &Arguments, _: &G) -> Result<Box<dyn Agent<G>>, InputError> {
        Ok(Box::new(RandomAgent))
    }
}

/// The kind `faulty`.
pub struct FaultyKind;

impl AgentKind for FaultyKind {
    const NAME: &'static str = "faulty";
    const SUMMARY: &'static str = "Random, then misbehaves on purpose: for testing that tournaments survive it";
    const HANDLES: Features = Features::all();
    const PARAMETERS: &'static [Parameter] = &[
        Parameter::new("fault", "panic", "what goes wrong: panic, illegal or slow (beyond its time budget)"),
        Parameter::new("after", "1000000", "decisions of a match that go well"),
    ];

    fn build<G: Game + Knowledge + 'static>(arguments: &Arguments, _: &G) -> Result<Box<dyn Agent<G>>, InputError> {
        let faults = [Fault::Panic, Fault::Illegal, Fault::Slow];
        let fault = faults[arguments.choice("fault", &["panic", "illegal", "slow"])?];
        Ok(Box::new(FaultyAgent::new(fault, arguments.integer("after", 0..=u64::MAX)?)))
    }
}

/// The kind `mc`.
pub struct FlatKind;

impl AgentKind for FlatKind {
    const NAME: &'static str = "mc";
    const SUMMARY: &'static str = "Flat Monte Carlo: plays every action out many times and takes the best; no tree";
    const HANDLES: Features = Features::all();
    const PARAMETERS: &'static [Parameter] = &[
        PLAYOUTS,
        NODES,
        TIME,
        Parameter::new("allocation", "uniform", "who gets the next playout: uniform (each in turn) or ucb1"),
        Parameter::new("c", "0.5", "for ucb1: how much the unknown attracts, in mean + c·√(ln N / n)"),
        Parameter::new("choice", "mean", "the final action: visits, mean, robust, secure or mixed"),
        PLAYOUT,
        HORIZON_STEPS,
        HORIZON_TURNS,
        EVALUATION,
        SCALE,
    ];

    fn build<G: Game + Knowledge + 'static>(arguments: &Arguments, game: &G) -> Result<Box<dyn Agent<G>>, InputError> {
        let c = arguments.number("c", 0.0..=1e6)?;
        Ok(Box::new(FlatMonteCarlo {
            allocation: match arguments.choice("allocation", &["uniform", "ucb1"])? {
                0 => Allocation::Uniform,
                _ => Allocation::Ucb1 { c },
            },
            simulation: simulation(arguments, game)?,
            choice: CHOICES[arguments.choice("choice", &CHOICE_WORDS[..CHOICES.len()])?],
            budget: budget(arguments)?,
        }))
    }
}

/// The kind `uct`.
pub struct UctKind;

impl AgentKind for UctKind {
    const NAME: &'static str = "uct";
    const SUMMARY: &'static str = "Monte Carlo tree search by upper confidence bounds (UCT), decoupled at joint moves";
    const HANDLES: Features = Features::all();
    const PARAMETERS: &'static [Parameter] = &[
        PLAYOUTS,
        NODES,
        TIME,
        Parameter::new("c", "0.5", "how much the unknown attracts, in mean + c·√(ln N / n)"),
        Parameter::new("total", "node", "what N counts: visits of the node, or all playouts of the search (search)"),
        Parameter::new("first", "random", "untried actions: random or ordered (before all others), or a score"),
        Parameter::new("opponents", "own", "whose payoff the others want: their own, or the searcher's (searcher)"),
        Parameter::new("threshold", "0", "a leaf gets children when it is reached and had more playouts than this"),
        Parameter::new("discount", "1", "what one step leaves of a value's distance from the middle; 1: all"),
        Parameter::new(
            "choice",
            "auto",
            "the final action: visits, mean, robust, secure, mixed; auto: visits, or mixed at a joint move",
        ),
        Parameter::new("reuse", "true", "keep the tree between the decisions of a match"),
        Parameter::new("transpositions", "false", "let equal states share a node"),
        Parameter::new(
            "solver",
            "false",
            "prove results where one player chooses at a time, and stop at a proven root",
        ),
        Parameter::new("cap", "1000000", "the most nodes held; beyond, the least visited are dropped"),
        PLAYOUT,
        HORIZON_STEPS,
        HORIZON_TURNS,
        EVALUATION,
        SCALE,
    ];

    fn build<G: Game + Knowledge + 'static>(arguments: &Arguments, game: &G) -> Result<Box<dyn Agent<G>>, InputError> {
        let total = [TotalCount::Node, TotalCount::Search][arguments.choice("total", &["node", "search"])?];
        let first_play = match arguments.text("first") {
            "random" => FirstPlay::Random,
            "ordered" => FirstPlay::Ordered,
            _ => FirstPlay::Urgency(
                arguments
                    .number("first", -1e6..=1e6)
                    .map_err(|_| arguments.wrong("first", "random, ordered or a number"))?,
            ),
        };
        let choice = CHOICES.get(arguments.choice("choice", &CHOICE_WORDS)?).copied();
        let settings = Settings {
            budget: budget(arguments)?,
            selection: Selection::Ucb1 { c: arguments.number("c", 0.0..=1e6)?, total, first_play },
            opponents: [Opponents::Own, Opponents::Searcher][arguments.choice("opponents", &["own", "searcher"])?],
            threshold: arguments.integer("threshold", 0..=u64::from(u32::MAX))? as u32,
            discount: arguments.number("discount", 0.0..=1.0)?,
            choice,
            reuse: arguments.flag("reuse")?,
            transpositions: arguments.flag("transpositions")?,
            solver: arguments.flag("solver")?,
            node_cap: arguments.integer("cap", 1..=100_000_000)? as u32,
        };
        Ok(Box::new(Uct::new(settings, simulation(arguments, game)?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tiny_games::{Nim, first_decision};
    use proptest::prelude::*;

    fn build<K: AgentKind>(address: &str) -> Result<Box<dyn Agent<Nim>>, InputError> {
        K::build(&Arguments::bind(&address.parse()?, K::PARAMETERS)?, &Nim::new(7))
    }

    fn complaint<K: AgentKind>(address: &str) -> String {
        let error = build::<K>(address).err().unwrap_or_else(|| panic!("`{address}` was accepted"));
        format!("{error} {}", error.help_text().unwrap_or_default())
    }

    #[test]
    fn the_defaults_build_and_play_with_the_budget_of_the_seat() {
        for mut agent in [build::<FlatKind>("mc").unwrap(), build::<UctKind>("uct").unwrap()] {
            assert_eq!(first_decision(&Nim::new(7), &mut *agent, 0, 123, 1).thought.playouts, 123);
        }
        let settings = Settings::default();
        let Selection::Ucb1 { c, .. } = settings.selection;
        let arguments = Arguments::bind(&"uct".parse().unwrap(), UctKind::PARAMETERS).unwrap();
        assert_eq!(arguments.number("c", 0.0..=9.0).unwrap(), c);
        assert_eq!(arguments.integer("cap", 0..=u64::MAX).unwrap(), u64::from(settings.node_cap));
    }

    #[test]
    fn arguments_reach_the_agent() {
        let playouts = |mut agent: Box<dyn Agent<Nim>>| {
            first_decision(&Nim::new(7), &mut *agent, 0, 1_000_000, 1).thought.playouts
        };
        assert_eq!(playouts(build::<UctKind>("uct(77)").unwrap()), 77);
        assert_eq!(playouts(build::<FlatKind>("mc(nodes=5,allocation=ucb1)").unwrap()), 5);
        let every = "uct(playouts=50,time=5s,c=0.15,total=search,first=0.4,opponents=searcher,threshold=3,discount=0.99,\
                     choice=robust,reuse=off,transpositions=on,solver=off,cap=9,playout=one,steps=4,turns=3,evaluation=remainder,scale=2)";
        assert_eq!(playouts(build::<UctKind>(every).unwrap()), 50);
    }

    #[test]
    fn wrong_arguments_are_explained() {
        for (address, expected) in [
            ("uct(playouts=0)", "a whole number of at least 1"),
            ("uct(time=5parsecs)", "a time such as 250ms"),
            ("uct(c=-1)", "a number from 0"),
            ("uct(playout=onne)", "did you mean `one`? `nim` offers uniform, customary, one"),
            ("uct(evaluation=x)", "`nim` offers remainder"),
            ("uct(first=soon)", "random, ordered or a number"),
            ("uct(choice=best)", "one of visits, mean, robust, secure, mixed, auto"),
            ("uct(cap=0)", "from 1 to 100000000"),
            ("uct(depth=3)", "has no parameter `depth`"),
        ] {
            let complaint = complaint::<UctKind>(address);
            assert!(complaint.contains(expected), "{address}: {complaint}");
        }
        assert!(complaint::<FlatKind>("mc(choice=auto)").contains("secure, mixed"));
        assert!(complaint::<RandomKind>("random(1)").contains("takes no arguments"));
    }

    #[test]
    fn what_the_user_gives_takes_the_place_of_the_presets_arguments() {
        let [preset] = PRESETS else { panic!("a preset without a test") };
        let resolve = |text: &str| preset.resolve(&text.parse().unwrap(), FlatKind::PARAMETERS);
        assert_eq!(resolve("mc-ucb").unwrap().to_string(), "mc(allocation=ucb1,choice=visits)");
        assert_eq!(
            resolve("mc-ucb(500,choice=mean)").unwrap().to_string(),
            "mc(playouts=500,choice=mean,allocation=ucb1)"
        );
        assert!(build::<FlatKind>(&resolve("mc-ucb(500,c=0.3)").unwrap().to_string()).is_ok());
        let twice = resolve("mc-ucb(c=1,c=2)").unwrap();
        assert!(Arguments::bind(&twice, FlatKind::PARAMETERS).unwrap_err().to_string().contains("given twice"));
        let many = format!("mc-ucb({})", vec!["1"; FlatKind::PARAMETERS.len() + 1].join(","));
        assert!(resolve(&many).unwrap_err().to_string().contains("too many arguments"));
    }

    proptest! {
        #[test]
        fn any_argument_is_taken_or_refused(index in 0..UctKind::PARAMETERS.len(), value in "[-0-9a-z.]{1,12}") {
            let _ = build::<UctKind>(&format!("uct({}={value})", UctKind::PARAMETERS[index].name));
            let _ = build::<FlatKind>(&format!("mc({}={value})", UctKind::PARAMETERS[index].name));
        }
    }
}

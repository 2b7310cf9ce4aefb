//! Matrix and bimatrix games from files: two players choose at the same time, and a table gives their payoffs.
//!
//! The table may be noisy, like the payoff simulator of the paper on UCB search with mixed strategies (section 6.6.3).
//! After the joint choice, chance gives each player the upper end of the range with probability (entry − low) / (high −
//! low), otherwise the lower end, so the mean payoff is the entry. The two draws are independent, unless the entries of
//! every cell have the same sum: then one draw settles both, so that the noisy game keeps the sum.
//!
//! A match may have several rounds of the same table. The payoff is the *mean* over the rounds, so it stays within the
//! table's range.

mod drawing;
mod file;
mod notation;
mod numbers;

#[cfg(test)]
mod tests;

use file::{Amount, Table, UNIT};
use tesuji_core::{
    ActionIndex, Arguments, Capabilities, Entry, ErrorKind, Features, Game, InputError, Knowledge, Observation,
    Parameter, Player, Players, Rng, Source, Spec, Turn, did_you_mean, files,
};

/// The catalogue entry of matrix games.
pub const ENTRY: Entry<Matrix> = Entry {
    name: "matrix",
    title: "Matrix games",
    summary: "A table of payoffs: both choose at once, once or several times",
    parameters: &[
        Parameter::new("game", "rock-paper-scissors", "a bundled table or the path of a .toml file")
            .naming(&BUNDLED, ".toml"),
        Parameter::new("noise", "file", "none, bernoulli (random payoffs with the table's means), or as the file says"),
        Parameter::new("repeat", "1", "rounds, 1 to 1000; payoffs are the mean over them"),
    ],
    examples: &[
        "matrix",
        "matrix(matching-pennies,repeat=3)",
        "matrix(prisoners-dilemma)",
        "matrix(prisoners-dilemma,noise=bernoulli)",
        "matrix(stag-hunt,bernoulli,10)",
        "matrix(rock-paper-scissors,bernoulli,2)",
    ],
    open: |arguments: &Arguments| {
        let mut table = file::parse(&read(arguments.text("game"))?)?;
        match arguments.choice("noise", &["file", "none", "bernoulli"])? {
            0 => {}
            chosen => table.bernoulli = chosen == 2,
        }
        let rounds = arguments.integer("repeat", 1..=1000)? as u16;
        Ok(Matrix::new(arguments.canonical(), table, rounds))
    },
};

const BUNDLED: [(&str, &str); 4] = [
    ("rock-paper-scissors", include_str!("../../../../data/matrix/rock-paper-scissors.toml")),
    ("matching-pennies", include_str!("../../../../data/matrix/matching-pennies.toml")),
    ("prisoners-dilemma", include_str!("../../../../data/matrix/prisoners-dilemma.toml")),
    ("stag-hunt", include_str!("../../../../data/matrix/stag-hunt.toml")),
];

/// The contents of a matrix game's file, for solvers.
#[derive(Clone, PartialEq, Debug)]
pub struct Tables {
    /// The game's title: from the file, or the file's name.
    pub title: String,
    /// The players' names.
    pub players: [String; 2],
    /// The actions' names, by player.
    pub actions: [Vec<String>; 2],
    /// By player: a row of payoffs for each action of the first player.
    pub payoffs: [Vec<Vec<f64>>; 2],
    /// The sum of both payoffs, if it is the same in every cell.
    pub constant_sum: Option<f64>,
}

/// Reads a bundled table, or a file.
pub fn tables(name: &str) -> Result<Tables, InputError> {
    let table = file::parse(&read(name)?)?;
    let width = table.actions[1].len();
    let rows = |amounts: &Vec<Amount>| {
        amounts.chunks(width).map(|row| row.iter().map(|&amount| amount as f64 / UNIT).collect()).collect()
    };
    Ok(Tables {
        constant_sum: table.constant_sum().map(|sum| sum as f64 / UNIT),
        payoffs: [rows(&table.payoffs[0]), rows(&table.payoffs[1])],
        title: table.title.unwrap_or_else(|| name.to_owned()),
        players: table.players,
        actions: table.actions,
    })
}

/// The text of a bundled table or of a file.
fn read(name: &str) -> Result<Source, InputError> {
    if let Some((name, text)) = BUNDLED.iter().find(|(bundled, _)| *bundled == name) {
        return Ok(Source::new(format!("{name}.toml"), text));
    }
    let names: Vec<&str> = BUNDLED.iter().map(|(bundled, _)| *bundled).collect();
    if !name.contains(['/', '\\', '.']) {
        let hint = did_you_mean(name, names.iter().copied());
        return Err(InputError::new(format!("no bundled matrix game `{name}`{hint}"))
            .of_kind(ErrorKind::Unreadable)
            .with_help(format!("bundled: {}; or the path of a .toml file", names.join(", "))));
    }
    let wrong = |message: String| InputError::new(message).in_file(name);
    let unreadable = |error| wrong(format!("cannot be read: {error}")).of_kind(ErrorKind::Unreadable);
    let length = files::length(name).map_err(unreadable)?;
    if length.is_none_or(|length| length > LARGEST_FILE) {
        return Err(
            wrong(format!("expected a file of at most {} MiB", LARGEST_FILE >> 20)).of_kind(ErrorKind::TooLarge)
        );
    }
    let text = files::read_to_string(name).map_err(unreadable)?;
    Ok(Source::new(name, text))
}

/// The largest file accepted. Twice 200 × 200 payoffs of 17 digits take a quarter of it.
const LARGEST_FILE: u64 = 8 << 20;

/// The rules of one matrix game.
#[derive(Debug)]
pub struct Matrix {
    spec: Spec,
    table: Table,
    constant_sum: Option<Amount>,
    rounds: u16,
}

/// A position: the totals so far and the last joint choice.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State {
    totals: [Amount; 2],
    /// The number of settled rounds.
    settled: u16,
    /// The actions of the last round.
    last: Option<[u8; 2]>,
    /// Whether chance must still settle the last round.
    open: bool,
}

/// The bit of a chance outcome that gives a player the upper end of the range.
const HIGH: [u8; 2] = [1, 2];

impl Matrix {
    fn new(name: String, table: Table, rounds: u16) -> Matrix {
        let constant_sum = table.constant_sum();
        let mut features = Features::SIMULTANEOUS;
        features.set(Features::CHANCE, table.bernoulli);
        features.set(Features::GENERAL_SUM, constant_sum.is_none());
        let players = [&*table.players[0], &*table.players[1]];
        let mut spec = Spec::new(name, &players, features, usize::from(rounds) * if table.bernoulli { 2 } else { 1 });
        let [mut low, mut high] = table.range;
        if let Some(sum) = constant_sum {
            [low, high] = [low.min(sum - high), high.max(sum - low)];
        }
        let [low, high] = [low, high].map(|amount| amount as f64 / UNIT);
        // A table of a single number has no range; any scale around it will do.
        spec.payoffs = if low < high { (low, high) } else { (low - 0.5, low + 0.5) };
        Matrix { spec, table, constant_sum, rounds }
    }

    /// The probability that noise gives `player` the upper end in the cell of the last round.
    fn high_share(&self, state: &State, player: usize) -> f64 {
        let [low, high] = self.table.range;
        let cell = state.last.map_or(0, |joint| self.table.cell(joint));
        if low == high { 1.0 } else { (self.table.payoffs[player][cell] - low) as f64 / (high - low) as f64 }
    }

    /// Both payoffs when chance draws `outcome`.
    fn noisy_payoffs(&self, outcome: u8) -> [Amount; 2] {
        let [low, high] = self.table.range;
        let [first, second] = HIGH.map(|bit| if outcome & bit != 0 { high } else { low });
        [first, self.constant_sum.map_or(second, |sum| sum - first)]
    }

    fn settle(&self, state: &mut State, payoffs: [Amount; 2]) {
        for (total, payoff) in state.totals.iter_mut().zip(payoffs) {
            *total += payoff;
        }
        state.settled += 1;
        state.open = false;
    }
}

impl Game for Matrix {
    type State = State;
    /// The index of an action; for chance, who gets the upper end: 1 the first, 2 the second, 3 both.
    type Action = u8;

    const CLASS: Features = Features::OPEN.difference(Features::MANY_PLAYERS);
    const ALWAYS: Features = Features::SIMULTANEOUS;
    const BATCHES: bool = false;

    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn start(&self) -> State {
        State { totals: [0, 0], settled: 0, last: None, open: false }
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        match () {
            () if state.open => Turn::Chance,
            () if state.settled == self.rounds => Turn::Over,
            () => Turn::Simultaneous(Players::BOTH),
        }
    }

    fn legal(&self, _state: &State, player: Player, out: &mut Vec<u8>) {
        out.extend(0..self.table.actions[player.index()].len() as u8);
    }

    #[inline]
    fn apply(&self, state: &mut State, joint: &[u8]) {
        let &[row, column] = joint else {
            return self.settle(state, self.noisy_payoffs(joint[0]));
        };
        state.last = Some([row, column]);
        state.open = self.table.bernoulli;
        if !state.open {
            let cell = self.table.cell([row, column]);
            self.settle(state, [self.table.payoffs[0][cell], self.table.payoffs[1][cell]]);
        }
    }

    fn payoff(&self, state: &State, player: Player) -> f64 {
        let mean = state.totals[player.index()] as f64 / f64::from(self.rounds) / UNIT;
        mean.clamp(self.spec.payoffs.0, self.spec.payoffs.1)
    }

    fn chance(&self, state: &State, out: &mut Vec<(u8, f64)>) {
        let [first, second] = [0, 1].map(|player| self.high_share(state, player));
        let outcomes = if self.constant_sum.is_some() {
            [(HIGH[0], first), (HIGH[1], 1.0 - first), (0, 0.0), (0, 0.0)]
        } else {
            [
                (HIGH[0] | HIGH[1], first * second),
                (HIGH[0], first * (1.0 - second)),
                (HIGH[1], (1.0 - first) * second),
                (0, (1.0 - first) * (1.0 - second)),
            ]
        };
        out.extend(outcomes.into_iter().filter(|&(_, probability)| probability > 0.0));
    }

    #[inline]
    fn random_action(&self, _state: &State, player: Player, rng: &mut Rng, _scratch: &mut Vec<u8>) -> u8 {
        rng.below(self.table.actions[player.index()].len()) as u8
    }

    #[inline]
    fn random_outcome(&self, state: &State, rng: &mut Rng) -> u8 {
        let first = rng.chance(self.high_share(state, 0));
        let second = match self.constant_sum {
            Some(_) => !first,
            None => rng.chance(self.high_share(state, 1)),
        };
        u8::from(first) * HIGH[0] + u8::from(second) * HIGH[1]
    }
}

impl Knowledge for Matrix {
    const OFFERS: Capabilities = Capabilities::NUMBERS;

    fn action_index(&self) -> Option<&'static dyn ActionIndex<Self>> {
        Some(&numbers::Numbers)
    }

    fn observation(&self) -> Option<&'static dyn Observation<Self>> {
        Some(&numbers::Numbers)
    }
}

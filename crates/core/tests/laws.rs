//! The laws detect games that break them: a tiny lawful game, with one fault at a time.

use tesuji_core::{
    ActionFeatures, ActionField, ActionIndex, Actor, AreaId, Attacks, BatchPlayouts, Capabilities, Clock,
    CountingPlayouts, Drawing, Features, Fingerprint, Game, Heuristics, InputError, Knowledge, Named, Notation,
    Observation, ObservationLayout, OneByOne, Picture, Player, Policy, Rng, SolverHints, Spec, Tactics, TakenAction,
    Turn, laws,
};

/// What is wrong with the game.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Fault {
    None,
    Endless,
    PayoffOutside,
    SumVaries,
    NoActions,
    DoubledAction,
    ChanceSum,
    BiasedDraw,
    IllegalDraw,
    UndeclaredChance,
    FeatureNeverSeen,
    SameText,
    TextDoesNotReadBack,
    StateDoesNotReadBack,
    NothingChanges,
    ClicksNowhere,
    ClicksAlike,
    PolicyIllegal,
    PartOfAnother,
    PartsOverlap,
    QuietAttacks,
    RepresentativeIllegal,
    CustomaryUnlisted,
    ClockMatters,
    BoundsCrossed,
    NoCandidate,
    UndeclaredCapability,
    OutsideClass,
    BatchPaysEvenly,
    BatchMixesPlayers,
    BatchRemembers,
    BatchCountsTwice,
    BatchCountsForOther,
    BatchListsTwice,
    BatchPrefersNothing,
    BatchPrefersForEver,
    NumberOutside,
    NumbersAlike,
    NumberReadsBackWrong,
    NumberBeyondTheRange,
    ViewIncomplete,
    ViewTooLarge,
    ViewShowsHidden,
    PlanesAlike,
}

/// Two players add 1 or 2 in turn; a coin falls after the second step; the player who passes 4 wins.
struct Count {
    spec: Spec,
    fault: Fault,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct State {
    total: u8,
    steps: u8,
}

impl Count {
    fn new(fault: Fault) -> Count {
        let mut features = Features::CHANCE;
        features.set(Features::CHANCE, fault != Fault::UndeclaredChance);
        features.set(Features::SIMULTANEOUS, fault == Fault::FeatureNeverSeen);
        features.set(Features::MULTI_ACTION, fault == Fault::OutsideClass);
        Count { spec: Spec::new("count", &["one", "two"], features, 8), fault }
    }
}

impl Game for Count {
    type State = State;
    type Action = u8;

    const CLASS: Features = Features::CHANCE.union(Features::SIMULTANEOUS);

    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn start(&self) -> State {
        State { total: 0, steps: 0 }
    }

    fn turn(&self, state: &State) -> Turn {
        match state {
            State { total: 5.., .. } if self.fault != Fault::Endless => Turn::Over,
            State { steps: 2, .. } => Turn::Chance,
            State { steps, .. } => Turn::Player(Player((steps - u8::from(*steps > 2)) % 2)),
        }
    }

    fn legal(&self, state: &State, _player: Player, out: &mut Vec<u8>) {
        match self.fault {
            Fault::NoActions if state.steps == 3 => {}
            Fault::DoubledAction => out.extend([1, 1]),
            _ => out.extend([1, 2]),
        }
    }

    fn apply(&self, state: &mut State, joint: &[u8]) {
        if self.fault == Fault::NothingChanges && state.total > 2 {
            return;
        }
        state.total = (state.total + joint[0]).min(100);
        state.steps += 1;
    }

    fn payoff(&self, state: &State, player: Player) -> f64 {
        let won = f64::from(u8::from(state.steps % 2 == player.0));
        match self.fault {
            Fault::PayoffOutside => won * 2.0,
            Fault::SumVaries if state.total == 5 => won / 2.0,
            _ => won,
        }
    }

    fn chance(&self, _state: &State, out: &mut Vec<(u8, f64)>) {
        out.extend([(0, 0.5), (1, if self.fault == Fault::ChanceSum { 0.4 } else { 0.5 })]);
    }

    fn random_action(&self, state: &State, player: Player, rng: &mut Rng, scratch: &mut Vec<u8>) -> u8 {
        scratch.clear();
        self.legal(state, player, scratch);
        match self.fault {
            Fault::BiasedDraw => scratch[0],
            Fault::IllegalDraw => 9,
            _ => scratch[rng.below(scratch.len())],
        }
    }

    fn batch(&self) -> Option<Box<dyn BatchPlayouts<Count>>> {
        Some(Box::new(Batch { fault: self.fault, calls: 0, singly: OneByOne::default() }))
    }
}

/// Runs playouts one by one, except for its fault.
struct Batch {
    fault: Fault,
    calls: u32,
    singly: OneByOne<Count>,
}

impl BatchPlayouts<Count> for Batch {
    fn width(&self) -> usize {
        4
    }

    fn run(&mut self, game: &Count, starts: &[State], each: u32, rng: &mut Rng, totals: &mut [f64]) -> u64 {
        self.calls += 1;
        let steps = OneByOne::default().run(game, starts, each, rng, totals);
        match self.fault {
            Fault::BatchPaysEvenly => totals.fill(f64::from(each) / 2.0),
            Fault::BatchMixesPlayers => totals.chunks_exact_mut(2).for_each(<[f64]>::reverse),
            Fault::BatchRemembers => totals[0] += f64::from(self.calls),
            _ => {}
        }
        steps
    }

    fn counting(&mut self) -> Option<&mut dyn CountingPlayouts<Count>> {
        let counts = !matches!(self.fault, Fault::BatchPaysEvenly | Fault::BatchMixesPlayers | Fault::BatchRemembers);
        counts.then_some(self)
    }
}

impl CountingPlayouts<Count> for Batch {
    fn run_counting(
        &mut self,
        game: &Count,
        starts: &[State],
        each: u32,
        rng: &mut Rng,
        totals: &mut [f64],
        taken: &mut Vec<TakenAction<u8>>,
    ) -> u64 {
        let steps = self.singly.run_counting(game, starts, each, rng, totals, taken);
        match self.fault {
            Fault::BatchCountsTwice => taken.iter_mut().for_each(|taken| taken.playouts += each),
            Fault::BatchCountsForOther => taken.iter_mut().for_each(|taken| taken.player = Player(1 - taken.player.0)),
            Fault::BatchListsTwice => taken.insert(0, taken[0]),
            _ => {}
        }
        steps
    }

    fn prefer(&mut self, game: &Count, draws: u32, scores: &[(Player, u8, f32)]) {
        let keeps = self.fault == Fault::BatchPrefersForEver && draws == 1;
        if self.fault != Fault::BatchPrefersNothing && !keeps {
            self.singly.prefer(game, draws, scores);
        }
    }
}

impl Notation for Count {
    const READS_STATES: bool = true;

    fn action_text(&self, _state: &State, _actor: Actor, action: u8) -> String {
        if self.fault == Fault::SameText { "add".to_owned() } else { format!("add {action}") }
    }

    fn parse_action(&self, _state: &State, _actor: Actor, text: &str) -> Result<u8, InputError> {
        let number = text.strip_prefix("add ").and_then(|number| number.parse::<u8>().ok());
        match self.fault {
            Fault::TextDoesNotReadBack => Ok(1),
            _ => number.ok_or_else(|| InputError::new("expected `add N`")),
        }
    }

    fn state_text(&self, state: &State) -> String {
        format!("{} {}", state.total, state.steps)
    }

    fn parse_state(&self, text: &str) -> Result<State, InputError> {
        let wrong = || InputError::new("expected two numbers");
        let (total, steps) = text.split_once(' ').ok_or_else(wrong)?;
        let total = total.parse().map_err(|_| wrong())?;
        let steps: u8 = steps.parse().map_err(|_| wrong())?;
        Ok(State { total, steps: steps + u8::from(self.fault == Fault::StateDoesNotReadBack) })
    }
}

impl Drawing for Count {
    fn draw(&self, _state: &State) -> Picture {
        let mut picture = Picture::new(30.0, 10.0);
        for id in 0..3 {
            picture.area(id, format!("add {id}"), 10.0 * f64::from(id), 0.0, 10.0, 10.0);
        }
        picture
    }

    fn clicks(&self, _state: &State, _actor: Actor, action: u8) -> Vec<AreaId> {
        match self.fault {
            Fault::ClicksNowhere => vec![77],
            Fault::ClicksAlike => vec![1; usize::from(action) + 1],
            _ => vec![AreaId::from(action)],
        }
    }
}

/// Picks an action that nobody has.
struct Cheat;

impl Policy<Count> for Cheat {
    fn pick(&mut self, _game: &Count, _state: &State, _player: Player, _rng: &mut Rng) -> u8 {
        3
    }
}

impl Knowledge for Count {
    const OFFERS: Capabilities = Capabilities::all().difference(Capabilities::ACTION_FEATURES);

    fn heuristics(&self) -> Option<&'static dyn Heuristics<Self>> {
        Some(&Everything)
    }

    fn tactics(&self) -> Option<&'static dyn Tactics<Self>> {
        Some(&Everything)
    }

    fn clock(&self) -> Option<&'static dyn Clock<Self>> {
        Some(&Everything)
    }

    fn solver_hints(&self) -> Option<&'static dyn SolverHints<Self>> {
        Some(&Everything)
    }

    fn action_index(&self) -> Option<&'static dyn ActionIndex<Self>> {
        Some(&Everything)
    }

    fn observation(&self) -> Option<&'static dyn Observation<Self>> {
        Some(&Everything)
    }

    fn action_features(&self) -> Option<&'static dyn ActionFeatures<Self>> {
        (self.fault == Fault::UndeclaredCapability).then_some(&Everything as &'static dyn ActionFeatures<Self>)
    }
}

/// All capabilities of [`Count`], correct except for the fault.
struct Everything;

impl Heuristics<Count> for Everything {
    fn policies(&self, game: &Count) -> &'static [Named] {
        if game.fault == Fault::PolicyIllegal { &[Named { name: "cheat", summary: "cheats" }] } else { &[] }
    }

    fn policy(&self, _game: &Count, name: &str) -> Option<Box<dyn Policy<Count>>> {
        (name == "cheat").then(|| Box::new(Cheat) as Box<dyn Policy<Count>>)
    }

    fn customary_policy(&self, game: &Count) -> Option<&'static str> {
        (game.fault == Fault::CustomaryUnlisted).then_some("cheat")
    }
}

/// Adding 2 is an attack.
impl Attacks<Count> for Everything {
    fn is_attack(&self, game: &Count, _state: &State, action: u8) -> bool {
        action == 2 || game.fault == Fault::QuietAttacks
    }
}

/// A single piece.
impl Tactics<Count> for Everything {
    fn piece(&self, _game: &Count, _state: &State, _action: u8) -> u32 {
        0
    }

    fn representatives(&self, game: &Count, _state: &State, _piece: u32, out: &mut Vec<u8>) {
        out.push(if game.fault == Fault::RepresentativeIllegal { 3 } else { 1 });
    }

    fn quiet_policy(&self, _game: &Count) -> Box<dyn Policy<Count>> {
        struct One;
        impl Policy<Count> for One {
            fn pick(&mut self, _game: &Count, _state: &State, _player: Player, _rng: &mut Rng) -> u8 {
                1
            }
        }
        Box::new(One)
    }

    fn fights(&self, game: &Count, state: &State, _most: u32) -> Vec<State> {
        match game.fault {
            Fault::PartOfAnother => vec![State { steps: state.steps + 1, ..*state }],
            Fault::PartsOverlap => vec![state.clone(), state.clone()],
            _ => vec![state.clone()],
        }
    }
}

/// Forgets nothing.
impl Clock<Count> for Everything {
    fn forget(&self, game: &Count, state: &mut State) {
        if game.fault == Fault::ClockMatters {
            state.steps = 0;
        }
    }
}

impl SolverHints<Count> for Everything {
    fn fingerprint(&self, _game: &Count, state: &State) -> Fingerprint {
        let key = u128::from(state.total) << 8 | u128::from(state.steps);
        Fingerprint { key, exchanged: false, even: false }
    }

    fn bounds(&self, game: &Count, _state: &State) -> (f64, f64) {
        if game.fault == Fault::BoundsCrossed { (1.0, 0.0) } else { (0.0, 1.0) }
    }

    fn candidates(&self, game: &Count, state: &State, player: Player, out: &mut Vec<u8>) {
        if game.fault != Fault::NoCandidate {
            game.legal(state, player, out);
        }
    }
}

impl ActionFeatures<Count> for Everything {
    fn names(&self, _game: &Count) -> &'static [Named] {
        &[Named { name: "step", summary: "what is added" }]
    }

    fn values(&self, _game: &Count, _state: &State, action: u8, out: &mut Vec<f64>) {
        out.push(f64::from(action));
    }
}

/// What is added, less one; the coin as it falls.
impl ActionIndex<Count> for Everything {
    fn fields(&self, _game: &Count) -> Vec<ActionField> {
        vec![ActionField::new("step", 2)]
    }

    fn outcomes(&self, _game: &Count) -> usize {
        2
    }

    fn number(&self, game: &Count, actor: Actor, action: u8) -> u32 {
        match (game.fault, actor) {
            (_, Actor::Chance) => u32::from(action),
            (Fault::NumberOutside, _) => u32::from(action) + 1,
            (Fault::NumbersAlike, _) => 0,
            _ => u32::from(action) - 1,
        }
    }

    fn action(&self, game: &Count, actor: Actor, number: u32) -> Option<u8> {
        match (game.fault, actor) {
            (Fault::NumberBeyondTheRange, _) if number >= 2 => Some(2),
            _ if number >= 2 => None,
            (_, Actor::Chance) => Some(number as u8),
            (Fault::NumberReadsBackWrong, _) => Some(1),
            _ => Some(number as u8 + 1),
        }
    }
}

/// The total and the steps; the faulty one shows the coin, which another state has not.
impl Observation<Count> for Everything {
    fn layout(&self, game: &Count) -> ObservationLayout {
        ObservationLayout::features(["total", if game.fault == Fault::PlanesAlike { "total" } else { "steps" }])
    }

    fn fill(&self, game: &Count, state: &State, _player: Player, out: &mut [f32]) {
        out[0] =
            if game.fault == Fault::ViewTooLarge { f32::from(state.total) } else { f32::from(state.total) / 100.0 };
        if game.fault != Fault::ViewIncomplete {
            out[1] = f32::from(state.steps) / 100.0;
        }
    }

    fn same_view(&self, game: &Count, state: &State, _player: Player) -> Vec<State> {
        let hidden = State { total: state.total + 1, ..state.clone() };
        if game.fault == Fault::ViewShowsHidden { vec![hidden] } else { Vec::new() }
    }
}

#[test]
fn the_lawful_game_is_lawful() {
    let report = laws::check(&Count::new(Fault::None), 1).unwrap();
    assert_eq!(report.observed, Features::CHANCE);
    assert!(report.matches >= 30 && report.states > 20, "{report:?}");
}

#[test]
fn every_fault_is_found() {
    for (fault, expected) in [
        (Fault::Endless, "more than max_steps"),
        (Fault::PayoffOutside, "payoff 2"),
        (Fault::SumVaries, "observed [chance, general-sum]"),
        (Fault::NoActions, "has no legal action"),
        (Fault::DoubledAction, "has an action twice"),
        (Fault::ChanceSum, "chance adds up to 0.9"),
        (Fault::BiasedDraw, "do not follow their probabilities"),
        (Fault::IllegalDraw, "which is not legal"),
        (Fault::UndeclaredChance, "declared features [], observed [chance]"),
        (Fault::FeatureNeverSeen, "declared features [chance, simultaneous], observed [chance]"),
        (Fault::SameText, "does not read back"),
        (Fault::TextDoesNotReadBack, "reads back as"),
        (Fault::StateDoesNotReadBack, "reads back as"),
        (Fault::NothingChanges, "changes nothing"),
        (Fault::ClicksNowhere, "not areas of the picture"),
        (Fault::ClicksAlike, "cannot be told apart"),
        (Fault::PolicyIllegal, "picks the illegal 3"),
        (Fault::PartOfAnother, "another acts in the part"),
        (Fault::PartsOverlap, "acts in two parts"),
        (Fault::QuietAttacks, "the quiet policy picks the attack 1"),
        (Fault::RepresentativeIllegal, "do not represent what piece 0 can do"),
        (Fault::CustomaryUnlisted, "is not listed"),
        (Fault::ClockMatters, "other actions are legal when the clock is forgotten"),
        (Fault::BoundsCrossed, "the bounds of the value are 1 and 0"),
        (Fault::NoCandidate, "the candidates of player 0 are []"),
        (Fault::UndeclaredCapability, "are not among those of `OFFERS`"),
        (Fault::OutsideClass, "are not among those of `CLASS`, [chance, simultaneous]"),
        (Fault::BatchPaysEvenly, "more in a batch"),
        (Fault::BatchMixesPlayers, "more in a batch"),
        (Fault::BatchRemembers, "does not repeat"),
        (Fault::BatchCountsTwice, "counts TakenAction"),
        (Fault::BatchCountsForOther, "playouts one by one"),
        (Fault::BatchListsTwice, "twice"),
        (Fault::BatchPrefersNothing, "playouts one by one"),
        (Fault::BatchPrefersForEver, "no longer should"),
        (Fault::NumberOutside, "is outside 0..2"),
        (Fault::NumbersAlike, "both have number 0"),
        (Fault::NumberReadsBackWrong, "reads back as Some(1)"),
        (Fault::NumberBeyondTheRange, "number 2 is outside the range"),
        (Fault::ViewIncomplete, "is not set"),
        (Fault::ViewTooLarge, "not from -1 to 1"),
        (Fault::ViewShowsHidden, "sees what is hidden"),
        (Fault::PlanesAlike, "two planes have the same name"),
    ] {
        match laws::check(&Count::new(fault), 1) {
            Ok(report) => panic!("{fault:?} was not found: {report:?}"),
            Err(violation) => assert!(violation.to_string().contains(expected), "{fault:?}: {violation}"),
        }
    }
}

#[test]
fn hidden_information_obeys_the_laws() {
    let report = laws::check(&tesuji_core::tiny_games::Kuhn::default(), 1).unwrap();
    assert!(report.observed.contains(Features::HIDDEN));
}

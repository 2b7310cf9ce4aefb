//! A state without its type.

use std::any::Any;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use tesuji_core::laws::Complete;
use tesuji_core::{
    ActionIndex, Actor, BatchPlayouts, Horizon, InputError, Observation, OneByOne, Picture, Player, Policy, Rng, Spec,
    Turn, Uniform, nearest,
};

use super::Numbers;

/// A state of a game whose actions have numbers.
pub trait AnyPosition: Any + Send + Sync {
    /// What holds in every state of the game.
    fn spec(&self) -> &Spec;

    /// Who acts next.
    fn turn(&self) -> Turn;

    /// The numbers of an actor's legal actions in the game's order; empty for players who do not act now.
    fn legal(&self, actor: Actor) -> Vec<u32>;

    /// The numbers of the legal actions of the one who acts next, a player or chance, in ascending order. Empty when
    /// the match is over, and where several players act at once.
    fn legal_now(&mut self) -> &[u32];

    /// The outcomes of chance with their probabilities; empty where chance does not act.
    fn outcomes(&self) -> Vec<(u32, f64)>;

    /// Plays one step: the movers' actions in player order, or the outcome of chance. Refuses what is not legal and
    /// changes nothing then.
    fn apply(&mut self, joint: &[u32]) -> Result<(), InputError>;

    /// Lets chance draw until a player acts or the match is over.
    fn draw(&mut self, rng: &mut Rng);

    /// Plays on uniformly at random to the end; returns the number of steps.
    fn play_out(&mut self, rng: &mut Rng) -> u32;

    /// The payoffs in seat order; `None` while the match continues.
    fn payoffs(&self) -> Option<Vec<f64>>;

    /// Writes what `player` sees into `out`, which has the size of an observation.
    fn observe(&self, player: Player, out: &mut [f32]);

    /// The state on one line.
    fn text(&self) -> String;

    /// The state for a terminal.
    fn board_text(&self) -> String;

    /// The state drawn.
    fn picture(&self) -> Picture;

    /// The text of an action that is legal here.
    fn action_text(&self, actor: Actor, number: u32) -> Result<String, InputError>;

    /// The number of the legal action that a text names.
    fn read_action(&self, actor: Actor, text: &str) -> Result<u32, InputError>;

    /// A copy.
    fn copy(&self) -> Box<dyn AnyPosition>;

    /// Whether both are the same state of the same game.
    fn equals(&self, other: &dyn AnyPosition) -> bool;

    /// A hash; equal states have equal hashes within one run of the program.
    fn hash(&self) -> u64;
}

/// A state that can cross an interface without types.
pub(crate) struct HeldState<G: Complete>(pub(crate) G::State);

/// The typed state behind an [`AnyPosition`].
pub(crate) struct TypedPosition<G: Complete> {
    pub(crate) game: Arc<G>,
    pub(crate) state: G::State,
    index: &'static dyn ActionIndex<G>,
    observation: &'static dyn Observation<G>,
    /// A buffer of `apply`.
    joint: Vec<G::Action>,
    /// The legal actions of the one who acts next, and their numbers in ascending order.
    legal: Vec<G::Action>,
    numbers: Vec<u32>,
    /// Whether they belong to this state.
    listed: bool,
}

impl<G: Complete> TypedPosition<G> {
    /// A state of `game`; refuses a game without numbers.
    pub(crate) fn new(game: Arc<G>, state: G::State) -> Result<TypedPosition<G>, InputError> {
        let (Some(index), Some(observation)) = (game.action_index(), game.observation()) else {
            return Err(Numbers::refusal(&*game));
        };
        Ok(TypedPosition::bare(game, state, index, observation))
    }

    /// Without buffers.
    fn bare(
        game: Arc<G>,
        state: G::State,
        index: &'static dyn ActionIndex<G>,
        observation: &'static dyn Observation<G>,
    ) -> TypedPosition<G> {
        let (joint, legal, numbers) = (Vec::new(), Vec::new(), Vec::new());
        TypedPosition { game, state, index, observation, joint, legal, numbers, listed: false }
    }

    /// The typed state behind `position`, which must be a state of `game`.
    pub(crate) fn of<'a>(game: &Arc<G>, position: &'a dyn AnyPosition) -> Result<&'a TypedPosition<G>, InputError> {
        let typed = (position as &dyn Any).downcast_ref::<TypedPosition<G>>();
        typed.filter(|typed| same_game(&typed.game, game)).ok_or_else(|| {
            let (expected, given) = (&game.spec().name, &position.spec().name);
            InputError::new(format!("this is a state of `{given}`, expected a state of `{expected}`"))
        })
    }

    /// The legal actions of an actor who acts now; empty for others.
    fn list(&self, actor: Actor, out: &mut Vec<G::Action>) {
        match (actor, self.game.turn(&self.state)) {
            (Actor::Chance, Turn::Chance) => {
                let mut outcomes = Vec::new();
                self.game.chance(&self.state, &mut outcomes);
                out.extend(outcomes.into_iter().map(|(outcome, _)| outcome));
            }
            (Actor::Player(player), turn) if turn.movers().contains(player) => {
                self.game.legal(&self.state, player, out);
            }
            _ => {}
        }
    }

    /// The number of an action.
    pub(crate) fn number(&self, actor: Actor, action: G::Action) -> u32 {
        self.index.number(&self.game, actor, action)
    }

    /// The refusal of a number that is not legal here, with legal ones.
    fn refuse(&self, actor: Actor, number: u32) -> InputError {
        let legal = self.legal(actor);
        let texts: Vec<String> = legal.iter().map(u32::to_string).collect();
        let wanted = number.to_string();
        let near = nearest(&wanted, texts.iter().map(String::as_str), 5).join("  ");
        InputError::new(format!("action {number} is not legal here"))
            .with_help(format!("{} legal; nearest: {near}", legal.len()))
    }

    /// The legal action with a number.
    fn find(&self, actor: Actor, number: u32) -> Result<G::Action, InputError> {
        let mut legal = Vec::new();
        self.list(actor, &mut legal);
        let action = self.index.action(&self.game, actor, number).filter(|action| legal.contains(action));
        action.ok_or_else(|| self.refuse(actor, number))
    }
}

/// Whether two games are the same: opened once, or with the same rules and parameters.
fn same_game<G: Complete>(one: &Arc<G>, other: &Arc<G>) -> bool {
    Arc::ptr_eq(one, other) || one.spec() == other.spec() && one.rules_text() == other.rules_text()
}

impl<G: Complete> AnyPosition for TypedPosition<G> {
    fn spec(&self) -> &Spec {
        self.game.spec()
    }

    fn turn(&self) -> Turn {
        self.game.turn(&self.state)
    }

    fn legal(&self, actor: Actor) -> Vec<u32> {
        let mut actions = Vec::new();
        self.list(actor, &mut actions);
        actions.into_iter().map(|action| self.index.number(&self.game, actor, action)).collect()
    }

    fn outcomes(&self) -> Vec<(u32, f64)> {
        let mut outcomes = Vec::new();
        if self.turn() == Turn::Chance {
            self.game.chance(&self.state, &mut outcomes);
        }
        let number = |action| self.index.number(&self.game, Actor::Chance, action);
        outcomes.into_iter().map(|(action, probability)| (number(action), probability)).collect()
    }

    fn legal_now(&mut self) -> &[u32] {
        if !self.listed {
            match self.game.turn(&self.state) {
                Turn::Player(player) => {
                    self.index.legal(&self.game, &self.state, player, &mut self.legal, &mut self.numbers);
                }
                turn => {
                    let mut legal = std::mem::take(&mut self.legal);
                    legal.clear();
                    if turn == Turn::Chance {
                        self.list(Actor::Chance, &mut legal);
                    }
                    self.numbers.clear();
                    let number = |&action: &G::Action| self.index.number(&self.game, Actor::Chance, action);
                    self.numbers.extend(legal.iter().map(number));
                    self.legal = legal;
                }
            }
            if !self.numbers.is_sorted() {
                self.numbers.sort_unstable();
            }
            self.listed = true;
        }
        &self.numbers
    }

    fn apply(&mut self, joint: &[u32]) -> Result<(), InputError> {
        let turn = self.game.turn(&self.state);
        if let (Turn::Player(player), &[number]) = (turn, joint) {
            // The usual case: the list is often there already.
            self.legal_now();
            let actor = Actor::Player(player);
            let action = self.index.action(&self.game, actor, number).filter(|action| self.legal.contains(action));
            let action = action.ok_or_else(|| self.refuse(actor, number))?;
            self.game.apply(&mut self.state, &[action]);
            self.listed = false;
            return Ok(());
        }
        if turn == Turn::Over {
            return Err(InputError::new("the match is over: no action can be applied"));
        }
        let expected = turn.actors().count();
        if expected != joint.len() {
            let who: Vec<String> = turn.movers().map(|player| self.spec().player_name(player).to_owned()).collect();
            return Err(InputError::new(format!("got {} action(s), expected {expected}", joint.len()))
                .with_help(format!("one for each of: {}", who.join(", "))));
        }
        let (mut actions, mut legal) = (std::mem::take(&mut self.joint), Vec::new());
        actions.clear();
        for (actor, &number) in turn.actors().zip(joint) {
            legal.clear();
            self.list(actor, &mut legal);
            let action = self.index.action(&self.game, actor, number).filter(|action| legal.contains(action));
            actions.push(action.ok_or_else(|| self.refuse(actor, number))?);
        }
        self.game.apply(&mut self.state, &actions);
        (self.joint, self.listed) = (actions, false);
        Ok(())
    }

    fn draw(&mut self, rng: &mut Rng) {
        while self.turn() == Turn::Chance {
            let outcome = self.game.random_outcome(&self.state, rng);
            self.game.apply(&mut self.state, &[outcome]);
            self.listed = false;
        }
    }

    fn play_out(&mut self, rng: &mut Rng) -> u32 {
        self.listed = false;
        Uniform::default().play_out(&*self.game, &mut self.state, rng, Horizon::END)
    }

    fn payoffs(&self) -> Option<Vec<f64>> {
        let over = self.turn() == Turn::Over;
        over.then(|| self.spec().seats().map(|player| self.game.payoff(&self.state, player)).collect())
    }

    fn observe(&self, player: Player, out: &mut [f32]) {
        self.observation.fill(&self.game, &self.state, player, out);
    }

    fn text(&self) -> String {
        self.game.state_text(&self.state)
    }

    fn board_text(&self) -> String {
        self.game.board_text(&self.state)
    }

    fn picture(&self) -> Picture {
        self.game.draw(&self.state)
    }

    fn action_text(&self, actor: Actor, number: u32) -> Result<String, InputError> {
        Ok(self.game.action_text(&self.state, actor, self.find(actor, number)?))
    }

    fn read_action(&self, actor: Actor, text: &str) -> Result<u32, InputError> {
        let acts = self.turn().actors().any(|acting| acting == actor);
        if !acts {
            return Err(InputError::new(format!("`{}` names no action: its actor does not act now", text.trim())));
        }
        let action = self.game.parse_action(&self.state, actor, text)?;
        Ok(self.index.number(&self.game, actor, action))
    }

    fn copy(&self) -> Box<dyn AnyPosition> {
        let (game, state) = (Arc::clone(&self.game), self.state.clone());
        Box::new(TypedPosition::bare(game, state, self.index, self.observation))
    }

    fn equals(&self, other: &dyn AnyPosition) -> bool {
        TypedPosition::of(&self.game, other).is_ok_and(|other| other.state == self.state)
    }

    fn hash(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.state.hash(&mut hasher);
        hasher.finish()
    }
}

/// Plays each position out `each` times and adds the payoffs to `totals[position * players + player]`. Returns the
/// number of steps.
pub(crate) fn play_outs<G: Complete>(
    game: &Arc<G>,
    positions: &[&dyn AnyPosition],
    each: u32,
    rng: &mut Rng,
    totals: &mut [f64],
) -> Result<u64, InputError> {
    let starts = positions
        .iter()
        .map(|position| TypedPosition::of(game, *position).map(|typed| typed.state.clone()))
        .collect::<Result<Vec<_>, _>>()?;
    Ok(match game.batch() {
        Some(mut batch) => batch.run(&**game, &starts, each, rng, totals),
        None => OneByOne::default().run(&**game, &starts, each, rng, totals),
    })
}

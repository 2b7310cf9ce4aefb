//! What a human expert would tell a search: all by name, all optional.

use crate::{Game, Player, Policy};

/// A name with the sentence that explains it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Named {
    /// How users write it.
    pub name: &'static str,
    /// What it is, in a sentence.
    pub summary: &'static str,
}

/// An estimate of what a player will get.
pub trait Evaluation<G: Game>: Send + Sync {
    /// An estimate for `player`, on the scale of the evaluation itself: greater is better, finite always.
    fn value(&self, game: &G, state: &G::State, player: Player) -> f64;

    /// Tells `visit` what the states right behind each of `actions` are worth to `player`, action by action: where chance
    /// falls next, outcome by outcome, the likeliest first and equally likely ones in the game's order. `actions` are legal
    /// where one player chooses in `state`. `false`, and nothing visited: there is no faster way than state by state.
    fn successors(
        &self,
        _game: &G,
        _state: &G::State,
        _actions: &[G::Action],
        _player: Player,
        _visit: &mut dyn FnMut(Successors<'_>) -> Visit,
    ) -> bool {
        false
    }
}

/// What [`Evaluation::successors`] has told of an action so far.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Successors<'a> {
    /// The place of the action among those asked for.
    pub action: usize,
    /// The states it can lead to, the last one being told just now.
    pub states: &'a [Successor],
    /// Are these all?
    pub complete: bool,
}

/// What to tell next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Visit {
    /// The next state, of this action or, if it has no more, of the next.
    NextState,
    /// The next action: no more of this one.
    NextAction,
    /// Nothing.
    Stop,
}

/// A state that an action can lead to, as [`Evaluation::successors`] tells.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Successor {
    /// How likely it is.
    pub probability: f64,
    /// The player's payoff if the match is over there, else the evaluation's value.
    pub value: f64,
    /// Is the match over there?
    pub over: bool,
}

impl<G: Game, F: Fn(&G, &G::State, Player) -> f64 + Send + Sync> Evaluation<G> for F {
    fn value(&self, game: &G, state: &G::State, player: Player) -> f64 {
        self(game, state, player)
    }
}

/// What [`Knowledge::fingerprint`] says of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fingerprint {
    /// Positions with equal keys are worth the same, but for players who are exchanged.
    pub key: u128,
    /// Does the key stand for the position in which the two players have exchanged places? What one gets there, the other
    /// gets here.
    pub exchanged: bool,
    /// Is the position the same when the players exchange places? It is worth the same to both then.
    pub even: bool,
}

/// A judgement of single actions, without looking further.
pub trait ActionEvaluation<G: Game>: Send + Sync {
    /// Writes the value of each of `actions`, legal actions of `player`, into `out`, which is cleared first: as many as there
    /// are actions, greater is better, finite always. A value belongs to its action and may be added to that of another.
    fn values(&self, game: &G, state: &G::State, player: Player, actions: &[G::Action], out: &mut Vec<f64>);
}

/// What a game knows about good play. Search asks for it by name and so stays free of game names.
pub trait Knowledge: Game + Sized {
    /// The evaluations on offer.
    fn evaluations(&self) -> &'static [Named] {
        &[]
    }

    /// The evaluation of that name.
    fn evaluation(&self, _name: &str) -> Option<Box<dyn Evaluation<Self>>> {
        None
    }

    /// The playout policies on offer, beside the uniform one that every game has.
    fn policies(&self) -> &'static [Named] {
        &[]
    }

    /// The playout policy of that name.
    fn policy(&self, _name: &str) -> Option<Box<dyn Policy<Self>>> {
        None
    }

    /// The name of the policy that the literature plays this game out with, where that is not the uniform one. Agents and
    /// benches use it unless told otherwise.
    fn customary_policy(&self) -> Option<&'static str> {
        None
    }

    /// Sets back what `state` counts for no other reason than that every match must end, such as steps made. States that
    /// differ in nothing else become equal, and a solver works on the game without that limit. A limit that comes into
    /// play is part of the game and stays.
    fn forget_clock(&self, _state: &mut Self::State) {}

    /// Does `action` force matters (an attack, a capture)? `None`: the game makes no such difference.
    fn is_attack(&self, _state: &Self::State, _action: Self::Action) -> Option<bool> {
        None
    }

    /// The judgements of single actions on offer.
    fn action_evaluations(&self) -> &'static [Named] {
        &[]
    }

    /// The judgement of single actions of that name.
    fn action_evaluation(&self, _name: &str) -> Option<Box<dyn ActionEvaluation<Self>>> {
        None
    }

    /// The name of the policy that acts without forcing matters, for those who have nothing to force: it never picks an
    /// action that [`is_attack`](Knowledge::is_attack).
    fn quiet_policy(&self) -> Option<&'static str> {
        None
    }

    /// Which piece acts, where every piece of a side acts at most once a turn. `None`: the game makes no such difference.
    fn piece(&self, _state: &Self::State, _action: Self::Action) -> Option<u32> {
        None
    }

    /// Appends a few actions of `piece`, which can act now, that stand for all it can do; at least one. `false`, and nothing
    /// appended: the game offers no such choice.
    fn representatives(&self, _state: &Self::State, _piece: u32, _out: &mut Vec<Self::Action>) -> bool {
        false
    }

    /// Takes a state apart into local fights. In each part only pieces that may soon meet the same enemies can act before the
    /// turn passes, at most `most` of them, which is not 0; all others are there but stay where they are. No piece can act in
    /// two parts, and one that meets nobody soon acts in none. `None`: the game cannot be taken apart.
    fn fights(&self, _state: &Self::State, _most: u32) -> Option<Vec<Self::State>> {
        None
    }

    /// What the numbers of [`action_features`](Knowledge::action_features) are, in order.
    fn action_feature_names(&self) -> &'static [Named] {
        &[]
    }

    /// Appends the features of an action, as many as there are names.
    fn action_features(&self, _state: &Self::State, _action: Self::Action, _out: &mut Vec<f64>) {}

    /// What the feature of that number can be: a whole number from the first to the second. `None`: any finite number.
    fn action_feature_range(&self, _feature: usize) -> Option<(i32, i32)> {
        None
    }

    /// The tables on offer of how good actions look by their features, learned from labelled actions.
    fn membership_tables(&self) -> &'static [Named] {
        &[]
    }

    /// The text of the table of that name: lines of a feature each and what is known of actions that have them.
    fn membership_table(&self, _name: &str) -> Option<&'static str> {
        None
    }

    /// A key that only positions worth the same share, where the game knows more than equality (symmetries, parts that do
    /// not matter); for games of two players with a constant sum. Games of one type but with different parameters may be
    /// solved together, so the key holds every parameter that matters.
    ///
    /// A key may be a hash of 128 bits: two of a billion positions collide with a probability of 10⁻²¹.
    fn fingerprint(&self, _state: &Self::State) -> Option<Fingerprint> {
        None
    }

    /// What the first player can make sure of at least and be held to at most, as far as that is plain to see; for games
    /// of two players with a constant sum.
    fn certain(&self, _state: &Self::State) -> (f64, f64) {
        self.spec().payoffs
    }

    /// The letters by which outcome classes name wins of the first and of the second player, where the literature sorts the
    /// game's positions into such classes.
    fn outcome_letters(&self) -> Option<[char; 2]> {
        None
    }

    /// Appends actions of `player` among which a best one is, whatever the other plays, the likeliest first.
    fn candidates(&self, state: &Self::State, player: Player, out: &mut Vec<Self::Action>) {
        self.legal(state, player, out);
    }
}

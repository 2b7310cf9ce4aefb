//! A small game with many actions per turn and all capabilities that searches of turns need.

use tesuji_core::{
    ActionEvaluation, ActionFeatures, Attacks, Capabilities, Drawing, Evaluation, Features, Game, Heuristics,
    Knowledge, Named, Notation, Player, Policy, Rng, Spec, Tactics, Turn,
};

/// Two sides of three pieces. In a turn each living piece acts once, in any order: it hits an enemy or waits. A side's
/// last piece stands behind its first and can be hit only when that is gone. The remaining side wins; after `limit`
/// turns the one with more HP does.
pub(crate) struct Skirmish {
    spec: Spec,
    /// HP at the start, by side and piece.
    pub hp: [[u8; 3]; 2],
    /// HP that a hit takes, by side and piece.
    pub strength: [[u8; 3]; 2],
    /// Turns of a match.
    pub limit: u8,
    /// What an HP of a side's first piece counts in the evaluation.
    pub first_weight: f64,
}

/// A position of [`Skirmish`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Fight {
    pub hp: [[u8; 3]; 2],
    acted: u8,
    mover: u8,
    turns: u8,
}

/// A piece, and the enemy it hits.
pub(crate) type Hit = (u8, Option<u8>);

impl Skirmish {
    pub(crate) fn new(hp: [[u8; 3]; 2], strength: [[u8; 3]; 2]) -> Skirmish {
        let spec = Spec::new("skirmish", &["a", "b"], Features::MULTI_ACTION, 60);
        Skirmish { spec, hp, strength, limit: 6, first_weight: 1.0 }
    }

    /// Random sides.
    pub(crate) fn random(rng: &mut Rng) -> Skirmish {
        let mut draw = |bound: usize| [0, 1].map(|_| [0, 1, 2].map(|_| 1 + rng.below(bound) as u8));
        Skirmish::new(draw(6), draw(4))
    }

    pub(crate) fn harm(&self, state: &Fight, (piece, target): Hit) -> u8 {
        let (own, other) = (usize::from(state.mover), 1 - usize::from(state.mover));
        target.map_or(0, |target| self.strength[own][usize::from(piece)].min(state.hp[other][usize::from(target)]))
    }
}

impl Game for Skirmish {
    type State = Fight;
    type Action = Hit;

    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn start(&self) -> Fight {
        Fight { hp: self.hp, acted: 0, mover: 0, turns: 0 }
    }

    fn turn(&self, state: &Fight) -> Turn {
        let gone = state.hp.iter().any(|side| side.iter().all(|&hp| hp == 0));
        if gone || state.turns >= self.limit { Turn::Over } else { Turn::Player(Player(state.mover)) }
    }

    fn legal(&self, state: &Fight, player: Player, out: &mut Vec<Hit>) {
        let (own, other) = (&state.hp[player.index()], &state.hp[1 - player.index()]);
        for piece in (0..3u8).filter(|&piece| own[usize::from(piece)] > 0 && state.acted >> piece & 1 == 0) {
            out.push((piece, None));
            let open = |target: &u8| other[usize::from(*target)] > 0 && (*target != 2 || other[0] == 0);
            out.extend((0..3).filter(open).map(|target| (piece, Some(target))));
        }
    }

    fn apply(&self, state: &mut Fight, joint: &[Hit]) {
        let (piece, target) = joint[0];
        let (own, other) = (usize::from(state.mover), 1 - usize::from(state.mover));
        if let Some(target) = target {
            state.hp[other][usize::from(target)] -= self.harm(state, joint[0]);
        }
        state.acted |= 1 << piece;
        if (0..3).all(|piece| state.hp[own][piece] == 0 || state.acted >> piece & 1 == 1) {
            state.acted = 0;
            state.mover = 1 - state.mover;
            state.turns += 1;
        }
    }

    fn payoff(&self, state: &Fight, player: Player) -> f64 {
        let sums = state.hp.map(|side| side.iter().map(|&hp| u32::from(hp)).sum::<u32>());
        match sums[player.index()].cmp(&sums[1 - player.index()]) {
            std::cmp::Ordering::Less => 0.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Greater => 1.0,
        }
    }
}

pub(crate) fn hit_points(game: &Skirmish, state: &Fight, player: Player) -> f64 {
    let sum = |side: usize| {
        let [first, others @ ..] = state.hp[side].map(f64::from);
        game.first_weight * first + others.iter().sum::<f64>()
    };
    sum(player.index()) - sum(1 - player.index())
}

struct Harm;

impl ActionEvaluation<Skirmish> for Harm {
    fn values(&self, game: &Skirmish, state: &Fight, _: Player, actions: &[Hit], out: &mut Vec<f64>) {
        out.clear();
        out.extend(actions.iter().map(|&action| f64::from(game.harm(state, action))));
    }
}

/// The first piece that can act waits.
pub(crate) struct Wait;

impl Policy<Skirmish> for Wait {
    fn pick(&mut self, game: &Skirmish, state: &Fight, player: Player, _: &mut Rng) -> Hit {
        let mut legal = Vec::new();
        game.legal(state, player, &mut legal);
        legal[0]
    }
}

impl Notation for Skirmish {}
impl Drawing for Skirmish {}

impl Knowledge for Skirmish {
    const OFFERS: Capabilities = Capabilities::HEURISTICS
        .union(Capabilities::ATTACKS)
        .union(Capabilities::TACTICS)
        .union(Capabilities::ACTION_FEATURES);

    fn heuristics(&self) -> Option<&'static dyn Heuristics<Self>> {
        Some(&Everything)
    }

    fn tactics(&self) -> Option<&'static dyn Tactics<Self>> {
        Some(&Everything)
    }

    fn action_features(&self) -> Option<&'static dyn ActionFeatures<Self>> {
        Some(&Everything)
    }
}

struct AttackFirst;

impl Policy<Skirmish> for AttackFirst {
    fn pick(&mut self, game: &Skirmish, state: &Fight, player: Player, rng: &mut Rng) -> Hit {
        let mut legal = Vec::new();
        game.legal(state, player, &mut legal);
        let attacks: Vec<Hit> = legal.iter().copied().filter(|action| action.1.is_some()).collect();
        let choice = if attacks.is_empty() { legal } else { attacks };
        choice[rng.below(choice.len())]
    }
}

/// All capabilities of [`Skirmish`].
pub(crate) struct Everything;

impl Heuristics<Skirmish> for Everything {
    fn evaluations(&self, _: &Skirmish) -> &'static [Named] {
        &[Named { name: "hp", summary: "own HP minus the other side's" }]
    }

    fn evaluation(&self, _: &Skirmish, name: &str) -> Option<Box<dyn Evaluation<Skirmish>>> {
        (name == "hp").then(|| Box::new(hit_points) as Box<dyn Evaluation<Skirmish>>)
    }

    fn policies(&self, _: &Skirmish) -> &'static [Named] {
        &[
            Named { name: "wait", summary: "everybody waits" },
            Named { name: "attack-first", summary: "a random attack while there is one" },
        ]
    }

    fn policy(&self, _: &Skirmish, name: &str) -> Option<Box<dyn Policy<Skirmish>>> {
        match name {
            "wait" => Some(Box::new(Wait)),
            "attack-first" => Some(Box::new(AttackFirst)),
            _ => None,
        }
    }

    fn action_evaluations(&self, _: &Skirmish) -> &'static [Named] {
        &[Named { name: "harm", summary: "HP taken" }]
    }

    fn action_evaluation(&self, _: &Skirmish, name: &str) -> Option<Box<dyn ActionEvaluation<Skirmish>>> {
        (name == "harm").then(|| Box::new(Harm) as Box<dyn ActionEvaluation<Skirmish>>)
    }
}

impl Attacks<Skirmish> for Everything {
    fn is_attack(&self, _: &Skirmish, _: &Fight, action: Hit) -> bool {
        action.1.is_some()
    }
}

impl Tactics<Skirmish> for Everything {
    fn piece(&self, _: &Skirmish, _: &Fight, action: Hit) -> u32 {
        u32::from(action.0)
    }

    fn representatives(&self, game: &Skirmish, state: &Fight, piece: u32, out: &mut Vec<Hit>) {
        let mut legal = Vec::new();
        game.legal(state, Player(state.mover), &mut legal);
        out.extend(legal.into_iter().filter(|action| u32::from(action.0) == piece));
    }

    fn quiet_policy(&self, _: &Skirmish) -> Box<dyn Policy<Skirmish>> {
        Box::new(Wait)
    }

    /// All meet, so each part has the next few.
    fn fights(&self, _: &Skirmish, state: &Fight, most: u32) -> Vec<Fight> {
        let own = state.hp[usize::from(state.mover)];
        let ready: Vec<u8> =
            (0..3).filter(|&piece| own[usize::from(piece)] > 0 && state.acted >> piece & 1 == 0).collect();
        let others =
            |part: &[u8]| ready.iter().filter(|piece| !part.contains(piece)).fold(0, |set, piece| set | 1 << piece);
        ready.chunks(most as usize).map(|part| Fight { acted: state.acted | others(part), ..*state }).collect()
    }

    fn ended_by_limit(&self, _: &Skirmish, state: &Fight) -> bool {
        state.hp.iter().all(|side| side.iter().any(|&hp| hp > 0))
    }
}

impl ActionFeatures<Skirmish> for Everything {
    fn names(&self, _: &Skirmish) -> &'static [Named] {
        &[Named { name: "piece", summary: "who acts" }, Named { name: "harm", summary: "HP taken" }]
    }

    fn values(&self, game: &Skirmish, state: &Fight, action: Hit, out: &mut Vec<f64>) {
        out.extend([f64::from(action.0), f64::from(game.harm(state, action))]);
    }

    fn tables(&self, _: &Skirmish) -> &'static [Named] {
        &[Named { name: "stand-in-440", summary: "hitting is good" }]
    }

    fn table(&self, _: &Skirmish, _: &str) -> Option<&'static str> {
        Some("piece,harm,samples,membership\n0,0,1,0.25\n0,1,1,1\n1,0,1,0.5\n")
    }
}

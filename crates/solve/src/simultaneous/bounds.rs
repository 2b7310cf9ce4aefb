//! What a player can force with a pure strategy: alpha-beta search of the serialised game.
//!
//! In the serialised game the forcing player chooses first at every joint move, and the other responds knowing the
//! choice. Fail-soft alpha-beta with cached bounds; the reply that refuted one action is tried first against the next.

use tesuji_core::{Knowledge, Player, Turn};

use super::{Answer, ExactSolver, Forced, bounds, candidates};

impl<G: Knowledge> ExactSolver<'_, G> {
    /// What `side` can force, as a payoff of the first player, if it lies between `alpha` and `beta`; otherwise a bound
    /// on the same side of the window.
    pub(super) fn force(&mut self, state: &G::State, side: usize, alpha: f64, beta: f64) -> Answer<f64> {
        let turn = self.game.turn(state);
        if turn == Turn::Over {
            return Ok(self.game.payoff(state, Player(0)));
        }
        let (mut low, mut high) = bounds(self.game, state);
        if low >= beta || low == high {
            return Ok(low);
        }
        if high <= alpha {
            return Ok(high);
        }
        let place = self.memory.place(self.game, state);
        let [known_low, known_high] = self.memory.forced(place, side, self.total);
        low = low.max(known_low);
        high = high.min(known_high);
        if low >= beta || low == high {
            return Ok(low);
        }
        if high <= alpha {
            return Ok(high);
        }
        self.look()?;
        let (alpha, beta) = (alpha.max(low), beta.min(high));
        let found = match turn {
            Turn::Chance => {
                let mut outcomes = Vec::new();
                self.game.chance(state, &mut outcomes);
                let (loss, win) = self.game.spec().payoffs;
                let mut sum = 0.0;
                for (outcome, probability) in outcomes {
                    let mut next = state.clone();
                    self.game.apply(&mut next, &[outcome]);
                    sum += probability * self.force(&next, side, loss.next_down(), win.next_up())?;
                }
                sum
            }
            Turn::Player(mover) => self.force_alone(state, side, mover, alpha, beta)?,
            _ => self.force_first(state, side, alpha, beta)?,
        };
        let bounds = match found {
            found if found <= alpha && alpha < beta => [low, found],
            found if found >= beta => [found, high],
            found => [found, found],
        };
        self.memory.remember_forced(place, side, bounds, self.total);
        Ok(found)
    }

    /// A node where one player moves alone.
    fn force_alone(&mut self, state: &G::State, side: usize, mover: Player, alpha: f64, beta: f64) -> Answer<f64> {
        let sign = if mover == Player(0) { 1.0 } else { -1.0 };
        let mut best = f64::NEG_INFINITY;
        for action in self.actions(state, mover) {
            let mut next = state.clone();
            self.game.apply(&mut next, &[action]);
            let reached = sign * best;
            let (low, high) = if sign > 0.0 { (alpha.max(reached), beta) } else { (alpha, beta.min(reached)) };
            best = best.max(sign * self.force(&next, side, low, high)?);
            if if sign > 0.0 { best >= beta } else { -best <= alpha } {
                break;
            }
        }
        Ok(sign * best)
    }

    /// A joint move where `side` chooses first. Everything has the sign of `side`, so that it maximises and the other
    /// minimises.
    fn force_first(&mut self, state: &G::State, side: usize, alpha: f64, beta: f64) -> Answer<f64> {
        let sign = if side == 0 { 1.0 } else { -1.0 };
        let (alpha, beta) = if side == 0 { (alpha, beta) } else { (-beta, -alpha) };
        let mut own = self.spare.pop().unwrap_or_default();
        let mut replies = self.spare.pop().unwrap_or_default();
        candidates(self.game, state, Player(side as u8), &mut own);
        candidates(self.game, state, Player(1 - side as u8), &mut replies);
        let mut best = f64::NEG_INFINITY;
        let mut answer = Ok(());
        'actions: for &action in &own {
            let bar = alpha.max(best);
            let mut worst = f64::INFINITY;
            for index in 0..replies.len() {
                let reply = replies[index];
                let joint = if side == 0 { [action, reply] } else { [reply, action] };
                let mut next = state.clone();
                self.game.apply(&mut next, &joint);
                let (low, high) = (bar, beta.min(worst));
                let (low, high) = if side == 0 { (low, high) } else { (-high, -low) };
                let value = match self.force(&next, side, low, high) {
                    Ok(value) => sign * value,
                    Err(gave_up) => {
                        answer = Err(gave_up);
                        break 'actions;
                    }
                };
                if value < worst {
                    worst = value;
                    if worst <= bar {
                        replies[..=index].rotate_right(1);
                        break;
                    }
                }
            }
            best = best.max(worst);
            if best >= beta {
                break;
            }
        }
        for mut list in [own, replies] {
            list.clear();
            self.spare.push(list);
        }
        answer.map(|()| sign * best)
    }

    /// An action of a joint move with which `side` forces a payoff of the first player of at least (for the second
    /// player: at most) `bound`, whatever the reply; `None` if there is no such action.
    pub(super) fn forcing_action(&mut self, state: &G::State, side: usize, bound: f64) -> Answer<Option<G::Action>> {
        let (alpha, beta) = if side == 0 { (bound.next_down(), bound) } else { (bound, bound.next_up()) };
        let holds = |forced: f64| if side == 0 { forced >= bound } else { forced <= bound };
        if !holds(self.force(state, side, alpha, beta)?) {
            return Ok(None);
        }
        let replies = self.actions(state, Player(1 - side as u8));
        for action in self.actions(state, Player(side as u8)) {
            let mut all = true;
            for &reply in &replies {
                let mut next = state.clone();
                self.game.apply(&mut next, &if side == 0 { [action, reply] } else { [reply, action] });
                all = holds(self.force(&next, side, alpha, beta)?);
                if !all {
                    break;
                }
            }
            if all {
                return Ok(Some(action));
            }
        }
        Ok(None)
    }

    /// The actions with which both players force the value of a joint move, if pure strategies suffice.
    pub(super) fn forcing_actions(&mut self, state: &G::State, forced: Forced) -> Answer<Option<[G::Action; 2]>> {
        if forced.least < forced.most {
            return Ok(None);
        }
        let first = self.forcing_action(state, 0, forced.least)?;
        let second = self.forcing_action(state, 1, forced.most)?;
        Ok(first.zip(second).map(|(first, second)| [first, second]))
    }
}

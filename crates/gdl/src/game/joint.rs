//! Joint moves as in GDL and the general game playing protocol: one move for every role, including chance and roles
//! without a choice.

use tesuji_core::{InputError, Player, Source, Turn, nearest};

use super::notation::plain;
use super::{Gdl, Move, State};
use crate::{kif, place_of};

impl Gdl {
    /// The legal moves of a role as text, whether or not it has a choice; also where the step limit has ended the
    /// match.
    pub fn role_moves(&self, state: &State, role: usize) -> Vec<String> {
        let mut moves = Vec::new();
        self.engine.legal(&state.facts, role, &mut moves);
        moves.into_iter().map(|number| self.engine.move_text(role, number)).collect()
    }

    /// The text of a player's move.
    pub fn move_text(&self, player: Player, action: Move) -> String {
        self.engine.move_text(self.roles[player.index()], action)
    }

    /// The goal of each role, including chance; `None` if the rules define none or several.
    pub fn role_goals(&self, state: &State) -> Vec<Option<i32>> {
        let mut goals = Vec::new();
        self.engine.goals(&state.facts, &mut goals);
        goals
    }

    /// Converts a joint move, one text per role, to steps: one step, or two if players and chance choose at once.
    /// Blanks and case do not matter.
    pub fn joint_steps(&self, state: &State, joint: &[String]) -> Result<Vec<Vec<Move>>, InputError> {
        if state.turn == Turn::Over {
            return Err(InputError::new("the match is over: no further move is possible"));
        }
        if joint.len() != self.role_names.len() {
            let message = format!("{} move(s) for {} role(s)", joint.len(), self.role_names.len());
            return Err(
                InputError::new(message).with_help(format!("one move for each of: {}", self.role_names.join(", ")))
            );
        }
        let mut moves = Vec::new();
        for (role, text) in joint.iter().enumerate() {
            moves.push(self.role_move(state, role, text)?);
        }
        let mut steps = Vec::new();
        let movers: Vec<Move> = state.turn.movers().map(|player| moves[self.roles[player.index()]]).collect();
        if !movers.is_empty() {
            steps.push(movers);
        }
        if let Some(random) = self.random
            && state.roles[random].0 > 1
        {
            steps.push(vec![moves[random]]);
        }
        Ok(steps)
    }

    /// The text of the sheet.
    pub fn sheet_text(&self) -> &str {
        &self.text
    }

    /// The joint move of all roles that begins written steps, each with the actions of those who chose, and the number
    /// of steps it takes: two if chance draws after players have chosen.
    pub fn joint_of_steps(&self, state: &State, steps: &[Vec<String>]) -> Result<(Vec<String>, usize), InputError> {
        if state.turn == Turn::Over {
            return Err(InputError::new("the match is over: no further move is possible"));
        }
        let text = |role: usize| self.engine.move_text(role, state.roles[role].1);
        let mut joint: Vec<String> = (0..self.role_names.len()).map(text).collect();
        let mut written = steps.iter();
        let mut take = |roles: &[usize]| {
            let step = written.next().map_or(&[][..], Vec::as_slice);
            if step.len() != roles.len() {
                let message = format!("{} action(s) for {} who act", step.len(), roles.len());
                return Err(InputError::new(message));
            }
            for (&role, action) in roles.iter().zip(step) {
                let action = self.role_move(state, role, action)?;
                joint[role] = self.engine.move_text(role, action);
            }
            Ok(())
        };
        let movers: Vec<usize> = state.turn.movers().map(|player| self.roles[player.index()]).collect();
        if !movers.is_empty() {
            take(&movers)?;
        }
        if let Some(random) = self.random
            && state.roles[random].0 > 1
        {
            take(&[random])?;
        }
        let used = steps.len() - written.len();
        Ok((joint, used))
    }

    /// The legal move of a role with this text.
    fn role_move(&self, state: &State, role: usize, text: &str) -> Result<Move, InputError> {
        let source = Source::new("move", text.trim());
        let wanted = match kif::read(&source)?.as_slice() {
            [expression] => plain(expression),
            _ => source.text().to_owned(),
        };
        let mut moves = Vec::new();
        self.engine.legal(&state.facts, role, &mut moves);
        let texts: Vec<String> = moves.iter().map(|&number| self.engine.move_text(role, number)).collect();
        match place_of(&wanted, &texts) {
            Some(place) => Ok(moves[place]),
            None => {
                let near = nearest(&wanted, texts.iter().map(String::as_str), 5);
                let message = format!("`{wanted}` is not a legal move of {} here", self.role_names[role]);
                Err(InputError::new(message).with_help(format!("{} legal; nearest: {}", texts.len(), near.join("  "))))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use tesuji_core::{Game, Rng};

    use super::super::{Options, SHEETS};
    use super::*;
    use crate::Sheet;

    fn game(name: &str) -> Gdl {
        let (_, text) = SHEETS.iter().find(|(bundled, _)| *bundled == name).unwrap();
        Gdl::from_sheet(Sheet::read(Source::new(name, text)).unwrap(), Options::default()).unwrap()
    }

    /// Every joint move is one GDL step, whichever roles have a choice: alternating, simultaneous and random moves.
    #[test]
    fn joint_moves_of_all_roles_are_the_steps_of_those_who_choose() {
        for name in ["tic-tac-toe", "rock-paper-scissors", "pig-20", "three-player-tic-tac-toe", "peg-solitaire"] {
            let game = game(name);
            let mut rng = Rng::new(5);
            let mut state = game.start();
            let mut steps = 0;
            while game.turn(&state) != Turn::Over {
                let legal: Vec<Vec<String>> =
                    (0..game.role_names().len()).map(|role| game.role_moves(&state, role)).collect();
                let joint: Vec<String> =
                    legal.iter().map(|moves| moves[rng.below(moves.len())].to_uppercase()).collect();
                for step in game.joint_steps(&state, &joint).unwrap() {
                    game.apply(&mut state, &step);
                }
                steps += 1;
                assert_eq!(state.step, steps, "{name}");
            }
            assert!(game.joint_steps(&state, &[]).unwrap_err().to_string().contains("over"));
            assert_eq!(game.role_goals(&state).len(), game.role_names().len());
        }
    }

    #[test]
    fn wrong_joint_moves_are_named() {
        let game = game("tic-tac-toe");
        let state = game.start();
        let text = |moves: &[&str]| moves.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        let told = |moves: &[&str]| game.joint_steps(&state, &text(moves)).unwrap_err().to_string();
        assert!(told(&["noop"]).contains("1 move(s) for 2 role(s)"));
        assert!(told(&["(mark 9 9)", "noop"]).contains("`(mark 9 9)` is not a legal move"));
        assert!(told(&["(mark 1 1", "noop"]).contains("never closed"));
    }
}

//! Traces of matches by the reference prover of GGP-Base, to check an engine against.
//!
//! A trace is a text of lines with fields separated by tabs: `ROLES roles…`, then for each state `STATE facts…`, `TERM
//! 0|1`, `GOALS` with one value per role (`ERR` if there is not exactly one), and unless the state is terminal `LEGAL
//! role moves…` for each role and optionally `MOVE` with the joint move; `END` closes a match. A trace may stop
//! anywhere.

use tesuji_core::{InputError, Source};

use crate::referee::{Referee, View, difference, tidy};

/// One state of a trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TracedState {
    /// What the prover computed, in lower case. A goal that is undefined or not unique is an empty list.
    pub view: View,
    /// Whether the trace stops before all legal moves were listed.
    pub cut: bool,
    /// The joint move, if the match continued.
    pub joint: Option<Vec<String>>,
    /// The line of the state, counted from 1.
    pub line: usize,
}

/// Matches of one game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    /// The roles, in order.
    pub roles: Vec<String>,
    /// The matches, each from its first state.
    pub matches: Vec<Vec<TracedState>>,
}

impl Trace {
    /// Parses a trace.
    pub fn read(source: &Source) -> Result<Trace, InputError> {
        let mut trace = Trace { roles: Vec::new(), matches: Vec::new() };
        let mut playing: Vec<TracedState> = Vec::new();
        let mut offset = 0;
        for (index, line) in source.text().split_inclusive('\n').enumerate() {
            let place = |message: &str| InputError::new(message).at(source, offset, line.trim_end().len());
            let mut words = line.trim_end().split('\t');
            let key = words.next().unwrap_or_default();
            let rest: Vec<String> = words.map(|text| tidy(text).to_lowercase()).collect();
            match (key, playing.last_mut()) {
                ("", _) => {}
                ("ROLES", None) => trace.roles = rest,
                ("ROLES", Some(_)) => return Err(place("ROLES inside a match")),
                ("STATE", _) => {
                    let legal = vec![Vec::new(); trace.roles.len()];
                    let goals = vec![Vec::new(); trace.roles.len()];
                    let view = View { facts: sorted(rest), legal, terminal: false, goals };
                    playing.push(TracedState { view, cut: true, joint: None, line: index + 1 });
                }
                ("TERM", Some(state)) => {
                    state.view.terminal = rest == ["1"];
                }
                ("GOALS", Some(state)) => {
                    for (goals, text) in state.view.goals.iter_mut().zip(&rest) {
                        goals.extend(text.parse::<i32>().ok());
                    }
                    state.cut = !state.view.terminal;
                }
                ("LEGAL", Some(state)) => {
                    let Some((role, moves)) = rest.split_first() else { return Err(place("LEGAL without a role")) };
                    let Some(role) = trace.roles.iter().position(|known| known == role) else {
                        return Err(place("LEGAL for a role that ROLES does not name"));
                    };
                    state.view.legal[role] = sorted(moves.to_vec());
                    state.cut = role + 1 < trace.roles.len();
                }
                ("MOVE", Some(state)) => state.joint = Some(rest),
                ("END", _) => trace.matches.push(std::mem::take(&mut playing)),
                _ => return Err(place("expected ROLES, STATE, TERM, GOALS, LEGAL, MOVE or END, a state first")),
            }
            offset += line.len();
        }
        if !playing.is_empty() {
            trace.matches.push(playing);
        }
        Ok(trace)
    }

    /// Replays all matches, or the first `most_states` states of them together, and returns the number of states. The
    /// first difference is an error.
    pub fn check(&self, referee: &mut dyn Referee, most_states: usize) -> Result<usize, InputError> {
        let roles: Vec<String> = referee.roles().iter().map(|role| role.to_lowercase()).collect();
        if roles != self.roles {
            return Err(InputError::new(format!("roles {roles:?} instead of {:?}", self.roles)));
        }
        let mut checked = 0;
        for (number, states) in self.matches.iter().enumerate() {
            referee.restart()?;
            for (step, state) in states.iter().enumerate() {
                if checked == most_states || state.cut {
                    return Ok(checked);
                }
                let seen = lower(referee.view()?);
                if let Some(difference) = difference(&roles, &state.view, &seen) {
                    let place = format!("line {}: match {number}, step {step}", state.line);
                    return Err(InputError::new(format!("{place}: {difference}")));
                }
                checked += 1;
                if let Some(joint) = &state.joint {
                    referee.step(joint)?;
                }
            }
        }
        Ok(checked)
    }
}

/// The view as written by the prover: lower case, and goals only if there is exactly one.
fn lower(view: View) -> View {
    let fold = |texts: Vec<String>| sorted(texts.iter().map(|text| text.to_lowercase()).collect());
    View {
        facts: fold(view.facts),
        legal: view.legal.into_iter().map(fold).collect(),
        terminal: view.terminal,
        goals: view.goals.into_iter().map(|goals| if goals.len() == 1 { goals } else { Vec::new() }).collect(),
    }
}

fn sorted(mut texts: Vec<String>) -> Vec<String> {
    texts.sort_unstable();
    texts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_stay_the_same_during_a_match() {
        let read = |text: &str| Trace::read(&Source::new("t.trace", text));
        let error = read("ROLES\ta\nSTATE\t(p 1)\nROLES\ta\tb\nLEGAL\tb\tnoop\n").unwrap_err();
        assert_eq!((error.message(), error.position()), ("ROLES inside a match", Some((3, 1))));
        assert_eq!(read("ROLES\ta\nSTATE\t(p 1)\nEND\nROLES\ta\nSTATE\t(p 2)\n").unwrap().matches.len(), 2);
    }
}

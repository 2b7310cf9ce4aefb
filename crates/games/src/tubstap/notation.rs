//! Texts of actions and positions.
//!
//! An action names cells: `c3-d5` moves, `c3-d5xe5` moves and attacks, `c3xe5` attacks without moving, `c3` stays. A
//! cell is its column's letter (`a` to `z`, then `aa`, `ab`, …) and its row's number, from the top left, without the
//! frame.
//!
//! A position is one line: turns completed, the side to act (or `over`), then for each unit of the map its cell and HP
//! such as `c3:10`, followed by `*` if it has acted in this turn; or `-` if it is gone.

use std::fmt::Write as _;

use tesuji_core::{Actor, Game, InputError, Notation, Player, Source, Turn, legal_actions, nearest};

use super::map::{Cell, MAX_UNITS, TEAMS, Terrain, column_name};
use super::record::{Ending, Record};
use super::state::{Action, State, Tubstap};
use super::units::MAX_HP;
use crate::bits;

impl Notation for Tubstap {
    const READS_STATES: bool = true;

    fn rules_in_words(&self) -> Option<&'static str> {
        Some(include_str!("../../rules/tubstap.md"))
    }

    /// The platform's record, without a date, so that the same match gives the same bytes.
    fn record(&self, steps: &[Vec<Action>], agents: &[String]) -> Option<String> {
        let [red, blue] = agents else { return None };
        let actions: Vec<Action> = steps.iter().flatten().copied().collect();
        let mut state = self.start();
        actions.iter().for_each(|&action| self.apply(&mut state, &[action]));
        let ending = if self.turn(&state) == Turn::Over { Ending::Over } else { Ending::Open };
        let players = [red.clone(), blue.clone()];
        let record =
            Record { map: self.map().clone(), rules: self.rules(), players, date: String::new(), actions, ending };
        record.write().ok()
    }

    /// The map file.
    fn rules_text(&self) -> Option<String> {
        Some(self.map().write())
    }

    fn end_turn(&self, state: &State, _player: Player) -> Vec<Action> {
        Tubstap::end_turn(self, state)
    }

    fn action_text(&self, state: &State, _actor: Actor, action: Action) -> String {
        let from = state.cells[usize::from(action.unit)];
        let mut text = self.map.cell_name(from);
        if action.to != from {
            text.push('-');
            text.push_str(&self.map.cell_name(action.to));
        }
        if let Some(target) = action.target {
            text.push('x');
            text.push_str(&self.map.cell_name(state.cells[usize::from(target)]));
        }
        text
    }

    fn parse_action(&self, state: &State, actor: Actor, text: &str) -> Result<Action, InputError> {
        let text = text.trim();
        let actions = legal_actions(self, state, actor);
        if let Some(action) = self.action_named(state, text)
            && actions.contains(&action)
        {
            return Ok(action);
        }
        let texts: Vec<String> = actions.iter().map(|&action| self.action_text(state, actor, action)).collect();
        let near = nearest(text, texts.iter().map(String::as_str), 5);
        Err(InputError::new(format!("`{}` is not a legal action here", shown(text))).with_help(format!(
            "{} legal; nearest: {}",
            texts.len(),
            near.join("  ")
        )))
    }

    fn state_text(&self, state: &State) -> String {
        let who = match state.turn {
            Turn::Player(player) => TEAMS[player.index()],
            _ => "over",
        };
        let mut text = format!("{} {who}", state.turns);
        for unit in 0..self.map.units().len() as u8 {
            match state.cell(unit) {
                Some(cell) => {
                    let mark = if state.is_finished(unit) { "*" } else { "" };
                    text.push_str(&format!(" {}:{}{mark}", self.map.cell_name(cell), state.hp(unit)));
                }
                None => text.push_str(" -"),
            }
        }
        text
    }

    fn parse_state(&self, text: &str) -> Result<State, InputError> {
        let source = Source::new("position", text);
        let wrong = |word: &str, message: String| {
            // `word` is a slice of `text`, so the difference of their addresses is its offset.
            let offset = (word.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
            InputError::new(message)
                .with_help("a position looks like `3 blue a1:10 b2:4* - f6:7`: turns, who acts, then each unit")
                .at(&source, offset, word.len())
        };
        let words: Vec<&str> = text.split_whitespace().collect();
        let count = self.map.units().len();
        let end = &text[text.len()..];
        let [turns, who, units @ ..] = &words[..] else {
            return Err(wrong(end, "expected the number of turns and who acts".to_owned()));
        };
        if units.len() != count {
            return Err(wrong(
                units.last().unwrap_or(&end),
                format!("the map has {count} units, the text names {}", units.len()),
            ));
        }
        let limit = self.map.turn_limit();
        let turns_text = turns;
        let turns: u16 = turns.parse().ok().filter(|&turns| turns <= limit).ok_or_else(|| {
            wrong(turns_text, format!("`{}` is not a number of turns; expected 0 to {limit}", shown(turns_text)))
        })?;
        let mut state = State {
            cells: [0; MAX_UNITS],
            hp: [0; MAX_UNITS],
            alive: 0,
            finished: 0,
            turns,
            turn: Turn::Player(Player((turns % 2) as u8)),
        };
        for (number, word) in units.iter().enumerate() {
            if *word == "-" {
                continue;
            }
            let (cell, hp, finished) = self.parse_unit(number, word).map_err(|message| wrong(word, message))?;
            if let Some(other) = state.unit_on(cell) {
                return Err(wrong(word, format!("units {other} and {number} stand on one cell")));
            }
            state.cells[number] = cell;
            state.hp[number] = hp;
            state.alive |= 1 << number;
            state.finished |= u64::from(finished) << number;
        }
        let alive = self.teams.map(|team| team & state.alive);
        if alive == [0, 0] {
            return Err(wrong(end, "both sides are gone".to_owned()));
        }
        let over = alive.contains(&0) || turns == limit;
        let expected = if over { "over" } else { TEAMS[usize::from(turns % 2)] };
        if *who != expected {
            return Err(wrong(who, format!("expected `{expected}` after {turns} turns with these units")));
        }
        if over {
            state.turn = Turn::Over;
            return Ok(state);
        }
        if self.ready(&state) == 0 {
            return Err(wrong(who, format!("every unit of {expected} has acted, so its turn would be over")));
        }
        let waiting = state.finished & self.teams[1 - usize::from(turns % 2)];
        let may_wait = if turns == 0 { self.start().finished } else { 0 };
        if waiting & !may_wait != 0 {
            let number = (waiting & !may_wait).trailing_zeros();
            return Err(wrong(units[number as usize], format!("unit {number} cannot have acted: its side is waiting")));
        }
        Ok(state)
    }

    fn board_text(&self, state: &State) -> String {
        let map = &self.map;
        let [red, blue] = [0, 1].map(|team| self.total_hp(state, Player(team)));
        let who = match state.turn {
            Turn::Player(player) => {
                let ready = bits::ones(self.ready(state)).count();
                format!("{} to act with {ready} unit(s)", TEAMS[player.index()])
            }
            _ => self.result(state).to_owned(),
        };
        let mut text = format!(
            "after {} of {} turns, {who}; HP: red {red}, blue {blue}, threshold {}\n    ",
            state.turns,
            map.turn_limit(),
            map.threshold()
        );
        for column in 0..map.width() {
            let written = write!(text, " {:<5}", column_name(column));
            debug_assert!(written.is_ok(), "writing to a string cannot fail");
        }
        for (index, &terrain) in map.terrain().iter().enumerate() {
            let (column, row) = map.place(index as Cell);
            if column == 0 {
                text.truncate(text.trim_end_matches(' ').len());
                text.push_str(&format!("\n{:>3} ", row + 1));
            }
            let unit = state.unit_on(index as Cell).map_or(String::new(), |unit| {
                let letter = self.unit_letter(unit);
                let mark = if state.is_finished(unit) { "*" } else { "" };
                format!("{letter}{}{mark}", state.hp(unit))
            });
            text.push_str(&format!(" {}{unit:<4}", symbol(terrain)));
        }
        text.truncate(text.trim_end_matches(' ').len());
        text.push_str(
            "\nRED upper case, blue lower case, number HP, * has acted\n\
             . plain  = road  \" wood  ^ mountain  # fortress  ~ sea  X no entry\n",
        );
        text
    }
}

impl Tubstap {
    /// How a match that is over ended.
    pub(super) fn result(&self, state: &State) -> &'static str {
        match self.payoff(state, Player(0)) {
            1.0 => "red has won",
            0.0 => "blue has won",
            _ => "a draw",
        }
    }

    /// The letter of a unit's kind: upper case for red, lower case for blue.
    pub(super) fn unit_letter(&self, unit: u8) -> char {
        let letter = self.kinds[usize::from(unit)].letter();
        if self.teams[0] >> unit & 1 == 1 { letter } else { letter.to_ascii_lowercase() }
    }

    /// The action that a text names, legal or not. `c3-c3` is not a valid way to write `c3`.
    fn action_named(&self, state: &State, text: &str) -> Option<Action> {
        // A column may be called x too, but after a digit an x always means an attack.
        let sign = text.as_bytes().windows(2).position(|pair| pair[0].is_ascii_digit() && pair[1] == b'x');
        let (way, target) = sign.map_or((text, None), |digit| (&text[..=digit], Some(&text[digit + 2..])));
        let (from, to) = way.split_once('-').map_or((way, None), |(from, to)| (from, Some(to)));
        let from = self.map.cell_named(from)?;
        let to = match to {
            Some(to) => self.map.cell_named(to).filter(|&to| to != from)?,
            None => from,
        };
        let target = match target {
            Some(target) => Some(state.unit_on(self.map.cell_named(target)?)?),
            None => None,
        };
        Some(Action { unit: state.unit_on(from)?, target, to })
    }

    /// Parses cell, HP and flag of a unit.
    fn parse_unit(&self, number: usize, word: &str) -> Result<(Cell, u8, bool), String> {
        let (place, finished) = word.strip_suffix('*').map_or((word, false), |place| (place, true));
        let (name, hp) = place.split_once(':').ok_or_else(|| {
            format!("`{}` is not a unit; expected a cell and HP such as `c3:10`, or `-`", shown(word))
        })?;
        let cell = self.map.cell_named(name).ok_or_else(|| format!("the map has no cell `{}`", shown(name)))?;
        let unit = &self.map.units()[number];
        if self.map.terrain()[usize::from(cell)].cost(unit.kind.class()).is_none() && cell != unit.cell {
            return Err(format!("unit {number}, {}, cannot stand on {name}", unit.kind.name()));
        }
        let plain = !hp.is_empty() && hp.bytes().all(|byte| byte.is_ascii_digit()) && !hp.starts_with('0');
        let hp = hp
            .parse()
            .ok()
            .filter(|hp| plain && (1..=MAX_HP).contains(hp))
            .ok_or_else(|| format!("`{}` is not an HP; expected 1 to {MAX_HP}", shown(hp)))?;
        Ok((cell, hp, finished))
    }
}

/// The start of an arbitrary text, safe to show.
fn shown(text: &str) -> String {
    text.chars().take(20).collect::<String>().escape_debug().to_string()
}

/// The symbol of a terrain on a terminal.
fn symbol(terrain: Terrain) -> char {
    match terrain {
        Terrain::NoEntry => 'X',
        Terrain::Plain => '.',
        Terrain::Sea => '~',
        Terrain::Wood => '"',
        Terrain::Mountain => '^',
        Terrain::Road => '=',
        Terrain::Fortress => '#',
    }
}

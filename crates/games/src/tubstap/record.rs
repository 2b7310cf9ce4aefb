//! Match records in the platform's own format (files named `.sgf`, but not the SGF of Go).
//!
//! The map's statements, then `PLAYEDDATE`, `PLAYEDRULE`, `PLAYERRED` and `PLAYERBLUE`, then for each turn
//! `TURNINFO[turn,team,actions];` and one `ACTION[…];` for each unit. The fields of an action: unit, target x and y,
//! origin x and y, attacked unit (-1 if none), its x and y, type, damage, damage by the counter-attack. Types: 0
//! surrender, 1 move, 2 move and attack, 3 end of the turn (units that have not acted stay).
//!
//! Parsing replays the match: every action must be legal, and its damages correct. `PLAYEDRULE` is
//! `rule_set_version_0100` on the platform; a match by the paper's rules is written with `rule_set_paper`.

use tesuji_core::{Game, InputError, Player, Source, Turn, legal_actions};

use super::file::{MAP_KEYS, at_most_one, text, unknown_key};
use super::map::{MAX_SIDE, MAX_UNITS, Map};
use super::state::{Action, State, Tubstap};
use super::statements::{self, Field, Statement};
use super::units::Rules;

/// The statements of a record besides those of the map.
const RECORD_KEYS: [&str; 7] = ["PLAYEDDATE", "PLAYEDRULE", "PLAYERRED", "PLAYERBLUE", "TURNINFO", "ACTION", "COM"];

/// The names of the rule sets in records, in the order of [`Rules`].
const RULE_SETS: [&str; 2] = ["rule_set_version_0100", "rule_set_paper"];

/// A match read from a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// The map of the match.
    pub map: Map,
    /// The rules of the match.
    pub rules: Rules,
    /// The names of red and blue.
    pub players: [String; 2],
    /// The date, in any form.
    pub date: String,
    /// The actions, one unit at a time.
    pub actions: Vec<Action>,
    /// How it ended.
    pub ending: Ending,
}

/// How a record ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The rules ended the match.
    Over,
    /// A player gave up.
    Surrender(Player),
    /// The record stops before the match is over.
    Open,
}

/// The meaning of an action's fields.
enum Entry {
    Surrender,
    EndTurn,
    Action(Action),
}

impl Record {
    /// The text of the record. A `]` in names or date, which the format cannot express, becomes `)`.
    ///
    /// The actions must be legal on the map; those after the end of the match are left out.
    pub fn write(&self) -> Result<String, InputError> {
        let game = Tubstap::new("record", self.map.clone(), self.rules)?;
        let plain = |text: &str| text.replace(']', ")");
        let mut text = self.map.write();
        text.push_str(&format!("PLAYEDDATE[{}];\n", plain(&self.date)));
        text.push_str(&format!("PLAYEDRULE[{}];\n", RULE_SETS[self.rules as usize]));
        text.push_str(&format!("PLAYERRED[{}];PLAYERBLUE[{}];\n", plain(&self.players[0]), plain(&self.players[1])));
        let mut state = game.start();
        let mut lines: Vec<String> = Vec::new();
        let mut actions = self.actions.iter();
        while let Turn::Player(player) = state.turn {
            let turn = state.turns;
            while state.turn == Turn::Player(player) && state.turns == turn {
                let Some(&action) = actions.next() else { break };
                if !legal_actions(&game, &state, tesuji_core::Actor::Player(player)).contains(&action) {
                    return Err(InputError::new(format!("{action:?} is not legal in turn {turn} of the record")));
                }
                lines.push(format!("ACTION[{}];\n", game.action_fields(&state, action)));
                game.apply(&mut state, &[action]);
            }
            let stopped = state.turn == Turn::Player(player) && state.turns == turn;
            if stopped && self.ending == Ending::Surrender(player) {
                lines.push(format!("ACTION[{SURRENDER}];\n"));
            }
            if !lines.is_empty() {
                text.push_str(&format!("TURNINFO[{turn},{},{}];\n", player.0, lines.len()));
                text.extend(lines.drain(..));
            }
            if stopped {
                break;
            }
        }
        Ok(text)
    }

    /// Parses and replays a record.
    pub fn read(source: &Source) -> Result<Record, InputError> {
        let statements = statements::scan(source)?;
        let known: Vec<&str> = MAP_KEYS.iter().chain(&RECORD_KEYS).copied().collect();
        if let Some(statement) = statements.iter().find(|statement| !known.contains(&statement.key)) {
            return Err(unknown_key(source, statement, &known));
        }
        let map = Map::from_statements(source, &statements)?;
        let rules = read_rules(source, &statements)?;
        let game = Tubstap::new("record", map, rules).map_err(|error| error.in_file(source.name()))?;
        let mut record = Record {
            map: game.map().clone(),
            rules,
            players: [text(source, &statements, "PLAYERRED")?, text(source, &statements, "PLAYERBLUE")?],
            date: text(source, &statements, "PLAYEDDATE")?,
            actions: Vec::new(),
            ending: Ending::Open,
        };
        let mut state = game.start();
        for (index, statement) in statements.iter().enumerate() {
            match statement.key {
                "TURNINFO" => check_turn(source, statement, &statements[index + 1..], &state)?,
                "ACTION" => {
                    let Turn::Player(player) = state.turn else {
                        return Err(statement.wrong(source, "the match is over before this action"));
                    };
                    if record.ending != Ending::Open {
                        return Err(statement.wrong(source, "an action after a surrender"));
                    }
                    let actions = match game.read_fields(source, statement, &state)? {
                        Entry::Surrender => {
                            record.ending = Ending::Surrender(player);
                            continue;
                        }
                        Entry::EndTurn => game.end_turn(&state),
                        Entry::Action(action) => vec![action],
                    };
                    for action in actions {
                        game.apply(&mut state, &[action]);
                        record.actions.push(action);
                    }
                }
                _ => {}
            }
        }
        if state.turn == Turn::Over {
            record.ending = Ending::Over;
        }
        Ok(record)
    }

    /// Parses a record from the bytes of a file: UTF-8 or Shift-JIS.
    pub fn from_bytes(name: &str, bytes: &[u8]) -> Result<Record, InputError> {
        Record::read(&statements::decode(name, bytes)?)
    }
}

/// The fields of a surrender, which names no unit.
const SURRENDER: &str = "-1,-1,-1,-1,-1,-1,-1,-1,0,0,0";

impl Tubstap {
    /// The fields of an `ACTION` statement, as records and the platform's network protocol write them.
    pub fn action_fields(&self, state: &State, action: Action) -> String {
        let place = |cell| {
            let (column, row) = self.map.place(cell);
            format!("{},{}", column + 1, row + 1)
        };
        let (damage, counter) = self.battle(state, action);
        let (to, from) = (place(action.to), place(state.cells[usize::from(action.unit)]));
        match action.target {
            None => format!("{},{to},{from},-1,-1,-1,1,0,0", action.unit),
            Some(target) => {
                let at = place(state.cells[usize::from(target)]);
                format!("{},{to},{from},{target},{at},2,{damage},{counter}", action.unit)
            }
        }
    }

    /// Parses and checks the fields of an `ACTION` statement in `state`. The result is one action, or those of all
    /// units that have not acted if it ends the turn; `None` is a surrender.
    pub fn parse_action_fields(&self, state: &State, fields: &str) -> Result<Option<Vec<Action>>, InputError> {
        let source = Source::new("action", fields);
        let statement = Statement { key: "", key_at: 0, value: source.text(), value_at: 0 };
        if state.turn == Turn::Over {
            return Err(InputError::new("the match is over"));
        }
        Ok(match self.read_fields(&source, &statement, state)? {
            Entry::Surrender => None,
            Entry::EndTurn => Some(self.end_turn(state)),
            Entry::Action(action) => Some(vec![action]),
        })
    }

    fn read_fields(&self, source: &Source, statement: &Statement<'_>, state: &State) -> Result<Entry, InputError> {
        let fields = statement.fields();
        let [unit, x, y, from_x, from_y, target, target_x, target_y, kind, damage, counter] = fields[..] else {
            return Err(statement.wrong(source, format!("an action has 11 fields, this one has {}", fields.len())));
        };
        let coordinate = |field: Field<'_>, what| field.number(source, what, 0..MAX_SIDE as i64 + 2);
        match kind.number(source, "the type (0 surrender, 1 move, 2 move and attack, 3 end of turn)", 0..4)? {
            0 => return Ok(Entry::Surrender),
            3 => return Ok(Entry::EndTurn),
            1 if target.text != "-1" => {
                return Err(target.wrong(source, "an action of type 1 (move) has no target; expected -1"));
            }
            _ => {}
        }
        let number = unit.number(source, "the unit", 0..MAX_UNITS as i64)? as u8;
        let here = (coordinate(from_x, "the x it comes from")?, coordinate(from_y, "the y it comes from")?);
        self.check_place(state, number, here).map_err(|message| unit.wrong(source, message))?;
        let to = (coordinate(x, "the x it goes to")?, coordinate(y, "the y it goes to")?);
        let Some(to) = self.map.cell((to.0 - 1) as usize, (to.1 - 1) as usize) else {
            return Err(x.wrong(source, format!("{},{} lies outside the board", to.0, to.1)));
        };
        let mut hit = None;
        if kind.text == "2" {
            let number = target.number(source, "the target", 0..MAX_UNITS as i64)? as u8;
            let there = (coordinate(target_x, "the x of the target")?, coordinate(target_y, "the y of the target")?);
            self.check_place(state, number, there).map_err(|message| target.wrong(source, message))?;
            hit = Some(number);
        }
        let action = Action { unit: number, target: hit, to };
        let Turn::Player(player) = state.turn else { return Err(statement.wrong(source, "the match is over")) };
        if !legal_actions(self, state, tesuji_core::Actor::Player(player)).contains(&action) {
            let message =
                format!("unit {number} cannot do this in turn {} of {}", state.turns, self.spec().player_name(player));
            return Err(statement.wrong(source, message));
        }
        let right = self.battle(state, action);
        for (field, what, right) in [(damage, "the damage", right.0), (counter, "the counter-attack", right.1)] {
            let told = field.number(source, what, 0..100)?;
            if told != i64::from(right) {
                return Err(field.wrong(source, format!("{what} is {told}, but the rules give {right}")));
            }
        }
        Ok(Entry::Action(action))
    }

    /// Checks that the unit stands at these coordinates of the file.
    fn check_place(&self, state: &State, unit: u8, (x, y): (i64, i64)) -> Result<(), String> {
        if usize::from(unit) >= self.map.units().len() {
            return Err(format!("there is no unit {unit}; the map has {}", self.map.units().len()));
        }
        let Some(cell) = state.cell(unit) else { return Err(format!("unit {unit} is gone")) };
        let (column, row) = self.map.place(cell);
        if (x, y) == (column as i64 + 1, row as i64 + 1) {
            Ok(())
        } else {
            Err(format!("unit {unit} stands on {},{}, not on {x},{y}", column + 1, row + 1))
        }
    }
}

/// The rules that a record names; by default the platform's own.
fn read_rules(source: &Source, statements: &[Statement<'_>]) -> Result<Rules, InputError> {
    let Some(statement) = at_most_one(source, statements, "PLAYEDRULE")? else { return Ok(Rules::V0108) };
    match RULE_SETS.iter().position(|&name| name == statement.value.trim()) {
        Some(index) => Ok([Rules::V0108, Rules::Paper][index]),
        None => Err(statement
            .wrong(source, "unknown rule set")
            .with_help(format!("expected one of {}", RULE_SETS.join(", ")))),
    }
}

/// Checks that a turn begins here as the statement says. Its count of actions may omit those that end the turn or the
/// match.
fn check_turn(
    source: &Source,
    statement: &Statement<'_>,
    after: &[Statement<'_>],
    state: &State,
) -> Result<(), InputError> {
    let fields = statement.fields();
    let [turn, team, count] = fields[..] else {
        return Err(statement.wrong(source, format!("TURNINFO has 3 fields, this one has {}", fields.len())));
    };
    let turn_number = turn.number(source, "the turn", 0..i64::from(u16::MAX))?;
    let team_number = team.number(source, "the team (0 red, 1 blue)", 0..2)?;
    let told = count.number(source, "the number of actions", 0..100_000)?;
    let actions = || after.iter().take_while(|next| next.key != "TURNINFO").filter(|next| next.key == "ACTION");
    let all = actions().count() as i64;
    let of_units = actions()
        .filter(|action| !matches!(action.fields().get(8).map(|field| field.text), Some("0" | "3")))
        .count() as i64;
    if told != all && told != of_units {
        return Err(count.wrong(source, format!("the turn has {all} actions, TURNINFO says {told}")));
    }
    if all == 0 {
        return Ok(());
    }
    match state.turn {
        Turn::Player(player) if (turn_number, team_number) == (i64::from(state.turns), i64::from(player.0)) => Ok(()),
        Turn::Player(player) => {
            Err(statement.wrong(source, format!("expected turn {} of team {} here", state.turns, player.0)))
        }
        _ => Err(statement.wrong(source, "the match is over before this turn")),
    }
}

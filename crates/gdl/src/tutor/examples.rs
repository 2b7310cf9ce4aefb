//! Examples: matches in a simple text form that says what the rules of a game must do.
//!
//! ```text
//! roles x o                      ; optional: the roles of the sheet, in order
//!
//! example a win on the diagonal
//! legal x (place 1 1) (place 3 3)
//! illegal x noop
//! move x (place 1 1)             ; roles that are not named make their only legal move
//! true (mark 1 1 x)              ; facts of the state; `false` for facts that must not hold
//! over / not over                ; whether the match has ended
//! goal x 100                     ; or: wins x, draw
//! ```
//!
//! A statement begins at the start of a line; indented lines continue it. `docs/rules-from-prose.md` lists all of them.

use std::fmt;

use tesuji_core::{InputError, Source};

use crate::Place;
use crate::kif::{self, Expression};

/// The examples of a file.
#[derive(Clone, Debug)]
pub struct Examples {
    /// The text they come from.
    pub source: Source,
    /// The roles that the sheet must have, in order; empty if the file does not say.
    pub roles: Vec<String>,
    /// Where the roles stand.
    pub roles_place: Place,
    /// The examples, in order.
    pub list: Vec<Example>,
}

/// One example: a match, or a part of one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Example {
    /// Its name.
    pub name: String,
    /// Where it begins.
    pub place: Place,
    /// The facts of the state it starts from; `None` for the first state of the game.
    pub from: Option<Vec<String>>,
    /// What it says, in order.
    pub statements: Vec<Statement>,
}

/// A statement of an example.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statement {
    /// What it says.
    pub claim: Claim,
    /// Where it stands.
    pub place: Place,
}

/// What a statement says about the current state. Facts and moves are texts such as `(mark 1 1)`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Claim {
    /// `true FACT…`: the state contains these facts.
    True(Vec<String>),
    /// `false FACT…`: the state does not contain these facts.
    False(Vec<String>),
    /// `only FACT…`: the state contains these facts and no others.
    Only(Vec<String>),
    /// `legal ROLE MOVE…`: the role may make these moves.
    Legal(String, Vec<String>),
    /// `illegal ROLE MOVE…`: the role may not make these moves.
    Illegal(String, Vec<String>),
    /// `moves ROLE MOVE…`: the role may make these moves and no others.
    Moves(String, Vec<String>),
    /// `over`: the match has ended.
    Over,
    /// `not over`: the match goes on.
    NotOver,
    /// `goal ROLE NUMBER`: the payoff of the role.
    Goal(String, i32),
    /// `wins ROLE`: the match is over, and the role has more than every other role.
    Wins(String),
    /// `draw`: the match is over, and all roles have the same.
    Draw,
    /// `move ROLE MOVE…`: the named roles make these moves, all others their only legal move.
    Move(Vec<(String, String)>),
}

/// What can begin a statement.
const STATEMENTS: &str =
    "example, from, true, false, only, legal, illegal, moves, move, over, not over, goal, wins, draw";

impl Examples {
    /// Reads examples. Errors name the place.
    pub fn read(source: Source) -> Result<Examples, InputError> {
        let expressions = kif::read(&source)?;
        let mut examples = Examples { source, roles: Vec::new(), roles_place: Place::default(), list: Vec::new() };
        let text = examples.source.clone();
        for statement in statements(&expressions, text.text()) {
            examples.add(statement)?;
        }
        if examples.list.is_empty() {
            let message = format!("{}: no examples", examples.source.name());
            return Err(InputError::new(message).with_help("an example begins with a line `example NAME`"));
        }
        Ok(examples)
    }

    fn add(&mut self, statement: &[Expression]) -> Result<(), InputError> {
        let (first, rest) = (&statement[0], &statement[1..]);
        let end = statement[statement.len() - 1].place().end;
        let place = Place { start: first.place().start, end };
        let source = self.source.clone();
        let wrong = |message: String| place.error(&source, message);
        let Expression::Word(word, _) = first else {
            return Err(first.place().error(&source, "a statement begins with a word").with_help(STATEMENTS));
        };
        match word.as_str() {
            "roles" if !self.list.is_empty() => return Err(wrong("`roles` stands before the first example".into())),
            "roles" if rest.is_empty() => return Err(wrong("`roles` without names".into())),
            "roles" => {
                self.roles = rest.iter().map(|role| self.word(role)).collect::<Result<_, _>>()?;
                self.roles_place = place;
                return Ok(());
            }
            "example" => {
                if rest.is_empty() {
                    return Err(wrong("an example without a name".into()));
                }
                let name = rest.iter().map(written).collect::<Vec<_>>().join(" ");
                self.list.push(Example { name, place, from: None, statements: Vec::new() });
                return Ok(());
            }
            _ => {}
        }
        if self.list.is_empty() {
            return Err(wrong(format!("`{word}` before the first `example NAME`")));
        }
        if word == "from" {
            let facts = self.terms(rest)?;
            let example = self.list.last_mut().filter(|example| example.statements.is_empty());
            let Some(example) = example.filter(|example| example.from.is_none()) else {
                return Err(wrong("`from` is the first statement of an example".into()));
            };
            example.from = Some(facts);
            return Ok(());
        }
        let claim = self.claim(word, rest, place)?;
        if let Some(example) = self.list.last_mut() {
            example.statements.push(Statement { claim, place });
        }
        Ok(())
    }

    fn claim(&self, word: &str, rest: &[Expression], place: Place) -> Result<Claim, InputError> {
        let wrong = |message: &str, help: &str| Err(place.error(&self.source, message).with_help(help));
        let some = |claim: fn(Vec<String>) -> Claim| match self.terms(rest)? {
            terms if terms.is_empty() => wrong("a statement without facts", "write `true FACT…`"),
            terms => Ok(claim(terms)),
        };
        let moves = |claim: fn(String, Vec<String>) -> Claim, empty: bool| match rest.split_first() {
            Some((role, rest)) if empty || !rest.is_empty() => Ok(claim(self.role(role)?, self.terms(rest)?)),
            _ => wrong("expected a role and its moves", "write `legal ROLE MOVE…`"),
        };
        match (word, rest) {
            ("true", _) => some(Claim::True),
            ("false", _) => some(Claim::False),
            ("only", _) => Ok(Claim::Only(self.terms(rest)?)),
            ("legal", _) => moves(Claim::Legal, false),
            ("illegal", _) => moves(Claim::Illegal, false),
            ("moves", _) => moves(Claim::Moves, true),
            ("over", []) => Ok(Claim::Over),
            ("not", [over]) if over.is_word("over") => Ok(Claim::NotOver),
            ("draw", []) => Ok(Claim::Draw),
            ("wins", [role]) => Ok(Claim::Wins(self.role(role)?)),
            ("goal", [role, value]) => match value {
                Expression::Word(text, _) if text.parse::<i32>().is_ok_and(|goal| (0..=100).contains(&goal)) => {
                    Ok(Claim::Goal(self.role(role)?, text.parse().unwrap_or_default()))
                }
                _ => Err(value.place().error(&self.source, "a goal is a number from 0 to 100")),
            },
            ("move", pairs) if !pairs.is_empty() && pairs.len() % 2 == 0 => {
                let mut made: Vec<(String, String)> = Vec::new();
                for pair in pairs.chunks_exact(2) {
                    let role = self.role(&pair[0])?;
                    if made.iter().any(|(known, _)| *known == role) {
                        return Err(pair[0].place().error(&self.source, format!("two moves of {role} in one step")));
                    }
                    made.push((role, self.term(&pair[1])?));
                }
                Ok(Claim::Move(made))
            }
            ("move", _) => wrong("expected pairs of a role and its move", "write `move ROLE MOVE ROLE MOVE…`"),
            ("wins", _) => wrong("expected one role", "write `wins ROLE`"),
            ("goal", _) => wrong("expected a role and a number", "write `goal ROLE NUMBER`"),
            ("over" | "draw" | "not", _) => wrong("expected nothing else here", "write `over`, `not over` or `draw`"),
            _ => {
                let message = format!("no statement begins with `{word}`");
                Err(place.error(&self.source, message).with_help(format!("statements begin with {STATEMENTS}")))
            }
        }
    }

    fn word(&self, expression: &Expression) -> Result<String, InputError> {
        match expression {
            Expression::Word(word, _) if !word.starts_with('?') => Ok(word.clone()),
            _ => Err(expression.place().error(&self.source, "expected the name of a role")),
        }
    }

    fn role(&self, expression: &Expression) -> Result<String, InputError> {
        let role = self.word(expression)?;
        if self.roles.is_empty() || self.roles.contains(&role) {
            return Ok(role);
        }
        let message = format!("`{role}` is no role of these examples");
        Err(expression.place().error(&self.source, message).with_help(format!("roles: {}", self.roles.join(", "))))
    }

    fn terms(&self, expressions: &[Expression]) -> Result<Vec<String>, InputError> {
        expressions.iter().map(|expression| self.term(expression)).collect()
    }

    /// The text of a term without variables.
    fn term(&self, expression: &Expression) -> Result<String, InputError> {
        self.check_term(expression)?;
        Ok(written(expression))
    }

    fn check_term(&self, expression: &Expression) -> Result<(), InputError> {
        match expression {
            Expression::Word(word, place) if word.starts_with('?') => {
                Err(place.error(&self.source, "examples have no variables"))
            }
            Expression::Word(..) => Ok(()),
            Expression::List(items, place) => match items.first() {
                Some(Expression::Word(..)) => items.iter().try_for_each(|item| self.check_term(item)),
                _ => Err(place.error(&self.source, "expected a name after the parenthesis")),
            },
        }
    }
}

/// An expression as text, with single spaces.
fn written(expression: &Expression) -> String {
    match expression {
        Expression::Word(word, _) => word.clone(),
        Expression::List(items, _) => format!("({})", items.iter().map(written).collect::<Vec<_>>().join(" ")),
    }
}

/// Splits expressions into statements: each begins with an expression at the start of a line.
fn statements<'a>(expressions: &'a [Expression], text: &'a str) -> impl Iterator<Item = &'a [Expression]> {
    expressions.chunk_by(|_, next| {
        let start = next.place().start as usize;
        start > 0 && !text[..start].ends_with('\n')
    })
}

impl fmt::Display for Examples {
    /// The examples in the form that [`Examples::read`] reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.roles.is_empty() {
            writeln!(f, "roles {}\n", self.roles.join(" "))?;
        }
        for (index, example) in self.list.iter().enumerate() {
            writeln!(f, "{}example {}", if index > 0 { "\n" } else { "" }, example.name)?;
            if let Some(facts) = &example.from {
                f.write_str("from")?;
                facts.iter().try_for_each(|fact| write!(f, " {fact}"))?;
                writeln!(f)?;
            }
            for statement in &example.statements {
                writeln!(f, "{}", statement.claim)?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |f: &mut fmt::Formatter<'_>, word: &str, items: &[String]| {
            f.write_str(word)?;
            items.iter().try_for_each(|item| write!(f, " {item}"))
        };
        match self {
            Claim::True(facts) => list(f, "true", facts),
            Claim::False(facts) => list(f, "false", facts),
            Claim::Only(facts) => list(f, "only", facts),
            Claim::Legal(role, moves) => list(f, &format!("legal {role}"), moves),
            Claim::Illegal(role, moves) => list(f, &format!("illegal {role}"), moves),
            Claim::Moves(role, moves) => list(f, &format!("moves {role}"), moves),
            Claim::Over => f.write_str("over"),
            Claim::NotOver => f.write_str("not over"),
            Claim::Goal(role, value) => write!(f, "goal {role} {value}"),
            Claim::Wins(role) => write!(f, "wins {role}"),
            Claim::Draw => f.write_str("draw"),
            Claim::Move(pairs) => {
                f.write_str("move")?;
                pairs.iter().try_for_each(|(role, action)| write!(f, " {role} {action}"))
            }
        }
    }
}

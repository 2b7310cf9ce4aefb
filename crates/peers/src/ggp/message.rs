//! The messages of the GGP protocol, written as lists of the Knowledge Interchange Format (KIF).
//!
//! Case and white space do not matter, comments run from `;` to the end of the line, and surplus elements at the end of
//! a message are ignored, because some servers add them. Rules are used as written; rules in double quotes are accepted
//! too.

use tesuji_arena::InputError;

/// A request of a server.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Request {
    /// Asks for the player's name and whether it is free.
    Info,
    /// Announces a game before a match.
    Preview {
        /// The rule sheet.
        rules: String,
        /// Seconds to examine it.
        clock: u64,
    },
    /// Starts a match.
    Start {
        /// Its identifier.
        id: String,
        /// The role of the receiver.
        role: String,
        /// The rule sheet.
        rules: String,
        /// Seconds until the first move is requested.
        start_clock: u64,
        /// Seconds for each move.
        play_clock: u64,
    },
    /// Requests a move.
    Play {
        /// The match.
        id: String,
        /// The moves of the previous step, in the order of roles; `None` in the first step.
        moves: Option<Vec<String>>,
    },
    /// Requests a move in a match with hidden information (GDL-II).
    PlayHidden {
        /// The match.
        id: String,
        /// What the receiver learned of the previous step.
        learned: Learned,
    },
    /// Ends a match with hidden information that is over.
    StopHidden {
        /// The match.
        id: String,
        /// What the receiver learned of the last step.
        learned: Learned,
    },
    /// Ends a match that is over.
    Stop {
        /// The match.
        id: String,
        /// The last joint move.
        moves: Option<Vec<String>>,
    },
    /// Abandons a match.
    Abort {
        /// The match.
        id: String,
    },
}

/// What a player of GDL-II learns of a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Learned {
    /// The number of steps so far.
    pub turn: u64,
    /// The receiver's own move; `None` before the first step.
    pub own: Option<String>,
    /// What it perceived.
    pub percepts: Vec<String>,
}

impl Learned {
    /// The parts after the match of a message. `None` if it is not a message of GDL-II, which has a number first.
    fn read(turn: &str, rest: &[&str]) -> Option<Result<Learned, InputError>> {
        let (Ok(turn), [own, percepts, ..]) = (turn.parse(), rest) else { return None };
        let read = || {
            let own = if own.eq_ignore_ascii_case("nil") { None } else { Some(tidy(own)?) };
            Ok(Learned { turn, own, percepts: joint(percepts)?.unwrap_or_default() })
        };
        Some(read())
    }

    fn write(&self) -> String {
        let percepts = if self.own.is_none() { "NIL".to_owned() } else { format!("({})", self.percepts.join(" ")) };
        format!("{} {} {percepts}", self.turn, self.own.as_deref().unwrap_or("NIL"))
    }
}

impl Request {
    /// Parses a message.
    pub fn read(text: &str) -> Result<Request, InputError> {
        let whole = elements(text)?;
        let [message] = whole[..] else {
            return Err(InputError::new(format!("expected one list, got {} elements", whole.len())));
        };
        let Some(inside) = inside(message) else {
            return Err(InputError::new("expected a list such as `(INFO)`"));
        };
        let parts = elements(inside)?;
        let word = parts.first().map_or(String::new(), |word| word.to_ascii_lowercase());
        let short = |form: &str| {
            let message = format!("`{}` has too few parts", word.to_ascii_uppercase());
            InputError::new(message).with_help(format!("expected `{form}`"))
        };
        let rest = &parts[1.min(parts.len())..];
        if let ("play" | "stop", [id, turn, rest @ ..]) = (word.as_str(), rest)
            && let Some(learned) = Learned::read(turn, rest)
        {
            let (id, learned) = ((*id).to_owned(), learned?);
            return Ok(match word.as_str() {
                "play" => Request::PlayHidden { id, learned },
                _ => Request::StopHidden { id, learned },
            });
        }
        match (word.as_str(), rest) {
            ("info", _) => Ok(Request::Info),
            ("preview", [rules, clock, ..]) => {
                Ok(Request::Preview { rules: sheet(rules)?, clock: seconds(clock, "the preview clock")? })
            }
            ("start", [id, role, rules, start, play, ..]) => Ok(Request::Start {
                id: (*id).to_owned(),
                role: tidy(role)?,
                rules: sheet(rules)?,
                start_clock: seconds(start, "the start clock")?,
                play_clock: seconds(play, "the play clock")?,
            }),
            ("play", [id, moves, ..]) => Ok(Request::Play { id: (*id).to_owned(), moves: joint(moves)? }),
            ("stop", [id, moves, ..]) => Ok(Request::Stop { id: (*id).to_owned(), moves: joint(moves)? }),
            ("abort", [id, ..]) => Ok(Request::Abort { id: (*id).to_owned() }),
            ("preview", _) => Err(short("(PREVIEW (rules) clock)")),
            ("start", _) => Err(short("(START id role (rules) startclock playclock)")),
            ("play", _) => Err(short("(PLAY id moves)")),
            ("stop", _) => Err(short("(STOP id moves)")),
            ("abort", _) => Err(short("(ABORT id)")),
            _ => {
                let shown: String = word.chars().take(20).collect();
                Err(InputError::new(format!("`{}` is no request", shown.escape_debug()))
                    .with_help("requests are INFO, PREVIEW, START, PLAY, STOP and ABORT"))
            }
        }
    }

    /// The message as a server sends it.
    pub fn write(&self) -> String {
        let joint = |moves: &Option<Vec<String>>| match moves {
            Some(moves) => format!("({})", moves.join(" ")),
            None => "NIL".to_owned(),
        };
        // A comment at the end of the rules would swallow the parenthesis after it.
        match self {
            Request::Info => "(INFO)".to_owned(),
            Request::Preview { rules, clock } => format!("(PREVIEW ({rules}\n) {clock})"),
            Request::Start { id, role, rules, start_clock, play_clock } => {
                format!("(START {id} {role} ({rules}\n) {start_clock} {play_clock})")
            }
            Request::Play { id, moves } => format!("(PLAY {id} {})", joint(moves)),
            Request::Stop { id, moves } => format!("(STOP {id} {})", joint(moves)),
            Request::PlayHidden { id, learned } => format!("(PLAY {id} {})", learned.write()),
            Request::StopHidden { id, learned } => format!("(STOP {id} {})", learned.write()),
            Request::Abort { id } => format!("(ABORT {id})"),
        }
    }
}

/// A term with single blanks between its parts and none inside parentheses.
pub(super) fn tidy(text: &str) -> Result<String, InputError> {
    let parts = elements(text)?;
    let mut tidied = Vec::new();
    for part in parts {
        tidied.push(match inside(part) {
            Some(inner) => format!("({})", tidy(inner)?),
            None => part.to_owned(),
        });
    }
    Ok(tidied.join(" "))
}

/// Rules without comments, on one line, for players that can read nothing else.
pub(super) fn plain_rules(sheet: &str) -> String {
    let lines = sheet.lines().map(|line| line.split(';').next().unwrap_or("").trim());
    lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}

fn joint(text: &str) -> Result<Option<Vec<String>>, InputError> {
    match inside(text) {
        Some(inner) => Ok(Some(elements(inner)?.into_iter().map(tidy).collect::<Result<_, _>>()?)),
        None => Ok(None),
    }
}

fn sheet(text: &str) -> Result<String, InputError> {
    let quoted = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    match (inside(text), quoted) {
        (Some(inner), _) => Ok(inner.to_owned()),
        (None, Some(quoted)) => Ok(inside(quoted.trim()).unwrap_or(quoted).to_owned()),
        (None, None) => Err(InputError::new("the rules are not a list").with_help("expected `((role white) …)`")),
    }
}

/// A day: more than any clock of a match, small enough to add to.
const LONGEST_CLOCK: u64 = 86_400;

fn seconds(text: &str, what: &str) -> Result<u64, InputError> {
    let number = text.parse::<u64>().ok().filter(|&number| number <= LONGEST_CLOCK);
    number.ok_or_else(|| {
        let shown: String = text.chars().take(20).collect();
        InputError::new(format!("{what} is `{}`", shown.escape_debug()))
            .with_help(format!("expected whole seconds from 0 to {LONGEST_CLOCK}"))
    })
}

/// The text between the parentheses of a list.
pub(super) fn inside(text: &str) -> Option<&str> {
    text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'))
}

/// The deepest nesting accepted.
const DEEPEST: usize = 200;

/// The words and lists at the top level of a text, as written.
pub(super) fn elements(text: &str) -> Result<Vec<&str>, InputError> {
    let mut found = Vec::new();
    let (mut depth, mut start) = (0usize, None);
    let mut rest = text.char_indices().peekable();
    while let Some((at, character)) = rest.next() {
        let blank = character.is_whitespace() || character == '\0';
        match character {
            ';' => {
                if depth == 0
                    && let Some(from) = start.take()
                {
                    found.push(&text[from..at]);
                }
                while rest.next_if(|&(_, c)| c != '\n').is_some() {}
            }
            '"' if depth == 0 && start.is_none() => {
                let Some((end, _)) = rest.find(|&(_, c)| c == '"') else {
                    return Err(InputError::new("the quote is never closed"));
                };
                found.push(&text[at..=end]);
            }
            '(' => {
                if depth == 0 {
                    if let Some(from) = start.take() {
                        found.push(&text[from..at]);
                    }
                    start = Some(at);
                }
                depth += 1;
                if depth > DEEPEST {
                    return Err(InputError::new(format!("more than {DEEPEST} parentheses inside each other")));
                }
            }
            ')' => {
                depth = depth.checked_sub(1).ok_or_else(|| InputError::new("a `)` without its `(`"))?;
                if depth == 0
                    && let Some(from) = start.take()
                {
                    found.push(&text[from..=at]);
                }
            }
            _ if blank && depth == 0 => {
                if let Some(from) = start.take() {
                    found.push(&text[from..at]);
                }
            }
            _ if !blank && start.is_none() => start = Some(at),
            _ => {}
        }
    }
    if depth > 0 {
        return Err(InputError::new(format!("{depth} parentheses are never closed")));
    }
    found.extend(start.map(|from| &text[from..]));
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn messages_are_read_whatever_their_case_and_blanks() {
        assert_eq!(Request::read(" ( info )\r\n").unwrap(), Request::Info);
        let start = "( START match.1 XPlayer ((role xplayer) (init (cell 1 1 b)) ; a comment )\n \
            (<= terminal (true x)) ) 30 15)";
        let Request::Start { id, role, rules, start_clock, play_clock } = Request::read(start).unwrap() else {
            panic!("no start")
        };
        assert_eq!((id.as_str(), role.as_str(), start_clock, play_clock), ("match.1", "XPlayer", 30, 15));
        assert!(rules.starts_with("(role xplayer)") && rules.trim().ends_with("(<= terminal (true x))"), "{rules}");
        assert_eq!(
            Request::read("(Play m ((mark  1 ( f x )) NOOP ) )").unwrap(),
            Request::Play { id: "m".into(), moves: Some(vec!["(mark 1 (f x))".into(), "NOOP".into()]) }
        );
        assert_eq!(Request::read("(PLAY m NIL)").unwrap(), Request::Play { id: "m".into(), moves: None });
        assert_eq!(Request::read("(play m nil extra)").unwrap(), Request::Play { id: "m".into(), moves: None });
        assert_eq!(Request::read("(ABORT m)").unwrap(), Request::Abort { id: "m".into() });
        let learned =
            Learned { turn: 3, own: Some("(mark 1 2)".into()), percepts: vec!["(taken 1 2)".into(), "yours".into()] };
        assert_eq!(
            Request::read("(PLAY m 3 (mark 1  2) ((taken 1 2) yours))").unwrap(),
            Request::PlayHidden { id: "m".into(), learned }
        );
        let learned = Learned { turn: 0, own: None, percepts: Vec::new() };
        assert_eq!(Request::read("(play m 0 nil nil)").unwrap(), Request::PlayHidden { id: "m".into(), learned });
        let learned = Learned { turn: 4, own: Some("noop".into()), percepts: Vec::new() };
        assert_eq!(Request::read("(STOP m 4 noop ())").unwrap(), Request::StopHidden { id: "m".into(), learned });
        let quoted = Request::read("(PREVIEW \"((role a) (role b))\" 10)").unwrap();
        assert_eq!(quoted, Request::Preview { rules: "(role a) (role b)".into(), clock: 10 });
    }

    #[test]
    fn wrong_messages_say_what_was_expected() {
        for (text, expected) in [
            ("", "expected one list"),
            ("hello", "expected a list"),
            ("(INFO) (INFO)", "expected one list"),
            ("(START m white)", "too few parts"),
            ("(START m white rules 1 1)", "not a list"),
            ("(START m white (a) one 1)", "the start clock is `one`"),
            ("(START m white (a) 1 99999999999999999999)", "the play clock"),
            ("(GREET m)", "`greet` is no request"),
            ("(PLAY m ((a)", "never closed"),
            (")", "without its `(`"),
            ("\"a", "quote"),
        ] {
            assert!(Request::read(text).unwrap_err().to_string().contains(expected), "{text}");
        }
        assert!(Request::read(&"(".repeat(100_000)).is_err());
    }

    #[test]
    fn rules_are_sent_without_comments() {
        assert_eq!(plain_rules("; title\n(role a) ; who\n\n  (role b)\n"), "(role a) (role b)");
    }

    fn word() -> impl Strategy<Value = String> {
        "[a-z][a-z0-9_.]{0,6}"
    }

    fn term() -> impl Strategy<Value = String> {
        word().prop_recursive(2, 8, 3, |inner| {
            prop::collection::vec(inner, 1..4).prop_map(|parts| format!("({})", parts.join(" ")))
        })
    }

    proptest! {
        #[test]
        fn any_text_is_a_message_or_an_error(text in "[ ()a-zA-Z0-9;\n\"]{0,60}") {
            let _ = Request::read(&text);
        }

        #[test]
        fn any_bytes_are_a_message_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            let _ = Request::read(&String::from_utf8_lossy(&bytes));
        }

        #[test]
        fn messages_read_back(
            id in word(),
            role in word(),
            moves in prop::option::of(prop::collection::vec(term(), 1..4)),
            clock in 0u64..1000,
        ) {
            for request in [
                Request::Play { id: id.clone(), moves: moves.clone() },
                Request::Stop { id: id.clone(), moves: moves.clone() },
                Request::PlayHidden {
                    id: id.clone(),
                    learned: Learned { turn: clock, own: Some(role.clone()), percepts: moves.unwrap_or_default() },
                },
                Request::Abort { id: id.clone() },
            ] {
                prop_assert_eq!(Request::read(&request.write()).unwrap(), request);
            }
            let rules = "(role a) (role b) ; end".into();
            let start = Request::Start { id, role, rules, start_clock: clock, play_clock: clock };
            let Request::Start { rules, .. } = Request::read(&start.write()).unwrap() else { panic!() };
            prop_assert_eq!(rules.trim(), "(role a) (role b) ; end");
        }
    }
}

//! Addresses: how games and agents are named in text, such as `sync-triomineering(6,6)` or `uct(playouts=2000,c=0.15)`.
//!
//! ```text
//! address  = name [ "(" [ argument { "," argument } ] ")" ]
//! argument = [ key "=" ] value
//! value    = "\"" text "\""  |  text without "," and ")" outside balanced parentheses
//! ```
//! Values may be addresses themselves: `nominate(first=uct(c=1),second=mc)`.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use crate::{ErrorKind, InputError, Source};

/// A name with its arguments, not yet checked against the parameters of that name.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Address {
    /// The name before the parentheses.
    pub name: String,
    /// The arguments in the order they were written; positional ones have no key.
    pub arguments: Vec<(Option<String>, String)>,
}

impl FromStr for Address {
    type Err = InputError;

    fn from_str(text: &str) -> Result<Address, InputError> {
        let text = text.trim();
        let source = Source::new("address", text);
        let wrong = |offset: usize, message: String| {
            InputError::new(message)
                .with_help("an address looks like `name`, `name(6,6)` or `name(key=value,key=\"a, b\")`")
                .at(&source, offset, 1)
        };
        let name_end = text.find(|c: char| !(c.is_alphanumeric() || "-_.".contains(c))).unwrap_or(text.len());
        if name_end == 0 {
            return Err(wrong(0, "expected a name".to_owned()));
        }
        let mut address = Address { name: text[..name_end].to_owned(), arguments: Vec::new() };
        if name_end == text.len() {
            return Ok(address);
        }
        if !text[name_end..].starts_with('(') {
            return Err(wrong(name_end, format!("expected `(` after `{}`", address.name)));
        }
        let Some(inside) = text[name_end + 1..].strip_suffix(')') else {
            return Err(wrong(text.len(), "expected `)` at the end".to_owned()));
        };
        let base = name_end + 1;
        if inside.trim().is_empty() {
            return Ok(address);
        }
        for range in split_top_level(inside).map_err(|(offset, message)| wrong(base + offset, message.to_owned()))? {
            let argument = inside[range.clone()].trim();
            let key_end = argument.find(|c: char| !(c.is_alphanumeric() || "-_".contains(c))).unwrap_or(argument.len());
            let (key, value) = match argument[key_end..].trim_start().strip_prefix('=') {
                Some(value) if key_end > 0 => (Some(argument[..key_end].to_owned()), value.trim()),
                _ => (None, argument),
            };
            if value.is_empty() {
                return Err(wrong(base + range.start, "expected a value".to_owned()));
            }
            let value = match value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
                Some(quoted) => quoted,
                None => value,
            };
            address.arguments.push((key, value.to_owned()));
        }
        Ok(address)
    }
}

/// The byte ranges between commas outside quotes and parentheses.
fn split_top_level(text: &str) -> Result<Vec<std::ops::Range<usize>>, (usize, &'static str)> {
    let mut ranges = Vec::new();
    let (mut start, mut depth, mut quoted) = (0, 0usize, None);
    for (offset, c) in text.char_indices() {
        match c {
            '"' if quoted.is_some() => quoted = None,
            '"' => quoted = Some(offset),
            _ if quoted.is_some() => {}
            '(' => depth += 1,
            ')' if depth == 0 => return Err((offset, "unexpected `)`")),
            ')' => depth -= 1,
            ',' if depth == 0 => {
                ranges.push(start..offset);
                start = offset + 1;
            }
            _ => {}
        }
    }
    match (quoted, depth) {
        (Some(offset), _) => Err((offset, "the quote is never closed")),
        (None, 0) => {
            ranges.push(start..text.len());
            Ok(ranges)
        }
        _ => Err((text.len(), "expected `)`")),
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        for (index, (key, value)) in self.arguments.iter().enumerate() {
            f.write_str(if index == 0 { "(" } else { "," })?;
            if let Some(key) = key {
                write!(f, "{key}=")?;
            }
            let is_one = |text: &str| split_top_level(text).is_ok_and(|parts| parts.len() == 1);
            let plain = !value.contains(['"', '=', ' ']) && is_one(value);
            // Quotes inside a value can enclose a comma, which quotes around the value would set free.
            let quoted = format!("\"{value}\"");
            f.write_str(if plain || !is_one(&quoted) { value } else { &quoted })?;
        }
        if self.arguments.is_empty() { Ok(()) } else { f.write_str(")") }
    }
}

/// A parameter of an address: its name, default and meaning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parameter {
    /// The key. Positional arguments take the keys in order.
    pub name: &'static str,
    /// The text used when the argument is absent; `None` if it must be given.
    pub default: Option<&'static str>,
    /// What the parameter is, in one sentence.
    pub summary: &'static str,
    /// What the value refers to: nothing but itself, a file, a program or agents.
    pub names: Names,
}

/// What the value of a parameter refers to.
///
/// A server that accepts addresses from strangers uses this to decide which ones to refuse.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Names {
    /// A plain value: a number, a word, a layout.
    #[default]
    Value,
    /// Bundled data by name, or the path of a file.
    Data(Data),
    /// The path of a file if it looks like one (see [`looks_like_a_path`]), otherwise a name that the game knows.
    File,
    /// The command line of a program.
    Program,
    /// Addresses of agents, joined by `+`.
    Agents,
}

/// Is this text a path rather than a name? A path has a slash, a backslash or a dot; a name has none of them.
pub fn looks_like_a_path(text: &str) -> bool {
    text.contains(['/', '\\', '.'])
}

/// The data that a parameter can refer to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Data {
    /// Names and texts of the bundled data.
    pub bundled: &'static [(&'static str, &'static str)],
    /// The ending of file names, such as `.tbsmap`.
    pub ending: &'static str,
}

impl Parameter {
    /// A parameter with a default.
    pub const fn new(name: &'static str, default: &'static str, summary: &'static str) -> Parameter {
        Parameter { name, default: Some(default), summary, names: Names::Value }
    }

    /// A parameter that must be given.
    pub const fn required(name: &'static str, summary: &'static str) -> Parameter {
        Parameter { name, default: None, summary, names: Names::Value }
    }

    /// Marks the parameter as referring to bundled data or to a file with the ending of `data`.
    #[must_use]
    pub const fn naming(self, bundled: &'static [(&'static str, &'static str)], ending: &'static str) -> Parameter {
        Parameter { names: Names::Data(Data { bundled, ending }), ..self }
    }

    /// Marks the parameter as reading a file if its value looks like a path; see [`Names::File`].
    #[must_use]
    pub const fn file(self) -> Parameter {
        Parameter { names: Names::File, ..self }
    }

    /// Marks the parameter as naming a program to start.
    #[must_use]
    pub const fn program(self) -> Parameter {
        Parameter { names: Names::Program, ..self }
    }

    /// Marks the parameter as holding addresses of agents, joined by `+`.
    #[must_use]
    pub const fn agents(self) -> Parameter {
        Parameter { names: Names::Agents, ..self }
    }
}

/// Reads the file at a path that an argument gives.
pub type ReadFile = fn(&str) -> Result<Source, InputError>;

/// The arguments of an address, matched with the parameters of what it names: every parameter has a text.
#[derive(Clone, Debug)]
pub struct Arguments {
    name: String,
    read_file: ReadFile,
    values: Vec<(Parameter, String)>,
}

impl Arguments {
    /// Matches `address` with `parameters`; unknown, repeated, surplus and missing arguments are errors.
    pub fn bind(address: &Address, parameters: &[Parameter]) -> Result<Arguments, InputError> {
        let name = &address.name;
        let takes = || {
            let names: Vec<&str> = parameters.iter().map(|parameter| parameter.name).collect();
            if names.is_empty() {
                format!("`{name}` takes no arguments")
            } else {
                format!("`{name}` takes {}", names.join(", "))
            }
        };
        let mut given: Vec<Option<&str>> = vec![None; parameters.len()];
        let mut positional = 0;
        for (key, value) in &address.arguments {
            let index = match key {
                Some(key) => parameters.iter().position(|parameter| parameter.name == key).ok_or_else(|| {
                    let hint = did_you_mean(key, parameters.iter().map(|parameter| parameter.name));
                    let error = InputError::new(format!("`{name}` has no parameter `{key}`{hint}"));
                    error.of_kind(ErrorKind::Parameter).with_help(takes())
                })?,
                None => {
                    positional += 1;
                    positional - 1
                }
            };
            match given.get_mut(index) {
                None => {
                    let error = InputError::new(format!("too many arguments: `{value}`"));
                    return Err(error.of_kind(ErrorKind::Parameter).with_help(takes()));
                }
                Some(Some(_)) => {
                    let parameter = parameters[index].name;
                    let error = InputError::new(format!("`{parameter}` is given twice in `{address}`"));
                    return Err(error.of_kind(ErrorKind::Parameter).with_help(takes()));
                }
                Some(slot) => *slot = Some(value),
            }
        }
        let mut values = Vec::new();
        for (parameter, given) in parameters.iter().zip(given) {
            let Some(text) = given.or(parameter.default) else {
                let error = InputError::new(format!("`{name}` needs `{}`: {}", parameter.name, parameter.summary));
                return Err(error.of_kind(ErrorKind::Parameter).with_help(takes()));
            };
            values.push((*parameter, text.to_owned()));
        }
        Ok(Arguments { name: name.clone(), read_file: no_files, values })
    }

    /// The same arguments, with files that they name read by `read_file`. Without it no file is read.
    #[must_use]
    pub fn with_files(self, read_file: ReadFile) -> Arguments {
        Arguments { read_file, ..self }
    }

    /// How these arguments read files, for arguments of what they name in turn.
    pub fn read_file(&self) -> ReadFile {
        self.read_file
    }

    /// The file whose path is the text of a parameter.
    pub fn file(&self, parameter: &str) -> Result<Source, InputError> {
        (self.read_file)(self.text(parameter))
    }

    /// The name in the address.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The value of a parameter, as text.
    ///
    /// # Panics
    /// If `parameter` was not among those bound. That is a bug in the program, not bad input.
    pub fn text(&self, parameter: &str) -> &str {
        match self.values.iter().find(|(bound, _)| bound.name == parameter) {
            Some((_, text)) => text,
            None => panic!("`{}` declares no parameter `{parameter}`", self.name),
        }
    }

    /// An error saying that `parameter` has a wrong value and what was expected.
    pub fn wrong(&self, parameter: &str, expected: impl fmt::Display) -> InputError {
        let text = self.text(parameter);
        InputError::new(format!("`{parameter}={text}` in `{}`: expected {expected}", self.name))
            .of_kind(ErrorKind::Parameter)
    }

    /// A whole number within `range`.
    pub fn integer(&self, parameter: &str, range: RangeInclusive<u64>) -> Result<u64, InputError> {
        let expected = || match *range.end() {
            u64::MAX => format!("a whole number of at least {}", range.start()),
            end => format!("a whole number from {} to {end}", range.start()),
        };
        let number = self.text(parameter).replace('_', "").parse().map_err(|_| self.wrong(parameter, expected()))?;
        if range.contains(&number) { Ok(number) } else { Err(self.wrong(parameter, expected())) }
    }

    /// A finite number within `range`.
    pub fn number(&self, parameter: &str, range: RangeInclusive<f64>) -> Result<f64, InputError> {
        let expected = || format!("a number from {} to {}", range.start(), range.end());
        let number: f64 = self.text(parameter).parse().map_err(|_| self.wrong(parameter, expected()))?;
        if range.contains(&number) { Ok(number) } else { Err(self.wrong(parameter, expected())) }
    }

    /// A Boolean: `true` or `false` (also `yes`/`no`, `on`/`off`).
    pub fn flag(&self, parameter: &str) -> Result<bool, InputError> {
        match self.text(parameter) {
            "true" | "yes" | "on" => Ok(true),
            "false" | "no" | "off" => Ok(false),
            _ => Err(self.wrong(parameter, "true or false")),
        }
    }

    /// The index of the value among the words of `choices`.
    pub fn choice(&self, parameter: &str, choices: &[&str]) -> Result<usize, InputError> {
        let text = self.text(parameter);
        choices.iter().position(|&choice| choice == text).ok_or_else(|| {
            let hint = did_you_mean(text, choices.iter().copied());
            self.wrong(parameter, format!("one of {}{hint}", choices.join(", ")))
        })
    }

    /// The shortest address with these arguments: arguments equal to their default are left out.
    pub fn canonical(&self) -> String {
        let differs = |(parameter, text): &&(Parameter, String)| parameter.default != Some(text.as_str());
        let arguments = self.values.iter().filter(differs);
        let arguments = arguments.map(|(parameter, text)| (Some(parameter.name.to_owned()), text.clone())).collect();
        Address { name: self.name.clone(), arguments }.to_string()
    }
}

/// The refusal of arguments that were given no way to read files.
fn no_files(path: &str) -> Result<Source, InputError> {
    Err(InputError::new("files are not read here").of_kind(ErrorKind::Unreadable).in_file(path))
}

/// The hint `; did you mean …?` after a name that is not among `candidates`; empty if none of them is [`near`].
pub fn did_you_mean<'a>(text: &str, candidates: impl Iterator<Item = &'a str>) -> String {
    near(text, candidates).map_or(String::new(), |near| format!("; did you mean `{near}`?"))
}

/// The most similar of `candidates`, if it is near enough to have been meant: at most a third of the letters are
/// wrong, or one of the two begins with the other.
///
/// ```
/// use tesuji_core::near;
///
/// let games = ["tic-tac-toe", "connect-four"];
/// assert_eq!(near("tic-tac-tow", games.into_iter()), Some("tic-tac-toe"));
/// assert_eq!(near("connect", games.into_iter()), Some("connect-four"));
/// assert_eq!(near("chess", games.into_iter()), None);
/// ```
pub fn near<'a>(text: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let is_near = |candidate: &&str| {
        let (typed, known) = (text.to_lowercase(), candidate.to_lowercase());
        let letters = [&typed, &known].map(|word| word.chars().count());
        let begins = known.starts_with(&typed) || typed.starts_with(&known);
        let wrong = strsim::damerau_levenshtein(&typed, &known);
        begins && letters[0].min(letters[1]) >= LEAST_BEGINNING || 3 * wrong <= letters[0].max(letters[1])
    };
    nearest(text, candidates.filter(is_near), 1).first().copied()
}

/// The fewest letters by which the beginning of a name is recognised.
const LEAST_BEGINNING: usize = 3;

/// Up to `count` of `candidates`, the most similar to `text` first (ties in their own order).
pub fn nearest<'a>(text: &str, candidates: impl Iterator<Item = &'a str>, count: usize) -> Vec<&'a str> {
    // Small typing errors (edit distance) first, then similar-looking words.
    let slips = |candidate: &str| match strsim::damerau_levenshtein(text, candidate) {
        slips @ 0..=2 if slips < text.chars().count() => slips,
        _ => usize::MAX,
    };
    let mut scored: Vec<(usize, f64, &str)> =
        candidates.map(|candidate| (slips(candidate), strsim::jaro_winkler(text, candidate), candidate)).collect();
    scored.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)));
    scored.into_iter().take(count).map(|(_, _, candidate)| candidate).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const PARAMETERS: &[Parameter] = &[
        Parameter::new("rows", "6", "rows of the board"),
        Parameter::new("c", "0.5", "exploration"),
        Parameter::required("map", "the map file"),
    ];

    fn bind(text: &str) -> Result<Arguments, InputError> {
        Arguments::bind(&text.parse()?, PARAMETERS)
    }

    #[test]
    fn positional_named_and_default_arguments_meet() {
        let arguments = bind(" g( 8 , map = \"a, (b\" )").unwrap();
        assert_eq!(arguments.integer("rows", 1..=9).unwrap(), 8);
        assert_eq!(arguments.number("c", 0.0..=1.0).unwrap(), 0.5);
        assert_eq!(arguments.text("map"), "a, (b");
        assert_eq!(arguments.canonical(), "g(rows=8,map=\"a, (b\")");
        let nested: Address = "pick(first=uct(c=1,n=2),mc)".parse().unwrap();
        assert_eq!(nested.arguments[0], (Some("first".to_owned()), "uct(c=1,n=2)".to_owned()));
        assert_eq!(nested.to_string(), "pick(first=\"uct(c=1,n=2)\",mc)");
    }

    #[test]
    fn quotes_inside_a_value_can_enclose_a_comma() {
        for text in ["x(\",\"2)", "x(a\"b,c\"d)", "x(k=a\"b,(c\"d,\"e, f\")"] {
            let address: Address = text.parse().unwrap();
            assert_eq!(address.to_string().parse::<Address>().unwrap(), address, "{address}");
        }
    }

    #[test]
    fn errors_say_what_was_expected() {
        let cases = [
            ("", "expected a name"),
            ("g(1", "expected `)`"),
            ("g)", "expected `(` after `g`"),
            ("g(\"a)", "never closed"),
            ("g(map=a,,)", "expected a value"),
            ("g(1,2,3,4)", "too many arguments: `4`"),
            ("g(rwos=1,map=a)", "did you mean `rows`?"),
            ("g(1,rows=2,map=a)", "given twice"),
            ("g(1)", "needs `map`"),
        ];
        for (text, expected) in cases {
            let error = bind(text).unwrap_err();
            assert!(error.to_string().contains(expected), "{text}: {error}");
        }
        let arguments = bind("g(rows=99,c=x,map=1)").unwrap();
        assert!(arguments.integer("rows", 1..=9).unwrap_err().to_string().contains("from 1 to 9"));
        assert!(arguments.number("c", 0.0..=1.0).unwrap_err().to_string().contains("a number from 0 to 1"));
        assert!(arguments.choice("map", &["one", "two"]).unwrap_err().to_string().contains("one of one, two"));
    }

    proptest! {
        #[test]
        fn any_text_is_an_address_or_an_error(text in ".{0,40}") {
            let _ = text.parse::<Address>();
        }

        #[test]
        fn what_is_written_reads_back(
            name in "[a-z][a-z0-9-]{0,8}",
            values in prop::collection::vec("[a-z0-9(), =.]{1,8}", 0..4),
        ) {
            let arguments = values.iter().map(|value| (Some("k".to_owned()), value.trim().to_owned()));
            let address = Address { name, arguments: arguments.filter(|(_, value)| !value.is_empty()).collect() };
            prop_assert_eq!(address.to_string().parse::<Address>().unwrap(), address);
        }
    }
}

//! Printing: text for people or JSON for scripts, errors with what was expected.

use std::io::{self, ErrorKind, IsTerminal, Write};
use std::net::SocketAddr;
use std::ops::Range;
use std::path::Path;

use annotate_snippets::{Annotation, AnnotationKind, Level, Renderer, Snippet};
use clap::{ColorChoice, ValueEnum};
use serde_json::{Value, json};
use tesuji_arena::{InputError, Source};

use crate::arguments::GlobalOptions;
use crate::interrupt::{self, end_now};
use crate::table::{Grid, PIPED_WIDTH};

/// The form of results.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Text,
    Json,
    Csv,
}

/// Where results go.
#[derive(Clone)]
pub(crate) struct Output {
    form: Form,
    quiet: bool,
    verbose: bool,
    color: bool,
    /// Whether errors are coloured: standard error may be a terminal while standard output is a file.
    error_color: bool,
    /// Tables printed so far.
    tables: usize,
}

impl Output {
    /// Output as the options ask for it; `csv` if tables are wanted as CSV.
    pub(crate) fn new(options: &GlobalOptions, csv: bool) -> Output {
        let form = match (options.json, csv) {
            (true, _) => Form::Json,
            (_, true) => Form::Csv,
            _ => Form::Text,
        };
        let color = uses_color(options.color, io::stdout().is_terminal());
        let error_color = uses_color(options.color, io::stderr().is_terminal());
        Output { form, quiet: options.quiet, verbose: options.verbose, color, error_color, tables: 0 }
    }

    /// Is JSON wanted?
    pub(crate) fn is_json(&self) -> bool {
        self.form == Form::Json
    }

    /// Are tables wanted as CSV?
    pub(crate) fn is_csv(&self) -> bool {
        self.form == Form::Csv
    }

    /// Are results alone wanted, without progress and hints?
    pub(crate) fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// Is more wanted than usual?
    pub(crate) fn is_verbose(&self) -> bool {
        self.verbose
    }

    /// Prints a line of the result. Where tables are wanted as CSV, only tables are printed.
    pub(crate) fn line(&mut self, line: impl AsRef<str>) {
        if self.form != Form::Csv {
            self.print(line.as_ref());
        }
    }

    /// Prints a hint: what else can be done, or how to read a result. `--quiet` leaves it out.
    pub(crate) fn hint(&mut self, line: impl AsRef<str>) {
        if !self.quiet {
            self.line(line);
        }
    }

    /// Tells what is done meanwhile, on standard error; `--verbose` asks for it.
    pub(crate) fn tell(&self, line: impl AsRef<str>) {
        if self.verbose {
            eprintln!("{}", line.as_ref());
        }
    }

    /// Prints a heading.
    pub(crate) fn heading(&mut self, line: &str) {
        if self.color { self.line(format!("\x1b[1m{line}\x1b[0m")) } else { self.line(line) }
    }

    /// Prints a name and a text beside it, which begins in this column and is broken into lines.
    pub(crate) fn item(&mut self, name: &str, text: &str, column: usize) {
        let terminal = io::stdout().is_terminal();
        let width = if terminal { terminal_width() } else { PIPED_WIDTH.into() };
        let mut line = format!("{name:<column$}");
        let mut empty = true;
        for word in text.split(' ') {
            if !empty && line.chars().count() + 1 + word.chars().count() > width {
                self.line(line.trim_end());
                (line, empty) = (" ".repeat(column), true);
            }
            if !empty {
                line.push(' ');
            }
            line.push_str(word);
            empty = false;
        }
        self.line(line);
    }

    /// Prints a table: a box, or CSV. Several CSV tables are separated by empty lines.
    pub(crate) fn table(&mut self, grid: &Grid) {
        if self.form == Form::Csv {
            let gap = if self.tables > 0 { "\n" } else { "" };
            self.print(&format!("{gap}{}", grid.csv().trim_end_matches('\n')));
        } else {
            self.print(&grid.boxed(io::stdout().is_terminal(), self.color));
        }
        self.tables += 1;
    }

    /// Prints a line. A reader that has gone away (`| head`) ends the program quietly.
    fn print(&mut self, line: &str) {
        let mut stdout = io::stdout().lock();
        let written = writeln!(stdout, "{line}").and_then(|()| stdout.flush());
        match written {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => end_now(0),
            Err(error) => {
                eprintln!("cannot write: {error}");
                end_now(1);
            }
            Ok(()) => {}
        }
    }

    /// Prints a JSON value on one line.
    pub(crate) fn value(&mut self, value: &Value) {
        interrupt::reported();
        self.print(&value.to_string());
    }

    /// Prints an event of a server or a client.
    pub(crate) fn event(&mut self, event: &str) {
        if self.is_json() { self.value(&json!({ "event": event })) } else { self.line(event) }
    }

    /// Says where a server listens.
    pub(crate) fn listening(&mut self, address: SocketAddr) {
        if self.is_json() {
            self.value(&json!({ "listening": address.to_string() }));
        } else {
            self.line(format!("listening on {address}; Ctrl-C ends"));
        }
    }

    /// An error as it is drawn for people.
    pub(crate) fn drawing(&self, error: &InputError) -> String {
        let title = error.to_string();
        let mut report = Level::ERROR.primary_title(title).elements(None::<Snippet<'_, Annotation<'_>>>);
        if let Some((source, span)) = error.place().filter(|(source, _)| source.text().len() <= LONGEST_SHOWN_SOURCE) {
            let here = AnnotationKind::Primary.span(span.clone()).label("here");
            report = report.element(Snippet::source(source.text()).path(source.name()).annotation(here));
        }
        if let Some(help) = error.help_text() {
            report = report.element(Level::HELP.message(help));
        }
        let renderer = if self.error_color { Renderer::styled() } else { Renderer::plain() };
        renderer.render(&[report]).to_string()
    }

    /// A title and parts of texts, as they are drawn for people on standard output. Long texts are left out.
    pub(crate) fn marked(&self, title: &str, marks: &[Mark<'_>]) -> String {
        let mut report = Level::NOTE.primary_title(title).elements(None::<Snippet<'_, Annotation<'_>>>);
        for mark in marks.iter().filter(|mark| mark.source.text().len() <= LONGEST_SHOWN_SOURCE) {
            let here = AnnotationKind::Primary.span(mark.span.clone()).label(mark.label);
            report = report.element(Snippet::source(mark.source.text()).path(mark.source.name()).annotation(here));
        }
        let renderer = if self.color { Renderer::styled() } else { Renderer::plain() };
        renderer.render(&[report]).to_string()
    }

    /// Prints an error on standard error.
    pub(crate) fn error(&mut self, error: &InputError) {
        if self.is_json() {
            eprintln!("{}", json!({ "error": error.to_string(), "help": error.help_text() }));
        } else {
            eprintln!("{}", self.drawing(error));
        }
    }
}

/// A part of a text, with a label.
pub(crate) struct Mark<'a> {
    /// The text.
    pub source: &'a Source,
    /// The bytes of the part.
    pub span: Range<usize>,
    /// What is said about it.
    pub label: &'a str,
}

/// The longest source of which lines are shown: one endless line would fill the screen.
const LONGEST_SHOWN_SOURCE: usize = 64 * 1024;

/// The value of `--color` before the arguments are parsed, for what the parser itself prints.
pub(crate) fn asked_color() -> ColorChoice {
    let arguments: Vec<String> = std::env::args().collect();
    let pairs = arguments.iter().zip(arguments.iter().skip(1).map(Some).chain([None]));
    let asked = pairs.filter_map(|(argument, next)| match argument.split_once('=') {
        Some(("--color", value)) => Some(value),
        None if argument == "--color" => next.map(String::as_str),
        _ => None,
    });
    asked.last().and_then(|value| ColorChoice::from_str(value, true).ok()).unwrap_or(ColorChoice::Auto)
}

/// Whether to use colours on a stream. `NO_COLOR` (no-color.org) and a terminal that can do nothing turn them off.
fn uses_color(choice: ColorChoice, terminal: bool) -> bool {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
    match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => terminal && !refused && !dumb,
    }
}

/// The width of the terminal.
fn terminal_width() -> usize {
    comfy_table::Table::new().width().unwrap_or(PIPED_WIDTH).into()
}

/// An empty table with these columns.
pub(crate) fn table<T: AsRef<str>>(header: &[T]) -> Grid {
    Grid::new(header)
}

/// A share as a percentage with one decimal.
pub(crate) fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

/// The largest file of moves that is read: far beyond any match, far below what would hurt.
const MOST_BYTES: u64 = 16 << 20;

/// Reads a text file from outside; `-` is standard input.
pub(crate) fn read_text(path: &Path) -> Result<Source, InputError> {
    let name = path.display().to_string();
    let wrong = |error: io::Error| InputError::new(format!("cannot read: {error}")).in_file(&name);
    let mut bytes = Vec::new();
    let read = if name == "-" {
        io::Read::read_to_end(&mut io::Read::take(io::stdin().lock(), MOST_BYTES + 1), &mut bytes)
    } else {
        let file = std::fs::File::open(path).map_err(wrong)?;
        io::Read::read_to_end(&mut io::Read::take(file, MOST_BYTES + 1), &mut bytes)
    };
    read.map_err(wrong)?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(InputError::new(format!("larger than {} MB", MOST_BYTES >> 20)).in_file(&name));
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Source::new(name, text)),
        Err(error) => {
            let place = error.utf8_error().valid_up_to();
            Err(InputError::new(format!("not UTF-8 text at byte {place}")).in_file(&name))
        }
    }
}

/// Writes a file.
pub(crate) fn write_text(path: &Path, text: &str) -> Result<(), InputError> {
    std::fs::write(path, text)
        .map_err(|error| InputError::new(format!("cannot write: {error}")).in_file(path.display()))
}

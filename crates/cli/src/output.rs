//! Printing: text for people or JSON for scripts, errors with what was expected.

use std::io::{self, ErrorKind, IsTerminal, Write};
use std::net::SocketAddr;
use std::path::Path;

use annotate_snippets::{Annotation, AnnotationKind, Level, Renderer, Snippet};
use comfy_table::presets::UTF8_FULL_CONDENSED;
use comfy_table::{ContentArrangement, Table};
use serde_json::{Value, json};
use tesuji_arena::{InputError, Source};

use crate::interrupt::end_now;

/// Where results go.
pub(crate) struct Output {
    json: bool,
}

impl Output {
    /// Text, or JSON.
    pub(crate) fn new(json: bool) -> Output {
        Output { json }
    }

    /// Is JSON wanted?
    pub(crate) fn is_json(&self) -> bool {
        self.json
    }

    /// Prints a line. A reader that has gone away (`| head`) ends the program quietly.
    pub(crate) fn line(&mut self, line: impl AsRef<str>) {
        let mut stdout = io::stdout().lock();
        let written = writeln!(stdout, "{}", line.as_ref()).and_then(|()| stdout.flush());
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
        self.line(value.to_string());
    }

    /// Prints an event of a server or a client.
    pub(crate) fn event(&mut self, event: &str) {
        if self.json { self.value(&json!({ "event": event })) } else { self.line(event) }
    }

    /// Says where a server listens.
    pub(crate) fn listening(&mut self, address: SocketAddr) {
        if self.json {
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
        let renderer = if io::stderr().is_terminal() { Renderer::styled() } else { Renderer::plain() };
        renderer.render(&[report]).to_string()
    }

    /// Prints an error on standard error.
    pub(crate) fn error(&mut self, error: &InputError) {
        if self.json {
            eprintln!("{}", json!({ "error": error.to_string(), "help": error.help_text() }));
        } else {
            eprintln!("{}", self.drawing(error));
        }
    }
}

/// The longest source of which lines are shown: one endless line would fill the screen.
const LONGEST_SHOWN_SOURCE: usize = 64 * 1024;

/// An empty table in the project's look, as wide as the terminal allows.
pub(crate) fn table(header: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(UTF8_FULL_CONDENSED).set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(header);
    table
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

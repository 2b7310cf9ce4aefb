//! The answers to fish, which passes the last word as it was typed, with its quotation mark.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;

use clap_complete::env::EnvCompleter;

use super::line::unquoted;

/// Completion in fish.
pub(super) struct Fish;

impl EnvCompleter for Fish {
    fn name(&self) -> &'static str {
        "fish"
    }

    fn is(&self, name: &str) -> bool {
        name == self.name()
    }

    fn write_registration(
        &self,
        variable: &str,
        name: &str,
        program: &str,
        completer: &str,
        script: &mut dyn Write,
    ) -> io::Result<()> {
        clap_complete::env::Fish.write_registration(variable, name, program, completer, script)
    }

    fn write_complete(
        &self,
        grammar: &mut clap::Command,
        mut words: Vec<OsString>,
        folder: Option<&Path>,
        answer: &mut dyn Write,
    ) -> io::Result<()> {
        if let Some(last) = words.last_mut() {
            *last = unquoted(last);
        }
        clap_complete::env::Fish.write_complete(grammar, words, folder, answer)
    }
}

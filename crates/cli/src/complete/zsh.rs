//! The script for zsh, and its answers.
//!
//! Zsh passes words as they were typed, with their quotation marks, and ends a quotation after a candidate. So the
//! answer removes quotation marks before it completes, and the script adds nothing after a candidate that goes on.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;

use clap_complete::env::EnvCompleter;

use super::line::unquoted;

const SCRIPT: &str = r#"#compdef PROGRAM
_FUNCTION() {
    local -a answers whole unfinished
    local answer
    answers=("${(@f)$(VARIABLE=zsh _CLAP_COMPLETE_INDEX=$((CURRENT - 1)) PROGRAM -- "${words[@]}" 2> /dev/null)}")
    for answer in $answers; do
        case ${answer%%:*} in
            *[=\(,/]) unfinished+=("$answer") ;;
            *) whole+=("$answer") ;;
        esac
    done
    [[ -n $unfinished ]] && _describe -V values unfinished -S ''
    [[ -n $whole ]] && _describe -V values whole
}
compdef _FUNCTION PROGRAM"#;

/// Completion in zsh.
pub(super) struct Zsh;

impl EnvCompleter for Zsh {
    fn name(&self) -> &'static str {
        "zsh"
    }

    fn is(&self, name: &str) -> bool {
        name == self.name()
    }

    fn write_registration(
        &self,
        variable: &str,
        name: &str,
        _program: &str,
        completer: &str,
        script: &mut dyn Write,
    ) -> io::Result<()> {
        let function = name.replace(|letter: char| !letter.is_ascii_alphanumeric(), "_");
        let text = SCRIPT.replace("FUNCTION", &function).replace("VARIABLE", variable).replace("PROGRAM", completer);
        writeln!(script, "{text}")
    }

    fn write_complete(
        &self,
        grammar: &mut clap::Command,
        words: Vec<OsString>,
        folder: Option<&Path>,
        answer: &mut dyn Write,
    ) -> io::Result<()> {
        let words = words.iter().map(|word| unquoted(word)).collect();
        clap_complete::env::Zsh.write_complete(grammar, words, folder, answer)
    }
}

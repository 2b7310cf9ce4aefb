//! The script for bash, and its answers.
//!
//! Readline replaces only the part of an argument after the last character of `COMP_WORDBREAKS`, such as `(` or `=`.
//! Addresses contain both, so the script passes the line as it was typed, and the answer leaves out what readline
//! keeps.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;

use clap_complete::engine;
use clap_complete::env::EnvCompleter;

use super::line::Line;

/// The line up to the cursor.
const LINE: &str = "_TESUJI_LINE";
/// The part of the line that readline replaces.
const WORD: &str = "_TESUJI_WORD";

const SCRIPT: &str = r#"_FUNCTION() {
    local line="${COMP_LINE:0:COMP_POINT}"
    local IFS=$'\n'
    COMPREPLY=( $( VARIABLE=bash _TESUJI_LINE="$line" _TESUJI_WORD="${2-${COMP_WORDS[COMP_CWORD]}}" \
        "PROGRAM" -- "${COMP_WORDS[@]:0:COMP_CWORD+1}" 2> /dev/null ) )
    if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *[=\(,/] ]]; then
        compopt -o nospace 2> /dev/null
    fi
}
complete -o bashdefault -o default -F _FUNCTION PROGRAM"#;

/// Completion in bash.
pub(super) struct Bash;

impl EnvCompleter for Bash {
    fn name(&self) -> &'static str {
        "bash"
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
        let line = std::env::var(LINE).unwrap_or_default();
        // Whoever calls the function without a line has words that are whole.
        let typed = if line.is_empty() { Line::of(&words) } else { Line::read(&line) };
        let word = std::env::var(WORD).unwrap_or_default();
        let index = typed.words.len() - 1;
        let arguments = typed.words.iter().map(OsString::from).collect();
        let candidates = engine::complete(grammar, arguments, index, folder)?;
        let reply = |text: &str| typed.reply(text, &word);
        let mut replies: Vec<String> =
            candidates.iter().map(|candidate| reply(&candidate.get_value().to_string_lossy())).collect();
        // Readline closes the quotation after a single reply, though its argument goes on: another one keeps it open.
        if let ([only], Some(_)) = (&replies[..], typed.quote)
            && only.ends_with(['=', '(', ','])
        {
            replies.push(format!("{only}…"));
        }
        replies.iter().try_for_each(|reply| writeln!(answer, "{reply}"))
    }
}

impl Line {
    /// What takes the place of `replaced`, the text that readline replaces, so that the last word becomes `candidate`.
    fn reply(&self, candidate: &str, replaced: &str) -> String {
        let last = self.words.last().map_or("", String::as_str);
        let plain = Line::read(replaced.trim_start_matches(['"', '\''])).words.pop().unwrap_or_default();
        // What stands before the replaced text stays on the line.
        let kept = last.strip_suffix(plain.as_str()).map_or(0, str::len);
        let reply = candidate.get(kept..).unwrap_or(candidate);
        match self.quote {
            Some(_) => reply.to_owned(),
            None => escaped(reply),
        }
    }
}

/// The text as one word of a shell.
fn escaped(text: &str) -> String {
    let special = |letter: char| " \t'\"\\()<>|&;*?$`!#[]{}".contains(letter);
    text.chars().flat_map(|letter| special(letter).then_some('\\').into_iter().chain([letter])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replies_leave_out_what_readline_keeps() {
        let reply = |line: &str, word: &str| Line::read(line).reply("uct(playouts=", word);
        assert_eq!(reply("t 'uct(pl", "uct(pl"), "uct(playouts=");
        assert_eq!(reply("t 'uct(pl", "'uct(pl"), "uct(playouts=");
        assert_eq!(reply("t \"uct(pl", "pl"), "playouts=");
        assert_eq!(reply("t uct(pl", "pl"), "playouts=");
        assert_eq!(reply(r"t uct\(pl", r"uct\(pl"), r"uct\(playouts=");
        assert_eq!(Line::read("t uct(playouts=").reply("uct(playouts=20", ""), "20");
    }
}

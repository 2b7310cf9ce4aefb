//! Splits a command line into words without a shell: nothing is expanded, and only the named program runs.

use std::path::{Path, PathBuf};

use tesuji_core::{InputError, Source};

/// The words of a command: separated by blanks; `'…'` quotes blanks; `\` escapes the next character.
///
/// The first word is the program; there is at least one.
pub fn split_command(text: &str) -> Result<Vec<String>, InputError> {
    let source = Source::new("command", text);
    let wrong = |offset: usize, message: &str| {
        InputError::new(message)
            .with_help("a command looks like `python3 'my engine.py' --level 3`; no shell reads it")
            .at(&source, offset, 1)
    };
    let mut words: Vec<String> = Vec::new();
    let mut word: Option<String> = None;
    let mut rest = text.char_indices();
    while let Some((offset, character)) = rest.next() {
        match character {
            '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match rest.next() {
                        Some((_, '\'')) => break,
                        Some((_, inside)) => word.push(inside),
                        None => return Err(wrong(offset, "the quote is never closed")),
                    }
                }
            }
            '\\' => match rest.next() {
                Some((_, plain)) => word.get_or_insert_default().push(plain),
                None => return Err(wrong(offset, "nothing follows the last `\\`")),
            },
            _ if character.is_whitespace() => words.extend(word.take()),
            '\0' => return Err(wrong(offset, "a command cannot hold a NUL character")),
            _ => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    match words.first() {
        Some(program) if !program.is_empty() && !words.iter().any(|word| word.contains('\0')) => Ok(words),
        _ => Err(wrong(0, "expected the name of a program")),
    }
}

/// The file of a program: its name is a path, or the name of a file in a folder of the search path.
pub fn find(name: &str) -> Option<PathBuf> {
    let path = Path::new(name);
    if path.components().count() > 1 {
        return path.is_file().then(|| path.to_owned());
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&folders).map(|folder| folder.join(name)).find(|path| path.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn words_are_parted_by_blanks_outside_quotes() {
        for (text, expected) in [
            ("engine", &["engine"][..]),
            ("  python3  -u a.py ", &["python3", "-u", "a.py"]),
            ("sh -c 'a | b'", &["sh", "-c", "a | b"]),
            (r"my\ engine it''s", &["my engine", "its"]),
            ("e ''", &["e", ""]),
        ] {
            assert_eq!(split_command(text).unwrap(), expected, "{text}");
        }
        for (text, expected) in [
            ("", "name of a program"),
            ("  ", "name of a program"),
            ("a 'b", "never closed"),
            ("a \\", "nothing follows"),
        ] {
            assert!(split_command(text).unwrap_err().to_string().contains(expected), "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_a_command_or_an_error(text in any::<String>()) {
            if let Ok(words) = split_command(&text) {
                prop_assert!(!words[0].is_empty());
            }
        }

        #[test]
        fn quoted_words_come_back(words in prop::collection::vec("[^'\0]{1,8}", 1..4)) {
            let text: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
            prop_assert_eq!(split_command(&text.join(" ")).unwrap(), words);
        }
    }
}

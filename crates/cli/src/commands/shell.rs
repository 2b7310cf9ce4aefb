//! `tesuji completions` and `tesuji man`

use std::env;
use std::fs;

use serde_json::json;
use tesuji_arena::InputError;

use crate::arguments::{CompletionsOptions, ManOptions};
use crate::output::Output;
use crate::{complete, grammar};

pub(crate) fn completions(options: &CompletionsOptions, output: &mut Output) -> Result<(), InputError> {
    // A program of one's own has its own name.
    let program = env::current_exe().ok().and_then(|path| Some(path.file_stem()?.to_string_lossy().into_owned()));
    let script = complete::script(&options.shell, program.as_deref().unwrap_or("tesuji"))
        .map_err(|error| InputError::new(error.to_string()))?;
    if output.is_json() {
        output.value(&json!({ "shell": options.shell, "script": script }));
    } else {
        output.line(script);
    }
    Ok(())
}

pub(crate) fn man(options: &ManOptions, output: &mut Output) -> Result<(), InputError> {
    let folder = &options.folder;
    let wrong = |error: std::io::Error| InputError::new(error.to_string()).in_file(folder.display());
    fs::create_dir_all(folder).map_err(wrong)?;
    let mut grammar = grammar().disable_help_subcommand(true);
    grammar.build();
    let pages = count(&grammar);
    clap_mangen::generate_to(grammar, folder).map_err(wrong)?;
    if output.is_json() {
        output.value(&json!({ "folder": folder, "pages": pages }));
    } else {
        output.line(format!("{pages} pages written to {}", folder.display()));
        output.hint(format!("`man -l {}` shows the first one.", folder.join("tesuji.1").display()));
    }
    Ok(())
}

/// A command and all commands below it.
fn count(command: &clap::Command) -> usize {
    1 + command.get_subcommands().filter(|command| !command.is_hide_set()).map(count).sum::<usize>()
}

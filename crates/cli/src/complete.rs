//! Shell completion: commands and options from the grammar, games, agents and parameters from the catalogue.
//!
//! A script that `tesuji completions SHELL` prints calls the program on every TAB with `TESUJI_COMPLETE` set to the
//! shell's name. The program answers with candidates instead of running a command, so that games and agents of one's
//! own catalogue are completed too.

mod addresses;
mod line;
mod bash;
mod zsh;
mod fish;

use std::ffi::OsStr;
use std::io;
use std::sync::Arc;

use clap::Command;
use clap::builder::StyledStr;
use clap_complete::CompleteEnv;
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate};
use clap_complete::env::{Elvish, EnvCompleter, Powershell, Shells};
use tesuji_arena::{Catalogue, library};

use crate::grammar;
use addresses::{Addressee, complete};
use bash::Bash;
use fish::Fish;
use zsh::Zsh;

/// The variable that asks for candidates.
const VARIABLE: &str = "TESUJI_COMPLETE";

const SHELLS: &[&dyn EnvCompleter] = &[&Bash, &Zsh, &Fish, &Powershell, &Elvish];

/// Answers a shell that asks for candidates, and ends the program; otherwise does nothing.
pub(crate) fn answer(catalogue: &Catalogue) {
    if std::env::var_os(VARIABLE).is_some() {
        CompleteEnv::with_factory(|| attach(grammar(), catalogue)).var(VARIABLE).shells(Shells(SHELLS)).complete();
    }
}

/// The script for a shell; `program` is the name of the program as it is called.
pub(crate) fn script(shell: &str, program: &str) -> io::Result<String> {
    let shells = Shells(SHELLS);
    let shell = shells.completer(shell).ok_or_else(|| io::Error::other(format!("no script for `{shell}`")))?;
    let mut script = Vec::new();
    shell.write_registration(VARIABLE, program, program, program, &mut script)?;
    Ok(String::from_utf8_lossy(&script).trim().to_owned())
}

/// The grammar with completers for all arguments that name games, agents or tables.
fn attach(command: Command, catalogue: &Catalogue) -> Command {
    let games: Arc<[Addressee]> = catalogue.games().iter().map(Addressee::game).collect();
    let agents: Arc<[Addressee]> = catalogue.agents().iter().map(Addressee::agent).collect();
    attach_all(command, &games, &agents)
}

fn attach_all(command: Command, games: &Arc<[Addressee]>, agents: &Arc<[Addressee]>) -> Command {
    let with = |known: &Arc<[Addressee]>| {
        let known = Arc::clone(known);
        ArgValueCompleter::new(move |typed: &OsStr| addressed(&known, typed))
    };
    let command = command.mut_args(|argument| match argument.get_id().as_str() {
        "game" | "games" => argument.add(with(games)),
        "agent" | "agents" | "opponent" | "judge" | "players" => argument.add(with(agents)),
        "sheet" => argument.add(data(games, "gdl", "sheet")),
        "map" => argument.add(data(games, "tubstap", "map")),
        "id" => argument.add(ArgValueCompleter::new(tables)),
        _ => argument,
    });
    command.mut_subcommands(|command| attach_all(command, games, agents))
}

fn addressed(known: &[Addressee], typed: &OsStr) -> Vec<CompletionCandidate> {
    let Some(typed) = typed.to_str() else { return Vec::new() };
    complete(known, typed).into_iter().map(|(text, about)| candidate(text, &about)).collect()
}

/// Completes the names of bundled data of one parameter.
fn data(games: &[Addressee], game: &str, parameter: &str) -> ArgValueCompleter {
    let names = addresses::bundled(games, game, parameter);
    ArgValueCompleter::new(move |typed: &OsStr| {
        let typed = typed.to_str().unwrap_or_default();
        names.iter().filter(|name| name.starts_with(typed)).map(|&name| candidate(name.to_owned(), "")).collect()
    })
}

/// Completes the tables of the papers.
fn tables(typed: &OsStr) -> Vec<CompletionCandidate> {
    let typed = typed.to_str().unwrap_or_default();
    let entries = library().into_iter().filter(|entry| entry.id.starts_with(typed));
    entries.map(|entry| candidate(entry.id.clone(), &entry.title)).collect()
}

fn candidate(text: String, about: &str) -> CompletionCandidate {
    let about = (!about.is_empty()).then(|| StyledStr::from(about.to_owned()));
    CompletionCandidate::new(text).help(about)
}

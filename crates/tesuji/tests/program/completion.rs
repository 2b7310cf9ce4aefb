//! Shell completion, driven as shells drive it.

use std::path::Path;
use std::process::Command;

use crate::started::{printed, tesuji, text};

/// What the bash function answers when the line ends at the cursor; `word` is the part that readline replaces.
fn completed(line: &str, word: &str) -> Vec<String> {
    let binary = Path::new(env!("CARGO_BIN_EXE_tesuji"));
    let path = format!("{}:{}", binary.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let script = "source <(tesuji completions bash)
        COMP_LINE=$1 COMP_POINT=${#1} COMP_WORDS=($1) COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        _tesuji tesuji \"$2\" ''
        printf '%s\\n' \"${COMPREPLY[@]}\"";
    let output = Command::new("bash").args(["-c", script, "bash", line, word]).env("PATH", path).output().unwrap();
    printed(&output).lines().map(str::to_owned).collect()
}

#[test]
fn bash_completes_commands_games_agents_and_parameters() {
    assert_eq!(completed("tesuji match tub", "tub"), ["tubstap", "tubstap-random"]);
    assert_eq!(completed("tesuji match tic-tac-toe uct(pl", "uct(pl"), ["uct\\(playouts=", "uct\\(playout="]);
    // As readline splits it at the parenthesis.
    assert_eq!(completed("tesuji match tic-tac-toe uct(pl", "pl"), ["playouts=", "playout="]);
    assert_eq!(completed("tesuji match tic-tac-toe \"uct(pl", "uct(pl"), ["uct(playouts=", "uct(playout="]);
    assert_eq!(completed("tesuji show 'tubstap(map=mead", "tubstap(map=mead"), ["tubstap(map=meadow"]);
    assert_eq!(completed("tesuji exploit", "exploit"), ["exploitability"]);
    assert_eq!(completed("tesuji match --bud", "--bud"), ["--budget"]);
    assert_eq!(completed("tesuji bench --agent expec", "expec"), ["expectimax"]);
    assert_eq!(completed("tesuji reproduce 002/table3", "002/table3")[0], "002/table3");
}

#[test]
fn every_shell_has_a_script() {
    for (shell, expected) in [
        ("bash", "complete -o bashdefault"),
        ("zsh", "#compdef tesuji"),
        ("fish", "complete --keep-order"),
        ("powershell", "Register-ArgumentCompleter"),
        ("elvish", "edit:completion"),
    ] {
        let script = printed(&tesuji(&["completions", shell]));
        assert!(script.contains(expected) && script.contains("TESUJI_COMPLETE"), "{shell}: {script}");
    }
    let output = tesuji(&["completions", "command.com"]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
}

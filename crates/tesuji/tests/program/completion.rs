//! Shell completion, driven as shells drive it.

use std::path::Path;
use std::process::Command;

use crate::started::{printed, tesuji, text};

/// The search path with the program first.
fn path() -> String {
    let binary = Path::new(env!("CARGO_BIN_EXE_tesuji"));
    format!("{}:{}", binary.parent().unwrap().display(), std::env::var("PATH").unwrap())
}

/// Is the shell here? Says so if it is not: these tests then check nothing.
fn installed(shell: &str) -> bool {
    let found = Command::new(shell).arg("--version").output().is_ok_and(|output| output.status.success());
    if !found {
        eprintln!("skipped: {shell} is not installed");
    }
    found
}

/// What the bash function answers when the line ends at the cursor; `word` is the part that readline replaces.
fn completed(line: &str, word: &str) -> Vec<String> {
    let script = "source <(tesuji completions bash)
        COMP_LINE=$1 COMP_POINT=${#1} COMP_WORDS=($1) COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        _tesuji tesuji \"$2\" ''
        printf '%s\\n' \"${COMPREPLY[@]}\"";
    let output = Command::new("bash").args(["-c", script, "bash", line, word]).env("PATH", path()).output().unwrap();
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
    assert_eq!(completed("tesuji exploit", "exploit"), ["exploitability", "exploit"]);
    assert_eq!(completed("tesuji match --bud", "--bud"), ["--budget"]);
    assert_eq!(completed("tesuji bench --agent expec", "expec"), ["expectimax"]);
    assert_eq!(completed("tesuji reproduce 002/table3", "002/table3")[0], "002/table3");
}

/// The line after TAB in an interactive zsh, which needs a terminal.
const IN_ZSH: &str = r#"
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1=; autoload -Uz compinit; compinit -u -D; source <(tesuji completions zsh)"
zpty -w shell 'show() { print -r -- "[[$BUFFER]]"; BUFFER=; zle accept-line }; zle -N show; bindkey "^Y" show'
zpty -w shell 'print READY$((1))'
zpty -r -m shell heard '*READY1*'
for line in "$@"; do
    # The answer to TAB ends before the next key is read.
    zpty -w -n shell "$line"$'\t\x19'
    zpty -r -m shell heard '*\[\[*\]\]*'
    heard=${heard##*\[\[}
    print -r -- "${heard%%\]\]*}"
done
zpty -d shell
"#;

#[test]
fn zsh_completes_commands_games_agents_and_parameters() {
    if !installed("zsh") {
        return;
    }
    let expected = [
        ("tesuji exploitab", "tesuji exploitability "),
        ("tesuji match tic-tac-toe expec", "tesuji match tic-tac-toe expectimax "),
        ("tesuji match --bud", "tesuji match --budget "),
        ("tesuji show 'tubstap(map=mead", "tesuji show 'tubstap(map=meadow' "),
        ("tesuji match tic-tac-toe 'uct(playouts=3,fir", "tesuji match tic-tac-toe 'uct(playouts=3,first="),
        ("tesuji match tic-tac-toe \"uct(fir", "tesuji match tic-tac-toe \"uct(first="),
        ("tesuji match tic-tac-toe uct\\(fir", "tesuji match tic-tac-toe uct\\(first="),
    ];
    let mut command = Command::new("zsh");
    command.args(["-f", "-c", IN_ZSH, "zsh"]).args(expected.map(|(line, _)| line)).env("PATH", path());
    let output = printed(&command.output().unwrap());
    assert_eq!(output.lines().collect::<Vec<_>>(), expected.map(|(_, completed)| completed));
}

#[test]
fn fish_completes_commands_games_agents_and_parameters() {
    if !installed("fish") {
        return;
    }
    // Candidates and their descriptions, separated by a tab.
    let completed = |line: &str| {
        let script = "source (tesuji completions fish | psub); complete --do-complete $argv[1]";
        let output = Command::new("fish").args(["--no-config", "-c", script, line]).env("PATH", path()).output();
        let names = printed(&output.unwrap());
        names.lines().map(|line| line.split('\t').next().unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(completed("tesuji match tub"), ["tubstap", "tubstap-random"]);
    assert_eq!(completed("tesuji exploitab"), ["exploitability"]);
    assert_eq!(completed("tesuji match --bud"), ["--budget"]);
    assert_eq!(completed("tesuji bench --agent expec"), ["expectimax"]);
    assert_eq!(completed("tesuji match tic-tac-toe 'uct(pl"), ["uct(playouts=", "uct(playout="]);
    assert_eq!(completed("tesuji match tic-tac-toe \"uct(playouts=3,fir"), ["uct(playouts=3,first="]);
    assert_eq!(completed("tesuji show 'tubstap(map=mead"), ["tubstap(map=meadow"]);
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

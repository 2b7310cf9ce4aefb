//! Starting the program and reading what it says.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// The program, to be started with nothing to read.
pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
    command.args(arguments).stdin(Stdio::null());
    command
}

/// What came of these arguments.
pub(crate) fn tesuji(arguments: &[&str]) -> Output {
    command(arguments).output().unwrap()
}

/// The same, started in a folder.
pub(crate) fn tesuji_in(folder: &Path, arguments: &[&str]) -> Output {
    command(arguments).current_dir(folder).output().unwrap()
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// What a command that must succeed prints.
pub(crate) fn printed(output: &Output) -> String {
    assert!(output.status.success(), "{}", text(&output.stderr));
    text(&output.stdout)
}

/// The JSON lines of a command that must succeed.
pub(crate) fn json(arguments: &[&str]) -> Vec<Value> {
    json_lines(&printed(&tesuji(arguments)))
}

pub(crate) fn json_lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// What a command that must fail says; it prints nothing.
pub(crate) fn refused(arguments: &[&str]) -> String {
    let output = tesuji(arguments);
    assert_eq!(text(&output.stdout), "", "{arguments:?}");
    complaint(&output)
}

/// What a command that must have failed says.
pub(crate) fn complaint(output: &Output) -> String {
    assert!(!output.status.success(), "it was accepted: {}", text(&output.stdout));
    text(&output.stderr)
}

/// A path among the files of these tests.
pub(crate) fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// An empty folder of a test.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = path(name);
    fs::remove_dir_all(&folder).ok();
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// A file of a test.
pub(crate) fn scratch(name: &str, contents: &str) -> String {
    let path = path(name);
    fs::write(&path, contents).unwrap();
    path.display().to_string()
}

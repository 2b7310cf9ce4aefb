//! Stores through the command line: damage, repair, and folders that cannot be written.

use std::fs;

use serde_json::Value;

use crate::started::{command, complaint, folder, printed, tesuji_in, text};

#[test]
fn damage_is_listed_and_repaired() {
    let folder = folder("store-command");
    printed(&tesuji_in(
        &folder,
        &["match", "tic-tac-toe", "uct", "mc", "--games", "40", "--budget", "20", "--store", "s.db"],
    ));
    let before = printed(&tesuji_in(&folder, &["report", "s.db", "--json"]));
    assert!(printed(&tesuji_in(&folder, &["store", "verify", "s.db"])).contains("s.db: whole"));
    // The moves of a match are in the file as they are written.
    let mut bytes = fs::read(folder.join("s.db")).unwrap();
    let moves = bytes.windows(3).rposition(|window| window == b"b2\n").unwrap();
    bytes[moves] ^= 1;
    fs::write(folder.join("s.db"), bytes).unwrap();
    let said = complaint(&tesuji_in(&folder, &["report", "s.db"]));
    assert!(said.contains("the store is damaged: match ") && said.contains("39 of 40 match(es)"), "{said}");
    let output = tesuji_in(&folder, &["store", "verify", "s.db", "--json"]);
    let condition: Value = serde_json::from_str(&text(&output.stdout)).unwrap();
    assert!(!output.status.success() && condition["matches"]["damaged"] == 1, "{condition}");
    let repaired = printed(&tesuji_in(&folder, &["store", "repair", "s.db"]));
    assert!(repaired.contains("39 of 40 match(es)") && repaired.contains("played 1 again"), "{repaired}");
    assert!(folder.join("s.db.damaged").exists());
    assert_eq!(printed(&tesuji_in(&folder, &["report", "s.db", "--json"])), before);
    assert!(printed(&tesuji_in(&folder, &["store", "repair", "s.db"])).contains("nothing is damaged"));
}

/// Users without the right to write to a folder can read the stores in it.
#[cfg(unix)]
#[test]
fn a_store_in_a_folder_that_cannot_be_written_is_read() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder("read-only");
    printed(&tesuji_in(&folder, &["match", "tic-tac-toe", "uct", "mc", "--games", "4", "--store", "s.db"]));
    let expected = printed(&tesuji_in(&folder, &["report", "s.db"]));
    for suffix in ["-wal", "-shm"] {
        fs::remove_file(folder.join(format!("s.db{suffix}"))).ok();
    }
    let allow = |mode: u32| fs::set_permissions(&folder, fs::Permissions::from_mode(mode)).unwrap();
    allow(0o555);
    // The superuser may write anywhere: somebody else reads in their place.
    let superuser = fs::write(folder.join("probe"), "").is_ok();
    let mut reader = command(&["report", "s.db"]);
    if superuser {
        fs::remove_file(folder.join("probe")).unwrap();
        reader = std::process::Command::new("setpriv");
        let options =
            ["--reuid=65534", "--regid=65534", "--clear-groups", env!("CARGO_BIN_EXE_tesuji"), "report", "s.db"];
        reader.args(options);
    }
    let read = reader.current_dir(&folder).output();
    allow(0o755);
    match read {
        Ok(output) => assert_eq!(printed(&output), expected),
        Err(error) => eprintln!("not tried: there is no `setpriv` here ({error})"),
    }
}

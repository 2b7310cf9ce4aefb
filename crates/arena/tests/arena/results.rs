//! The pages under experiments/results are what the program reports.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use tesuji_arena::experiment::{Scale, read_experiment};
use tesuji_arena::store::Store;
use tesuji_arena::{RunPlan, library_entry, markdown_page, run_experiment, summarise};

fn results(file: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../experiments/results").join(file)
}

/// Plays the experiment of the smallest page from its seed and compares the page byte for byte. `TESUJI_GOLDEN=create`
/// writes the page if it is missing.
#[test]
fn the_small_page_is_made_again_from_its_seed() {
    let source = library_entry("generic/small").unwrap().source().unwrap();
    let experiment = read_experiment(&tesuji_standard::catalogue(), &source, Scale::Full).unwrap();
    let mut store = Store::temporary().unwrap();
    let (plan, stop) = (RunPlan { threads: 2, shard: None }, AtomicBool::new(false));
    let end = run_experiment(&experiment, (source.name(), source.text()), &mut store, plan, &stop, |_| ()).unwrap();
    let summary = summarise(&experiment, &store, end.run, false).unwrap();
    let intro = std::fs::read_to_string(results("intro/small.md")).unwrap();
    let page = markdown_page(&intro, &[summary]);
    let path = results("small.md");
    if !path.exists() && std::env::var("TESUJI_GOLDEN").is_ok_and(|wish| wish == "create") {
        std::fs::write(&path, &page).unwrap();
    }
    let stored = std::fs::read_to_string(&path).unwrap().replace("\r\n", "\n");
    assert_eq!(page, stored, "if the change is meant, delete experiments/results/small.md and create it again");
}

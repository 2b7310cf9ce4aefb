//! axe-core looks at every page, light and dark.

use std::fs;
use std::path::Path;

use crate::{NARROW, WIDE, lab_and_browser};

/// Where `crates/web/checks/run` installs axe-core.
const AXE: &str = "../../target/page-checks/node_modules/axe-core/axe.min.js";

#[test]
fn axe_finds_nothing_serious_on_any_page() {
    let Some((lab, browser)) = lab_and_browser() else { return };
    let Ok(axe) = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(AXE)) else {
        let complaint = "NO AXE: the pages were NOT checked by axe-core. `crates/web/checks/run` installs it.";
        assert!(std::env::var_os("CI").is_none_or(|value| value.is_empty()), "{complaint}");
        eprintln!("\n*** {complaint}\n");
        return;
    };
    let mut tab = browser.open(&lab.address, WIDE);
    tab.wait("document.querySelector('[data-play]') && !document.querySelector('[data-play]').disabled");
    tab.evaluate(&format!("{axe}; null"));
    let id = tab.begin("connect-four", "connect-four", 0, "random", 1);
    tab.awaited();
    let pages = [
        "#/".to_owned(),
        "#/customise".to_owned(),
        format!("#/match/{id}"),
        "#/puzzles".to_owned(),
        "#/puzzle/tic-tac-toe-1".to_owned(),
        "#/teach".to_owned(),
        "#/train".to_owned(),
        "#/replays".to_owned(),
        "#/results".to_owned(),
        "#/table/003/types".to_owned(),
        "#/people/003/table1".to_owned(),
    ];
    let mut found = Vec::new();
    for (theme, size) in [("light", WIDE), ("dark", NARROW)] {
        tab.size(size.0, size.1);
        tab.prefer("prefers-color-scheme", theme);
        tab.wait(&format!("document.documentElement.dataset.theme === '{theme}'"));
        for page in &pages {
            tab.go(page);
            tab.wait("document.querySelector('h1')");
            tab.wait(crate::looks::SETTLED);
            let tabs = if page.starts_with("#/match") {
                vec!["actions", "analysis", "review", "rules", "history"]
            } else {
                vec![""]
            };
            for panel in tabs {
                if !panel.is_empty() {
                    tab.click(&format!("#tab-{panel}"));
                }
                let violations = tab.evaluate(
                    "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations
                       .filter(({ impact }) => impact === 'serious' || impact === 'critical')
                       .map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ html }) => html.slice(0, 160))
                         .join(' | ')}`))",
                );
                for violation in violations.as_array().into_iter().flatten() {
                    found.push(format!("{page} {panel} {theme}: {}", violation.as_str().unwrap_or_default()));
                }
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
    tab.finish();
}

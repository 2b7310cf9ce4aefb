//! The first ten seconds, and what happens after a match: opponents by strength, search, hints, rematches.

use crate::{NARROW, WIDE, lab_and_browser};

/// The windows in which the first start has to be in view.
const FOLDS: [(u32, u32); 2] = [(1280, 800), (390, 844)];

#[test]
fn a_stranger_plays_at_once_gets_a_hint_and_goes_to_the_next_level() {
    let Some((lab, browser)) = lab_and_browser() else { return };
    let mut tab = browser.open(&lab.address, NARROW);
    for (width, height) in FOLDS {
        tab.size(width, height);
        tab.wait("document.querySelector('[data-play]') && !document.querySelector('[data-play]').disabled");
        let bottom = tab.evaluate("document.querySelector('[data-play]').getBoundingClientRect().bottom").as_f64();
        assert!(bottom.unwrap() <= f64::from(height), "play is below the fold of {width}×{height}: {bottom:?}");
        assert!(tab.evaluate("document.documentElement.scrollWidth").as_u64().unwrap() <= u64::from(width));
    }
    tab.screenshot("home", true);

    // The search finds games by name in either language, maps and sheets.
    for (word, found) in
        [("six arms", "tubstap(map=six-arms)"), ("reversi", "gdl(reversi)"), ("connect", "connect-four")]
    {
        tab.fill("#game-search", word);
        tab.wait(&format!("document.querySelector('[data-card=\"{found}\"]')"));
    }
    tab.fill("#game-search", "sokoban");
    tab.wait("document.querySelector('[data-found*=sokoban]') && !document.querySelector('[data-card]')");
    tab.fill("#game-search", "connect four");
    let card = "[data-card='connect-four']";
    tab.wait(&format!("document.querySelector(\"{card} [data-role=level]\")"));
    tab.fill(&format!("{card} [data-role=level]"), "beginner");
    tab.click(&format!("{card} [data-play]"));
    tab.wait("document.querySelector('#status')?.dataset.kind");
    assert!(!tab.awaited());
    // Strength is told in words, the board and what belongs to it fit into the window.
    tab.wait("document.querySelector('#seats').textContent.includes('Beginner')");
    for part in [".board", "#hint", "#controls", "#position", "#seats"] {
        let low = tab.evaluate(&format!("document.querySelector('{part}').getBoundingClientRect().bottom")).as_f64();
        assert!(low.unwrap() <= 844.0, "{part} ends at {low:?}");
    }
    tab.click("#ask-hint");
    tab.wait("document.querySelector('#hint').textContent.startsWith('Try ')");
    tab.wait("document.querySelectorAll('.board .heat').length === 1");
    tab.choose_by_clicking(3);
    tab.wait("document.querySelector('#hint').textContent.startsWith('Last turn:')");
    assert!(!tab.awaited());
    tab.wait("document.querySelectorAll('.area.last').length > 0");
    tab.click("#resign");
    tab.wait("document.querySelector('#resign').dataset.sure");
    tab.click("#resign");
    tab.wait("document.querySelector('#status').textContent.startsWith('You lost')");
    tab.screenshot("you-lost", true);
    let before = tab.match_id();
    tab.click("#next-level");
    tab.wait(&format!("!location.hash.includes('{before}') && document.querySelector('#status')?.dataset.kind"));
    tab.wait("document.querySelector('#seats').textContent.includes('Club')");
    tab.finish();
}

#[test]
fn two_agents_are_watched_and_a_customised_opponent_has_a_handicap() {
    let Some((lab, browser)) = lab_and_browser() else { return };
    let mut tab = browser.open(&lab.address, WIDE);
    tab.fill("#game-search", "tic-tac-toe");
    tab.click("[data-card='tic-tac-toe'] [data-watch]");
    tab.wait("document.querySelector('#status')?.dataset.kind === 'over'");
    tab.click("#tab-rules");
    tab.wait("document.querySelector('#rules h2')?.textContent === 'Rules'");
    // Everything else is one click away.
    tab.customise("tubstap");
    tab.wait(
        "document.querySelector('[data-seat=\"1\"] [data-role=kind]') && !document.querySelector('#start').disabled",
    );
    tab.fill("[data-seat='1'] [data-role=kind]", "strong");
    tab.fill("[data-seat='1'] [data-role=handicap]", "10");
    tab.click("#start");
    tab.wait("document.querySelector('#seats')?.textContent.includes('200 playouts')");
    // Rules with a legend of units and a table of damage; units are signs, or letters if one prefers.
    tab.click("#tab-rules");
    tab.wait("document.querySelectorAll('#rules table').length >= 2");
    assert!(tab.text("#rules .legend").contains("cannon"), "{}", tab.text("#rules .legend"));
    assert_ne!(tab.evaluate("document.querySelectorAll('#rules .legend svg .sign').length"), 0);
    // At 1280×800 everything that one plays with is in view.
    tab.size(1280, 800);
    for part in [".board", "#seats", "#hint", "#end-turn", "#undo", "#position"] {
        let low = tab.evaluate(&format!("document.querySelector('{part}').getBoundingClientRect().bottom")).as_f64();
        assert!(low.unwrap() <= 800.0, "{part} ends at {low:?}");
    }
    let shown = |class: &str| format!("getComputedStyle(document.querySelector('.board .{class}')).display");
    assert_ne!(tab.evaluate(&shown("sign")), "none");
    assert_eq!(tab.evaluate(&shown("letter")), "none");
    tab.click("#letters");
    assert_eq!(tab.evaluate(&shown("sign")), "none");
    assert_ne!(tab.evaluate(&shown("letter")), "none");
    tab.click("#letters");
    // Moves are written as people would; sounds are off.
    tab.click("#tab-actions");
    tab.wait(
        "[...document.querySelectorAll('.action')].some((action) => /^infantry [a-f]\\d→/.test(action.textContent))",
    );
    assert_eq!(tab.text("#sound"), "Sound on");
    tab.screenshot("rules", true);
    // Japanese readers read the rules in Japanese, with the same tables.
    tab.click("#language");
    tab.wait("document.documentElement.lang === 'ja'");
    tab.wait("document.querySelectorAll('.area.first').length === 6");
    tab.click("#tab-rules");
    tab.wait("document.querySelector('#rules [lang=ja] h2')?.textContent === 'ルール'");
    assert_eq!(tab.evaluate("document.querySelectorAll('#rules table').length"), 2);
    tab.screenshot("rules-ja", true);
    tab.finish();
}

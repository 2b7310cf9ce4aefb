//! Faults that the page once had.

use crate::lab::Lab;
use crate::{WIDE, chromium, lab_and_browser};

/// More playouts than any test waits for.
const ENDLESS: u32 = 5_000_000;

#[test]
fn a_search_that_was_taken_back_is_not_called_thinking() {
    let Some((lab, browser)) = lab_and_browser() else { return };
    let mut tab = browser.open(&lab.address, WIDE);
    tab.begin("connect-four", "connect-four", 0, "uct", ENDLESS);
    tab.awaited();
    tab.click("#tab-thinking");
    tab.choose_by_clicking(3);
    tab.wait("document.querySelector('#panel-thinking .thought').dataset.now === 'true'");
    tab.click("#undo");
    tab.wait("document.querySelector('#status').dataset.step === '0'");
    tab.wait("document.querySelector('#panel-thinking .thought').dataset.now !== 'true'");
    assert!(!tab.text("#panel-thinking .thought-caption").contains("thinking"));
    // In a game for one the bar has one end.
    tab.begin("gdl", "gdl(peg-solitaire)", 0, "random", 1);
    tab.awaited();
    assert_eq!(tab.evaluate("document.querySelectorAll('.evaluation > .seat').length"), 1);
    tab.finish();
}

#[test]
fn an_agent_that_waits_for_a_core_is_not_called_thinking() {
    let Some(browser) = chromium::browser() else { return };
    let lab = Lab::with_threads(1);
    let mut busy = browser.open(&lab.address, WIDE);
    busy.begin("connect-four", "connect-four", 1, "uct", ENDLESS);
    busy.wait("document.querySelector('#status').textContent.includes('thinking')");
    let mut tab = browser.open(&lab.address, WIDE);
    tab.begin("connect-four", "connect-four", 1, "uct", ENDLESS);
    tab.wait("document.querySelector('#status').textContent.includes('waiting for a free core')");
    assert!(tab.text("#seats").contains("waiting for a core"), "{}", tab.text("#seats"));
    assert!(!tab.text("#seats").contains("thinking"), "{}", tab.text("#seats"));
    // The one that waits first: it would begin to think when the core is free, and resigning asks again then.
    for tab in [&mut tab, &mut busy] {
        tab.click("#resign");
        tab.click("#resign");
        tab.wait("document.querySelector('#status').dataset.kind === 'over'");
    }
    busy.finish();
    tab.finish();
}

#[test]
fn nothing_starts_while_an_upload_is_checked() {
    let Some((lab, browser)) = lab_and_browser() else { return };
    let mut tab = browser.open(&format!("{}#/customise", lab.address), WIDE);
    tab.wait("document.querySelector('#start') && !document.querySelector('#start').disabled");
    // The answer to the upload comes when the test lets it.
    tab.evaluate(
        "(() => { const real = window.fetch; window.fetch = async (...request) => {
           const answer = await real(...request);
           if (request[1]?.method === 'POST') await new Promise((done) => {
             window.letGo = done;
             document.body.dataset.held = 'yes';
           });
           return answer; }; })()",
    );
    let map = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/maps/escort.tbsmap");
    tab.choose_file("#upload", &map);
    tab.wait("document.body.dataset.held");
    assert_eq!(tab.evaluate("document.querySelector('#game-form').getAttribute('aria-busy')"), "true");
    assert_eq!(tab.evaluate("document.querySelector('#start').disabled"), true);
    assert!(tab.text(".address").contains("Checking"), "{}", tab.text(".address"));
    tab.evaluate("window.letGo()");
    tab.wait("document.querySelector('.address').textContent.startsWith('tubstap(map=upload:')");
    tab.wait("!document.querySelector('#start').disabled && !document.querySelector('#game-form').ariaBusy");
    tab.finish();
}

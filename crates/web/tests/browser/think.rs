//! Watching searches: thoughts that stream in, analyses, trees.

use crate::{WIDE, lab_and_browser};

/// More playouts than any test waits for: such a search goes on until it is stopped.
const ENDLESS: &str = "5000000";

#[test]
fn an_analysis_streams_in_without_a_jump_is_stopped_and_its_tree_opened() {
    let Some((lab, browser)) = lab_and_browser() else { return };
    let mut tab = browser.open(&lab.address, WIDE);
    tab.begin("tubstap", "tubstap", 0, "mc", 20);
    tab.awaited();
    tab.click("#tab-analysis");
    tab.wait("document.querySelector('#panel-analysis [data-role=agent]')");
    tab.fill("#panel-analysis [data-role=agent]", "uct");
    tab.fill("#panel-analysis [data-role=amount]", ENDLESS);
    let height = tab.evaluate("document.documentElement.scrollHeight");
    tab.click("#analyse");
    tab.wait(
        "document.querySelector('#panel-analysis .thought').dataset.state === 'running' && \
        Number(document.querySelector('#panel-analysis .thought').dataset.playouts) > 0",
    );
    let first = tab.evaluate("Number(document.querySelector('#panel-analysis .thought').dataset.playouts)");
    tab.wait(&format!("Number(document.querySelector('#panel-analysis .thought').dataset.playouts) > {first}"));
    tab.wait("document.querySelectorAll('#panel-analysis .candidates tbody tr').length > 10");
    tab.wait(
        "document.querySelectorAll('.board .arrow').length > 0 && document.querySelectorAll('.board .heat').length > 0",
    );
    assert_eq!(tab.evaluate("document.documentElement.scrollHeight"), height, "the page jumped");
    tab.screenshot("analysis", true);
    tab.click("#analysis-stop");
    tab.wait("document.querySelector('#panel-analysis .thought').dataset.state === 'done'");
    assert!(
        tab.evaluate("Number(document.querySelector('#panel-analysis .thought').dataset.playouts)").as_f64()
            >= first.as_f64()
    );

    // The tree lists what may follow; a node is the position after it, analysed in its turn.
    tab.fill("#panel-analysis [data-role=amount]", "200");
    tab.click(".tree .toggle");
    tab.wait("document.querySelectorAll('.tree ul .node').length > 3");
    tab.click(".tree ul .node-name");
    tab.wait("document.querySelector('#status').dataset.kind === 'past'");
    tab.click("#analyse");
    tab.wait("document.querySelector('#panel-analysis .thought').dataset.state === 'done'");
    tab.screenshot("tree", true);

    // What was found stays: after a reload it is there again.
    tab.reload_match();
    tab.click("#tab-analysis");
    tab.wait("document.querySelector('#panel-analysis .thought')?.dataset.state === 'done'");
    tab.finish();
}

#[test]
fn an_agent_is_watched_while_it_thinks_and_answers_when_stopped() {
    let Some((lab, browser)) = lab_and_browser() else { return };
    let mut tab = browser.open(&lab.address, WIDE);
    tab.begin("connect-four", "connect-four", 0, "uct", ENDLESS.parse().unwrap());
    tab.awaited();
    tab.click("#tab-thinking");
    tab.choose_by_clicking(3);
    tab.wait("Number(document.querySelector('#panel-thinking .thought').dataset.playouts) > 0");
    tab.wait(
        "document.querySelector('#panel-thinking .line .joint') && \
        document.querySelectorAll('.board .heat').length > 0",
    );
    tab.screenshot("thinking", true);
    tab.click("#stop");
    tab.wait("document.querySelector('#status').dataset.step === '2'");
    // What it thought stays, also when one looks back at the position it thought about.
    tab.wait("document.querySelectorAll('#panel-thinking .candidates tbody tr').length > 5");
    tab.click("#back");
    tab.wait(
        "document.querySelector('#status').dataset.kind === 'past' && \
        document.querySelectorAll('.board .heat').length > 0",
    );
    tab.wait("[...document.querySelectorAll('.graph path')].some((path) => path.getAttribute('d') !== '')");
    tab.finish();
}

#[test]
fn what_an_agent_thinks_stays_hidden_while_a_person_chooses_at_the_same_time() {
    let Some((lab, browser)) = lab_and_browser() else { return };
    let mut tab = browser.open(&lab.address, WIDE);
    tab.begin("sync-triomineering", "sync-triomineering", 0, "uct", 2000);
    tab.awaited();
    tab.click("#tab-thinking");
    tab.wait("document.querySelector('[data-player=\"1\"] .chip.on')?.textContent === 'has chosen'");
    assert_eq!(tab.evaluate("document.querySelectorAll('#panel-thinking .candidates tbody tr').length"), 0);
    tab.choose_by_clicking(0);
    tab.wait("document.querySelectorAll('#panel-thinking .candidates tbody tr').length > 0");
    tab.screenshot("simultaneous-thought", true);
    tab.finish();
}

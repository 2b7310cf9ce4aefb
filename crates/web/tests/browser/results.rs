//! Results: an experiment is started, watched, read and replayed.

use crate::{WIDE, lab_and_browser};

const EXPERIMENT: &str = "title = \"A small one\"\ngames = [\"tic-tac-toe\", \"connect-four(3,3,3)\"]\n\
                          agents = [\"uct\", \"mc\", \"random\"]\nseed = 1\npairs = 2\nbudget = { playouts = 20 }\n";

#[test]
fn an_experiment_is_started_from_the_form_and_its_matches_opened() {
    let Some((lab, browser)) = lab_and_browser() else { return };
    let mut tab = browser.open(&format!("{}#/results", lab.address), WIDE);
    tab.wait("document.querySelectorAll('[data-table]').length > 20 && document.querySelector('.paper')");
    tab.fill("#experiment-title", "small");
    tab.fill("#experiment-text", EXPERIMENT);
    tab.click("#experiment-start");
    tab.wait("document.querySelector('[data-store]') && document.querySelector('#running .chip.on')");
    tab.screenshot("results", true);
    tab.click("[data-store]");
    tab.wait("document.querySelectorAll('.cross').length === 2 && document.querySelectorAll('.ladder').length === 3");
    tab.wait("document.querySelector('[data-match]')");
    tab.screenshot("store", true);
    let report = tab.evaluate("fetch(document.querySelector('#report').href).then((answer) => answer.text())");
    assert!(report.as_str().unwrap().contains("<svg"), "the report has plots");
    tab.click("[data-match]");
    tab.wait("document.querySelector('#status')?.dataset.step === '0'");
    tab.click("#tab-thinking");
    tab.wait("document.querySelectorAll('.step').length > 3 || document.querySelector('#panel-thinking')");
    tab.screenshot("store-match", true);
    tab.finish();
}

#[test]
fn a_papers_table_shows_its_numbers() {
    let Some((lab, browser)) = lab_and_browser() else { return };
    let mut tab = browser.open(&format!("{}#/results", lab.address), WIDE);
    tab.go("#/table/003/types");
    tab.wait("document.querySelectorAll('.compare tbody tr').length >= 2");
    assert!(tab.text(".compare tbody").contains('%'));
    tab.wait("document.querySelector('#experiment-start')");
    tab.screenshot("paper-table", true);
    tab.finish();
}

//! Results: an experiment is started, watched, read and replayed.

use crate::{WIDE, lab_and_browser};

#[test]
fn an_experiment_is_started_from_the_form_and_its_matches_opened() {
    let Some((lab, browser)) = lab_and_browser() else { return };
    let mut tab = browser.open(&format!("{}#/results", lab.address), WIDE);
    tab.wait("document.querySelectorAll('[data-table]').length > 20 && document.querySelector('.paper')");
    // Games and agents are chosen from lists; the file is written beside the form, with an estimate of the time.
    tab.wait("document.querySelector('#experiment-agent')");
    tab.wait("document.querySelectorAll('#experiment-agents .chip').length === 2");
    tab.fill("#experiment-title", "small");
    tab.fill("#experiment-agent", "random");
    tab.fill("#experiment-playouts", "20");
    tab.fill("#experiment-pairs", "2");
    tab.wait("document.querySelector('#experiment-text').value.includes('agents = [\"uct\", \"mc\", \"random\"]')");
    tab.wait("/^12 matches, about /.test(document.querySelector('#experiment-cost').textContent)");
    tab.click("#experiment-start");
    tab.wait("document.querySelector('[data-store]') && document.querySelector('#running .chip.on')");
    tab.screenshot("results", true);
    tab.click("[data-store]");
    tab.wait("document.querySelectorAll('.cross').length === 1 && document.querySelectorAll('.ladder').length === 1");
    tab.wait("document.querySelector('[data-match]')");
    tab.screenshot("store", true);
    let report = tab.evaluate("fetch(document.querySelector('#report').href).then((answer) => answer.text())");
    assert!(report.as_str().unwrap().contains("<svg"), "the report has plots");
    // The same plots stand on the page.
    tab.wait("document.querySelectorAll('.plot svg').length >= 3");
    tab.screenshot("store-plots", true);
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
    // What a report draws is drawn from the committed results.
    tab.go("#/table/004/gap");
    tab.wait("document.querySelectorAll('.plot svg').length === 2");
    let named = "document.querySelector('.plot svg').getBoundingClientRect().width > 200 \
        && document.querySelector('.plot figcaption').textContent.includes('root exploitability')";
    assert_eq!(tab.evaluate(named), true);
    tab.screenshot("paper-plots", true);
    // The papers stand with their claims and committed results from the start, and a typical match opens.
    tab.go("#/results");
    tab.wait(
        "document.querySelectorAll('.paper').length === 5 && document.querySelectorAll('.forest-row').length > 20",
    );
    tab.screenshot("papers", true);
    tab.click("[data-example='003']");
    tab.wait(
        "document.querySelector('#status')?.dataset.step === '0' && document.querySelectorAll('.step').length > 5",
    );
    // A person is led through a table that people play.
    tab.go("#/people/003/table1");
    tab.fill("#nickname", "Aki");
    tab.click("[data-opponent='1']");
    tab.wait("document.querySelector('#status')?.dataset.kind");
    tab.awaited();
    tab.click("#resign");
    tab.wait("document.querySelector('#resign').dataset.sure");
    tab.click("#resign");
    tab.wait("document.querySelector('#status').dataset.kind === 'over'");
    tab.go("#/people/003/table1");
    tab.wait("document.querySelector('.people-results').textContent.includes('Aki')");
    tab.wait("document.querySelector('[data-opponent=\"1\"]')?.textContent.includes('Match 2 of 4, you are second')");
    tab.screenshot("people", true);
    tab.finish();
}

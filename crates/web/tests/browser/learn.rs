//! Learning from matches: review, exploring, puzzles, teaching.

use crate::{Tab, WIDE, lab_and_browser};

#[test]
fn a_match_is_reviewed_explored_and_its_study_shared() {
    let Some((lab, browser)) = lab_and_browser() else { return };
    let mut tab = browser.open(&lab.address, WIDE);
    let id = finished_match(&mut tab);
    tab.go(&format!("#/match/{id}"));
    tab.click("#open-review");
    tab.click("#review-start");
    tab.wait("document.querySelector('#review').dataset.state === 'done'");
    // The game's decisive mistake is listed with what was better, by how much and how sure that is.
    tab.wait("document.querySelector('[data-side=\"1\"] .mistake')");
    let mistake = tab.text("[data-side='1'] .mistake");
    assert!(mistake.contains("better:") && mistake.contains('…'), "{mistake}");
    tab.wait("document.querySelectorAll('.graph .tick').length > 4 && document.querySelector('.graph .drop')");
    tab.screenshot("review", true);
    tab.click("[data-side='1'] .mistake");
    tab.wait("document.querySelector('#status').dataset.kind === 'past'");

    // Moves are tried by hand; the tree keeps them with a comment.
    tab.click("#tab-analysis");
    tab.wait("document.querySelectorAll('.area.first').length > 1");
    tab.click(".area.first");
    tab.wait("document.querySelectorAll('.tree .node').length === 2");
    tab.fill("#comment", "worth a try");
    tab.wait("document.querySelector('.remark')?.textContent.includes('worth a try')");
    tab.click("#analysis-another");
    tab.wait("document.querySelectorAll('.analysts .candidates').length === 2");
    tab.fill(".analysts > :last-child [data-role=agent]", "mc");
    for analyst in ["first", "last"] {
        tab.fill(&format!(".analysts > :{analyst}-child [data-role=amount]"), "50");
    }
    tab.click("#analyse");
    tab.wait("[...document.querySelectorAll('.analysts .thought')].every(({ dataset }) => dataset.state === 'done')");
    tab.screenshot("explore", true);
    // Analyse at every step: a further move is analysed by itself.
    tab.click("#analysis-steady");
    tab.click(".area.first");
    tab.wait("document.querySelectorAll('.tree .node').length === 3");
    tab.wait("[...document.querySelectorAll('.analysts .thought')].every(({ dataset }) => dataset.state === 'done')");
    tab.click("#analysis-steady");
    tab.click("#study-file");
    tab.wait("Number(document.querySelector('.explore').dataset.saved) > 500");
    tab.click("#study-link");
    let link = tab.wait("document.querySelector('.explore').dataset.shared");
    let link = link.as_str().unwrap().to_owned();
    let mut other = browser.open(&link, WIDE);
    other.wait("document.querySelectorAll('.tree .node').length === 3");
    assert!(other.text(".tree").contains("worth a try"));
    other.finish();
    tab.finish();
}

/// A match of Tic-Tac-Toe that o lost by not seeing a threat, made by requests.
fn finished_match(tab: &mut Tab) -> String {
    let id = tab.evaluate(
        "(async () => {
           const send = async (path, body) => (await fetch(path, { method: 'POST',
             headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) })).json();
           const { id, keys } = await send('/api/matches', { game: 'tic-tac-toe',
             seats: [{ person: 'a' }, { person: 'b' }] });
           const moves = ['b2', 'a1', 'c1', 'b1', 'a3'];
           for (const [step, action] of moves.entries())
             await send(`/api/matches/${id}/actions`, { player: step % 2, action, key: keys[step % 2] });
           return id;
         })()",
    );
    id.as_str().unwrap().to_owned()
}

#[test]
fn puzzles_are_solved_on_the_board() {
    let Some((lab, browser)) = lab_and_browser() else { return };
    let mut tab = browser.open(&format!("{}#/puzzles", lab.address), WIDE);
    tab.wait("document.querySelectorAll('[data-puzzle]').length >= 12");
    tab.click("[data-puzzle='tic-tac-toe-1']");
    tab.wait("document.querySelector('#status')?.dataset.answer === 'none'");
    let best = tab.evaluate("fetch('/api/puzzles/tic-tac-toe-1/solution').then((answer) => answer.json())");
    let best = best["best"][0].as_str().unwrap().to_owned();
    tab.click(&format!(".action:not([data-action='{best}'])"));
    tab.wait("document.querySelector('#status').dataset.answer === 'wrong'");
    tab.click("#puzzle-again");
    tab.wait("document.querySelector('#status').dataset.answer === 'none'");
    tab.click(&format!(".action[data-action='{best}']"));
    tab.wait("document.querySelector('#status').dataset.answer === 'right'");
    tab.screenshot("puzzle", true);
    tab.go("#/puzzles");
    tab.wait("document.querySelector('[data-puzzle=\"tic-tac-toe-1\"].solved')");
    tab.go("#/puzzle/tubstap-one-blow");
    tab.wait("document.querySelectorAll('.area.first').length === 4");
    // A puzzle of a whole turn: its solution is shown, and played from the list of actions it is right.
    tab.go("#/puzzle/tubstap-meadow-1");
    tab.wait("document.querySelectorAll('.area.first').length === 3");
    tab.click("#puzzle-solution");
    tab.wait("document.querySelector('#puzzle-turn')?.textContent.includes('×')");
    tab.screenshot("puzzle-turn", true);
    let turn = tab.evaluate("fetch('/api/puzzles/tubstap-meadow-1/solution').then((answer) => answer.json())");
    for action in turn["turn"].as_array().unwrap() {
        let listed = format!("document.querySelector('[data-action=\"' + {action} + '\"]')");
        tab.wait(&listed);
        tab.evaluate(&format!("{listed}.click()"));
    }
    tab.wait("document.querySelector('#status').dataset.answer === 'right'");
    tab.finish();
}

#[test]
fn a_network_is_trained_in_view() {
    let Some((lab, browser)) = lab_and_browser() else { return };
    let mut tab = browser.open(&format!("{}#/teach", lab.address), WIDE);
    // What is loaded above the link moves it.
    tab.wait("document.querySelectorAll('main .empty').length === 3");
    tab.click("#train");
    tab.wait("document.querySelector('#train-game option[value=einstein]')");
    tab.fill("#train-game", "einstein");
    tab.fill("#train-name", "first");
    tab.fill("#train-minutes", "0.01");
    tab.click("#train-start");
    tab.wait("document.querySelector('[data-training=first]')?.dataset.state === 'done'");
    tab.wait(
        "document.querySelectorAll('.strength .forest-row').length >= 2 && document.querySelector('.curve .present')",
    );
    tab.screenshot("train", true);
    tab.finish();
}

#[test]
fn labels_become_a_table_that_one_plays_against() {
    let Some((lab, browser)) = lab_and_browser() else { return };
    let mut tab = browser.open(&lab.address, WIDE);
    // A match with labels, by requests: the agent's first three actions are bad.
    tab.evaluate(
        "(async () => {
           const send = async (path, method, body) => (await fetch(path, { method,
             headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) })).json();
           const { id, keys } = await send('/api/matches', 'POST', { game: 'tubstap(map=meadow)',
             seats: [{ person: 'teacher' }, { agent: 'random' }], seed: 1 });
           await send(`/api/matches/${id}/end-turn`, 'POST', { player: 0, key: keys[0] });
           for (let steps = 0; steps < 12;)
             steps = (await (await fetch(`/api/matches/${id}?brief=1`)).json()).steps;
           for (const step of [6, 7, 8])
             await send(`/api/matches/${id}/labels/${step}`, 'PUT', { label: 0, by: 'teacher', player: 1 });
         })()",
    );
    tab.go("#/teach");
    tab.wait("document.querySelector('[data-labels]')?.textContent.includes('3 bad')");
    tab.fill("#table-name", "first lesson");
    tab.click("#learn");
    tab.wait("document.querySelectorAll('#learned svg').length === 2 && document.querySelector('#learned tbody tr')");
    tab.screenshot("teach", true);
    tab.wait("document.querySelector('[data-table=\"upload:first-lesson.csv\"]')");
    tab.click("#play-learned");
    tab.wait("document.querySelector('#seats')?.textContent.includes('first-lesson.csv')");
    tab.finish();
}

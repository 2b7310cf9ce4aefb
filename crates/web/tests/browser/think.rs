//! Watching searches: thoughts that stream in, analyses, trees.

use serde_json::{Value, json};

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
    assert_eq!(tab.text("#panel-analysis .thought-limit"), "The search ended after 200 playouts.");

    // A limit that nobody asked for: the agent's own settings end the search long before the budget does.
    tab.fill("#panel-analysis [data-role=agent]", "dlmc");
    tab.fill("#panel-analysis [data-role=amount]", ENDLESS);
    tab.evaluate("document.querySelector('#panel-analysis details').open = true");
    tab.fill("#panel-analysis [data-parameter=samples]", "3");
    tab.fill("#panel-analysis [data-parameter=simulations]", "2");
    tab.click("#analyse");
    let limit = "document.querySelector('#panel-analysis .thought-limit').textContent";
    tab.wait(&format!("{limit}.includes('own setting: samples and simulations')"));
    tab.click("#language");
    tab.wait("document.documentElement.lang === 'ja'");
    tab.wait("document.querySelector('#status')?.dataset.kind");
    tab.analyse("mc", "50");
    tab.wait(&format!("{limit}.startsWith('50 プレイアウトで')"));
    tab.click("#language");
    tab.wait("document.documentElement.lang === 'en'");
    tab.wait("document.querySelector('#status')?.dataset.kind");

    // What was found stays: after a reload it is there again.
    tab.reload_match();
    tab.click("#tab-analysis");
    tab.wait("document.querySelector('#panel-analysis .thought')?.dataset.state === 'done'");
    tab.finish();
}

#[test]
fn the_conversation_of_a_language_model_is_beside_its_match() {
    let Some((lab, browser)) = lab_and_browser() else { return };
    let mut tab = browser.open(&lab.address, WIDE);
    // A match from a file: the model accepted one move, and failed at its next decision.
    let replay = replay_with_transcripts();
    let id = tab.evaluate(&format!(
        "fetch('/api/replays', {{ method: 'POST', headers: {{ 'Content-Type': 'application/json' }},
           body: JSON.stringify({replay}) }}).then((answer) => answer.json()).then(({{ id }}) => id)"
    ));
    tab.go(&format!("#/match/{}", id.as_str().unwrap_or_else(|| panic!("{id}"))));
    tab.wait("document.querySelector('#tab-transcripts') && !document.querySelector('#tab-transcripts').hidden");
    tab.click("#tab-transcripts");
    tab.wait("document.querySelectorAll('.transcript').length === 2");
    let words = tab.text("#transcripts");
    for wanted in ["I like the centre.", "1,200 + 9 tokens", "unreadable", "no action", "failed"] {
        assert!(words.contains(wanted), "{wanted}: {words}");
    }
    tab.screenshot("transcripts", true);
    // Other matches have no such panel.
    tab.begin("tic-tac-toe", "tic-tac-toe", 0, "random", 1);
    tab.wait("document.querySelector('#tab-transcripts').hidden");
    tab.finish();
}

/// A match from a file: a language model accepted one move, and failed at its next decision.
pub(crate) fn replay_with_transcripts() -> Value {
    let header =
        json!({ "transcript": 1, "game": "tic-tac-toe", "seat": 0, "model": "m", "system": "Three in a row." });
    let transcript = |step: u32, verdict: Value| {
        let mut asked = json!({ "step": step, "attempt": 1, "prompt": "The board is empty.",
            "answer": "I like the centre.", "seconds": 0.5, "input_tokens": 1200, "output_tokens": 9 });
        asked.as_object_mut().unwrap().extend(verdict.as_object().unwrap().clone());
        format!("{header}\n{asked}\n")
    };
    let decision = json!({ "action": "b2", "value": null, "candidates": [], "line": [], "depth": 0, "nodes": 0,
        "playouts": 0, "time": { "secs": 0, "nanos": 0 }, "limit": null,
        "transcript": transcript(0, json!({ "verdict": "accepted", "action": "b2" })) });
    let seat = |agent: &str| json!({ "kind": "agent", "agent": agent, "budget": "" });
    json!({ "format": "tesuji-replay", "tesuji": "0", "game": "tic-tac-toe",
        "seats": [seat("llm(model=m)"), seat("random")],
        "steps": [{ "actors": ["x"], "joint": ["b2"], "decisions": [decision] },
            { "actors": ["o"], "joint": ["a1"], "decisions": [null] }],
        "resigned": 0, "fault": "the agent of x failed",
        "failed": { "step": 2, "player": 0,
            "transcript": transcript(2, json!({ "verdict": "unreadable", "reason": "no action" })) } })
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

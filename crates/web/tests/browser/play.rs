//! Playing: by mouse, keyboard and touch; alone, against agents, and from two browsers.

use crate::{NARROW, WIDE, lab_and_browser};

#[test]
fn a_tubstap_match_is_played_to_its_end_by_clicking_then_labelled_and_replayed() {
    let Some((lab, browser)) = lab_and_browser() else { return };
    let mut tab = browser.open(&lab.address, WIDE);
    let id = tab.begin("tubstap", "tubstap", 0, "mc", 30);
    tab.awaited();
    // A click on a piece shows where it can go, and what it would hit with the damage to expect.
    tab.wait("document.querySelectorAll('.area.first').length === 6");
    let piece = tab.evaluate(
        "[...document.querySelectorAll('.area')].find((area) => area.ariaLabel.startsWith('c2'))?.dataset.area",
    );
    tab.click(&format!("[data-area={piece}]"));
    tab.wait("document.querySelectorAll('.area.next').length > 5 && document.querySelectorAll('.area.hit').length > 0");
    assert!(tab.wait("document.querySelector('.badge text')?.textContent").as_str().unwrap().starts_with('−'));
    assert!(tab.text("#hint").contains("deals"), "{}", tab.text("#hint"));
    tab.screenshot("tubstap-piece", true);
    tab.press("Escape");
    tab.wait("document.querySelectorAll('.area.chosen').length === 0");

    // A choice can be taken back, and a turn ended.
    tab.choose_by_clicking(1);
    tab.click("#undo");
    tab.wait("document.querySelector('#status').dataset.step === '0'");
    tab.click("#end-turn");
    tab.wait("Number(document.querySelector('#status').dataset.step) >= 6");

    let mut choices = 0;
    while !tab.awaited() {
        tab.choose_by_clicking(choices);
        choices += 1;
        assert!(choices < 200, "the match does not end");
        if choices == 6 {
            tab.screenshot("tubstap-match", true);
        }
    }
    let ending = tab.text("#status").to_lowercase();
    assert!(ending.contains("you won") || ending.contains("you lost") || ending.contains("draw"), "{ending}");
    tab.screenshot("tubstap-over", true);
    label(&mut tab);
    replay(&mut tab, &lab, &id);
    tab.finish();
}

/// Marks the agent's first three actions by key; the marks are there after a reload.
fn label(tab: &mut crate::Tab) {
    tab.click("#tab-labels");
    for (key, done) in [("1", "1"), ("2", "2"), ("3", "3")] {
        tab.wait(ON_BOARD);
        tab.press(key);
        tab.wait(&format!("document.querySelector('#label-progress')?.dataset.done === '{done}'"));
    }
    tab.wait(ON_BOARD);
    tab.screenshot("labels", true);
    tab.reload_match();
    tab.click("#tab-labels");
    tab.wait("document.querySelector('#label-progress')?.dataset.done === '3'");
}

/// The action to label is on the board.
const ON_BOARD: &str = "document.querySelector('#label-progress')?.dataset.step === \
    document.querySelector('#status').dataset.step && document.querySelector('.board .heat')";

/// Saves the match as a file, opens it, and goes through it.
fn replay(tab: &mut crate::Tab, lab: &crate::Lab, id: &str) {
    let file = lab.folder().join("saved.json");
    let saved = tab.evaluate("fetch(document.querySelector('#download').href).then((answer) => answer.text())");
    std::fs::write(&file, saved.as_str().unwrap()).unwrap();
    tab.go("#/replays");
    tab.wait(&format!("document.querySelector('[data-match=\"{id}\"]')"));
    tab.screenshot("matches", true);
    tab.choose_file("#replay-file", &file);
    tab.wait("document.querySelector('#status')?.dataset.step === '0'");
    assert_ne!(tab.match_id(), id);
    tab.click("#forward");
    tab.wait("document.querySelector('#status').dataset.step === '1'");
    tab.press(".");
    tab.wait("document.querySelector('#status').dataset.step === '2'");
    // A link to a position holds over a reload.
    tab.reload_match();
    tab.wait("document.querySelector('#status')?.dataset.step === '2'");
    tab.click("#tab-history");
    tab.wait("document.querySelector('.step[aria-current]')?.querySelector('.step-number').textContent === '2'");
    tab.screenshot("replay", true);
}

#[test]
fn a_dice_game_is_played_to_its_end_and_shows_what_was_rolled() {
    let Some((lab, browser)) = lab_and_browser() else { return };
    let mut tab = browser.open(&lab.address, WIDE);
    tab.begin("einstein", "einstein(fixed)", 0, "mc", 20);
    let mut choices = 0;
    while !tab.awaited() {
        tab.choose_by_clicking(choices);
        choices += 1;
        assert!(choices < 100, "the match does not end");
        tab.wait("document.querySelector('#tray .die')");
        if choices == 2 {
            tab.awaited();
            // What the die shows is what was drawn last.
            let drawn = tab.evaluate("[...document.querySelectorAll('.nature')].at(-1).textContent");
            assert_eq!(tab.text("#tray"), drawn.as_str().unwrap());
            tab.screenshot("dice", true);
        }
    }
    tab.screenshot("dice-over", true);
    tab.finish();
}

#[test]
fn an_old_answer_that_arrives_late_does_not_freeze_a_dice_game() {
    let Some((lab, browser)) = lab_and_browser() else { return };
    let mut tab = browser.open(&lab.address, WIDE);
    tab.begin("einstein", "einstein(fixed)", 0, "mc", 5);
    assert!(!tab.awaited());
    // The answer to a choice arrives while the die still rolls, after the newer views of the WebSocket.
    tab.evaluate(
        "(() => { const real = window.fetch; window.fetch = async (...request) => { \
         const answer = await real(...request); \
         if (String(request[0]).includes('/actions')) await new Promise((done) => setTimeout(done, 400)); \
         return answer; }; })()",
    );
    for choice in 0..4 {
        tab.choose_by_clicking(choice);
        if tab.awaited() {
            break;
        }
    }
    tab.finish();
}

#[test]
fn a_removed_match_says_so_and_broken_addresses_are_pages_that_do_not_exist() {
    let Some((lab, browser)) = lab_and_browser() else { return };
    let mut tab = browser.open(&lab.address, WIDE);
    tab.evaluate(
        "(() => { window.sockets = [];
           window.WebSocket = class extends WebSocket {
             constructor(address) { super(address); window.sockets.push(this); } };
         })()",
    );
    let id = tab.begin("tic-tac-toe", "tic-tac-toe", 0, "mc", 20);
    tab.awaited();
    assert!(tab.text("#seats").contains("20 playouts"), "{}", tab.text("#seats"));
    let opened = tab.evaluate("window.sockets.length");
    assert_ne!(opened, 0, "the match is watched");
    // From here on the page does not pause before it connects again (`open` in calls.js).
    tab.evaluate(&format!(
        "(() => {{ const later = window.setTimeout;
           window.setTimeout = (work, pause) => later(work, work.name === 'open' ? 0 : pause);
           import('/memory.js').then(({{ keysOf }}) => fetch('/api/matches/{id}',
             {{ method: 'DELETE', body: JSON.stringify({{ key: keysOf('{id}')[0] }}) }})); }})()"
    ));
    tab.wait("document.querySelector('#status').textContent.includes('removed')");
    tab.wait("window.sockets.every((socket) => socket.readyState >= WebSocket.CLOSING)");
    // Timers run in order: one that connects again would be before this one.
    tab.evaluate("(() => { setTimeout(() => { window.settled = true; }, 0); })()");
    tab.wait("window.settled");
    assert_eq!(tab.evaluate("window.sockets.length"), opened, "nothing is left to connect to");
    tab.go("#/match/%E0%A4%A");
    tab.wait("document.querySelector('main .empty a')");
    tab.finish();
}

#[test]
fn two_people_choose_at_once_and_neither_sees_the_other_too_early() {
    let Some((lab, browser)) = lab_and_browser() else { return };
    let mut one = browser.open(&lab.address, WIDE);
    one.customise("sync-triomineering");
    one.wait("document.querySelectorAll('.seat-form').length === 2 && !document.querySelector('#start').disabled");
    one.fill("[data-parameter=rows]", "4");
    one.fill("[data-parameter=columns]", "4");
    one.wait(
        "document.querySelector('.address').textContent === 'sync-triomineering(rows=4,columns=4)' && \
        !document.querySelector('#start').disabled",
    );
    one.fill("[data-seat='0'] [data-role=kind]", "person");
    one.fill("[data-seat='1'] [data-role=kind]", "open");
    one.click("#start");
    one.wait("document.querySelector('#status')?.dataset.kind === 'yours'");
    let id = one.match_id();
    one.wait("document.querySelector('[data-sit]')");

    let mut two = browser.open(&format!("{}#/match/{id}", lab.address), NARROW);
    two.click("[data-sit='1']");
    two.wait("document.querySelector('#status')?.dataset.kind === 'yours'");
    one.wait("!document.querySelector('[data-sit]')");

    let mut steps = 0;
    while !one.awaited() {
        one.choose_by_clicking(steps);
        // The other one is told that a choice was made, not which.
        two.wait("document.querySelector('[data-player=\"0\"] .chip.on')?.textContent === 'has chosen'");
        assert_eq!(two.evaluate("document.querySelector('#status').dataset.step"), steps.to_string());
        assert_eq!(one.evaluate("document.querySelector('#status').dataset.step"), steps.to_string());
        if steps == 0 {
            // A person's own hidden choice is shown to that person, also after a reload, and to nobody else.
            one.wait("document.querySelector('.area.own')");
            one.reload_match();
            one.wait("document.querySelector('.area.own')");
            one.wait("document.querySelector('#hint').textContent.startsWith('You chose')");
            assert_eq!(two.evaluate("document.querySelectorAll('.area.own').length"), 0);
            one.screenshot("simultaneous-waiting", true);
            two.screenshot("simultaneous-phone", true);
        }
        two.choose_by_clicking(steps + 1);
        steps += 1;
        for tab in [&mut one, &mut two] {
            tab.wait(&format!("document.querySelector('#status').dataset.step === '{steps}'"));
        }
    }
    assert!(two.awaited());
    one.screenshot("simultaneous-over", true);
    one.finish();
    two.finish();
}

#[test]
fn the_keyboard_alone_plays_a_match() {
    let Some((lab, browser)) = lab_and_browser() else { return };
    let mut tab = browser.open(&lab.address, WIDE);
    tab.begin("tic-tac-toe", "tic-tac-toe", 0, "random", 1);
    tab.awaited();
    tab.evaluate("document.activeElement.blur()");
    tab.press("ArrowDown");
    tab.wait("document.activeElement.matches('.area')");
    tab.press("ArrowRight");
    tab.press("Enter");
    tab.wait("document.querySelector('#status').dataset.step === '2'");
    tab.press("u");
    tab.wait("document.querySelector('#status').dataset.step === '0'");
    // The list of actions serves as well.
    let mut step = 0;
    while !tab.awaited() {
        tab.evaluate("document.querySelector('.action').focus()");
        tab.press("ArrowDown");
        tab.press("Enter");
        tab.wait(&format!(
            "(s => Number(s.dataset.step) > {step} + 1 || s.dataset.kind === 'over')(document.querySelector('#status'))"
        ));
        step = tab.evaluate("Number(document.querySelector('#status').dataset.step)").as_i64().unwrap();
    }
    tab.finish();
}

#[test]
fn somebody_resigns_and_an_illegal_wish_does_no_harm() {
    let Some((lab, browser)) = lab_and_browser() else { return };
    let mut tab = browser.open(&lab.address, NARROW);
    let id = tab.begin("connect-four", "connect-four", 0, "random", 1);
    tab.awaited();
    tab.choose_by_clicking(3);
    tab.awaited();
    let refused = tab.evaluate(&format!(
        "fetch('/api/matches/{id}/actions', {{ method: 'POST', headers: {{ 'Content-Type': 'application/json' }},
           body: JSON.stringify({{ player: 0, action: 'nowhere', key: 'wrong' }}) }}).then((answer) => answer.status)"
    ));
    assert_eq!(refused, 403);
    tab.click("#resign");
    tab.wait("document.querySelector('#resign').dataset.sure");
    tab.click("#resign");
    tab.wait("document.querySelector('#status').dataset.kind === 'over'");
    assert!(tab.text("#status").contains("resigned"), "{}", tab.text("#status"));
    tab.screenshot("resigned-phone", true);
    tab.finish();
}

#[test]
fn a_rule_sheet_and_a_map_are_opened_from_files() {
    let Some((lab, browser)) = lab_and_browser() else { return };
    let data = |name: &str| std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data").join(name);
    let mut tab = browser.open(&format!("{}#/customise", lab.address), WIDE);
    tab.wait("document.querySelector('#game-form h2')");
    tab.choose_file("#upload", &data("maps/escort.tbsmap"));
    tab.wait("document.querySelector('.address')?.textContent.startsWith('tubstap(map=upload:')");
    let sheet = lab.folder().join("three.kif");
    std::fs::copy(data("gdl/tic-tac-toe.kif"), &sheet).unwrap();
    tab.choose_file("#upload", &sheet);
    tab.wait("document.querySelector('.address')?.textContent.startsWith('gdl(')");
    tab.wait("document.querySelectorAll('.seat-form').length === 2 && !document.querySelector('#start').disabled");
    tab.fill("[data-seat='1'] [data-role=kind]", "agent");
    tab.fill("[data-seat='1'] [data-role=agent]", "random");
    tab.click("#start");
    tab.wait("document.querySelector('#status')?.dataset.kind");
    let mut choices = 0;
    while !tab.awaited() {
        tab.choose_by_clicking(choices);
        choices += 1;
        if choices == 2 {
            tab.awaited();
            tab.screenshot("rule-sheet", true);
        }
    }
    // What cannot be read is refused with its place.
    let broken = lab.folder().join("broken.kif");
    std::fs::write(&broken, "(role x)\n(role o").unwrap();
    tab.go("#/customise");
    tab.wait("document.querySelector('#game-form h2')");
    tab.choose_file("#upload", &broken);
    tab.wait("document.querySelector('.notice.error')");
    tab.finish();
}

//! A walk through every screen, in two languages and two themes, on a desk and on a phone. `TESUJI_SCREENSHOTS=all`
//! makes the pictures of all combinations, for people who look at them.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::chromium::Tab;
use crate::looks::SETTLED;
use crate::{NARROW, WIDE, lab_and_browser};

/// A screen: its name, its address, and what is done there before it is looked at.
struct Screen {
    name: &'static str,
    hash: String,
    then: Vec<Do>,
}

/// Something that a reader does on a screen.
#[derive(Clone)]
enum Do {
    Click(&'static str),
    Fill(&'static str, &'static str),
    Wait(&'static str),
}

use Do::{Click, Fill, Wait};

fn screen(name: &'static str, hash: impl Into<String>, then: &[Do]) -> Screen {
    Screen { name, hash: hash.into(), then: then.to_vec() }
}

/// A position is on the board.
const SHOWN: Do = Wait("document.querySelector('#status')?.dataset.kind && document.querySelector('.board svg')");

/// The screens of the page, with what has to be there before they can be seen: matches of every class, one that is
/// over, reviewed and analysed, a transcript, labels, a table, a network, and an experiment with results.
fn screens(tab: &mut Tab) -> Vec<Screen> {
    let person = json!({ "person": "Aki" });
    let mut screens = vec![
        screen("home", "#/", &[Wait(PICTURES)]),
        screen(
            "search",
            "#/",
            &[Fill("#game-search", "six"), Wait("document.querySelectorAll('[data-card]').length < 5")],
        ),
        screen("setup", "#/customise", &[Click("[data-game=dice7]"), Wait("document.querySelector('.example')")]),
        screen(
            "setup-agent",
            "#/customise",
            &[
                Click("[data-game=tubstap]"),
                Wait("document.querySelector('.example') && !document.querySelector('#start').disabled"),
                Fill("[data-seat='1'] [data-role=kind]", "agent"),
            ],
        ),
        screen("puzzles", "#/puzzles", &[Wait("document.querySelector('.puzzle-list')")]),
        screen("puzzle", "#/puzzle/connect-four-1", &[Wait("document.querySelector('.board svg')")]),
        screen(
            "puzzle-turn",
            "#/puzzle/tubstap-meadow-1",
            &[
                Wait("document.querySelector('.board svg')"),
                Click("#puzzle-solution"),
                Wait("document.querySelector('#puzzle-turn')"),
            ],
        ),
    ];
    // A match of every class of games: a person to move, or two at once.
    let classes = [
        ("match-tubstap", "tubstap(map=six-arms)", 2),
        ("match-dice", "dice7", 2),
        ("match-einstein", "einstein", 2),
        ("match-pig", "pig", 2),
        ("match-connect-four", "connect-four", 2),
        ("match-breakthrough", "breakthrough", 2),
        ("match-triomineering", "sync-triomineering", 2),
        ("match-goofspiel", "goofspiel", 2),
        ("match-oshi-zumo", "oshi-zumo", 2),
        ("match-cards", "rps-cards", 2),
        ("match-matrix", "matrix(prisoners-dilemma)", 2),
        ("match-tree", "tree(trust)", 2),
        ("match-reversi", "gdl(reversi)", 2),
        ("match-nim", "gdl(nim-3-4-5)", 2),
        ("match-alone", "gdl(eight-puzzle)", 1),
        ("match-three", "gdl(tron-three-7x7)", 3),
    ];
    for (name, game, players) in classes {
        let mut seats = vec![json!({ "agent": "random" }); players];
        seats[0] = person.clone();
        let id = tab.seated(game, &seats);
        screens.push(screen(name, format!("#/match/{id}"), &[SHOWN, Click("#tab-actions")]));
    }
    // Somebody has chosen, the other has not.
    let id = tab.seated("sync-domineering", &[person.clone(), json!({ "open": true })]);
    tab.go(&format!("#/match/{id}"));
    tab.awaited();
    tab.click(".area.first");
    tab.wait("document.querySelector('#hint').textContent.startsWith('You chose')");
    screens.push(screen("match-chosen", format!("#/match/{id}"), &[SHOWN, Click("#tab-rules"), RULES]));
    let id =
        tab.seated("tubstap(map=meadow)", &[person.clone(), json!({ "agent": "mc", "budget": { "playouts": 20 } })]);
    tab.go(&format!("#/match/{id}"));
    tab.awaited();
    tab.click("#end-turn");
    tab.wait("Number(document.querySelector('#status').dataset.step) > 9");
    tab.awaited();
    let hash = format!("#/match/{id}");
    screens.push(screen("match-piece", &hash, &[SHOWN, Click("#tab-actions"), Click(".area.first")]));
    screens.push(screen("match-rules", &hash, &[SHOWN, Click("#tab-rules"), RULES]));
    screens.push(screen("match-labels", &hash, &[SHOWN, Click("#tab-labels")]));
    tab.evaluate(&format!(
        "fetch('/api/matches/{id}/labels/7', {{ method: 'PUT', headers: {{ 'Content-Type': 'application/json' }},
           body: JSON.stringify({{ label: 0, by: 'Aki', player: 1 }}) }}).then((answer) => answer.json())"
    ));
    // A match that is over, with its review and an analysis.
    let agent = json!({ "agent": "uct", "budget": { "playouts": 60 } });
    let id = tab.seated("connect-four", &[agent.clone(), json!({ "agent": "mc", "budget": { "playouts": 10 } })]);
    let hash = format!("#/match/{id}");
    tab.go(&hash);
    tab.wait("document.querySelector('#status')?.dataset.kind === 'over'");
    tab.click("#tab-review");
    tab.click("#review-start");
    tab.wait("document.querySelector('#review').dataset.state === 'done'");
    screens.push(screen("over", &hash, &[SHOWN, Click("#tab-history")]));
    screens.push(screen(
        "review",
        &hash,
        &[SHOWN, Click("#tab-review"), Wait("document.querySelector('.review-side')")],
    ));
    screens.push(screen(
        "thinking",
        format!("{hash}/6"),
        &[
            SHOWN,
            Click("#tab-thinking"),
            Wait("document.querySelectorAll('#panel-thinking .candidates tbody tr').length > 3"),
        ],
    ));
    tab.go(&format!("{hash}/4"));
    tab.wait("document.querySelector('#status')?.dataset.step === '4'");
    tab.click("#tab-analysis");
    tab.click(".area.first");
    tab.wait("document.querySelectorAll('.tree .node').length === 2");
    tab.fill("#comment", "Worth a try?");
    tab.click("#study-link");
    let link = tab.wait("document.querySelector('.explore').dataset.shared");
    let study = link.as_str().and_then(|link| link.split_once('#')).map(|(_, hash)| format!("#{hash}")).unwrap();
    screens.push(screen(
        "explore",
        study,
        &[
            SHOWN,
            Wait("document.querySelectorAll('.tree .node').length === 2"),
            Click("#analysis-another"),
            Fill(".analysts > :last-child [data-role=agent]", "mc"),
            Fill(".analysts > :first-child [data-role=amount]", "200"),
            Click("#analyse"),
            Wait(
                "[...document.querySelectorAll('.analysts .thought')].every(({ dataset }) => dataset.state === 'done')",
            ),
        ],
    ));
    // A person who lost.
    tab.go("#/");
    tab.fill("#game-search", "tic-tac-toe");
    tab.click("[data-card='tic-tac-toe'] [data-play]");
    tab.wait("document.querySelector('#status')?.dataset.kind");
    tab.awaited();
    let id = tab.match_id();
    tab.click("#resign");
    tab.wait("document.querySelector('#resign').dataset.sure");
    tab.click("#resign");
    tab.wait("document.querySelector('#status').dataset.kind === 'over'");
    screens.push(screen("lost", format!("#/match/{id}"), &[SHOWN, Click("#tab-history")]));
    let told = tab.send("/api/replays", &crate::think::replay_with_transcripts());
    let hash = format!("#/match/{}", told["id"].as_str().unwrap_or_else(|| panic!("{told}")));
    screens.push(screen(
        "transcripts",
        hash,
        &[
            SHOWN,
            Wait("!document.querySelector('#tab-transcripts').hidden"),
            Click("#tab-transcripts"),
            Wait("document.querySelector('.transcript')"),
        ],
    ));
    screens.push(screen("matches", "#/replays", &[]));
    // Teaching: labels, a table that was learned, a network.
    tab.send("/api/tables", &json!({ "game": "tubstap", "name": "lesson" }));
    let learned = "document.querySelectorAll('#learned svg').length === 2";
    screens.push(screen("teach", "#/teach", &[Wait("document.querySelector('[data-table]')")]));
    screens.push(screen("learned", "#/teach/upload:lesson.csv", &[Wait(learned)]));
    tab.send("/api/trainings", &json!({ "game": "einstein", "name": "network", "minutes": 0.01 }));
    tab.go("#/train");
    tab.wait("document.querySelector('[data-training=network]')?.dataset.state === 'done'");
    screens.push(screen("train", "#/train", &[Wait("document.querySelector('.strength')")]));
    let store = tab.start_experiment("small", 2, 20);
    tab.go("#/results");
    tab.wait("document.querySelector('#running .chip.on')");
    screens.push(screen(
        "store",
        format!("#/store/{store}"),
        &[Wait("document.querySelectorAll('.plot svg').length >= 3 && document.querySelector('[data-match]')")],
    ));
    // While one experiment is running and another has ended.
    screens.push(screen(
        "results",
        "#/results",
        &[
            Wait("document.querySelectorAll('.paper').length === 5 && document.querySelector('#running progress')"),
            Wait("document.querySelector('#experiment-cost')?.textContent"),
        ],
    ));
    screens.push(screen("table", "#/table/003/types", &[Wait("document.querySelector('.plot svg')")]));
    screens.push(screen("table-plots", "#/table/004/gap", &[Wait("document.querySelector('.plot svg')")]));
    screens.push(screen("table-needs", "#/table/000/table2-original", &[]));
    screens.push(screen("table-visits", "#/table/004/table3", &[]));
    screens.push(screen("people", "#/people/003/table1", &[Wait("document.querySelector('.people-results')")]));
    screens.push(screen("unknown", "#/nowhere", &[]));
    screens.push(screen("gone", "#/match/none", &[Wait("document.querySelector('main .empty')")]));
    screens
}

/// All cards have their pictures: they are asked for when they come into view.
const PICTURES: &str = "(() => {
    document.querySelector('.card-picture:empty')?.scrollIntoView();
    const ready = document.querySelector('.card-picture') && !document.querySelector('.card-picture:empty');
    if (ready) scrollTo(0, 0);
    return ready;
  })()";

const RULES: Do = Wait("document.querySelector('#rules h2')");

/// English words in a row on a Japanese page: a text that nobody translated. Code, files, and what is declared to be
/// in English are left out.
const ENGLISH: &str = r"(() => {
    const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
    const found = [];
    // Names of agents in experiments are names.
    const names = new Set([...document.querySelectorAll('[translate=no]')].map(({ textContent: text }) => text));
    while (walker.nextNode()) {
      const { parentElement: place, data } = walker.currentNode;
      if (names.has(data.trim()) || place.closest('code, pre, textarea, [lang=en], [hidden], option, .mono')) continue;
      if (/[A-Za-z]{2,},? [a-z]{2,},? [A-Za-z]{2,}/.test(data)) found.push(data.trim().slice(0, 90));
    }
    return [...new Set(found)];
  })()";

impl Tab {
    /// Sends JSON to the lab, as the page would.
    fn send(&mut self, path: &str, body: &Value) -> Value {
        let told = self.evaluate(&format!(
            "fetch({path:?}, {{ method: 'POST', headers: {{ 'Content-Type': 'application/json' }},
               body: JSON.stringify({body}) }}).then((answer) => answer.json())"
        ));
        assert!(told["error"].is_null(), "{path} {body}: {told}");
        told
    }

    /// A new match whose seats for people belong to this browser.
    fn seated(&mut self, game: &str, seats: &[Value]) -> String {
        let told = self.send("/api/matches", &json!({ "game": game, "seats": seats, "seed": 7 }));
        let id = told["id"].as_str().unwrap_or_else(|| panic!("{game}: {told}")).to_owned();
        let keys = &told["keys"];
        self.evaluate(&format!("localStorage.setItem('tesuji.keys.{id}', JSON.stringify({keys}))"));
        id
    }

    /// Starts an experiment and returns the name of its store.
    fn start_experiment(&mut self, title: &str, pairs: u32, playouts: u32) -> String {
        let toml = format!(
            "title = \"{title}\"\ngames = [\"tic-tac-toe\"]\nagents = [\"uct\", \"mc\", \"random\"]\n\
             seed = 1\npairs = {pairs}\nbudget = {{ playouts = {playouts} }}\n"
        );
        let told = self.send("/api/experiments", &json!({ "toml": toml, "title": title, "scale": "full" }));
        told["store"].as_str().unwrap_or_else(|| panic!("{told}")).to_owned()
    }

    fn carry_out(&mut self, step: &Do) {
        match step {
            Click(selector) => self.click(selector),
            Fill(selector, text) => self.fill(selector, text),
            Wait(condition) => drop(self.wait(condition)),
        }
    }
}

#[test]
fn every_screen_reads_in_both_languages_on_a_desk_and_on_a_phone() {
    let Some((lab, browser)) = lab_and_browser() else { return };
    let mut tab = browser.open(&lab.address, WIDE);
    let screens = screens(&mut tab);
    // All looks are for people who look at the pictures; three of them show every text, every colour and every width.
    let looks = ["ja dark", "en light", "ja light", "en dark"].map(|look| look.split_once(' ').unwrap());
    let all: Vec<_> =
        [("desk", WIDE), ("phone", NARROW)].iter().flat_map(|&size| looks.map(|look| (size, look))).collect();
    let wanted = std::env::var("TESUJI_SCREENSHOTS").is_ok_and(|wanted| wanted == "all");
    let chosen = if wanted { all } else { vec![all[0], all[4], all[5]] };
    let mut faults = Vec::new();
    for &((name, size), (language, theme)) in &chosen {
        tab.size(size.0, size.1);
        tab.prefer("prefers-color-scheme", theme);
        tab.wait(&format!("document.documentElement.dataset.theme === '{theme}'"));
        if tab.evaluate("document.documentElement.lang") != language {
            tab.click("#language");
            tab.wait(&format!("document.documentElement.lang === '{language}'"));
        }
        for Screen { name: page, hash, then } in &screens {
            // It takes every processor, so it runs for this screen only.
            let running = (*page == "results").then(|| tab.start_experiment("long", 500, 20_000));
            tab.go(hash);
            tab.wait("document.querySelector('main h1, main .empty')");
            tab.wait(SETTLED);
            then.iter().for_each(|step| tab.carry_out(step));
            tab.wait(SETTLED);
            let mut fault = |what: String| faults.push(format!("{page} in {language} on a {name}: {what}"));
            let wide = tab.evaluate("document.documentElement.scrollWidth").as_u64();
            if wide > Some(size.0.into()) {
                fault(format!("{wide:?} wide"));
            }
            let unnamed = tab.unnamed_controls();
            if !unnamed.is_empty() {
                fault(format!("no names: {unnamed:?}"));
            }
            let japanese = tab.evaluate("/[ぁ-んァ-ヶ一-龠]/.test(document.querySelector('main').textContent)");
            if japanese != (language == "ja") {
                fault("the other language".to_owned());
            }
            if language == "ja" {
                let english = tab.evaluate(ENGLISH);
                english.as_array().into_iter().flatten().for_each(|text| fault(format!("English: {text}")));
            }
            tab.evaluate("scrollTo(0, 0)");
            tab.screenshot(&format!("{page}-{name}-{language}-{theme}"), true);
            if let Some(store) = running {
                tab.send("/api/experiments/stop", &json!({ "store": store }));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    // The choice of a language and of a theme is remembered.
    tab.click("#language");
    tab.click("#theme");
    tab.reload();
    // Both were switched from the last look.
    let (_, last) = chosen.last().unwrap();
    let theme = if last.1 == "dark" { "light" } else { "dark" };
    assert_eq!(tab.evaluate("document.documentElement.lang"), if last.0 == "ja" { "en" } else { "ja" });
    assert_eq!(tab.evaluate("document.documentElement.dataset.theme"), theme);
    tab.finish();
}

/// The manual has its own pages.
#[test]
fn the_manual_reads_in_both_languages_on_a_desk_and_on_a_phone() {
    let Some((lab, browser)) = lab_and_browser() else { return };
    for (size, name) in [(WIDE, "desk"), (NARROW, "phone")] {
        for (path, language) in [("help/", "en"), ("help/ja/", "ja")] {
            let mut tab = browser.open(&lab.address, size);
            tab.evaluate(&format!("location.href = '/{path}'"));
            tab.wait(&format!("location.pathname.startsWith('/{path}') && document.querySelector('h1')"));
            for theme in ["light", "dark"] {
                tab.prefer("prefers-color-scheme", theme);
                let wide = tab.wait("document.documentElement.scrollWidth").as_u64();
                assert!(wide <= Some(size.0.into()), "the manual in {language} on a {name} is {wide:?} wide");
                tab.screenshot(&format!("help-{name}-{language}-{theme}"), false);
            }
            tab.finish();
        }
    }
}

/// The pictures of the README and the manual. `TESUJI_SCREENSHOTS=docs` writes them to `docs/pictures`.
#[test]
fn pictures_of_the_manual() {
    let Some((lab, browser)) = lab_and_browser() else { return };
    let mut tab = browser.open(&lab.address, WIDE);
    tab.wait("document.querySelectorAll('.card-picture svg').length > 7");
    tab.wait("!document.querySelector('[data-play]').disabled");
    tab.screenshot("lab-home", false);
    // A match in its middle, analysed.
    let agent = |name: &str, playouts: u32| json!({ "agent": name, "budget": { "playouts": playouts } });
    let id = tab.seated("tubstap(map=six-arms)", &[agent("uct", 300), agent("mc", 100)]);
    tab.go(&format!("#/match/{id}"));
    tab.wait("Number(document.querySelector('#status')?.dataset.step) > 36");
    tab.go(&format!("#/match/{id}/14"));
    tab.wait("document.querySelector('#status').dataset.step === '14'");
    tab.analyse("uct", "40000");
    tab.wait("document.querySelector('#panel-analysis .thought').dataset.state === 'done'");
    tab.wait("document.querySelector('.board .arrow')");
    tab.evaluate("scrollTo(0, 0)");
    tab.screenshot("lab", false);
    tab.go("#/results");
    tab.wait("document.querySelectorAll('.paper').length === 5");
    tab.wait("document.querySelector('#experiment-cost')?.textContent");
    tab.screenshot("lab-results", false);
    tab.finish();
    if std::env::var("TESUJI_SCREENSHOTS").is_ok_and(|wanted| wanted == "docs") {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        for name in ["lab", "lab-home", "lab-results"] {
            let file = format!("{name}.png");
            fs::copy(root.join("target/screenshots").join(&file), root.join("docs/pictures").join(&file)).unwrap();
        }
    }
}

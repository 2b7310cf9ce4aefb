//! The page in a real browser: matches are played by clicking, searches are watched, actions labelled, replays opened.
//!
//! Screenshots are written to `target/screenshots`. The browser is named by `CHROME` or found by its usual names;
//! without one these tests say so loudly, and fail where `CI` is set.

mod access;
mod chromium;
mod faults;
mod home;
mod lab;
mod learn;
mod looks;
mod play;
mod queue;
mod results;
mod stream;
mod think;
mod walk;

use chromium::{Browser, Tab};
use lab::Lab;
use std::sync::Arc;

/// A desk.
const WIDE: (u32, u32) = (1280, 800);
/// A phone.
const NARROW: (u32, u32) = (390, 844);

/// A lab of the test's own and the browser, or nothing where there is no browser.
fn lab_and_browser() -> Option<(Lab, Arc<Browser>)> {
    let browser = chromium::browser()?;
    Some((Lab::start(), browser))
}

impl Tab {
    /// Analyses the shown position with an agent.
    fn analyse(&mut self, agent: &str, playouts: &str) {
        self.click("#tab-analysis");
        self.wait("document.querySelector('#panel-analysis [data-role=agent]')");
        self.fill("#panel-analysis [data-role=agent]", agent);
        self.fill("#panel-analysis [data-role=amount]", playouts);
        self.click("#analyse");
    }

    /// On the first page, chooses an example of a game, an agent with a few playouts for every seat but `own`, and
    /// begins.
    fn begin(&mut self, game: &str, example: &str, own: usize, agent: &str, playouts: u32) -> String {
        self.customise(game);
        if example != game {
            self.wait("document.querySelector('.example')");
            let number = self.evaluate(&format!(
                "[...document.querySelectorAll('.example')].findIndex((button) => button.textContent === {example:?})"
            ));
            let number = number.as_i64().unwrap_or(-1);
            assert!(number >= 0, "no example {example}");
            self.click(&format!(".example:nth-child({})", number + 1));
            self.wait(&format!("document.querySelector('.example[aria-pressed=true]')?.textContent === {example:?}"));
        }
        self.wait("document.querySelector('#start') && !document.querySelector('#start').disabled");
        let seats = self.evaluate("document.querySelectorAll('.seat-form').length").as_u64().unwrap_or(0) as usize;
        for seat in 0..seats {
            let form = format!("[data-seat='{seat}']");
            self.fill(&format!("{form} [data-role=kind]"), if seat == own { "person" } else { "agent" });
            if seat != own {
                self.fill(&format!("{form} [data-role=agent]"), agent);
                self.fill(&format!("{form} [data-role=amount]"), &playouts.to_string());
            }
        }
        self.fill("#seed", "7");
        self.click("#start");
        self.wait("document.querySelector('#status')?.dataset.kind");
        self.match_id()
    }

    /// On the page that customises, chooses a game.
    fn customise(&mut self, game: &str) {
        self.go("#/customise");
        self.click(&format!("[data-game='{game}']"));
        self.wait(&format!("document.querySelector('#game-form h2')?.dataset.name === '{game}'"));
    }

    /// The id of the match that is shown.
    fn match_id(&mut self) -> String {
        let id = self.evaluate("location.hash.match(/^#\\/match\\/([^/]+)/)?.[1] ?? ''");
        id.as_str().unwrap_or_default().to_owned()
    }

    /// Waits until it is a person's turn here, or the match is over; is it over?
    fn awaited(&mut self) -> bool {
        let kind = self.wait(
            "['yours', 'over'].includes(document.querySelector('#status').dataset.kind) && \
             document.querySelector('#status').dataset.kind",
        );
        kind == "over"
    }

    /// Makes one choice on the board by clicking: attacks where it can, else the `nth` thing that can be clicked.
    fn choose_by_clicking(&mut self, nth: usize) {
        let step = self.evaluate("document.querySelector('#status').dataset.step");
        let done = format!(
            "(s => s.dataset.step !== {step} || s.dataset.kind !== 'yours')(document.querySelector('#status'))"
        );
        for click in 0..4 {
            let area = self.evaluate(&format!(
                "(() => {{
                   const all = (classes) => [...document.querySelectorAll('.area' + classes)];
                   const hits = all('.hit:not(.chosen)');
                   const choices = hits.length > 0 ? hits : {click} === 0 ? all('.first') : all('.next');
                   const spread = choices[({nth} * 7 + {click} * 3) % choices.length];
                   return (hits[0] ?? spread)?.dataset.area ?? null;
                 }})()"
            ));
            let Some(area) = area.as_str() else { break };
            let before = self.evaluate("document.querySelector('.board').dataset.clicks");
            self.click(&format!("[data-area='{area}']"));
            self.wait(&format!("{done} || document.querySelector('.board').dataset.clicks !== {before}"));
            if self.evaluate(&done) == true {
                return;
            }
        }
        self.wait(&done);
    }
}

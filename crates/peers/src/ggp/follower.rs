//! A follower: replays a match with the simplest engine to know the legal moves, in case the thinker is not ready in
//! time.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use tesuji_arena::sheet::SheetGame;
use tesuji_arena::{Catalogue, Source};

use super::news::News;
use crate::slot::Slot;

struct Question {
    news: News,
    answer: Slot<Vec<String>>,
}

/// A thread that follows one match.
pub(super) struct MatchFollower {
    questions: Sender<Question>,
}

impl MatchFollower {
    /// Starts to follow a match in which we play `role`.
    pub(super) fn begin(catalogue: Catalogue, id: &str, rules: &str, role: &str) -> MatchFollower {
        let (questions, receiver) = channel();
        let source = Source::new(format!("rules of {id}"), rules);
        let role = role.to_owned();
        let labour = move || follow(&catalogue, source, &role, &receiver);
        // Without a thread there is no follower, and no answer.
        drop(thread::Builder::new().name("follower".to_owned()).spawn(labour));
        MatchFollower { questions }
    }

    /// The legal moves of our role after the news; never answered if the follower cannot tell.
    pub(super) fn ask(&self, news: News) -> Slot<Vec<String>> {
        let answer = Slot::new();
        drop(self.questions.send(Question { news, answer: answer.clone() }));
        answer
    }
}

fn follow(catalogue: &Catalogue, source: Source, role: &str, questions: &Receiver<Question>) {
    // Sheets that can be grounded at once are; for larger ones the interpreter is ready sooner.
    let Ok(game) = SheetGame::open(catalogue, source, &|| true) else { return };
    let Some(role) = game.role(role) else { return };
    let mut seated = game.start();
    for question in questions {
        // News that do not fit keep the last valid state: its moves are the best guess.
        drop(question.news.take_in(&mut seated, role, &|| false));
        question.answer.put(seated.legal(role));
    }
}

//! The clerk: follows a match with the plainest engine and knows what is legal, for when the thinker is not ready in time.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use tesuji_arena::Source;
use tesuji_arena::sheet::SheetGame;

use crate::slot::Slot;

struct Question {
    joint: Option<Vec<String>>,
    answer: Slot<Vec<String>>,
}

/// A thread that follows one match.
pub(super) struct Clerk {
    questions: Sender<Question>,
}

impl Clerk {
    /// Begins to follow a match in which `role` is ours.
    pub fn begin(id: &str, rules: &str, role: &str) -> Clerk {
        let (questions, receiver) = channel();
        let source = Source::new(format!("rules of {id}"), rules);
        let role = role.to_owned();
        let labour = move || drop(catch_unwind(AssertUnwindSafe(|| follow(source, &role, &receiver))));
        // Without a thread there is no clerk, and nobody answers.
        drop(thread::Builder::new().name("clerk".to_owned()).spawn(labour));
        Clerk { questions }
    }

    /// What our role may do after `joint`; never answered if the clerk cannot tell.
    pub fn ask(&self, joint: Option<Vec<String>>) -> Slot<Vec<String>> {
        let answer = Slot::new();
        drop(self.questions.send(Question { joint, answer: answer.clone() }));
        answer
    }
}

fn follow(source: Source, role: &str, questions: &Receiver<Question>) {
    // What can be grounded at once is; for anything larger the interpreter is ready sooner.
    let Ok(game) = SheetGame::open(source, &|| true) else { return };
    let Some(role) = game.role(role) else { return };
    let mut seated = game.start();
    for question in questions {
        if let Some(joint) = &question.joint {
            // A joint move that does not fit leaves the last state that did: its moves are the best guess.
            drop(seated.advance(joint));
        }
        question.answer.put(seated.legal(role));
    }
}

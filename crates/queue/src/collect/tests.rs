//! The desk judges answers without a network.

use std::sync::Arc;

use tesuji_arena::experiment::{Experiment, Scale, read_experiment};
use tesuji_arena::files::FileSet;
use tesuji_arena::store::Store;
use tesuji_arena::{Collection, Piece, PiecePlayer, Source, VERSION};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use super::desk::Desk;
use super::link::{Incoming, Outgoing};
use crate::wire::{AnswerHead, WorkerReport, answer_bytes, files_hash};

const TEXT: &str = "title = \"t\"\ngames = [\"tic-tac-toe\"]\nagents = [\"uct\", \"random\"]\nseed = 1\npairs = 12\n\
                    budget = { playouts = 10 }\n";

struct Bench {
    experiment: Arc<Experiment>,
    store: Store,
    desk: Desk,
    out: UnboundedReceiver<Outgoing>,
    identity: String,
    player: PiecePlayer,
}

impl Bench {
    fn new() -> Bench {
        let source = Source::new("t.toml", TEXT);
        let experiment = Arc::new(read_experiment(&tesuji_standard::catalogue(), &source, Scale::Full).unwrap());
        let mut store = Store::temporary().unwrap();
        let collection = Collection::open(Arc::clone(&experiment), ("t.toml", TEXT), &mut store).unwrap();
        let identity = collection.identity().to_owned();
        let (sender, out) = unbounded_channel();
        let desk = Desk::new(collection, &experiment, ("id", files_hash(&FileSet::new())), 5, Arc::new(|_| ()), sender);
        let player = PiecePlayer::new(Arc::clone(&experiment), None).unwrap();
        Bench { experiment, store, desk, out, identity, player }
    }

    fn head(&self) -> AnswerHead {
        AnswerHead {
            version: VERSION.to_owned(),
            identity: self.identity.clone(),
            files: files_hash(&FileSet::new()),
            worker: "w".to_owned(),
            speed: 1e6,
            seconds: 0.1,
            last: true,
            ..AnswerHead::default()
        }
    }

    fn piece(&mut self, number: u64) -> Piece {
        self.player.play(number).unwrap().unwrap()
    }

    /// What is wrong with an answer; nothing if it is taken.
    fn judge(&mut self, head: &AnswerHead, pieces: &[Piece]) -> Option<String> {
        let judged = self.desk.judge(&answer_bytes(head, pieces), &mut self.store).unwrap();
        judged.err().map(|(_, reason)| reason)
    }

    fn stored(&self) -> u64 {
        self.desk.view().progress.done
    }
}

/// A piece whose text was changed.
fn changed(piece: &Piece, from: &str, to: &str) -> Piece {
    let text = serde_json::to_string(piece).unwrap();
    let other = text.replacen(from, to, 1);
    assert_ne!(text, other, "`{from}` does not occur in {text}");
    serde_json::from_str(&other).unwrap()
}

#[test]
fn answers_of_other_versions_files_and_banned_workers_are_refused() {
    let mut bench = Bench::new();
    let piece = bench.piece(0);
    let refusals = [
        (AnswerHead { version: "0.0.1".to_owned(), ..bench.head() }, "version 0.0.1"),
        (AnswerHead { identity: "other".to_owned(), ..bench.head() }, "games, agents or files"),
        (AnswerHead { files: "other".to_owned(), ..bench.head() }, "other files"),
        (AnswerHead { failure: Some("no memory".to_owned()), ..bench.head() }, "no memory"),
    ];
    for (head, expected) in refusals {
        let reason = bench.judge(&head, std::slice::from_ref(&piece)).unwrap();
        assert!(reason.contains(expected), "{reason}");
    }
    bench.desk.handle(Incoming::Purge("!w".to_owned(), None), &mut bench.store).unwrap();
    let head = bench.head();
    assert!(bench.judge(&head, &[piece]).unwrap().contains("banned"));
    assert_eq!(bench.stored(), 0);
}

#[test]
fn nonsense_is_refused_as_a_whole() {
    let mut bench = Bench::new();
    let head = bench.head();
    let (good, other) = (bench.piece(0), bench.piece(1));
    let moves = serde_json::to_value(&other).unwrap()[1][0][4].as_str().unwrap().to_owned();
    let first = moves.lines().next().unwrap();
    let shortened: String = moves.lines().skip(1).map(|line| format!("{line}\\n")).collect();
    let written = moves.replace('\n', "\\n");
    let without = |count: usize| Piece(other.0, other.1.iter().take(count).cloned().collect(), None);
    let wrong = [
        (Piece(99, good.1.clone(), None), "not part of this experiment"),
        (Piece(u64::MAX, good.1.clone(), None), "not part of this experiment"),
        (without(1), "it has 1 matches"),
        (without(0), "it has 0 matches"),
        (changed(&other, "\"1 0\"", "\"9 0\"").clone(), "out of range"),
        (changed(&other, "\"1 0\"", "\"NaN 0\""), "does not fit"),
        (changed(&other, "\"1 0\"", "\"1\""), "does not fit"),
        (changed(&other, "\"1 0\"", "\"x\""), "payoffs cannot be read"),
        (changed(&other, &written, &shortened), "fingerprint"),
        (changed(&other, first, "zz"), "fingerprint"),
    ];
    for (piece, expected) in wrong {
        let reason = bench.judge(&head, &[good.clone(), piece]);
        let reason = reason.unwrap_or_else(|| panic!("it was taken, expected: {expected}"));
        assert!(reason.contains(expected), "{reason}, expected: {expected}");
        assert_eq!(bench.stored(), 0, "nothing of a wrong answer is kept");
    }
    let reason = bench.judge(&head, &[good.clone(), good.clone()]).unwrap();
    assert!(reason.contains("twice"), "{reason}");
    assert_eq!(bench.judge(&head, &[good, other]), None);
    assert_eq!(bench.stored(), 4);
}

#[test]
fn an_answer_that_comes_twice_or_late_is_counted_once() {
    let mut bench = Bench::new();
    let head = bench.head();
    let pieces: Vec<Piece> = (0..12).map(|number| bench.piece(number)).collect();
    assert_eq!(bench.judge(&head, &pieces[..6]), None);
    assert_eq!(bench.judge(&head, &pieces[..6]), None);
    let another = AnswerHead { worker: "late".to_owned(), task: 77, ..bench.head() };
    assert_eq!(bench.judge(&another, &pieces), None);
    assert_eq!(bench.stored(), 24);
    assert!(
        bench.desk.is_complete() || {
            bench.desk.hand_out();
            bench.desk.is_complete()
        }
    );
    assert_eq!(bench.desk.view().report.repeated, 12);
    // Only the pieces that were new belong to the second worker.
    let run = bench.store.runs().unwrap()[0].id;
    bench.desk.commit(&mut bench.store).unwrap();
    let answers = bench.store.answers(run).unwrap();
    let owned: Vec<(&str, u64)> = answers
        .iter()
        .map(|answer| (answer.worker.as_str(), answer.pieces.iter().map(|range| range.end - range.start).sum()))
        .collect();
    assert_eq!(owned, [("w", 6), ("late", 6)]);
    // A purge removes exactly those, and hands them out again.
    bench.desk.handle(Incoming::Purge("late".to_owned(), Some("inbox".to_owned())), &mut bench.store).unwrap();
    assert_eq!(bench.stored(), 12);
    bench.desk.hand_out();
    let mut again = Vec::new();
    while let Ok(message) = bench.out.try_recv() {
        match message {
            Outgoing::Publish(task) => again.extend(task.pieces.into_iter().flatten()),
            Outgoing::Reply(_, text) => assert_eq!(text, "6"),
            _ => {}
        }
    }
    assert!(!again.is_empty() && again.iter().all(|&piece| piece >= 6), "{again:?}");
    assert_eq!(bench.experiment.pairs, 12);
}

#[test]
fn results_in_the_store_are_acknowledged_only_after_the_commit() {
    let mut bench = Bench::new();
    let head = bench.head();
    let piece = bench.piece(3);
    assert_eq!(bench.judge(&head, &[piece]), None);
    // A worker that refuses is not counted as one that plays.
    let refused = [("t".to_owned(), "no".to_owned())].into();
    for (name, refused) in [("one", refused), ("two", Default::default())] {
        let report = WorkerReport { name: name.to_owned(), threads: 4, refused, ..WorkerReport::default() };
        bench.desk.handle(Incoming::Alive(report), &mut bench.store).unwrap();
    }
    bench.desk.look();
    let view = bench.desk.view();
    assert_eq!((view.report.workers, view.report.threads, view.report.matches), (1, 4, 2));
}

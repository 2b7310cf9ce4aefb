//! Messages of the queue: tasks as workers read them, answers as collectors read and store them.

use std::sync::Arc;

use tesuji_arena::experiment::{Experiment, Scale, read_experiment};
use tesuji_arena::store::Store;
use tesuji_arena::{Collection, InputError, PiecePlayer, Source};
use tesuji_queue::{answer_of, take_any};

use super::{Target, catalogue, size, told};

const EXPERIMENT: &str = "title = \"small\"\ngames = [\"tic-tac-toe\"]\nagents = [\"mc\", \"random\"]\nseed = 1\n\
    pairs = 3\nbudget = { playouts = 5 }\n";

fn experiment() -> Result<Arc<Experiment>, InputError> {
    Ok(Arc::new(read_experiment(catalogue(), &Source::new("small.toml", EXPERIMENT), Scale::Full)?))
}

/// An answer with all pairs of the experiment.
fn a_whole_answer(experiment: &Arc<Experiment>) -> Result<Vec<u8>, InputError> {
    let mut player = PiecePlayer::new(Arc::clone(experiment), None)?;
    let pieces = (0..3).map(|number| player.play(number)).collect::<Result<Vec<_>, _>>()?;
    Ok(answer_of(&pieces.into_iter().flatten().collect::<Vec<_>>()))
}

/// Any message is refused or taken; what is taken has the matches of whole pairs.
pub(super) fn queue(name: &'static str) -> Target {
    let experiment = experiment().unwrap_or_else(|error| panic!("no experiment: {error}"));
    let seed = a_whole_answer(&experiment).unwrap_or_else(|error| panic!("no answer: {error}"));
    let run = move |input: &[u8]| {
        let take = || -> Result<String, InputError> {
            let mut store = Store::temporary()?;
            let mut collection = Collection::open(Arc::clone(&experiment), ("small.toml", EXPERIMENT), &mut store)?;
            let taken = take_any(&mut collection, &mut store, input)?;
            store.commit()?;
            let stored = store.count_matches(collection.run())?;
            assert_eq!(stored, 2 * taken, "a pair has two matches");
            store.each_match(collection.run(), true, |_| Ok(()))?;
            Ok(format!("{} pairs", size(taken as usize)))
        };
        told(take(), |outcome| outcome)
    };
    let words = &["[", "]", ",", "null", "\"1 0\"", "\"0.5 0.5\"", "\"a1\\n\"", "[[0,1]]", "0", "18446744073709551615"];
    Target::new(name, Box::new(run), vec![seed, b"[]".to_vec(), b"[[0,[],null]]".to_vec()], words).slow(300)
}

//! Joining stores: the parts of a run that different machines played.

use std::path::{Path, PathBuf};

use tesuji_core::InputError;

use crate::store::Store;

/// What a merge did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MergeEnd {
    /// Runs in the merged store.
    pub runs: usize,
    /// Matches read from all parts; those that several parts hold count more than once.
    pub matches: u64,
}

/// Copies every run, match, measured gap and label of `parts` into the store at `path`, made if it is not there. Parts
/// of the same run become one; matches that are already there stay as they are.
pub fn merge(path: &Path, parts: &[PathBuf]) -> Result<MergeEnd, InputError> {
    let sources = parts.iter().map(|part| Store::read(part)).collect::<Result<Vec<_>, _>>()?;
    let mut target = Store::open(path)?;
    let mut end = MergeEnd::default();
    for source in &sources {
        for run in source.runs()? {
            let known = target.find_run(&run.identity)?;
            if let Some(known) = &known
                && known.tesuji != run.tesuji
            {
                let message = format!(
                    "`{}` was played by Tesuji {} here and by {} elsewhere",
                    run.title, run.tesuji, known.tesuji
                );
                return Err(InputError::new(message)
                    .with_help("results of different versions do not mix")
                    .in_file(source.path().display()));
            }
            let id = known.map_or_else(|| target.add_run(&run), |known| Ok(known.id))?;
            source.each_match(run.id, true, |row| {
                end.matches += 1;
                target.insert(id, &row)
            })?;
            source.each_transcript(run.id, |(unit, seating, seat, transcript)| {
                target.add_transcript(id, (unit, seating, seat), &transcript)
            })?;
            for (unit, found) in source.root_exploitability(run.id)? {
                target.add_root_exploitability(id, unit, found)?;
            }
            target.copy_workers(source, run.id, id)?;
            target.commit()?;
        }
        target.add_labels(&source.labels()?)?;
    }
    end.runs = target.runs()?.len();
    Ok(end)
}

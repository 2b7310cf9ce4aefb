//! `tesuji store`

use serde_json::json;
use tesuji_arena::store::{Condition, Part, Store};
use tesuji_arena::{Catalogue, InputError, RunPlan, grouped, repair, thread_count};

use crate::arguments::{StoreCommand, StoreOptions, StoreRepairOptions, StoreVerifyOptions};
use crate::interrupt;
use crate::output::{Output, table};

pub(crate) fn run(catalogue: &Catalogue, options: &StoreOptions, output: &mut Output) -> Result<(), InputError> {
    match &options.command {
        StoreCommand::Verify(options) => verify(options, output),
        StoreCommand::Repair(options) => mend(catalogue, options, output),
    }
}

fn verify(options: &StoreVerifyOptions, output: &mut Output) -> Result<(), InputError> {
    let mut damaged = 0;
    for path in &options.stores {
        let mut condition = Store::inspect(path)?.condition()?;
        // A store that lost commits is whole in itself.
        if condition.is_whole()
            && let Err(error) = Store::read(path)
        {
            condition.add(error.message().to_owned());
        }
        damaged += u64::from(!condition.is_whole());
        if output.is_json() {
            let mut value = json!(condition);
            value["store"] = json!(path);
            value["whole"] = json!(condition.is_whole());
            output.value(&value);
        } else {
            output.line(format!("{}: {}", path.display(), verdict(&condition)));
            print(&condition, output);
        }
    }
    match damaged {
        0 => Ok(()),
        _ => Err(InputError::new(format!("{damaged} store(s) are damaged"))
            .with_help("`tesuji store repair STORE` saves what is whole and plays the damaged pairs again")),
    }
}

/// The condition of a store, in a few words.
fn verdict(condition: &Condition) -> &'static str {
    match (condition.is_whole(), condition.checksums) {
        (true, true) => "whole",
        (true, false) => {
            "no damage found, but this format has no checksums; opening the store for writing adds them to its rows"
        }
        (false, _) => "damaged",
    }
}

fn print(condition: &Condition, output: &mut Output) {
    let mut lines = table(&["", "whole", "damaged", "missing"]);
    let Condition { runs, matches, decisions, labels, transcripts, .. } = condition;
    let parts = [
        ("runs", runs),
        ("matches", matches),
        ("measured decisions", decisions),
        ("labels", labels),
        ("transcripts", transcripts),
    ];
    for (name, part) in parts {
        let Part { whole, damaged, missing } = *part;
        lines.add_row([name.to_owned(), grouped(whole), grouped(damaged), grouped(missing)]);
    }
    output.line(lines.to_string());
    condition.findings.iter().for_each(|finding| output.line(format!("damaged: {finding}")));
    let more = condition.wrong.saturating_sub(condition.findings.len() as u64);
    if more > 0 {
        output.line(format!("and {more} more"));
    }
}

fn mend(catalogue: &Catalogue, options: &StoreRepairOptions, output: &mut Output) -> Result<(), InputError> {
    let plan = RunPlan { threads: thread_count(options.threads.map(usize::from)), shard: None };
    let end = repair(catalogue, &options.store, plan, interrupt::flag(), |_| ())?;
    if output.is_json() {
        output.value(&json!(end));
    } else {
        let store = options.store.display();
        match &end.damaged {
            None => output.line(format!("{store}: nothing is damaged")),
            Some(kept) => {
                let saved = end.condition.saved();
                output.line(format!("{store}: saved {saved}; played {} again", grouped(end.played)));
                output.line(format!("the damaged file is {}", kept.display()));
            }
        }
        end.left.iter().for_each(|what| output.line(format!("not repaired: {what}")));
    }
    if end.complete { Ok(()) } else { Err(InputError::new("interrupted; what was saved and played is in the store")) }
}

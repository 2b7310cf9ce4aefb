//! `tesuji export`

use serde_json::json;
use tesuji_arena::store::Store;
use tesuji_arena::{Catalogue, InputError, export};

use crate::arguments::{ExportForm, ExportOptions};
use crate::output::Output;

pub(crate) fn run(catalogue: &Catalogue, options: &ExportOptions, output: &mut Output) -> Result<(), InputError> {
    let store = Store::read(&options.store)?;
    let mut found = false;
    export(catalogue, &store, |played| {
        if options.number.is_some_and(|number| number != played.number) {
            return Ok(());
        }
        found = true;
        match options.form {
            ExportForm::Json => output.value(&json!(played)),
            ExportForm::Moves => {
                output.line(format!("# match {}: {} by {}", played.number, played.game, played.labels.join(" and ")));
                output.line(played.moves());
            }
            ExportForm::Record => match played.record()? {
                Some(record) => output.line(record),
                None => {
                    return Err(InputError::new(format!("`{}` has no record format of its own", played.game))
                        .with_help("export its matches as `json` or `moves`"));
                }
            },
        }
        Ok(())
    })?;
    match options.number {
        Some(number) if !found => Err(InputError::new(format!("the store has no match {number}"))),
        _ => Ok(()),
    }
}

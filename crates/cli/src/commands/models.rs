//! `tesuji models`

use std::path::Path;

use serde_json::json;
use tesuji_arena::store::Store;
use tesuji_arena::{Catalogue, InputError, ModelPage, Summary, check_transcripts, grouped, model_pages};

use super::report::summaries_of;
use crate::arguments::ModelsOptions;
use crate::output::{Output, write_text};

pub(crate) fn run(catalogue: &Catalogue, options: &ModelsOptions, output: &mut Output) -> Result<(), InputError> {
    if options.check {
        return check(catalogue, options, output);
    }
    let mut summaries: Vec<Summary> = Vec::new();
    for path in &options.stores {
        summaries.extend(summaries_of(catalogue, path, false)?);
    }
    let pages = model_pages(&summaries, &options.price);
    if pages.is_empty() {
        return Err(InputError::new("no language model played in these stores").with_help(
            "an agent such as `llm(model=my-model)` leaves transcripts; docs/language-models.md explains it",
        ));
    }
    if let Some(folder) = &options.html {
        write(folder, &pages, "html", ModelPage::html, output)?;
    }
    if let Some(folder) = &options.markdown {
        write(folder, &pages, "md", ModelPage::markdown, output)?;
    }
    if output.is_json() {
        for conduct in summaries.iter().flat_map(|summary| &summary.models) {
            let mut value = json!(conduct);
            value["cost"] = json!(conduct.cost(&options.price));
            output.value(&value);
        }
    } else if options.html.is_none() && options.markdown.is_none() {
        pages.iter().for_each(|page| output.line(page.markdown()));
    }
    Ok(())
}

/// Writes a page for each model, named after it.
fn write(
    folder: &Path,
    pages: &[ModelPage],
    ending: &str,
    render: impl Fn(&ModelPage) -> String,
    output: &mut Output,
) -> Result<(), InputError> {
    std::fs::create_dir_all(folder)
        .map_err(|error| InputError::new(format!("cannot be made: {error}")).in_file(folder.display()))?;
    for page in pages {
        let plain = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '-' };
        let name: String = page.model.chars().map(plain).collect();
        let path = folder.join(format!("{}.{ending}", name.trim_start_matches('.')));
        write_text(&path, &render(page))?;
        output.line(format!("written to {}", path.display()));
    }
    Ok(())
}

fn check(catalogue: &Catalogue, options: &ModelsOptions, output: &mut Output) -> Result<(), InputError> {
    let mut different = 0;
    for path in &options.stores {
        let check = check_transcripts(catalogue, &Store::read(path)?)?;
        different += check.different;
        if output.is_json() {
            output.value(&json!(check));
            continue;
        }
        output.line(format!(
            "{}: {} matches with {} transcripts, {} answers read again; {} matches differ",
            path.display(),
            grouped(check.matches),
            grouped(check.transcripts),
            grouped(check.answers),
            grouped(check.different)
        ));
        check.differences.iter().for_each(|difference| output.line(format!("differs: {difference}")));
    }
    match different {
        0 => Ok(()),
        _ => Err(InputError::new(format!("{different} matches do not follow from their transcripts"))),
    }
}

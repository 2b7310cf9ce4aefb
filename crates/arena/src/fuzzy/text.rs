//! Labels as CSV: `game`, `state`, `action`, `by`, `match`, a column for each feature, `label`. Lines that begin with
//! `#` are comments.

use csv::WriterBuilder;
use tesuji_core::{InputError, Source};
use tesuji_fuzzy::{Field, Sheet};

use super::check::{LabelCheck, Part};
use super::label::{Label, LabelSet, no_labels};
use crate::Catalogue;

/// The columns before the features.
const COLUMNS: [&str; 5] = ["game", "state", "action", "by", "match"];
/// The column behind the features.
const LABEL: &str = "label";

impl LabelSet {
    /// Reads labels and checks every one. Errors name line and column; nothing is returned then.
    pub fn read(catalogue: &Catalogue, source: &Source) -> Result<LabelSet, InputError> {
        let Sheet { header, rows } = Sheet::read(source)?;
        let names = feature_columns(source, &header)?;
        let mut check = LabelCheck::new(catalogue);
        let mut labels = Vec::new();
        for row in &rows {
            let mut label = label(source, row, &names)?;
            check.check_parts(&mut label).map_err(|(part, error)| placed(source, row, part, error))?;
            labels.push(label);
        }
        if labels.is_empty() {
            return Err(no_labels().in_file(source.name()));
        }
        let set = LabelSet::new(catalogue, labels).map_err(|error| error.in_file(source.name()))?;
        if set.names() != names {
            let message = format!("the columns of features are {}", names.join(","));
            return Err(header[COLUMNS.len()].wrong(source, message).with_help(format!(
                "actions of `{}` have {}",
                set.labels()[0].game,
                set.names().join(",")
            )));
        }
        Ok(set)
    }

    /// The labels as CSV; reads back as it is.
    pub fn text(&self) -> String {
        let mut writer = WriterBuilder::new().from_writer(Vec::new());
        let names = self.names().iter().map(String::as_str);
        let header = COLUMNS.into_iter().chain(names).chain([LABEL]);
        let written = writer.write_record(header).and_then(|()| {
            self.labels().iter().try_for_each(|label| {
                let features: Vec<String> = label.features.iter().map(f64::to_string).collect();
                let value = label.label.to_string();
                let texts = [&label.game, &label.state, &label.action, &label.by, &label.played];
                writer.write_record(texts.into_iter().chain(&features).chain([&value]))
            })
        });
        written.unwrap_or_else(|error| panic!("writing to memory cannot fail: {error}"));
        let bytes = writer.into_inner().unwrap_or_else(|error| panic!("writing to memory cannot fail: {error}"));
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

/// The names between the fixed columns.
fn feature_columns(source: &Source, header: &[Field]) -> Result<Vec<String>, InputError> {
    let expected = || format!("expected {},…,{LABEL} with a column for each feature between", COLUMNS.join(","));
    for (place, column) in COLUMNS.iter().enumerate() {
        let field = &header[place.min(header.len() - 1)];
        if place >= header.len() || field.text != *column {
            return Err(field.wrong(source, format!("there is no column `{column}` here")).with_help(expected()));
        }
    }
    let last = &header[header.len() - 1];
    if last.text != LABEL || header.len() < COLUMNS.len() + 2 {
        return Err(last
            .wrong(source, format!("the last column is not `{LABEL}`, behind features"))
            .with_help(expected()));
    }
    Ok(header[COLUMNS.len()..header.len() - 1].iter().map(|field| field.text.clone()).collect())
}

/// The label in a row.
fn label(source: &Source, row: &[Field], names: &[String]) -> Result<Label, InputError> {
    let (texts, numbers) = row.split_at(COLUMNS.len());
    let [features @ .., value] = numbers else { return Err(no_labels()) };
    let number = |field: &Field, expected: &str| {
        field.text.parse::<f64>().map_err(|_| field.wrong(source, format!("`{}` for {expected}", field.text)))
    };
    let features = if features.iter().all(|field| field.text.is_empty()) {
        Vec::new()
    } else {
        let named = features.iter().zip(names);
        let read = named.map(|(field, name)| number(field, &format!("`{name}`: expected a number")));
        read.collect::<Result<Vec<f64>, InputError>>()?
    };
    let text = |place: usize| texts[place].text.clone();
    Ok(Label {
        game: text(0),
        state: text(1),
        action: text(2),
        by: text(3),
        played: text(4),
        features,
        label: number(value, "`label`: expected 1, 0.5 or 0")?,
    })
}

/// An error about a part of a label, at its field.
fn placed(source: &Source, row: &[Field], part: Part, error: InputError) -> InputError {
    let place = match part {
        Part::Game => 0,
        Part::State => 1,
        Part::Action => 2,
        Part::By => 3,
        Part::Feature(index) => COLUMNS.len() + index,
        Part::Label => row.len() - 1,
    };
    let at = row[place.min(row.len() - 1)].wrong(source, error.message());
    match error.help_text() {
        Some(help) => at.with_help(help),
        None => at,
    }
}

//! The learned table as CSV: one column for each feature, then `samples` and `membership`.

use tesuji_core::{InputError, Source};

use super::{Known, Memberships, Sheet};

/// The columns after the features.
const SAMPLES: &str = "samples";
const MEMBERSHIP: &str = "membership";

/// Far beyond any set of labels, and exact as a floating-point number.
const MOST_SAMPLES: u64 = 1 << 50;

impl Memberships {
    /// Parses a table. Errors name line and column.
    pub fn read(source: &Source) -> Result<Memberships, InputError> {
        let Sheet { header, rows } = Sheet::read(source)?;
        let (names, tail) = header.split_at(header.len().saturating_sub(2));
        let last: Vec<&str> = tail.iter().map(|field| field.text.as_str()).collect();
        if last != [SAMPLES, MEMBERSHIP] || names.is_empty() {
            return Err(header[header.len() - 1].wrong(source, "this is not a membership table").with_help(
                "expected a column for each feature, then `samples` and `membership`, as `tesuji fuzzy \
                    learn` writes it",
            ));
        }
        let mut known = Vec::new();
        for row in &rows {
            let wrong = |place: usize, expected: &str| {
                let message = format!("`{}` for `{}`: expected {expected}", row[place].text, header[place].text);
                row[place].wrong(source, message)
            };
            let number = |place: usize, least: f64, most: f64, expected: &str| match row[place].text.parse::<f64>() {
                Ok(number) if (least..=most).contains(&number) => Ok(number),
                _ => Err(wrong(place, expected)),
            };
            let features = (0..names.len()).map(|place| number(place, -1e9, 1e9, "a number"));
            let features = features.collect::<Result<Vec<f64>, InputError>>()?;
            let samples =
                row[names.len()].text.parse::<u64>().ok().filter(|samples| (1..=MOST_SAMPLES).contains(samples));
            let samples = samples.ok_or_else(|| wrong(names.len(), "a whole number of at least 1"))?;
            let membership = number(names.len() + 1, 0.0, 1.0, "a number from 0 to 1")?;
            known.push(Known { features, samples, membership });
        }
        let names = names.iter().map(|field| field.text.clone()).collect();
        Memberships::new(names, known).ok_or_else(|| {
            InputError::new("the table is empty: nothing was learned")
                .with_help("label actions first (`tesuji fuzzy label`), then learn from them (`tesuji fuzzy learn`)")
                .in_file(source.name())
        })
    }

    /// The table as CSV; it parses back to an equal table.
    pub fn text(&self) -> String {
        let mut text = self.names().join(",") + "," + SAMPLES + "," + MEMBERSHIP + "\n";
        for Known { features, samples, membership } in self.known() {
            for feature in features {
                text.push_str(&format!("{feature},"));
            }
            text.push_str(&format!("{samples},{membership}\n"));
        }
        text
    }
}

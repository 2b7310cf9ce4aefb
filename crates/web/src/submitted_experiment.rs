//! Experiments submitted through the API. Their addresses obey the same rules as all others.

use tesuji_arena::{InputError, Source};
use toml::{Table, Value};

use crate::addresses::Addresses;

/// The experiment with its addresses replaced by those that open games and agents here. Refuses files of the machine.
pub(crate) fn from_outside(addresses: &Addresses, source: &Source) -> Result<Source, InputError> {
    // A text that is not TOML is refused later, by the reader of experiments, with line and column.
    let Ok(mut table) = source.text().parse::<Table>() else { return Ok(source.clone()) };
    let mut changed = false;
    for key in ["games", "agents"] {
        let Some(Value::Array(entries)) = table.get_mut(key) else { continue };
        for entry in entries {
            let address = match entry {
                Value::String(address) => address,
                Value::Table(entry) => match entry.get_mut("address") {
                    Some(Value::String(address)) => address,
                    _ => continue,
                },
                _ => continue,
            };
            let inside = if key == "games" { addresses.game(address)? } else { addresses.agent(address)? };
            // An address that means the same keeps its spelling.
            if inside.contains(&addresses.folder().display().to_string()) {
                *address = inside;
                changed = true;
            }
        }
    }
    if changed { rewritten(source, &table) } else { Ok(source.clone()) }
}

/// The experiment with another number of pairs, at every scale.
pub(crate) fn with_pairs(source: &Source, pairs: Option<u64>) -> Result<Source, InputError> {
    let Some(pairs) = pairs else { return Ok(source.clone()) };
    let Ok(mut table) = source.text().parse::<Table>() else { return Ok(source.clone()) };
    let pairs = i64::try_from(pairs).map_err(|_| InputError::new("too many pairs"))?;
    table.insert("pairs".to_owned(), Value::Integer(pairs));
    if let Some(Value::Table(scales)) = table.get_mut("scale") {
        for scale in ["quick", "full"] {
            if let Some(Value::Table(scale)) = scales.get_mut(scale) {
                scale.remove("pairs");
            }
        }
    }
    rewritten(source, &table)
}

fn rewritten(source: &Source, table: &Table) -> Result<Source, InputError> {
    let text = toml::to_string(table).map_err(|error| InputError::new(error.to_string()))?;
    Ok(Source::new(source.name(), text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;

    use tesuji_arena::experiment::{Scale, read_experiment};

    const TEXT: &str = "title = \"t\"\ngames = [\"tic-tac-toe\"]\n\
                        agents = [\"uct\", { address = \"mc\", label = \"m\" }]\n\
                        seed = 1\npairs = 9\nbudget = { playouts = 5 }\n[scale.quick]\npairs = 2\n";

    #[test]
    fn files_of_the_machine_are_refused_and_plain_experiments_stay_as_they_are() {
        let addresses = Addresses::new(
            tesuji_standard::catalogue(),
            std::path::PathBuf::from("nowhere/uploads"),
            Limits::default(),
        );
        let outside = |text: &str| from_outside(&addresses, &Source::new("e.toml", text));
        assert_eq!(outside(TEXT).unwrap().text(), TEXT);
        for bad in [TEXT.replace("tic-tac-toe", "gdl(/etc/passwd)"), TEXT.replace("\"mc\"", "\"uct(fuzzy=../y)\"")] {
            assert!(outside(&bad).unwrap_err().to_string().contains("does not open"), "{bad}");
        }
        assert_eq!(outside("not toml [").unwrap().text(), "not toml [");
    }

    #[test]
    fn no_text_is_too_strange() {
        let addresses = Addresses::new(
            tesuji_standard::catalogue(),
            std::path::PathBuf::from("nowhere/uploads"),
            Limits::default(),
        );
        let signs: Vec<char> = "tubstap(=,)\"./:upload gdl[]{}#1é手\n".chars().collect();
        let mut rng = tesuji_arena::Rng::new(7);
        for _ in 0..2_000 {
            let length = rng.below(24);
            let text: String = (0..length).map(|_| signs[rng.below(signs.len())]).collect();
            let opened = addresses.game(&text);
            assert!(!opened.is_ok_and(|inside| inside.contains("/")), "{text}");
            let _ = from_outside(&addresses, &Source::new("e.toml", TEXT.replace("tic-tac-toe", &text)));
            let _ = with_pairs(&Source::new("e.toml", &text), Some(1));
        }
    }

    #[test]
    fn another_number_of_pairs_counts_at_every_scale() {
        let source = with_pairs(&Source::new("e.toml", TEXT), Some(3)).unwrap();
        for scale in [Scale::Quick, Scale::Full] {
            assert_eq!(read_experiment(&tesuji_standard::catalogue(), &source, scale).unwrap().pairs, 3);
        }
    }
}

//! An experiment as it is written in TOML: its keys, each with its place. Nothing is checked but the form.

use std::fmt;

use serde::Deserialize;
use serde::de::{self, Deserializer, MapAccess, Visitor, value::MapAccessDeserializer};
use toml::Spanned;

use super::StopModel;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    pub(super) title: String,
    #[serde(default)]
    pub(super) about: String,
    pub(super) reproduces: Option<String>,
    pub(super) games: Spanned<Vec<Spanned<Written>>>,
    pub(super) agents: Spanned<Vec<Spanned<Written>>>,
    #[serde(default)]
    pub(super) pairings: Option<Spanned<WrittenPairings>>,
    pub(super) seed: u64,
    #[serde(default)]
    pub(super) shared_dice: bool,
    #[serde(default)]
    pub(super) fixed_seats: bool,
    pub(super) core_hours: Option<Spanned<f64>>,
    pub(super) pairs: Spanned<u64>,
    pub(super) budget: Option<Spanned<WrittenBudget>>,
    pub(super) start: Option<Spanned<WrittenClock>>,
    pub(super) overtime: Option<Spanned<String>>,
    pub(super) sprt: Option<Spanned<WrittenSprt>>,
    #[serde(rename = "root-exploitability", alias = "gap")]
    pub(super) root_exploitability: Option<Spanned<WrittenExploitability>>,
    pub(super) exploitability: Option<Spanned<WrittenExploitability>>,
    #[serde(default)]
    pub(super) scale: Scales,
    #[serde(default)]
    pub(super) published: Vec<Spanned<WrittenResult>>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub(super) struct Scales {
    pub(super) quick: Option<WrittenScale>,
    pub(super) full: Option<WrittenScale>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenScale {
    pub(super) pairs: Option<Spanned<u64>>,
    pub(super) budget: Option<Spanned<WrittenBudget>>,
    #[serde(rename = "root-exploitability", alias = "gap")]
    pub(super) root_exploitability: Option<Spanned<WrittenExploitability>>,
    pub(super) exploitability: Option<Spanned<WrittenExploitability>>,
}

/// How exploitability is measured: playouts of each decision, and decisions for each figure and player.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenExploitability {
    pub(super) playouts: Vec<u64>,
    pub(super) repeats: Option<u64>,
}

/// An address, or a table with an address, a label and (for agents) a budget.
pub(super) struct Written {
    pub(super) address: String,
    pub(super) label: Option<String>,
    pub(super) budget: Option<Spanned<WrittenBudget>>,
}

impl<'de> Deserialize<'de> for Written {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Written, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Table {
            address: String,
            label: Option<String>,
            budget: Option<Spanned<WrittenBudget>>,
        }
        struct TextOrTable;
        impl<'de> Visitor<'de> for TextOrTable {
            type Value = Written;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an address such as \"uct(c=0.5)\", or { address = \"…\", label = \"…\" }")
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Written, E> {
                Ok(Written { address: text.to_owned(), label: None, budget: None })
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Written, A::Error> {
                let Table { address, label, budget } = Table::deserialize(MapAccessDeserializer::new(map))?;
                Ok(Written { address, label, budget })
            }
        }
        deserializer.deserialize_any(TextOrTable)
    }
}

#[derive(Deserialize, Clone)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenBudget {
    pub(super) playouts: Option<u64>,
    pub(super) nodes: Option<u64>,
    pub(super) time: Option<String>,
}

/// A start clock: a time, or a table like a budget's.
pub(super) enum WrittenClock {
    Text(String),
    Table(WrittenBudget),
}

impl<'de> Deserialize<'de> for WrittenClock {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<WrittenClock, D::Error> {
        struct TextOrTable;
        impl<'de> Visitor<'de> for TextOrTable {
            type Value = WrittenClock;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a time such as \"10s\", or a budget such as { playouts = 2000 }")
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<WrittenClock, E> {
                Ok(WrittenClock::Text(text.to_owned()))
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<WrittenClock, A::Error> {
                WrittenBudget::deserialize(MapAccessDeserializer::new(map)).map(WrittenClock::Table)
            }
        }
        deserializer.deserialize_any(TextOrTable)
    }
}

/// `all`, `first` (the first agent meets each other one), or a list of the labels of those who meet.
pub(super) enum WrittenPairings {
    All,
    First,
    List(Vec<Vec<String>>),
}

impl<'de> Deserialize<'de> for WrittenPairings {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<WrittenPairings, D::Error> {
        struct WordOrList;
        impl<'de> Visitor<'de> for WordOrList {
            type Value = WrittenPairings;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("\"all\", \"first\", or a list of those who meet such as [[\"uct\", \"mc\"]]")
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<WrittenPairings, E> {
                match text {
                    "all" => Ok(WrittenPairings::All),
                    "first" => Ok(WrittenPairings::First),
                    _ => Err(E::invalid_value(de::Unexpected::Str(text), &self)),
                }
            }
            fn visit_seq<A: de::SeqAccess<'de>>(self, mut list: A) -> Result<WrittenPairings, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = list.next_element()? {
                    pairs.push(pair);
                }
                Ok(WrittenPairings::List(pairs))
            }
        }
        deserializer.deserialize_any(WordOrList)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenSprt {
    pub(super) elo0: f64,
    pub(super) elo1: f64,
    #[serde(default = "five_percent")]
    pub(super) alpha: f64,
    #[serde(default = "five_percent")]
    pub(super) beta: f64,
    #[serde(default)]
    pub(super) model: StopModel,
    #[serde(default)]
    pub(super) normalised: bool,
}

fn five_percent() -> f64 {
    0.05
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenResult {
    pub(super) game: Option<String>,
    pub(super) first: String,
    pub(super) second: String,
    pub(super) wins: Option<u64>,
    pub(super) draws: Option<u64>,
    pub(super) losses: Option<u64>,
    pub(super) win_rate: Option<f64>,
    pub(super) games: Option<u64>,
    #[serde(default)]
    pub(super) note: String,
}

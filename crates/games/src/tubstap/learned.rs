//! Membership tables of actions, learned from labelled actions (paper 000, sections 6 and 7). The paper's labels are
//! not published; these come from a strong agent in place of a person (`data/fuzzy`, docs/fuzzy.md).

use tesuji_core::Named;

/// The tables by name: 440 labels as in section 7.1, 1246 as in section 7.5, and both with shuffled memberships.
pub(super) const TABLES: [Named; 4] = [
    Named { name: "stand-in-440", summary: "440 actions labelled by a strong agent" },
    Named { name: "stand-in-440-shuffled", summary: "the same with memberships shuffled among the vectors" },
    Named { name: "stand-in-1246", summary: "1246 actions labelled by a strong agent" },
    Named { name: "stand-in-1246-shuffled", summary: "the same with memberships shuffled among the vectors" },
];

/// The texts, in the order of [`TABLES`].
const TEXTS: [&str; 4] = [
    include_str!("../../../../data/fuzzy/stand-in-440.csv"),
    include_str!("../../../../data/fuzzy/stand-in-440-shuffled.csv"),
    include_str!("../../../../data/fuzzy/stand-in-1246.csv"),
    include_str!("../../../../data/fuzzy/stand-in-1246-shuffled.csv"),
];

/// The text of the table called `name`.
pub(super) fn find(name: &str) -> Option<&'static str> {
    TABLES.iter().position(|table| table.name == name).map(|index| TEXTS[index])
}

//! Actions as the API shows them: those that are legal, and those that were made.

use std::collections::BTreeMap;

use serde::Serialize;
use tesuji_arena::{Actor, AnyMatch, Note, Phrase, Player, ShownAction};
use utoipa::ToSchema;

/// What a mover may do.
#[derive(Serialize, ToSchema)]
pub(crate) struct LegalView {
    /// The mover.
    pub player: u8,
    /// The mover's name.
    pub name: String,
    /// Has the mover chosen already?
    pub chosen: bool,
    /// Is there an end of turn to declare?
    pub end_turn: bool,
    /// The legal actions.
    pub actions: Vec<ActionView>,
}

/// A legal action.
#[derive(Serialize, ToSchema)]
pub(crate) struct ActionView {
    /// How it is written.
    pub text: String,
    /// The areas to click, in order.
    pub clicks: Vec<u32>,
    /// The same as people would say it.
    pub phrase: PhraseView,
    /// What it would do.
    pub note: Option<NoteView>,
}

/// An action in parts, to be put into words.
#[derive(Clone, Serialize, ToSchema)]
pub(crate) struct PhraseView {
    /// The kind of phrase, such as `moves`.
    pub key: &'static str,
    /// Its parts by name, such as `from` and `to`.
    pub parts: BTreeMap<&'static str, String>,
}

impl From<Phrase> for PhraseView {
    fn from(phrase: Phrase) -> PhraseView {
        PhraseView { key: phrase.key, parts: phrase.parts.into_iter().collect() }
    }
}

/// An action that was made, as people see it.
#[derive(Clone, Serialize, ToSchema)]
pub(crate) struct ShownView {
    /// The action in parts, to be put into words.
    pub phrase: PhraseView,
    /// The areas of the picture before it.
    pub clicks: Vec<u32>,
    /// What it did.
    pub note: Option<NoteView>,
}

impl From<&ShownAction> for ShownView {
    fn from(shown: &ShownAction) -> ShownView {
        let ShownAction { phrase, clicks, note } = shown.clone();
        ShownView { phrase: phrase.into(), clicks, note: note.map(NoteView::from) }
    }
}

/// What an action would do, as data.
#[derive(Clone, Serialize, ToSchema)]
pub(crate) struct NoteView {
    /// The kind of note, such as `damage`.
    pub key: &'static str,
    /// Its numbers by name, such as `dealt` and `taken`.
    pub values: BTreeMap<&'static str, i64>,
}

impl From<Note> for NoteView {
    fn from(note: Note) -> NoteView {
        NoteView { key: note.key, values: note.values.into_iter().collect() }
    }
}

/// What the movers of a position may do.
pub(crate) fn legal_views(table: &dyn AnyMatch, chosen: impl Fn(Player) -> bool) -> Vec<LegalView> {
    let mut views = Vec::new();
    for (actor, name) in table.actors() {
        let Actor::Player(player) = actor else { continue };
        let texts = table.legal(actor).into_iter();
        let actions = texts.zip(table.clicks(actor)).zip(table.notes(actor)).zip(table.phrases(actor));
        views.push(LegalView {
            player: player.0,
            name,
            chosen: chosen(player),
            end_turn: !table.end_turn(player).is_empty(),
            actions: actions
                .map(|(((text, clicks), note), phrase)| ActionView {
                    text,
                    clicks,
                    phrase: phrase.into(),
                    note: note.map(NoteView::from),
                })
                .collect(),
        });
    }
    views
}

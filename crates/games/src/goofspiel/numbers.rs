//! Goofspiel in numbers: cards, and which of them are where.

use tesuji_core::{ActionField, ActionIndex, Actor, Observation, ObservationLayout, Planes, Player};

use super::{Goofspiel, State, all_cards, bit, points};
use crate::bits;

/// Both capabilities.
pub(super) struct Numbers;

impl ActionIndex<Goofspiel> for Numbers {
    /// The card less one.
    fn fields(&self, game: &Goofspiel) -> Vec<ActionField> {
        vec![ActionField::new("card", usize::from(game.cards))]
    }

    fn outcomes(&self, game: &Goofspiel) -> usize {
        usize::from(game.cards)
    }

    fn number(&self, _game: &Goofspiel, _actor: Actor, action: u8) -> u32 {
        u32::from(action) - 1
    }

    fn action(&self, game: &Goofspiel, _actor: Actor, number: u32) -> Option<u8> {
        (number < u32::from(game.cards)).then(|| number as u8 + 1)
    }
}

impl Observation<Goofspiel> for Numbers {
    fn layout(&self, game: &Goofspiel) -> ObservationLayout {
        let cards = |what: &'static str| (1..=game.cards).map(move |card| format!("{what} {card}"));
        let sets = ["own card", "other card", "prize left", "prize at stake"].into_iter().flat_map(cards);
        ObservationLayout::features(sets.chain(["own lead".to_owned()]))
    }

    fn fill(&self, game: &Goofspiel, state: &State, player: Player, out: &mut [f32]) {
        let cards = usize::from(game.cards);
        let (lead, sets) = match out.split_last_mut() {
            Some(parts) => parts,
            None => return,
        };
        let mut planes = Planes::new(sets, cards);
        let [own, other] = [state.hands[player.index()], state.hands[1 - player.index()]];
        for (plane, set) in [own, other, state.prizes, bit(state.prize)].into_iter().enumerate() {
            bits::ones(u64::from(set)).for_each(|card| planes.set(plane, card as usize, 1.0));
        }
        let ahead = if player == Player(0) { state.lead } else { -state.lead };
        *lead = f32::from(ahead) / points(all_cards(game.cards)) as f32;
    }
}

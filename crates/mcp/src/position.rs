//! Positions of a match as JSON: what everybody may see.

use serde_json::{Value, json};
use tesuji_arena::{Actor, AnyMatch, Ending, Player, Waiting};

use crate::hall::Room;

/// The position of a match. Legal actions are those of `seat`, if it is to choose and they are not withheld.
pub(crate) fn position(id: u64, room: &Room, seat: Option<Player>) -> Value {
    let table = &*room.table;
    let players = &table.spec().players;
    let seats = (0..players.len()).map(|seat| json!({ "player": players[seat], "occupant": room.occupant(seat) }));
    let mut value = json!({
        "match": id,
        "game": table.spec().name,
        "seats": seats.collect::<Vec<_>>(),
        "step": table.made().len(),
        "board": table.board_text(),
        "state": table.state_text(),
        "waiting_for": waiting_for(table),
        "over": room.over(),
    });
    if let Some(step) = table.made().last() {
        let moves = step.actors.iter().zip(&step.joint);
        value["last_step"] = moves.map(|(who, what)| json!({ "who": who, "action": what })).collect();
    }
    if let Some(payoffs) = table.payoffs() {
        value["payoffs"] = json!(payoffs);
        value["ending"] = json!(ending(room));
        value["seed"] = json!(room.seed.to_string());
    }
    if let Some(player) = seat {
        value["you"] = json!(players[player.index()]);
        let chooses = awaited(table).contains(&player);
        value["your_turn"] = json!(chooses);
        if chooses && !room.withhold_legal {
            value["legal_actions"] = json!(table.legal(Actor::Player(player)));
        }
    }
    value
}

/// The players who still have to choose. Who has chosen what for the step to come is not shown.
pub(crate) fn awaited(table: &dyn AnyMatch) -> Vec<Player> {
    match table.waiting() {
        Waiting::Choices(players) => players.collect(),
        Waiting::Chance | Waiting::Nothing => Vec::new(),
    }
}

fn waiting_for(table: &dyn AnyMatch) -> Vec<&str> {
    awaited(table).into_iter().map(|player| table.spec().player_name(player)).collect()
}

/// How a match ended, in words.
fn ending(room: &Room) -> String {
    let table = &*room.table;
    let name = |player: Player| table.spec().player_name(player);
    match table.ending() {
        None => "not over".to_owned(),
        Some(Ending::Natural) => "by the rules".to_owned(),
        Some(Ending::Resigned { player }) if room.forfeited == Some(*player) => {
            format!("{} forfeited: too many illegal acts", name(*player))
        }
        Some(Ending::Resigned { player }) => format!("{} lost by resignation", name(*player)),
        Some(Ending::Foul { player, foul }) => format!("{} forfeited: {foul}", name(*player)),
    }
}

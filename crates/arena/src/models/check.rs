//! Replays the matches of language models from their transcripts, without the models.
//!
//! Every prompt is written again from the position and every answer is read again; the transcript that results must be
//! the stored one, and the moves it leads to must be the moves of the match.

use serde::Serialize;
use tesuji_core::{Actor, InputError, Player};
use tesuji_models::{Conversation, Recorded, Transcript, View};

use crate::export::stored_experiment;
use crate::run::Field;
use crate::store::{EVENT, Store, StoredMatch};
use crate::{AnyGame, AnyMatch, Catalogue};

/// What a check of transcripts found.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct TranscriptCheck {
    /// Matches with transcripts.
    pub matches: u64,
    /// Transcripts.
    pub transcripts: u64,
    /// Answers that were read again.
    pub answers: u64,
    /// Matches that do not follow from their transcripts, and why; at most a few.
    pub differences: Vec<String>,
    /// How many such matches there are.
    pub different: u64,
}

/// The most differences that are listed.
const LISTED: usize = 20;

/// Replays every match of a store that has transcripts.
pub fn check_transcripts(catalogue: &Catalogue, store: &Store) -> Result<TranscriptCheck, InputError> {
    let mut check = TranscriptCheck::default();
    for run in store.runs()? {
        let experiment = stored_experiment(catalogue, &run)?;
        let field = Field::new(&experiment)?;
        store.each_match(run.id, true, |row| {
            let transcripts = store.transcripts_of(run.id, row.unit, row.seating)?;
            if transcripts.is_empty() {
                return Ok(());
            }
            check.matches += 1;
            check.transcripts += transcripts.len() as u64;
            let game = &field.games[field.pairings[row.unit.pairing as usize].game];
            match replay(&**game, &row, &transcripts) {
                Ok(answers) => check.answers += answers,
                Err(difference) => {
                    check.different += 1;
                    if check.differences.len() < LISTED {
                        let (pair, seating) = (row.unit.pair, row.seating);
                        check.differences.push(format!("`{}`, pair {pair}, match {seating}: {difference}", run.title));
                    }
                }
            }
            Ok(())
        })?;
    }
    Ok(check)
}

/// One seat of a match that is replayed.
struct Seat {
    player: Player,
    stored: String,
    conversation: Conversation,
    recorded: Recorded,
}

/// Replays a match; returns the number of answers, or the first difference in words.
fn replay(game: &dyn AnyGame, row: &StoredMatch, transcripts: &[(usize, String)]) -> Result<u64, String> {
    let mut seats = Vec::new();
    let mut answers = 0;
    for (seat, stored) in transcripts {
        let transcript = Transcript::read(stored).map_err(|error| error.to_string())?;
        answers += transcript.exchanges.len() as u64;
        seats.push(Seat {
            player: Player(*seat as u8),
            stored: stored.clone(),
            conversation: Conversation::new(transcript.header.settings.clone()),
            recorded: Recorded::new(&transcript),
        });
    }
    let mut table = game.new_match(None).map_err(|error| error.to_string())?;
    for (number, line) in row.moves.lines().filter(|line| !line.starts_with(EVENT)).enumerate() {
        let joint: Vec<String> = line.split('\t').map(str::to_owned).collect();
        let actors = table.actors();
        for ((actor, _), made) in actors.iter().zip(&joint) {
            let Some(seat) = seated(&mut seats, *actor) else { continue };
            let view = view(game, &*table, seat.player);
            match seat.conversation.decide(&view, &mut seat.recorded) {
                Ok(place) if view.legal[place] == *made => {}
                Ok(place) => return Err(format!("step {}: `{made}`, read `{}`", number + 1, view.legal[place])),
                Err(failure) => return Err(format!("step {}: `{made}`, read: {failure}", number + 1)),
            }
        }
        table.step(&joint).map_err(|error| format!("step {}: {error}", number + 1))?;
    }
    if let Some((failed, what)) = &row.foul {
        last_decisions(game, &*table, &mut seats, *failed, what)?;
    }
    for seat in &mut seats {
        let written = seat.conversation.take().map(|transcript| transcript.write());
        if written.as_deref() != Some(&seat.stored) {
            return Err(format!("the transcript of seat {} is not what the match leads to", seat.player.0));
        }
    }
    Ok(answers)
}

/// The decisions of the step in which a seat failed, up to that failure.
fn last_decisions(
    game: &dyn AnyGame,
    table: &dyn AnyMatch,
    seats: &mut [Seat],
    failed: usize,
    what: &str,
) -> Result<(), String> {
    for (actor, _) in table.actors() {
        let loses = actor == Actor::Player(Player(failed as u8));
        if let Some(seat) = seated(seats, actor) {
            let view = view(game, table, seat.player);
            let decided = seat.conversation.decide(&view, &mut seat.recorded);
            match decided {
                Ok(_) if !loses => {}
                // A decision that counts and comes too late is a failure of the clock.
                Ok(_) if what.starts_with("overtime") => {}
                Err(failure) if loses && failure.to_string() == what => {}
                Ok(place) => return Err(format!("forfeited ({what}), read `{}`", view.legal[place])),
                Err(failure) => return Err(format!("forfeited ({what}), read: {failure}")),
            }
        }
        if loses {
            break;
        }
    }
    Ok(())
}

fn seated(seats: &mut [Seat], actor: Actor) -> Option<&mut Seat> {
    seats.iter_mut().find(|seat| actor == Actor::Player(seat.player))
}

/// What a player sees in a match.
fn view(game: &dyn AnyGame, table: &dyn AnyMatch, player: Player) -> View {
    let spec = table.spec();
    let steps = table.made().iter().map(|step| step.actors.iter().cloned().zip(step.joint.iter().cloned()).collect());
    View {
        game: spec.name.clone(),
        rules: game.rules_in_words().map(str::to_owned),
        sheet: game.rules_text(),
        players: spec.players.clone(),
        player: player.index(),
        payoffs: spec.payoffs,
        movers: table.actors().into_iter().map(|(_, name)| name).collect(),
        steps: steps.collect(),
        board: table.board_text(),
        state: table.state_text(),
        legal: table.legal(Actor::Player(player)),
    }
}

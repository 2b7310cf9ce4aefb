//! Matches as files that another lab can open, with the uploads they need.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tesuji_arena::{AnyMatch, InputError, LiveStep, Occupant, Streams, VERSION};

use crate::addresses::{Addresses, UPLOAD};
use crate::database::{FailedDecision, MatchProgress, MatchRow, now};
use crate::error::ApiError;
use crate::lab::{Lab, blocking};
use crate::room::{Room, fewer_candidates};
use crate::secret;
use crate::uploads::{self, UploadRequest};

/// The `format` of the files.
const FORMAT: &str = "tesuji-replay";

/// A match as a file.
#[derive(Serialize, Deserialize)]
pub(crate) struct Replay {
    /// `tesuji-replay`.
    pub format: String,
    /// The version of the program that wrote it.
    pub tesuji: String,
    /// The address of the game.
    pub game: String,
    /// What the match is called.
    #[serde(default)]
    pub title: String,
    /// Who sat where.
    pub seats: Vec<Occupant>,
    /// The seed of nature and agents, if the match was over.
    #[serde(default)]
    pub seed: Option<u64>,
    /// The steps.
    pub steps: Vec<LiveStep>,
    /// Who resigned.
    #[serde(default)]
    pub resigned: Option<u8>,
    /// Why an agent failed.
    #[serde(default)]
    pub fault: Option<String>,
    /// What that agent asked and was answered before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<FailedDecision>,
    /// Uploads that the game needs.
    #[serde(default)]
    pub files: Vec<UploadRequest>,
    /// Variations with comments, as the page writes them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub study: Option<serde_json::Value>,
}

/// A match as a file.
pub(crate) fn of(lab: &Lab, room: &Room) -> Result<Replay, ApiError> {
    let (row, steps) = room.record()?;
    let names = Addresses::uploads_in(&row.game);
    let files = names.iter().map(|name| uploads::whole(lab, name)).collect::<Result<_, _>>()?;
    Ok(Replay {
        format: FORMAT.to_owned(),
        tesuji: VERSION.to_owned(),
        game: row.game,
        title: row.title,
        seats: row.seats,
        seed: row.progress.over.then_some(row.seed),
        steps,
        resigned: row.progress.resigned,
        fault: row.progress.fault,
        failed: room.failed_decision()?,
        files,
        study: None,
    })
}

/// Opens a file; returns the name of the match. `source` says where it comes from, so that it is opened only once.
pub(crate) async fn open(lab: &Arc<Lab>, replay: Replay, source: Option<String>) -> Result<String, ApiError> {
    if replay.format != FORMAT {
        return Err(ApiError::bad(format!("this is not a replay: `format` is not `{FORMAT}`")));
    }
    let mut game = replay.game;
    for file in replay.files {
        let name = file.name.clone();
        let kept = uploads::add(lab, file).await?;
        game = game.replace(&format!("{UPLOAD}{name}"), &kept.name);
    }
    let opened = lab.open_game(&game).await?;
    let players = opened.spec().players.clone();
    let (seats, seed, played) = (replay.seats.clone(), replay.seed.unwrap_or(0), Arc::clone(&opened));
    let live = blocking(move || {
        let mut live = played.new_match(None)?;
        replay_steps(live.as_mut(), replay.steps)?;
        live.fill_seats(seats, Streams::by_step(seed))?;
        Ok(live)
    })
    .await?;
    let resigned = replay.resigned.filter(|&player| usize::from(player) < players.len());
    let row = MatchRow {
        id: secret::new_id(),
        created: now(),
        updated: now(),
        game,
        keys: vec![None; players.len()],
        players,
        seats: replay.seats,
        seed,
        title: replay.title.chars().take(200).collect(),
        origin: "replay".to_owned(),
        source,
        progress: MatchProgress {
            steps: live.made().len(),
            over: true,
            resigned,
            fault: replay.fault,
            ..MatchProgress::default()
        },
    };
    let id = lab.add_match(opened, row, live).await?.id().to_owned();
    if let Some(failed) = replay.failed {
        let (lab, id) = (Arc::clone(lab), id.clone());
        blocking(move || Ok(lab.services.database.put_failure(&id, Some(&failed))?)).await?;
    }
    Ok(id)
}

/// Plays steps from a file: takes the actors from the game, and one decision for each actor.
fn replay_steps(live: &mut dyn AnyMatch, steps: Vec<LiveStep>) -> Result<(), InputError> {
    for (number, step) in steps.into_iter().enumerate() {
        let actors: Vec<String> = live.actors().into_iter().map(|(_, name)| name).collect();
        let mut decisions: Vec<_> = step.decisions.into_iter().map(|decision| decision.map(fewer_candidates)).collect();
        decisions.resize(actors.len(), None);
        let step = LiveStep { actors, joint: step.joint, decisions };
        live.replay(step).map_err(|error| error.in_file(format_args!("step {}", number + 1)))?;
    }
    Ok(())
}

/// A replay file, for the description of the API: made by `GET /api/matches/{id}/replay`, to be given back as it is.
#[derive(utoipa::ToSchema)]
pub(crate) struct ReplayFile {
    /// `tesuji-replay`.
    #[allow(dead_code, reason = "only the description reads it")]
    format: String,
}

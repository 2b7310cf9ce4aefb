//! Puzzles, and tables learned from labels.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use tesuji_arena::{Answer, Puzzle, puzzle, puzzles};
use utoipa::{IntoParams, ToSchema};

use crate::error::{ApiError, ErrorBody};
use crate::extract::{Body, Params, PathParams};
use crate::lab::{Lab, blocking};
use crate::teach::{self, LearnRequest, LearnedView, TeachView};
use crate::view::{LegalView, PictureView, ShownView, legal_views};

/// A puzzle in a list.
#[derive(Serialize, ToSchema)]
pub(super) struct PuzzleView {
    /// Its name.
    id: String,
    /// The game's address.
    game: String,
    /// What people call the game.
    title: String,
    /// Who solves it.
    player: u8,
    /// What is asked for: `best` (an action that keeps the value) or `win` (a turn that wins at once).
    goal: &'static str,
    /// What the position is worth to the player, where the goal is `best`.
    value: Option<f64>,
    /// The least and the greatest payoff of the game.
    payoff_range: Option<(f64, f64)>,
}

impl PuzzleView {
    fn of(lab: &Lab, puzzle: &Puzzle) -> PuzzleView {
        PuzzleView {
            title: lab.catalogue.title(&puzzle.game).unwrap_or_else(|_| puzzle.game.clone()),
            goal: if puzzle.best.is_empty() { "win" } else { "best" },
            id: puzzle.id.clone(),
            game: puzzle.game.clone(),
            player: puzzle.player,
            value: puzzle.value,
            payoff_range: None,
        }
    }
}

/// All puzzles.
#[utoipa::path(get, path = "/api/puzzles", tag = "puzzles", responses((status = 200, body = [PuzzleView])))]
pub(super) async fn list_puzzles(State(lab): State<Arc<Lab>>) -> Json<Vec<PuzzleView>> {
    Json(puzzles().iter().map(|puzzle| PuzzleView::of(&lab, puzzle)).collect())
}

/// Where a puzzle stands.
#[derive(Serialize, ToSchema)]
pub(super) struct PuzzlePosition {
    /// The puzzle.
    puzzle: PuzzleView,
    /// The names of the seats.
    players: Vec<String>,
    /// The board.
    picture: PictureView,
    /// What the solver may do.
    legal: Vec<LegalView>,
    /// What was chosen so far, as people see it.
    chosen: Vec<ShownView>,
    /// `right`, `wrong` or `unfinished`.
    #[schema(value_type = String)]
    answer: Option<Answer>,
}

/// The actions chosen so far.
#[derive(Deserialize, IntoParams)]
pub(super) struct AnswerQuery {
    /// As JSON: `["c2-d4", "a1"]`.
    #[serde(default)]
    actions: Option<String>,
}

/// A puzzle's position after the actions chosen so far, and whether they solve it.
#[utoipa::path(get, path = "/api/puzzles/{id}", tag = "puzzles", params(("id" = String, Path), AnswerQuery),
    responses((status = 200, body = PuzzlePosition), (status = 404, body = ErrorBody)))]
pub(super) async fn view_puzzle(
    State(lab): State<Arc<Lab>>,
    PathParams(id): PathParams<String>,
    Params(query): Params<AnswerQuery>,
) -> Result<Json<PuzzlePosition>, ApiError> {
    let puzzle = puzzle(&id).map_err(|error| ApiError::from(error).with_status(StatusCode::NOT_FOUND))?;
    let actions: Vec<String> = serde_json::from_str(query.actions.as_deref().unwrap_or("[]"))
        .map_err(|error| ApiError::bad(format!("`actions` cannot be read: {error}")))?;
    let game = lab.open_game(&puzzle.game).await?;
    blocking(move || {
        let answer = puzzle.answer(game.as_ref(), &actions)?;
        let mut table = puzzle.position(game.as_ref())?;
        let before = table.made().len();
        // Where several choose at once, the answer is one player's choice: the position stays.
        let alone = table.turn().movers().count() == 1;
        for action in actions.iter().filter(|_| alone) {
            table.step(std::slice::from_ref(action))?;
        }
        let solver = puzzle.player;
        let mut view = PuzzleView::of(&lab, &puzzle);
        view.payoff_range = Some(game.spec().payoffs);
        Ok(Json(PuzzlePosition {
            puzzle: view,
            players: game.spec().players.clone(),
            picture: PictureView::of(&table.picture()),
            legal: legal_views(table.as_ref(), |_| false).into_iter().filter(|legal| legal.player == solver).collect(),
            chosen: table.shown()[before..].iter().flatten().map(ShownView::from).collect(),
            answer: (!actions.is_empty()).then_some(answer),
        }))
    })
    .await
}

/// The solution of a puzzle.
#[derive(Serialize, ToSchema)]
pub(super) struct PuzzleSolution {
    /// The actions that keep the value; empty where a whole turn is asked for.
    best: Vec<String>,
    /// Where a whole turn is asked for: one that wins.
    turn: Vec<String>,
}

/// The solution of a puzzle.
#[utoipa::path(get, path = "/api/puzzles/{id}/solution", tag = "puzzles", params(("id" = String, Path)),
    responses((status = 200, body = PuzzleSolution), (status = 404, body = ErrorBody)))]
pub(super) async fn puzzle_solution(PathParams(id): PathParams<String>) -> Result<Json<PuzzleSolution>, ApiError> {
    let puzzle = puzzle(&id).map_err(|error| ApiError::from(error).with_status(StatusCode::NOT_FOUND))?;
    Ok(Json(PuzzleSolution { best: puzzle.best, turn: puzzle.turn }))
}

/// Labels that can be learned from, and tables.
#[utoipa::path(get, path = "/api/tables", tag = "labels", responses((status = 200, body = TeachView)))]
pub(super) async fn list_tables(State(lab): State<Arc<Lab>>) -> Result<Json<TeachView>, ApiError> {
    blocking(move || Ok(Json(teach::view(&lab)?))).await
}

/// Learns a table of memberships from the labels of a game.
#[utoipa::path(post, path = "/api/tables", tag = "labels", request_body = LearnRequest,
    responses((status = 201, body = LearnedView), (status = 400, body = ErrorBody), (status = 409, body = ErrorBody)))]
pub(super) async fn learn_table(
    State(lab): State<Arc<Lab>>,
    Body(request): Body<LearnRequest>,
) -> Result<(StatusCode, Json<LearnedView>), ApiError> {
    blocking(move || Ok((StatusCode::CREATED, Json(teach::learn(&lab, &request)?)))).await
}

/// A table that somebody uploads.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct TableUpload {
    /// What to call it.
    name: String,
    /// Its text, as `tesuji fuzzy learn` writes it.
    text: String,
}

/// Keeps a table of memberships that was learned elsewhere.
#[utoipa::path(put, path = "/api/tables", tag = "labels", request_body = TableUpload,
    responses((status = 201, body = LearnedView), (status = 400, body = ErrorBody)))]
pub(super) async fn upload_table(
    State(lab): State<Arc<Lab>>,
    Body(request): Body<TableUpload>,
) -> Result<(StatusCode, Json<LearnedView>), ApiError> {
    blocking(move || {
        let view = teach::upload(&lab, &request.name, request.text.as_bytes())?;
        Ok((StatusCode::CREATED, Json(view)))
    })
    .await
}

/// A table by its name, and how it differs from the one that comes with the game.
#[utoipa::path(get, path = "/api/tables/{name}", tag = "labels", params(("name" = String, Path)),
    responses((status = 200, body = LearnedView), (status = 404, body = ErrorBody)))]
pub(super) async fn view_table(
    State(lab): State<Arc<Lab>>,
    PathParams(name): PathParams<String>,
) -> Result<Json<LearnedView>, ApiError> {
    let name = name.trim_start_matches(crate::addresses::UPLOAD).to_owned();
    blocking(move || Ok(Json(teach::read(&lab, &name)?))).await
}

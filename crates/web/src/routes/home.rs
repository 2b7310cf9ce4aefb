//! The first page: cards of games, their opponents, and their rules.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use tesuji_arena::{Address, Budget, GameInfo, Level, committed_table, games_with_levels, levels};
use utoipa::{IntoParams, ToSchema};

use crate::address_parts::AddressParts;
use crate::budget::BudgetView;
use crate::error::{ApiError, ErrorBody};
use crate::extract::Params;
use crate::lab::{Lab, blocking};
use crate::rules::{self, Language};
use crate::view::PictureView;

/// A game on the first page.
#[derive(Serialize, ToSchema)]
pub(super) struct CardView {
    /// The game's address.
    game: String,
    /// The address as a name and arguments.
    parts: AddressParts,
    /// What people call it.
    title: String,
    /// What it is.
    summary: &'static str,
}

/// What the first page shows and finds.
#[derive(Serialize, ToSchema)]
pub(super) struct HomeView {
    /// Games with measured opponents.
    cards: Vec<CardView>,
    /// Everything else that comes with the program: other games, maps, sheets, trees.
    more: Vec<CardView>,
}

fn card(lab: &Lab, info: &GameInfo, address: &str) -> Option<CardView> {
    let parts = AddressParts::of(address, &info.parameters).ok()?;
    let title = lab.catalogue.title(address).ok()?;
    Some(CardView { game: address.to_owned(), parts, title, summary: info.summary })
}

/// The cards of the first page, and what its search finds.
#[utoipa::path(get, path = "/api/cards", tag = "catalogue", responses((status = 200, body = HomeView)))]
pub(super) async fn cards(State(lab): State<Arc<Lab>>) -> Json<HomeView> {
    let info = |address: &str| {
        let name = address.parse::<Address>().map(|address| address.name).unwrap_or_default();
        lab.catalogue.games().iter().find(|info| info.name == name)
    };
    let listed = games_with_levels();
    let cards: Vec<CardView> = listed.iter().filter_map(|address| card(&lab, info(address)?, address)).collect();
    let mut more = Vec::new();
    for info in lab.catalogue.games() {
        let data = info.parameters.iter().find(|parameter| !parameter.bundled.is_empty());
        let addresses: Vec<String> = match data {
            Some(parameter) => {
                parameter.bundled.iter().map(|data| format!("{}({}={data})", info.name, parameter.name)).collect()
            }
            None => vec![info.name.to_owned()],
        };
        for address in addresses {
            let found = card(&lab, info, &address);
            more.extend(found.filter(|found| cards.iter().all(|card| card.title != found.title)));
        }
    }
    Json(HomeView { cards, more })
}

/// Which game.
#[derive(Deserialize, IntoParams)]
pub(super) struct AddressQuery {
    /// The game's address.
    game: String,
}

/// The opponents of a game.
#[derive(Serialize, ToSchema)]
pub(super) struct LevelsView {
    /// The opponents, the weakest first.
    levels: Vec<LevelView>,
    /// The experiment that measures them; null if they were not measured for this game.
    measured: Option<String>,
}

/// An opponent of a certain strength.
#[derive(Serialize, ToSchema)]
pub(super) struct LevelView {
    /// `beginner`, `club`, `strong` or `champion`.
    name: String,
    /// The agent's address.
    agent: String,
    /// The budget of a decision.
    budget: BudgetView,
    /// Its win rate against the level below.
    win_rate: Option<f64>,
    /// The 95 % interval of that.
    interval: Option<(f64, f64)>,
    /// The matches it rests on.
    matches: u64,
}

/// The opponents of a game by strength.
#[utoipa::path(get, path = "/api/games/levels", tag = "catalogue", params(AddressQuery),
    responses((status = 200, body = LevelsView), (status = 400, body = ErrorBody)))]
pub(super) async fn game_levels(
    State(lab): State<Arc<Lab>>,
    Params(query): Params<AddressQuery>,
) -> Result<Json<LevelsView>, ApiError> {
    let game = lab.open_game(&query.game).await?;
    blocking(move || {
        let found = levels(&lab.catalogue, &query.game, game.as_ref());
        let committed = found.measured.as_deref().and_then(committed_table);
        let label = |row: &str| row.is_empty() || row == query.game || same_game(&lab, row, &query.game);
        let view = |level: Level| {
            let rows = committed.iter().flat_map(|table| &table.rows);
            let mut own = rows.filter(|row| row.first == level.name);
            let row = own.find(|row| label(&row.game));
            LevelView {
                budget: level.budget.parse::<Budget>().map(BudgetView::from).unwrap_or_default(),
                win_rate: row.map(|row| row.win_rate),
                interval: row.and_then(|row| row.interval),
                matches: row.map_or(0, |row| row.matches),
                name: level.name,
                agent: level.agent,
            }
        };
        Ok(Json(LevelsView { levels: found.levels.into_iter().map(view).collect(), measured: found.measured }))
    })
    .await
}

/// Do two texts name the same game?
fn same_game(lab: &Lab, one: &str, two: &str) -> bool {
    let title = |address: &str| lab.catalogue.title(address).ok();
    title(one).is_some() && title(one) == title(two)
}

/// Which game, and in which language.
#[derive(Deserialize, IntoParams)]
pub(super) struct RulesQuery {
    /// The game's address.
    game: String,
    /// The reader's language, `en` or `ja`; English if absent.
    #[serde(default)]
    language: Language,
}

/// The rules of a game.
#[derive(Serialize, ToSchema)]
pub(super) struct RulesView {
    /// As HTML, for a panel; null if there is no text for people.
    html: Option<String>,
    /// The language of that text: English where there is none in the reader's.
    language: Language,
    /// The rule sheet or map itself, where the rules are data.
    text: Option<String>,
    /// What the signs on the board mean.
    legend: Vec<LegendView>,
}

/// A sign with its meaning.
#[derive(Serialize, ToSchema)]
pub(super) struct LegendView {
    /// What it means.
    name: String,
    /// The sign, drawn.
    picture: PictureView,
}

/// The rules of a game, for people.
#[utoipa::path(get, path = "/api/games/rules", tag = "catalogue", params(RulesQuery),
    responses((status = 200, body = RulesView), (status = 400, body = ErrorBody)))]
pub(super) async fn game_rules(
    State(lab): State<Arc<Lab>>,
    Params(query): Params<RulesQuery>,
) -> Result<Json<RulesView>, ApiError> {
    let parts = lab.addresses.game_parts(&query.game)?;
    let game = lab.open_game(&query.game).await?;
    blocking(move || {
        let info = lab.catalogue.game(&parts.name)?;
        let data = info.parameters.iter().find(|parameter| !parameter.bundled.is_empty());
        let data = data.and_then(|parameter| {
            parts.arguments.get(parameter.name).map(String::as_str).or(parameter.default.as_deref())
        });
        let legend = game.legend().into_iter();
        let legend = legend.map(|(name, picture)| LegendView { name, picture: PictureView::of(&picture) }).collect();
        let (html, language) = rules::html_of(&parts.name, data, query.language).unzip();
        Ok(Json(RulesView { html, language: language.unwrap_or_default(), text: game.rules_text(), legend }))
    })
    .await
}

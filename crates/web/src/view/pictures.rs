//! Drawn boards as the API shows them.

use serde::Serialize;
use tesuji_arena::Picture;
use utoipa::ToSchema;

/// A drawn board.
#[derive(Serialize, ToSchema)]
pub(crate) struct PictureView {
    /// The drawing.
    pub svg: String,
    /// Its width.
    pub width: f64,
    /// Its height.
    pub height: f64,
    /// What can be clicked.
    pub areas: Vec<AreaView>,
}

/// A rectangle that stands for something.
#[derive(Serialize, ToSchema)]
pub(crate) struct AreaView {
    /// Its number.
    pub id: u32,
    /// Its name for people.
    pub label: String,
    /// Left edge.
    pub x: f64,
    /// Top edge.
    pub y: f64,
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
}

impl PictureView {
    /// A picture for showing.
    pub(crate) fn of(picture: &Picture) -> PictureView {
        let areas = picture.areas.iter().map(|area| AreaView {
            id: area.id,
            label: area.label.clone(),
            x: area.x,
            y: area.y,
            width: area.width,
            height: area.height,
        });
        PictureView { svg: picture.svg(), width: picture.width, height: picture.height, areas: areas.collect() }
    }
}

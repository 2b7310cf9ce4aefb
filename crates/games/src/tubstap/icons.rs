//! The signs of units: white shapes in a square of 24 by 24, which the token of the unit shows.

use super::units::Kind;

impl Kind {
    /// The sign as SVG elements in a square of 24 by 24.
    pub(super) const fn sign(self) -> &'static str {
        match self {
            // Aircraft from above: swept wings, and straight wings with bombs.
            Kind::Fighter => {
                r#"<path d="M12 1l2 8 9 6v2.4l-9-2.6v4.4l3 2.2V23l-5-1.2L7 23v-1.6l3-2.2v-4.4l-9 2.6V15l9-6z"/>"#
            }
            Kind::Attacker => concat!(
                r#"<path d="M12 1l1.8 5.5H23v4h-9.2l-.6 7.5 3.3 2.2V22H7.5v-1.8l3.3-2.2-.6-7.5H1v-4h9.2z"/>"#,
                r#"<path d="M4 12h2v3.5H4zM18 12h2v3.5h-2z"/>"#
            ),
            // Tracks, turret and a level barrel.
            Kind::Panzer => concat!(
                r#"<path d="M4.5 14.5h14a3 3 0 0 1 0 6h-14a3 3 0 0 1 0-6z"/>"#,
                r#"<path d="M6 13V9.5A1.5 1.5 0 0 1 7.5 8H14a1.5 1.5 0 0 1 1.5 1.5H23v2h-7.5V13z"/>"#
            ),
            // A wheel, a trail and a raised barrel.
            Kind::Cannon => concat!(
                r#"<path d="M8.2 12.5L20 3.2l2.4 3L12.5 14zM2 19.5l6-5 1.5 2-5.5 4.5H2z"/>"#,
                r#"<path fill-rule="evenodd" d="M11 12.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9z"#,
                r#"m0 2.7a1.8 1.8 0 1 0 0 3.6 1.8 1.8 0 0 0 0-3.6z"/>"#
            ),
            // Tracks, turret and two barrels that point up.
            Kind::Antiair => concat!(
                r#"<path d="M4.5 15.5h14a2.7 2.7 0 0 1 0 5.4h-14a2.7 2.7 0 0 1 0-5.4z"/>"#,
                r#"<path d="M5 14v-2.5A1.5 1.5 0 0 1 6.5 10H9l4.5-8 1.8 1L11.3 10h1.7l4.5-8 1.8 1-4.3 7.7V14z"/>"#
            ),
            // A soldier with a helmet.
            Kind::Infantry => concat!(
                r#"<path d="M5 7.5a5.5 5.5 0 0 1 11 0h1.5V9H3.5V7.5zM6.5 10h8a4 4 0 0 1-8 0z"/>"#,
                r#"<path d="M2.5 22.5c0-5.2 2.8-7.7 8-7.7s8 2.5 8 7.7z"/>"#
            ),
        }
    }
}

//! The scores as bars; below them the buttons, or the faces of the die.

use tesuji_core::drawing::{DARK, GRID, INK, LIGHT, SEATS};
use tesuji_core::{Actor, AreaId, Drawing, Picture};

use super::{Action, PLAYERS, Phase, Pig, State};

/// Areas: two buttons and six faces.
const ROLL_AREA: AreaId = 1;
const HOLD_AREA: AreaId = 2;
const FACE_AREA: AreaId = 10;

impl Drawing for Pig {
    fn draw(&self, state: &State) -> Picture {
        const WIDTH: f64 = 340.0;
        const BAR: f64 = 210.0;
        let mut picture = Picture::new(WIDTH, 150.0);
        for (seat, name) in PLAYERS.into_iter().enumerate() {
            let y = 16.0 + 36.0 * seat as f64;
            let moves = seat == usize::from(state.mover);
            let scale = BAR / f64::from(self.target);
            let kept = f64::from(state.scores[seat]) * scale;
            picture.text(42.0, y + 12.0, 14.0, INK, name);
            picture.rect(80.0, y, BAR, 24.0, LIGHT, GRID);
            picture.rect(80.0, y, kept, 24.0, SEATS[seat], SEATS[seat]);
            if moves && state.gathered > 0 {
                let gathered = (f64::from(state.gathered) * scale).min(BAR - kept);
                picture.raw(format_args!(
                    r#"<rect x="{:.1}" y="{y}" width="{gathered:.1}" height="24" fill="{}" fill-opacity="0.4"/>"#,
                    80.0 + kept,
                    SEATS[seat]
                ));
            }
            let total = state.scores[seat] + if moves { state.gathered } else { 0 };
            picture.text(314.0, y + 12.0, 14.0, INK, &total.to_string());
        }
        picture.text(WIDTH / 2.0, 96.0, 13.0, INK, &self.headline(state));
        match state.phase {
            Phase::Choose => {
                button(&mut picture, ROLL_AREA, "roll", WIDTH / 2.0 - 96.0);
                if state.gathered > 0 {
                    button(&mut picture, HOLD_AREA, "hold", WIDTH / 2.0 + 6.0);
                }
            }
            Phase::Roll => {
                for face in 1..=6u8 {
                    let x = WIDTH / 2.0 + 36.0 * (f64::from(face) - 3.5) - 14.0;
                    picture.die(x, 111.0, 28.0, face);
                    picture.area(FACE_AREA + AreaId::from(face), format!("face {face}"), x, 111.0, 28.0, 28.0);
                }
            }
            Phase::Over => {}
        }
        picture
    }

    fn clicks(&self, _state: &State, _actor: Actor, action: Action) -> Vec<AreaId> {
        vec![match action {
            Action::Roll => ROLL_AREA,
            Action::Hold => HOLD_AREA,
            Action::Face(face) => FACE_AREA + AreaId::from(face),
        }]
    }
}

fn button(picture: &mut Picture, area: AreaId, label: &str, x: f64) {
    let (y, width, height) = (111.0, 90.0, 28.0);
    picture.raw(format_args!(
        r#"<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="6" fill="{DARK}" stroke="{GRID}"/>"#
    ));
    picture.text(x + width / 2.0, y + height / 2.0, 14.0, INK, label);
    picture.area(area, label, x, y, width, height);
}

//! The default picture of a game: its board as text, with a button for each legal action.

use crate::drawing::{DARK, GRID, INK, escape};
use crate::{Actor, AreaId, Game, Notation, Picture, legal_actions};

/// The width of a character of the monospaced font, the height of a line, and the margin.
const CHARACTER: f64 = 9.0;
const LINE: f64 = 20.0;
const MARGIN: f64 = 12.0;
/// The height of a button, and the gap between buttons.
const CHIP: f64 = 28.0;
const GAP: f64 = 6.0;
/// The longest line of the board before wrapping, and the least width of a picture.
const LONGEST_LINE: usize = 80;
const LEAST_WIDTH: f64 = 360.0;
/// The areas of each actor begin at a multiple of this number.
const AREAS: AreaId = 1 << 20;

/// Draws the text board of `state` above the buttons of the actors.
pub(crate) fn draw<G: Notation>(game: &G, state: &G::State) -> Picture {
    let lines = wrapped(&game.board_text(state));
    let chips = chips(game, state);
    let longest = |texts: &mut dyn Iterator<Item = usize>| texts.max().unwrap_or(0) as f64 * CHARACTER;
    let text_width = longest(&mut lines.iter().map(|line| line.chars().count()));
    let chip_width = longest(&mut chips.iter().map(|(_, label)| label.chars().count() + 2));
    let width = LEAST_WIDTH.max(text_width + 2.0 * MARGIN).max(chip_width + 2.0 * MARGIN);
    let places = places(&chips, width, 2.0 * MARGIN + LINE * lines.len() as f64);
    let bottom = places.last().map_or(MARGIN + LINE * lines.len() as f64, |&(_, y, _)| y + CHIP);
    let mut picture = Picture::new(width, bottom + MARGIN);
    for (index, line) in lines.iter().enumerate() {
        left_text(&mut picture, MARGIN, MARGIN + LINE * (index as f64 + 0.5), line);
    }
    for ((id, label), (x, y, width)) in chips.into_iter().zip(places) {
        picture.raw(format_args!(
            r#"<rect x="{x}" y="{y}" width="{width}" height="{CHIP}" rx="6" fill="{DARK}" stroke="{GRID}"/>"#
        ));
        left_text(&mut picture, x + CHARACTER, y + 0.5 * CHIP, &label);
        picture.area(id, label, x, y, width, CHIP);
    }
    picture
}

/// The area of the button of a legal action.
pub(crate) fn chip<G: Game>(game: &G, state: &G::State, actor: Actor, action: G::Action) -> Option<AreaId> {
    let index = legal_actions(game, state, actor).iter().position(|&legal| legal == action)?;
    Some(first_area(actor) + index as AreaId)
}

fn first_area(actor: Actor) -> AreaId {
    match actor {
        Actor::Chance => 0,
        Actor::Player(player) => AREAS * (AreaId::from(player.0) + 1),
    }
}

/// The buttons of all actors with their labels. The label names the actor if there are several.
fn chips<G: Notation>(game: &G, state: &G::State) -> Vec<(AreaId, String)> {
    let actors: Vec<Actor> = game.turn(state).actors().collect();
    let mut chips = Vec::new();
    for &actor in &actors {
        for (index, action) in legal_actions(game, state, actor).into_iter().enumerate() {
            let text = game.action_text(state, actor, action);
            let label = match actor {
                Actor::Player(player) if actors.len() > 1 => format!("{}: {text}", game.spec().player_name(player)),
                _ => text,
            };
            chips.push((first_area(actor) + index as AreaId, label));
        }
    }
    chips
}

/// The left edge, top edge and width of each button, in rows below `top`.
fn places(chips: &[(AreaId, String)], width: f64, top: f64) -> Vec<(f64, f64, f64)> {
    let (mut x, mut y) = (MARGIN, top);
    let place = |(_, label): &(AreaId, String)| {
        let wide = CHARACTER * (label.chars().count() + 2) as f64;
        if x > MARGIN && x + wide > width - MARGIN {
            (x, y) = (MARGIN, y + CHIP + GAP);
        }
        let place = (x, y, wide);
        x += wide + GAP;
        place
    };
    chips.iter().map(place).collect()
}

/// The lines of a text, wrapped to [`LONGEST_LINE`] characters.
fn wrapped(text: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for line in text.lines() {
        let characters: Vec<char> = line.chars().collect();
        lines.extend(characters.chunks(LONGEST_LINE).map(|part| part.iter().collect::<String>()));
    }
    lines
}

fn left_text(picture: &mut Picture, x: f64, y: f64, text: &str) {
    let text = escape(text);
    let font = r#"dominant-baseline="central" xml:space="preserve" font-family="DejaVu Sans Mono, monospace""#;
    picture.raw(format_args!(r#"<text x="{x}" y="{y}" font-size="15" fill="{INK}" {font}>{text}</text>"#));
}

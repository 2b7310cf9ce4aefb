//! The memberships of actions over two of their features.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};
use tesuji_core::drawing;

use super::canvas::{LETTERS, MARGIN, SMALL, WIDTH, agent_colour, colour, draw, fitted, letters, mixed};

/// The width of the labels of the vertical axis.
const MARKS: i32 = 60;
/// The maximum height of a cell.
const HIGHEST_CELL: i32 = 34;
/// Smaller numbers are omitted.
const SMALLEST_FIGURE: f64 = 7.0;
/// The maximum strength of a colour: text must be readable on it.
const STRONGEST: f64 = 0.7;

/// The map of points (x, y, membership, samples) over two features with these names.
pub(crate) fn membership_map([across, up]: [&str; 2], places: &[(f64, f64, f64, u64)]) -> String {
    let (columns, rows) = (values(places.iter().map(|place| place.0)), values(places.iter().map(|place| place.1)));
    let wide = ((WIDTH - 2 * MARGIN - MARKS) / columns.len().max(1) as i32).clamp(1, 64);
    let high = HIGHEST_CELL;
    let (left, top) = (MARGIN + MARKS, 44);
    let bottom = top + high * rows.len() as i32;
    let ink = colour(drawing::INK);
    let size = SMALL.min(f64::from(wide) * 0.34);
    let name = format!("membership in the good actions, %, over {across} and {up}");
    draw(bottom + 58, &name, |area| {
        let style = |size, horizontal, vertical| letters(size, ink, horizontal, vertical);
        area.draw(&Text::new(
            fitted(&name, LETTERS, WIDTH - 2 * MARGIN),
            (MARGIN, 18),
            style(LETTERS, HPos::Left, VPos::Center),
        ))?;
        for (index, value) in rows.iter().rev().enumerate() {
            let y = top + high * index as i32 + high / 2;
            area.draw(&Text::new(value.to_string(), (left - 8, y), style(SMALL, HPos::Right, VPos::Center)))?;
        }
        area.draw(&Text::new(fitted(up, SMALL, MARKS), (MARGIN, top - 8), style(SMALL, HPos::Left, VPos::Center)))?;
        for (index, value) in columns.iter().enumerate() {
            let x = left + wide * index as i32 + wide / 2;
            area.draw(&Text::new(value.to_string(), (x, bottom + 12), style(SMALL, HPos::Center, VPos::Center)))?;
        }
        let middle = left + wide * columns.len() as i32 / 2;
        area.draw(&Text::new(across.to_owned(), (middle, bottom + 36), style(SMALL, HPos::Center, VPos::Center)))?;
        for (x, y, membership, _) in places {
            let column = columns.iter().position(|value| value == x).unwrap_or(0) as i32;
            let row = rows.iter().rev().position(|value| value == y).unwrap_or(0) as i32;
            let fill = match membership {
                good if *good >= 0.5 => mixed(WHITE, agent_colour(1), (good * 2.0 - 1.0) * STRONGEST),
                bad => mixed(WHITE, agent_colour(0), (1.0 - bad * 2.0) * STRONGEST),
            };
            let (x, y) = (left + wide * column, top + high * row);
            let gap = i32::from(wide > 8);
            area.draw(&Rectangle::new([(x, y), (x + wide - gap, y + high - gap)], fill.filled()))?;
            if size >= SMALLEST_FIGURE {
                let text = format!("{:.0}", membership * 100.0);
                let place = (x + wide / 2, y + high / 2);
                area.draw(&Text::new(text, place, style(size, HPos::Center, VPos::Center)))?;
            }
        }
        Ok(())
    })
}

/// All distinct values, in order.
fn values(all: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut values: Vec<f64> = all.collect();
    values.sort_by(f64::total_cmp);
    values.dedup();
    values
}

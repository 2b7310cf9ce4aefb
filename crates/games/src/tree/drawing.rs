//! The picture of a tree: the subtree below the current node, from left to right, and buttons for the actors.

use tesuji_core::drawing::{DARK, FONT, GRID, INK, LIGHT, SEATS, escape};
use tesuji_core::{Actor, AreaId, Drawing, Picture, Player};

use super::notation::short;
use super::{Action, Kind, State, Tree};

/// The distances of columns and of rows.
const COLUMN: f64 = 150.0;
const ROW: f64 = 30.0;
const MARGIN: f64 = 18.0;
const BUTTON_HEIGHT: f64 = 26.0;
/// The minimum width of a picture.
const LEAST_WIDTH: f64 = 380.0;
/// The most rows and columns that are drawn; deeper nodes show that something follows.
const MOST_ROWS: usize = 40;
const MOST_COLUMNS: usize = 6;
/// The colour of chance and of everything that belongs to no player.
const NEUTRAL: &str = "#6b675e";

/// The area of an action; each seat and chance have a range of their own.
fn area_of(actor: Actor, action: Action) -> AreaId {
    let range = match actor {
        Actor::Player(player) => AreaId::from(player.0) + 1,
        Actor::Chance => 0,
    };
    range << 24 | action & 0xff_ffff
}

fn colour(player: Player) -> &'static str {
    SEATS[player.index() % SEATS.len()]
}

/// The estimated width of a text.
fn width(text: &str, size: f64) -> f64 {
    text.chars().map(|c| if c.is_ascii() { 0.58 } else { 1.0 }).sum::<f64>() * size
}

/// A button: its area, label and colour.
struct Button {
    area: AreaId,
    label: String,
    colour: &'static str,
}

impl Drawing for Tree {
    fn draw(&self, state: &State) -> Picture {
        let depth = (1..=MOST_COLUMNS).take_while(|&depth| self.rows(state.0, depth) <= MOST_ROWS).last().unwrap_or(0);
        let columns = self.columns(state.0, depth);
        let rows = self.rows(state.0, depth);
        let tree_width = columns as f64 * COLUMN + self.end_width();
        let width = (2.0 * MARGIN + tree_width).max(LEAST_WIDTH);
        let top = 44.0;
        let tree_bottom = top + rows as f64 * ROW;
        let (buttons, bottom) = layout(self.buttons(*state), width, tree_bottom + 14.0);
        let mut picture = Picture::new(width, bottom + MARGIN);
        picture.text(width / 2.0, 22.0, 15.0, INK, &self.headline(*state));
        let mut row = 0.0;
        let left = (width - tree_width) / 2.0 + 34.0;
        self.draw_node(&mut picture, state.0, depth, left, top, &mut row);
        for (button, x, y, width) in buttons {
            let style = format_args!(r#"rx="6" fill="{DARK}" stroke="{}" stroke-width="2""#, button.colour);
            picture.raw(format_args!(
                r#"<rect x="{x:.1}" y="{y:.1}" width="{width:.1}" height="{BUTTON_HEIGHT}" {style}/>"#
            ));
            picture.text(x + width / 2.0, y + BUTTON_HEIGHT / 2.0, 13.0, INK, &button.label);
            picture.area(button.area, button.label, x, y, width, BUTTON_HEIGHT);
        }
        picture
    }

    fn clicks(&self, _state: &State, actor: Actor, action: Action) -> Vec<AreaId> {
        vec![area_of(actor, action)]
    }
}

impl Tree {
    /// The number of rows needed to draw a node and `depth` levels below it.
    fn rows(&self, node: u32, depth: usize) -> usize {
        let children = self.nodes[node as usize].kind.children();
        if depth == 0 || children.is_empty() {
            return 1;
        }
        let mut rows = 0;
        for &child in children {
            rows += self.rows(child, depth - 1);
            if rows > MOST_ROWS {
                break;
            }
        }
        rows
    }

    /// The number of levels below a node, at most `depth`.
    fn columns(&self, node: u32, depth: usize) -> usize {
        let children = self.nodes[node as usize].kind.children();
        if depth == 0 { 0 } else { children.iter().map(|&child| 1 + self.columns(child, depth - 1)).max().unwrap_or(0) }
    }

    /// The width of the payoffs right of the last column.
    fn end_width(&self) -> f64 {
        let widths = self.nodes.iter().map(|node| match &node.kind {
            Kind::End { payoffs } => width(&payoffs_text(payoffs), 13.0),
            _ => 0.0,
        });
        widths.fold(60.0, f64::max) + 34.0
    }

    fn buttons(&self, state: State) -> Vec<Button> {
        let several = |actions: &[String], player: Player, prefix: &str| -> Vec<Button> {
            let button = |(index, name): (usize, &String)| Button {
                area: area_of(Actor::Player(player), index as Action),
                label: format!("{prefix}{name}"),
                colour: colour(player),
            };
            actions.iter().enumerate().map(button).collect()
        };
        match self.node(state) {
            Kind::Choice { player, actions, .. } => several(actions, *player, ""),
            Kind::Joint { players, actions, .. } => players
                .zip(actions)
                .flat_map(|(player, actions)| {
                    several(actions, player, &format!("{}: ", self.spec.players[player.index()]))
                })
                .collect(),
            Kind::Chance { outcomes, .. } => outcomes
                .iter()
                .enumerate()
                .map(|(index, (name, _))| Button {
                    area: area_of(Actor::Chance, index as Action),
                    label: name.clone(),
                    colour: NEUTRAL,
                })
                .collect(),
            Kind::End { .. } => Vec::new(),
        }
    }

    /// Draws a node and its subtree; returns the height at which the node stands.
    fn draw_node(&self, picture: &mut Picture, node: u32, depth: usize, x: f64, top: f64, row: &mut f64) -> f64 {
        let kind = &self.nodes[node as usize].kind;
        let children = if depth == 0 { &[][..] } else { kind.children() };
        let y = if children.is_empty() {
            let y = top + (*row + 0.5) * ROW;
            *row += 1.0;
            y
        } else {
            // Edges lie below nodes, so they are drawn into a separate picture first.
            let mut below = Picture { body: String::new(), areas: Vec::new(), ..*picture };
            let ends: Vec<(u32, f64)> = children
                .iter()
                .map(|&child| (child, self.draw_node(&mut below, child, depth - 1, x + COLUMN, top, row)))
                .collect();
            let y = (ends[0].1 + ends[ends.len() - 1].1) / 2.0;
            for (index, &(child, end)) in ends.iter().enumerate() {
                self.draw_step(picture, kind, index, child, (x, y), (x + COLUMN, end));
            }
            picture.body.push_str(&below.body);
            y
        };
        match kind {
            Kind::End { payoffs } => {
                left_text(picture, x - 6.0, y, 13.0, INK, &payoffs_text(payoffs));
            }
            Kind::Choice { player, .. } => disc(picture, x, y, colour(*player), &self.spec.players[player.index()]),
            Kind::Chance { .. } => {
                let (left, right, above, below) = (x - 9.0, x + 9.0, y - 9.0, y + 9.0);
                let style = format_args!(r#"fill="{NEUTRAL}" stroke="{INK}""#);
                picture.raw(format_args!(
                    r#"<path d="M {left} {y} L {x} {above} L {right} {y} L {x} {below} Z" {style}/>"#
                ));
            }
            Kind::Joint { players, .. } => {
                let names: Vec<&str> = players.map(|player| self.spec.players[player.index()].as_str()).collect();
                for (index, player) in players.enumerate().collect::<Vec<_>>().into_iter().rev() {
                    picture.circle(x + 7.0 * index as f64 - 4.0, y, 8.0, colour(player), INK);
                }
                caption(picture, x, y, &names.join(" & "));
            }
        }
        if depth == 0 && !kind.children().is_empty() {
            left_text(picture, x + 14.0, y, 14.0, INK, "…");
        }
        y
    }

    fn draw_step(
        &self,
        picture: &mut Picture,
        kind: &Kind,
        index: usize,
        child: u32,
        from: (f64, f64),
        to: (f64, f64),
    ) {
        picture.line(from.0, from.1, to.0 - 10.0, to.1, GRID, 2.0);
        let label = &self.nodes[child as usize].label;
        let label = match kind {
            Kind::Chance { outcomes, .. } => {
                format!("{label} {}%", short((1000.0 * outcomes[index].1).round() / 10.0))
            }
            _ => label.clone(),
        };
        // Near the child, where the steps of one node are apart.
        let (x, y) = (from.0 + 0.62 * (to.0 - from.0), from.1 + 0.62 * (to.1 - from.1));
        let wide = width(&label, 11.0) + 6.0;
        picture.raw(format_args!(
            r#"<rect x="{:.1}" y="{:.1}" width="{wide:.1}" height="14" rx="3" fill="{LIGHT}" fill-opacity="0.92"/>"#,
            x - wide / 2.0,
            y - 7.0
        ));
        picture.text(x, y, 11.0, INK, &label);
    }
}

fn payoffs_text(payoffs: &[f64]) -> String {
    let texts: Vec<String> = payoffs.iter().map(|&payoff| short(payoff)).collect();
    format!("[ {} ]", texts.join(", "))
}

fn disc(picture: &mut Picture, x: f64, y: f64, fill: &str, name: &str) {
    picture.circle(x, y, 9.0, fill, INK);
    caption(picture, x, y, name);
}

fn caption(picture: &mut Picture, x: f64, y: f64, name: &str) {
    picture.text(x, y + 17.0, 10.0, INK, name);
}

/// Draws a text that begins at a point.
fn left_text(picture: &mut Picture, x: f64, y: f64, size: f64, fill: &str, text: &str) {
    let text = escape(text);
    let font = format_args!(r#"dominant-baseline="central" font-family="{FONT}""#);
    picture.raw(format_args!(r#"<text x="{x}" y="{y}" font-size="{size}" fill="{fill}" {font}>{text}</text>"#));
}

/// Lays out buttons in centred lines, one player after the other. Returns their left edges, tops and widths, and the
/// bottom of the last line.
fn layout(buttons: Vec<Button>, room: f64, top: f64) -> (Vec<(Button, f64, f64, f64)>, f64) {
    const GAP: f64 = 8.0;
    let most = room - 2.0 * MARGIN;
    let mut lines: Vec<(Vec<(Button, f64)>, f64)> = Vec::new();
    for button in buttons {
        let wide = (width(&button.label, 13.0) + 22.0).clamp(56.0, most);
        match lines.last_mut() {
            Some((line, used)) if *used + GAP + wide <= most && line[0].0.colour == button.colour => {
                line.push((button, wide));
                *used += GAP + wide;
            }
            _ => lines.push((vec![(button, wide)], wide)),
        }
    }
    let mut placed = Vec::new();
    let mut y = top;
    for (line, used) in lines {
        let mut x = (room - used) / 2.0;
        for (button, wide) in line {
            placed.push((button, x, y, wide));
            x += wide + GAP;
        }
        y += BUTTON_HEIGHT + GAP;
    }
    (placed, y)
}

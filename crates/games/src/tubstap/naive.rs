//! A plain implementation of the rules to compare the engine with: the full map with its frame, a list of units, search
//! by cost.

use std::collections::BTreeSet;

use tesuji_core::{Player, Turn};

use super::{Action, Kind, Map, Rules, Terrain};

#[derive(Clone)]
struct Piece {
    kind: Kind,
    team: usize,
    x: usize,
    y: usize,
    hp: i32,
    finished: bool,
}

/// A match in progress.
#[derive(Clone)]
pub(super) struct Match {
    rules: Rules,
    grid: Vec<Vec<Terrain>>,
    pieces: Vec<Piece>,
    turn: u32,
    limit: u32,
    threshold: i32,
    over: bool,
}

impl Match {
    pub(super) fn new(map: &Map, rules: Rules) -> Match {
        let mut grid = vec![vec![Terrain::NoEntry; map.width() + 2]; map.height() + 2];
        for y in 0..map.height() {
            for x in 0..map.width() {
                grid[y + 1][x + 1] = map.terrain()[y * map.width() + x];
            }
        }
        let pieces = map.units().iter().map(|unit| Piece {
            kind: unit.kind,
            team: usize::from(unit.team.0),
            x: usize::from(unit.cell) % map.width() + 1,
            y: usize::from(unit.cell) / map.width() + 1,
            hp: i32::from(unit.hp),
            finished: unit.finished,
        });
        let mut game = Match {
            rules,
            grid,
            pieces: pieces.collect(),
            turn: 0,
            limit: u32::from(map.turn_limit()),
            threshold: map.threshold() as i32,
            over: false,
        };
        game.settle();
        game
    }

    fn side(&self) -> usize {
        (self.turn % 2) as usize
    }

    fn hp(&self, team: usize) -> i32 {
        self.pieces.iter().filter(|piece| piece.team == team).map(|piece| piece.hp).sum()
    }

    /// Ends the match or the turn when it is due.
    fn settle(&mut self) {
        loop {
            if self.hp(0) == 0 || self.hp(1) == 0 || self.turn == self.limit {
                self.over = true;
                return;
            }
            let side = self.side();
            if self.pieces.iter().any(|piece| piece.team == side && piece.hp > 0 && !piece.finished) {
                return;
            }
            for piece in self.pieces.iter_mut().filter(|piece| piece.team == side) {
                piece.finished = false;
            }
            self.turn += 1;
        }
    }

    pub(super) fn turn(&self) -> Turn {
        if self.over { Turn::Over } else { Turn::Player(Player(self.side() as u8)) }
    }

    fn piece_at(&self, x: usize, y: usize) -> Option<usize> {
        self.pieces.iter().position(|piece| piece.hp > 0 && (piece.x, piece.y) == (x, y))
    }

    fn stars(&self, piece: &Piece, x: usize, y: usize) -> i32 {
        match piece.kind {
            Kind::Fighter | Kind::Attacker => 0,
            _ => match self.grid[y][x] {
                Terrain::Plain => 1,
                Terrain::Wood => 3,
                Terrain::Mountain | Terrain::Fortress => 4,
                _ => 0,
            },
        }
    }

    fn power(&self, attacker: Kind, defender: Kind) -> i32 {
        let text = match attacker {
            Kind::Fighter => "55 65 0 0 0 0",
            Kind::Attacker => "0 0 105 105 85 115",
            Kind::Panzer => "0 0 55 70 75 75",
            Kind::Cannon => "0 0 60 75 65 90",
            Kind::Antiair if self.rules == Rules::V0108 => "70 70 15 50 45 105",
            Kind::Antiair => "70 70 15 50 45 115",
            Kind::Infantry => "0 0 5 10 3 55",
        };
        let column = "FAPURI".find(defender.letter()).unwrap();
        text.split(' ').nth(column).unwrap().parse().unwrap()
    }

    fn distances(&self, number: usize) -> Vec<Vec<Option<u32>>> {
        let piece = &self.pieces[number];
        let (points, costs) = match piece.kind {
            Kind::Fighter => (9, [0, 1, 1, 1, 1, 1, 1]),
            Kind::Attacker => (7, [0, 1, 1, 1, 1, 1, 1]),
            Kind::Panzer | Kind::Antiair => (6, [0, 1, 0, 2, 0, 1, 1]),
            Kind::Cannon => (5, [0, 1, 0, 2, 0, 1, 1]),
            Kind::Infantry => (3, [0, 1, 0, 1, 2, 1, 1]),
        };
        let mut best = vec![vec![None; self.grid[0].len()]; self.grid.len()];
        best[piece.y][piece.x] = Some(0);
        let mut open = vec![(piece.x, piece.y)];
        while let Some((x, y)) = open.pop() {
            let so_far = best[y][x].unwrap();
            for (nx, ny) in [(x, y.wrapping_sub(1)), (x.wrapping_sub(1), y), (x + 1, y), (x, y + 1)] {
                let Some(&terrain) = self.grid.get(ny).and_then(|row| row.get(nx)) else { continue };
                let cost = costs[terrain as usize];
                if cost == 0 || so_far + cost > points {
                    continue;
                }
                if self.piece_at(nx, ny).is_some_and(|other| self.pieces[other].team != piece.team) {
                    continue;
                }
                if best[ny][nx].is_none_or(|known: u32| so_far + cost < known) {
                    best[ny][nx] = Some(so_far + cost);
                    open.push((nx, ny));
                }
            }
        }
        best
    }

    pub(super) fn legal(&self) -> BTreeSet<Action> {
        let mut actions = BTreeSet::new();
        let cell = |x: usize, y: usize| ((y - 1) * (self.grid[0].len() - 2) + x - 1) as u16;
        for (number, piece) in self.pieces.iter().enumerate() {
            if piece.team != self.side() || piece.finished || piece.hp == 0 || self.over {
                continue;
            }
            let distances = self.distances(number);
            for (y, row) in distances.iter().enumerate() {
                for (x, distance) in row.iter().enumerate() {
                    let home = (x, y) == (piece.x, piece.y);
                    if distance.is_none() || !home && self.piece_at(x, y).is_some() {
                        continue;
                    }
                    let unit = number as u8;
                    actions.insert(Action { unit, target: None, to: cell(x, y) });
                    for (target, other) in self.pieces.iter().enumerate() {
                        let distance = x.abs_diff(other.x) + y.abs_diff(other.y);
                        let hits = match piece.kind {
                            Kind::Cannon => home && (distance == 2 || distance == 3),
                            _ => distance == 1,
                        };
                        if other.team != piece.team && other.hp > 0 && hits {
                            actions.insert(Action { unit, target: Some(target as u8), to: cell(x, y) });
                        }
                    }
                }
            }
        }
        actions
    }

    pub(super) fn apply(&mut self, action: Action) {
        let width = self.grid[0].len() - 2;
        let (x, y) = (usize::from(action.to) % width + 1, usize::from(action.to) / width + 1);
        let number = usize::from(action.unit);
        (self.pieces[number].x, self.pieces[number].y) = (x, y);
        self.pieces[number].finished = true;
        if let Some(target) = action.target.map(usize::from) {
            self.strike(number, target);
            let ranged = [number, target].iter().any(|&piece| self.pieces[piece].kind == Kind::Cannon);
            if self.pieces[target].hp > 0 && !ranged {
                self.strike(target, number);
            }
        }
        self.settle();
    }

    fn strike(&mut self, attacker: usize, defender: usize) {
        let (by, on) = (&self.pieces[attacker], &self.pieces[defender]);
        let stars = self.stars(on, on.x, on.y);
        let damage = (self.power(by.kind, on.kind) * by.hp + 70) / (100 + stars * on.hp);
        self.pieces[defender].hp = (self.pieces[defender].hp - damage).max(0);
    }

    pub(super) fn payoff(&self, player: usize) -> f64 {
        let (own, other) = (self.hp(player), self.hp(1 - player));
        let beats = |lead: i32| match self.rules {
            Rules::V0108 => lead > self.threshold,
            Rules::Paper => lead > 0 && lead >= self.threshold,
        };
        match (own, other) {
            (_, 0) => 1.0,
            (0, _) => 0.0,
            _ if beats(own - other) => 1.0,
            _ if beats(other - own) => 0.0,
            _ => 0.5,
        }
    }
}

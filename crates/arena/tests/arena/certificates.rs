//! Certificates of exact values, checked by a verifier that shares nothing with the solver: its own rules on rows of
//! cells, its own fractions, its own bound by counting.

use std::collections::HashMap;

use tesuji_arena::{SolvePlan, certified_game};

const PLAN: SolvePlan<'static> = SolvePlan { most_nodes: 1_000_000, tolerance: 1e-9, stop: None };

/// A fraction in lowest terms is not needed: comparisons cross-multiply.
#[derive(Clone, Copy, Debug)]
struct Ratio {
    over: i128,
    under: i128,
}

impl Ratio {
    fn read(text: &str) -> Option<Ratio> {
        let (over, under) = text.split_once('/').unwrap_or((text, "1"));
        let (over, under) = (over.parse().ok()?, under.parse().ok()?);
        (under > 0).then_some(Ratio { over, under })
    }

    fn plus(self, other: Ratio) -> Ratio {
        let (over, under) = (self.over * other.under + other.over * self.under, self.under * other.under);
        let divisor = common_divisor(over.abs(), under);
        Ratio { over: over / divisor, under: under / divisor }
    }

    fn times(self, other: Ratio) -> Ratio {
        Ratio { over: self.over * other.over, under: self.under * other.under }
    }

    fn at_least(self, other: Ratio) -> bool {
        self.over * other.under >= other.over * self.under
    }
}

fn common_divisor(one: i128, two: i128) -> i128 {
    if two == 0 { one.max(1) } else { common_divisor(two, one % two) }
}

const ZERO: Ratio = Ratio { over: 0, under: 1 };
const HALF: Ratio = Ratio { over: 1, under: 2 };
const ONE: Ratio = Ratio { over: 1, under: 1 };

/// A board: `true` where a cell is free.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Cells(Vec<Vec<bool>>);

impl Cells {
    fn read(text: &str) -> Cells {
        Cells(text.split('/').map(|row| row.chars().map(|cell| cell == '.').collect()).collect())
    }

    fn is_free(&self, row: usize, column: usize) -> bool {
        self.0.get(row).and_then(|row| row.get(column)) == Some(&true)
    }

    fn bar(player: usize, length: usize, row: usize, column: usize) -> Vec<(usize, usize)> {
        (0..length).map(|step| if player == 0 { (row + step, column) } else { (row, column + step) }).collect()
    }

    /// The bars that a player can lay: their cells.
    fn bars(&self, player: usize, length: usize) -> Vec<Vec<(usize, usize)>> {
        let places = (0..self.0.len()).flat_map(|row| (0..self.0[0].len()).map(move |column| (row, column)));
        let bars = places.map(|(row, column)| Cells::bar(player, length, row, column));
        bars.filter(|bar| bar.iter().all(|&(row, column)| self.is_free(row, column))).collect()
    }

    /// The board after both lay a bar. Cells that no bar can cover any more count as filled.
    fn after(&self, bars: [&[(usize, usize)]; 2], length: usize) -> Cells {
        let mut next = self.clone();
        bars.into_iter().flatten().for_each(|&(row, column)| next.0[row][column] = false);
        let mut useful = Cells(vec![vec![false; self.0[0].len()]; self.0.len()]);
        for player in 0..2 {
            for (row, column) in next.bars(player, length).into_iter().flatten() {
                useful.0[row][column] = true;
            }
        }
        useful
    }

    /// The most bars that a player can ever lay here: whole bars in each run of its direction.
    fn most(&self, player: usize, length: usize) -> usize {
        let (lines, cells) =
            if player == 0 { (self.0[0].len(), self.0.len()) } else { (self.0.len(), self.0[0].len()) };
        let mut count = 0;
        for line in 0..lines {
            let mut run = 0;
            for cell in 0..=cells {
                let (row, column) = if player == 0 { (cell, line) } else { (line, cell) };
                if self.is_free(row, column) {
                    run += 1;
                } else {
                    count += run / length;
                    run = 0;
                }
            }
        }
        count
    }

    /// The bars that a player can lay whatever the other does: in cells that no bar of the other covers.
    fn undisturbed(&self, player: usize, length: usize) -> usize {
        let mut own = self.clone();
        for (row, column) in self.bars(1 - player, length).into_iter().flatten() {
            own.0[row][column] = false;
        }
        own.most(player, length)
    }

    /// What vertical gets if the match is over.
    fn payoff(&self, length: usize) -> Option<Ratio> {
        match [0, 1].map(|player| self.bars(player, length).is_empty()) {
            [false, false] => None,
            [false, true] => Some(ONE),
            [true, false] => Some(ZERO),
            [true, true] => Some(HALF),
        }
    }
}

/// Checks a certificate of a synchronized game: the value, or what is wrong.
fn verify(text: &str, length: usize) -> Result<(String, usize), String> {
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split('\t').collect()).collect();
    let ["state", start] = lines[2][..] else { return Err("no state".to_owned()) };
    let ["value", value] = lines[3][..] else { return Err("no value".to_owned()) };
    let mut known: [HashMap<Cells, Ratio>; 2] = [HashMap::new(), HashMap::new()];
    for claim in &lines[4..] {
        let (player, bound) = (usize::from(claim[0] == "<="), Ratio::read(claim[1]).ok_or("no bound")?);
        let best = known[player].entry(Cells::read(claim[2])).or_insert(bound);
        if if player == 0 { bound.at_least(*best) } else { best.at_least(bound) } {
            *best = bound;
        }
    }
    for (number, claim) in lines[4..].iter().enumerate() {
        let (player, bound) = (usize::from(claim[0] == "<="), Ratio::read(claim[1]).ok_or("no bound")?);
        let reaches = |worth: Ratio| if player == 0 { worth.at_least(bound) } else { bound.at_least(worth) };
        let wrong = |what: &str| Err(format!("claim {}: {what}", number + 1));
        let board = Cells::read(claim[2]);
        let worth = |board: &Cells| match board.payoff(length) {
            Some(payoff) => payoff,
            None => known[player].get(board).copied().unwrap_or([ZERO, ONE][player]),
        };
        if claim.len() == 3 {
            if reaches([ZERO, ONE][player]) {
                // Payoffs lie between 0 and 1.
                continue;
            }
            // More undisturbed bars than the other can ever lay win; equally many do not lose.
            let (own, other) = (board.undisturbed(player, length), board.most(1 - player, length));
            let secured = if own > other { [ONE, ZERO][player] } else { HALF };
            if own < other || !reaches(secured) {
                return wrong("counting does not show it");
            }
            continue;
        }
        let mut sum = ZERO;
        let mut mix = Vec::new();
        for share in &claim[3..] {
            let (share, cell) = share.split_once(' ').ok_or("no share")?;
            let letters = cell.chars().take_while(|letter| letter.is_ascii_lowercase()).count();
            let column =
                cell[..letters].chars().fold(0, |sum, letter| sum * 26 + letter as usize - 'a' as usize + 1) - 1;
            let row: usize = cell[letters..].parse::<usize>().map_err(|error| error.to_string())? - 1;
            let share = Ratio::read(share).ok_or("no share")?;
            let bar = Cells::bar(player, length, row, column);
            if !share.at_least(ZERO) || !board.bars(player, length).contains(&bar) {
                return wrong("not a strategy");
            }
            sum = sum.plus(share);
            mix.push((bar, share));
        }
        if !(sum.at_least(ONE) && ONE.at_least(sum)) {
            return wrong("not a strategy");
        }
        for reply in board.bars(1 - player, length) {
            let part = |(bar, share): &(Vec<(usize, usize)>, Ratio)| {
                let bars: [&[(usize, usize)]; 2] = if player == 0 { [bar, &reply] } else { [&reply, bar] };
                share.times(worth(&board.after(bars, length)))
            };
            if !reaches(mix.iter().map(part).fold(ZERO, Ratio::plus)) {
                return wrong("a reply refutes it");
            }
        }
    }
    // Nothing is filled on the first board except what no bar covers.
    let start = Cells::read(start).after([&[], &[]], length);
    let claimed = Ratio::read(value).ok_or("no value")?;
    for claims in &known {
        let proven = start.payoff(length).or_else(|| claims.get(&start).copied()).ok_or("no first claim")?;
        if !(proven.at_least(claimed) && claimed.at_least(proven)) {
            return Err(format!("the claims prove {proven:?}, not {value}"));
        }
    }
    Ok((value.to_owned(), lines.len() - 4))
}

fn certificate(address: &str) -> String {
    tesuji_standard::catalogue().open(address).unwrap().certificate(None, &PLAN).unwrap()
}

#[test]
fn certificates_convince_a_verifier_with_rules_of_its_own() {
    for (address, length, value) in [
        ("sync-triomineering(8,4)", 3, "3/4"),
        ("sync-triomineering(4,8)", 3, "1/4"),
        ("sync-triomineering(5,6)", 3, "0"),
        ("sync-triomineering(6,5)", 3, "1"),
        ("sync-triomineering(4,4)", 3, "1/2"),
        ("sync-triomineering(5,13)", 3, "0"),
        ("sync-domineering(4,4)", 2, "1/2"),
        ("sync-domineering(2,6)", 2, "1/2"),
        ("sync-domineering(5,3)", 2, "1"),
    ] {
        let text = certificate(address);
        let (found, claims) = verify(&text, length).unwrap_or_else(|wrong| panic!("{address}: {wrong}"));
        assert_eq!(found, value, "{address}");
        let game = tesuji_standard::catalogue().open(certified_game(&text).unwrap()).unwrap();
        let checked = game.check_certificate(&text).unwrap();
        assert_eq!((checked.value.as_str(), checked.claims), (value, claims), "{address}");
    }
}

/// Every change of a claim that says more, or shows less, is noticed by both.
#[test]
fn tampered_certificates_are_refused() {
    let text = certificate("sync-triomineering(8,4)");
    let game = tesuji_standard::catalogue().open("sync-triomineering(8,4)").unwrap();
    let refuses = |what: &str, tampered: &str| {
        assert_ne!(text, tampered, "{what}: nothing was changed");
        assert!(verify(tampered, 3).is_err(), "{what}: the plain verifier accepts it");
        assert!(game.check_certificate(tampered).is_err(), "{what}: the program accepts it");
    };
    refuses("another value", &text.replace("value\t3/4", "value\t1"));
    refuses("a higher bound", &text.replace(">=\t3/4", ">=\t4/5"));
    refuses("all of it higher", &text.replace("3/4", "1"));
    refuses("a lower bound", &text.replace("<=\t3/4", "<=\t1/2"));
    refuses("other shares", &text.replace("1/2 b1\t1/2 b6", "1/4 b1\t3/4 b6"));
    refuses("shares above 1", &text.replace("1/2 b1\t1/2 b6", "1/2 b1\t2/3 b6"));
    refuses("another action", &text.replace("1/2 b1\t1/2 b6", "1/2 a1\t1/2 b6"));
    // Claims rest on each other: without one of them another falls. Few are needed by nobody, where a stronger claim
    // about the same position was found later.
    let lines: Vec<&str> = text.lines().collect();
    let mut refused = 0;
    for number in (4..lines.len()).step_by(lines.len() / 23) {
        let kept = lines.iter().enumerate().filter(|(index, _)| *index != number).map(|(_, line)| *line);
        let rest = kept.collect::<Vec<_>>().join("\n");
        let [plain, program] = [verify(&rest, 3).is_err(), game.check_certificate(&rest).is_err()];
        assert_eq!(plain, program, "without line {}", number + 1);
        refused += u32::from(plain);
    }
    assert!(refused > 15, "{refused}");
}

#[test]
fn games_without_certificates_are_refused() {
    for (address, expected) in [
        ("tic-tac-toe", "no certificates"),
        ("goofspiel(3)", "chance acts"),
        ("sync-triomineering(6,6)", "more than 10 "),
    ] {
        let plan = if address.starts_with("sync") { SolvePlan { most_nodes: 10, ..PLAN } } else { PLAN };
        let said =
            tesuji_standard::catalogue().open(address).unwrap().certificate(None, &plan).unwrap_err().to_string();
        assert!(said.contains(expected), "{address}: {said}");
    }
    let game = tesuji_standard::catalogue().open("sync-triomineering(4,4)").unwrap();
    for (text, expected) in [
        ("", "line 1: expected `tesuji certificate 1`"),
        ("tesuji certificate 1\ngame\tx\nvalue\t1\n", "line 3: expected `state`"),
        ("tesuji certificate 1\ngame\tx\nstate\t..../..../..../....\nvalue\tone\n", "line 4: `one`"),
        ("tesuji certificate 1\ngame\tx\nstate\t..../..../..../....\nvalue\t1\n>\t1\t....\n", "line 5: expected `>=`"),
        ("tesuji certificate 1\ngame\tx\nstate\t..../..../..../....\nvalue\t1\n", "reaches the value"),
    ] {
        let said = game.check_certificate(text).unwrap_err().to_string();
        assert!(said.contains(expected), "{text}: {said}");
    }
}

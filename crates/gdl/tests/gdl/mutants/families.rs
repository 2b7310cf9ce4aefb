//! Small games put together from parts: boards to fill, pieces to move, heaps, tokens alone, hidden choices.
//!
//! Every combination of parts is a game of its own with its own sheet. They serve as sheets whose faults no part of the
//! tutor was made for.

use std::fmt::Write;

/// A rule sheet and its name.
pub(crate) struct Made {
    pub(crate) name: String,
    pub(crate) text: String,
}

/// All games, families in turn.
pub(crate) fn all() -> Vec<Made> {
    let families = [filling(), moving(), heaps(), alone(), choices()];
    let longest = families.iter().map(Vec::len).max().unwrap_or(0);
    let mut families: Vec<_> = families.into_iter().map(Vec::into_iter).collect();
    (0..longest).flat_map(|_| families.iter_mut().filter_map(Iterator::next).collect::<Vec<_>>()).collect()
}

/// `(follows 1 2)`, `(follows 2 3)`, … up to `last`.
fn follows(last: usize) -> String {
    (1..last).map(|number| format!("(follows {number} {}) ", number + 1)).collect::<String>() + "\n"
}

fn numbers(relation: &str, last: usize) -> String {
    (1..=last).map(|number| format!("({relation} {number}) ")).collect::<String>() + "\n"
}

const ALTERNATE: &str = "(role black) (role white) (init (turn black))
(<= (next (turn white)) (true (turn black)))
(<= (next (turn black)) (true (turn white)))
(<= (legal black pass) (true (turn white)))
(<= (legal white pass) (true (turn black)))
(other black white) (other white black)
";

/// A board that two players fill: where they may put, what happens to neighbours, which lines count, and for whom.
fn filling() -> Vec<Made> {
    let mut made = Vec::new();
    for (width, height) in [(3, 3), (4, 3), (3, 4), (4, 4)] {
        for put in ["anywhere", "drop", "apart"] {
            for effect in ["stays", "flips"] {
                for lines in ["rows", "diagonals"] {
                    for wins in ["maker", "other"] {
                        let name = format!("filling-{width}x{height}-{put}-{effect}-{lines}-{wins}");
                        made.push(Made { name, text: fill(width, height, put, effect, lines, wins) });
                    }
                }
            }
        }
    }
    // Neighbours in the list differ in many parts.
    spread(made, 37)
}

fn fill(width: usize, height: usize, put: &str, effect: &str, lines: &str, wins: &str) -> String {
    let mut text = ALTERNATE.to_owned() + &follows(width.max(height));
    text += &(numbers("column", width) + &numbers("row", height));
    text += "(<= (used ?x ?y) (true (stone ?x ?y ?p)))
(<= (empty ?x ?y) (column ?x) (row ?y) (not (used ?x ?y)))
(<= (beside ?x ?y ?u ?y) (follows ?x ?u) (row ?y)) (<= (beside ?u ?y ?x ?y) (follows ?x ?u) (row ?y))
(<= (beside ?x ?y ?x ?v) (follows ?y ?v) (column ?x)) (<= (beside ?x ?v ?x ?y) (follows ?y ?v) (column ?x))
(<= (legal ?p (put ?x ?y)) (true (turn ?p)) (may ?p ?x ?y))
(<= open (true (turn ?p)) (may ?p ?x ?y))
(<= (legal ?p pass) (true (turn ?p)) (not open))
";
    text += match put {
        "anywhere" => "(<= (may ?p ?x ?y) (role ?p) (empty ?x ?y))\n",
        "drop" => {
            "(<= (may ?p ?x ?y) (role ?p) (empty ?x ?y) (supported ?x ?y))
(<= (supported ?x 1) (column ?x)) (<= (supported ?x ?y) (follows ?d ?y) (used ?x ?d))\n"
        }
        _ => {
            "(<= (may ?p ?x ?y) (role ?p) (empty ?x ?y) (not (near ?p ?x ?y)))
(<= (near ?p ?x ?y) (beside ?x ?y ?u ?v) (true (stone ?u ?v ?p)))\n"
        }
    };
    text += "(<= (next (stone ?x ?y ?p)) (does ?p (put ?x ?y)))\n";
    text += match effect {
        "stays" => "(<= (next (stone ?x ?y ?p)) (true (stone ?x ?y ?p)))\n",
        _ => {
            "(<= (touched ?u ?v) (does ?p (put ?x ?y)) (beside ?x ?y ?u ?v))
(<= (next (stone ?x ?y ?p)) (true (stone ?x ?y ?p)) (not (touched ?x ?y)))
(<= (next (stone ?x ?y ?q)) (true (stone ?x ?y ?p)) (touched ?x ?y) (other ?p ?q))\n"
        }
    };
    text += "(<= (line ?p) (true (stone ?x ?y ?p)) (follows ?x ?u) (follows ?u ?w) (true (stone ?u ?y ?p))
    (true (stone ?w ?y ?p)))
(<= (line ?p) (true (stone ?x ?y ?p)) (follows ?y ?v) (follows ?v ?w) (true (stone ?x ?v ?p))
    (true (stone ?x ?w ?p)))\n";
    if lines == "diagonals" {
        text += "(<= (line ?p) (true (stone ?x ?y ?p)) (follows ?x ?u) (follows ?y ?v) (follows ?u ?w) (follows ?v ?z)
    (true (stone ?u ?v ?p)) (true (stone ?w ?z ?p)))\n";
    }
    text += "(<= any-line (line ?p)) (<= terminal any-line) (<= terminal (not open))\n";
    let (winner, loser) = if wins == "maker" { ("?p", "?q") } else { ("?q", "?p") };
    let _ = writeln!(
        text,
        "(<= (ahead {winner}) (line ?p) (other ?p ?q) (not (line ?q)))
(<= (behind {loser}) (line ?p) (other ?p ?q) (not (line ?q)))
(<= (goal ?p 100) (role ?p) (ahead ?p)) (<= (goal ?p 0) (role ?p) (behind ?p))
(<= (goal ?p 50) (role ?p) (not (ahead ?p)) (not (behind ?p)))"
    );
    text
}

/// Two rows of pieces: how they step, whether they capture, and what ends the match.
fn moving() -> Vec<Made> {
    let mut made = Vec::new();
    for (width, height) in [(3, 4), (4, 4), (3, 5), (4, 5)] {
        for step in ["ahead", "slant", "sides", "knight"] {
            for capture in [false, true] {
                for end in ["reach", "avoid", "stuck"] {
                    let taking = if capture { "takes" } else { "blocks" };
                    let name = format!("moving-{width}x{height}-{step}-{taking}-{end}");
                    made.push(Made { name, text: movement(width, height, step, capture, end) });
                }
            }
        }
    }
    spread(made, 41)
}

fn movement(width: usize, height: usize, step: &str, capture: bool, end: &str) -> String {
    let mut text = ALTERNATE.to_owned() + &follows(width.max(height)) + &numbers("column", width);
    text += &numbers("row", height);
    for column in 1..=width {
        let _ = writeln!(text, "(init (piece {column} 1 black)) (init (piece {column} {height} white))");
    }
    text += &format!("(far black {height}) (far white 1) (init (clock 0)) (tick 0 1)\n");
    text += &(1..24).map(|number| format!("(tick {number} {}) ", number + 1)).collect::<String>();
    text += "\n(<= (next (clock ?m)) (true (clock ?n)) (tick ?n ?m))
(<= (forward black ?y ?v) (follows ?y ?v)) (<= (forward white ?y ?v) (follows ?v ?y))
(<= (aside ?x ?u) (follows ?x ?u)) (<= (aside ?x ?u) (follows ?u ?x))
(<= (taken ?x ?y) (true (piece ?x ?y ?p)))\n";
    text += match step {
        "ahead" => "(<= (reaches ?p ?x ?y ?x ?v) (column ?x) (forward ?p ?y ?v))\n",
        "slant" => {
            "(<= (reaches ?p ?x ?y ?x ?v) (column ?x) (forward ?p ?y ?v))
(<= (reaches ?p ?x ?y ?u ?v) (aside ?x ?u) (forward ?p ?y ?v))\n"
        }
        "sides" => {
            "(<= (reaches ?p ?x ?y ?x ?v) (column ?x) (forward ?p ?y ?v))
(<= (reaches ?p ?x ?y ?u ?y) (role ?p) (aside ?x ?u) (row ?y))\n"
        }
        _ => {
            "(<= (reaches ?p ?x ?y ?u ?v) (aside ?x ?u) (forward ?p ?y ?m) (forward ?p ?m ?v))
(<= (reaches ?p ?x ?y ?u ?v) (aside ?x ?w) (aside ?w ?u) (distinct ?x ?u) (forward ?p ?y ?v))\n"
        }
    };
    text += match capture {
        false => "(<= (allowed ?p ?u ?v) (role ?p) (column ?u) (row ?v) (not (taken ?u ?v)))\n",
        true => {
            "(<= (allowed ?p ?u ?v) (role ?p) (column ?u) (row ?v) (not (true (piece ?u ?v ?p))))
(<= (next (loss ?q)) (does ?p (go ?x ?y ?u ?v)) (true (piece ?u ?v ?q)))
(<= (next (loss ?q)) (true (loss ?q)))\n"
        }
    };
    text += "(<= (legal ?p (go ?x ?y ?u ?v)) (true (turn ?p)) (true (piece ?x ?y ?p)) (reaches ?p ?x ?y ?u ?v)
    (allowed ?p ?u ?v))
(<= (can ?p) (true (piece ?x ?y ?p)) (reaches ?p ?x ?y ?u ?v) (allowed ?p ?u ?v))
(<= (legal ?p pass) (true (turn ?p)) (not (can ?p)))
(<= (next (piece ?u ?v ?p)) (does ?p (go ?x ?y ?u ?v)))
(<= (left ?x ?y) (does ?p (go ?x ?y ?u ?v))) (<= (left ?u ?v) (does ?p (go ?x ?y ?u ?v)))
(<= (next (piece ?x ?y ?p)) (true (piece ?x ?y ?p)) (not (left ?x ?y)))
(<= (arrived ?p) (true (piece ?x ?y ?p)) (far ?p ?y))
(<= terminal (true (clock 24)))\n";
    text += match end {
        "stuck" => {
            "(<= terminal (true (turn ?p)) (not (can ?p)))
(<= (better ?q) (true (turn ?p)) (not (can ?p)) (other ?p ?q))\n"
        }
        "reach" => "(<= terminal (arrived ?p)) (<= (better ?p) (arrived ?p) (other ?p ?q) (not (arrived ?q)))\n",
        _ => "(<= terminal (arrived ?p)) (<= (better ?q) (arrived ?p) (other ?p ?q) (not (arrived ?q)))\n",
    };
    if capture {
        text += "(<= (goal ?p 60) (other ?p ?q) (not (better ?p)) (not (better ?q)) (true (loss ?q))
    (not (true (loss ?p))))
(<= (goal ?p 40) (other ?p ?q) (not (better ?p)) (not (better ?q)) (true (loss ?p)) (not (true (loss ?q))))
(<= (even ?p ?q) (true (loss ?p)) (true (loss ?q))) (<= (even ?p ?q) (other ?p ?q) (not (true (loss ?p)))
    (not (true (loss ?q))))\n";
    } else {
        text += "(<= (even ?p ?q) (other ?p ?q))\n";
    }
    text + "(<= (goal ?p 100) (role ?p) (better ?p)) (<= (goal ?p 0) (other ?p ?q) (better ?q))
(<= (goal ?p 50) (other ?p ?q) (even ?p ?q) (not (better ?p)) (not (better ?q)))\n"
}

/// Heaps: their sizes, how many one may take, and who wins with the last one.
fn heaps() -> Vec<Made> {
    let mut made = Vec::new();
    for sizes in [&[5, 7][..], &[2, 3, 4], &[9], &[3, 3, 3], &[12]] {
        for takes in [&[1, 2][..], &[1, 3], &[1, 2, 3, 4]] {
            for last in ["wins", "loses"] {
                let list = |numbers: &[usize]| numbers.iter().map(usize::to_string).collect::<Vec<_>>().join("-");
                let name = format!("heaps-{}-take-{}-last-{last}", list(sizes), list(takes));
                made.push(Made { name, text: heap(sizes, takes, last) });
            }
        }
    }
    spread(made, 7)
}

fn heap(sizes: &[usize], takes: &[usize], last: &str) -> String {
    let mut text = ALTERNATE.to_owned();
    let most = sizes.iter().max().copied().unwrap_or(1);
    for (heap, size) in sizes.iter().enumerate() {
        let _ = writeln!(text, "(init (heap h{heap} {size})) (name h{heap})");
    }
    for take in takes {
        let pairs = (*take..=most).map(|from| format!("(minus {from} {take} {}) ", from - take));
        let _ = writeln!(text, "{}", pairs.collect::<String>());
    }
    text += "(<= (legal ?p (take ?h ?k)) (true (turn ?p)) (true (heap ?h ?n)) (minus ?n ?k ?m))
(<= (next (heap ?h ?m)) (does ?p (take ?h ?k)) (true (heap ?h ?n)) (minus ?n ?k ?m))
(<= (changed ?h) (does ?p (take ?h ?k)))
(<= (next (heap ?h ?n)) (true (heap ?h ?n)) (not (changed ?h)))
(<= filled (true (heap ?h ?n)) (distinct ?n 0))
(<= terminal (not filled))\n";
    let (won, lost) = if last == "wins" { (100, 0) } else { (0, 100) };
    let _ = writeln!(
        text,
        "(<= (goal ?p {lost}) (true (turn ?p)) (not filled)) (<= (goal ?q {won}) (true (turn ?p))
    (other ?p ?q) (not filled))
(<= (goal ?p 50) (role ?p) filled)"
    );
    text
}

/// One player and a token: walls, how it walks, and what it collects in a limited time.
fn alone() -> Vec<Made> {
    let mut made = Vec::new();
    for size in [3, 4, 5] {
        for walk in ["steps", "wraps", "slides"] {
            for task in ["corner", "coins", "paint"] {
                let name = format!("alone-{size}-{walk}-{task}");
                made.push(Made { name, text: token(size, walk, task) });
            }
        }
    }
    spread(made, 5)
}

fn token(size: usize, walk: &str, task: &str) -> String {
    let mut text = format!("(role walker) (init (at 1 1)) (init (time 0)) (wall 2 2)\n{}", follows(size));
    text += &numbers("number", size);
    text += &(0..9).map(|number| format!("(after {number} {}) ", number + 1)).collect::<String>();
    text += "\n(<= (next (time ?m)) (true (time ?n)) (after ?n ?m))
(<= (free ?x ?y) (number ?x) (number ?y) (not (wall ?x ?y)))
(<= (beyond ?x ?y east ?u ?y) (follows ?x ?u) (number ?y)) (<= (beyond ?u ?y west ?x ?y) (follows ?x ?u) (number ?y))
(<= (beyond ?x ?y north ?x ?v) (follows ?y ?v) (number ?x)) (<= (beyond ?x ?v south ?x ?y) (follows ?y ?v)
    (number ?x))\n";
    if walk == "wraps" {
        let _ = writeln!(
            text,
            "(<= (beyond {size} ?y east 1 ?y) (number ?y)) (<= (beyond ?x {size} north ?x 1) (number ?x))"
        );
    }
    text += match walk {
        "slides" => {
            "(<= (ends ?x ?y ?d ?u ?v) (beyond ?x ?y ?d ?u ?v) (free ?u ?v) (not (open ?u ?v ?d)))
(<= (ends ?x ?y ?d ?a ?b) (beyond ?x ?y ?d ?u ?v) (free ?u ?v) (ends ?u ?v ?d ?a ?b))
(<= (open ?x ?y ?d) (beyond ?x ?y ?d ?u ?v) (free ?u ?v))\n"
        }
        _ => "(<= (ends ?x ?y ?d ?u ?v) (beyond ?x ?y ?d ?u ?v) (free ?u ?v))\n",
    };
    text += "(<= (legal walker (walk ?d)) (true (at ?x ?y)) (ends ?x ?y ?d ?u ?v))
(<= (next (at ?u ?v)) (does walker (walk ?d)) (true (at ?x ?y)) (ends ?x ?y ?d ?u ?v))
(<= terminal (true (time 9))) (<= terminal done)
(<= (goal walker 100) done)\n";
    text += &match task {
        "corner" => format!("(<= done (true (at {size} {size}))) (<= (goal walker 0) (not done))\n"),
        "coins" => format!(
            "(init (coin 1 {size})) (init (coin {size} 1))
(<= (next (coin ?x ?y)) (true (coin ?x ?y)) (not (true (at ?x ?y))))
(<= some (true (coin ?x ?y))) (<= done (not some))
(<= (goal walker 50) some (not (true (coin 1 {size})))) (<= (goal walker 50) some (not (true (coin {size} 1))))
(<= (goal walker 0) (true (coin 1 {size})) (true (coin {size} 1)))\n"
        ),
        _ => format!(
            "(<= (next (painted ?x)) (true (at ?x ?y))) (<= (next (painted ?x)) (true (painted ?x)))
(<= gap (number ?x) (not (true (painted ?x)))) (<= done (not gap))
(<= (goal walker 30) gap (true (painted {size}))) (<= (goal walker 0) (not (true (painted {size}))))\n"
        ),
    };
    text
}

/// Hidden choices at the same time: cards of each side, what wins a round, and how the match is scored.
fn choices() -> Vec<Made> {
    let mut made = Vec::new();
    for cards in [3, 4, 5] {
        for round in ["higher", "lower", "next"] {
            for kept in ["spent", "kept"] {
                let name = format!("choices-{cards}-{round}-{kept}");
                made.push(Made { name, text: choice(cards, round, kept) });
            }
        }
    }
    spread(made, 5)
}

fn choice(cards: usize, round: &str, kept: &str) -> String {
    let mut text = "(role left) (role right) (against left right) (against right left)\n".to_owned();
    text += &(follows(cards) + &numbers("card", cards));
    for card in 1..=cards {
        let _ = writeln!(text, "(init (hand left {card})) (init (hand right {card}))");
    }
    text += "(init (round 1)) (init (score left 0)) (init (score right 0)) (after 0 1)\n";
    text += &(1..=cards).map(|number| format!("(after {number} {}) ", number + 1)).collect::<String>();
    text += "\n(<= (above ?a ?b) (follows ?b ?a)) (<= (above ?a ?b) (follows ?c ?a) (above ?c ?b))
(<= (next (round ?m)) (true (round ?n)) (after ?n ?m))
(<= (legal ?p (show ?c)) (true (hand ?p ?c)))\n";
    text += match kept {
        "kept" => "(<= (next (hand ?p ?c)) (true (hand ?p ?c)))\n",
        _ => "(<= (next (hand ?p ?c)) (true (hand ?p ?c)) (not (does ?p (show ?c))))\n",
    };
    text += match round {
        "higher" => "(<= (beats ?a ?b) (above ?a ?b))\n".to_owned(),
        "lower" => "(<= (beats ?a ?b) (above ?b ?a))\n".to_owned(),
        _ => format!("(<= (beats ?a ?b) (follows ?b ?a)) (beats 1 {cards})\n"),
    }
    .as_str();
    text += &format!(
        "(<= (point ?p) (does ?p (show ?a)) (against ?p ?q) (does ?q (show ?b)) (beats ?a ?b))
(<= (next (score ?p ?m)) (point ?p) (true (score ?p ?n)) (after ?n ?m))
(<= (next (score ?p ?n)) (true (score ?p ?n)) (not (point ?p)))
(<= terminal (true (round {}))) (<= (more ?a ?b) (after ?b ?a)) (<= (more ?a ?b) (after ?c ?a) (more ?c ?b))
(<= (leads ?p) (against ?p ?q) (true (score ?p ?a)) (true (score ?q ?b)) (more ?a ?b))
(<= (goal ?p 100) (role ?p) (leads ?p)) (<= (goal ?p 0) (against ?p ?q) (leads ?q))
(<= (goal ?p 50) (against ?p ?q) (not (leads ?p)) (not (leads ?q)))\n",
        cards + 1
    );
    text
}

/// The games in another order: steps of `stride` around the list, which must have no divisor in common with its length.
fn spread(made: Vec<Made>, stride: usize) -> Vec<Made> {
    let count = made.len();
    let mut places: Vec<Option<Made>> = made.into_iter().map(Some).collect();
    (0..count).filter_map(|number| places[number * stride % count].take()).collect()
}

//! Random changes of inputs: of bytes, words, numbers and lines.

use tesuji_arena::Rng;

/// The longest input.
pub(crate) const LONGEST: usize = 64 << 10;
/// The longest run of one repeated piece: deep enough to overflow the stack of a careless parser.
const MOST_REPEATS: usize = 20_000;

/// Numbers at the edges of types and ranges.
const NUMBERS: [&str; 18] = [
    "0",
    "1",
    "-1",
    "2",
    "7",
    "127",
    "128",
    "255",
    "256",
    "65535",
    "65536",
    "4294967296",
    "9007199254740993",
    "18446744073709551615",
    "18446744073709551616",
    "1e308",
    "NaN",
    "0.5",
];
/// Characters with a meaning in some format, and some that are not ASCII.
const CHARACTERS: [&str; 30] = [
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "\"",
    "'",
    "`",
    ",",
    ";",
    ":",
    "=",
    "#",
    "?",
    "/",
    "\\",
    ".",
    "-",
    "+",
    "%",
    "\n",
    "\r\n",
    "\t",
    " ",
    "\0",
    "é",
    "日",
    "\u{1F3B2}",
    "\u{FEFF}",
];

/// Changes `input` in one to eight ways; `others` lend pieces, `words` are the words of the format.
pub(crate) fn mutate(input: &[u8], others: &[Vec<u8>], words: &[&str], rng: &mut Rng) -> Vec<u8> {
    let mut bytes = input.to_vec();
    for _ in 0..1 + rng.below(3) + if rng.chance(0.1) { rng.below(6) } else { 0 } {
        change(&mut bytes, others, words, rng);
    }
    bytes.truncate(LONGEST);
    bytes
}

/// Changes a binary file in place, so that everything behind a change stays where it is.
pub(crate) fn damage(input: &[u8], words: &[&str], rng: &mut Rng) -> Vec<u8> {
    let mut bytes = input.to_vec();
    for _ in 0..1 + rng.below(3) {
        if bytes.is_empty() {
            break;
        }
        let at = used_byte(&bytes, rng);
        match rng.below(10) {
            0..=3 => bytes[at] ^= 1 << rng.below(8),
            4 | 5 => bytes[at] = rng.below(256) as u8,
            6 if !words.is_empty() => overwrite(&mut bytes, at, pick(words, rng).as_bytes()),
            7 => {
                let (from, to) = range(&bytes, rng);
                let piece = bytes[from..to].to_vec();
                overwrite(&mut bytes, at, &piece);
            }
            8 if rng.chance(0.2) => bytes.truncate(at),
            _ => {
                let end = bytes.len().min(at + 1 + rng.below(16));
                bytes[at..end].fill(b"\0 0\xff"[rng.below(4)]);
            }
        }
    }
    bytes
}

/// The place of a byte, usually one that is not 0: most of a database is empty.
fn used_byte(bytes: &[u8], rng: &mut Rng) -> usize {
    let tries = std::iter::repeat_with(|| rng.below(bytes.len())).take(20).collect::<Vec<_>>();
    tries.iter().copied().find(|&at| bytes[at] != 0).unwrap_or(tries[0])
}

fn overwrite(bytes: &mut [u8], at: usize, piece: &[u8]) {
    let length = piece.len().min(bytes.len() - at);
    bytes[at..at + length].copy_from_slice(&piece[..length]);
}

fn change(bytes: &mut Vec<u8>, others: &[Vec<u8>], words: &[&str], rng: &mut Rng) {
    match rng.below(14) {
        0 if !bytes.is_empty() => {
            let at = rng.below(bytes.len());
            bytes[at] ^= 1 << rng.below(8);
        }
        1 if !bytes.is_empty() => {
            let at = rng.below(bytes.len());
            bytes[at] = rng.below(256) as u8;
        }
        2 => insert(bytes, pick(&CHARACTERS, rng).as_bytes(), rng),
        3 | 4 if !words.is_empty() => insert(bytes, pick(words, rng).as_bytes(), rng),
        5 => number(bytes, rng),
        6 => {
            let (from, to) = range(bytes, rng);
            bytes.drain(from..to);
        }
        7 => {
            let (from, to) = range(bytes, rng);
            let piece = bytes[from..to].to_vec();
            insert(bytes, &piece, rng);
        }
        8 | 9 if !others.is_empty() => {
            let other = &others[rng.below(others.len())];
            let (from, to) = range(other, rng);
            insert(bytes, &other[from..to], rng);
        }
        10 => lines(bytes, rng),
        11 => {
            let length = rng.below(bytes.len() + 1);
            bytes.truncate(length);
        }
        12 if rng.chance(0.1) => {
            let piece = pick(&CHARACTERS, rng).repeat(1 + rng.below(MOST_REPEATS));
            insert(bytes, piece.as_bytes(), rng);
        }
        _ => word(bytes, words, rng),
    }
}

fn pick<'a>(texts: &[&'a str], rng: &mut Rng) -> &'a str {
    texts[rng.below(texts.len())]
}

fn insert(bytes: &mut Vec<u8>, piece: &[u8], rng: &mut Rng) {
    let at = rng.below(bytes.len() + 1);
    bytes.splice(at..at, piece.iter().copied());
}

/// A short piece, usually.
fn range(bytes: &[u8], rng: &mut Rng) -> (usize, usize) {
    let from = rng.below(bytes.len() + 1);
    let most = if rng.chance(0.8) { 16 } else { bytes.len() };
    let length = rng.below(most.min(bytes.len() - from) + 1);
    (from, from + length)
}

/// The runs of bytes that satisfy `inside`.
fn runs(bytes: &[u8], inside: impl Fn(u8) -> bool) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut start = None;
    for (at, &byte) in bytes.iter().enumerate() {
        match (inside(byte), start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                found.push((from, at));
                start = None;
            }
            _ => {}
        }
    }
    found.extend(start.map(|from| (from, bytes.len())));
    found
}

/// Replaces a number by one at an edge.
fn number(bytes: &mut Vec<u8>, rng: &mut Rng) {
    let numbers = runs(bytes, |byte| byte.is_ascii_digit());
    if numbers.is_empty() {
        return;
    }
    let (from, to) = numbers[rng.below(numbers.len())];
    let other = if rng.chance(0.5) { rng.below(40).to_string() } else { pick(&NUMBERS, rng).to_owned() };
    bytes.splice(from..to, other.bytes());
}

/// Replaces a word by another one of the input or of the format.
fn word(bytes: &mut Vec<u8>, words: &[&str], rng: &mut Rng) {
    let found = runs(bytes, |byte| byte.is_ascii_alphanumeric() || b"-_?".contains(&byte));
    if found.is_empty() {
        return;
    }
    let (from, to) = found[rng.below(found.len())];
    let other = if words.is_empty() || rng.chance(0.5) {
        let (from, to) = found[rng.below(found.len())];
        bytes[from..to].to_vec()
    } else {
        pick(words, rng).as_bytes().to_vec()
    };
    bytes.splice(from..to, other);
}

/// Removes, repeats or swaps lines.
fn lines(bytes: &mut Vec<u8>, rng: &mut Rng) {
    let mut lines: Vec<Vec<u8>> = bytes.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
    if lines.is_empty() {
        return;
    }
    let (one, two) = (rng.below(lines.len()), rng.below(lines.len()));
    match rng.below(3) {
        0 => drop(lines.remove(one)),
        1 => lines.insert(two, lines[one].clone()),
        _ => lines.swap(one, two),
    }
    *bytes = lines.concat();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_seeds_change_inputs_equally_and_within_the_limit() {
        let seeds = vec![b"uct(c=0.5)\nmc\n".to_vec(), b"{\"type\": 12}".to_vec(), Vec::new()];
        let run = |seed: u64| {
            let mut rng = Rng::new(seed);
            (0..2_000).map(|index| mutate(&seeds[index % 3], &seeds, &["go", "best"], &mut rng)).collect::<Vec<_>>()
        };
        let inputs = run(1);
        assert_eq!(inputs, run(1));
        assert_ne!(inputs, run(2));
        assert!(inputs.iter().all(|input| input.len() <= LONGEST));
        assert!(inputs.iter().any(|input| input.len() > 1_000), "some inputs are long");
        assert!(inputs.iter().filter(|input| !seeds.contains(input)).count() > 1_500, "most inputs are new");
    }
}

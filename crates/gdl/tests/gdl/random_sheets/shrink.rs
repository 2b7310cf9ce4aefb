//! Makes a failing sheet smaller.

use super::sheet::{Formula, RandomSheet, is_safe};

/// The smallest sheet found that still fails: leaves out rules and conditions as long as that is possible.
pub(crate) fn shrink(sheet: &RandomSheet, fails: &dyn Fn(&RandomSheet) -> bool) -> RandomSheet {
    let mut best = sheet.clone();
    loop {
        let smaller =
            candidates(&best).into_iter().find(|candidate| candidate.rules.iter().all(is_safe) && fails(candidate));
        match smaller {
            Some(smaller) => best = smaller,
            None => return best,
        }
    }
}

/// Sheets that are one change smaller, the largest changes first.
fn candidates(sheet: &RandomSheet) -> Vec<RandomSheet> {
    let mut found = Vec::new();
    let half = sheet.rules.len() / 2;
    if half > 1 {
        for range in [0..half, half..sheet.rules.len()] {
            let mut smaller = sheet.clone();
            smaller.rules.drain(range);
            found.push(smaller);
        }
    }
    for index in (0..sheet.rules.len()).rev() {
        let mut smaller = sheet.clone();
        smaller.rules.remove(index);
        found.push(smaller);
    }
    if sheet.roles.len() > 1 {
        for index in 0..sheet.roles.len() {
            let mut smaller = sheet.clone();
            smaller.roles.remove(index);
            found.push(smaller);
        }
    }
    for (index, rule) in sheet.rules.iter().enumerate() {
        for (position, condition) in rule.body.iter().enumerate() {
            let mut smaller = sheet.clone();
            smaller.rules[index].body.remove(position);
            found.push(smaller);
            for part in parts(condition) {
                let mut smaller = sheet.clone();
                smaller.rules[index].body[position] = part.clone();
                found.push(smaller);
            }
        }
    }
    found
}

fn parts(formula: &Formula) -> &[Formula] {
    match formula {
        Formula::Or(parts) | Formula::And(parts) => parts,
        Formula::Not(inner) => parts(inner),
        Formula::Holds(_) | Formula::Distinct(..) => &[],
    }
}

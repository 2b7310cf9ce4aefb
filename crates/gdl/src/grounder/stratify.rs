//! Checks stratification: no atom may depend on its own negation. This is checked on ground atoms, because sheets may
//! negate `goal` inside `goal` for another value or role.

use tesuji_core::InputError;

use super::components::Graph;
use super::database::Relation;
use super::program::Program;
use super::rules::RuleBase;
use crate::{GroundTerm, Sheet, Terms};

/// Returns an error if a cycle of dependencies goes through a negation.
pub(super) fn check(
    sheet: &Sheet,
    program: &Program,
    base: &RuleBase,
    relations: &[Relation],
    terms: &Terms,
) -> Result<(), InputError> {
    let atoms = 0..base.atoms;
    let dependencies = atoms.clone().flat_map(|atom| {
        let body = base.rules_of(atom).iter().flat_map(|&rule| base.body(rule));
        body.map(move |signal| (atom, signal.atom()))
    });
    let component = Graph::new(base.atoms as usize, dependencies).components();
    for atom in atoms {
        for &rule in base.rules_of(atom) {
            let circle = component[atom as usize];
            let bad = base.body(rule).iter().find(|s| s.is_negated() && component[s.atom() as usize] == circle);
            let Some(negated) = bad else { continue };
            let text = |atom: u32| atom_text(sheet, program, base, relations, terms, atom);
            // Parts of split bodies have no names, but their cycle has members that do.
            let mut named = [atom, negated.atom()].into_iter().filter_map(text).collect::<Vec<_>>();
            let others = (0..base.atoms).filter(|&other| component[other as usize] == circle);
            named.extend(others.filter_map(text).take(2));
            named.dedup();
            let message = match &named[..] {
                [one, other, ..] if one != other => {
                    format!("`{one}` depends on the negation of `{other}`, which depends on it")
                }
                [one, ..] => format!("`{one}` depends on its own negation"),
                [] => "a condition depends on its own negation".to_owned(),
            };
            let place = program.clauses[base.clause(rule) as usize].place.unwrap_or_default();
            return Err(sheet.error(place, message).with_help("such a rule has no clear meaning"));
        }
    }
    Ok(())
}

/// The text of an atom; `None` for a part of a split body.
fn atom_text(
    sheet: &Sheet,
    program: &Program,
    base: &RuleBase,
    relations: &[Relation],
    terms: &Terms,
    atom: u32,
) -> Option<String> {
    let (relation, number) = base.tuple(atom)?;
    let (name, bare_list) = program.relations[relation].name?;
    let name = sheet.symbols.text(name);
    let arguments = relations[relation].tuples.get(number);
    if arguments.is_empty() {
        return Some(if bare_list { format!("({name})") } else { name.to_owned() });
    }
    let arguments: Vec<String> =
        arguments.iter().map(|&argument| terms.text(GroundTerm(argument), &sheet.symbols)).collect();
    Some(format!("({name} {})", arguments.join(" ")))
}

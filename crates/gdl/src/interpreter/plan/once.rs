//! Conditions that need only one answer.

use super::{Builder, Pattern, Step};

/// Notes which conditions need only one answer: those that bind nothing that is used later.
pub(super) fn mark_once(steps: &mut [Step], answer: &[Builder], variables: usize) {
    let mut used = vec![false; variables];
    answer.iter().for_each(|builder| use_builder(builder, &mut used));
    for step in steps.iter_mut().rev() {
        match step {
            Step::Rows { key, columns, once, .. } | Step::Call { key, columns, once, .. } => {
                let mut binds = false;
                columns.iter().for_each(|(_, pattern)| binds |= binds_used(pattern, &used));
                *once = !binds;
                key.iter().for_each(|builder| use_builder(builder, &mut used));
                columns.iter().for_each(|(_, pattern)| use_pattern(pattern, &mut used));
            }
            Step::NoRow { key, columns, .. } | Step::NoAnswer { key, columns, .. } => {
                key.iter().for_each(|builder| use_builder(builder, &mut used));
                columns.iter().for_each(|(_, pattern)| use_pattern(pattern, &mut used));
            }
            Step::Distinct(left, right) => [left, right].iter().for_each(|builder| use_builder(builder, &mut used)),
            Step::Same(pattern, builder) => {
                use_pattern(pattern, &mut used);
                use_builder(builder, &mut used);
            }
            Step::Never => {}
        }
    }
}

fn binds_used(pattern: &Pattern, used: &[bool]) -> bool {
    match pattern {
        Pattern::Bind(variable) => used[*variable as usize],
        Pattern::Function(_, arguments) => arguments.iter().any(|argument| binds_used(argument, used)),
        Pattern::Constant(_) | Pattern::Known(_) => false,
    }
}

fn use_pattern(pattern: &Pattern, used: &mut [bool]) {
    match pattern {
        Pattern::Known(variable) => used[*variable as usize] = true,
        Pattern::Function(_, arguments) => arguments.iter().for_each(|argument| use_pattern(argument, used)),
        Pattern::Constant(_) | Pattern::Bind(_) => {}
    }
}

fn use_builder(builder: &Builder, used: &mut [bool]) {
    match builder {
        Builder::Variable(variable) => used[*variable as usize] = true,
        Builder::Function(_, arguments) => arguments.iter().for_each(|argument| use_builder(argument, used)),
        Builder::Constant(_) => {}
    }
}

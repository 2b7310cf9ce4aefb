//! Engines for rule sheets against each other, the reference prover's matches and random sheets. One program, so that
//! the long tests run side by side.

mod agreement;
mod engines;
mod fuzz;
mod grounded_matches;
mod mutants;
mod plain;
mod random_programs;
mod random_sheets;
mod rulebooks;
mod traces;

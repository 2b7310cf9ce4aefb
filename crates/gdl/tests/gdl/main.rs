//! Rule sheets against each other: every engine, the reference prover's matches, random sheets. One program, so that the
//! long tests run side by side.

mod agreement;
mod engines;
mod fuzz;
mod grounded_matches;
mod plain;
mod random_programs;
mod random_sheets;
mod traces;

//! Payoffs, computed when they are requested.
//!
//! If few gates are needed for payoffs only, they are evaluated one after another. Otherwise (sheets that count the
//! pieces of a board have thousands) their values are kept from one request to the next, and what has changed since
//! then is passed on.

use std::sync::Arc;

use super::agenda::{Agenda, Sorted};
use super::circuit::Circuit;
use super::guards::Arrangement;
use super::tables::Entries;
use super::values::{Heat, Run, Values, Work};
use super::wiring::Wiring;

/// With more gates than this their values are kept.
const MOST_EVALUATED: usize = 48;

/// A guard of fewer gates than this notifies them one by one.
const FEWEST_GUARDED: usize = 12;

/// The gates that only payoffs need, with their current values.
#[derive(Clone, Debug)]
pub(super) struct Late {
    /// By input, from 1 on: its number among the values that the machine keeps up to date.
    sources: Vec<u32>,
    way: Way,
}

#[derive(Clone, Debug)]
enum Way {
    Evaluated { circuit: Arc<Circuit>, holds: Vec<u8> },
    Kept { wiring: Arc<Wiring>, values: Values, agenda: Sorted },
}

impl Late {
    pub(super) fn new(circuit: Circuit, sources: Vec<u32>) -> Late {
        let way = if circuit.gates.len() <= MOST_EVALUATED {
            Way::Evaluated { holds: vec![1; circuit.end() as usize], circuit: Arc::new(circuit) }
        } else {
            // Inputs that many gates need change about as often as those that few need.
            let heat = Heat { changes: circuit.uses(), steps: 1 };
            let arrangement = Arrangement { by_level: true, heat: Some(&heat), fewest: FEWEST_GUARDED };
            let wiring = Wiring::new(&circuit, arrangement);
            let values = Values::new(&wiring, Entries::default(), 0);
            Way::Kept { wiring: Arc::new(wiring), values, agenda: Sorted::new(circuit.end() as usize + 1) }
        };
        Late { sources, way }
    }

    /// Brings the payoffs up to date with the values of the machine. Returns a test of each goal, by its number.
    pub(super) fn goals(&mut self, current: &[u8]) -> impl Fn(usize) -> bool + '_ {
        let sources = &self.sources[..];
        match &mut self.way {
            Way::Evaluated { circuit, holds } => {
                for (hold, &source) in holds[1..].iter_mut().zip(sources) {
                    *hold = current[source as usize];
                }
                for (parts, number) in circuit.gates.iter().zip(circuit.first_gate as usize..) {
                    let part = |part: &crate::Signal| (holds[part.atom() as usize] == 1) != part.is_negated();
                    holds[number] = u8::from(parts.iter().all(part));
                }
            }
            Way::Kept { wiring, values, agenda } => {
                values.run(wiring, agenda, Update { sources, current });
            }
        }
        move |goal| match &self.way {
            Way::Evaluated { circuit, holds } => {
                let (signal, _) = circuit.outputs[goal];
                (holds[signal.atom() as usize] == 1) != signal.is_negated()
            }
            Way::Kept { values, .. } => values.outputs[goal / 64] >> (goal % 64) & 1 == 1,
        }
    }
}

/// Makes the inputs equal to the values of the machine.
struct Update<'a> {
    sources: &'a [u32],
    current: &'a [u8],
}

impl Work for Update<'_> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn go<A: Agenda, const GUARDED: bool, const FIRST: bool, const COUNTED: bool>(
        self,
        run: &mut Run<'_, A, GUARDED, FIRST, COUNTED>,
    ) {
        for (&source, number) in self.sources.iter().zip(1..) {
            if run.holds[number] != self.current[source as usize] {
                run.flip(number);
            }
        }
        run.settle();
    }
}

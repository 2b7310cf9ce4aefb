//! Sheets on which engines once differed, as the generator found them.

use std::sync::Arc;

use tesuji_core::Source;
use tesuji_gdl::interpreter::Limits;
use tesuji_gdl::referee::{LaneReferee, MachineReferee, Referee, compare};
use tesuji_gdl::{Grounding, GroundingLimits, Interpreter, Network, Sheet, ground};

/// What was wrong, and the smallest sheet that showed it.
const FOUND: &[(&str, &str)] = &[(
    "the grounder took a rule that needs its own head for a reason to believe that head",
    "(role red) (given 1) (init s) (<= (d ?u ?u) (given ?u) (true s)) (<= (d ?w ?v) (d ?w ?v))
     (<= (legal ?u noop) (role ?u)) (<= (next p) (d ?x ?z))",
)];

#[test]
fn sheets_that_once_showed_a_difference_show_none() {
    for (wrong, text) in FOUND {
        let sheet = Sheet::read(Source::new("found.kif", *text)).unwrap();
        let interpreter = Interpreter::new(&sheet, Limits::default()).unwrap();
        let Ok(Grounding::Done(ground, _)) = ground(&sheet, &GroundingLimits::default(), &|| false) else {
            panic!("{wrong}: the sheet does not ground")
        };
        let networks = [Network::new(&ground), Network::plain(&ground)].map(|network| Arc::new(network.unwrap()));
        let mut engines: Vec<Box<dyn Referee + '_>> = vec![Box::new(interpreter.referee())];
        for network in &networks {
            engines.push(Box::new(MachineReferee::new(&ground, Arc::clone(network), &sheet.symbols)));
            engines.push(Box::new(LaneReferee::new(&ground, network, &sheet.symbols)));
        }
        compare(&mut engines, 5, 8, 1).unwrap_or_else(|error| panic!("{wrong}: {error}"));
    }
}

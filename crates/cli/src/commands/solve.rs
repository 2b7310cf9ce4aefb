//! `tesuji solve`

use serde_json::json;
use tesuji_arena::{InputError, SolvePlan, grouped, open};

use crate::arguments::SolveOptions;
use crate::output::{Output, percent};

pub fn run(options: &SolveOptions, output: &mut Output) -> Result<(), InputError> {
    let game = open(&options.game)?;
    let plan = SolvePlan { most_nodes: options.nodes, tolerance: options.tolerance };
    let solution = game.solve(options.state.as_deref(), &plan)?;
    if output.is_json() {
        output.value(&json!(solution));
        return Ok(());
    }
    let first = &game.spec().players[0];
    output.line(&solution.game);
    let exact = solution.exact.map_or(String::new(), |exact| format!(" (exactly {exact})"));
    output.line(format!("value for {first}: {}{exact}", solution.value));
    if solution.error > 0.0 {
        output.line(format!("off by at most {:.1e}", solution.error));
    }
    for strategy in &solution.strategy {
        let actions = strategy.actions.iter().map(|(action, share)| match *share {
            1.0 => action.clone(),
            share => format!("{action} ({})", percent(share)),
        });
        output.line(format!("{} plays {}", strategy.player, actions.collect::<Vec<_>>().join(", ")));
    }
    let (nodes, seconds) = (grouped(solution.nodes), solution.seconds);
    output.line(format!("{}: {nodes} states in {seconds:.2} s", solution.method));
    Ok(())
}

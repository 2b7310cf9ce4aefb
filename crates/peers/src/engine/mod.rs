//! The engine protocol, from the engine's side and from that of whoever examines engines.
//!
//! What is said is defined in [`tesuji_arena::engine`]; `docs/protocols/engine.md` describes it. The other side of the table,
//! a program as an agent of a match, is the agent `process`.

mod serve;
mod check;

pub use check::{CheckPlan, EngineReport, Finding, Verdict, check_engine};
pub use serve::{EngineOptions, serve};

use tesuji_arena::engine::Order;
use tesuji_arena::{Actor, AnyMatch, Player};

/// The position at a table as `player` is told of it.
fn position(table: &dyn AnyMatch, id: &str, player: Player) -> Order {
    let acts = table.turn().movers().contains(player);
    Order::Position {
        id: id.to_owned(),
        start: None,
        steps: table.steps(),
        turn: table.actors().into_iter().map(|(_, name)| name).collect(),
        legal: if acts { table.legal(Actor::Player(player)) } else { Vec::new() },
        state: table.state_text(),
    }
}

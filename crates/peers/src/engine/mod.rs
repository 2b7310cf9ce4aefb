//! The engine protocol: our agents as engines, and checks of other engines.
//!
//! [`tesuji_arena::engine`] defines the messages; `docs/protocols/engine.md` describes them. The other side, a program
//! as an agent of a match, is the agent `process`.

mod serve;
mod check;

pub use check::{CheckPlan, EngineReport, Finding, Verdict, check_engine};
pub use serve::{EngineOptions, serve};

use tesuji_arena::engine::Order;
use tesuji_arena::{Actor, AnyMatch, Player};

/// The current position as a message to `player`.
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

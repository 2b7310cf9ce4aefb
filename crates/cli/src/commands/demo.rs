//! `tesuji demo`: what a newcomer sees first.

use serde_json::json;
use tesuji_arena::{Catalogue, Film, InputError, Occupant, Rng, Streams, live_match, mix};

use crate::arguments::DemoOptions;
use crate::output::{Output, write_text};

/// A short match that shows what is unlike chess: several actions a turn, in any order.
const GAME: &str = "tubstap";
const AGENTS: [&str; 2] = ["uct", "mc"];
const PLAYOUTS: u64 = 1_000;

pub(crate) fn run(catalogue: &Catalogue, options: &DemoOptions, output: &mut Output) -> Result<(), InputError> {
    let game = catalogue.open(GAME)?;
    let spec = game.spec();
    let occupant = |agent: &str| Occupant::Agent { agent: agent.to_owned(), budget: PLAYOUTS.to_string() };
    let rng = Rng::new(mix(options.seed, 0));
    let streams = Streams::shared(rng.clone(), rng);
    let mut played = live_match(game.as_ref(), AGENTS.map(occupant).to_vec(), streams)?;
    let title = format!("{GAME}: {} ({}) against {} ({})", AGENTS[0], spec.players[0], AGENTS[1], spec.players[1]);
    if !output.is_json() {
        output.line("Tesuji: games that are not like chess. A demonstration match:");
        output.line(format!("{title}, {PLAYOUTS} playouts a unit action\n"));
        output.line(played.board_text());
    }
    let mut film = Film::new(&title);
    film.frame("start", &played.picture());
    let mut last_mover = None;
    while let Some(player) = played.agent_awaited() {
        let before = played.board_text();
        played.decide(player, None)?;
        let name = spec.player_name(player);
        let Some(Some(decision)) = played.made().last().and_then(|step| step.decisions.first()) else { break };
        if !output.is_json() {
            if last_mover.is_some_and(|last| last != player) {
                output.line(before);
            }
            let value = decision.value.map_or(String::new(), |value| format!("  expects {value:.2}"));
            output.line(format!("{name}: {}{value}", decision.action));
        }
        last_mover = Some(player);
        let caption = format!("{name}: {}", decision.action);
        film.frame(&caption, &played.picture());
    }
    write_text(&options.page, &film.page())?;
    let payoffs = played.payoffs().unwrap_or_default();
    if output.is_json() {
        output.value(&json!({
            "game": spec.name, "agents": AGENTS, "steps": played.steps(), "payoffs": payoffs, "page": options.page,
        }));
        return Ok(());
    }
    output.line(played.board_text());
    for (name, payoff) in spec.players.iter().zip(payoffs) {
        output.line(format!("payoff of {name}: {payoff}"));
    }
    output.line(format!("\nThe match with pictures: {} (open it in a browser).", options.page.display()));
    output.line("Next: `tesuji games`, `tesuji agents`, `tesuji play connect-four`, `tesuji --help`.");
    Ok(())
}

//! `tesuji demo`: what a newcomer sees first.

use serde_json::json;
use tesuji_arena::{Budget, Catalogue, Film, InputError, Rng, Turn, mix};

use crate::arguments::DemoOptions;
use crate::output::{Output, write_text};

/// A short match that shows what is unlike chess: several actions a turn, in any order.
const GAME: &str = "tubstap";
const AGENTS: [&str; 2] = ["uct", "mc"];
const BUDGET: Budget = Budget::playouts(1_000);

pub fn run(catalogue: &Catalogue, options: &DemoOptions, output: &mut Output) -> Result<(), InputError> {
    let game = catalogue.open(GAME)?;
    let spec = game.spec();
    let mut table = game.table(None)?;
    for (player, agent) in spec.seats().zip(AGENTS) {
        table.seat(player, agent)?;
    }
    let title = format!("{GAME}: {} ({}) against {} ({})", AGENTS[0], spec.players[0], AGENTS[1], spec.players[1]);
    if !output.is_json() {
        output.line("Tesuji: games that are not like chess. A demonstration match:");
        output.line(format!("{title}, {BUDGET} a unit action\n"));
        output.line(table.board_text());
    }
    let mut film = Film::new(&title);
    film.frame("start", &table.picture());
    let mut rng = Rng::new(mix(options.seed, 0));
    let mut last_mover = None;
    while let Turn::Player(player) = table.turn() {
        let decision = table.think(player, &BUDGET, &mut rng)?;
        let name = spec.player_name(player);
        if !output.is_json() {
            if last_mover.is_some_and(|last| last != player) {
                output.line(table.board_text());
            }
            let value = decision.value.map_or(String::new(), |value| format!("  expects {value:.2}"));
            output.line(format!("{name}: {}{value}", decision.action));
        }
        last_mover = Some(player);
        let caption = format!("{name}: {}", decision.action);
        table.step(&[decision.action])?;
        film.frame(&caption, &table.picture());
    }
    write_text(&options.page, &film.page())?;
    let payoffs = table.payoffs().unwrap_or_default();
    if output.is_json() {
        output.value(&json!({ "game": spec.name, "agents": AGENTS, "steps": table.steps(), "payoffs": payoffs, "page": options.page }));
        return Ok(());
    }
    output.line(table.board_text());
    for (name, payoff) in spec.players.iter().zip(payoffs) {
        output.line(format!("payoff of {name}: {payoff}"));
    }
    output.line(format!("\nThe match with pictures: {} (open it in a browser).", options.page.display()));
    output.line("Next: `tesuji games`, `tesuji agents`, `tesuji play connect-four`, `tesuji --help`.");
    Ok(())
}

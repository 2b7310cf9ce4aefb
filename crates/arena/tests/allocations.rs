//! No agent allocates in its playouts: twice the playouts take hardly more allocations. Nor do observations.

use tesuji_arena::{Budget, Player, Rng, Turn};

/// Allocations of an agent's first decision.
fn allocations(game: &str, agent: &str, playouts: u64) -> u64 {
    let mut table = tesuji_standard::catalogue().open(game).unwrap().new_match(None).unwrap();
    let mut rng = Rng::new(5);
    while table.turn() == Turn::Chance {
        table.draw_outcome(&mut rng);
    }
    let player = table.turn().movers().next().unwrap();
    let budget = Budget::playouts(playouts);
    // Presets carry a budget of their own, which an address replaces.
    let address = match agent.strip_suffix(')') {
        Some(start) => format!("{start},playouts={playouts})"),
        None => format!("{agent}(playouts={playouts})"),
    };
    table.seat(player, &address).unwrap_or_else(|error| panic!("{agent}: {error}"));
    let mut made = 0;
    let counted = allocation_counter::measure(|| made = table.think(player, &budget, &mut rng).unwrap().playouts);
    assert!(made >= playouts * 9 / 10, "{agent} made {made} of {playouts} playouts in {game}");
    counted.count_total
}

#[test]
fn playouts_do_not_allocate() {
    for (game, agents) in [
        (
            "tubstap",
            &[
                "mc",
                "uct",
                "unit-uct",
                "unit-uct-sound",
                "unit-uct-prune",
                "unit-uct-first",
                "turn-uct(split=false)",
                "turn-uct-pw(threshold=40,split=false)",
                "dlmc(samples=10,simulations=1000)",
                "dlmc(samples=10,simulations=1000,attack=true,adjust=3)",
                "evolution",
                "ggp-nst-grave",
                "ggp-bigram",
            ][..],
        ),
        ("dice7", &["mc", "uct", "dpw"]),
        ("sync-triomineering(6,6)", &["mc", "uct", "sm-mc", "simple-ucb-1"]),
    ] {
        for agent in agents {
            let [once, twice] = [500, 1_000].map(|playouts| allocations(game, agent, playouts));
            // Trees and tables grow, a few times doubled.
            assert!(twice < once + 100, "{game}: {agent} allocates {once} times, then {twice} times");
        }
    }
}

/// Observations are written into the caller's buffer.
#[test]
fn observations_do_not_allocate() {
    for address in ["tubstap(map=six-arms)", "connect-four", "goofspiel", "gdl(breakthrough)", "dice7", "tree(duel)"] {
        let game = tesuji_standard::catalogue().open(address).unwrap();
        let position = game.by_numbers().position(None).unwrap();
        let mut buffer = vec![0.0; game.by_numbers().numbers().unwrap().shape.iter().product()];
        let counted = allocation_counter::measure(|| {
            for _ in 0..100 {
                position.observe(Player(1), &mut buffer);
            }
        });
        assert_eq!(counted.count_total, 0, "{address}");
    }
}

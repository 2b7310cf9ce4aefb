//! Agents for games with dice play a rule sheet whose die is thrown by the role `random`.

use tesuji_arena::{Budget, Player, Rng, Turn};

#[test]
fn a_sheet_with_a_random_role_is_played_to_its_end() {
    let game = tesuji_standard::catalogue().open("gdl(pig-20)").unwrap();
    for agent in ["expectimax(depth=3)", "uct", "dpw"] {
        let mut table = game.new_match(None).unwrap();
        for player in game.spec().seats() {
            table.seat(player, agent).unwrap();
        }
        let mut rng = Rng::new(5);
        let mut decisions = 0;
        loop {
            match table.turn() {
                Turn::Over => break,
                Turn::Chance => {
                    table.draw_outcome(&mut rng).unwrap();
                }
                Turn::Player(player) => {
                    let decision = table.think(player, &Budget::playouts(60), &mut rng).unwrap();
                    table.step(&[decision.action]).unwrap();
                    decisions += 1;
                }
                Turn::Simultaneous(_) => panic!("nobody acts at once in Pig"),
            }
        }
        let payoffs = table.payoffs().unwrap();
        assert!(decisions >= 4 && payoffs[0] + payoffs[1] == 100.0, "{agent}: {decisions} decisions, {payoffs:?}");
    }
}

/// Two points short of the goal a roll wins with five of six faces; to hold is to hand over the die.
#[test]
fn expectimax_rolls_where_rolling_wins() {
    let game = tesuji_standard::catalogue().open("gdl(pig-20)").unwrap();
    let mut table = game.new_match(None).unwrap();
    table.seat(Player(0), "expectimax(depth=2)").unwrap();
    let mut rng = Rng::new(1);
    // Three rolls of 6: eighteen points in the first turn.
    for _ in 0..3 {
        let roll = table.legal(table.actors()[0].0).into_iter().find(|action| action.contains("roll")).unwrap();
        table.step(&[roll]).unwrap();
        let six = table.chances().into_iter().map(|(face, _)| face).find(|face| face.contains('6')).unwrap();
        table.step(&[six]).unwrap();
    }
    let decision = table.think(Player(0), &Budget::playouts(100_000), &mut rng).unwrap();
    assert!(decision.action.contains("roll"), "{decision:?}");
}

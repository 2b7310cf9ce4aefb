//! Addresses of games and agents, and budgets.

use std::sync::Arc;

use tesuji_arena::{Address, AnyGame, Budget, looks_like_a_path};

use super::{Target, catalogue, reaches_out, size, text, texts, told};

/// An address reads back as it is written. Games of the catalogue open or say why not.
pub(super) fn addresses(name: &'static str) -> Target {
    let seeds: Vec<&str> = catalogue().games().iter().flat_map(|info| info.examples).copied().collect();
    let run = |input: &[u8]| {
        let text = text(input);
        told(text.parse::<Address>(), |address| {
            let written = address.to_string();
            assert_eq!(written.parse::<Address>().ok().as_ref(), Some(&address), "`{written}` reads back differently");
            // Files are targets of their own, and large sheets take seconds to ground.
            let outside = address.arguments.iter().any(|(_, value)| looks_like_a_path(value));
            let large = address.name == "gdl" && !written.contains("tic-tac-toe");
            if outside || large {
                return "not opened".to_owned();
            }
            told(catalogue().open(&written), |game| format!("opened for {} players", size(game.spec().players.len())))
        })
    };
    Target::new(name, Box::new(run), texts(&seeds), &["size=", "seed=", "\"", "(", ")", "=", ","]).slow(400)
}

/// Agents of the catalogue are built for games of several classes, or say why not.
pub(super) fn agents(name: &'static str) -> Target {
    let open = |address: &str| catalogue().open(address).unwrap_or_else(|error| panic!("{address}: {error}"));
    let games: Vec<Arc<dyn AnyGame>> = ["tubstap", "dice7", "goofspiel(4)", "tic-tac-toe"].map(open).into();
    let mut seeds: Vec<String> = catalogue().agents().iter().map(|info| info.name.to_owned()).collect();
    for info in catalogue().agents() {
        let given = |default: &Option<String>| default.as_ref().filter(|default| !default.is_empty()).cloned();
        let arguments = info.parameters.iter().filter_map(|parameter| {
            Some(format!("{}=\"{}\"", parameter.name, given(&parameter.default)?.replace('"', "")))
        });
        seeds.push(format!("{}({})", info.name, arguments.collect::<Vec<_>>().join(",")));
    }
    seeds.retain(|seed| !reaches_out(seed));
    let run = move |input: &[u8]| {
        let text = text(input);
        if reaches_out(&text) {
            return "not built".to_owned();
        }
        let outcomes = games.iter().map(|game| told(game.check_agent(&text), |()| "built".to_owned()));
        outcomes.collect::<Vec<_>>().join("; ")
    };
    let words = &["playouts=", "nodes=", "time=", "c=", "depth=", "policy=", "1e9", "off", "on", "5s", "mc + uct"];
    let seeds = seeds.into_iter().map(String::into_bytes).collect();
    Target::new(name, Box::new(run), seeds, words)
}

/// A budget reads back as it is written.
pub(super) fn budgets(name: &'static str) -> Target {
    let seeds = ["2000", "playouts=2000", "time=100ms", "playouts=5,nodes=7,time=1.5s", "2min", "10s", "nodes=1_000"];
    let run = |input: &[u8]| {
        let text = text(input);
        let clock = told(Budget::from_clock(&text), |_| "a clock".to_owned());
        let budget = told(text.parse::<Budget>(), |budget| {
            let written = budget.to_string();
            assert!(written.parse::<Budget>().is_ok(), "`{text}` is written as `{written}`, which is not a budget");
            "a budget".to_owned()
        });
        format!("{clock}; {budget}")
    };
    Target::new(name, Box::new(run), texts(&seeds), &["playouts=", "nodes=", "time=", "ms", "s", "min", "h", ","])
}

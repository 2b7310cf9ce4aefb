//! A network as text in the language of Graphviz.

use std::fmt::Write;

use super::Network;
use crate::{Ground, Signal, Symbols};

/// The network of `ground` as a directed graph in the language of Graphviz (`dot -Tsvg`).
///
/// Facts are boxes, moves are ellipses, gates are circles, outputs are boxes with double lines. A gate is a
/// conjunction; an edge with a round head negates its signal. Facts and moves that nothing depends on are left out.
pub fn dot(network: &Network, ground: &Ground, symbols: &Symbols) -> String {
    let text = |term| quoted(&ground.terms.text(term, symbols));
    let role = |role: usize| ground.terms.text(ground.roles[role], symbols);
    let mut outputs: Vec<(String, Signal)> = vec![("terminal".to_owned(), network.terminal())];
    for (number, (moves, name)) in ground.moves.iter().zip((0..).map(role)).take(network.roles()).enumerate() {
        for (&term, &signal) in moves.iter().zip(network.legal(number)) {
            outputs.push((format!("legal {name} {}", ground.terms.text(term, symbols)), signal));
        }
    }
    for (&term, &signal) in ground.facts.iter().zip(network.next()) {
        outputs.push((format!("next {}", ground.terms.text(term, symbols)), signal));
    }
    for goal in network.goals() {
        outputs.push((format!("goal {} {}", role(goal.role as usize), goal.value), goal.when));
    }
    let needed = network.needed(outputs.iter().map(|&(_, signal)| signal));
    let mut dot = "digraph network {\n  rankdir=LR;\n  node [fontname=\"sans-serif\"];\n".to_owned();
    // Writing to a string cannot fail.
    let mut line = |text: std::fmt::Arguments<'_>| {
        let _ = writeln!(dot, "  {text}");
    };
    if needed[0] {
        line(format_args!("n0 [shape=plaintext, label=\"true\"];"));
    }
    for (&term, number) in ground.facts.iter().zip(1usize..) {
        if needed[number] {
            line(format_args!("n{number} [shape=box, label={}];", text(term)));
        }
    }
    for (player, moves) in ground.moves.iter().enumerate() {
        for (place, &term) in moves.iter().enumerate() {
            let number = network.move_number(player, place);
            if needed[number as usize] {
                let label = quoted(&format!("{} does {}", role(player), ground.terms.text(term, symbols)));
                line(format_args!("n{number} [shape=ellipse, label={label}];"));
            }
        }
    }
    let edge = |signal: Signal| if signal.is_negated() { " [arrowhead=odot]" } else { "" };
    for gate in (network.first_gate()..network.end()).filter(|&gate| needed[gate as usize]) {
        line(format_args!("n{gate} [shape=circle, label=\"and\"];"));
        for &part in network.gate(gate) {
            line(format_args!("n{} -> n{gate}{};", part.atom(), edge(part)));
        }
    }
    for (place, (name, signal)) in outputs.iter().enumerate() {
        line(format_args!("o{place} [shape=box, peripheries=2, label={}];", quoted(name)));
        line(format_args!("n{} -> o{place}{};", signal.atom(), edge(*signal)));
    }
    dot.push_str("}\n");
    dot
}

/// A text as a quoted string of the language.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use tesuji_core::Source;

    use super::*;
    use crate::{Grounding, GroundingLimits, Sheet, ground};

    #[test]
    fn a_small_network_is_drawn_completely() {
        let text = "(role r) (init (on a)) (<= (legal r (press ?x)) (true (on ?x))) (<= (legal r wait) (role r))
            (<= (next (on b)) (does r (press a)) (not (true (on b)))) (<= (next (on a)) (true (on b)))
            (<= terminal (true (on a)) (true (on b))) (goal r 100)";
        let sheet = Sheet::read(Source::new("small.kif", text)).unwrap();
        let Ok(Grounding::Done(ground, _)) = ground(&sheet, &GroundingLimits::default(), &|| false) else { panic!() };
        let network = Network::new(&ground).unwrap();
        let dot = dot(&network, &ground, &sheet.symbols);
        for part in [
            "digraph network {",
            "[shape=box, label=\"(on a)\"]",
            "label=\"r does (press a)\"",
            "label=\"next (on b)\"",
            "label=\"terminal\"",
            "label=\"goal r 100\"",
            "[arrowhead=odot]",
        ] {
            assert!(dot.contains(part), "{part} is missing:\n{dot}");
        }
        // Every edge joins nodes that are declared.
        for edge in dot.lines().filter(|line| line.contains("->")) {
            let ends = edge.trim().trim_end_matches(';').split(" [").next().unwrap().split(" -> ");
            ends.for_each(|end| assert!(dot.contains(&format!("  {end} [")), "{end} is not declared"));
        }
    }
}

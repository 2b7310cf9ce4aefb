//! What a round of matches says of its first agent.

use tesuji_core::Spec;

use crate::statistics;

/// The first agent's scores in a round, given what each seat got in each of its matches: one score for each match.
///
/// In games for one, the round as a whole is the contest: 1 for the greater payoff of the two agents, 1/2 for equal
/// ones.
pub(crate) fn round_scores(spec: &Spec, seatings: &[Vec<usize>], payoffs: &[Vec<f64>]) -> Vec<f64> {
    if let ([_], [first, second]) = (&spec.players[..], payoffs) {
        return vec![statistics::score(spec, &[first[0], second[0]], 0)];
    }
    let seat_of_first = |seating: &Vec<usize>| seating.iter().position(|&agent| agent == 0);
    let scores = seatings
        .iter()
        .zip(payoffs)
        .map(|(seating, payoffs)| seat_of_first(seating).map_or(0.5, |seat| statistics::score(spec, payoffs, seat)));
    scores.collect()
}

#[cfg(test)]
mod tests {
    use tesuji_catalogue::seatings;

    #[test]
    fn every_agent_holds_every_seat_once_in_a_round() {
        assert_eq!(seatings(2, 2), [[0, 1], [1, 0]]);
        assert_eq!(seatings(3, 3), [[0, 1, 2], [2, 0, 1], [1, 2, 0]]);
        assert_eq!(seatings(2, 3), [[0, 1, 1], [1, 0, 1], [1, 1, 0]]);
        assert_eq!(seatings(2, 1), [[0], [1]]);
        assert_eq!(seatings(1, 1), [[0]]);
    }
}

//! The verdict of a sequential test in words, for `match` and `run`.

use tesuji_arena::PairingSummary;
use tesuji_arena::experiment::Experiment;
use tesuji_arena::statistics::{EloScale, SprtDecision, SprtReport, SprtSettings};

use super::run::interval;
use crate::output::Output;

/// What the sequential test of a pairing has decided, if there is one. A pairing among others is named.
pub(crate) fn verdict(result: &PairingSummary, experiment: &Experiment) -> Option<String> {
    let (Some(report), Some(early)) = (&result.sprt, &experiment.sprt) else { return None };
    let PairingSummary { game, first, second, .. } = result;
    let alone = experiment.games.len() == 1 && experiment.agents.len() == 2;
    let of = if alone { String::new() } else { format!(" of {first} against {second} in {game}") };
    Some(words(report, &early.settings, result.tally.matches(), &of))
}

fn words(report: &SprtReport, settings: &SprtSettings, matches: u64, of: &str) -> String {
    let SprtSettings { elo0, elo1, scale, .. } = settings;
    let elo = match scale {
        EloScale::Logistic => "Elo",
        EloScale::Normalised => "normalised Elo",
    };
    let decision = match report.decision {
        SprtDecision::AcceptH1 => format!("accepted after {matches} matches: {elo1:+} {elo} rather than {elo0:+}"),
        SprtDecision::AcceptH0 => format!("accepted after {matches} matches: {elo0:+} {elo} rather than {elo1:+}"),
        SprtDecision::Continue => format!("not decided after {matches} matches"),
    };
    let SprtReport { llr, lower, upper, .. } = report;
    format!("sequential test (SPRT) {elo0},{elo1}{of}: {decision}  (LLR {llr:+.2} between {lower:+.2} and {upper:+.2})")
}

/// Says what an early stop does to the figures, and which interval is valid then.
pub(crate) fn biased(result: &PairingSummary, output: &mut Output) {
    if result.stopped_early {
        output.line(format!(
            "the sequential test ended the series early, so win rate, Elo and the interval over pairs are biased; \
             valid at any stop: 95 % {}",
            interval(result.anytime_interval)
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_name_the_hypothesis_that_was_accepted() {
        let report = |decision| SprtReport { llr: 2.97, lower: -2.94, upper: 2.94, decision };
        let settings = SprtSettings::new(0.0, 50.0);
        assert_eq!(
            words(&report(SprtDecision::AcceptH1), &settings, 46, ""),
            "sequential test (SPRT) 0,50: accepted after 46 matches: +50 Elo rather than +0  (LLR +2.97 between -2.94 \
             and +2.94)"
        );
        let normalised = SprtSettings { scale: EloScale::Normalised, ..settings };
        let lost = words(&report(SprtDecision::AcceptH0), &normalised, 46, " of a against b in pig");
        assert!(
            lost.contains("0,50 of a against b in pig: accepted after 46 matches: +0 normalised Elo rather than +50")
        );
        assert!(words(&report(SprtDecision::Continue), &settings, 46, "").contains(": not decided after 46 matches"));
    }
}

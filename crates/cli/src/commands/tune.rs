//! `tesuji tune`

use indicatif::ProgressBar;
use serde_json::json;
use tesuji_arena::{Catalogue, InputError, TunedParameter, TuningPlan, tune};

use crate::arguments::TuneOptions;
use crate::failure::{Failure, OrUsage, Outcome, check_agent, open};
use crate::interrupt;
use crate::output::{Output, percent};

pub(crate) fn run(catalogue: &Catalogue, options: &TuneOptions, threads: usize, output: &mut Output) -> Outcome {
    let game = open(catalogue, &options.game)?;
    check_agent(game.as_ref(), &options.agent)?;
    let parameters: Result<Vec<TunedParameter>, InputError> = options.over.iter().map(|text| text.parse()).collect();
    let plan = TuningPlan {
        game: options.game.clone(),
        confirm_on: options.confirm_on.clone(),
        agent: options.agent.clone(),
        parameters: parameters.or_usage()?,
        against: options.against.clone(),
        budget: options.budget.parse().or_usage()?,
        matches: options.matches,
        confirm: options.confirm,
        elo: options.elo,
        seed: options.seed,
        threads,
    };
    let bar = if output.is_quiet() { ProgressBar::hidden() } else { ProgressBar::new_spinner() };
    let end = tune(catalogue, &plan, interrupt::flag(), |part, best| {
        bar.set_message(format!("{} of the search, best so far {best}", percent(part)));
        bar.tick();
    });
    bar.finish_and_clear();
    let end = end?;
    if output.is_json() {
        output.value(&json!(end));
    } else {
        output.line(format!("best found in {} matches: {}", end.searched, end.agent));
        match (end.win_rate, end.interval) {
            (Some(rate), Some((low, high))) => {
                let verdict = if end.improved { "an improvement" } else { "no improvement found" };
                output.line(format!(
                    "{verdict}: {} against {} [{}, {}], {} matches on fresh seeds",
                    percent(rate),
                    end.against,
                    percent(low),
                    percent(high),
                    end.confirmed_by
                ));
            }
            _ if end.agent == end.against => output.line("no improvement found: it is the agent itself"),
            _ => output.line("not tested"),
        }
    }
    match end.complete {
        true => Ok(()),
        false => Err(Failure::Interrupted(InputError::new("interrupted before the final test was decided"))),
    }
}

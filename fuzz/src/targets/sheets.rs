//! Rule sheets in the Game Description Language, and traces of their matches.

use tesuji_arena::Rng;
use tesuji_core::{Game, Horizon, Policy, Uniform};
use tesuji_gdl::interpreter::Limits;
use tesuji_gdl::validate::{Trial, validate};
use tesuji_gdl::{Gdl, GroundingLimits, Options, Sheet, Trace};

use super::{Target, files, size, source, texts, told};

/// Steps of the match that is played on an accepted sheet.
const MOST_STEPS: u32 = 5;
/// Limits of the interpreter.
const LIMITS: Limits = Limits { steps: 5_000, answers: 2_000, terms: 2_000, nesting: 40, calls: 200, facts: 200 };

/// A sheet is read and checked, and the network agrees with the interpreter that it can or cannot be played.
pub(super) fn rule_sheets(name: &'static str) -> Target {
    let mut seeds = files("data/gdl", ".kif");
    // Large games take long and teach little more.
    seeds.retain(|seed| seed.len() < 2_500);
    let run = |input: &[u8]| {
        told(Sheet::read(source("fuzz.kif", input)), |sheet| {
            let trial = Trial { matches: 2, most_steps: 5, total_steps: 8, seed: 1, limits: LIMITS };
            let findings = validate(&sheet, &trial);
            let first = findings.first().map_or("no findings".to_owned(), |finding| finding.error.to_string());
            let grounding = GroundingLimits {
                atoms: 500,
                rules: 1_000,
                conditions: 5_000,
                term_depth: 8,
                steps: 20_000,
                bytes: 4 << 20,
            };
            let options = Options { engine: None, max_steps: 20, grounding, interpreter: LIMITS };
            let opened = told(Gdl::from_sheet(sheet, options), |game| play(&game));
            format!("{first}; {opened}")
        })
    };
    let words = &[
        "(role x)",
        "(init (p a))",
        "(<= ",
        "(true ",
        "(does ",
        "(legal ",
        "(next ",
        "terminal",
        "(goal x 100)",
        "(not ",
        "(or ",
        "(distinct ",
        "?x",
        "?y",
        "(f ?x)",
        "random",
        "(base ",
        "(input ",
    ];
    Target::new(name, Box::new(run), seeds, words).slow(600)
}

/// A short random match.
fn play(game: &Gdl) -> String {
    let mut state = game.start();
    let steps = Uniform::default().play_out(game, &mut state, &mut Rng::new(1), Horizon::steps(MOST_STEPS));
    format!("played {} steps", size(steps as usize))
}

/// A file of states and moves that other programs wrote.
pub(super) fn traces(name: &'static str) -> Target {
    let seeds =
        texts(&["ROLES\tx\to\nSTATE\t(control x)\nTERM\t0\nGOALS\tERR\tERR\nLEGAL\tx\t(mark 1 1)\nLEGAL\to\tnoop\n\
         MOVE\t(mark 1 1)\tnoop\nSTATE\t(cell 1 1 x)\nTERM\t1\nGOALS\t100\t0\nEND\n"]);
    let run = |input: &[u8]| {
        told(Trace::read(&source("fuzz.trace", input)), |trace| {
            let states = trace.matches.iter().flatten();
            let counts = [trace.roles.len(), trace.matches.len(), states.clone().count()].map(size);
            let moves = states.filter(|state| state.joint.is_some()).count();
            format!("{counts:?} roles, matches and states, {} moves", size(moves))
        })
    };
    Target::new(
        name,
        Box::new(run),
        seeds,
        &[
            "ROLES\tx\to\tz\n",
            "STATE\t(p a)\n",
            "TERM\t1\n",
            "GOALS\t0\t100\n",
            "LEGAL\tz\ta\n",
            "MOVE\ta\tb\n",
            "END\n",
            "\t",
            "\n",
        ],
    )
}

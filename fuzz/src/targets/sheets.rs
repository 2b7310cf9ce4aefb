//! Rule sheets in the Game Description Language, and traces of their matches.

use tesuji_arena::Rng;
use tesuji_core::{Game, Horizon, Policy, Uniform};
use tesuji_gdl::interpreter::Limits;
use tesuji_gdl::tutor::{Examples, Verdict, compare};
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

/// Examples for the tutor: what was read is written and read back, and compared with a small sheet.
pub(super) fn examples(name: &'static str) -> Target {
    let mut seeds = files("data/rulebooks", ".examples");
    seeds.retain(|seed| seed.len() < 2_500);
    seeds.extend(texts(&[
        "roles x o\nexample a match\nlegal x (mark 1 1)\nillegal x noop\nmove x (mark 1 1) o noop\ntrue (p a)\n\
         false (p b)\nonly (p a)\nmoves o noop\nnot over\nover\ngoal x 100\nwins x\ndraw\n",
        "example a position\nfrom (heap 1) (turn x)\nmove x take\n  o noop\nwins x ; the last object\n",
    ]));
    let sheet = Sheet::read(source("heap.kif", HEAP.as_bytes()));
    let run = move |input: &[u8]| {
        told(Examples::read(source("fuzz.examples", input)), |examples| {
            let written = examples.to_string();
            let again = Examples::read(source("again.examples", written.as_bytes())).map(|again| again.to_string());
            assert_eq!(again.map_err(|error| error.to_string()), Ok(written), "what was written reads back");
            let count = size(examples.list.iter().map(|example| example.statements.len()).sum());
            let compared = sheet.as_ref().map(|sheet| compare(sheet, &examples, LIMITS));
            match compared {
                Ok(Ok(Verdict::Agree(_))) => format!("{count} statements agree"),
                Ok(Ok(Verdict::Disagree(first))) => format!("{count} statements, {}", first.suspects.len()),
                Ok(Ok(Verdict::Unsound(_))) => format!("{count} statements, beyond the limits"),
                Ok(Err(error)) => error.message().to_owned(),
                Err(error) => panic!("{error}"),
            }
        })
    };
    let words = &[
        "example ",
        "roles ",
        "from ",
        "true ",
        "false ",
        "only ",
        "legal x ",
        "illegal o ",
        "moves x ",
        "move x take",
        "not over",
        "over",
        "goal x 100",
        "wins x",
        "draw",
        "(heap 1)",
        "(turn x)",
        "noop",
        "\n",
        ";",
    ];
    Target::new(name, Box::new(run), seeds, words).slow(600)
}

/// Two players in turn take an object from a heap of two; who takes the last one wins.
const HEAP: &str = "(role x) (role o) (init (heap 2)) (init (turn x)) (less 2 1) (less 1 0)\n\
    (<= (legal ?p take) (true (turn ?p))) (<= (legal ?p noop) (role ?p) (not (true (turn ?p))))\n\
    (<= (next (heap ?m)) (true (heap ?n)) (less ?n ?m))\n\
    (<= (next (turn o)) (true (turn x))) (<= (next (turn x)) (true (turn o)))\n\
    (<= terminal (true (heap 0))) (<= (goal ?p 0) (true (heap 0)) (true (turn ?p)))\n\
    (<= (goal ?p 100) (true (heap 0)) (role ?p) (not (true (turn ?p))))\n";

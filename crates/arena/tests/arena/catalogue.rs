//! Catalogues with games and agents of one's own; names that clash; how often an experiment opens its games.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use tesuji_arena::experiment::{Scale, read_experiment};
use tesuji_arena::sheet::SheetGame;
use tesuji_arena::store::Store;
use tesuji_arena::tubstap::MapGame;
use tesuji_arena::{RunPlan, Source, Trust, export, html, run_experiment, summarise};
use tesuji_core::{Arguments, Entry, Features, Game, InputError, Knowledge, Names, Parameter};
use tesuji_games::tic_tac_toe::{self, TicTacToe};
use tesuji_play::Agent;
use tesuji_play::{AgentKind, Preset};
use tesuji_search::Random;
use tesuji_search::kinds::RandomKind;

/// A kind of agent that does not come with the program.
struct Mine;

impl AgentKind for Mine {
    const NAME: &'static str = "mine";
    const SUMMARY: &'static str = "Plays at random";
    const HANDLES: Features = Features::all();
    const PARAMETERS: &'static [Parameter] =
        &[Parameter::new("mood", "calm", "calm or wild"), Parameter::new("notes", "", "a file of notes").file()];
    const PRESETS: &'static [Preset] = &[Preset { name: "mine-wild", arguments: "mood=wild", summary: "Wild" }];

    fn build<G: Game + Knowledge + 'static>(arguments: &Arguments, _: &G) -> Result<Box<dyn Agent<G>>, InputError> {
        arguments.choice("mood", &["calm", "wild"])?;
        Ok(Box::new(Random))
    }
}

/// A second one.
struct Other;

impl AgentKind for Other {
    const NAME: &'static str = "other";
    const SUMMARY: &'static str = "Plays games without chance at random";
    const HANDLES: Features = Features::MULTI_ACTION;
    const PARAMETERS: &'static [Parameter] = &[];

    fn build<G: Game + Knowledge + 'static>(_: &Arguments, _: &G) -> Result<Box<dyn Agent<G>>, InputError> {
        Ok(Box::new(Random))
    }
}

#[test]
fn agents_of_ones_own_play_every_game() {
    let catalogue = tesuji_standard::builder().agent::<Mine>().agent::<Other>().standard().build().unwrap();
    let names: Vec<&str> = catalogue.agents().iter().map(|info| info.name).collect();
    assert_eq!(names[names.len() - 3..], ["mine", "mine-wild", "other"]);
    assert_eq!(names.len(), tesuji_standard::catalogue().agents().len() + 3);
    for info in catalogue.games() {
        let game = catalogue.open(info.examples[0]).unwrap();
        for address in ["mine", "mine(wild)", "mine-wild", "uct(playouts=5)", "mine-wild(mood=calm)"] {
            let able = game.check_agent(address);
            assert!(able.is_ok() || address.starts_with("uct"), "{address} in {}: {able:?}", info.name);
        }
        let error = game.check_agent("mine(mood=sad)").unwrap_err().to_string();
        assert!(error.contains("one of calm, wild"), "{error}");
    }
    let able = |game: &str, agent: &str| catalogue.open(game).unwrap().check_agent(agent);
    assert!(able("tic-tac-toe", "other").is_ok());
    assert!(able("pig", "other").unwrap_err().to_string().contains("does not handle chance"));
    assert!(tesuji_standard::catalogue().open("pig").unwrap().check_agent("mine").is_err());
}

#[test]
fn games_that_arrive_as_text_have_the_agents_of_the_catalogue() {
    let catalogue = tesuji_standard::builder().agent::<Mine>().standard().build().unwrap();
    let text = |game: &str| Source::new("text", catalogue.open(game).unwrap().rules_text().unwrap());
    let sheet = SheetGame::open(&catalogue, text("gdl"), &|| false).unwrap();
    assert!(sheet.any_game().check_agent("mine").is_ok());
    let map = MapGame::read(&catalogue, "tubstap", &text("tubstap")).unwrap();
    assert!(map.any_game().check_agent("mine").is_ok());
    // A catalogue without the game has no agents that could play it.
    let small = tesuji_standard::builder().game(tic_tac_toe::ENTRY).build().unwrap();
    assert!(SheetGame::open(&small, text("gdl"), &|| false).is_err());
}

#[test]
fn names_that_clash_are_refused() {
    let games = tesuji_standard::builder().standard().game(tic_tac_toe::ENTRY).build();
    assert!(games.unwrap_err().to_string().contains("two games of this catalogue are called `tic-tac-toe`"));
    let agents = tesuji_standard::builder().agent::<RandomKind>().game(tic_tac_toe::ENTRY).build();
    assert!(agents.unwrap_err().to_string().contains("two agents of this catalogue are called `random`"));
}

#[test]
fn what_an_agent_reaches_is_declared() {
    let catalogue = tesuji_standard::catalogue();
    for info in catalogue.agents() {
        let expected = match info.name {
            "process" => Trust::StartsPrograms,
            "llm" => Trust::Network,
            "outside" => Trust::Outside,
            _ => Trust::Contained,
        };
        assert_eq!(info.trust, expected, "{}", info.name);
        for parameter in &info.parameters {
            let expected = match parameter.name {
                "certificate" | "fuzzy" | "net" => Names::File,
                "cmd" => Names::Program,
                "nominators" => Names::Agents,
                _ => Names::Value,
            };
            assert_eq!(parameter.names, expected, "{} of {}", parameter.name, info.name);
        }
    }
}

static OPENINGS: AtomicUsize = AtomicUsize::new(0);

/// Tic-Tac-Toe that counts how often it is opened.
const COUNTED: Entry<TicTacToe> = Entry {
    name: "counted",
    title: "Counted Tic-Tac-Toe",
    summary: "Tic-Tac-Toe, counted",
    parameters: &[],
    examples: &["counted"],
    open: |_: &Arguments| {
        OPENINGS.fetch_add(1, Ordering::SeqCst);
        Ok(TicTacToe::default())
    },
};

#[test]
fn an_experiment_opens_each_game_once() {
    let text = "title = \"counted\"\ngames = [\"counted\"]\nagents = [\"random\", \"mc\", \"uct\"]\n\
                seed = 1\npairs = 2\nbudget = { playouts = 5 }\n";
    let catalogue = tesuji_standard::builder().game(COUNTED).build().unwrap();
    assert_eq!(OPENINGS.load(Ordering::SeqCst), 0);
    let experiment = read_experiment(&catalogue, &Source::new("counted.toml", text), Scale::Full).unwrap();
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("counted.db");
    std::fs::remove_file(&path).ok();
    let mut store = Store::open(&path).unwrap();
    let plan = RunPlan { threads: 2, shard: None };
    let file = ("counted.toml", text);
    let end = run_experiment(&experiment, file, &mut store, plan, &AtomicBool::new(false), |_| ()).unwrap();
    let summary = summarise(&experiment, &store, end.run, true).unwrap();
    assert_eq!(summary.matches, 12);
    assert!(html(&[summary]).contains("counted"));
    assert_eq!(OPENINGS.load(Ordering::SeqCst), 1);
    // Exporting reads the experiment again, once for all of its matches.
    let mut exported = 0;
    export(&catalogue, &store, |played| {
        exported += 1;
        played.record().map(drop)
    })
    .unwrap();
    assert_eq!((exported, OPENINGS.load(Ordering::SeqCst)), (12, 2));
}

#[test]
fn games_are_called_what_people_call_them() {
    let catalogue = tesuji_standard::catalogue();
    for (address, title) in [
        ("connect-four", "Connect Four"),
        ("connect-four(5,6)", "Connect Four (5×6)"),
        ("tubstap(map=six-arms)", "TUBSTAP: six arms"),
        ("tubstap", "TUBSTAP: meadow"),
        ("tubstap(map=upload:my-map-12345678.tbsmap)", "TUBSTAP: my map 12345678"),
        ("gdl(hex-9x9)", "Hex 9×9"),
        ("gdl", "Tic Tac Toe"),
        ("sync-triomineering(rows=6,columns=6)", "Synchronized Triomineering"),
    ] {
        assert_eq!(catalogue.title(address).unwrap(), title, "{address}");
    }
    assert!(catalogue.title("nothing").is_err());
}

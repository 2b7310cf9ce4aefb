//! Language models as players, against a scripted endpoint that answers well, badly, never, with floods and with
//! injected instructions.

mod endpoint;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use endpoint::Endpoint;
use tesuji_arena::experiment::{Experiment, Scale, read_experiment};
use tesuji_arena::store::Store;
use tesuji_arena::{
    Conduct, RunPlan, Source, Summary, check_transcripts, export, markdown, merge, model_pages, run_experiment,
    summarise,
};

/// A path for a store, with nothing there.
fn fresh(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("models-{name}.db"));
    for suffix in ["", "-wal", "-shm", ".lock"] {
        std::fs::remove_file(format!("{}{suffix}", path.display())).ok();
    }
    path
}

fn experiment(games: &str, agents: &[(&str, String)], pairs: u64) -> String {
    let agents = agents.iter().map(|(label, address)| format!("{{ address = '{address}', label = \"{label}\" }}"));
    let agents: Vec<String> = agents.collect();
    format!(
        "title = \"models\"\ngames = {games}\nagents = [{}]\nseed = 7\npairs = {pairs}\nbudget = {{ playouts = 20 }}\n",
        agents.join(", ")
    )
}

fn read(text: &str) -> Experiment {
    read_experiment(&tesuji_standard::catalogue(), &Source::new("models.toml", text), Scale::Full)
        .unwrap_or_else(|error| panic!("{error}"))
}

fn play(text: &str, name: &str) -> (PathBuf, Summary) {
    let path = fresh(name);
    let mut store = Store::open(&path).unwrap();
    let plan = RunPlan { threads: 4, shard: None };
    let stop = AtomicBool::new(false);
    let end = run_experiment(&read(text), ("models.toml", text), &mut store, plan, &stop, |_| ()).unwrap();
    let summary = summarise(&read(text), &store, end.run, false).unwrap();
    (path, summary)
}

fn conduct<'a>(summary: &'a Summary, label: &str) -> &'a Conduct {
    summary.models.iter().find(|conduct| conduct.agent == label).unwrap()
}

fn total(summary: &Summary, count: impl Fn(&Conduct) -> u64) -> u64 {
    summary.models.iter().map(count).sum()
}

#[test]
fn a_thousand_matches_replay_from_their_transcripts() {
    let endpoint = Endpoint::start();
    let agents = [
        ("random", "random".to_owned()),
        ("good", endpoint.agent("good", "")),
        ("scrambled", endpoint.agent("good", ",scramble=5,history=2")),
        ("bad", endpoint.agent("bad", ",retries=1")),
        ("blind", endpoint.agent("bad", ",legal=false,retries=3")),
        ("injecting", endpoint.agent("injecting", "")),
        ("flooding", endpoint.agent("flooding", ",retries=1")),
        ("broken", endpoint.agent("broken", ",retries=4")),
    ];
    let games = r#"["tic-tac-toe", "goofspiel(3)", "pig(8)", "gdl(rock-paper-scissors)", "tubstap(map=one-blow)"]"#;
    let text = experiment(games, &agents, 4);
    let (path, summary) = play(&text, "thousand");
    assert!(summary.complete && summary.matches >= 1_000, "{} matches", summary.matches);

    let check = check_transcripts(&tesuji_standard::catalogue(), &Store::read(&path).unwrap()).unwrap();
    assert_eq!((check.different, check.differences), (0, Vec::new()));
    assert!(check.matches >= 1_000, "{} matches with transcripts", check.matches);
    // Every request is in a transcript. A connection that failed is in one, too, though no request arrived.
    let (requests, failed) = (endpoint.requests.load(Ordering::SeqCst), total(&summary, |conduct| conduct.failed));
    assert!((requests..=requests + failed).contains(&check.answers), "{} of {requests}", check.answers);

    let good = conduct(&summary, "good");
    assert_eq!((good.not_legal, good.unreadable, good.failed, good.forfeited), (0, 0, 0, 0));
    assert_eq!((good.illegal_rate, good.requests), (Some(0.0), good.decisions));
    assert!(good.input_tokens > good.output_tokens && good.output_tokens > 0 && good.uncounted == 0);
    let scrambled = conduct(&summary, "scrambled");
    assert_eq!((scrambled.scramble, scrambled.forfeited, scrambled.illegal_rate), (Some(5), 0, Some(0.0)));
    let bad = conduct(&summary, "bad");
    assert!(bad.not_legal > 0 && bad.unreadable > 0 && bad.forfeited > 0, "{bad:?}");
    assert!(bad.illegal_rate.unwrap() > 0.3 && bad.illegal_interval.unwrap().0 > 0.2, "{bad:?}");
    assert!(conduct(&summary, "injecting").not_legal > 0);
    assert!(conduct(&summary, "flooding").unreadable > 0 && conduct(&summary, "flooding").failed > 0);
    assert!(conduct(&summary, "broken").failed > 0);

    let report = markdown(std::slice::from_ref(&summary));
    assert!(report.contains("## Language models") && report.contains("Illegal rate"), "{report}");
    let prices = ["good=1/2".parse().unwrap()];
    let pages = model_pages(std::slice::from_ref(&summary), &prices);
    let names: Vec<&str> = pages.iter().map(|page| page.model.as_str()).collect();
    assert_eq!(names, ["bad", "broken", "flooding", "good", "injecting"]);
    let page = pages[3].markdown();
    assert!(page.starts_with("# good\n") && page.contains("| tic-tac-toe | good | random |"), "{page}");
    let cost = (good.input_tokens as f64 + 2.0 * good.output_tokens as f64) / 1e6;
    assert!(page.contains(&format!("{cost:.4}")), "{cost} in {page}");
    assert!(pages[0].html().contains("<h1>bad</h1>"));
}

/// A match between a model and an agent, with its transcripts.
fn one_match(game: &str, agent: String, name: &str) -> (Summary, Vec<tesuji_arena::ExportedMatch>) {
    let text = experiment(&format!("[\"{game}\"]"), &[("model", agent), ("random", "random".to_owned())], 1);
    let (path, summary) = play(&text, name);
    let mut matches = Vec::new();
    export(&tesuji_standard::catalogue(), &Store::read(&path).unwrap(), |played| {
        matches.push(played);
        Ok(())
    })
    .unwrap();
    (summary, matches)
}

#[test]
fn prompts_say_what_they_should_and_no_more() {
    let endpoint = Endpoint::start();
    let (_, matches) = one_match("goofspiel(4)", endpoint.agent("good", ""), "hidden");
    for played in &matches {
        let [(seat, transcript)] = &played.transcripts[..] else { panic!("{:?}", played.transcripts) };
        let lines: Vec<serde_json::Value> =
            transcript.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let system = lines[0]["system"].as_str().unwrap();
        assert!(
            system.contains("The game is `goofspiel(cards=4)`") && system.contains("Both players play a card"),
            "{system}"
        );
        // Every bid so far is in the prompt, and the other player's bid of the same round is not.
        for line in &lines[1..] {
            let step = line["step"].as_u64().unwrap() as usize;
            let prompt = line["prompt"].as_str().unwrap();
            let shown = prompt.lines().filter(|line| line.contains(". first ") || line.contains(". chance ")).count();
            assert_eq!(shown, step, "{prompt}");
            assert!(prompt.contains("choose at the same time"), "{prompt}");
        }
        assert!(*seat < 2);
    }
    let (_, matches) = one_match("tic-tac-toe", endpoint.agent("bad", ",legal=false,retries=20"), "withheld");
    for (_, transcript) in matches.iter().flat_map(|played| &played.transcripts) {
        assert!(!transcript.contains("Your legal actions") && !transcript.contains("for example"), "{transcript}");
    }
    let (_, matches) = one_match("gdl(tic-tac-toe)", endpoint.agent("good", ",scramble=3"), "scrambled");
    for (_, transcript) in matches.iter().flat_map(|played| &played.transcripts) {
        let lines: Vec<serde_json::Value> =
            transcript.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let said = lines.iter().flat_map(|line| [line["system"].as_str(), line["prompt"].as_str()]).flatten();
        for text in said {
            for name in ["tic-tac", "place", "mark", "control", "tesuji"] {
                assert!(!text.contains(name), "`{name}` in {text}");
            }
        }
        assert!(lines[1]["action"].as_str().unwrap().starts_with("(place "), "the record has the game's own names");
    }
}

#[test]
fn the_time_that_a_model_takes_is_stored() {
    let endpoint = Endpoint::start();
    let (_, matches) = one_match("tic-tac-toe", endpoint.agent("good", ""), "time");
    for played in &matches {
        assert_eq!(played.decisions.len(), played.steps.len());
        let model = played.transcripts[0].0 as u8;
        let mut own = played.decisions.iter().filter(|decision| decision.seat == model);
        assert!(own.all(|decision| decision.microseconds > 0), "{:?}", played.decisions);
    }
}

#[test]
fn a_model_that_is_late_forfeits_and_the_reason_is_kept() {
    let endpoint = Endpoint::start();
    let (summary, matches) = one_match("tic-tac-toe", endpoint.impatient("silent", ",retries=0,scramble=1"), "late");
    let fouls: Vec<&String> = matches.iter().filter_map(|played| Some(&played.foul.as_ref()?.1)).collect();
    assert_eq!((conduct(&summary, "model").failed as usize, fouls.len()), (matches.len(), matches.len()));
    assert!(fouls.iter().all(|foul| foul.contains("no answer within 100ms")), "{fouls:?}");
}

#[test]
fn transcripts_are_merged_and_guarded_like_results() {
    let endpoint = Endpoint::start();
    let agents = [("model", endpoint.agent("bad", "")), ("random", "random".to_owned())];
    let text = experiment("[\"tic-tac-toe\"]", &agents, 3);
    let (path, _) = play(&text, "guarded");
    let all = |path: &Path| {
        let mut all = Vec::new();
        Store::read(path).unwrap().each_transcript(1, |transcript| {
            all.push(transcript);
            Ok(())
        })?;
        Ok::<_, tesuji_arena::InputError>(all)
    };
    let kept = all(&path).unwrap();
    assert_eq!(kept.len(), 6);
    let merged = fresh("merged");
    merge(&merged, &[path.clone(), path.clone()]).unwrap();
    assert_eq!(all(&merged).unwrap(), kept);

    let damage = |sql: &str| {
        let connection = rusqlite::Connection::open(&merged).unwrap();
        connection.execute_batch(sql).unwrap();
    };
    damage(
        "UPDATE transcripts SET transcript = replace(transcript, 'ACTION', 'ACTIoN') WHERE pair = 1 AND seating = 0",
    );
    assert!(all(&merged).unwrap_err().to_string().contains("the transcript of seat 0 in match 0 of pair 1"));
    let condition = Store::inspect(&merged).unwrap().condition().unwrap();
    assert_eq!((condition.transcripts.whole, condition.transcripts.damaged, condition.matches.damaged), (5, 1, 0));
    damage("DELETE FROM transcripts WHERE pair = 1 AND seating = 0");
    assert!(all(&merged).unwrap_err().to_string().contains("missing"));
    damage("DROP TABLE transcripts");
    assert!(Store::read(&merged).is_err());
}

#[test]
fn models_are_refused_where_they_would_leak() {
    let game = tesuji_standard::catalogue().open("tic-tac-toe").unwrap();
    let refused = |agent: &str| game.check_agent(agent).unwrap_err().to_string();
    assert!(refused("llm").contains("model"));
    assert!(refused("llm(model=m,url=\"http://example.org/v1\")").contains("another machine"));
    assert!(refused("llm(model=m,key=TESUJI_NO_SUCH_KEY)").contains("TESUJI_NO_SUCH_KEY"));
    assert!(refused("llm(model=m,retries=21)").contains("20"));
    assert!(refused("llm(model=m,history=some)").contains("all"));
    assert!(game.check_agent("llm(model=m)").is_ok());
}

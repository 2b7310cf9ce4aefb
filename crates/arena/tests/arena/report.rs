//! Reports: the same content in both forms, well-formed, stable, and never at a loss for a word.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use roxmltree::{Document, ParsingOptions};
use tesuji_arena::experiment::{Published, Scale, read_experiment};
use tesuji_arena::statistics::{
    BootstrapSettings, CrossTable, DEFAULT_TOLERANCE, Duplicates, Estimate, Evidence, Pairs, Sample, SprtSettings,
    Tally, agrees, anytime_interval, bootstrap_ratings, elo_difference, normalised_elo, pair_interval, sprt,
    superiority, wilson_effective,
};
use tesuji_arena::store::Store;
use tesuji_arena::{
    AgentSummary, CONFIDENCE, Comparison, ExploitabilityPoint, ExploitabilityReport, GameIdentity, PairingSummary,
    RatingSummary, Rng, RunPlan, Source, Summary, Thinking, Timing, WholeGamePoint, WholeGameReport, WorkerSummary,
    html, markdown, run_experiment, summarise,
};

/// Runs an experiment in a store of its own. With `play` unset it is entered and stopped before its first match.
fn run(name: &str, text: &str, play: bool) -> Summary {
    let experiment = read_experiment(&tesuji_standard::catalogue(), &Source::new(name, text), Scale::Quick).unwrap();
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("report-{name}-{}.tesuji", std::process::id()));
    let _ = fs::remove_file(&path);
    let mut store = Store::open(&path).unwrap();
    let plan = RunPlan { threads: 2, shard: None };
    let end = run_experiment(&experiment, (name, text), &mut store, plan, &AtomicBool::new(!play), |_| ()).unwrap();
    let summary = summarise(&experiment, &store, end.run, true).unwrap();
    drop(store);
    let _ = fs::remove_file(&path);
    summary
}

const TWO_GAMES: &str = r#"
title = "All kinds of <labels> & titles"
about = "First.\n\n- second"
reproduces = "a paper | its table 2"
games = [{ address = "tic-tac-toe", label = "<i>noughts</i> | crosses" }, "connect-four(4,4)"]
agents = [
    { address = "uct", label = "<b>uct</b>" },
    { address = "mc", label = "flat|mc" },
    { address = "random", label = "\"random\" & 'wild' \u0007" },
]
seed = 7
pairs = 4
budget = { playouts = 20 }
sprt = { elo0 = 0, elo1 = 200 }
[[published]]
game = "<i>noughts</i> | crosses"
first = "<b>uct</b>"
second = "flat|mc"
win_rate = 0.6
games = 200
note = "table | 2"
"#;

/// The texts of all elements of a kind.
fn texts(page: &Document<'_>, tag: &str) -> Vec<String> {
    let elements = page.descendants().filter(|node| node.has_tag_name(tag));
    let text = |node: roxmltree::Node<'_, '_>| {
        node.descendants().filter(|inner| inner.is_text()).filter_map(|inner| inner.text()).collect::<String>()
    };
    elements.map(|node| text(node).trim().to_owned()).collect()
}

fn parsed(page: &str) -> Document<'_> {
    Document::parse_with_options(page, ParsingOptions { allow_dtd: true, ..ParsingOptions::default() }).unwrap()
}

fn check_words(text: &str) {
    for word in ["NaN", "inf", "Infinity", "Some(", "None"] {
        let found = text.split(|c: char| !c.is_alphanumeric() && c != '(').any(|part| part == word);
        assert!(!found, "{word} in {text}");
    }
}

#[test]
fn every_pairing_is_told_in_both_forms() {
    let summary = run("two", TWO_GAMES, true);
    let page = html(std::slice::from_ref(&summary));
    let document = parsed(&page);
    let rows = texts(&document, "tr");
    let text = markdown(std::slice::from_ref(&summary));
    let labels = ["<b>uct</b>", "flat|mc", "\"random\" & 'wild'"];
    let written = ["&lt;b>uct&lt;/b>", "flat\\|mc", "\"random\" &amp; 'wild'"];
    for (first, second) in [(0, 1), (0, 2), (1, 2)] {
        let row = format!("{}{}", labels[first], labels[second]);
        let told = rows.iter().filter(|told| told.starts_with(&row)).count();
        let line = format!("| {} | {} |", written[first], written[second]);
        let lines = text.lines().filter(|told| told.starts_with(&line)).count();
        // Once in each game, and once more beside the published number.
        let expected = if (first, second) == (0, 1) { 3 } else { 2 };
        assert_eq!((told, lines), (expected, expected), "{row}\n{text}");
    }
    check_words(&text);
    check_words(&page);
    assert_eq!(page, html(std::slice::from_ref(&summary)));
    assert_eq!(text, markdown(std::slice::from_ref(&summary)));
}

#[test]
fn labels_cannot_break_either_form() {
    let summary = run("labels", TWO_GAMES, true);
    let text = markdown(std::slice::from_ref(&summary));
    assert!(text.starts_with("# All kinds of &lt;labels> &amp; titles\n\nFirst.\n\n\\- second\n"), "{text}");
    assert!(text.contains("## Results in &lt;i>noughts&lt;/i> \\| crosses\n"), "{text}");
    assert!(!text.contains("<b>") && !text.contains("<i>") && !text.contains('\u{7}'));
    // Every row of a table has as many cells as its head.
    let mut columns = None;
    for line in text.lines() {
        if !line.starts_with('|') {
            columns = None;
            continue;
        }
        let cells = line.replace("\\|", "").matches('|').count();
        assert_eq!(*columns.get_or_insert(cells), cells, "{line}");
    }
    let page = html(&[summary]);
    let document = parsed(&page);
    assert!(document.descendants().all(|node| !["b", "i", "script", "link"].contains(&node.tag_name().name())));
    assert_eq!(texts(&document, "title"), ["All kinds of <labels> & titles"]);
}

#[test]
fn plots_are_well_formed_and_complete() {
    let page = html(&[run("plots", TWO_GAMES, true)]);
    let document = parsed(&page);
    let captions = texts(&document, "figcaption");
    for (start, count) in [
        ("Win rate of the first", 2),
        ("Length", 2),
        ("Win rate of the row", 3),
        ("Ratings", 3),
        ("Depth", 2),
        ("Time", 1),
    ] {
        assert_eq!(captions.iter().filter(|caption| caption.starts_with(start)).count(), count, "{start}");
    }
    let plots: Vec<_> =
        document.descendants().filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "svg"))).collect();
    assert_eq!(plots.len(), captions.len());
    for plot in plots {
        let size = |name| plot.attribute(name).and_then(|size| size.parse::<f64>().ok()).unwrap();
        let (width, height) = (size("width"), size("height"));
        assert!(plot.attribute("aria-label").is_some());
        for node in plot.descendants() {
            for (horizontal, name) in [
                (true, "x"),
                (true, "x1"),
                (true, "x2"),
                (true, "cx"),
                (false, "y"),
                (false, "y1"),
                (false, "y2"),
                (false, "cy"),
            ] {
                if let Some(place) = node.attribute(name) {
                    let place: f64 = place.parse().unwrap();
                    let edge = if horizontal { width } else { height };
                    assert!((0.0..=edge).contains(&place), "{name}={place} of {width} × {height}");
                }
            }
        }
    }
    // Nothing is fetched: addresses are those of namespaces only.
    assert_eq!(page.matches("http").count(), page.matches("xmlns=\"http://www.w3.org/2000/svg\"").count());
}

#[test]
fn runs_without_matches_are_told_so() {
    let summary = run("none", TWO_GAMES, false);
    let text = markdown(std::slice::from_ref(&summary));
    assert!(text.contains("- **State:** incomplete, 0 of 24 pairs are there (0 matches)\n"), "{text}");
    assert!(
        text.contains("| &lt;b>uct&lt;/b> | flat\\|mc | 0 | 0-0-0 | not determinable | not determinable |"),
        "{text}"
    );
    check_words(&text);
    let page = html(&[summary]);
    check_words(&page);
    let document = parsed(&page);
    assert!(!texts(&document, "figcaption").iter().any(|caption| caption.starts_with("Win rate of the first")));
    assert_eq!(markdown(&[]), "# No results\n");
    assert_eq!(texts(&parsed(&html(&[])), "h1"), ["No results"]);
}

#[test]
fn a_clean_sweep_has_a_bound_and_no_infinity() {
    let text = r#"
        title = "Sweep"
        games = ["breakthrough(5,5)"]
        agents = ["uct", "random"]
        seed = 3
        pairs = 3
        budget = { playouts = 100 }
    "#;
    let summary = run("sweep", text, true);
    assert_eq!(summary.results[0].tally, Tally { wins: 6, draws: 0, losses: 0 });
    let text = markdown(std::slice::from_ref(&summary));
    let bound = pair_interval(Pairs::new([0, 0, 0, 0, 3]), CONFIDENCE).unwrap().0;
    let bound = 400.0 * (bound / (1.0 - bound)).log10();
    let bound = format!("| above {bound:.0} |").replace('-', "−");
    assert!(text.contains("| 100.0 % |") && text.contains(&bound), "{bound} {text}");
    assert!(text.contains("The results alone do not determine these ratings"), "{text}");
    check_words(&text);
    check_words(&html(&[summary]));
}

/// A pairing as the summary of a run would have it, from what its pairs brought.
fn pairing([game, first, second]: [&str; 3], pairs: [u64; 5], drawn_pairs: u64, effective: f64) -> PairingSummary {
    let pentanomial = Pairs::new(pairs);
    let [none, half, one, more, two] = pairs;
    let split = one - drawn_pairs;
    let tally =
        Tally { wins: 2 * two + more + split, draws: more + half + 2 * drawn_pairs, losses: 2 * none + half + split };
    let effective_pairs = effective / 2.0;
    let evidence = Evidence::worth(pentanomial, effective_pairs);
    PairingSummary {
        game: game.into(),
        first: first.into(),
        second: second.into(),
        agents: vec![first.into(), second.into()],
        pairs: pentanomial.pairs(),
        tally,
        pentanomial,
        win_rate: tally.rate(),
        interval: tally.rate().and_then(|rate| wilson_effective(rate, effective, CONFIDENCE)),
        pair_interval: pair_interval(evidence, CONFIDENCE),
        anytime_interval: anytime_interval(evidence, CONFIDENCE),
        elo: elo_difference(evidence, CONFIDENCE),
        normalised_elo: normalised_elo(evidence, CONFIDENCE),
        superiority: superiority(evidence),
        sprt: sprt(evidence, &SprtSettings::new(0.0, 50.0)),
        stopped_early: false,
        duplicates: Duplicates { matches: tally.matches(), distinct: effective as u64, effective },
        effective_pairs,
        by_seat: Vec::new(),
        mean_payoffs: vec![tally.rate(), tally.rate().map(|rate| 1.0 - rate)],
        mean_steps: Some(41.26),
        step_quantiles: Some([20, 35, 41, 47, 80]),
        forfeited: 0,
        fouls: Vec::new(),
        thinking: vec![thinking(&[(10, 3.0), (10, 5.0)], 100.0), thinking(&[(10, 1.0), (8, 1.0)], 99.5)],
        published: None,
    }
}

/// Decisions by move (how many, mean depth).
fn thinking(by_move: &[(u64, f64)], playouts: f64) -> Thinking {
    let decisions: u64 = by_move.iter().map(|(count, _)| count).sum();
    Thinking {
        decisions,
        playouts,
        depth: by_move.iter().map(|(count, depth)| *count as f64 * depth).sum::<f64>() / decisions as f64,
        depth_by_move: by_move.iter().map(|(_, depth)| *depth).collect(),
        decisions_by_move: by_move.iter().map(|(count, _)| *count).collect(),
    }
}

fn published(result: &PairingSummary, win_rate: f64, games: Option<u64>, note: &str) -> Comparison {
    let interval = result.pair_interval;
    let ours = result.win_rate.zip(interval).map(|(rate, interval)| Estimate { rate, interval });
    Comparison {
        result: Published {
            game: result.game.clone(),
            first: result.first.clone(),
            second: result.second.clone(),
            win_rate,
            matches: games,
            counts: None,
            note: note.into(),
        },
        agreement: games.map(|games| agrees(Sample::of_rate(win_rate, games), ours, DEFAULT_TOLERANCE)),
    }
}

/// A run with everything in it that a report can tell.
fn full_summary() -> Summary {
    let names = |first, second| ["Hex", first, second];
    let mut results = vec![
        pairing(names("A", "B"), [100, 50, 300, 100, 200], 100, 1500.0),
        pairing(names("A", "C"), [20, 10, 30, 20, 20], 10, 31.5),
        pairing(names("B", "C"), [0, 0, 0, 0, 3], 0, 6.0),
        pairing(names("B", "D"), [0; 5], 0, 0.0),
    ];
    results[0].published = Some(published(&results[0], 0.58, Some(1000), "table 3"));
    results[1].published = Some(published(&results[1], 0.9, Some(400), ""));
    results[2].published = Some(published(&results[2], 0.9, None, ""));
    results[3].published = Some(published(&results[3], 0.5, Some(100), ""));
    results[0].stopped_early = true;
    results[3].sprt = None;
    results[3].mean_steps = None;
    results[3].step_quantiles = None;
    results[3].thinking = Default::default();
    results[1].forfeited = 7;
    results[1].fouls = vec!["second agent, pair 3, match 1: an action that is not legal: `a9`".into()];
    let mut table = CrossTable::new(4);
    let places = [(0, 1), (0, 2), (1, 2), (1, 3)];
    places.iter().zip(&results).for_each(|(&(first, second), result)| table.add_matches(first, second, result.tally));
    let agent = |label: &str, address: &str| AgentSummary {
        label: label.into(),
        address: address.into(),
        budget: "playouts=100".into(),
    };
    Summary {
        title: "Everything a report can tell".into(),
        about: "Made by hand.".into(),
        reproduces: Some("a paper, table 3".into()),
        scale: Scale::Full,
        seed: 12345,
        core_hours: Some(1.25),
        fixed_seats: false,
        start: None,
        pairs: 750,
        games: vec![GameIdentity {
            label: "Hex".into(),
            address: "hex(11)".into(),
            version: 2,
            hash: "0123456789abcdef0123456789abcdef".into(),
        }],
        agents: vec![agent("A", "uct(c=0.5)"), agent("B", "uct"), agent("C", "mc"), agent("D", "random")],
        complete: false,
        matches: results.iter().map(|result| result.tally.matches()).sum(),
        fouls: 7,
        ratings: vec![RatingSummary {
            game: Some("Hex".into()),
            ratings: bootstrap_ratings(&table, &BootstrapSettings::default(), &mut Rng::new(1)),
        }],
        models: Vec::new(),
        root_exploitability: Vec::new(),
        exploitability: Vec::new(),
        workers: Vec::new(),
        timings: Some(vec![Timing { agent: "A".into(), decisions: 40, milliseconds: 12.5, by_move: vec![10.0, 15.0] }]),
        results,
    }
}

/// The Markdown of everything, word by word. `TESUJI_GOLDEN=create` writes the file if it is missing.
#[test]
fn the_text_is_the_stored_one() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/report.md");
    let text = markdown(&[full_summary()]);
    if !path.exists() && std::env::var("TESUJI_GOLDEN").is_ok_and(|wish| wish == "create") {
        fs::write(&path, &text).unwrap();
    }
    let stored = fs::read_to_string(&path).unwrap().replace("\r\n", "\n");
    assert_eq!(text, stored, "if the change is meant, delete tests/report.md and create it again");
}

#[test]
fn machines_of_different_speed_are_listed_with_a_warning() {
    let machine = |name: &str, speed: f64| WorkerSummary { name: name.into(), speed };
    let told = |fast: f64| {
        let workers = vec![machine("slow-1", 100_000.0), machine("fast-1", fast)];
        markdown(&[Summary { workers, ..full_summary() }])
    };
    assert!(told(115_000.0).contains("Warning: the fastest machine is 15.0 % faster"), "{}", told(115_000.0));
    let equal = told(109_000.0);
    assert!(equal.contains("| slow-1 | 100,000 |") && equal.contains("are comparable"), "{equal}");
}

#[test]
fn gaps_are_a_table_and_a_plot() {
    let point = |playouts, player: &str, gap| ExploitabilityPoint {
        playouts,
        player: player.into(),
        decisions: 8,
        gap,
        error: 0.01,
        greatest: 1.0,
        milliseconds: None,
    };
    let points = vec![point(100, "black", 0.25), point(100, "white", 0.125), point(1000, "black", 0.0)];
    let report = ExploitabilityReport { game: "Hex".into(), agent: "A".into(), value: 0.5, points };
    let summary = Summary { root_exploitability: vec![report], pairs: 0, results: Vec::new(), ..full_summary() };
    let text = markdown(std::slice::from_ref(&summary));
    assert!(text.contains("### Root exploitability"), "{text}");
    assert!(text.contains("| A | black | 8 | 0.2500 ± 0.0196 | 0.0000 ± 0.0196 |"), "{text}");
    assert!(text.contains("| A | white | 8 | 0.1250 ± 0.0196 | not determinable |"), "{text}");
    let page = html(&[summary]);
    parsed(&page);
    assert!(page.contains("Hex: root exploitability by playouts"), "{page}");
}

#[test]
fn exploitability_in_whole_games_is_a_table_and_a_plot() {
    let point = |playouts, nash_conv| WholeGamePoint {
        playouts: Some(playouts),
        budget: format!("playouts={playouts}"),
        repeats: 3,
        nash_conv,
        value: 0.5,
        seconds: None,
    };
    let report = |agent: &str, points| WholeGameReport { game: "Hex".into(), agent: agent.into(), points };
    let exploitability =
        vec![report("A", vec![point(1000, 0.125), point(100, 0.5)]), report("B", vec![point(100, 1.0)])];
    let summary = Summary { exploitability, pairs: 0, results: Vec::new(), ..full_summary() };
    let text = markdown(std::slice::from_ref(&summary));
    assert!(text.contains("### Exploitability of the whole game") && text.contains("mean of 3 searches"), "{text}");
    assert!(text.contains("| Agent | 100 | 1,000 |"), "{text}");
    assert!(text.contains("| A | 0.5000 | 0.1250 |") && text.contains("| B | 1.0000 | not determinable |"), "{text}");
    let page = html(&[summary]);
    parsed(&page);
    assert!(page.contains("Hex: NashConv by playouts"), "{page}");
}

#[test]
fn several_runs_have_a_table_of_contents() {
    let summary = full_summary();
    let page = html(&[summary.clone(), summary.clone()]);
    let document = parsed(&page);
    assert_eq!(texts(&document, "h1"), ["Results of 2 experiments"]);
    assert_eq!(texts(&document, "a"), ["Everything a report can tell"; 2]);
    for link in document.descendants().filter_map(|node| node.attribute("href")) {
        assert!(document.descendants().any(|node| node.attribute("id") == link.strip_prefix('#')), "{link}");
    }
    let text = markdown(&[summary.clone(), summary]);
    assert_eq!(text.lines().filter(|line| *line == "## Everything a report can tell").count(), 2);
    check_words(&page);
}

/// One row of many agents: labels and colours run out, the plots must not.
#[test]
fn many_agents_and_long_labels_fit() {
    let mut summary = full_summary();
    let label = |index: usize| format!("an agent with quite a long label, number {index}, and 日本語の名前 besides");
    let mut ratings = CrossTable::new(25);
    summary.agents = (0..25)
        .map(|index| AgentSummary { label: label(index), address: "uct".into(), budget: "playouts=1".into() })
        .collect();
    summary.results.clear();
    for first in 0..25 {
        for second in first + 1..25 {
            let result = pairing(["Hex", &label(first), &label(second)], [1, 0, 2, 1, (second % 3) as u64], 1, 8.0);
            ratings.add_matches(first, second, result.tally);
            summary.results.push(result);
        }
    }
    let settings = BootstrapSettings { resamples: 20, ..BootstrapSettings::default() };
    summary.ratings[0].ratings = bootstrap_ratings(&ratings, &settings, &mut Rng::new(1));
    let page = html(&[summary]);
    let document = parsed(&page);
    assert!(texts(&document, "figcaption").iter().any(|caption| caption.contains("the first 60 of 300 pairings")));
    assert_eq!(texts(&document, "text").iter().filter(|text| text.starts_with("25 ")).count(), 1);
}

#[test]
fn fouls_are_told_in_words_and_counted_beyond_them() {
    let text = r#"
        title = "Cheats"
        games = ["breakthrough(5,5)"]
        agents = ["random", "faulty(illegal,after=1)"]
        seed = 3
        pairs = 4
        budget = { playouts = 1 }
    "#;
    let summary = run("cheats", text, true);
    assert_eq!((summary.fouls, summary.results[0].forfeited), (8, 8));
    let text = markdown(&[summary]);
    assert!(text.contains("- **Forfeited by a foul:** 8 matches\n"), "{text}");
    let told = text
        .lines()
        .filter(|line| line.starts_with("- breakthrough(5,5), random against faulty(illegal,after=1): second agent"))
        .count();
    assert_eq!(told, 5, "{text}");
    assert!(text.ends_with(": 3 more\n"), "{text}");
}

//! The network's engines against a plain evaluation of the ground rules.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use super::plain::follow;
use tesuji_core::{Rng, Source};
use tesuji_gdl::{Goal, Ground, Grounding, GroundingLimits, Lanes, Machine, Network, Sheet, ground};

fn sheets() -> Vec<PathBuf> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut sheets = Vec::new();
    for folder in [root.join("data/gdl"), root.join("../shared/gdl-games")] {
        let Ok(files) = std::fs::read_dir(&folder) else {
            eprintln!("skipped: {} is not there", folder.display());
            continue;
        };
        sheets.extend(
            files.flatten().map(|file| file.path()).filter(|path| path.extension().is_some_and(|e| e == "kif")),
        );
    }
    sheets.sort();
    sheets
}

/// The names and ground forms of the sheets that are small enough for a plain evaluation. All tests share them.
static SMALL: LazyLock<Vec<(String, Ground)>> =
    LazyLock::new(|| sheets().iter().filter_map(|path| small(path)).collect());

fn small(path: &Path) -> Option<(String, Ground)> {
    let name = path.display().to_string();
    let sheet = Sheet::read(Source::new(name.clone(), std::fs::read_to_string(path).ok()?)).ok()?;
    match ground(&sheet, &GroundingLimits::default(), &|| false) {
        Ok(Grounding::Done(ground, _)) if ground.rules.conditions() < 30_000 => Some((name, *ground)),
        _ => None,
    }
}

#[test]
fn machines_agree_with_a_plain_evaluation() {
    let mut played = 0;
    for (name, ground) in SMALL.iter() {
        if let Some(plain) = Network::plain(ground) {
            follow(ground, plain, &format!("{name}, plain"));
        }
        let Some(network) = Network::new(ground) else { continue };
        follow(ground, network, name);
        played += 1;
    }
    eprintln!("{played} sheets played");
}

#[test]
fn lanes_play_as_the_machine_does_at_every_width() {
    for (name, ground) in SMALL.iter().filter(|(_, ground)| ground.rules.conditions() < 2_000) {
        let Some(network) = Network::new(ground) else { continue };
        let network = Arc::new(network);
        let start = network.initial().to_vec();
        let starts = [&start[..], &start[..]];
        let play = |mut lanes: Lanes| lanes.run(&starts, 700, 60, &mut Rng::new(3));
        let tally = play(Lanes::with_words(&network, 8));
        assert_eq!(tally, play(Lanes::with_words(&network, 8).without_vectors()), "{name}");
        match Lanes::with_words(&network, 8).with_avx2() {
            Some(lanes) => assert_eq!(tally, play(lanes), "{name}, AVX2"),
            None => eprintln!("skipped: this machine has no AVX2"),
        }
        if let Some(lanes) = Lanes::with_words(&network, 16).with_avx2() {
            assert_eq!(play(Lanes::with_words(&network, 16)), play(lanes), "{name}, AVX2, 16 words");
        }
        assert_eq!(tally.playouts, 1_400, "{name}");
        let mut machine = Machine::new(Arc::clone(&network));
        let (mut steps, mut squares) = (0.0, 0.0);
        let mut rng = Rng::new(4);
        for _ in 0..400 {
            machine.load(&start);
            let taken = f64::from(machine.play_out(60, &mut rng));
            (steps, squares) = (steps + taken, squares + taken * taken);
        }
        let mean = steps / 400.0;
        let error = ((squares / 400.0 - mean * mean).max(0.0) * (1.0 / 400.0 + 1.0 / 1_400.0)).sqrt();
        let seen = tally.steps as f64 / 1_400.0;
        // Four standard errors of the difference: passed once in sixteen thousand seeds, and the seeds are fixed.
        assert!(
            (seen - mean).abs() <= 4.0 * error + 1e-9,
            "{name}: {seen} steps in lanes, {mean} ± {error} by machine"
        );
    }
}

/// How often a match ends with one payoff of one role: the game with every other payoff made 0 and this one 1.
fn share_of(ground: &Ground, role: u32, value: i32) -> Ground {
    let marked = |goal: &Goal| Goal { value: i32::from(goal.role == role && goal.value == value), ..*goal };
    Ground { goals: ground.goals.iter().map(marked).collect(), ..ground.clone() }
}

#[test]
fn lanes_end_as_often_with_each_payoff_as_the_machine_does() {
    const IN_LANES: u64 = 1_000;
    const BY_MACHINE: u32 = 300;
    let mut shares = 0;
    for (name, ground) in SMALL.iter().filter(|(_, ground)| ground.rules.conditions() < 700) {
        let payoffs: BTreeSet<(u32, i32)> = ground.goals.iter().map(|goal| (goal.role, goal.value)).collect();
        for &(role, value) in payoffs.iter().take(3) {
            let Some(network) = Network::new(&share_of(ground, role, value)) else { continue };
            let network = Arc::new(network);
            let start = network.initial().to_vec();
            let tally = Lanes::new(&network).run(&[&start[..]], IN_LANES, 60, &mut Rng::new(8));
            let in_lanes = tally.sums[0][role as usize] as f64 / IN_LANES as f64;
            let mut machine = Machine::new(Arc::clone(&network));
            let (mut goals, mut rng) = (Vec::new(), Rng::new(9));
            let mut count = 0;
            for _ in 0..BY_MACHINE {
                machine.load(&start);
                machine.play_out(60, &mut rng);
                machine.payoffs(&mut goals);
                count += goals[role as usize].unwrap_or(0);
            }
            let by_machine = f64::from(count) / f64::from(BY_MACHINE);
            let mean = (in_lanes + by_machine) / 2.0;
            let error = (mean * (1.0 - mean) * (1.0 / IN_LANES as f64 + 1.0 / f64::from(BY_MACHINE))).sqrt();
            // Five standard errors of the difference, with fixed seeds.
            assert!(
                (in_lanes - by_machine).abs() <= 5.0 * error + 1e-9,
                "{name}, role {role}, payoff {value}: {in_lanes} in lanes, {by_machine} by machine"
            );
            shares += 1;
        }
    }
    // Our own sheets alone give 18.
    assert!(shares >= 15, "{shares} shares compared");
}

//! Networks on their own, their files, and the training of a tiny game with known values.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use proptest::prelude::*;
use tesuji_core::{Evaluation, FeatureSet, Features, Game, Knowledge, Player, Rng, Source, Spec, Turn, ValueFeatures};

use crate::arithmetic::logistic;
use crate::network::ONE;
use crate::weights::Weights;
use crate::{Exploration, Lineage, Network, NetworkEvaluation, SelfPlay, Settings, Shape, Training, self_play};

/// Nim: 1 to 3 are taken from a heap of ten, and whoever takes the last one wins. A heap that 4 divides is lost.
struct Nim(Spec);

impl Nim {
    fn new(version: u32) -> Nim {
        Nim(Spec { version, ..Spec::new("nim", &["one", "two"], Features::empty(), 10) })
    }
}

impl Game for Nim {
    /// The heap, and who acts.
    type State = (u8, u8);
    type Action = u8;

    fn spec(&self) -> &Spec {
        &self.0
    }

    fn start(&self) -> (u8, u8) {
        (10, 0)
    }

    fn turn(&self, &(heap, mover): &(u8, u8)) -> Turn {
        if heap == 0 { Turn::Over } else { Turn::Player(Player(mover)) }
    }

    fn legal(&self, &(heap, _): &(u8, u8), _: Player, out: &mut Vec<u8>) {
        out.extend(1..=heap.min(3));
    }

    fn apply(&self, (heap, mover): &mut (u8, u8), joint: &[u8]) {
        *heap -= joint[0];
        *mover = 1 - *mover;
    }

    fn payoff(&self, &(_, mover): &(u8, u8), player: Player) -> f64 {
        if player == Player(mover) { 0.0 } else { 1.0 }
    }
}

impl Knowledge for Nim {
    fn value_features(&self) -> Option<&'static dyn ValueFeatures<Self>> {
        Some(&Heap)
    }
}

/// One input for each size of the heap.
struct Heap;

impl ValueFeatures<Nim> for Heap {
    fn set(&self, _: &Nim) -> FeatureSet {
        FeatureSet { name: "nim".to_owned(), version: 1, inputs: 11, most_active: 1 }
    }

    fn active(&self, _: &Nim, &(heap, _): &(u8, u8), _: Player, out: &mut Vec<u32>) {
        out.push(u32::from(heap));
    }
}

fn settings() -> Settings {
    let exploration = Exploration { explore: 0.2, opening: 3, lambda: 0.5 };
    Settings { seed: 3, hidden: 32, rate: 0.01, round: 16, exploration, ..Settings::default() }
}

fn training() -> Training {
    let nim = Nim::new(1);
    Training::new("nim", nim.spec(), Heap.set(&nim), settings()).unwrap()
}

fn games() -> Vec<Box<dyn SelfPlay>> {
    vec![Box::new(self_play(Arc::new(Nim::new(1))).unwrap())]
}

fn train(training: &mut Training, rounds: usize, threads: usize) {
    for _ in 0..rounds {
        training.round(&games(), threads, 0.5, &AtomicBool::new(false)).unwrap().unwrap();
    }
}

#[test]
fn self_play_finds_the_values_of_nim() {
    let mut training = training();
    train(&mut training, 150, 1);
    let nim = Nim::new(1);
    let evaluation = NetworkEvaluation::new(Arc::new(training.network()), &nim).unwrap();
    for heap in 1..=10 {
        let share = evaluation.value(&nim, &(heap, 0), Player(0));
        assert_eq!(share > 0.5, heap % 4 != 0, "heap {heap}: {share}");
        assert!((share + evaluation.value(&nim, &(heap, 0), Player(1)) - 1.0).abs() < 1e-6);
    }
}

#[test]
fn training_depends_on_the_seed_alone_and_resumes_exactly() {
    let (mut whole, mut threads, mut first) = (training(), training(), training());
    train(&mut whole, 6, 1);
    train(&mut threads, 6, 3);
    assert_eq!(whole.checkpoint(), threads.checkpoint());
    train(&mut first, 4, 1);
    let mut resumed = Training::resume(&Source::new("checkpoint", first.checkpoint())).unwrap();
    train(&mut resumed, 2, 2);
    assert_eq!(whole.checkpoint(), resumed.checkpoint());
}

#[test]
fn training_that_diverges_says_so() {
    let mut training = training();
    train(&mut training, 1, 1);
    training.weights.values.fill(f32::NAN);
    let diverged = training.round(&games(), 1, 0.0, &AtomicBool::new(false)).unwrap_err();
    assert!(diverged.to_string().contains("diverged after 16 matches"), "{diverged}");
    training.weights.values.fill(1e20);
    assert!(training.round(&games(), 1, 0.0, &AtomicBool::new(false)).is_err());
}

#[test]
fn settings_that_learn_nothing_are_refused() {
    let nim = Nim::new(1);
    let wrong = [
        Settings { hidden: 33, ..settings() },
        Settings { hidden: 0, ..settings() },
        Settings { second: 8, ..settings() },
        Settings { rate: f64::NAN, ..settings() },
        Settings { round: 0, ..settings() },
        Settings { batch: 0, ..settings() },
    ];
    for settings in wrong {
        assert!(Training::new("nim", nim.spec(), Heap.set(&nim), settings).is_err(), "{settings:?}");
    }
}

#[test]
fn a_network_of_another_game_is_refused() {
    let network = Arc::new(training().network());
    let refusal = |network: &Arc<Network>, nim: &Nim| {
        NetworkEvaluation::new(Arc::clone(network), nim).err().map(|error| error.message().to_owned())
    };
    assert_eq!(refusal(&network, &Nim::new(1)), None);
    assert!(refusal(&network, &Nim::new(2)).unwrap().contains("version 1 of the rules, this is version 2"));
    let features = FeatureSet { version: 2, ..network.lineage().features.clone() };
    let lineage = Lineage { features, ..network.lineage().clone() };
    let other = Arc::new(training().weights.network(lineage));
    assert!(refusal(&other, &Nim::new(1)).unwrap().contains("`nim` version 2"));
}

/// A network with random weights, and the plain computation of its share.
fn random_network(shape: Shape, seed: u64) -> Network {
    let features = FeatureSet { name: "random".to_owned(), version: 1, inputs: shape.inputs, most_active: 20 };
    let weights = Weights::random(shape, 20, &mut Rng::new(seed));
    let lineage = Lineage {
        game: "random(1,a=\"b c\")".to_owned(),
        rules: 1,
        features,
        seed,
        matches: 7,
        seconds: 9,
        method: "none at all".to_owned(),
    };
    weights.network(lineage)
}

/// The same function, unit by unit.
fn plain_share(network: &Network, active: &[u32]) -> f32 {
    let Shape { hidden, second, .. } = network.shape;
    let unit = |unit: usize| {
        let rows = active.iter().map(|&feature| i32::from(network.rows[feature as usize * hidden + unit]));
        let sum = i32::from(network.bias[unit]) + rows.sum::<i32>();
        sum.clamp(0, i32::from(ONE)) as f32 / f32::from(ONE)
    };
    let second_unit = |place: usize| {
        let sum = (0..hidden)
            .fold(network.dense_bias[place], |sum, from| sum + unit(from) * network.dense[from * second + place]);
        sum.clamp(0.0, 1.0) * network.out[place]
    };
    let lane = |lane: usize| (lane..second).step_by(4).fold(0.0, |sum, place| sum + second_unit(place));
    logistic(network.out_bias + ((lane(0) + lane(1)) + (lane(2) + lane(3))))
}

#[test]
fn vectors_and_the_plain_twin_agree_to_the_last_bit() {
    let shapes = [(300, 64, 16), (40, 32, 32), (77, 256, 16), (500, 96, 32)];
    for (seed, (inputs, hidden, second)) in shapes.into_iter().enumerate() {
        let network = random_network(Shape { inputs, hidden, second }, seed as u64);
        let mut rng = Rng::new(seed as u64);
        for count in 0..20 {
            let active: Vec<u32> = (0..count).map(|_| rng.below(inputs) as u32).collect();
            assert_eq!(network.share(&active).to_bits(), plain_share(&network, &active).to_bits(), "{active:?}");
            let mut turned = active.clone();
            rng.shuffle(&mut turned);
            assert_eq!(network.share(&active), network.share(&turned), "the order of features does not matter");
        }
    }
}

#[test]
fn a_network_file_reads_back() {
    let network = random_network(Shape { inputs: 30, hidden: 32, second: 16 }, 5);
    let text = network.text();
    let read = Network::read(&Source::new("a.net", &text)).unwrap();
    assert_eq!((read.text(), read.lineage(), read.shape()), (text, network.lineage(), network.shape()));
    assert_eq!(read.share(&[1, 2, 29]), network.share(&[1, 2, 29]));
}

#[test]
fn every_shortened_file_is_refused() {
    let text = random_network(Shape { inputs: 3, hidden: 32, second: 16 }, 5).text();
    let checkpoint = training().checkpoint();
    for length in 0..text.len() {
        assert!(Network::read(&Source::new("a.net", &text[..length])).is_err(), "{length} bytes");
    }
    for length in (0..checkpoint.len() - 1).step_by(97) {
        assert!(Training::resume(&Source::new("a.training", &checkpoint[..length])).is_err(), "{length} bytes");
    }
    assert!(Network::read(&Source::new("a.net", &checkpoint)).is_err(), "a checkpoint is no network");
}

proptest! {
    #[test]
    fn a_file_with_a_changed_byte_is_refused(place: prop::sample::Index, byte in 0u8..128) {
        let text = random_network(Shape { inputs: 3, hidden: 32, second: 16 }, 5).text();
        let place = place.index(text.len());
        let mut bytes = text.clone().into_bytes();
        bytes[place] = byte;
        let changed = String::from_utf8(bytes).unwrap();
        prop_assume!(changed != text);
        prop_assert!(Network::read(&Source::new("a.net", &changed)).is_err());
    }

    #[test]
    fn any_text_is_read_or_refused(
        text in "(tesuji-network 1\n)?(game a\n|rules 1\n|inputs 3\n|hash 00\n|[a-z]{1,8} .{0,12}\n){0,12}",
    ) {
        prop_assert!(Network::read(&Source::new("a.net", text)).is_err());
    }
}

#[test]
fn sums_that_could_overflow_are_refused() {
    let mut network = random_network(Shape { inputs: 3, hidden: 32, second: 16 }, 5);
    network.rows[7] = 2000;
    let error = Network::read(&Source::new("a.net", network.text())).err().unwrap();
    assert!(error.message().contains("overflow"), "{error}");
    let mut network = random_network(Shape { inputs: 3, hidden: 32, second: 16 }, 5);
    network.out[3] = f32::INFINITY;
    assert!(Network::read(&Source::new("a.net", network.text())).is_err());
}

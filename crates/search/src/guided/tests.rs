//! Guided search on Nim, whose answers are known.

use std::sync::Mutex;

use tesuji_core::tiny_games::Nim;
use tesuji_core::{ActionField, Actor, History, ObservationLayout};

use super::*;

/// Nim in numbers: what is taken less one, and the heap.
struct Numbers;

impl ActionIndex<Nim> for Numbers {
    fn fields(&self, _game: &Nim) -> Vec<ActionField> {
        vec![ActionField::new("take", 3)]
    }

    fn number(&self, _game: &Nim, _actor: Actor, action: u8) -> u32 {
        u32::from(action) - 1
    }

    fn action(&self, _game: &Nim, _actor: Actor, number: u32) -> Option<u8> {
        (number < 3).then(|| number as u8 + 1)
    }
}

impl Observation<Nim> for Numbers {
    fn layout(&self, _game: &Nim) -> ObservationLayout {
        ObservationLayout::features(["heap"])
    }

    fn fill(&self, _game: &Nim, state: &(u8, u8), _player: Player, out: &mut [f32]) {
        out[0] = f32::from(state.0) / 100.0;
    }
}

type Answer = fn(&Question<'_>) -> Result<Advice, String>;

/// Answers by a function and notes how much it was asked at once.
struct Oracle {
    values: bool,
    priors: bool,
    answer: Answer,
    sizes: Mutex<Vec<usize>>,
}

impl Advisor for Oracle {
    fn gives_values(&self) -> bool {
        self.values
    }

    fn gives_priors(&self) -> bool {
        self.priors
    }

    fn advise(&self, question: &Question<'_>) -> Result<Advice, String> {
        self.sizes.lock().unwrap().push(question.count);
        (self.answer)(question)
    }
}

/// The mover loses if four divides the heap.
fn values(question: &Question<'_>) -> Vec<f64> {
    let heap = |view: &f32| (view * 100.0).round() as u32;
    question.observations.iter().map(|view| if heap(view).is_multiple_of(4) { 0.0 } else { 1.0 }).collect()
}

fn decide(heap: u8, values: bool, priors: bool, answer: Answer) -> (Result<Decision<u8>, Failure>, Vec<usize>) {
    let oracle = Arc::new(Oracle { values, priors, answer, sizes: Mutex::default() });
    let settings = GuidedSettings { batch: 4, exploration: 0.5, budget: Budget::default() };
    let game = Nim::new(heap);
    let advisor: Arc<dyn Advisor> = oracle.clone();
    let mut agent = Guided::new(&game, settings, advisor, &Numbers, &Numbers);
    let history = History::default();
    let seat = Seat { game: &game, state: &game.start(), player: Player(0), history: &history, watcher: None };
    let decision = agent.choose(seat, &Budget::playouts(200), &mut Rng::new(1));
    let sizes = oracle.sizes.lock().unwrap().clone();
    (decision, sizes)
}

#[test]
fn good_values_lead_to_the_winning_move() {
    for heap in [5, 6, 7, 9, 21, 30, 31] {
        let answer: Answer = |question| Ok(Advice { values: values(question), priors: Vec::new() });
        let (decision, sizes) = decide(heap, true, false, answer);
        let decision = decision.unwrap();
        assert_eq!(decision.action, heap % 4, "heap {heap}");
        assert!(decision.value > Some(0.5), "heap {heap}: {:?}", decision.value);
        assert!(decision.thought.candidates[0].probability > 0.5, "heap {heap}");
        assert_eq!(decision.thought.playouts, 200);
        assert!(sizes.iter().all(|&size| (1..=4).contains(&size)) && sizes.iter().any(|&size| size > 2), "{sizes:?}");
        let total: f64 = decision.policy.iter().map(|(_, share)| share).sum();
        assert!((total - 1.0).abs() < 1e-9);
    }
}

#[test]
fn priors_alone_are_followed_and_playouts_judge() {
    let answer: Answer = |question| {
        let even = question.masks.iter().map(|&legal| f32::from(u8::from(legal))).collect();
        Ok(Advice { values: Vec::new(), priors: even })
    };
    let decision = decide(3, false, true, answer).0.unwrap();
    assert_eq!(decision.action, 3, "taking all wins at once");
    assert!(decision.thought.candidates.iter().all(|candidate| candidate.prior.is_some()));
}

#[test]
fn wrong_advice_ends_the_search() {
    let cases: [(Answer, &str); 5] = [
        (|_| Err("out of memory".to_owned()), "out of memory"),
        (|_| Ok(Advice::default()), "0 values were given, expected 1"),
        (|question| Ok(Advice { values: vec![f64::NAN; question.count], priors: Vec::new() }), "not a finite number"),
        (|question| Ok(Advice { values: values(question), priors: vec![1.0] }), "1 probabilities were given"),
        (
            |question| Ok(Advice { values: values(question), priors: vec![-1.0; 3 * question.count] }),
            "a probability is negative",
        ),
    ];
    for (answer, expected) in cases {
        let priors = expected.contains("probabilit");
        match decide(7, true, priors, answer).0 {
            Err(Failure::Broken(reason)) => assert!(reason.contains(expected), "{reason}"),
            other => panic!("{expected}: {other:?}"),
        }
    }
}

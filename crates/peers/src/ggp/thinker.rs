//! The thread that thinks about one match: it grounds the rules while the start clock runs, searches, and follows the
//! match.
//!
//! Callers never wait beyond their deadline: every answer goes into a slot, and the best move so far is always
//! available. Between two requests it thinks ahead: while other players think, and where it has a single legal move,
//! which it plays at once.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use tesuji_arena::sheet::{SheetGame, SheetMatch};
use tesuji_arena::{Budget, Catalogue, DecisionText, InputError, Listener, Rng, Source, cancel, guard, mix};

use super::news::News;
use crate::slot::Slot;

/// The fraction of the start clock that grounding may take before the interpreter is used.
const GROUNDING_SHARE: f64 = 0.7;
/// Shorter preparations are not started.
const SHORTEST_PREPARATION: Duration = Duration::from_millis(5);
/// The longest time for which it thinks ahead: no clock is longer.
const LONGEST_PONDERING: Duration = Duration::from_secs(600);
/// Agents that play every game together: the first that can is used if the chosen one cannot.
const ANY_GAME_AGENTS: [&str; 2] = ["uct", "ismcts"];

/// The assignment of a thinker: one match.
#[derive(Clone, Debug)]
pub(super) struct Assignment {
    pub catalogue: Catalogue,
    pub id: String,
    pub rules: String,
    pub role: String,
    pub agent: String,
    pub seed: u64,
    /// Whether it thinks ahead between requests.
    pub ponders: bool,
    /// The end of the start clock, minus the margin.
    pub start_deadline: Instant,
}

/// A request for a move.
struct Question {
    number: u64,
    news: News,
    deadline: Instant,
    answer: Slot<Result<Chosen, String>>,
}

/// A move, and the search behind it.
#[derive(Clone, Debug)]
pub(super) struct Chosen {
    pub action: String,
    /// What the search found, for the log; empty without a search.
    pub report: String,
}

impl Chosen {
    fn without_search(action: String) -> Chosen {
        Chosen { action, report: String::new() }
    }

    fn by_search(decision: DecisionText) -> Chosen {
        let report = report(&decision);
        Chosen { action: decision.action, report }
    }
}

/// Joint moves of the expected line that the log shows.
const LINE_SHOWN: usize = 8;

/// A decision in one line: what was searched, what it is worth, and what is expected.
fn report(decision: &DecisionText) -> String {
    let value = decision.value.map_or("unknown".to_owned(), |value| format!("{value:.1}"));
    let joints: Vec<String> = decision.line.iter().take(LINE_SHOWN).map(|joint| joint.join(" + ")).collect();
    let more = if decision.line.len() > LINE_SHOWN { ", …" } else { "" };
    format!(
        "{} playouts, depth {}, value {value}, line: {}{more}",
        decision.playouts,
        decision.depth,
        if joints.is_empty() { "unknown".to_owned() } else { joints.join(", ") },
    )
}

/// The best move so far, and the request it belongs to.
type BestSoFar = Arc<Mutex<(u64, Option<String>)>>;

/// A thread that thinks about one match.
pub(super) struct Thinker {
    questions: Sender<Question>,
    /// The result of reading the rules.
    pub ready: Slot<Result<String, String>>,
    best: BestSoFar,
    stop: Arc<AtomicBool>,
    /// Ends the thinking ahead.
    asked: Arc<AtomicBool>,
    /// Filled when it first thinks ahead.
    #[cfg(test)]
    ahead: Slot<()>,
}

impl Thinker {
    /// Starts the thread. A sheet that is already known need not be grounded again.
    pub(super) fn begin(assignment: Assignment, known: Option<SheetGame>) -> Thinker {
        let (questions, receiver) = channel();
        let ready = Slot::new();
        let best: BestSoFar = Arc::new(Mutex::new((0, None)));
        let stop = Arc::new(AtomicBool::new(false));
        let asked = Arc::new(AtomicBool::new(false));
        let mut work = Work {
            assignment,
            ready: ready.clone(),
            best: Arc::clone(&best),
            stop: Arc::clone(&stop),
            asked: Arc::clone(&asked),
            has_thought: false,
            sits: String::new(),
            #[cfg(test)]
            ahead: Slot::new(),
        };
        #[cfg(test)]
        let ahead = work.ahead.clone();
        let labour = move || work.run(known, &receiver);
        if let Err(error) = thread::Builder::new().name("thinker".to_owned()).spawn(labour) {
            ready.put(Err(error.to_string()));
        }
        Thinker {
            questions,
            ready,
            best,
            stop,
            asked,
            #[cfg(test)]
            ahead,
        }
    }

    /// Requests a move; `news` is what happened since the previous request.
    pub(super) fn ask(&self, number: u64, news: News, deadline: Instant) -> Slot<Result<Chosen, String>> {
        let answer = Slot::new();
        let sent = self.questions.send(Question { number, news, deadline, answer: answer.clone() });
        self.asked.store(true, Ordering::SeqCst);
        if sent.is_err() {
            answer.put(Err("the thread of this match has ended".to_owned()));
        }
        answer
    }

    /// The best move so far for a request.
    pub(super) fn best(&self, number: u64) -> Option<String> {
        let best = self.best.lock().unwrap_or_else(PoisonError::into_inner);
        best.1.clone().filter(|_| best.0 == number)
    }
}

impl Drop for Thinker {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        self.asked.store(true, Ordering::SeqCst);
    }
}

struct Work {
    assignment: Assignment,
    ready: Slot<Result<String, String>>,
    best: BestSoFar,
    stop: Arc<AtomicBool>,
    asked: Arc<AtomicBool>,
    /// Whether the agent has searched in this match. What it first does may not be to think ahead: some agents choose
    /// their way to search then, by the time they are given.
    has_thought: bool,
    /// The agent that sits at the table.
    sits: String,
    #[cfg(test)]
    ahead: Slot<()>,
}

impl Work {
    fn run(&mut self, known: Option<SheetGame>, questions: &Receiver<Question>) {
        let opened = guard(|| self.open(known));
        let (mut seated, role) = match opened {
            Ok(Ok((seated, role, said))) => {
                self.ready.put(Ok(said));
                (seated, role)
            }
            Ok(Err(error)) => return self.ready.put(Err(error.to_string())),
            Err(message) => return self.ready.put(Err(format!("the program panicked on these rules: {message}"))),
        };
        let mut last: Option<(News, String)> = None;
        let mut answered = 0;
        while let Some(question) = self.next(questions, &mut seated, role, answered) {
            answered += 1;
            if self.stop.load(Ordering::SeqCst) {
                break;
            }
            let decided = guard(|| self.decide(&mut seated, role, &question, last.as_ref()));
            let decided =
                decided.unwrap_or_else(|message| Err(format!("the program panicked on these rules: {message}")));
            if let Ok(chosen) = &decided {
                last = Some((question.news.clone(), chosen.action.clone()));
            }
            question.answer.put(decided);
        }
    }

    /// The next request. Thinks ahead until it comes.
    fn next(
        &self,
        questions: &Receiver<Question>,
        seated: &mut SheetMatch,
        role: usize,
        answered: u64,
    ) -> Option<Question> {
        // A request is sent before the flag is set: one that came before the flag is cleared is found now.
        self.asked.store(false, Ordering::SeqCst);
        match questions.try_recv() {
            Ok(question) => return Some(question),
            Err(TryRecvError::Disconnected) => return None,
            Err(TryRecvError::Empty) => {}
        }
        if self.assignment.ponders && self.has_thought && !self.stop.load(Ordering::SeqCst) {
            #[cfg(test)]
            self.ahead.put(());
            // What goes wrong here will go wrong again when a move is asked for, and be reported then.
            drop(guard(|| cancel::with(Some(Arc::clone(&self.asked)), || self.ponder(seated, role, answered))));
        }
        questions.recv().ok()
    }

    fn ponder(&self, seated: &mut SheetMatch, role: usize, answered: u64) -> Result<(), InputError> {
        let Some(player) = seated.game().player(role).filter(|_| !seated.is_over()) else { return Ok(()) };
        let mut rng = Rng::new(mix(mix(self.assignment.seed, 1), answered));
        seated.table().prepare(player, &Budget::time(LONGEST_PONDERING), &mut rng)
    }

    /// Reads the rules, takes the seat, and thinks ahead as long as the start clock allows.
    fn open(&mut self, known: Option<SheetGame>) -> Result<(SheetMatch, usize, String), InputError> {
        let Assignment { catalogue, id, rules, role, agent, seed, start_deadline, .. } = &self.assignment;
        let begun = Instant::now();
        let share = start_deadline.saturating_duration_since(begun).mul_f64(GROUNDING_SHARE);
        let stop = || begun.elapsed() >= share || self.stop.load(Ordering::SeqCst);
        let game = match known {
            Some(game) => game,
            None => SheetGame::open(catalogue, Source::new(format!("rules of {id}"), rules), &stop)?,
        };
        let place = game.role(role);
        let Some((role, player)) = place.and_then(|place| Some((place, game.player(place)?))) else {
            return Err(InputError::new(format!("the sheet has no role `{role}`"))
                .with_help(format!("its roles are {}", game.roles().join(", "))));
        };
        let mut seated = game.start();
        let mut said = format!("{} in {:.2} s", game.engine().0, game.load_seconds());
        let mut sits = agent.clone();
        if let Err(error) = seated.table().seat(player, agent) {
            let able = ANY_GAME_AGENTS.into_iter().find(|name| seated.table().seat(player, name).is_ok());
            let Some(able) = able else { return Err(error) };
            said.push_str(&format!("; {able} plays instead: {error}"));
            sits = able.to_owned();
        }
        let left = start_deadline.saturating_duration_since(Instant::now());
        if left > SHORTEST_PREPARATION && !self.stop.load(Ordering::SeqCst) {
            seated.table().prepare(player, &Budget::time(left), &mut Rng::new(mix(*seed, 0)))?;
            self.has_thought = true;
        }
        self.sits = sits;
        Ok((seated, role, said))
    }

    fn decide(
        &mut self,
        seated: &mut SheetMatch,
        role: usize,
        question: &Question,
        last: Option<&(News, String)>,
    ) -> Result<Chosen, String> {
        let repeated = || {
            let same = last.filter(|(news, _)| *news == question.news);
            same.map(|(_, action)| Chosen::without_search(action.clone()))
        };
        let player = seated.game().player(role);
        match &question.news {
            News::Joint(joint) => {
                if let Err(error) = seated.advance(joint) {
                    // A message that was sent twice changes nothing the second time.
                    return repeated().ok_or_else(|| error.to_string());
                }
            }
            News::Learned(_) => {
                if let Some(chosen) = repeated() {
                    return Ok(chosen);
                }
                let half = Instant::now() + question.deadline.saturating_duration_since(Instant::now()) / 2;
                let told = question.news.take_in(seated, role, &|| Instant::now() > half);
                told.map_err(|error| error.to_string())?;
                if let Some(player) = player {
                    seated.table().seat(player, &self.sits).map_err(|error| error.to_string())?;
                }
            }
            News::Nothing if question.number > 1 => {
                return repeated().ok_or("the first move was asked for again".to_owned());
            }
            News::Nothing => {}
        }
        let legal = seated.legal(role);
        if let [only] = &legal[..] {
            return Ok(Chosen::without_search(only.clone()));
        }
        let left = question.deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err("no time is left".to_owned());
        }
        let Some(player) = player else { return Err("chance does not choose".to_owned()) };
        let mut rng = Rng::new(mix(self.assignment.seed, question.number));
        self.has_thought = true;
        let mut watcher = BestMoveWatcher { work: self, number: question.number, deadline: question.deadline };
        let decision = seated.table().think_aloud(player, &Budget::time(left), &mut rng, Some(&mut watcher));
        decision.map(Chosen::by_search).map_err(|error| error.to_string())
    }
}

/// Stores the best move so far, and stops the search at the deadline.
struct BestMoveWatcher<'a> {
    work: &'a Work,
    number: u64,
    deadline: Instant,
}

impl Listener for BestMoveWatcher<'_> {
    fn hear(&mut self, thought: &DecisionText) -> bool {
        if !thought.action.is_empty() {
            let mut best = self.work.best.lock().unwrap_or_else(PoisonError::into_inner);
            *best = (self.number, Some(thought.action.clone()));
        }
        Instant::now() < self.deadline && !self.work.stop.load(Ordering::SeqCst)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_thinks_ahead_until_a_move_is_asked_for() {
        let catalogue = tesuji_standard::catalogue();
        let rules = catalogue.open("gdl(tic-tac-toe)").unwrap().rules_text().unwrap();
        let soon = || Instant::now() + Duration::from_secs(60);
        let assignment = Assignment {
            catalogue,
            id: "m1".to_owned(),
            rules,
            role: "o".to_owned(),
            agent: "ggp-uct(playouts=200)".to_owned(),
            seed: 1,
            ponders: true,
            start_deadline: Instant::now() + Duration::from_millis(300),
        };
        let thinker = Thinker::begin(assignment, None);
        assert!(thinker.ready.wait(soon()).unwrap().is_ok());
        let chosen = thinker.ask(1, News::Nothing, soon()).wait(soon()).unwrap().unwrap();
        assert_eq!(chosen.action, "noop");
        // It thinks for ten minutes unless the next question ends it.
        assert!(thinker.ahead.wait(soon()).is_some());
        let joint = vec!["(place 2 2)".to_owned(), "noop".to_owned()];
        let chosen = thinker.ask(2, News::Joint(joint), soon()).wait(soon()).unwrap();
        assert!(chosen.is_ok_and(|chosen| chosen.action.starts_with("(place")));
    }

    #[test]
    fn a_report_shows_playouts_depth_value_and_line() {
        let mut decision = DecisionText {
            action: "(drop 4)".to_owned(),
            value: Some(62.5),
            candidates: Vec::new(),
            line: vec![vec!["(drop 4)".to_owned()], vec!["a".to_owned(), "b".to_owned()]],
            depth: 7,
            nodes: 90,
            playouts: 1234,
            time: Duration::ZERO,
            limit: None,
            transcript: None,
        };
        assert_eq!(report(&decision), "1234 playouts, depth 7, value 62.5, line: (drop 4), a + b");
        (decision.value, decision.line) = (None, vec![vec!["x".to_owned()]; 9]);
        assert_eq!(report(&decision), "1234 playouts, depth 7, value unknown, line: x, x, x, x, x, x, x, x, …");
        decision.line.clear();
        assert!(report(&decision).ends_with("line: unknown"));
    }
}

//! The parameters of all kinds.

use tesuji_core::{Arguments, Features, InputError, Parameter, Source};

use super::*;
use crate::tiny_games::skirmish::Skirmish;
use crate::tiny_games::{Nim, Written, choice, first_decision, matrix, over};
use crate::{Agent, Selection, Settings};
use proptest::prelude::*;

fn build<K: AgentKind>(address: &str) -> Result<Box<dyn Agent<Nim>>, InputError> {
    K::build(&Arguments::bind(&address.parse()?, K::PARAMETERS)?, &Nim::new(7))
}

fn complaint<K: AgentKind>(address: &str) -> String {
    let error = build::<K>(address).err().unwrap_or_else(|| panic!("`{address}` was accepted"));
    format!("{error} {}", error.help_text().unwrap_or_default())
}

#[test]
fn the_defaults_build_and_play_with_the_budget_of_the_seat() {
    for mut agent in [build::<McKind>("mc").unwrap(), build::<UctKind>("uct").unwrap()] {
        assert_eq!(first_decision(&Nim::new(7), &mut *agent, 0, 123, 1).thought.playouts, 123);
    }
    let settings = Settings::default();
    let Selection::Ucb1 { c, .. } = settings.selection else { panic!("{settings:?}") };
    let arguments = Arguments::bind(&"uct".parse().unwrap(), UctKind::PARAMETERS).unwrap();
    assert_eq!(arguments.number("c", 0.0..=9.0).unwrap(), c);
    assert_eq!(arguments.integer("cap", 0..=u64::MAX).unwrap(), u64::from(settings.node_cap));
}

#[test]
fn arguments_reach_the_agent() {
    let playouts =
        |mut agent: Box<dyn Agent<Nim>>| first_decision(&Nim::new(7), &mut *agent, 0, 1_000_000, 1).thought.playouts;
    assert_eq!(playouts(build::<UctKind>("uct(77)").unwrap()), 77);
    assert_eq!(playouts(build::<McKind>("mc(nodes=5,allocation=ucb1)").unwrap()), 5);
    let every = "uct(playouts=50,time=5s,c=0.15,total=search,first=0.4,opponents=searcher,threshold=3,discount=0.99,\
                 choice=robust,reuse=off,transpositions=on,solver=off,cap=9,playout=one,steps=4,turns=3,\
                 evaluation=remainder,scale=2,\
                 rave=grave,reference=10,equivalence=99,remember=false,learn=nst,grams=2,least=3,history=own,\
                 epsilon=0.1,\
                 temperature=0.5,unseen=0.9,decay=1,sample=2,batch=off,leaves=4,each=2)";
    assert_eq!(playouts(build::<UctKind>(every).unwrap()), 50);
}

#[test]
fn wrong_arguments_are_explained() {
    for (address, expected) in [
        ("uct(playouts=0)", "a whole number of at least 1"),
        ("uct(time=5parsecs)", "a time such as 250ms"),
        ("uct(c=-1)", "a number from 0"),
        ("uct(playout=onne)", "did you mean `one`? `nim` offers uniform, customary, one"),
        ("uct(evaluation=x)", "`nim` offers remainder"),
        ("uct(first=soon)", "random, ordered, membership, net or a number"),
        ("uct(first=net)", "`nim` comes without a network"),
        ("uct(evaluation=net)", "`nim` comes without a network"),
        ("uct(net=x,evaluation=remainder)", "which needs no network"),
        ("uct(net=x)", "has no such net"),
        ("uct(first=membership)", "`fuzzy` beside it"),
        ("uct(prune=0.5)", "`fuzzy` beside it"),
        ("uct(fuzzy=x)", "cannot play `nim`: it needs features of actions"),
        ("uct(neighbours=-1)", "a whole number from 0"),
        ("uct(choice=best)", "one of visits, mean, robust, secure, mixed, sum, auto"),
        ("uct(cap=0)", "from 1 to 100000000"),
        ("uct(learn=well)", "one of none, mast, nst, bigram"),
        ("uct(grams=6)", "from 1 to 5"),
        ("uct(epsilon=2)", "a number from 0 to 1"),
        ("uct(temperature=0)", "a number from 0.001"),
        ("uct(rave=yes)", "one of none, rave, grave"),
        ("uct(remember=maybe)", "one of auto, true, false"),
        ("uct(batch=on)", "one of auto, off"),
        ("uct(each=0)", "from 1 to"),
        ("uct(threads=0)", "from 1 to 64"),
        ("uct(widening=perhaps)", "true, root or false"),
        ("uct(leaf=child,solver=true)", "false beside `leaf=child`"),
        ("uct(leaf=child,rave=rave)", "none beside `leaf=child`"),
        ("uct(limit=even)", "cannot play `nim`: it needs tactics"),
        ("uct(selection=puct)", "`nim` comes without a network"),
        ("uct(halving=4)", "`selection=puct` on one thread"),
        ("uct(selection=puct,rave=rave)", "ucb1 beside `rave`"),
        ("uct(selection=puct,first=0.5)", "nothing beside `selection=puct`"),
        ("uct(depth=3)", "has no parameter `depth`"),
    ] {
        let complaint = complaint::<UctKind>(address);
        assert!(complaint.contains(expected), "{address}: {complaint}");
    }
    assert!(complaint::<McKind>("mc(choice=auto)").contains("secure, mixed, sum"));
    assert!(complaint::<RandomKind>("random(1)").contains("takes no arguments"));
}

#[test]
fn depths_and_nominators_are_checked() {
    for (address, expected) in [
        ("expectimax(depth=0)", "from 1 to 999"),
        ("expectimax(pruning=star3)", "one of off, star1, star2"),
        ("expectimax(evaluation=x)", "`nim` offers remainder"),
        ("expectimax(scale=0)", "a number from"),
    ] {
        let complaint = complaint::<ExpectimaxKind>(address);
        assert!(complaint.contains(expected), "{address}: {complaint}");
    }
    for (address, expected) in [
        ("look-ahead(depth=0)", "from 1 to 99"),
        ("look-ahead(standard=best)", "mean, off or a number"),
        ("look-ahead(obvious=2)", "off or a chance"),
        ("look-ahead(evaluation=typeA)", "`nim` offers remainder"),
    ] {
        let complaint = complaint::<LookAheadKind>(address);
        assert!(complaint.contains(expected), "{address}: {complaint}");
    }
    for (address, expected) in [
        ("nominate(nominators=uct + utc)", "did you mean `uct`?"),
        ("nominate(nominators=)", "expected a value"),
        ("nominate(nominators=\"uct(c=-1) + mc\")", "a number from 0"),
        ("nominate(nominators=uct + )", "expected a name"),
    ] {
        let complaint = complaint::<NominateKind>(address);
        assert!(complaint.contains(expected), "{address}: {complaint}");
    }
    for mut agent in [
        build::<ExpectimaxKind>("expectimax(50,depth=50)").unwrap(),
        build::<LookAheadKind>("look-ahead(50,depth=50)").unwrap(),
        build::<NominateKind>("nominate(50,nominators=\"uct(c=1,playouts=90) + look-ahead(depth=1)\")").unwrap(),
    ] {
        assert!((1..=3).contains(&first_decision(&Nim::new(30), &mut *agent, 0, 10, 1).action));
    }
    assert!(complaint::<UctKind>("uct(rave=rave,widen-actions=0.5)").contains("none where nodes widen"));
    assert!(complaint::<UctKind>("uct(widen-outcomes=2)").contains("from 0 to 1"));
}

#[test]
fn searches_of_joint_moves_check_their_arguments_and_play() {
    for (address, expected) in [
        ("joint-mc(allocation=ucb)", "one of uniform, own, marginal, equilibrium"),
        ("joint-mc(nash=simplex)", "one of paper, lp, regret"),
        ("joint-mc(draw=1.5)", "a number from 0 to 1"),
        ("joint-mc(symmetry=on)", "one of off, even, first"),
        ("joint-mc(choice=mixed)", "one of mean, visits, average, equilibrium"),
    ] {
        let complaint = complaint::<JointMcKind>(address);
        assert!(complaint.contains(expected), "{address}: {complaint}");
    }
    for (address, expected) in [
        ("joint-tree(selection=ucb)", "one of uct, exp3, regret, regret-plus, equilibrium"),
        ("joint-tree(exploration=0)", "a number from"),
        ("joint-tree(solve=2)", "a number from 0 to 1"),
        ("joint-tree(cap=0)", "from 1 to"),
    ] {
        let complaint = complaint::<JointTreeKind>(address);
        assert!(complaint.contains(expected), "{address}: {complaint}");
    }
    assert!(complaint::<CfrKind>("cfr(method=minus)").contains("one of plus, external, outcome"));
    assert!(complaint::<CfrKind>("cfr(depth=0)").contains("from 1 to 99"));
    fn presets<K: AgentKind>() {
        assert!(!K::HANDLES.contains(Features::MANY_PLAYERS) && K::HANDLES.contains(Features::SIMULTANEOUS));
        for preset in K::PRESETS {
            let resolved = preset.resolve(&preset.name.parse().unwrap(), K::NAME, K::PARAMETERS).unwrap();
            let mut agent = build::<K>(&resolved.to_string()).unwrap_or_else(|error| panic!("{resolved}: {error}"));
            let decision = first_decision(&Nim::new(7), &mut *agent, 0, 100, 1);
            assert!(decision.thought.playouts <= 100, "{}", preset.name);
        }
    }
    presets::<JointMcKind>();
    presets::<JointTreeKind>();
    presets::<CfrKind>();
}

#[test]
fn what_the_user_gives_takes_the_place_of_the_presets_arguments() {
    let preset = McKind::PRESETS.iter().find(|preset| preset.name == "mc-ucb").unwrap();
    let resolve = |text: &str| preset.resolve(&text.parse().unwrap(), McKind::NAME, McKind::PARAMETERS);
    assert_eq!(resolve("mc-ucb").unwrap().to_string(), "mc(allocation=ucb1,choice=visits)");
    assert_eq!(resolve("mc-ucb(500,choice=mean)").unwrap().to_string(), "mc(playouts=500,choice=mean,allocation=ucb1)");
    assert!(build::<McKind>(&resolve("mc-ucb(500,c=0.3)").unwrap().to_string()).is_ok());
    let twice = resolve("mc-ucb(c=1,c=2)").unwrap();
    assert!(Arguments::bind(&twice, McKind::PARAMETERS).unwrap_err().to_string().contains("given twice"));
    let many = format!("mc-ucb({})", vec!["1"; McKind::PARAMETERS.len() + 1].join(","));
    assert!(resolve(&many).unwrap_err().to_string().contains("too many arguments"));
}

#[test]
fn a_budget_of_the_user_replaces_the_whole_budget_of_the_preset() {
    let resolve = |text: &str| {
        let preset = UctKind::PRESETS.iter().find(|preset| text.starts_with(preset.name)).unwrap();
        let resolved = preset.resolve(&text.parse().unwrap(), UctKind::NAME, UctKind::PARAMETERS).unwrap();
        let arguments = Arguments::bind(&resolved, UctKind::PARAMETERS).unwrap();
        parameters::budget(&arguments).unwrap().to_string()
    };
    assert_eq!(resolve("turn-uct"), "playouts=6000");
    assert_eq!(resolve("turn-uct(c=1)"), "playouts=6000");
    assert_eq!(resolve("turn-uct(time=200ms)"), "time=200000us");
    assert_eq!(resolve("turn-uct(nodes=50)"), "nodes=50");
    assert_eq!(resolve("turn-uct(70)"), "playouts=70");
    assert_eq!(resolve("turn-uct(playouts=6000,time=200ms)"), "playouts=6000,time=200000us");
}

#[test]
fn decisions_name_the_limit_that_ended_the_search() {
    use crate::Limit;
    let limit = |mut agent: Box<dyn Agent<Nim>>, heap: u8| {
        first_decision(&Nim::new(heap), &mut *agent, 0, 1_000, 1).thought.limit
    };
    for agent in [
        build::<UctKind>("uct").unwrap(),
        build::<McKind>("mc").unwrap(),
        build::<ExpectimaxKind>("expectimax(depth=20)").unwrap(),
        build::<LookAheadKind>("look-ahead(depth=21,memory=false)").unwrap(),
        build::<JointTreeKind>("joint-tree").unwrap(),
        build::<JointMcKind>("joint-mc").unwrap(),
        build::<CfrKind>("mccfr-external").or_else(|_| build::<CfrKind>("cfr(method=external)")).unwrap(),
    ] {
        assert_eq!(limit(agent, 60), Some(Limit::Playouts(1_000)));
    }
    assert_eq!(limit(build::<UctKind>("uct(nodes=30)").unwrap(), 60), Some(Limit::Nodes(30)));
    let brief = std::time::Duration::from_millis(1);
    assert_eq!(limit(build::<UctKind>("uct(time=1ms)").unwrap(), 60), Some(Limit::Time(brief)));
    // A search that looked at everything was not ended by a limit.
    assert_eq!(limit(build::<ExpectimaxKind>("expectimax(depth=3)").unwrap(), 60), None);
    assert_eq!(limit(build::<UctKind>("uct(solver=true)").unwrap(), 3), None);

    let game = Skirmish::new([[9, 9, 9], [9, 9, 9]], [[1; 3]; 2]);
    let whole_turn = |address: &str| {
        let arguments = Arguments::bind(&address.parse().unwrap(), DlmcKind::PARAMETERS).unwrap();
        let mut agent = DlmcKind::build(&arguments, &game).unwrap();
        first_decision(&game, &mut *agent, 0, 1_000, 1).thought.limit
    };
    assert_eq!(whole_turn("dlmc"), Some(Limit::Playouts(1_000)));
    let own = Some(Limit::Settings("samples and simulations"));
    assert_eq!(whole_turn("dlmc(samples=10,simulations=10)"), own);
    assert_eq!(whole_turn("dlmc(samples=10,simulations=10,divide=2)"), own);
}

#[test]
fn files_are_read_by_whoever_binds_the_arguments() {
    fn read(path: &str) -> Result<Source, InputError> {
        Ok(Source::new(path, "piece,harm,samples,membership\n0,0,1,0.25\n"))
    }
    fn bound<K: AgentKind>(address: &str) -> Arguments {
        Arguments::bind(&address.parse().unwrap(), K::PARAMETERS).unwrap()
    }
    let skirmish = Skirmish::new([[1, 0, 0], [1, 0, 0]], [[1; 3]; 2]);
    let (alone, nested) = ("uct(fuzzy=./t.csv)", "nominate(nominators=\"uct(fuzzy=./t.csv)\")");
    let refused = [
        UctKind::build(&bound::<UctKind>(alone), &skirmish).err(),
        NominateKind::build(&bound::<NominateKind>(nested), &skirmish).err(),
    ];
    for error in refused {
        assert_eq!(error.unwrap().to_string(), "./t.csv: files are not read here");
    }
    assert!(UctKind::build(&bound::<UctKind>(alone).with_files(read), &skirmish).is_ok());
    assert!(NominateKind::build(&bound::<NominateKind>(nested).with_files(read), &skirmish).is_ok());
    let contents = UctKind::contents(&bound::<UctKind>(alone).with_files(read), &skirmish).unwrap();
    assert_eq!(contents, read("").unwrap().text());
}

#[test]
fn the_general_player_chooses_by_the_game() {
    let mut agent = build::<GgpChampionKind>("ggp-champion(playouts=500)").unwrap();
    let decision = first_decision(&Nim::new(7), &mut *agent, 0, 1, 1);
    assert_eq!(decision.action, 3);
    // The proof ends the search early.
    assert!((2..=500).contains(&decision.thought.playouts));
    assert!(complaint::<GgpChampionKind>("ggp-champion(trial=1)").contains("from 0 to 0.9"));
    // Two players are no puzzle.
    assert!(complaint::<PuzzleKind>("puzzle").contains("several players"));
    let alone = Written::new(1, (0.0, 1.0), choice(0, [over([0.25]), over([0.5])]));
    let arguments = Arguments::bind(&"ggp-champion".parse().unwrap(), GgpChampionKind::PARAMETERS).unwrap();
    let decision = first_decision(&alone, &mut *GgpChampionKind::build(&arguments, &alone).unwrap(), 0, 100, 1);
    assert_eq!((decision.action, decision.value, decision.thought.limit), (1, Some(0.5), None));
    let joint = Written::new(2, (0.0, 1.0), matrix([[0.9, 0.8], [0.1, 0.0]]));
    let decision = first_decision(&joint, &mut *GgpChampionKind::build(&arguments, &joint).unwrap(), 0, 300, 1);
    assert_eq!(decision.policy, [(0, 1.0)]);
}

#[test]
fn every_preset_builds_and_plays() {
    /// Uses Nim, or a skirmish decided by the first hit for kinds made for turns of many actions.
    fn check<K: AgentKind>(for_turns: fn(&str) -> bool) {
        let skirmish = Skirmish::new([[1, 0, 0], [1, 0, 0]], [[1; 3]; 2]);
        // Tiny games have no network.
        for preset in K::PRESETS.iter().filter(|preset| !preset.arguments.contains("evaluation=net")) {
            let resolved = preset.resolve(&preset.name.parse().unwrap(), K::NAME, K::PARAMETERS).unwrap();
            if for_turns(preset.name) {
                let arguments = Arguments::bind(&resolved, K::PARAMETERS).unwrap();
                let mut agent = K::build(&arguments, &skirmish).unwrap_or_else(|error| panic!("{resolved}: {error}"));
                let action = first_decision(&skirmish, &mut *agent, 0, 2000, 1).action;
                assert_eq!(action.1, Some(0), "{}", preset.name);
            } else {
                let mut agent = build::<K>(&resolved.to_string()).unwrap_or_else(|error| panic!("{resolved}: {error}"));
                assert_eq!(first_decision(&Nim::new(7), &mut *agent, 0, 2000, 1).action, 3, "{}", preset.name);
            }
        }
    }
    check::<McKind>(|_| false);
    check::<UctKind>(|name| name.starts_with("unit-") || name.starts_with("turn-"));
    check::<BestActionKind>(|_| true);
}

proptest! {
    #[test]
    fn any_argument_is_taken_or_refused(index in 0..UctKind::PARAMETERS.len(), value in "[-0-9a-z.]{1,12}") {
        let _ = build::<UctKind>(&format!("uct({}={value})", UctKind::PARAMETERS[index].name));
        let _ = build::<McKind>(&format!("mc({}={value})", UctKind::PARAMETERS[index].name));
        let parameter = |all: &[Parameter]| all[index % all.len()].name;
        let _ = build::<ExpectimaxKind>(&format!("expectimax({}={value})", parameter(ExpectimaxKind::PARAMETERS)));
        let _ = build::<LookAheadKind>(&format!("look-ahead({}={value})", parameter(LookAheadKind::PARAMETERS)));
        let _ = build::<NominateKind>(&format!("nominate({}={value})", parameter(NominateKind::PARAMETERS)));
        let _ = build::<JointMcKind>(&format!("joint-mc({}={value})", parameter(JointMcKind::PARAMETERS)));
        let _ = build::<JointTreeKind>(&format!("joint-tree({}={value})", parameter(JointTreeKind::PARAMETERS)));
        let _ = build::<CfrKind>(&format!("cfr({}={value})", parameter(CfrKind::PARAMETERS)));
    }
}

//! Every example of every line of the catalogue obeys the laws.

use tesuji_arena::AnyGame;

/// Opens every example and hands it on.
fn each_example(mut check: impl FnMut(&str, &dyn AnyGame)) {
    let mut count = 0;
    for info in tesuji_standard::catalogue().games() {
        assert!(!info.examples.is_empty(), "`{}` has no example to check", info.name);
        for example in info.examples {
            let game =
                tesuji_standard::catalogue().open(example).unwrap_or_else(|error| panic!("`{example}`: {error}"));
            check(example, game.as_ref());
            count += 1;
        }
    }
    assert!(count >= tesuji_standard::catalogue().games().len());
}

#[test]
fn random_play_obeys_the_laws() {
    each_example(|address, game| {
        if let Err(violation) = game.check_laws(1) {
            panic!("`{address}` breaks a law: {violation}");
        }
    });
    // The longest boards, and boards of more than 64 cells, which are no examples.
    let large = ["sync-triomineering(10,10)", "sync-domineering(8,16)", "triomineering(42,3)", "domineering(5,13)"];
    for address in large.into_iter().chain(["sync-triomineering(1,64)", "triomineering(1,128)"]) {
        let game = tesuji_standard::catalogue().open(address).unwrap();
        game.check_laws(1).unwrap_or_else(|violation| panic!("`{address}` breaks a law: {violation}"));
    }
}

#[test]
fn a_game_is_opened_again_by_its_own_name() {
    each_example(|address, game| {
        let name = &game.spec().name;
        let again = tesuji_standard::catalogue()
            .open(name)
            .unwrap_or_else(|error| panic!("`{address}` calls itself `{name}`: {error}"));
        assert_eq!(again.spec(), game.spec(), "`{address}`");
    });
}

#[test]
fn pictures_are_well_formed() {
    each_example(|address, game| {
        let svg = game.new_match(None).unwrap().picture().svg();
        if let Err(error) = roxmltree::Document::parse(&svg) {
            panic!("`{address}` draws broken SVG: {error}\n{svg}");
        }
    });
}

#[test]
fn names_are_unique_and_described() {
    let catalogue = tesuji_standard::catalogue();
    let infos = catalogue.games();
    for (index, info) in infos.iter().enumerate() {
        assert!(infos[..index].iter().all(|other| other.name != info.name), "two games are called `{}`", info.name);
        assert!(!info.summary.is_empty());
        for parameter in &info.parameters {
            assert!(!parameter.summary.is_empty(), "{}: {}", info.name, parameter.name);
        }
    }
}

//! Learning and lookup compared with plain versions; texts that parse back; errors with their location.

use proptest::prelude::*;
use tesuji_core::{Rng, Source};

use super::{Field, Known, LABELS, Memberships, Sample, Sheet};

fn names() -> Vec<String> {
    ["unit", "risk"].map(str::to_owned).to_vec()
}

fn sample(features: [f64; 2], label: f64) -> Sample {
    Sample { features: features.to_vec(), label }
}

fn random_samples(rng: &mut Rng, count: usize) -> Vec<Sample> {
    let mut draw = |bound: usize| rng.below(bound) as f64;
    (0..count).map(|_| sample([draw(6), draw(6)], LABELS[draw(3) as usize])).collect()
}

#[test]
fn a_membership_is_the_share_of_positive_labels() {
    let samples = [
        sample([1.0, 2.0], 1.0),
        sample([1.0, 2.0], 0.5),
        sample([1.0, 2.0], 0.0),
        sample([1.0, 2.0], 0.0),
        sample([3.0, 0.0], 1.0),
    ];
    let learned = Memberships::learn(&names(), &samples).unwrap();
    assert_eq!(learned.samples(), 5);
    assert_eq!(
        learned.known(),
        [
            Known { features: vec![1.0, 2.0], samples: 4, membership: 0.375 },
            Known { features: vec![3.0, 0.0], samples: 1, membership: 1.0 }
        ]
    );
    assert_eq!(learned.of(&[1.0, 2.0], 0), 0.375);
    // Nearer to the second.
    assert_eq!(learned.of(&[3.0, 1.0], 0), 1.0);
    // Equally near to both: all five samples count.
    assert_eq!(learned.of(&[2.0, 1.0], 0), 2.5 / 5.0);
    assert_eq!(Memberships::learn(&names(), &[]), None);
}

#[test]
fn neighbours_have_a_say_by_their_distance() {
    let samples = [sample([0.0, 0.0], 1.0), sample([3.0, 4.0], 0.0), sample([6.0, 8.0], 0.0), sample([6.0, 8.0], 1.0)];
    let learned = Memberships::learn(&names(), &samples).unwrap();
    // Itself, and the one at distance 5.
    assert!((learned.of(&[0.0, 0.0], 1) - 1.0 / (1.0 + 1.0 / 6.0)).abs() < 1e-12);
    // Itself, that one, and two samples at distance 10.
    let all = (1.0 + 1.0 / 11.0) / (1.0 + 1.0 / 6.0 + 2.0 / 11.0);
    assert!((learned.of(&[0.0, 0.0], 2) - all).abs() < 1e-12);
    assert!((learned.of(&[0.0, 0.0], 99) - all).abs() < 1e-12, "there are no more than these");
}

/// Sample by sample, with all distances sorted.
fn naive(samples: &[Sample], features: &[f64], neighbours: usize) -> f64 {
    let distance = |sample: &Sample| {
        let squares = sample.features.iter().zip(features).map(|(one, two)| (one - two).powi(2));
        squares.sum::<f64>().sqrt()
    };
    let mut vectors: Vec<(f64, &[f64])> = Vec::new();
    for sample in samples {
        if !vectors.iter().any(|(_, vector)| *vector == sample.features) {
            vectors.push((distance(sample), &sample.features));
        }
    }
    let mut far: Vec<f64> = vectors.iter().map(|(distance, _)| *distance).filter(|&distance| distance > 0.0).collect();
    far.sort_by(f64::total_cmp);
    let seen = far.len() < vectors.len();
    let limit = match neighbours {
        0 if seen => 0.0,
        0 => far[0],
        _ => far.get(neighbours - 1).or(far.last()).copied().unwrap_or(0.0),
    };
    let near: Vec<&Sample> = samples.iter().filter(|sample| distance(sample) <= limit + 1e-9).collect();
    let weight = |sample: &Sample| if neighbours == 0 { 1.0 } else { 1.0 / (1.0 + distance(sample)) };
    let positive: f64 = near.iter().map(|sample| weight(sample) * sample.label).sum();
    positive / near.iter().map(|sample| weight(sample)).sum::<f64>()
}

#[test]
fn the_table_agrees_with_its_twin() {
    let mut rng = Rng::new(1);
    for _ in 0..200 {
        let count = 1 + rng.below(25);
        let samples = random_samples(&mut rng, count);
        let learned = Memberships::learn(&names(), &samples).unwrap();
        for neighbours in [0, 1, 2, 5, 40] {
            let asked = [rng.below(8) as f64, rng.below(8) as f64];
            let (fast, slow) = (learned.of(&asked, neighbours), naive(&samples, &asked, neighbours));
            assert!((fast - slow).abs() < 1e-9, "{asked:?} with {neighbours}: {fast}, {slow}\n{samples:?}");
        }
    }
}

#[test]
fn shuffling_deals_the_same_memberships_out_anew() {
    let samples = random_samples(&mut Rng::new(2), 60);
    let learned = Memberships::learn(&names(), &samples).unwrap();
    let shuffled = learned.shuffled(3);
    assert_eq!(shuffled, learned.shuffled(3));
    assert_ne!(shuffled, learned);
    let sorted = |table: &Memberships| {
        let mut values: Vec<f64> = table.known().iter().map(|known| known.membership).collect();
        values.sort_by(f64::total_cmp);
        values
    };
    assert_eq!(sorted(&shuffled), sorted(&learned));
    assert!(learned.known().iter().zip(shuffled.known()).all(|(one, two)| one.features == two.features));
}

#[test]
fn tables_read_back_and_wrong_ones_tell_the_place() {
    let learned = Memberships::learn(&names(), &random_samples(&mut Rng::new(4), 50)).unwrap();
    assert_eq!(Memberships::read(&Source::new("t.csv", learned.text())).unwrap(), learned);
    for (text, expected) in [
        ("", "t.csv: there is nothing here"),
        ("unit,risk,samples,membership\n", "t.csv: the table is empty"),
        ("a,b\n1,2\n", "t.csv:1:3: this is not a membership table"),
        ("samples,membership\n1,1\n", "t.csv:1:9: this is not a membership table"),
        ("# a comment\n\nunit,samples,membership\n1,1,1\n2,1\n", "t.csv:5:3: 2 column(s), the header has 3"),
        ("unit,samples,membership\n1,1,1,9\n", "t.csv:2:7: 4 column(s), the header has 3"),
        ("unit,samples,membership\nx,1,1\n", "t.csv:2:1: `x` for `unit`: expected a number"),
        ("unit,samples,membership\n1,0,1\n", "t.csv:2:3: `0` for `samples`"),
        (
            "unit,samples,membership\n\"1\", 2 , 1.5\n",
            "t.csv:2:9: `1.5` for `membership`: expected a number from 0 to 1",
        ),
        ("unit,samples,membership\n1,1,NaN\n", "t.csv:2:5: `NaN`"),
    ] {
        let error = Memberships::read(&Source::new("t.csv", text)).unwrap_err();
        assert!(error.to_string().starts_with(expected), "{text:?}: {error}");
    }
}

#[test]
fn fields_know_their_places_behind_quotes_and_comments() {
    let source = Source::new("s.csv", "# head\na,b,c\n\r\n\"x, \"\"y\"\"\", 2,\"two\nlines\"\n#\n7,8,9");
    let sheet = Sheet::read(&source).unwrap();
    let texts = |row: &[Field]| row.iter().map(|field| field.text.clone()).collect::<Vec<_>>();
    assert_eq!(texts(&sheet.rows[0]), ["x, \"y\"", "2", "two\nlines"]);
    let places: Vec<(usize, usize)> =
        sheet.rows.iter().flatten().map(|field| field.wrong(&source, "").position().unwrap()).collect();
    assert_eq!(places, [(4, 1), (4, 12), (4, 15), (7, 1), (7, 3), (7, 5)]);
}

proptest! {
    #[test]
    fn any_bytes_are_a_table_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..120)) {
        let _ = Memberships::read(&Source::new("t", String::from_utf8_lossy(&bytes)));
    }

    #[test]
    fn any_text_like_a_table_is_one_or_an_error(text in "[ab0-9,.\"#\r\n-]{0,40}") {
        let source = Source::new("t", format!("a,b,samples,membership\n{text}"));
        if let Err(error) = Memberships::read(&source) {
            prop_assert!(!error.message().is_empty());
        }
        // Every field is at its reported location.
        if let Ok(sheet) = Sheet::read(&source) {
            for field in sheet.rows.iter().flatten() {
                let there = &source.text()[field.offset..field.offset + field.length];
                prop_assert!(there.starts_with('"') || there.trim() == field.text, "{there:?}: {field:?}");
            }
        }
    }
}

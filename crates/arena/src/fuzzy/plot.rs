//! The membership function over two of its features.

use tesuji_fuzzy::Memberships;

use crate::report::membership_map;

/// The memberships over the features number `across` and `up`, as SVG: in each place the mean over all samples that
/// have these two, whatever their other features.
pub fn membership_plot(memberships: &Memberships, across: usize, up: usize) -> String {
    let mut places: Vec<(f64, f64, f64, u64)> = Vec::new();
    for known in memberships.known() {
        let (x, y) = (known.features[across], known.features[up]);
        let positive = known.membership * known.samples as f64;
        match places.iter_mut().find(|place| (place.0, place.1) == (x, y)) {
            Some(place) => {
                place.2 += positive;
                place.3 += known.samples;
            }
            None => places.push((x, y, positive, known.samples)),
        }
    }
    let means: Vec<(f64, f64, f64, u64)> =
        places.into_iter().map(|(x, y, positive, samples)| (x, y, positive / samples as f64, samples)).collect();
    membership_map([&memberships.names()[across], &memberships.names()[up]], &means)
}

//! Sorting that is compiled once.
//!
//! `sort_by` is compiled anew for every type of item and every closure, and generic agents are compiled for every game:
//! such sorts were 12 % of the lines that `cargo llvm-lines` counted in the catalogue. Lists that are sorted once a
//! decision use these functions.

use std::cmp::Ordering;

/// Sorts like [`slice::sort_by`], stably, for lists of moderate length outside inner loops.
pub(crate) fn cold_sort<T: Clone>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    let order = cold_order(items.len(), &|one, two| compare(&items[one], &items[two]));
    let sorted: Vec<T> = order.into_iter().map(|index| items[index].clone()).collect();
    items.clone_from_slice(&sorted);
}

/// The indices below `length` in the order that `compare` gives; equal ones keep their order.
pub(crate) fn cold_order(length: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..length).collect();
    order.sort_by(|&one, &two| compare(one, two));
    order
}

#[cfg(test)]
mod tests {
    use super::cold_sort;

    #[test]
    fn equal_items_keep_their_order() {
        let mut items = [(2, 'a'), (1, 'b'), (2, 'c'), (0, 'd'), (1, 'e')];
        let mut plain = items;
        cold_sort(&mut items, |one, two| one.0.cmp(&two.0));
        plain.sort_by_key(|item| item.0);
        assert_eq!(items, plain);
    }
}

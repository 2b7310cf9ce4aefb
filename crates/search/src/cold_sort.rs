//! Sorting that is compiled once.
//!
//! `sort_by` is compiled anew for every type of item and every closure, and generic agents are compiled for every game:
//! such sorts were 12 % of the lines that `cargo llvm-lines` counted in the catalogue. Lists that are sorted once a
//! decision use these functions.

use std::cmp::Ordering;

/// Sorts like [`slice::sort_by`], stably, for lists outside inner loops.
pub(crate) fn cold_sort<T>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    let mut order = cold_order(items.len(), &|one, two| compare(&items[one], &items[two]));
    // Follows each cycle of the permutation; a place that is done points to itself.
    for first in 0..items.len() {
        let mut place = first;
        while order[place] != first {
            let next = order[place];
            items.swap(place, next);
            order[place] = place;
            place = next;
        }
        order[place] = place;
    }
}

/// Sorts by descending value, stably.
pub(crate) fn cold_sort_descending<T>(items: &mut [T], value: impl Fn(&T) -> f64) {
    cold_sort(items, |one, two| value(two).total_cmp(&value(one)));
}

/// Sorts a short list by descending value, stably: insertion, a few instructions for each type.
#[inline]
pub(crate) fn short_sort_descending<T: Copy>(items: &mut [T], value: impl Fn(&T) -> f64) {
    for end in 1..items.len() {
        let item = items[end];
        let mut place = end;
        while place > 0 && value(&item).total_cmp(&value(&items[place - 1])).is_gt() {
            items[place] = items[place - 1];
            place -= 1;
        }
        items[place] = item;
    }
}

/// The indices below `length` in the order that `compare` gives; equal ones keep their order.
pub(crate) fn cold_order(length: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..length).collect();
    order.sort_by(|&one, &two| compare(one, two));
    order
}

#[cfg(test)]
mod tests {
    use super::{cold_sort, cold_sort_descending, short_sort_descending};

    #[test]
    fn equal_items_keep_their_order() {
        let mut items = [(2, 'a'), (1, 'b'), (2, 'c'), (0, 'd'), (1, 'e')];
        let mut plain = items;
        cold_sort(&mut items, |one, two| one.0.cmp(&two.0));
        plain.sort_by_key(|item| item.0);
        assert_eq!(items, plain);
    }

    #[test]
    fn every_order_of_values_is_sorted_like_the_standard_library_sorts_it() {
        // All lists of five of three values: equal ones are told apart by their index.
        for number in 0..3usize.pow(5) {
            let value = |index: u32| (number / 3usize.pow(index) % 3) as f64;
            let items: Vec<(f64, u32)> = (0..5).map(|index| (value(index), index)).collect();
            let mut plain = items.clone();
            plain.sort_by(|one, two| two.0.total_cmp(&one.0));
            let (mut cold, mut short) = (items.clone(), items);
            cold_sort_descending(&mut cold, |item| item.0);
            short_sort_descending(&mut short, |item| item.0);
            assert_eq!((&cold, &short), (&plain, &plain));
        }
    }
}

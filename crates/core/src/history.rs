//! The history of a match, step by step.

/// The joint actions of a match so far, stored flat: one step has one or more actions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct History<A> {
    actions: Vec<A>,
    ends: Vec<u32>,
}

impl<A> Default for History<A> {
    fn default() -> Self {
        History { actions: Vec::new(), ends: Vec::new() }
    }
}

impl<A: Copy> History<A> {
    /// Appends one step.
    pub fn push(&mut self, joint: &[A]) {
        self.actions.extend_from_slice(joint);
        self.ends.push(self.actions.len() as u32);
    }

    /// The number of steps.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether no step has been played yet.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The joint action of step `index`, counted from 0.
    pub fn step(&self, index: usize) -> &[A] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] as usize };
        &self.actions[start..self.ends[index] as usize]
    }

    /// All steps in order.
    pub fn steps(&self) -> impl ExactSizeIterator<Item = &[A]> {
        (0..self.len()).map(|index| self.step(index))
    }

    /// Removes all steps after the first `length`.
    pub fn truncate(&mut self, length: usize) {
        if length < self.len() {
            self.ends.truncate(length);
            self.actions.truncate(self.ends.last().map_or(0, |&end| end as usize));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_of_different_width_come_back_in_order() {
        let mut history = History::default();
        history.push(&[1]);
        history.push(&[2, 3]);
        history.push(&[4]);
        assert_eq!(history.steps().collect::<Vec<_>>(), [&[1][..], &[2, 3], &[4]]);
        history.truncate(1);
        assert_eq!(history.steps().collect::<Vec<_>>(), [&[1][..]]);
        history.truncate(0);
        assert!(history.is_empty());
    }
}

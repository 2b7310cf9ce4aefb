//! What self-play hands to training: the features of states, and the shares they should have.

/// States and their targets, in the order of play.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Samples {
    /// The active features of all states, one state after the other.
    active: Vec<u32>,
    /// Where the features of each state end.
    ends: Vec<usize>,
    targets: Vec<f32>,
}

impl Samples {
    /// The number of states.
    pub fn len(&self) -> usize {
        self.targets.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }

    /// The features and the target of a state.
    pub fn get(&self, index: usize) -> (&[u32], f32) {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        (&self.active[start..self.ends[index]], self.targets[index])
    }

    /// Adds a state, whose features `write` appends, with a target that is set later.
    pub(crate) fn push(&mut self, write: impl FnOnce(&mut Vec<u32>)) {
        write(&mut self.active);
        self.ends.push(self.active.len());
        self.targets.push(0.5);
    }

    pub(crate) fn set_target(&mut self, index: usize, target: f32) {
        self.targets[index] = target;
    }

    /// Adds the states of others.
    pub(crate) fn append(&mut self, others: &Samples) {
        let before = self.active.len();
        self.active.extend_from_slice(&others.active);
        self.ends.extend(others.ends.iter().map(|end| before + end));
        self.targets.extend_from_slice(&others.targets);
    }
}

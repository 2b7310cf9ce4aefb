//! Strongly connected components of the state graph, in reverse topological order: finds states to which play can
//! return.
//!
//! Tarjan's algorithm (1972) with an explicit stack: recursion would be as deep as the longest match.

use super::graph::Graph;

/// States that can all reach each other.
pub(super) struct Component {
    pub states: Vec<u32>,
    /// Whether play can return to a state of it. A single state without an action back to itself is not a cycle.
    pub is_circle: bool,
}

const UNSEEN: u32 = u32::MAX;

/// All components; each comes after those that it leads to.
pub(super) fn components(graph: &Graph) -> Vec<Component> {
    let count = graph.len();
    let (mut index, mut low) = (vec![UNSEEN; count], vec![0u32; count]);
    let mut on_stack = vec![false; count];
    let (mut stack, mut found) = (Vec::new(), Vec::new());
    let mut seen = 0;
    for start in 0..count as u32 {
        if index[start as usize] != UNSEEN {
            continue;
        }
        let mut way = vec![(start, graph.followers(start))];
        let mut enter =
            |state: u32, index: &mut [u32], low: &mut [u32], on_stack: &mut [bool], stack: &mut Vec<u32>| {
                (index[state as usize], low[state as usize]) = (seen, seen);
                seen += 1;
                on_stack[state as usize] = true;
                stack.push(state);
            };
        enter(start, &mut index, &mut low, &mut on_stack, &mut stack);
        while let Some((state, followers)) = way.last_mut() {
            let here = *state as usize;
            match followers.next() {
                Some(next) if index[next as usize] == UNSEEN => {
                    enter(next, &mut index, &mut low, &mut on_stack, &mut stack);
                    way.push((next, graph.followers(next)));
                }
                Some(next) if on_stack[next as usize] => low[here] = low[here].min(index[next as usize]),
                Some(_) => {}
                None => {
                    way.pop();
                    if let Some((before, _)) = way.last() {
                        low[*before as usize] = low[*before as usize].min(low[here]);
                    }
                    if low[here] == index[here] {
                        let first = stack.iter().rposition(|&other| other as usize == here).unwrap_or(0);
                        let states = stack.split_off(first);
                        states.iter().for_each(|&state| on_stack[state as usize] = false);
                        let is_circle =
                            states.len() > 1 || graph.followers(here as u32).any(|next| next as usize == here);
                        found.push(Component { states, is_circle });
                    }
                }
            }
        }
    }
    found
}

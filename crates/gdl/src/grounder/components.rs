//! Strongly connected components of a graph (Tarjan 1972), without recursion because rule sheets may be deep.

/// A graph, with the edges of all nodes in one array.
pub(super) struct Graph {
    starts: Vec<u32>,
    targets: Vec<u32>,
}

impl Graph {
    /// The graph with `count` nodes and these edges. `edges` is iterated twice.
    pub(super) fn new(count: usize, edges: impl Iterator<Item = (u32, u32)> + Clone) -> Graph {
        let mut starts = vec![0u32; count + 1];
        edges.clone().for_each(|(from, _)| starts[from as usize + 1] += 1);
        for node in 0..count {
            starts[node + 1] += starts[node];
        }
        let mut targets = vec![0; starts[count] as usize];
        let mut free = starts.clone();
        for (from, to) in edges {
            targets[free[from as usize] as usize] = to;
            free[from as usize] += 1;
        }
        Graph { starts, targets }
    }

    pub(super) fn edges(&self, node: u32) -> &[u32] {
        &self.targets[self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize]
    }

    /// The component of each node. Edges lead to equal or smaller numbers.
    pub(super) fn components(&self) -> Vec<u32> {
        const NEW: u32 = u32::MAX;
        let count = self.starts.len() - 1;
        let mut component = vec![NEW; count];
        let mut order = vec![NEW; count];
        let mut lowest = vec![0; count];
        let mut open = Vec::new();
        let mut path: Vec<(u32, usize)> = Vec::new();
        let (mut seen, mut components) = (0, 0);
        for root in 0..count as u32 {
            if order[root as usize] != NEW {
                continue;
            }
            path.push((root, 0));
            while let Some((node, edge)) = path.last_mut() {
                let node = *node;
                let here = node as usize;
                if *edge == 0 && order[here] == NEW {
                    order[here] = seen;
                    lowest[here] = seen;
                    seen += 1;
                    open.push(node);
                }
                if let Some(&target) = self.edges(node).get(*edge) {
                    *edge += 1;
                    if order[target as usize] == NEW {
                        path.push((target, 0));
                    } else if component[target as usize] == NEW {
                        lowest[here] = lowest[here].min(order[target as usize]);
                    }
                    continue;
                }
                path.pop();
                if let Some(&(parent, _)) = path.last() {
                    lowest[parent as usize] = lowest[parent as usize].min(lowest[here]);
                }
                if lowest[here] == order[here] {
                    while let Some(member) = open.pop() {
                        component[member as usize] = components;
                        if member == node {
                            break;
                        }
                    }
                    components += 1;
                }
            }
        }
        component
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn circles_are_found_and_numbered_from_what_they_need() {
        let edges = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 3), (5, 5), (6, 0)];
        let component = Graph::new(7, edges.iter().copied()).components();
        assert!(component[0] == component[1] && component[1] == component[2]);
        assert_eq!(component[3], component[4]);
        assert!(edges.iter().all(|&(from, to)| component[from as usize] >= component[to as usize]));
        let mut different = component.clone();
        different.sort_unstable();
        different.dedup();
        assert_eq!(different, [0, 1, 2, 3]);
    }
}

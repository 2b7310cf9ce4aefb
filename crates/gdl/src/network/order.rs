//! Sorts derived atoms so that each follows those it depends on; mutually recursive atoms are grouped.

use crate::Ground;

/// Rules by the atom that they define.
pub(crate) struct Definitions<'a> {
    first_derived: u32,
    /// Where the rules of each derived atom begin in `bodies`.
    starts: Vec<u32>,
    bodies: Vec<&'a [crate::Signal]>,
}

impl<'a> Definitions<'a> {
    /// The rules of a game, sorted.
    pub(crate) fn new(ground: &'a Ground) -> Definitions<'a> {
        let first_derived = ground.first_derived();
        let mut starts = vec![0u32; ground.derived as usize + 1];
        for (head, _) in ground.rules.iter() {
            starts[(head - first_derived) as usize + 1] += 1;
        }
        for index in 1..starts.len() {
            starts[index] += starts[index - 1];
        }
        let mut next = starts.clone();
        let mut bodies: Vec<&[crate::Signal]> = vec![&[]; ground.rules.count()];
        for (head, body) in ground.rules.iter() {
            let place = &mut next[(head - first_derived) as usize];
            bodies[*place as usize] = body;
            *place += 1;
        }
        Definitions { first_derived, starts, bodies }
    }

    /// The bodies of the rules of a derived atom.
    pub(crate) fn of(&self, atom: u32) -> &[&'a [crate::Signal]] {
        let index = (atom - self.first_derived) as usize;
        &self.bodies[self.starts[index] as usize..self.starts[index + 1] as usize]
    }

    /// The derived atoms that `wanted` depends on, in groups: a group depends only on itself and earlier groups. A
    /// group of several atoms is a cycle; so is one atom that depends on itself.
    pub(crate) fn circles(&self, wanted: impl IntoIterator<Item = u32>) -> Vec<Vec<u32>> {
        // Tarjan's algorithm with an explicit stack, because chains of rules can be long.
        const UNSEEN: u32 = u32::MAX;
        let count = self.starts.len() - 1;
        let mut number = vec![UNSEEN; count];
        let mut lowest = vec![0u32; count];
        let mut closed = vec![false; count];
        let mut stack: Vec<u32> = Vec::new();
        let mut groups = Vec::new();
        let mut numbered = 0;
        let mut path: Vec<(u32, usize, usize)> = Vec::new();
        for atom in wanted {
            if atom < self.first_derived || number[(atom - self.first_derived) as usize] != UNSEEN {
                continue;
            }
            path.push((atom, 0, 0));
            while let Some((atom, rule, literal)) = path.last_mut() {
                let index = (*atom - self.first_derived) as usize;
                if *rule == 0 && *literal == 0 && number[index] == UNSEEN {
                    number[index] = numbered;
                    lowest[index] = numbered;
                    numbered += 1;
                    stack.push(*atom);
                }
                let bodies = self.of(*atom);
                let mut descend = None;
                while *rule < bodies.len() {
                    let body = bodies[*rule];
                    while *literal < body.len() {
                        let child = body[*literal].atom();
                        *literal += 1;
                        if child < self.first_derived {
                            continue;
                        }
                        let child_index = (child - self.first_derived) as usize;
                        if number[child_index] == UNSEEN {
                            descend = Some(child);
                            break;
                        }
                        if !closed[child_index] {
                            lowest[index] = lowest[index].min(number[child_index]);
                        }
                    }
                    if descend.is_some() {
                        break;
                    }
                    *rule += 1;
                    *literal = 0;
                }
                if let Some(child) = descend {
                    path.push((child, 0, 0));
                    continue;
                }
                let finished = *atom;
                path.pop();
                if lowest[index] == number[index] {
                    let from = stack.iter().rposition(|&member| member == finished).unwrap_or(0);
                    let group = stack.split_off(from);
                    group.iter().for_each(|&member| closed[(member - self.first_derived) as usize] = true);
                    groups.push(group);
                }
                if let Some((parent, _, _)) = path.last() {
                    let parent = (*parent - self.first_derived) as usize;
                    lowest[parent] = lowest[parent].min(lowest[index]);
                }
            }
        }
        groups
    }
}

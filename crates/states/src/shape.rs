//! What is known of a function before it is executed.

use ir::{Cfa, Function, Liveness, LocalId, NodeId, Type};

pub struct Shape<'p> {
    pub cfa: &'p Cfa,
    /// By local; None if it lies in memory.
    pub types: Vec<Option<Type>>,
    /// By node: states are kept here. Every circle has such a node.
    pub is_head: Vec<bool>,
    live: Liveness,
}

impl<'p> Shape<'p> {
    pub fn of(function: &'p Function) -> Option<Shape<'p>> {
        let cfa = function.cfa()?;
        let types = function.locals.iter().map(|local| local.storage.register());
        Some(Shape { cfa, types: types.collect(), is_head: heads(cfa), live: Liveness::of(cfa) })
    }

    /// May a register still be read, behind a node?
    pub fn is_live(&self, node: NodeId, local: LocalId) -> bool {
        self.live.at(node).contains(&local)
    }
}

/// The nodes that a depth-first walk comes back to: without them there are no circles, also where loops have
/// several entries.
fn heads(cfa: &Cfa) -> Vec<bool> {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Open,
        Done,
    }
    let mut marks = vec![Mark::New; cfa.node_count() as usize];
    let mut heads = vec![false; cfa.node_count() as usize];
    let mut stack = vec![(cfa.entry, 0)];
    marks[cfa.entry.0 as usize] = Mark::Open;
    while let Some((node, next)) = stack.last_mut() {
        let Some(edge) = cfa.out(*node).get(*next) else {
            marks[node.0 as usize] = Mark::Done;
            stack.pop();
            continue;
        };
        *next += 1;
        match marks[edge.to.0 as usize] {
            Mark::New => {
                marks[edge.to.0 as usize] = Mark::Open;
                stack.push((edge.to, 0));
            }
            Mark::Open => heads[edge.to.0 as usize] = true,
            Mark::Done => {}
        }
    }
    heads
}

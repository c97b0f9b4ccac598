//! Executions up to a bound: every loop makes so many rounds at most each time it is entered.
//!
//! As in a block, paths that meet again are merged, but loops have no cut points: a place is a node and the
//! number of the round of each loop around it. Places are taken in an order in which everything that leads to
//! one comes before it: the head of a loop stands, among the nodes outside, for all that happens in the loop,
//! and a round comes before the next. What the bound leaves out, and what is called without being inlined, is
//! cut off: whatever is found is a real execution.

use crate::block::{Block, Calls, Ends, Path, Paths, Treatment, arrive, ended, step};
use crate::expr::Encoder;
use crate::mode::Unsupported;
use crate::state::State;
use base::Budget;
use ir::{Callee, Cfa, LoopForest, LoopId, NodeId, Op};
use std::collections::{BTreeMap, BTreeSet};

/// All executions within the bound, as segments that end.
pub struct Unwound {
    pub block: Block,
    /// Some executions are left out.
    pub cut: bool,
}

/// Edges that are executed at most.
const MOST_STEPS: usize = 20_000;

/// For each loop around a node, from the outermost: its head's place in the order, and the round. Then the
/// node's place.
type Key = Vec<u32>;

struct Order<'a> {
    loops: &'a LoopForest,
    /// By node: the place in reverse postorder.
    place: Vec<u32>,
}

impl Order<'_> {
    fn around(&self, node: NodeId) -> Vec<LoopId> {
        let mut list = Vec::new();
        let mut next = self.loops.innermost(node);
        while let Some(id) = next {
            list.push(id);
            next = self.loops.get(id).parent;
        }
        list.reverse();
        list
    }

    fn place(&self, node: NodeId) -> u32 {
        self.place.get(node.0 as usize).copied().unwrap_or(u32::MAX)
    }

    /// Where an edge from `from` (at `key`) to `to` leads; None if that is one round too many.
    fn next(&self, from: NodeId, key: &Key, to: NodeId, bound: u32) -> Option<Key> {
        let left = self.around(from);
        let mut next = Key::new();
        for (depth, id) in self.around(to).into_iter().enumerate() {
            let head = self.loops.get(id).header;
            let round = match left.get(depth) {
                Some(same) if *same == id => key[2 * depth + 1] + u32::from(head == to),
                _ => 1,
            };
            if round > bound {
                return None;
            }
            next.extend([self.place(head), round]);
        }
        next.push(self.place(to));
        Some(next)
    }
}

/// Executes from the entry in the state `state`, `bound` rounds of each loop at most.
pub fn unwind(
    encoder: &mut Encoder,
    cfa: &Cfa,
    loops: &LoopForest,
    state: &State,
    calls: &dyn Calls,
    bound: u32,
    budget: &Budget,
) -> Result<Unwound, Unsupported> {
    if loops.loops().iter().any(|l| l.irreducible) {
        return Err(Unsupported("a loop that is entered in several places".to_owned()));
    }
    let mut place = vec![u32::MAX; cfa.node_count() as usize];
    for (i, node) in ir::transform::reverse_post_order(cfa).into_iter().enumerate() {
        place[node.0 as usize] = i as u32;
    }
    let order = Order { loops, place };
    encoder.start(state);
    let first = Path { guard: BTreeSet::new(), state: state.clone(), calls: Vec::new() };
    let mut arrived: BTreeMap<Key, (NodeId, Paths)> = BTreeMap::new();
    // As if an edge from outside led to the entry.
    let start = order.around(cfa.entry).into_iter().flat_map(|id| [order.place(loops.get(id).header), 1]);
    let start: Key = start.chain([order.place(cfa.entry)]).collect();
    arrived.insert(start, (cfa.entry, Paths::from([(Vec::new(), first)])));
    let (mut ends, mut cut, mut taken) = (Ends::new(), false, 0);
    while let Some((key, (node, paths))) = arrived.pop_first() {
        for (sites, path) in paths {
            for id in cfa.out_ids(node) {
                let edge = cfa.edge(id);
                let summary = match &edge.op {
                    Op::Call { callee: Callee::Direct(g), .. } => {
                        encoder.program.function(*g).cfa().is_some()
                            && calls.treat(id, *g) == Treatment::Summary
                    }
                    _ => false,
                };
                if summary {
                    cut = true;
                    continue;
                }
                taken += 1;
                if taken > MOST_STEPS {
                    return Err(Unsupported("more steps than can be unwound".to_owned()));
                }
                budget.check(0).map_err(|stop| Unsupported(stop.to_string()))?;
                let next = step(encoder, cfa, id, path.clone(), sites.clone(), calls, &mut ends)?;
                let Some((sites, path)) = next else { continue };
                match order.next(node, &key, edge.to, bound) {
                    Some(key) => {
                        let place = arrived.entry(key).or_insert_with(|| (edge.to, Paths::new()));
                        arrive(&mut place.1, sites, path);
                    }
                    None => cut = true,
                }
            }
        }
    }
    encoder.enter(&BTreeSet::new());
    let facts = logic::Term::all(encoder.facts.drain(..));
    Ok(Unwound { block: Block { segments: ended(ends).collect(), facts }, cut })
}

//! Loops at another speed, or cut in pieces: copies of a loop's body, chained in different ways.
//!
//! A path of the result, read through the origins, is a path of the input and the other way round: a copy has
//! all edges of the original, and an edge leads to a copy of the node that the original leads to. Only the
//! test that [`split`] adds is new; it has no effect and cannot fault.

use super::graph::Graph;
use super::unset::Paths;
use super::{MAX_NODES, Origin, TransformError, Transformed};
use crate::cfa::{Cfa, Edge, NodeId, Op};
use crate::expr::{Expr, ExprKind};
use crate::loops::{LoopForest, LoopId};
use crate::program::{Function, LocalId, Storage};
use crate::types::Type;

/// The function as it is, in reverse post order and without nodes that nothing reaches. An error if a loop
/// anywhere in it can be entered past its head.
pub fn normalize(function: &Function) -> Result<Transformed, TransformError> {
    let cfa = body(function)?;
    if let Some(l) = LoopForest::of(cfa).loops().iter().find(|l| l.irreducible) {
        return Err(TransformError::Irreducible(l.header));
    }
    let mut graph = Graph::with_nodes_of(cfa);
    for (id, edge) in (0..).map(crate::cfa::EdgeId).zip(cfa.edges()) {
        graph.edge(edge.clone(), Origin::Own(id));
    }
    Ok(graph.finish(function.clone(), own_locals(function), &[]))
}

/// `factor` copies of the body of the loop with this head, one after the other; only the first one's head is
/// the head of a loop then.
pub fn unroll(function: &Function, head: NodeId, factor: u32) -> Result<Transformed, TransformError> {
    if factor == 0 {
        return Err(TransformError::NoCopies);
    }
    let copies = Copies::of(function, head, factor)?;
    let graph = copies.graph(|copy| (copy + 1) % factor);
    Ok(graph.finish(function.clone(), own_locals(function), &[head]))
}

/// `times` copies of the body before the loop.
pub fn peel(function: &Function, head: NodeId, times: u32) -> Result<Transformed, TransformError> {
    let copies = Copies::of(function, head, times.checked_add(1).ok_or(TransformError::TooLarge)?)?;
    let graph = copies.graph(|copy| (copy + 1).min(times));
    let loop_head = copies.place(times, head);
    Ok(graph.finish(function.clone(), own_locals(function), &[loop_head]))
}

/// Two loops in a row with the same body. Whenever the first one is at its head and `cond` does not hold, the
/// second one takes over for good.
///
/// `cond` is over registers (and addresses of variables) and cannot fault. Globals that it mentions are not
/// checked here: they have to be variables of the program, used as what they are.
pub fn split(function: &Function, head: NodeId, cond: Expr) -> Result<Transformed, TransformError> {
    let copies = Copies::of(function, head, 2)?;
    check_condition(function, copies.cfa, head, &cond)?;
    let test = NodeId(copies.end());
    // The first loop is entered, and comes round, at the test.
    let mut graph = copies.graph_with(|copy| copy, Some(test));
    let pos = copies.cfa.out(head).first().map(|edge| edge.pos).unwrap_or_default();
    let second = copies.place(1, head);
    for (holds, to) in [(true, head), (false, second)] {
        let op = Op::Assume { cond: cond.clone(), holds };
        graph.edge(Edge { from: test, to, op, pos }, Origin::Made);
    }
    Ok(graph.finish(function.clone(), own_locals(function), &[test, second]))
}

pub(super) fn body(function: &Function) -> Result<&Cfa, TransformError> {
    function.cfa().ok_or_else(|| TransformError::Undefined(function.name.clone()))
}

pub(super) fn own_locals(function: &Function) -> Vec<Origin<LocalId>> {
    (0..function.locals.len() as u32).map(|i| Origin::Own(LocalId(i))).collect()
}

/// The copies of a loop's nodes: the first one has the ids of the input, the others follow after all of them.
struct Copies<'a> {
    cfa: &'a Cfa,
    forest: LoopForest,
    id: LoopId,
    head: NodeId,
    copies: u32,
    /// By node of the loop: its place in the body.
    place: Vec<u32>,
}

impl<'a> Copies<'a> {
    fn of(function: &'a Function, head: NodeId, copies: u32) -> Result<Copies<'a>, TransformError> {
        let cfa = body(function)?;
        let forest = LoopForest::of(cfa);
        let id = forest.headed_by(head).ok_or(TransformError::NoLoop(head))?;
        if forest.get(id).irreducible {
            return Err(TransformError::Irreducible(head));
        }
        let size = forest.body(id).len() as u64;
        // One more for the test of a split.
        if u64::from(cfa.node_count()) + size * u64::from(copies - 1) >= u64::from(MAX_NODES) {
            return Err(TransformError::TooLarge);
        }
        let mut place = vec![0; cfa.node_count() as usize];
        for (i, node) in (0..).zip(forest.body(id)) {
            place[node.0 as usize] = i;
        }
        Ok(Copies { cfa, forest, id, head, copies, place })
    }

    fn place(&self, copy: u32, node: NodeId) -> NodeId {
        match copy {
            0 => node,
            _ => NodeId(self.cfa.node_count() + (copy - 1) * self.body_size() + self.place[node.0 as usize]),
        }
    }

    fn body_size(&self) -> u32 {
        self.forest.body(self.id).len() as u32
    }

    /// How many nodes there are with all copies.
    fn end(&self) -> u32 {
        self.cfa.node_count() + (self.copies - 1) * self.body_size()
    }

    fn graph(&self, after: impl Fn(u32) -> u32) -> Graph {
        self.graph_with(after, None)
    }

    /// Back edges of a copy lead to the head of the copy `after` it; `gate` stands before the head of the
    /// first one.
    fn graph_with(&self, after: impl Fn(u32) -> u32, gate: Option<NodeId>) -> Graph {
        let mut graph = Graph::with_nodes_of(self.cfa);
        for _ in 1..self.copies {
            for &node in self.forest.body(self.id) {
                graph.node(Origin::Own(node));
            }
        }
        let first_head = gate.unwrap_or(self.head);
        if gate.is_some() {
            graph.node(Origin::Own(self.head));
            if graph.entry == self.head {
                graph.entry = first_head;
            }
        }
        let inside = |node| self.forest.contains(self.id, node);
        for (id, edge) in (0..).map(crate::cfa::EdgeId).zip(self.cfa.edges()) {
            let copies = if inside(edge.from) { self.copies } else { 1 };
            for copy in 0..copies {
                // Whatever comes from outside comes to the first copy.
                let next = if inside(edge.from) { after(copy) } else { 0 };
                let to = match edge.to {
                    to if to == self.head && next == 0 => first_head,
                    to if to == self.head => self.place(next, to),
                    to if inside(to) && inside(edge.from) => self.place(copy, to),
                    to => to,
                };
                graph.edge(Edge { from: self.place(copy, edge.from), to, ..edge.clone() }, Origin::Own(id));
            }
        }
        graph
    }
}

fn check_condition(function: &Function, cfa: &Cfa, head: NodeId, cond: &Expr) -> Result<(), TransformError> {
    if cond.ty != Type::Bool {
        return Err(TransformError::NotACondition);
    }
    let mut pure = !cond.may_fault();
    let mut read: Vec<(LocalId, Type)> = Vec::new();
    let mut addressed: Vec<LocalId> = Vec::new();
    cond.walk(&mut |e| match e.kind {
        ExprKind::Local(id) => read.push((id, e.ty)),
        ExprKind::AddrLocal(id) => addressed.push(id),
        ExprKind::Load(_)
        | ExprKind::VarArgs
        | ExprKind::Valid { .. }
        | ExprKind::Freeable(_)
        | ExprKind::HeapKept { .. }
        | ExprKind::ObjectSize(_) => pure = false,
        _ => {}
    });
    if !pure {
        return Err(TransformError::NotPure);
    }
    let storage = |id: LocalId| function.locals.get(id.0 as usize).map(|local| local.storage);
    for id in addressed {
        if !matches!(storage(id), Some(Storage::Memory { .. })) {
            return Err(TransformError::NotHere(id));
        }
    }
    read.sort();
    read.dedup();
    let mut paths = Paths::of(function, cfa);
    for (id, ty) in read {
        match function.locals.get(id.0 as usize) {
            Some(local) if local.storage == Storage::Register(ty) => {
                if paths.may_be_unset(id, vec![head]) {
                    return Err(TransformError::Unset(local.name.clone()));
                }
            }
            _ => return Err(TransformError::NotHere(id)),
        }
    }
    Ok(())
}

//! Builds one control-flow automaton: emits operations from a current node, then removes empty steps and dead
//! nodes and numbers what is left in depth-first order, so that the result does not depend on how it was
//! built.

use ir::{Cfa, Edge, Expr, NodeId, Op, Pos};

pub struct CfaBuilder {
    edges: Vec<Edge>,
    nodes: u32,
    /// None in code that cannot be reached.
    current: Option<NodeId>,
    /// The end of what comes before the body.
    front: NodeId,
    pub pos: Pos,
}

impl CfaBuilder {
    pub const ENTRY: NodeId = NodeId(0);
    pub const EXIT: NodeId = NodeId(1);
    const BODY: NodeId = NodeId(2);

    pub fn new() -> Self {
        CfaBuilder {
            edges: vec![],
            nodes: 3,
            current: Some(Self::BODY),
            front: Self::ENTRY,
            pos: Pos::default(),
        }
    }

    pub fn node(&mut self) -> NodeId {
        self.nodes += 1;
        NodeId(self.nodes - 1)
    }

    pub fn reachable(&self) -> bool {
        self.current.is_some()
    }

    pub fn current(&self) -> Option<NodeId> {
        self.current
    }

    /// Goes on at `node`.
    pub fn start(&mut self, node: impl Into<Option<NodeId>>) {
        self.current = node.into();
    }

    fn edge(&mut self, from: NodeId, to: NodeId, op: Op) {
        self.edges.push(Edge { from, to, op, pos: self.pos });
    }

    /// Adds an operation; does nothing in unreachable code.
    pub fn emit(&mut self, op: Op) {
        if let Some(from) = self.current {
            let to = self.node();
            self.edge(from, to, op);
            self.current = Some(to);
        }
    }

    /// Adds an operation that leads to the exit; what follows is unreachable.
    pub fn leave(&mut self, op: Op) {
        if let Some(from) = self.current.take() {
            self.edge(from, Self::EXIT, op);
        }
    }

    /// Ends the current path at `to`.
    pub fn jump(&mut self, to: NodeId) {
        if let Some(from) = self.current.take() {
            self.edge(from, to, Op::Skip);
        }
    }

    /// Ends the current path with a branch; constants choose at once.
    pub fn branch(&mut self, cond: Expr, then: NodeId, otherwise: NodeId) {
        if cond.is_true() {
            return self.jump(then);
        }
        if cond.is_false() {
            return self.jump(otherwise);
        }
        if let Some(from) = self.current.take() {
            // `!c` branches as `c` with the arms exchanged.
            let (cond, then, otherwise) = match cond.kind {
                ir::ExprKind::Unary(ir::UnOp::Not, inner) => (*inner, otherwise, then),
                _ => (cond, then, otherwise),
            };
            self.edge(from, then, Op::Assume { cond: cond.clone(), holds: true });
            self.edge(from, otherwise, Op::Assume { cond, holds: false });
        }
    }

    /// Does anything so far look at this register?
    pub fn reads(&self, local: ir::LocalId) -> bool {
        let mut found = false;
        let mut look = |e: &Expr| found |= e.kind == ir::ExprKind::Local(local);
        self.edges.iter().flat_map(|edge| edge.op.exprs()).for_each(|e| e.walk(&mut look));
        found
    }

    /// Puts operations in front of everything.
    pub fn prepend(&mut self, ops: Vec<Op>) {
        let mut from = self.front;
        for op in ops {
            let to = self.node();
            self.edges.push(Edge { from, to, op, pos: Pos::default() });
            from = to;
        }
        self.front = from;
    }

    pub fn finish(mut self, locals: &[ir::Local]) -> Cfa {
        self.edge(self.front, Self::BODY, Op::Skip);
        super::tidy::remove_dead(&mut self.edges, self.nodes, locals);
        let count = self.nodes as usize;
        let mut out: Vec<Vec<u32>> = vec![Vec::new(); count];
        for (i, e) in self.edges.iter().enumerate() {
            out[e.from.0 as usize].push(i as u32);
        }
        let forward = self.forwarding(&out);

        // Number the reachable nodes in depth-first preorder; the entry stays free of incoming edges.
        let mut number = vec![u32::MAX; count];
        let mut order: Vec<NodeId> = Vec::new();
        let entry = forward[0];
        let mut stack = vec![entry];
        while let Some(node) = stack.pop() {
            if number[node.0 as usize] != u32::MAX {
                continue;
            }
            number[node.0 as usize] = order.len() as u32;
            order.push(node);
            for &i in out[node.0 as usize].iter().rev() {
                stack.push(forward[self.edges[i as usize].to.0 as usize]);
            }
        }
        let entered = |n: NodeId| {
            order.iter().any(|m| {
                out[m.0 as usize].iter().any(|&i| forward[self.edges[i as usize].to.0 as usize] == n)
            })
        };
        let needs_entry = entered(entry) || entry == Self::EXIT;
        let shift = u32::from(needs_entry);
        if number[Self::EXIT.0 as usize] == u32::MAX {
            number[Self::EXIT.0 as usize] = order.len() as u32;
            order.push(Self::EXIT);
        }

        let mut edges = Vec::with_capacity(self.edges.len());
        if needs_entry {
            edges.push(Edge { from: NodeId(0), to: NodeId(shift), op: Op::Skip, pos: Pos::default() });
        }
        let mut taken: Vec<Option<Edge>> = self.edges.into_iter().map(Some).collect();
        for &node in &order {
            for &i in &out[node.0 as usize] {
                if let Some(mut e) = taken[i as usize].take() {
                    e.from = NodeId(number[node.0 as usize] + shift);
                    e.to = NodeId(number[forward[e.to.0 as usize].0 as usize] + shift);
                    edges.push(e);
                }
            }
        }
        let exit = NodeId(number[Self::EXIT.0 as usize] + shift);
        let count = order.len() as u32 + shift;
        super::tidy::order_declarations(&mut edges, count);
        Cfa::new(count, NodeId(0), exit, edges)
    }

    /// Where each node's only `Skip` leads, transitively. A cycle of nothing but `Skip` keeps one node.
    fn forwarding(&self, out: &[Vec<u32>]) -> Vec<NodeId> {
        let next = |n: NodeId| match out[n.0 as usize][..] {
            [i] if self.edges[i as usize].op == Op::Skip && self.edges[i as usize].to != n => {
                Some(self.edges[i as usize].to)
            }
            _ => None,
        };
        let mut forward: Vec<Option<NodeId>> = vec![None; out.len()];
        let mut path = Vec::new();
        let mut on_path = vec![false; out.len()];
        for start in 0..out.len() as u32 {
            let mut node = NodeId(start);
            let end = loop {
                if let Some(end) = forward[node.0 as usize] {
                    break end;
                }
                if on_path[node.0 as usize] {
                    break node;
                }
                on_path[node.0 as usize] = true;
                path.push(node);
                match next(node) {
                    Some(to) => node = to,
                    None => break node,
                }
            };
            for node in path.drain(..) {
                forward[node.0 as usize] = Some(end);
                on_path[node.0 as usize] = false;
            }
        }
        forward.into_iter().enumerate().map(|(i, f)| f.unwrap_or(NodeId(i as u32))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_loops_survive_and_dead_code_goes() {
        let mut b = CfaBuilder::new();
        let head = b.node();
        b.jump(head);
        b.start(head);
        let other = b.node();
        b.jump(other);
        b.start(other);
        b.jump(head);
        assert!(!b.reachable());
        b.emit(Op::Skip);
        let cfa = b.finish(&[]);
        // entry -> loop; loop -> itself; exit.
        assert_eq!(cfa.node_count(), 3);
        assert_eq!(cfa.edges().len(), 2);
        assert_eq!(cfa.out(cfa.edges()[0].to)[0].to, cfa.edges()[0].to);
    }
}

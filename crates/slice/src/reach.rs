//! What the entry can run: functions, the calls between them, and in each function the nodes.
//!
//! A function that is only called through pointers runs if its address is taken in code that runs (or in an
//! initialiser). Nodes behind an edge that nothing passes are not reached: a check of `false`, or a call of
//! what never returns.
//!
//! Most of a driver is never run, so nothing is looked at before something that runs leads there.

use crate::explore::{self, Explorer, passable};
use ir::graph::reachable;
use ir::{Callee, Cfa, EdgeId, FuncId, NodeId, Op, Program, pointees};

pub struct Reach {
    pub entry: FuncId,
    /// By function; none if it has no body or never runs.
    bodies: Vec<Option<Body>>,
    /// The functions that have a body and run, ascending.
    functions: Vec<FuncId>,
    /// By function: the calls that may run it, in functions that run.
    callers: Vec<Vec<(FuncId, EdgeId)>>,
}

struct Body {
    /// The calls are by edge, ascending.
    explored: explore::Body,
    /// `entering[first[n]..first[n + 1]]` enter node `n`.
    first: Vec<u32>,
    entering: Vec<EdgeId>,
    /// By node: may the function still return?
    returns: Vec<bool>,
}

impl Reach {
    pub fn of(program: &Program, entry: FuncId) -> Reach {
        let mut explorer = Explorer::new(program);
        explorer.explore(entry);
        let mut named = None;
        let mut seen = vec![false; program.functions.len()];
        let mut functions = Vec::new();
        let mut work = vec![entry];
        while let Some(f) = work.pop() {
            let Some(cfa) = program.function(f).cfa() else { continue };
            if std::mem::replace(&mut seen[f.0 as usize], true) {
                continue;
            }
            functions.push(f);
            let Some(body) = explorer.explore(f) else { continue };
            let through_pointers = body.calls.iter().any(|(id, _)| is_indirect(cfa, *id));
            body.calls.iter().filter(|(id, _)| !is_indirect(cfa, *id)).for_each(|(_, g)| work.extend(g));
            if through_pointers {
                let named = named.get_or_insert_with(|| self::named(program, entry, &mut explorer));
                let Some(body) = explorer.explore(f) else { continue };
                let targets = body.calls.iter().filter(|(id, _)| is_indirect(cfa, *id));
                work.extend(targets.flat_map(|(_, g)| g).filter(|g| named[g.0 as usize]));
            }
        }
        functions.sort_unstable();
        Reach::new(program, entry, functions, explorer.finish(), named.as_deref())
    }

    fn new(
        program: &Program,
        entry: FuncId,
        functions: Vec<FuncId>,
        mut explored: Vec<Option<explore::Body>>,
        named: Option<&[bool]>,
    ) -> Reach {
        let count = program.functions.len();
        let mut bodies: Vec<Option<Body>> = (0..count).map(|_| None).collect();
        let mut callers = vec![Vec::new(); count];
        for &f in &functions {
            let Some(cfa) = program.function(f).cfa() else { continue };
            let Some(mut body) = explored[f.0 as usize].take() else { continue };
            body.calls.sort_unstable_by_key(|call| call.0);
            for (id, targets) in &mut body.calls {
                if let (true, Some(named)) = (is_indirect(cfa, *id), named) {
                    targets.retain(|g| named[g.0 as usize]);
                }
                targets.iter().for_each(|g| callers[g.0 as usize].push((f, *id)));
            }
            bodies[f.0 as usize] = Some(Body::index(body, cfa));
        }
        Reach { entry, bodies, functions, callers }
    }

    /// The functions with bodies that may run, ascending.
    pub fn functions(&self) -> impl Iterator<Item = FuncId> + use<'_> {
        self.functions.iter().copied()
    }

    /// Does this function have a body that may run?
    pub fn runs(&self, f: FuncId) -> bool {
        self.bodies.get(f.0 as usize).is_some_and(|body| body.is_some())
    }

    pub fn node(&self, f: FuncId, node: NodeId) -> bool {
        self.body(f).is_some_and(|body| body.explored.nodes[node.0 as usize])
    }

    /// Can an execution get past this edge?
    pub fn passes(&self, f: FuncId, edge: EdgeId) -> bool {
        self.body(f).is_some_and(|body| body.explored.passes[edge.0 as usize])
    }

    /// The edges into a node that executions may take.
    pub fn entering(&self, f: FuncId, node: NodeId) -> &[EdgeId] {
        self.body(f).map_or(&[], |body| body.entering(node))
    }

    /// The calls of a function, by edge.
    pub fn calls(&self, f: FuncId) -> &[(EdgeId, Vec<FuncId>)] {
        self.body(f).map_or(&[], |body| &body.explored.calls)
    }

    /// What a call may run.
    pub fn targets(&self, f: FuncId, edge: EdgeId) -> &[FuncId] {
        let calls = self.calls(f);
        calls.binary_search_by_key(&edge, |call| call.0).map_or(&[], |i| &calls[i].1)
    }

    /// May the function still return from this node?
    pub fn returns(&self, f: FuncId, node: NodeId) -> bool {
        self.body(f).is_some_and(|body| body.returns[node.0 as usize])
    }

    pub fn callers(&self, f: FuncId) -> &[(FuncId, EdgeId)] {
        &self.callers[f.0 as usize]
    }

    fn body(&self, f: FuncId) -> Option<&Body> {
        self.bodies.get(f.0 as usize)?.as_ref()
    }
}

impl Body {
    fn entering(&self, node: NodeId) -> &[EdgeId] {
        let n = node.0 as usize;
        &self.entering[self.first[n] as usize..self.first[n + 1] as usize]
    }

    fn index(explored: explore::Body, cfa: &Cfa) -> Body {
        let count = explored.nodes.len();
        let edges = || cfa.edges().iter().enumerate().filter(|(i, _)| explored.passes[*i]);
        let mut first = vec![0u32; count + 1];
        for (_, e) in edges() {
            first[e.to.0 as usize + 1] += 1;
        }
        for n in 0..count {
            first[n + 1] += first[n];
        }
        let mut next = first.clone();
        let mut entering = vec![EdgeId(0); first[count] as usize];
        for (i, e) in edges() {
            let slot = &mut next[e.to.0 as usize];
            entering[*slot as usize] = EdgeId(i as u32);
            *slot += 1;
        }
        let mut body = Body { explored, first, entering, returns: Vec::new() };
        let leaves = body.entering(cfa.exit).iter().map(|id| cfa.edge(*id));
        let leaves = leaves.filter(|edge| matches!(edge.op, Op::Return(_))).map(|edge| edge.from);
        let before = |node| body.entering(node).iter().map(|id| cfa.edge(*id).from);
        body.returns = reachable(count, leaves, before);
        body
    }
}

/// Is this node a branch of which neither side is impossible?
pub fn is_branch(cfa: &Cfa, node: NodeId) -> bool {
    let out = cfa.out(node);
    out.len() > 1 && out.iter().all(|e| passable(&e.op))
}

fn is_indirect(cfa: &Cfa, edge: EdgeId) -> bool {
    matches!(cfa.edge(edge).op, Op::Call { callee: Callee::Indirect(_), .. })
}

/// By function: is it called by name, or its address taken, in code that may run?
fn named(program: &Program, entry: FuncId, explorer: &mut Explorer) -> Vec<bool> {
    pointees::named(program, &[entry], |f| {
        let (Some(cfa), Some(body)) = (program.function(f).cfa(), explorer.explore(f)) else {
            return Vec::new();
        };
        cfa.edges().iter().filter(|edge| body.nodes[edge.from.0 as usize]).collect()
    })
}

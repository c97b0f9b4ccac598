//! What the entry can run: functions, the calls between them, and in each function the nodes.
//!
//! A function that is only called through pointers runs if its address is taken in code that runs (or in an initialiser). Nodes behind
//! an edge that nothing passes, such as a check of `false`, are not reached.

use ir::{CallGraph, Cfa, EdgeId, Expr, ExprKind, FuncId, InitValue, NodeId, Op, Program};

pub struct Reach {
    pub entry: FuncId,
    /// By function; none if it has no body or never runs.
    bodies: Vec<Option<Body>>,
    /// By function: the calls that may run it, in functions that run.
    callers: Vec<Vec<(FuncId, EdgeId)>>,
}

struct Body {
    nodes: Vec<bool>,
    /// `entering[first[n]..first[n + 1]]` enter node `n`.
    first: Vec<u32>,
    entering: Vec<EdgeId>,
    /// By edge, ascending.
    calls: Vec<(EdgeId, Vec<FuncId>)>,
}

impl Reach {
    pub fn of(program: &Program, entry: FuncId) -> Reach {
        let graph = CallGraph::of(program);
        let nodes: Vec<Option<Vec<bool>>> =
            program.functions.iter().map(|f| f.cfa().map(reached_nodes)).collect();
        let named = named(program, entry, &nodes);
        let count = program.functions.len();
        let mut reach =
            Reach { entry, bodies: (0..count).map(|_| None).collect(), callers: vec![Vec::new(); count] };
        let mut seen = vec![false; count];
        let mut work = vec![entry];
        while let Some(f) = work.pop() {
            if std::mem::replace(&mut seen[f.0 as usize], true) {
                continue;
            }
            let (Some(cfa), Some(nodes)) = (program.function(f).cfa(), &nodes[f.0 as usize]) else {
                continue;
            };
            let mut calls = Vec::new();
            for site in graph.sites(f) {
                if !nodes[cfa.edge(site.edge).from.0 as usize] {
                    continue;
                }
                let targets: Vec<FuncId> =
                    site.targets.iter().copied().filter(|g| named[g.0 as usize]).collect();
                for &g in &targets {
                    reach.callers[g.0 as usize].push((f, site.edge));
                }
                work.extend(&targets);
                calls.push((site.edge, targets));
            }
            let (first, entering) = entering(cfa, nodes);
            reach.bodies[f.0 as usize] = Some(Body { nodes: nodes.clone(), first, entering, calls });
        }
        // In the order of functions, whatever order they were found in.
        reach.callers.iter_mut().for_each(|list| list.sort());
        reach
    }

    /// The functions with bodies that may run, ascending.
    pub fn functions(&self) -> impl Iterator<Item = FuncId> + '_ {
        (0..self.bodies.len() as u32).map(FuncId).filter(|f| self.runs(*f))
    }

    /// Does this function have a body that may run?
    pub fn runs(&self, f: FuncId) -> bool {
        self.bodies.get(f.0 as usize).is_some_and(|body| body.is_some())
    }

    pub fn node(&self, f: FuncId, node: NodeId) -> bool {
        self.body(f).is_some_and(|body| body.nodes[node.0 as usize])
    }

    /// The edges into a node that executions may take.
    pub fn entering(&self, f: FuncId, node: NodeId) -> &[EdgeId] {
        let Some(body) = self.body(f) else { return &[] };
        let n = node.0 as usize;
        &body.entering[body.first[n] as usize..body.first[n + 1] as usize]
    }

    /// The calls of a function, by edge.
    pub fn calls(&self, f: FuncId) -> &[(EdgeId, Vec<FuncId>)] {
        self.body(f).map_or(&[], |body| &body.calls)
    }

    /// What a call may run.
    pub fn targets(&self, f: FuncId, edge: EdgeId) -> &[FuncId] {
        let calls = self.calls(f);
        calls.binary_search_by_key(&edge, |call| call.0).map_or(&[], |i| &calls[i].1)
    }

    pub fn callers(&self, f: FuncId) -> &[(FuncId, EdgeId)] {
        &self.callers[f.0 as usize]
    }

    fn body(&self, f: FuncId) -> Option<&Body> {
        self.bodies.get(f.0 as usize)?.as_ref()
    }
}

/// Is this node a branch of which neither side is impossible?
pub fn is_branch(cfa: &Cfa, node: NodeId) -> bool {
    let out = cfa.out(node);
    out.len() > 1 && out.iter().all(|e| passable(&e.op))
}

/// Can an execution get past this operation, as far as its text says?
pub fn passable(op: &Op) -> bool {
    match op {
        Op::Check { cond, .. } => !cond.is_false(),
        Op::Assume { cond, holds: true } => !cond.is_false(),
        Op::Assume { cond, holds: false } => !cond.is_true(),
        _ => true,
    }
}

fn reached_nodes(cfa: &Cfa) -> Vec<bool> {
    let mut reached = vec![false; cfa.node_count() as usize];
    let mut work = vec![cfa.entry];
    while let Some(node) = work.pop() {
        if !std::mem::replace(&mut reached[node.0 as usize], true) {
            work.extend(cfa.out(node).iter().filter(|e| passable(&e.op)).map(|e| e.to));
        }
    }
    reached
}

fn entering(cfa: &Cfa, nodes: &[bool]) -> (Vec<u32>, Vec<EdgeId>) {
    let taken = |e: &ir::Edge| nodes[e.from.0 as usize] && passable(&e.op);
    let mut first = vec![0u32; nodes.len() + 1];
    for e in cfa.edges().iter().filter(|e| taken(e)) {
        first[e.to.0 as usize + 1] += 1;
    }
    for n in 0..nodes.len() {
        first[n + 1] += first[n];
    }
    let mut next = first.clone();
    let mut entering = vec![EdgeId(0); first[nodes.len()] as usize];
    for (i, e) in cfa.edges().iter().enumerate().filter(|(_, e)| taken(e)) {
        let slot = &mut next[e.to.0 as usize];
        entering[*slot as usize] = EdgeId(i as u32);
        *slot += 1;
    }
    (first, entering)
}

/// The functions that are called by name, or whose address is taken, in code that may run.
fn named(program: &Program, entry: FuncId, nodes: &[Option<Vec<bool>>]) -> Vec<bool> {
    let mut named = vec![false; program.functions.len()];
    let mut work = vec![entry];
    let taken = |e: &Expr, work: &mut Vec<FuncId>| {
        e.walk(&mut |e| {
            if let ExprKind::AddrFunc(id) = e.kind {
                work.push(id);
            }
        });
    };
    for item in program.globals.iter().flat_map(|g| &g.init).flat_map(|init| &init.items) {
        if let InitValue::Scalar(e) = &item.value {
            taken(e, &mut work);
        }
    }
    while let Some(f) = work.pop() {
        let Some(slot) = named.get_mut(f.0 as usize) else { continue };
        if std::mem::replace(slot, true) {
            continue;
        }
        let (Some(cfa), Some(nodes)) = (program.function(f).cfa(), &nodes[f.0 as usize]) else { continue };
        for edge in cfa.edges().iter().filter(|e| nodes[e.from.0 as usize]) {
            if let Op::Call { callee: ir::Callee::Direct(id), .. } = edge.op {
                work.push(id);
            }
            edge.op.exprs().into_iter().for_each(|e| taken(e, &mut work));
        }
    }
    named
}

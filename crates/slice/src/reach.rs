//! What the entry can run: functions, the calls between them, and in each function the nodes.
//!
//! A function that is only called through pointers runs if its address is taken in code that runs (or in an initialiser). Nodes behind
//! an edge that nothing passes are not reached: a check of `false`, or a call of what never returns.

use ir::{CallGraph, Cfa, EdgeId, Expr, ExprKind, FuncId, InitValue, NodeId, Op, Program};

pub struct Reach {
    pub entry: FuncId,
    /// By function; none if it has no body or never runs.
    bodies: Vec<Option<Body>>,
    /// By function: the calls that may run it, in functions that run.
    callers: Vec<Vec<(FuncId, EdgeId)>>,
}

#[derive(Default)]
struct Body {
    nodes: Vec<bool>,
    /// By edge: can an execution get past it?
    passes: Vec<bool>,
    /// `entering[first[n]..first[n + 1]]` enter node `n`.
    first: Vec<u32>,
    entering: Vec<EdgeId>,
    /// By edge, ascending.
    calls: Vec<(EdgeId, Vec<FuncId>)>,
}

impl Reach {
    pub fn of(program: &Program, entry: FuncId) -> Reach {
        let graph = CallGraph::of(program);
        let mut explored = Explorer::explore(program, &graph);
        let named = named(program, entry, &explored);
        let count = program.functions.len();
        let mut reach =
            Reach { entry, bodies: (0..count).map(|_| None).collect(), callers: vec![Vec::new(); count] };
        let mut seen = vec![false; count];
        let mut work = vec![entry];
        while let Some(f) = work.pop() {
            if std::mem::replace(&mut seen[f.0 as usize], true) {
                continue;
            }
            let Some(cfa) = program.function(f).cfa() else { continue };
            let mut body = std::mem::take(&mut explored[f.0 as usize]);
            for site in graph.sites(f) {
                if !body.nodes[cfa.edge(site.edge).from.0 as usize] {
                    continue;
                }
                let targets: Vec<FuncId> =
                    site.targets.iter().copied().filter(|g| named[g.0 as usize]).collect();
                for &g in &targets {
                    reach.callers[g.0 as usize].push((f, site.edge));
                }
                work.extend(&targets);
                body.calls.push((site.edge, targets));
            }
            body.index(cfa);
            reach.bodies[f.0 as usize] = Some(body);
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

    /// Can an execution get past this edge?
    pub fn passes(&self, f: FuncId, edge: EdgeId) -> bool {
        self.body(f).is_some_and(|body| body.passes[edge.0 as usize])
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

impl Body {
    fn index(&mut self, cfa: &Cfa) {
        let edges = || cfa.edges().iter().enumerate().filter(|(i, _)| self.passes[*i]);
        let mut first = vec![0u32; self.nodes.len() + 1];
        for (_, e) in edges() {
            first[e.to.0 as usize + 1] += 1;
        }
        for n in 0..self.nodes.len() {
            first[n + 1] += first[n];
        }
        let mut next = first.clone();
        let mut entering = vec![EdgeId(0); first[self.nodes.len()] as usize];
        for (i, e) in edges() {
            let slot = &mut next[e.to.0 as usize];
            entering[*slot as usize] = EdgeId(i as u32);
            *slot += 1;
        }
        (self.first, self.entering) = (first, entering);
    }
}

/// Is this node a branch of which neither side is impossible?
pub fn is_branch(cfa: &Cfa, node: NodeId) -> bool {
    let out = cfa.out(node);
    out.len() > 1 && out.iter().all(|e| passable(&e.op))
}

/// Can an execution get past this operation, as far as its text says?
fn passable(op: &Op) -> bool {
    match op {
        Op::Check { cond, .. } => !cond.is_false(),
        Op::Assume { cond, holds: true } => !cond.is_false(),
        Op::Assume { cond, holds: false } => !cond.is_true(),
        _ => true,
    }
}

/// Walks all functions from their entries at once; a walk stops at a call until it is known that what is called may return.
struct Explorer<'a> {
    program: &'a Program,
    graph: &'a CallGraph,
    bodies: Vec<Body>,
    returns: Vec<bool>,
    /// By function: the calls that wait for it to return.
    waiting: Vec<Vec<(FuncId, EdgeId)>>,
    work: Vec<(FuncId, NodeId)>,
}

impl Explorer<'_> {
    fn explore(program: &Program, graph: &CallGraph) -> Vec<Body> {
        let body = |f: &ir::Function| match f.cfa() {
            Some(cfa) => Body {
                nodes: vec![false; cfa.node_count() as usize],
                passes: vec![false; cfa.edges().len()],
                ..Body::default()
            },
            None => Body::default(),
        };
        let mut explorer = Explorer {
            program,
            graph,
            bodies: program.functions.iter().map(body).collect(),
            returns: program.functions.iter().map(|f| f.cfa().is_none()).collect(),
            waiting: vec![Vec::new(); program.functions.len()],
            work: Vec::new(),
        };
        for f in program.function_ids() {
            if let Some(cfa) = program.function(f).cfa() {
                explorer.visit(f, cfa.entry);
            }
        }
        while let Some((f, node)) = explorer.work.pop() {
            explorer.leave(f, node);
        }
        explorer.bodies
    }

    fn visit(&mut self, f: FuncId, node: NodeId) {
        if !std::mem::replace(&mut self.bodies[f.0 as usize].nodes[node.0 as usize], true) {
            self.work.push((f, node));
        }
    }

    fn leave(&mut self, f: FuncId, node: NodeId) {
        let Some(cfa) = self.program.function(f).cfa() else { return };
        for (id, edge) in cfa.out_ids(node).zip(cfa.out(node)) {
            let targets = self.graph.site(f, id).map_or(&[][..], |site| &site.targets);
            // A call through a pointer that nothing is known of counts as one that may return.
            if !targets.is_empty() && !targets.iter().any(|g| self.returns[g.0 as usize]) {
                targets.iter().for_each(|g| self.waiting[g.0 as usize].push((f, id)));
            } else if passable(&edge.op) {
                self.pass(f, id);
            }
        }
    }

    fn pass(&mut self, f: FuncId, id: EdgeId) {
        let Some(edge) = self.program.function(f).cfa().map(|cfa| cfa.edge(id)) else { return };
        self.bodies[f.0 as usize].passes[id.0 as usize] = true;
        self.visit(f, edge.to);
        if matches!(edge.op, Op::Return(_)) && !std::mem::replace(&mut self.returns[f.0 as usize], true) {
            for (caller, call) in std::mem::take(&mut self.waiting[f.0 as usize]) {
                self.pass(caller, call);
            }
        }
    }
}

/// The functions that are called by name, or whose address is taken, in code that may run.
fn named(program: &Program, entry: FuncId, explored: &[Body]) -> Vec<bool> {
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
        let Some(cfa) = program.function(f).cfa() else { continue };
        for edge in cfa.edges().iter().filter(|e| explored[f.0 as usize].nodes[e.from.0 as usize]) {
            if let Op::Call { callee: ir::Callee::Direct(id), .. } = edge.op {
                work.push(id);
            }
            edge.op.exprs().into_iter().for_each(|e| taken(e, &mut work));
        }
    }
    named
}

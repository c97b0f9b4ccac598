//! Which nodes of a function an execution can get to, once the function is called.
//!
//! Functions are walked from their entries, on demand: those that are asked for, and what they call. A walk
//! stops at a call until it is known that what is called may return, so that nothing behind a call of what
//! never returns counts as reached. What is found of a function does not depend on who asks.

use ir::calls::indirect_targets;
use ir::pointees::{Pointees, address_taken};
use ir::{Callee, Cfa, EdgeId, FuncId, NodeId, Op, Program};
use rustc_hash::FxHashMap;
use std::cell::OnceCell;

/// What was found of a function.
#[derive(Default)]
pub struct Body {
    pub nodes: Vec<bool>,
    /// By edge: can an execution get past it?
    pub passes: Vec<bool>,
    /// The calls that executions get to, with what they may run.
    pub calls: Vec<(EdgeId, Vec<FuncId>)>,
}

pub struct Explorer<'a> {
    program: &'a Program,
    /// By function; none if it has no body or was not walked.
    bodies: Vec<Option<Body>>,
    /// May it return?
    returns: Vec<bool>,
    /// By function: the calls that wait for it to return.
    waiting: Vec<Vec<(FuncId, EdgeId)>>,
    work: Vec<(FuncId, NodeId)>,
    /// Of functions with calls through pointers.
    pointees: FxHashMap<FuncId, Pointees<'a>>,
    address_taken: OnceCell<Vec<FuncId>>,
}

impl<'a> Explorer<'a> {
    pub fn new(program: &'a Program) -> Self {
        let count = program.functions.len();
        Explorer {
            program,
            bodies: (0..count).map(|_| None).collect(),
            returns: program.functions.iter().map(|f| f.cfa().is_none()).collect(),
            waiting: vec![Vec::new(); count],
            work: Vec::new(),
            pointees: FxHashMap::default(),
            address_taken: OnceCell::new(),
        }
    }

    /// Walks a function and all that it may call; none if it has no body.
    pub fn explore(&mut self, f: FuncId) -> Option<&Body> {
        self.begin(f);
        while let Some((f, node)) = self.work.pop() {
            self.leave(f, node);
        }
        self.bodies[f.0 as usize].as_ref()
    }

    /// What was found, by function.
    pub fn finish(self) -> Vec<Option<Body>> {
        self.bodies
    }

    fn begin(&mut self, f: FuncId) {
        let Some(cfa) = self.program.function(f).cfa() else { return };
        let body = &mut self.bodies[f.0 as usize];
        if body.is_none() {
            let (nodes, edges) = (cfa.node_count() as usize, cfa.edges().len());
            *body = Some(Body { nodes: vec![false; nodes], passes: vec![false; edges], calls: Vec::new() });
            self.visit(f, cfa.entry);
        }
    }

    fn visit(&mut self, f: FuncId, node: NodeId) {
        let Some(body) = &mut self.bodies[f.0 as usize] else { return };
        if !std::mem::replace(&mut body.nodes[node.0 as usize], true) {
            self.work.push((f, node));
        }
    }

    fn leave(&mut self, f: FuncId, node: NodeId) {
        let Some(cfa) = self.program.function(f).cfa() else { return };
        for (id, edge) in cfa.out_ids(node).zip(cfa.out(node)) {
            match &edge.op {
                Op::Call { .. } => self.call(f, id, &edge.op),
                op if passable(op) => self.pass(f, cfa, id),
                _ => {}
            }
        }
    }

    fn call(&mut self, f: FuncId, id: EdgeId, op: &'a Op) {
        let targets = self.targets(f, op);
        targets.iter().for_each(|&g| self.begin(g));
        // A call through a pointer that nothing is known of counts as one that may return.
        if targets.is_empty() || targets.iter().any(|g| self.returns[g.0 as usize]) {
            let Some(cfa) = self.program.function(f).cfa() else { return };
            self.pass(f, cfa, id);
        } else {
            targets.iter().for_each(|g| self.waiting[g.0 as usize].push((f, id)));
        }
        if let Some(body) = &mut self.bodies[f.0 as usize] {
            body.calls.push((id, targets));
        }
    }

    fn targets(&mut self, f: FuncId, op: &'a Op) -> Vec<FuncId> {
        let program = self.program;
        match op {
            Op::Call { callee: Callee::Direct(g), .. } => vec![*g],
            Op::Call { callee: Callee::Indirect(e), args, dst } => {
                let function = program.function(f);
                let pointees = self.pointees.entry(f).or_insert_with(|| Pointees::of(program, function));
                let taken = || &self.address_taken.get_or_init(|| address_taken(program))[..];
                indirect_targets(program, function, (pointees.of_expr(e), args, *dst), taken)
            }
            _ => Vec::new(),
        }
    }

    fn pass(&mut self, f: FuncId, cfa: &Cfa, id: EdgeId) {
        let edge = cfa.edge(id);
        if let Some(body) = &mut self.bodies[f.0 as usize] {
            body.passes[id.0 as usize] = true;
        }
        self.visit(f, edge.to);
        if matches!(edge.op, Op::Return(_)) && !std::mem::replace(&mut self.returns[f.0 as usize], true) {
            for (caller, call) in std::mem::take(&mut self.waiting[f.0 as usize]) {
                if let Some(cfa) = self.program.function(caller).cfa() {
                    self.pass(caller, cfa, call);
                }
            }
        }
    }
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

//! What of a run led to its failed check.
//!
//! A backward dynamic slice: from the check on, what was read is looked for where it was written, and every
//! step that matters makes the branch matter that let it happen, and the call that its function was entered
//! by. Loops and functions whose results nobody used, and the branches around them, are not in it.

use crate::lost::Lost;
use crate::path::{Evaluated, Path, Step};
use interp::InputKind;
use ir::graph::{Predecessors, reachable};
use ir::{
    Cfa, Dominators, Edge, Expr, ExprKind, FuncId, GlobalId, LocalId, LoopForest, NodeId, Op, Target, Var,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// What matters of a path.
pub struct Slice {
    /// By step.
    pub steps: Vec<bool>,
    /// Variables that were read and never set: parameters of the entry, and locals without a value, by
    /// activation.
    locals: FxHashSet<(u32, LocalId)>,
    globals: FxHashSet<GlobalId>,
}

impl Slice {
    pub fn has_step(&self, step: usize) -> bool {
        self.steps.get(step).copied().unwrap_or(true)
    }

    /// Does the initial value of a local variable matter?
    pub fn has_local(&self, activation: u32, local: LocalId) -> bool {
        self.locals.contains(&(activation, local))
    }

    pub fn has_global(&self, global: GlobalId) -> bool {
        self.globals.contains(&global)
    }
}

pub fn slice(path: &Path) -> Slice {
    let mut slicer = Slicer {
        path,
        lost: Lost::of(path),
        wanted: Wanted::default(),
        pending: FxHashMap::default(),
        touched: FxHashSet::default(),
        ways_out: FxHashMap::default(),
    };
    let mut steps = vec![false; path.steps.len()];
    for (i, step) in path.steps.iter().enumerate().rev() {
        let last = i + 1 == path.steps.len();
        steps[i] = slicer.step(step, last);
    }
    Slice { steps, locals: slicer.wanted.locals, globals: slicer.wanted.globals }
}

struct Slicer<'a, 'p> {
    path: &'a Path<'p>,
    lost: Lost,
    wanted: Wanted,
    /// Of each activation: nodes where something mattered, and it is not yet known which branch led there.
    pending: FxHashMap<u32, Vec<NodeId>>,
    /// Activations in which something mattered.
    touched: FxHashSet<u32>,
    ways_out: FxHashMap<FuncId, WaysOut>,
}

/// What is to be explained: variables of activations, globals, bytes of memory.
#[derive(Default)]
struct Wanted {
    locals: FxHashSet<(u32, LocalId)>,
    globals: FxHashSet<GlobalId>,
    bytes: FxHashSet<u64>,
}

impl Slicer<'_, '_> {
    fn step(&mut self, step: &Step, last: bool) -> bool {
        let Some(op) = self.path.op(step) else { return false };
        let values = self.path.evaluated(step);
        let activation = step.activation;
        let target = &self.path.program.target;
        let address = |i: usize| values.get(i).map_or(0, |v| v.value as u64);
        let mut matters = last || self.lost.matters(self.path, step);
        match op {
            Op::Skip | Op::Free { .. } | Op::Lifetime { .. } | Op::Halt(_) => {}
            Op::Check { .. } => {
                if last {
                    self.read_all(op, &values, activation);
                }
            }
            Op::Assume { .. } => {
                if self.decides(step) {
                    matters = true;
                    self.read_all(op, &values, activation);
                }
            }
            Op::Assign { var, .. } | Op::Alloc { var, .. } => {
                if self.wanted.remove(activation, *var) {
                    matters = true;
                    self.read_all(op, &values, activation);
                }
            }
            Op::Havoc { var, .. } => matters |= self.wanted.remove(activation, *var),
            Op::Store { value, .. } => {
                let size = value.ty.access_size(target);
                if !self.wanted.remove_bytes(address(0), size).is_empty() {
                    matters = true;
                    self.read_all(op, &values, activation);
                }
            }
            Op::Copy { .. } => {
                let (to, from) = (address(0), address(1));
                let found = self.wanted.remove_bytes(to, address(2));
                if !found.is_empty() {
                    matters = true;
                    let moved = found.iter().map(|byte| byte.wrapping_sub(to).wrapping_add(from));
                    self.wanted.bytes.extend(moved);
                    self.read_all(op, &values, activation);
                }
            }
            Op::Fill { .. } => {
                if !self.wanted.remove_bytes(address(0), address(2)).is_empty() {
                    matters = true;
                    self.read_all(op, &values, activation);
                }
            }
            Op::Call { dst, callee, args } => {
                let first = usize::from(matches!(callee, ir::Callee::Indirect(_)));
                match step.begins {
                    Some(inner) => {
                        matters |= self.touched.contains(&inner);
                        for (i, arg) in args.iter().enumerate() {
                            if self.wanted.locals.remove(&(inner, LocalId(i as u32)))
                                && let Some(value) = values.get(first + i)
                            {
                                matters = true;
                                self.read(arg, value, activation);
                            }
                        }
                        if let (true, ir::Callee::Indirect(e), Some(value)) =
                            (matters, callee, values.first())
                        {
                            self.read(e, value, activation);
                        }
                    }
                    None => matters |= dst.is_some_and(|var| self.wanted.remove(activation, var)),
                }
            }
            Op::Return(_) => {
                let caller = self.path.activations.get(activation as usize).and_then(|a| a.caller);
                let caller = caller.and_then(|step| self.path.steps.get(step));
                if let Some(call) = caller
                    && let Some(var) = self.path.op(call).and_then(Op::written)
                    && self.wanted.remove(call.activation, var)
                {
                    matters = true;
                    self.read_all(op, &values, activation);
                }
            }
        }
        for input in self.path.inputs(&step.inputs) {
            // What was never written has no earlier reason.
            match input.request.kind {
                InputKind::Memory { address, .. } => {
                    self.wanted.remove_bytes(address, input.request.ty.access_size(target));
                }
                InputKind::Changed { global, before } if before != input.value => {
                    matters |= self.wanted.remove(activation, ir::Var::Global(global));
                }
                _ => {}
            }
        }
        if matters {
            self.touched.insert(activation);
            if let Some(edge) = edge(self.path, step) {
                let pending = self.pending.entry(activation).or_default();
                if !pending.contains(&edge.from) {
                    pending.push(edge.from);
                }
            }
        }
        matters
    }

    /// Is this a branch that let something happen that matters?
    fn decides(&mut self, step: &Step) -> bool {
        let path = self.path;
        let (Some(edge), Some(pending)) = (edge(path, step), self.pending.get_mut(&step.activation)) else {
            return false;
        };
        let Some(cfa) = path.program.function(step.function).cfa() else { return false };
        if cfa.out(edge.from).len() < 2 {
            return false;
        }
        let ways = self.ways_out.entry(step.function).or_insert_with(|| WaysOut::of(cfa));
        let before = pending.len();
        pending.retain(|node| !ways.decides(edge, *node));
        pending.len() < before
    }

    fn read_all(&mut self, op: &Op, values: &[Evaluated], activation: u32) {
        for (e, value) in op.exprs().into_iter().zip(values) {
            self.read(e, value, activation);
        }
    }

    fn read(&mut self, e: &Expr, value: &Evaluated, activation: u32) {
        self.wanted.read(e, value, activation, &self.path.program.target);
    }
}

impl Wanted {
    fn read(&mut self, e: &Expr, value: &Evaluated, activation: u32, target: &Target) {
        let mut addresses = value.addresses.iter();
        e.walk(&mut |e| match e.kind {
            ExprKind::Local(id) => {
                self.locals.insert((activation, id));
            }
            ExprKind::Global(id) => {
                self.globals.insert(id);
            }
            ExprKind::Load(_) => {
                if let Some(&address) = addresses.next() {
                    let address = address as u64;
                    self.bytes.extend((0..e.ty.access_size(target)).map(|i| address.wrapping_add(i)));
                }
            }
            _ => {}
        });
    }

    fn remove(&mut self, activation: u32, var: Var) -> bool {
        match var {
            Var::Local(id) => self.locals.remove(&(activation, id)),
            Var::Global(id) => self.globals.remove(&id),
        }
    }

    /// Takes out the bytes in a range, and says which there were.
    fn remove_bytes(&mut self, from: u64, len: u64) -> Vec<u64> {
        let inside = |byte: &u64| byte.wrapping_sub(from) < len;
        let found: Vec<u64> = match len <= self.bytes.len() as u64 {
            true => (0..len).map(|i| from.wrapping_add(i)).filter(|b| self.bytes.contains(b)).collect(),
            false => self.bytes.iter().copied().filter(inside).collect(),
        };
        for byte in &found {
            self.bytes.remove(byte);
        }
        found
    }
}

fn edge<'p>(path: &Path<'p>, step: &Step) -> Option<&'p Edge> {
    path.program.function(step.function).cfa()?.edges().get(step.edge.0 as usize)
}

/// Which nodes every way to the end of a function passes. A loop that only a failing check leaves (`for (;;)
/// assert(x);`) may also go on for ever: else all of it would seem to lead to the check anyway.
struct WaysOut {
    backwards: Dominators,
}

impl WaysOut {
    fn of(cfa: &Cfa) -> WaysOut {
        let steps = cfa.edges().iter().map(|edge| (edge.from, edge.to));
        let endless: Vec<_> = endless(cfa).into_iter().map(|head| (head, cfa.exit)).collect();
        let steps = steps.chain(endless.iter().copied());
        WaysOut { backwards: Dominators::post(cfa.node_count(), cfa.exit, steps) }
    }

    /// Did taking `edge` decide that `node` is reached: the other edge might have avoided it, this one could
    /// not?
    fn decides(&self, edge: &Edge, node: NodeId) -> bool {
        // Of what never ends nothing is known; every branch may have led there.
        if !self.backwards.is_reachable(node) {
            return true;
        }
        let passes = |from: NodeId| self.backwards.dominates(node, from);
        passes(edge.to) && (node == edge.from || !passes(edge.from))
    }
}

/// The heads of loops from which the function does not return.
fn endless(cfa: &Cfa) -> Vec<NodeId> {
    let count = cfa.node_count() as usize;
    let entering = Predecessors::of(count, cfa.edges().iter().map(|edge| (edge.from, edge.to)));
    let ends = cfa.edges().iter().filter(|edge| matches!(edge.op, Op::Return(_)));
    let returns = reachable(count, ends.map(|edge| edge.from), |node| entering.of_vertex(node));
    let loops = LoopForest::of(cfa);
    loops.loops().iter().map(|l| l.header).filter(|head| !returns[head.0 as usize]).collect()
}

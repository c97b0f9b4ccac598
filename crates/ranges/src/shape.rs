//! What the analysis needs to know of a program before it starts: orders of nodes, where to widen and in
//! which steps, where locals die, which globals a function can touch.

use crate::values::shape;
use ir::graph::post_order;
use ir::{
    BinOp, Body, CallGraph, Cfa, EdgeId, Expr, ExprKind, FuncId, LocalId, LoopForest, NodeId, Op, Program,
    Var,
};

/// Of a function with a body.
pub struct Shape {
    /// The nodes that the entry reaches, so that all but the sources of back edges come before their targets,
    /// and loops before what follows them.
    pub order: Vec<NodeId>,
    /// By node: where it is in `order`.
    pub position: Vec<u32>,
    /// By node: for the header of a loop, the variables that may change in it.
    pub changing: Vec<Option<Changing>>,
    /// By edge: the locals that nobody reads any more behind it.
    pub dying: Vec<Vec<LocalId>>,
    /// Parameters that nobody reads.
    pub unread: Vec<LocalId>,
    pub into: Vec<Vec<EdgeId>>,
    /// The ends of intervals that are tried when one grows: what the function compares with, and the
    /// neighbours.
    pub steps: Vec<i128>,
}

impl Shape {
    pub fn of(program: &Program, graph: &CallGraph, touched: &Touched, f: FuncId, cfa: &Cfa) -> Shape {
        let function = program.function(f);
        let (params, locals) = (function.params, function.locals.len());
        let forest = LoopForest::of(cfa);
        let order = order(cfa, &forest);
        let mut position = vec![u32::MAX; cfa.node_count() as usize];
        for (i, node) in order.iter().enumerate() {
            position[node.0 as usize] = i as u32;
        }
        let mut changing: Vec<Option<Changing>> = cfa.nodes().map(|_| None).collect();
        for id in forest.ids() {
            let mut all = Changing { locals: Bits::new(locals), globals: Bits::new(program.globals.len()) };
            for node in forest.body(id) {
                all.add(cfa, graph, touched, f, *node);
            }
            changing[forest.get(id).header.0 as usize] = Some(all);
        }
        let live = live(cfa, &order, locals);
        let dying = cfa.edges().iter().map(|edge| {
            let mut before = live[edge.from.0 as usize].clone();
            if let Some(Var::Local(id)) = edge.op.written() {
                before.insert(id.0);
            }
            before.minus(&live[edge.to.0 as usize]).map(LocalId).collect()
        });
        let dying = dying.collect();
        let unread = (0..params).filter(|i| !live[cfa.entry.0 as usize].contains(*i)).map(LocalId).collect();
        let (into, steps) = (cfa.predecessors(), steps(program, cfa));
        Shape { order, position, changing, dying, unread, into, steps }
    }
}

/// Reverse post-order. At each node the ways out of loops are followed first, so that they come last.
fn order(cfa: &Cfa, forest: &LoopForest) -> Vec<NodeId> {
    let successors = |node: NodeId| {
        let mut list: Vec<NodeId> = cfa.out(node).iter().map(|e| e.to).collect();
        list.sort_by_key(|to| forest.depth(*to));
        list
    };
    let mut order = post_order(cfa.node_count() as usize, [cfa.entry], successors);
    order.reverse();
    order
}

fn live(cfa: &Cfa, order: &[NodeId], locals: usize) -> Vec<Bits> {
    let mut reads: Vec<Vec<u32>> = Vec::with_capacity(cfa.edges().len());
    for edge in cfa.edges() {
        let mut list = Vec::new();
        for e in edge.op.exprs() {
            e.walk(&mut |part| {
                if let ExprKind::Local(id) = part.kind {
                    list.push(id.0);
                }
            });
        }
        reads.push(list);
    }
    let mut live = vec![Bits::new(locals); cfa.node_count() as usize];
    let mut changed = true;
    // Backwards, so that a round settles everything but loops.
    while changed {
        changed = false;
        for node in order.iter().rev() {
            let mut now = std::mem::replace(&mut live[node.0 as usize], Bits::new(0));
            for (edge, id) in cfa.out(*node).iter().zip(cfa.out_ids(*node)) {
                let written = match edge.op.written() {
                    Some(Var::Local(id)) => Some(id.0),
                    _ => None,
                };
                if edge.to != *node {
                    changed |= now.add(&live[edge.to.0 as usize], written);
                }
                for read in &reads[id.0 as usize] {
                    changed |= now.insert(*read);
                }
            }
            live[node.0 as usize] = now;
        }
    }
    live
}

/// Constants that are compared with something, and their neighbours. Each step may cost another round through
/// a loop, so there must not be many; bounds come before other constants.
fn steps(program: &Program, cfa: &Cfa) -> Vec<i128> {
    let (mut bounds, mut others) = (vec![-1, 0, 1], Vec::new());
    for e in cfa.edges().iter().flat_map(|edge| edge.op.exprs()) {
        e.walk(&mut |part| {
            let ExprKind::Binary(op, a, b) = &part.kind else { return };
            for side in [a, b] {
                let side = without_casts(side);
                let (Some(bits), Some(ty)) = (side.as_const(), shape(side.ty, &program.target)) else {
                    continue;
                };
                let value = ty.value(bits);
                match op {
                    BinOp::Lt | BinOp::Le => bounds.extend([value - 1, value, value + 1]),
                    BinOp::Eq | BinOp::Ne => others.extend([value - 1, value, value + 1]),
                    _ => {}
                }
            }
        });
    }
    let mut steps = few(bounds);
    if steps.len() < MOST_STEPS {
        steps.extend(few(others));
        steps = few(steps);
    }
    steps
}

const MOST_STEPS: usize = 24;

/// Sorted, and no more than there may be, spread evenly.
fn few(mut list: Vec<i128>) -> Vec<i128> {
    list.sort_unstable();
    list.dedup();
    let stride = list.len().div_ceil(MOST_STEPS).max(1);
    // The last one is the one that most stay below.
    list.into_iter().rev().step_by(stride).collect::<Vec<i128>>().into_iter().rev().collect()
}

fn without_casts(e: &Expr) -> &Expr {
    match &e.kind {
        ExprKind::Cast(inner) => without_casts(inner),
        _ => e,
    }
}

/// Variables that may get another value. All others can be in a loop only what they are before it.
pub struct Changing {
    locals: Bits,
    globals: Bits,
}

impl Changing {
    pub fn contains(&self, var: Var) -> bool {
        match var {
            Var::Local(id) => self.locals.contains(id.0),
            Var::Global(id) => self.globals.contains(id.0),
        }
    }

    /// What the operations behind a node write.
    fn add(&mut self, cfa: &Cfa, graph: &CallGraph, touched: &Touched, f: FuncId, node: NodeId) {
        for (edge, id) in cfa.out(node).iter().zip(cfa.out_ids(node)) {
            match edge.op.written() {
                Some(Var::Local(id)) => self.locals.insert(id.0),
                Some(Var::Global(id)) => self.globals.insert(id.0),
                None => false,
            };
            for target in graph.site(f, id).iter().flat_map(|site| &site.targets) {
                self.globals.add(&touched.written[target.0 as usize], None);
            }
        }
    }
}

/// A set of small numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bits(Vec<u64>);

impl Bits {
    pub fn new(count: usize) -> Bits {
        Bits(vec![0; count.div_ceil(64)])
    }

    pub fn full(count: usize) -> Bits {
        Bits(vec![u64::MAX; count.div_ceil(64)])
    }

    pub fn contains(&self, i: u32) -> bool {
        self.0.get(i as usize / 64).is_some_and(|word| word >> (i % 64) & 1 == 1)
    }

    /// Was it absent?
    pub fn insert(&mut self, i: u32) -> bool {
        let Some(word) = self.0.get_mut(i as usize / 64) else { return false };
        let absent = *word >> (i % 64) & 1 == 0;
        *word |= 1 << (i % 64);
        absent
    }

    /// Adds all of `other` but one; did any come in?
    fn add(&mut self, other: &Bits, but: Option<u32>) -> bool {
        let mut new = false;
        for (i, (word, more)) in self.0.iter_mut().zip(&other.0).enumerate() {
            let more = match but {
                Some(b) if b as usize / 64 == i => more & !(1 << (b % 64)),
                _ => *more,
            };
            new |= more & !*word != 0;
            *word |= more;
        }
        new
    }

    fn minus(&self, other: &Bits) -> impl Iterator<Item = u32> {
        let words = self.0.iter().zip(&other.0).enumerate().map(|(i, (a, b))| (i as u32, a & !b));
        words.flat_map(|(i, word)| (0..64).filter(move |k| word >> k & 1 == 1).map(move |k| i * 64 + k))
    }
}

/// By function, with all that it calls: the register globals that are written, and those that are read or
/// written.
pub struct Touched {
    pub written: Vec<Bits>,
    pub used: Vec<Bits>,
}

impl Touched {
    pub fn of(program: &Program, graph: &CallGraph) -> Touched {
        let (functions, globals) = (program.functions.len(), program.globals.len());
        let mut touched = Touched {
            written: vec![Bits::new(globals); functions],
            used: vec![Bits::new(globals); functions],
        };
        for component in graph.components() {
            let (mut written, mut used) = (Bits::new(globals), Bits::new(globals));
            for f in component {
                own(program, *f, &mut written, &mut used);
                for callee in graph.callees(*f) {
                    written.add(&touched.written[callee.0 as usize], None);
                    used.add(&touched.used[callee.0 as usize], None);
                }
            }
            used.add(&written, None);
            for f in component {
                touched.written[f.0 as usize] = written.clone();
                touched.used[f.0 as usize] = used.clone();
            }
        }
        touched
    }
}

fn own(program: &Program, f: FuncId, written: &mut Bits, used: &mut Bits) {
    let cfa = match &program.function(f).body {
        Body::Defined(cfa) => cfa,
        Body::Extern if program.function(f).havocs => {
            let shared = program.globals.iter().zip(0..).filter(|(global, _)| global.is_shared());
            shared.for_each(|(_, id)| {
                written.insert(id);
            });
            return;
        }
        Body::Extern => return,
        Body::Poisoned { .. } => {
            *written = Bits::full(program.globals.len());
            return;
        }
    };
    for edge in cfa.edges() {
        if let Some(Var::Global(id)) = edge.op.written() {
            written.insert(id.0);
        }
        if matches!(edge.op, Op::Skip) {
            continue;
        }
        for e in edge.op.exprs() {
            e.walk(&mut |part| {
                if let ExprKind::Global(id) = part.kind {
                    used.insert(id.0);
                }
            });
        }
    }
}

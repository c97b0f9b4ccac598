//! Slicing: what no check depends on goes away before a program is executed symbolically.
//!
//! [`slice`] gives back the same program, with the same functions, nodes, edges, locals and globals, in which
//! irrelevant operations are `skip` and passed by, irrelevant branches always go one way, and executions end
//! where no check lies ahead. Places keep their ids: what is found on the slice can be replayed on the
//! original.
//!
//! ## The contract
//! The slice over-approximates. Every execution of the original that fails a check has a counterpart in the
//! slice that fails the same check (same function, same edge), goes through the operations that were kept in
//! the same order, and asks for the same inputs there. So if no check fails in the slice, none fails in the
//! original. The converse is wanted, not promised; replay decides:
//! - An operation that was removed can no longer end the execution (a division, an access, a call through a
//!   bad pointer), and a loop that was removed can no longer run forever.
//! - Operations that end executions on purpose are kept: `assume`, `exit` and `abort` (as dead ends, which is
//!   what they are for a check), as long as a check lies ahead of the branches that avoid them.
//! - Where only some checks count ([`Checks`]), all others pass. That is enough to divide a proof by checks: an
//!   execution that fails a check has passed all before it, so its counterpart is in the slice for that check.
//! - Calls of what could not be translated are kept wherever an execution can get to them, so that nobody
//!   overlooks them.
//! - An input that is asked for in a function is asked as often as the function is called, and calls whose
//!   results nobody needs are gone: inputs belong to the calls that led to them, not to a count over the
//!   whole execution.
//!
//! Assumed, as everywhere: addresses are not guessed and pointer arithmetic stays in its object. Objects may
//! lie elsewhere in the slice: a program that looks at the number of an address, or compares addresses of
//! different objects, may see other numbers. Functions without a body return a value and have no other
//! effect, but for those that havoc, which may change everything that escapes, and for the output functions
//! that the interpreter models.
//!
//! ## How
//! `reach` says what the entry can run (over `explore`, which walks functions); `ahead` from which nodes a
//! check can still be reached, across calls, and `failing` where every way leads into one; `control` which
//! branches decide whether a node is reached (postdominators of that part of a function). `memory` divides
//! memory into regions. `depend` follows dependences backwards from the checks: register by register and node
//! by node in a function (a value matters until it is overwritten), globals and regions without regard to the
//! order. `rewrite` makes the program. What does not depend on the checks is found once ([`Slicer`]), so that
//! the slice for a few of them costs what it keeps. `parts` divides the checks so that their slices have
//! little in common, and `print` says what a slice would be.

mod ahead;
mod control;
mod depend;
mod explore;
mod failing;
mod index;
mod memory;
mod parts;
mod print;
mod reach;
mod rewrite;

pub use parts::Part;

use ahead::Ahead;
use depend::Relevance;
use failing::Failing;
use index::{Index, global_writes};
use ir::fingerprint::Texts;
use ir::{Body, EdgeId, FuncId, Function, NodeId, Op, Program};
use memory::{Memory, Place};
use reach::{Reach, is_branch};
use std::cell::OnceCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Which checks count.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum Checks {
    #[default]
    All,
    /// Those in the text of these functions, which ascend.
    In(Arc<[FuncId]>),
}

impl Checks {
    pub fn of(mut functions: Vec<FuncId>) -> Checks {
        functions.sort();
        functions.dedup();
        Checks::In(functions.into())
    }

    pub fn contains(&self, f: FuncId) -> bool {
        match self {
            Checks::All => true,
            Checks::In(functions) => functions.binary_search(&f).is_ok(),
        }
    }
}

/// How many times this process has prepared a program for slicing, for statistics: once for each version.
pub fn made() -> u64 {
    MADE.load(Ordering::Relaxed)
}

static MADE: AtomicU64 = AtomicU64::new(0);

/// The part of a verified program that its checks depend on, if it starts in `entry`. Functions that the
/// slice does not call lose their bodies.
pub fn slice(program: &Program, entry: FuncId) -> Program {
    slice_for(program, entry, &Checks::All)
}

/// The same for some of its checks.
pub fn slice_for(program: &Program, entry: FuncId, checks: &Checks) -> Program {
    Slicer::new(program, entry).slice(checks)
}

/// Makes slices of one program.
pub struct Slicer {
    program: Program,
    reach: Reach,
    failing: Failing,
    divided: OnceCell<Divided>,
    global_writes: OnceCell<Vec<Vec<Place>>>,
    texts: OnceCell<Texts>,
    /// By function, see [`Slicer::endings`].
    endings: Vec<OnceCell<Vec<(NodeId, EdgeId)>>>,
    /// By function: without its body.
    bare: Vec<OnceCell<Arc<Function>>>,
}

/// Memory in regions, and who writes to them. Dividing it costs more than all the rest, and many checks depend
/// on registers only: it is done when the first access turns out to matter.
struct Divided {
    memory: Memory,
    index: Index,
}

impl Slicer {
    pub fn new(program: &Program, entry: FuncId) -> Slicer {
        MADE.fetch_add(1, Ordering::Relaxed);
        let reach = Reach::of(program, entry);
        let failing = Failing::of(program, &reach);
        let (program, count) = (program.clone(), program.functions.len());
        let (divided, global_writes, texts) = (OnceCell::new(), OnceCell::new(), OnceCell::new());
        let (endings, bare) = (vec![OnceCell::new(); count], vec![OnceCell::new(); count]);
        Slicer { program, reach, failing, divided, global_writes, texts, endings, bare }
    }

    /// What these checks depend on.
    pub fn slice(&self, checks: &Checks) -> Program {
        match self.relevance(checks, usize::MAX) {
            Some((ahead, relevance)) => rewrite::rewrite(self, &ahead, &relevance),
            None => self.program.clone(),
        }
    }

    /// None if there are more than `most` operations, or the entry has no body.
    fn relevance(&self, checks: &Checks, most: usize) -> Option<(Ahead<'_>, Relevance)> {
        if !self.reach.runs(self.reach.entry) {
            return None;
        }
        let ahead = Ahead::of(&self.program, &self.reach, &self.failing, checks);
        let relevance = depend::depend(self, &ahead, checks, most)?;
        Some((ahead, relevance))
    }

    fn divided(&self) -> &Divided {
        self.divided.get_or_init(|| {
            let memory = Memory::of(self.with_bodies(|f| self.reach.runs(f)), self.reach.entry);
            let index = Index::of(&self.program, &self.reach, &memory);
            Divided { memory, index }
        })
    }

    /// By global, for those that are registers: the operations that write it.
    fn global_writes(&self) -> &[Vec<Place>] {
        self.global_writes.get_or_init(|| global_writes(&self.program, &self.reach))
    }

    /// Assumptions, and branches by which executions get to where the function does not return any more, among
    /// nodes from which it may.
    fn endings(&self, f: FuncId) -> &[(NodeId, EdgeId)] {
        self.endings[f.0 as usize].get_or_init(|| {
            let Some(cfa) = self.program.function(f).cfa() else { return Vec::new() };
            let stays = |node: NodeId| self.reach.returns(f, node);
            let nodes = cfa.nodes().filter(|&n| stays(n)).filter(|&n| match cfa.out(n) {
                [edge] => matches!(edge.op, Op::Assume { .. }),
                out => is_branch(cfa, n) && out.iter().any(|edge| !stays(edge.to)),
            });
            nodes.flat_map(|n| cfa.out_ids(n).map(move |id| (n, id))).collect()
        })
    }

    /// A copy of the program in which functions that are not wanted have no body.
    fn with_bodies(&self, wanted: impl Fn(FuncId) -> bool) -> Program {
        let mut copy = self.program.clone();
        for id in self.program.function_ids().filter(|id| !wanted(*id)) {
            if self.program.function(id).cfa().is_some() {
                copy.functions[id.0 as usize] = self.bare(id).clone();
            }
        }
        copy
    }

    /// A function without its body.
    fn bare(&self, id: FuncId) -> &Arc<Function> {
        self.bare[id.0 as usize].get_or_init(|| Arc::new(without_body(self.program.function(id))))
    }
}

fn without_body(function: &Function) -> Function {
    let (name, locals, c_type) = (function.name.clone(), function.locals.clone(), function.c_type.clone());
    let Function { ret, params, variadic, havocs, pos, .. } = *function;
    Function { name, ret, params, variadic, locals, body: Body::Extern, havocs, c_type, pos }
}

/// Has this function neither a body nor a chance to get one?
fn is_poisoned(program: &Program, f: FuncId) -> bool {
    matches!(program.function(f).body, Body::Poisoned { .. })
}

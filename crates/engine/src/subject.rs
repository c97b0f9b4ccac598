//! A program under verification, with the facts about it that more than one part of the tool needs.
//!
//! Each is derived when it is first needed, and once: engines, driver and report share them. The checker does
//! not use this. It derives what it needs from the program by itself, so that a mistake made here is not made
//! there as well.

use ir::fingerprint::{Fingerprint, run_print};
use ir::{CallGraph, FuncId, Program};
use std::cell::OnceCell;

pub struct Subject<'p> {
    pub program: &'p Program,
    pub entry: FuncId,
    sliced: OnceCell<Program>,
    graph: OnceCell<CallGraph>,
    /// Of all that the entry can run, in the program and in the slice.
    prints: [OnceCell<Fingerprint>; 2],
}

impl<'p> Subject<'p> {
    pub fn new(program: &'p Program, entry: FuncId) -> Subject<'p> {
        let (sliced, graph, prints) = (OnceCell::new(), OnceCell::new(), Default::default());
        Subject { program, entry, sliced, graph, prints }
    }

    /// The function of that name in another version.
    pub fn named(program: &'p Program, name: &str) -> Option<Subject<'p>> {
        Some(Subject::new(program, program.find_function(name)?))
    }

    pub fn name(&self) -> &'p str {
        &self.program.function(self.entry).name
    }

    /// What the checks depend on (`slice::slice`).
    pub fn sliced(&self) -> &Program {
        self.sliced.get_or_init(|| slice::slice(self.program, self.entry).program)
    }

    /// What an engine looks at: the slice, if that is wanted, or all of it.
    pub fn view(&self, slice: bool) -> &Program {
        if slice { self.sliced() } else { self.program }
    }

    /// Of the program.
    pub fn graph(&self) -> &CallGraph {
        self.graph.get_or_init(|| CallGraph::of(self.program))
    }

    /// Whatever can happen in an execution from the entry on, as a hash: of the slice or of all of it.
    pub fn print(&self, slice: bool) -> Fingerprint {
        *self.prints[usize::from(slice)].get_or_init(|| run_print(self.view(slice), self.entry))
    }
}

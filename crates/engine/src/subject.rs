//! A program under verification, with the facts about it that more than one part of the tool needs.
//!
//! Each is derived when it is first needed, and once: engines, driver and report share them. The checker does
//! not use this. It derives what it needs from the program by itself, so that a mistake made here is not made
//! there as well.
//!
//! The checks of a program can be divided ([`Subject::parts`]). A part is the same program, of which only some
//! checks count; it has a slice of its own, and shares what does not depend on the checks.

use ir::fingerprint::{Fingerprint, run_print};
use ir::{CallGraph, FuncId, Program};
use slice::{Checks, Part, Slicer};
use std::cell::OnceCell;
use std::rc::Rc;

pub struct Subject<'p> {
    pub program: &'p Program,
    pub entry: FuncId,
    /// Those that are asked about.
    pub checks: Checks,
    slicer: Rc<OnceCell<Slicer>>,
    graph: Rc<OnceCell<CallGraph>>,
    /// See [`Subject::slice_print`].
    slice_print: Option<Fingerprint>,
    sliced: OnceCell<Program>,
    /// Of all that the entry can run, in the program and in the slice.
    prints: [OnceCell<Fingerprint>; 2],
}

impl<'p> Subject<'p> {
    pub fn new(program: &'p Program, entry: FuncId) -> Subject<'p> {
        let (slicer, graph) = Default::default();
        let (sliced, prints) = (OnceCell::new(), Default::default());
        Subject { program, entry, checks: Checks::All, slicer, graph, slice_print: None, sliced, prints }
    }

    /// The function of that name in another version.
    pub fn named(program: &'p Program, name: &str) -> Option<Subject<'p>> {
        Some(Subject::new(program, program.find_function(name)?))
    }

    /// Its checks, divided so that each part can be proved by itself.
    pub fn parts(&self) -> Vec<Part> {
        self.slicer().parts()
    }

    /// The same program, of which only these checks count.
    pub fn part(&self, part: &Part) -> Subject<'p> {
        let (slicer, graph) = (self.slicer.clone(), self.graph.clone());
        let (sliced, prints) = (OnceCell::new(), Default::default());
        let (checks, slice_print) = (part.checks.clone(), part.print);
        Subject {
            program: self.program,
            entry: self.entry,
            checks,
            slicer,
            graph,
            slice_print,
            sliced,
            prints,
        }
    }

    /// What the slice is, if that is known without making it: equal prints mean equal slices, and not the
    /// other way round.
    pub fn slice_print(&self) -> Option<Fingerprint> {
        self.slice_print
    }

    pub fn name(&self) -> &'p str {
        &self.program.function(self.entry).name
    }

    /// What the checks depend on.
    pub fn sliced(&self) -> &Program {
        self.sliced.get_or_init(|| self.slicer().slice(&self.checks))
    }

    /// What some checks depend on, of the whole program.
    pub fn slice_for(&self, checks: &Checks) -> Program {
        self.slicer().slice(checks)
    }

    /// What an engine looks at: the slice, if that is wanted, or all of it.
    pub fn view(&self, slice: bool) -> &Program {
        if slice { self.sliced() } else { self.program }
    }

    /// The slice that a proof about [`Subject::view`] is about.
    pub fn viewed(&self, slice: bool) -> Option<Checks> {
        slice.then(|| self.checks.clone())
    }

    /// Of the program.
    pub fn graph(&self) -> &CallGraph {
        self.graph.get_or_init(|| CallGraph::of(self.program))
    }

    /// Whatever can happen in an execution from the entry on, as a hash: of the slice or of all of it.
    pub fn print(&self, slice: bool) -> Fingerprint {
        *self.prints[usize::from(slice)].get_or_init(|| run_print(self.view(slice), self.entry))
    }

    fn slicer(&self) -> &Slicer {
        self.slicer.get_or_init(|| Slicer::new(self.program, self.entry))
    }
}

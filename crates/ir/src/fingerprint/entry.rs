//! The fingerprint of one run, from nothing but what the run can reach.
//!
//! Most of a large program is never run by its entry, and of a slice there is little left: everything is put
//! into canonical form when something that was reached refers to it. The result is that of
//! [`super::Fingerprints::entry`].

use super::Fingerprint;
use super::canonical::Canonical;
use super::forms::{FragmentForm, GlobalForm, Sets};
use super::global::{entry_print, function_print, key};
use super::graph::{Graph, Vertex, dependencies};
use super::names::{Names, Source};
use crate::calls::indirect_targets;
use crate::cfa::{Callee, EdgeId, Op};
use crate::pointees::{Pointees, address_taken};
use crate::program::{FuncId, GlobalId, Program};
use std::cell::OnceCell;

/// The same as `Fingerprints::compute(program).entry(program, entry)`.
pub fn run_print(program: &Program, entry: FuncId) -> Fingerprint {
    let (found, graph) = Found::of(program, entry);
    let names = Names::new(program, &found);
    let own: Vec<Fingerprint> = graph.vertices().iter().map(|v| names.own(*v)).collect();
    let deep = graph.hash(&names, &own);
    let key = key(&program.target);
    let globals: Vec<GlobalId> = found.globals().collect();
    entry_print(function_print(key, deep[0]), &names, key, &globals, |id| names.global(id, true))
}

/// What was reached so far.
pub(super) struct Found<'a> {
    program: &'a Program,
    functions: Forms<FragmentForm>,
    globals: Forms<GlobalForm>,
    sets: Sets,
    /// By set: the number of its vertex.
    set_numbers: Vec<Option<usize>>,
    /// In the order in which they were found.
    vertices: Vec<Vertex>,
    address_taken: OnceCell<Vec<FuncId>>,
}

/// Forms of one kind.
struct Forms<T> {
    /// By id, if it was found: the number of the vertex, and the place in the list.
    index: Vec<Option<(usize, usize)>>,
    list: Vec<T>,
}

impl<'a> Found<'a> {
    /// Everything that is reached from `entry`, the first vertex.
    pub fn of(program: &'a Program, entry: FuncId) -> (Found<'a>, Graph) {
        let mut found = Found {
            program,
            functions: Forms::new(program.functions.len()),
            globals: Forms::new(program.globals.len()),
            sets: Sets::default(),
            set_numbers: Vec::new(),
            vertices: Vec::new(),
            address_taken: OnceCell::new(),
        };
        found.number(Vertex::Function(entry));
        let mut graph = Graph::default();
        let mut next = 0;
        while let Some(&vertex) = found.vertices.get(next) {
            next += 1;
            let below: Vec<Vertex> = match vertex {
                Vertex::Function(id) => dependencies(found.whole(id)).collect(),
                Vertex::Global(id) => found.global(id).pointed_to().map(Vertex::Global).collect(),
                Vertex::TargetSet(set) => found.targets(set).iter().map(|f| Vertex::Function(*f)).collect(),
            };
            let below: Vec<usize> = below.into_iter().map(|vertex| found.number(vertex)).collect();
            // A global that can change holds other values by the time it is read.
            let changes = matches!(vertex, Vertex::Global(id) if !program.global(id).constant);
            graph.push(vertex, below.into_iter().filter(|_| !changes));
        }
        (found, graph)
    }

    /// In the order in which they were found.
    pub fn functions(&self) -> impl Iterator<Item = FuncId> {
        self.vertices.iter().filter_map(|vertex| match vertex {
            Vertex::Function(id) => Some(*id),
            _ => None,
        })
    }

    /// A new vertex gets the next number, and its form.
    fn number(&mut self, vertex: Vertex) -> usize {
        let known = match vertex {
            Vertex::Function(id) => self.functions.number(id.0),
            Vertex::Global(id) => self.globals.number(id.0),
            Vertex::TargetSet(set) => self.set_numbers.get(set).copied().flatten(),
        };
        if let Some(number) = known {
            return number;
        }
        let number = self.vertices.len();
        self.vertices.push(vertex);
        match vertex {
            Vertex::Function(id) => {
                let form = self.form(id);
                self.functions.add(id.0, number, form);
            }
            Vertex::Global(id) => {
                let form = GlobalForm::new(self.program.global(id), &self.program.target);
                self.globals.add(id.0, number, form);
            }
            Vertex::TargetSet(set) => {
                self.set_numbers.resize(self.sets.list.len(), None);
                self.set_numbers[set] = Some(number);
            }
        }
        number
    }

    fn form(&mut self, id: FuncId) -> FragmentForm {
        let program = self.program;
        let function = program.function(id);
        let taken = &self.address_taken;
        let mut pointees = None;
        let targets = |edge: EdgeId| {
            let Op::Call { callee: Callee::Indirect(e), args, dst } = &function.cfa()?.edge(edge).op else {
                return None;
            };
            let pointees = pointees.get_or_insert_with(|| Pointees::of(program, function));
            let taken = || &taken.get_or_init(|| address_taken(program))[..];
            Some(indirect_targets(program, function, (pointees.of_expr(e), args, *dst), taken))
        };
        self.sets.form(program, Canonical::function(function), targets)
    }
}

impl Source for Found<'_> {
    fn whole(&self, id: FuncId) -> &FragmentForm {
        self.functions.get(id.0)
    }

    fn global(&self, id: GlobalId) -> &GlobalForm {
        self.globals.get(id.0)
    }

    fn targets(&self, set: usize) -> &[FuncId] {
        &self.sets.list[set].targets
    }

    fn globals(&self) -> impl Iterator<Item = GlobalId> {
        self.vertices.iter().filter_map(|vertex| match vertex {
            Vertex::Global(id) => Some(*id),
            _ => None,
        })
    }
}

impl<T> Forms<T> {
    fn new(count: usize) -> Self {
        Forms { index: vec![None; count], list: Vec::new() }
    }

    fn number(&self, id: u32) -> Option<usize> {
        Some(self.index.get(id as usize).copied()??.0)
    }

    fn add(&mut self, id: u32, number: usize, form: T) {
        self.index[id as usize] = Some((number, self.list.len()));
        self.list.push(form);
    }

    /// The form of what was found.
    fn get(&self, id: u32) -> &T {
        &self.list[self.index[id as usize].map_or(0, |(_, place)| place)]
    }
}

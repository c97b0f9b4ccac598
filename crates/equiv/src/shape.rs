//! Shapes: two versions brought into forms that can be coupled.
//!
//! Callees that are not known to be the same are replaced by their bodies; loops that run at different speeds
//! are unrolled so that they run at the same one, loops in different phases are peeled, recursive functions
//! are unfolded. Everything keeps the meaning (`ir::transform`), so a proof about a shape is one about the
//! versions.

use ir::transform::{Again, inline_with, peel, unroll};
use ir::{Body, CallGraph, Callee, EdgeId, FuncId, LoopForest, NodeId, Op, Program};
use std::collections::{BTreeMap, BTreeSet};

/// A pair of programs, and what was done to them.
#[derive(Clone, Debug)]
pub struct Shape {
    pub programs: [Program; 2],
    pub functions: [FuncId; 2],
    pub note: String,
    /// What was done, in order, for whoever wants to do it again.
    pub steps: Vec<Step>,
}

/// One transformation of one function of one side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    pub side: usize,
    pub function: FuncId,
    pub change: Change,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Change {
    Rename(String),
    /// Calls replaced by bodies, one after the other, in a function that is put in its place after the last.
    Inline(Vec<EdgeId>),
    Unroll(NodeId, u32),
    Peel(NodeId, u32),
}

/// Bodies do not grow beyond this many edges.
const LARGEST: usize = 6000;

impl Shape {
    pub fn new(programs: [&Program; 2], functions: [FuncId; 2]) -> Shape {
        Shape { programs: programs.map(Program::clone), functions, note: String::new(), steps: Vec::new() }
    }

    /// Functions without a body that are taken for the same get the same name.
    pub fn renamed(mut self, same: &[BTreeMap<FuncId, String>; 2]) -> Shape {
        for (g, name) in &same[1] {
            let function = self.programs[1].function(*g);
            if matches!(function.body, Body::Extern) && *function.name != **name {
                self.programs[1].function_mut(*g).name = name.as_str().into();
                self.steps.push(Step { side: 1, function: *g, change: Change::Rename(name.clone()) });
            }
        }
        self
    }

    /// Replaces calls by bodies, except of recursive functions and of those in `keep`, in everything that
    /// remains reachable.
    pub fn inlined(mut self, keep: [&BTreeSet<FuncId>; 2]) -> Shape {
        for (side, keep) in keep.into_iter().enumerate() {
            let graph = CallGraph::of(&self.programs[side]);
            let stays = |f: FuncId| keep.contains(&f) || graph.is_recursive(f);
            let mut todo = vec![self.functions[side]];
            let mut done = BTreeSet::new();
            while let Some(f) = todo.pop() {
                if !done.insert(f) {
                    continue;
                }
                while let Some(edge) = next_call(&self.programs[side], f, &stays) {
                    let program = &self.programs[side];
                    let Ok(result) = inline_with(program, program.function(f), edge, Again::Allocate) else {
                        break;
                    };
                    if result.function.cfa().is_none_or(|c| c.edges().len() > LARGEST) {
                        break;
                    }
                    self.programs[side].functions[f.0 as usize] = result.function.into();
                    self.steps.push(Step { side, function: f, change: Change::Inline(vec![edge]) });
                }
                for edge in self.programs[side].function(f).cfa().map(|c| c.edges()).unwrap_or_default() {
                    if let Op::Call { callee: Callee::Direct(g), .. } = &edge.op
                        && !keep.contains(g)
                    {
                        todo.push(*g);
                    }
                }
            }
        }
        self
    }

    /// The loops of a side in order of their heads' numbers.
    pub fn heads(&self, side: usize) -> Vec<NodeId> {
        let forest = self.programs[side].function(self.functions[side]).cfa().map(LoopForest::of);
        forest.map(|f| f.loops().iter().map(|l| l.header).collect()).unwrap_or_default()
    }

    pub fn unrolled(&self, side: usize, head: NodeId, factor: u32) -> Option<Shape> {
        let function = self.programs[side].function(self.functions[side]);
        let result = unroll(function, head, factor).ok()?;
        let note = format!("loop {} of the {} version unrolled {factor} times", head.0, version(side));
        self.replaced(side, result.function, Change::Unroll(head, factor), note)
    }

    pub fn peeled(&self, side: usize, head: NodeId, times: u32) -> Option<Shape> {
        let function = self.programs[side].function(self.functions[side]);
        let result = peel(function, head, times).ok()?;
        let note = format!("{times} iterations of loop {} of the {} version peeled", head.0, version(side));
        self.replaced(side, result.function, Change::Peel(head, times), note)
    }

    /// Replaces every call of a function to itself by its body once.
    pub fn unfolded(&self, side: usize, function: FuncId) -> Option<Shape> {
        let mut result = self.programs[side].function(function).clone();
        // Calls of the original; those in the copied bodies stay.
        let calls = |f: &ir::Function| -> Vec<EdgeId> {
            let edges = f.cfa().map(|c| c.edges()).unwrap_or_default().iter().enumerate();
            edges
                .filter(
                    |(_, e)| matches!(&e.op, Op::Call { callee: Callee::Direct(g), .. } if *g == function),
                )
                .map(|(i, _)| EdgeId(i as u32))
                .collect()
        };
        let count = calls(&result).len();
        if count == 0 || count > 4 {
            return None;
        }
        let mut origins: Vec<bool> = vec![true; result.cfa()?.edges().len()];
        let mut edges = Vec::new();
        for _ in 0..count {
            let next = calls(&result).into_iter().find(|e| origins[e.0 as usize])?;
            let step = inline_with(&self.programs[side], &result, next, Again::Allocate).ok()?;
            origins = step.edges.iter().map(|o| o.own().is_some_and(|e| origins[e.0 as usize])).collect();
            result = step.function;
            edges.push(next);
        }
        let name = result.name.clone();
        let mut shape = self.replaced_function(side, function, result, Change::Inline(edges))?;
        shape.note = noted(&self.note, format!("{name} of the {} version unfolded", version(side)));
        Some(shape)
    }

    fn replaced(&self, side: usize, function: ir::Function, change: Change, note: String) -> Option<Shape> {
        let mut shape = self.replaced_function(side, self.functions[side], function, change)?;
        shape.note = noted(&self.note, note);
        Some(shape)
    }

    fn replaced_function(
        &self,
        side: usize,
        id: FuncId,
        function: ir::Function,
        change: Change,
    ) -> Option<Shape> {
        if function.cfa()?.edges().len() > LARGEST {
            return None;
        }
        let mut shape = self.clone();
        shape.programs[side].functions[id.0 as usize] = function.into();
        shape.steps.push(Step { side, function: id, change });
        Some(shape)
    }
}

fn noted(before: &str, note: String) -> String {
    if before.is_empty() { note } else { format!("{before}, {note}") }
}

pub fn version(side: usize) -> &'static str {
    if side == 0 { "old" } else { "new" }
}

fn next_call(program: &Program, f: FuncId, stays: &dyn Fn(FuncId) -> bool) -> Option<EdgeId> {
    let edges = program.function(f).cfa()?.edges().iter().enumerate();
    let inlinable = |op: &Op| match op {
        Op::Call { callee: Callee::Direct(g), .. } => {
            *g != f && !stays(*g) && matches!(program.function(*g).body, Body::Defined(_))
        }
        _ => false,
    };
    edges.filter(|(_, e)| inlinable(&e.op)).map(|(i, _)| EdgeId(i as u32)).next()
}

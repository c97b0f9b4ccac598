//! What one operation does to a state, calls included.
//!
//! A function is entered with what is known at any of its calls, and left with what is known at any of its
//! returns; a caller keeps what it knows of its own locals and of globals that the callee cannot write.

use crate::eval::{Evaluator, not_null};
use crate::shape::{Shape, Touched};
use crate::state::State;
use crate::values::{Values, shape};
use ir::{Body, CallGraph, EdgeId, Expr, FuncId, GlobalId, LocalId, Op, Program, Type, Var};

pub struct Context<'p> {
    pub program: &'p Program,
    pub graph: CallGraph,
    /// By function: those with a body that calls can reach from the entry.
    pub shapes: Vec<Option<Shape>>,
    /// By function: the calls that may enter it, of functions with a shape.
    pub calls: Vec<Vec<(FuncId, EdgeId)>>,
    touched: Touched,
    evaluator: Evaluator<'p>,
}

/// What is known where a function returns.
#[derive(Clone, Debug)]
pub struct Exit {
    /// Of the globals that it may write.
    pub globals: State,
    /// None: anything, or nothing.
    pub value: Option<Values>,
}

impl Exit {
    pub(crate) fn within(&self, other: &Exit) -> bool {
        let value = match (&self.value, &other.value) {
            (_, None) => true,
            (None, Some(_)) => false,
            (Some(a), Some(b)) => a.within(b),
        };
        value && self.globals.within(&other.globals)
    }

    pub(crate) fn join(&self, other: &Exit) -> Exit {
        let value = self.value.as_ref().zip(other.value.as_ref()).map(|(a, b)| a.join(b));
        Exit { globals: self.globals.join(&other.globals), value: bounded(value) }
    }

    pub(crate) fn widen(&self, newer: &Exit, steps: &[i128]) -> Exit {
        let value = self.value.as_ref().zip(newer.value.as_ref()).map(|(a, b)| a.widen(b, steps));
        Exit { globals: self.globals.widen(&newer.globals, steps, |_| true), value: bounded(value) }
    }
}

fn bounded(values: Option<Values>) -> Option<Values> {
    values.filter(|v| !v.is_all())
}

impl<'p> Context<'p> {
    pub fn new(program: &'p Program, entry: FuncId) -> Context<'p> {
        let graph = CallGraph::of(program);
        let touched = Touched::of(program, &graph);
        let mut shapes: Vec<Option<Shape>> = program.functions.iter().map(|_| None).collect();
        let mut calls = vec![Vec::new(); program.functions.len()];
        let roots: &[FuncId] = if (entry.0 as usize) < program.functions.len() { &[entry] } else { &[] };
        for f in graph.reachable(roots) {
            let Some(cfa) = program.function(f).cfa() else { continue };
            shapes[f.0 as usize] = Some(Shape::of(program, &graph, &touched, f, cfa));
            for site in graph.sites(f) {
                for target in &site.targets {
                    calls[target.0 as usize].push((f, site.edge));
                }
            }
        }
        Context { program, graph, shapes, calls, touched, evaluator: Evaluator::new(program) }
    }

    /// What is known when the program starts in `f`: the globals that it can touch hold what their
    /// initialisers say.
    pub fn initial(&self, f: FuncId) -> State {
        let mut state = State::default();
        for (i, global) in self.program.globals.iter().enumerate() {
            let Some(initial) = global.initial_register() else { continue };
            let Some(ty) = shape(initial.ty, &self.program.target) else { continue };
            if !self.touched.used[f.0 as usize].contains(i as u32) {
                continue;
            }
            let value = self.evaluator.eval(&initial, &State::default());
            if let Some(value) = value.filter(|v| v.ty() == ty) {
                state.set(Var::Global(GlobalId(i as u32)), value);
            }
        }
        state
    }

    /// The state behind an edge; None if no execution gets there. Calls end as `exits` say.
    pub fn post(&self, f: FuncId, edge: EdgeId, state: &State, exits: &[Option<Exit>]) -> Option<State> {
        let cfa = self.program.function(f).cfa()?;
        let mut state = match &cfa.edge(edge).op {
            Op::Assume { cond, holds } => self.evaluator.assume(cond, *holds, state)?,
            Op::Check { cond, .. } => self.evaluator.assume(cond, true, state)?,
            Op::Call { dst, .. } => self.called(f, edge, *dst, state, exits)?,
            op => {
                let mut after = state.clone();
                self.simple(op, state, &mut after);
                after
            }
        };
        if let Some(shape) = &self.shapes[f.0 as usize] {
            for local in &shape.dying[edge.0 as usize] {
                state.forget(Var::Local(*local));
            }
        }
        Some(state)
    }

    fn simple(&self, op: &Op, state: &State, after: &mut State) {
        match op {
            Op::Assign { var, value } => assign(after, *var, self.evaluator.eval(value, state)),
            Op::Havoc { var, .. } => after.forget(*var),
            Op::Alloc { var, .. } => {
                assign(after, *var, shape(Type::Ptr, &self.program.target).map(not_null));
            }
            _ => {}
        }
    }

    /// What a call brings into a function that it may enter.
    pub fn entered(&self, args: &[Expr], state: &State, callee: FuncId) -> State {
        let function = self.program.function(callee);
        let used = &self.touched.used[callee.0 as usize];
        let mut entry = state.keep(|var| matches!(var, Var::Global(id) if used.contains(id.0)));
        for (i, (arg, ty)) in args.iter().zip(function.param_types()).enumerate() {
            let value = self.evaluator.passed(arg.ty, ty, self.evaluator.eval(arg, state));
            assign(&mut entry, Var::Local(LocalId(i as u32)), value);
        }
        if let Some(shape) = &self.shapes[callee.0 as usize] {
            for local in &shape.unread {
                entry.forget(Var::Local(*local));
            }
        }
        entry
    }

    fn called(
        &self,
        f: FuncId,
        edge: EdgeId,
        dst: Option<Var>,
        state: &State,
        exits: &[Option<Exit>],
    ) -> Option<State> {
        let site = self.graph.site(f, edge)?;
        let mut all: Option<State> = None;
        for target in &site.targets {
            let Some(after) = self.returned(f, *target, dst, state, exits) else { continue };
            all = Some(all.map_or(after.clone(), |all| all.join(&after)));
        }
        all
    }

    fn returned(
        &self,
        f: FuncId,
        callee: FuncId,
        dst: Option<Var>,
        state: &State,
        exits: &[Option<Exit>],
    ) -> Option<State> {
        let function = self.program.function(callee);
        let (mut after, mut value) = (state.clone(), None);
        match &function.body {
            Body::Extern if function.havocs => {
                after =
                    state.keep(|var| !matches!(var, Var::Global(id) if self.program.global(id).is_shared()));
            }
            Body::Extern => {}
            Body::Poisoned { .. } => after = state.keep(|var| matches!(var, Var::Local(_))),
            Body::Defined(_) => {
                let exit = exits[callee.0 as usize].as_ref()?;
                let written = &self.touched.written[callee.0 as usize];
                after = state.keep(|var| !matches!(var, Var::Global(id) if written.contains(id.0)));
                for (var, values) in exit.globals.iter() {
                    after.set(var, values.clone());
                }
                let types = function
                    .ret
                    .zip(dst.and_then(|var| self.program.register(self.program.function(f), var)));
                value = types.and_then(|(from, to)| self.evaluator.passed(from, to, exit.value.clone()));
            }
        }
        if let Some(var) = dst {
            assign(&mut after, var, value);
        }
        Some(after)
    }

    /// What is known where a function returns by this operation.
    pub fn exit(&self, f: FuncId, op: &Op, state: &State) -> Option<Exit> {
        let Op::Return(value) = op else { return None };
        let written = &self.touched.written[f.0 as usize];
        let globals = state.keep(|var| matches!(var, Var::Global(id) if written.contains(id.0)));
        let value = value.as_ref().and_then(|e| self.evaluator.eval(e, state));
        Some(Exit { globals, value: bounded(value) })
    }
}

fn assign(state: &mut State, var: Var, value: Option<Values>) {
    match value {
        Some(values) => state.set(var, values),
        None => state.forget(var),
    }
}

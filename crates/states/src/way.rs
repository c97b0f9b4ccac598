//! All ways from a state to the next heads of loops, one after the other.

use crate::cell::Cell;
use crate::evaluate::Residual;
use crate::exec::{Executor, State, Stop};
use engine::{Site, Slot};
use ir::{Body, Callee, CheckKind, EdgeId, Expr, FuncId, HavocKind, LocalId, NodeId, Op, Type, Var};
use ranges::{counted_as, not_null};

/// One way that an execution can go.
#[derive(Clone, Debug)]
pub struct Path {
    pub end: End,
    /// What was taken from outside, in order, where [`Ask`] chose values.
    pub asked: Vec<(Site, u64)>,
}

#[derive(Clone, Debug)]
pub enum End {
    /// At the head of a loop.
    Head(State),
    /// A check fails, or may fail.
    Fails { function: FuncId, edge: EdgeId, kind: CheckKind },
}

/// What comes from outside.
#[derive(Clone, Copy)]
pub enum Ask<'a> {
    /// Any value, all at once.
    Anything,
    /// Some values, one after the other, so that executions are concrete. What is not is left out.
    Chosen(&'a dyn Fn(Slot) -> &'a [u64]),
}

/// Functions that call themselves deeper than this are left to others.
const DEEPEST: usize = 64;
/// More ways from one state to the next heads than this are not looked at one by one.
const MOST_WAYS: usize = 1 << 14;
/// The same in operations, for all ways from one state together.
const MOST_STEPS: u64 = 1 << 22;

impl Executor<'_> {
    /// All ways from a state to the next heads of loops and to checks that may fail; where executions end,
    /// there is none.
    pub fn run<'a>(&'a self, state: State, ask: Ask<'a>) -> Result<Vec<Path>, Stop> {
        let start = self.steps();
        let mut way = Way { exec: self, ask, pending: Vec::new(), found: Vec::new() };
        way.follow(state, Vec::new(), true)?;
        while let Some((state, asked)) = way.pending.pop() {
            way.follow(state, asked, false)?;
            let many = way.pending.len() + way.found.len() > MOST_WAYS;
            if many || self.steps() - start > MOST_STEPS {
                return Err(Stop::Unsupported("too many ways through a loop"));
            }
        }
        Ok(way.found)
    }
}

/// What is under way between two heads.
struct Way<'a, 'p> {
    exec: &'a Executor<'p>,
    ask: Ask<'a>,
    pending: Vec<(State, Vec<(Site, u64)>)>,
    found: Vec<Path>,
}

/// What became of an execution.
enum Next {
    On,
    Over,
}

impl Way<'_, '_> {
    /// Follows one execution to its end, and leaves others for later where it forks. The first state may be
    /// at the head that it leaves.
    fn follow(&mut self, mut state: State, mut asked: Vec<(Site, u64)>, mut first: bool) -> Result<(), Stop> {
        loop {
            self.exec.step()?;
            let Some(frame) = state.frames.last() else { return Ok(()) };
            let (function, node) = (frame.function, frame.node);
            let Some(shape) = self.exec.shape(function) else { return Ok(()) };
            if shape.is_head[node.0 as usize] && !first {
                self.forget_dead(&mut state);
                self.found.push(Path { end: End::Head(state), asked });
                return Ok(());
            }
            first = false;
            let edges = shape.cfa.out(node);
            let next = match edges {
                [] => Next::Over,
                [edge] => {
                    let id = shape.cfa.out_ids(node).next().unwrap_or(EdgeId(0));
                    self.operate(&mut state, &mut asked, id, &edge.op, edge.to)?
                }
                [yes, no] => self.branch(&mut state, &asked, &yes.op, [yes.to, no.to])?,
                _ => return Err(Stop::Unsupported("a branch of more than two ways")),
            };
            if let Next::Over = next {
                return Ok(());
            }
        }
    }

    /// What nobody reads any more makes no difference.
    fn forget_dead(&self, state: &mut State) {
        for frame in &mut state.frames {
            let Some(shape) = self.exec.shape(frame.function) else { continue };
            // A caller goes on behind its call, with the result.
            let (node, written) = match frame.call.map(|call| shape.cfa.edge(call)) {
                Some(edge) => (edge.to, edge.op.written()),
                None => (frame.node, None),
            };
            for (i, cell) in frame.locals.iter_mut().enumerate() {
                let id = LocalId(i as u32);
                if *cell != Cell::Any && (!shape.is_live(node, id) || written == Some(Var::Local(id))) {
                    *cell = Cell::Any;
                }
            }
        }
    }

    fn branch(
        &mut self,
        state: &mut State,
        asked: &[(Site, u64)],
        op: &Op,
        to: [NodeId; 2],
    ) -> Result<Next, Stop> {
        let Op::Assume { cond, holds } = op else { return Err(Stop::Unsupported("an odd branch")) };
        match self.exec.residual(cond, state) {
            Residual::Decided(value) => {
                let side = usize::from(value != *holds);
                self.enter(state, to[side]);
                Ok(Next::On)
            }
            Residual::Open(_) if self.is_concrete() => Ok(Next::Over),
            Residual::Open(open) => {
                let sides = [(*holds, to[0]), (!*holds, to[1])];
                for (holds, to) in sides {
                    for mut part in self.exec.assumed(&open, holds, state) {
                        self.enter(&mut part, to);
                        self.pending.push((part, asked.to_vec()));
                    }
                }
                Ok(Next::Over)
            }
        }
    }

    fn enter(&self, state: &mut State, node: NodeId) {
        if let Some(frame) = state.frames.last_mut() {
            frame.node = node;
        }
    }

    /// Values that come from outside are chosen one by one: whatever is not known then is beyond what is
    /// followed.
    fn is_concrete(&self) -> bool {
        matches!(self.ask, Ask::Chosen(_))
    }

    fn operate(
        &mut self,
        state: &mut State,
        asked: &mut Vec<(Site, u64)>,
        edge: EdgeId,
        op: &Op,
        to: NodeId,
    ) -> Result<Next, Stop> {
        let Some(frame) = state.frames.last() else { return Ok(Next::Over) };
        let function = frame.function;
        match op {
            Op::Skip
            | Op::Store { .. }
            | Op::Copy { .. }
            | Op::Fill { .. }
            | Op::Free { .. }
            | Op::Lifetime { .. } => {}
            Op::Assume { cond, holds } => match self.exec.residual(cond, state) {
                Residual::Decided(value) if value == *holds => {}
                Residual::Decided(_) => return Ok(Next::Over),
                Residual::Open(_) if self.is_concrete() => return Ok(Next::Over),
                Residual::Open(open) => {
                    for mut part in self.exec.assumed(&open, *holds, state) {
                        self.enter(&mut part, to);
                        self.pending.push((part, asked.clone()));
                    }
                    return Ok(Next::Over);
                }
            },
            Op::Check { cond, kind, .. } => match self.exec.residual(cond, state) {
                Residual::Decided(true) => {}
                Residual::Open(_) if self.is_concrete() => return Ok(Next::Over),
                _ => {
                    let end = End::Fails { function, edge, kind: *kind };
                    self.found.push(Path { end, asked: std::mem::take(asked) });
                    return Ok(Next::Over);
                }
            },
            Op::Assign { var, value } => {
                let cell = self.exec.value(value, state);
                self.exec.set(state, *var, cell);
            }
            Op::Alloc { var, .. } => {
                let shape = counted_as(Type::Ptr, &self.exec.program.target);
                self.exec.set(state, *var, Cell::of(shape.map(not_null)));
            }
            Op::Havoc { var, kind } => {
                let outside = !matches!(kind, HavocKind::Uninit);
                return self.receive(state, asked, Some(*var), Site::Edge(function, edge), outside, to);
            }
            Op::Call { dst, callee, args } => {
                return self.call(state, asked, edge, (*dst, callee, args), to);
            }
            Op::Return(value) => return self.leave(state, value.as_ref()),
            Op::Halt(_) => return Ok(Next::Over),
        }
        self.enter(state, to);
        Ok(Next::On)
    }

    /// A variable takes a value from outside.
    fn receive(
        &mut self,
        state: &mut State,
        asked: &[(Site, u64)],
        var: Option<Var>,
        site: Site,
        outside: bool,
        to: NodeId,
    ) -> Result<Next, Stop> {
        let function = state.frames.last().map_or(FuncId(0), |frame| frame.function);
        self.enter(state, to);
        let Some(var) = var else { return Ok(Next::On) };
        let slot = match var {
            Var::Local(id) => Slot::Local(function, id),
            Var::Global(id) => Slot::Global(id),
        };
        let bounded = self.exec.type_of(function, var).filter(|ty| ty.is_int());
        let Ask::Chosen(candidates) = self.ask else {
            self.exec.set(state, var, Cell::Any);
            return Ok(Next::On);
        };
        let Some(shape) = bounded.and_then(|ty| counted_as(ty, &self.exec.program.target)) else {
            return Ok(Next::Over);
        };
        let few = if outside { candidates(slot) } else { &[0] };
        for value in few.iter().rev() {
            let bits = u128::from(*value) & shape.mask();
            let mut part = state.clone();
            let mut asked = asked.to_vec();
            self.exec.set(&mut part, var, Cell::Known(bits as u64));
            asked.push((site.clone(), bits as u64));
            self.pending.push((part, asked));
        }
        Ok(Next::Over)
    }

    fn call(
        &mut self,
        state: &mut State,
        asked: &[(Site, u64)],
        edge: EdgeId,
        (dst, callee, args): (Option<Var>, &Callee, &[Expr]),
        to: NodeId,
    ) -> Result<Next, Stop> {
        let Callee::Direct(callee) = callee else {
            return Err(Stop::Unsupported("a call through a pointer"));
        };
        let function = self.exec.program.function(*callee);
        match &function.body {
            Body::Poisoned { .. } => Err(Stop::Unsupported("a call of what could not be translated")),
            Body::Extern => {
                // Where values are chosen, nothing else is changed from outside.
                if function.havocs && !self.is_concrete() {
                    for (i, (id, _)) in self.exec.globals.iter().enumerate() {
                        if self.exec.program.global(*id).is_shared() {
                            state.globals[i] = Cell::Any;
                        }
                    }
                }
                let caller = state.frames.last().map_or(FuncId(0), |frame| frame.function);
                self.receive(state, asked, dst, Site::Edge(caller, edge), true, to)
            }
            Body::Defined(_) => {
                if state.frames.len() >= DEEPEST {
                    return Err(Stop::Unsupported("recursion"));
                }
                let mut inner = self.exec.frame(*callee)?;
                let given = args.iter().zip(function.param_types());
                for (cell, (arg, ty)) in inner.locals.iter_mut().zip(given) {
                    if arg.ty == ty {
                        *cell = self.exec.value(arg, state);
                    }
                }
                if self.is_concrete() {
                    self.exec.unset(&mut inner, function.params);
                }
                if let Some(frame) = state.frames.last_mut() {
                    frame.call = Some(edge);
                }
                state.frames.push(inner);
                Ok(Next::On)
            }
        }
    }

    fn leave(&mut self, state: &mut State, value: Option<&Expr>) -> Result<Next, Stop> {
        let result = value.map(|e| (e.ty, self.exec.value(e, state)));
        state.frames.pop();
        let Some(frame) = state.frames.last_mut() else { return Ok(Next::Over) };
        let function = frame.function;
        let Some((call, shape)) = frame.call.take().zip(self.exec.shape(function)) else {
            return Ok(Next::Over);
        };
        let edge = shape.cfa.edge(call);
        frame.node = edge.to;
        if let Op::Call { dst: Some(var), .. } = &edge.op {
            let wanted = self.exec.type_of(function, *var);
            let cell = result.filter(|(ty, _)| Some(*ty) == wanted).map_or(Cell::Any, |(_, cell)| cell);
            self.exec.set(state, *var, cell);
        }
        Ok(Next::On)
    }
}

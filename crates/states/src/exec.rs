//! From a state to the next heads of loops.

use crate::cell::Cell;
use crate::shape::Shape;
use base::{Budget, Stopped};
use engine::{Site, Slot};
use interp::eval;
use ir::{
    BinOp, Body, Callee, CheckKind, EdgeId, Expr, ExprKind, FuncId, GlobalId, HavocKind, LocalId, NodeId, Op,
    Program, Storage, Type, UnOp, Var,
};
use ranges::{Evaluator, Values, counted_as, not_null};
use std::cell::Cell as Counter;

/// Where an execution is, and what its register variables hold.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State {
    /// From the entry inwards.
    pub frames: Vec<Frame>,
    /// By position in [`Executor::globals`].
    pub globals: Vec<Cell>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Frame {
    pub function: FuncId,
    pub node: NodeId,
    /// The call that is being made here, if this is not the innermost function.
    pub call: Option<EdgeId>,
    pub locals: Vec<Cell>,
}

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

/// Why executions are not followed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stop {
    Budget(Stopped),
    Unsupported(&'static str),
}

pub struct Executor<'p> {
    pub program: &'p Program,
    /// The register globals, in the order in which states have them.
    pub globals: Vec<(GlobalId, Type)>,
    /// By global: its position there.
    positions: Vec<Option<u32>>,
    shapes: Vec<Option<Shape<'p>>>,
    evaluator: Evaluator<'p>,
    steps: Counter<u64>,
    budget: &'p Budget,
}

/// Functions that call themselves deeper than this are left to others.
const DEEPEST: usize = 64;
/// More ways from one state to the next heads than this are not looked at one by one.
const MOST_WAYS: usize = 1 << 14;
/// The same in operations, for all ways from one state together.
const MOST_STEPS: u64 = 1 << 22;
const BETWEEN_CHECKS: u64 = 1 << 12;

impl<'p> Executor<'p> {
    pub fn new(program: &'p Program, budget: &'p Budget) -> Executor<'p> {
        let mut globals = Vec::new();
        let mut positions = vec![None; program.globals.len()];
        for (i, global) in program.globals.iter().enumerate() {
            if let Storage::Register(ty) = global.storage {
                positions[i] = Some(globals.len() as u32);
                globals.push((GlobalId(i as u32), ty));
            }
        }
        let shapes = program.functions.iter().map(|f| Shape::of(f)).collect();
        let evaluator = Evaluator::new(program);
        Executor { program, globals, positions, shapes, evaluator, steps: Counter::new(0), budget }
    }

    /// How many operations were executed.
    pub fn steps(&self) -> u64 {
        self.steps.get()
    }

    /// The state in which the program starts; parameters of the entry are anything.
    pub fn initial(&self, entry: FuncId) -> Result<State, Stop> {
        let globals = self.globals.iter().map(|(id, ty)| self.initially(*id, *ty)).collect();
        Ok(State { frames: vec![self.frame(entry)?], globals })
    }

    /// The same, where what nobody determines is zero: integers that come from outside, and locals without a
    /// value.
    pub fn initial_zero(&self, entry: FuncId) -> Result<State, Stop> {
        let mut state = self.initial(entry)?;
        for (cell, (_, ty)) in state.globals.iter_mut().zip(self.globals.iter()) {
            if *cell == Cell::Any && ty.is_int() {
                *cell = Cell::Known(0);
            }
        }
        for frame in &mut state.frames {
            self.unset(frame, 0);
        }
        Ok(state)
    }

    /// Registers that are read before they are set hold zero, unless somebody says otherwise.
    fn unset(&self, frame: &mut Frame, params: u32) {
        let Some(shape) = self.shape(frame.function) else { return };
        for (cell, ty) in frame.locals.iter_mut().zip(&shape.types).skip(params as usize) {
            if ty.is_some_and(Type::is_int) {
                *cell = Cell::Known(0);
            }
        }
    }

    fn frame(&self, function: FuncId) -> Result<Frame, Stop> {
        let shape = self.shape(function).ok_or(Stop::Unsupported("a function without a body"))?;
        let locals = vec![Cell::Any; shape.types.len()];
        Ok(Frame { function, node: shape.cfa.entry, call: None, locals })
    }

    fn initially(&self, id: GlobalId, ty: Type) -> Cell {
        let initial = self.program.global(id).initial_register();
        let (Some(initial), Some(shape)) = (initial, counted_as(ty, &self.program.target)) else {
            return Cell::Any;
        };
        let value = self.evaluator.eval(&initial, &ranges::State::default());
        Cell::of(value.filter(|v| v.ty() == shape))
    }

    pub(crate) fn shape(&self, function: FuncId) -> Option<&Shape<'p>> {
        self.shapes.get(function.0 as usize)?.as_ref()
    }

    fn type_of(&self, function: FuncId, var: Var) -> Option<Type> {
        match var {
            Var::Local(id) => *self.shape(function)?.types.get(id.0 as usize)?,
            Var::Global(id) => {
                let position = (*self.positions.get(id.0 as usize)?)?;
                Some(self.globals[position as usize].1)
            }
        }
    }

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

    fn step(&self) -> Result<(), Stop> {
        let steps = self.steps.get() + 1;
        self.steps.set(steps);
        match steps.is_multiple_of(BETWEEN_CHECKS) {
            true => self.budget.check(steps).map_err(Stop::Budget),
            false => Ok(()),
        }
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
        match self.residual(cond, state) {
            Residual::Decided(value) => {
                let side = usize::from(value != *holds);
                self.enter(state, to[side]);
                Ok(Next::On)
            }
            Residual::Open(_) if self.is_concrete() => Ok(Next::Over),
            Residual::Open(open) => {
                let sides = [(*holds, to[0]), (!*holds, to[1])];
                for (holds, to) in sides {
                    for mut part in self.assumed(&open, holds, state) {
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
            Op::Assume { cond, holds } => match self.residual(cond, state) {
                Residual::Decided(value) if value == *holds => {}
                Residual::Decided(_) => return Ok(Next::Over),
                Residual::Open(_) if self.is_concrete() => return Ok(Next::Over),
                Residual::Open(open) => {
                    for mut part in self.assumed(&open, *holds, state) {
                        self.enter(&mut part, to);
                        self.pending.push((part, asked.clone()));
                    }
                    return Ok(Next::Over);
                }
            },
            Op::Check { cond, kind, .. } => match self.residual(cond, state) {
                Residual::Decided(true) => {}
                Residual::Open(_) if self.is_concrete() => return Ok(Next::Over),
                _ => {
                    let end = End::Fails { function, edge, kind: *kind };
                    self.found.push(Path { end, asked: std::mem::take(asked) });
                    return Ok(Next::Over);
                }
            },
            Op::Assign { var, value } => {
                let cell = self.value(value, state);
                self.set(state, *var, cell);
            }
            Op::Alloc { var, .. } => {
                let shape = counted_as(Type::Ptr, &self.exec.program.target);
                self.set(state, *var, Cell::of(shape.map(not_null)));
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
            self.set(state, var, Cell::Any);
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
            self.set(&mut part, var, Cell::Known(bits as u64));
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
                        *cell = self.value(arg, state);
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
        let result = value.map(|e| (e.ty, self.value(e, state)));
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
            self.set(state, *var, cell);
        }
        Ok(Next::On)
    }

    fn set(&self, state: &mut State, var: Var, cell: Cell) {
        let place = match var {
            Var::Local(id) => state.frames.last_mut().and_then(|f| f.locals.get_mut(id.0 as usize)),
            Var::Global(id) => {
                let position = self.exec.positions.get(id.0 as usize).copied().flatten();
                position.and_then(|p| state.globals.get_mut(p as usize))
            }
        };
        if let Some(place) = place {
            *place = cell;
        }
    }

    fn get<'s>(&self, state: &'s State, var: Var) -> &'s Cell {
        let place = match var {
            Var::Local(id) => state.frames.last().and_then(|f| f.locals.get(id.0 as usize)),
            Var::Global(id) => {
                let position = self.exec.positions.get(id.0 as usize).copied().flatten();
                position.and_then(|p| state.globals.get(p as usize))
            }
        };
        place.unwrap_or(&Cell::Any)
    }

    fn value(&self, e: &Expr, state: &State) -> Cell {
        match self.constant(e, state) {
            Some(bits) => Cell::Known(bits),
            None => Cell::of(self.exec.evaluator.eval(e, &self.bounds(e, state))),
        }
    }

    /// What is known of the variables in an expression.
    fn bounds(&self, e: &Expr, state: &State) -> ranges::State {
        let mut bounds = ranges::State::default();
        e.walk(&mut |part| {
            let Some(var) = variable(part) else { return };
            let cell = self.get(state, var);
            if *cell != Cell::Any
                && let Some(values) = cell.values(part.ty, &self.exec.program.target)
            {
                bounds.set(var, values);
            }
        });
        bounds
    }

    /// The bits of an expression that has one value, however the rest is.
    fn constant(&self, e: &Expr, state: &State) -> Option<u64> {
        let target = &self.exec.program.target;
        let shape = counted_as(e.ty, target)?;
        match &e.kind {
            ExprKind::Const(bits) => {
                (e.ty != Type::Ptr || *bits == 0).then_some((*bits & shape.mask()) as u64)
            }
            ExprKind::Local(id) => self.get(state, Var::Local(*id)).known(),
            ExprKind::Global(id) => self.get(state, Var::Global(*id)).known(),
            ExprKind::Binary(op @ (BinOp::And | BinOp::Or), a, b) if e.ty == Type::Bool => {
                let stops = u64::from(*op == BinOp::Or);
                match self.constant(a, state) {
                    Some(value) if value == stops => Some(stops),
                    Some(_) => self.constant(b, state),
                    None => self.constant(b, state).filter(|value| *value == stops),
                }
            }
            ExprKind::Binary(op, a, b) => {
                counted_as(a.ty, target)?;
                if a.ty == Type::Ptr && !matches!(op, BinOp::Eq | BinOp::Ne) {
                    return None;
                }
                let (a_bits, b_bits) = (self.constant(a, state)?, self.constant(b, state)?);
                let bits = eval::binary(target, *op, a.ty, a_bits.into(), b_bits.into()).ok()?;
                Some(bits as u64)
            }
            ExprKind::Unary(op @ (UnOp::Neg | UnOp::Not), a) => {
                let bits = self.constant(a, state)?;
                Some((eval::unary(*op, a.ty, bits.into()) & shape.mask()) as u64)
            }
            ExprKind::Cast(a) => {
                counted_as(a.ty, target)?;
                let bits = self.constant(a, state)?;
                let bits = eval::cast(target, a.ty, e.ty, bits.into());
                (e.ty != Type::Ptr || bits == 0).then_some(bits as u64)
            }
            ExprKind::Ite(parts) => match self.constant(&parts[0], state)? {
                0 => self.constant(&parts[2], state),
                _ => self.constant(&parts[1], state),
            },
            _ => None,
        }
    }

    /// What is left of a condition where its parts that are known are put in.
    fn residual(&self, e: &Expr, state: &State) -> Residual {
        match &e.kind {
            ExprKind::Binary(op @ (BinOp::And | BinOp::Or), a, b) if e.ty == Type::Bool => {
                let stops = *op == BinOp::Or;
                match self.residual(a, state) {
                    Residual::Decided(value) if value == stops => Residual::Decided(stops),
                    Residual::Decided(_) => self.residual(b, state),
                    Residual::Open(a) => match self.residual(b, state) {
                        Residual::Decided(value) if value == stops => Residual::Decided(stops),
                        Residual::Decided(_) => Residual::Open(a),
                        Residual::Open(b) => Residual::Open(Expr::binary(*op, a, b)),
                    },
                }
            }
            ExprKind::Unary(UnOp::Not, a) if e.ty == Type::Bool => match self.residual(a, state) {
                Residual::Decided(value) => Residual::Decided(!value),
                Residual::Open(a) => Residual::Open(a.not()),
            },
            _ => match self.constant(e, state) {
                Some(bits) => Residual::Decided(bits == 1),
                None => {
                    let values = self.exec.evaluator.eval(e, &self.bounds(e, state));
                    match values.and_then(|v| v.single()) {
                        Some(value) => Residual::Decided(value == 1),
                        None => Residual::Open(e.clone()),
                    }
                }
            },
        }
    }

    /// The parts of a state in which a condition that is not decided has this outcome.
    fn assumed(&self, cond: &Expr, holds: bool, state: &State) -> Vec<State> {
        let bounds = self.bounds(cond, state);
        if let Some((var, values, excluded)) = self.excluded(cond, holds, state) {
            let sides = [values.clip(i128::MIN, excluded - 1), values.clip(excluded + 1, i128::MAX)];
            let part = |values: Values| {
                let mut part = state.clone();
                self.set(&mut part, var, Cell::of(Some(values)));
                part
            };
            return sides.into_iter().flatten().map(part).collect();
        }
        let Some(after) = self.exec.evaluator.assume(cond, holds, &bounds) else { return Vec::new() };
        let mut part = state.clone();
        cond.walk(&mut |e| {
            if let Some(var) = variable(e)
                && let Some(values) = after.get(var)
            {
                self.set(&mut part, var, Cell::of(Some(values.clone())));
            }
        });
        vec![part]
    }

    /// If the condition says that a variable is not some value in the middle of those that it can have.
    fn excluded(&self, cond: &Expr, holds: bool, state: &State) -> Option<(Var, Values, i128)> {
        let (cond, holds) = match &cond.kind {
            ExprKind::Unary(UnOp::Not, inner) => (&**inner, !holds),
            _ => (cond, holds),
        };
        let ExprKind::Binary(op @ (BinOp::Eq | BinOp::Ne), a, b) = &cond.kind else { return None };
        if (*op == BinOp::Ne) != holds || !a.ty.is_int() {
            return None;
        }
        let (var, value) = match (variable(a), variable(b)) {
            (Some(var), None) => (var, self.constant(b, state)?),
            (None, Some(var)) => (var, self.constant(a, state)?),
            _ => return None,
        };
        let target = &self.exec.program.target;
        let values = self.get(state, var).values(a.ty, target)?;
        let value = values.ty().value(u128::from(value));
        (values.members().is_none() && values.low() < value && value < values.high())
            .then_some((var, values, value))
    }
}

enum Residual {
    Decided(bool),
    Open(Expr),
}

fn variable(e: &Expr) -> Option<Var> {
    match e.kind {
        ExprKind::Local(id) => Some(Var::Local(id)),
        ExprKind::Global(id) => Some(Var::Global(id)),
        _ => None,
    }
}

/// The register of a function that a state's cell is.
pub(crate) fn local(frame: &Frame, index: usize) -> Slot {
    Slot::Local(frame.function, LocalId(index as u32))
}

//! A program whose register variables are executed, and the state in which it starts.

use crate::cell::Cell;
use crate::shape::Shape;
use base::{Budget, Stopped};
use engine::Slot;
use ir::{EdgeId, FuncId, GlobalId, LocalId, NodeId, Program, Storage, Type, Var};
use ranges::{Evaluator, counted_as};
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
    pub(crate) evaluator: Evaluator<'p>,
    steps: Counter<u64>,
    budget: &'p Budget,
}

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
    pub(crate) fn unset(&self, frame: &mut Frame, params: u32) {
        let Some(shape) = self.shape(frame.function) else { return };
        for (cell, ty) in frame.locals.iter_mut().zip(&shape.types).skip(params as usize) {
            if ty.is_some_and(Type::is_int) {
                *cell = Cell::Known(0);
            }
        }
    }

    pub(crate) fn frame(&self, function: FuncId) -> Result<Frame, Stop> {
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

    /// Where states have a global.
    pub(crate) fn position(&self, id: GlobalId) -> Option<usize> {
        self.positions.get(id.0 as usize).copied().flatten().map(|position| position as usize)
    }

    pub(crate) fn type_of(&self, function: FuncId, var: Var) -> Option<Type> {
        match var {
            Var::Local(id) => *self.shape(function)?.types.get(id.0 as usize)?,
            Var::Global(id) => Some(self.globals[self.position(id)?].1),
        }
    }

    pub(crate) fn step(&self) -> Result<(), Stop> {
        let steps = self.steps.get() + 1;
        self.steps.set(steps);
        match steps.is_multiple_of(BETWEEN_CHECKS) {
            true => self.budget.check(steps).map_err(Stop::Budget),
            false => Ok(()),
        }
    }
}

/// The register of a function that a state's cell is.
pub(crate) fn local(frame: &Frame, index: usize) -> Slot {
    Slot::Local(frame.function, LocalId(index as u32))
}

//! Operations on a symbolic state.

use crate::expr::{Encoder, Ignored, Outside, Who};
use crate::footprint::writes_buffer;
use crate::mode::{IntMode, Unsupported};
use crate::state::State;
use ir::{Body, Callee, Expr, FuncId, GlobalId, HavocKind, Op, Storage, Type, Var};
use logic::{Sort, Term};

/// What an operation did, besides changing the state.
#[derive(Clone, PartialEq, Debug)]
pub enum Step {
    /// Goes on where this holds (`true` for everything but assumes).
    On(Term),
    /// `Check`: fails where this holds, goes on elsewhere.
    Checked {
        fails: Term,
    },
    /// A call of a defined function (or through a pointer), left to the caller of the encoder: nothing was
    /// changed.
    Call,
    Return(Option<Term>),
    Halt(Option<Term>),
}

impl Encoder<'_> {
    pub fn op(&mut self, op: &Op, state: &mut State) -> Result<Step, Unsupported> {
        match op {
            Op::Skip => {}
            Op::Assume { cond, holds } => {
                let cond = self.expr(cond, state)?;
                return Ok(Step::On(if *holds { cond } else { cond.not() }));
            }
            Op::Assign { var, value } => {
                let value = self.expr(value, state)?;
                state.set(*var, value);
            }
            Op::Store { addr, value } => {
                let region = self.regions.of(self.index, self.function, addr);
                let at = self.expr(addr, state)?;
                let new = self.expr(value, state)?;
                self.store(state, region, at, value.ty, new)?;
            }
            Op::Havoc { var, kind } => self.havoc(*var, kind, state)?,
            Op::Copy { dst, src, len } => self.copy(dst, src, len, state)?,
            Op::Fill { dst, byte, len } => self.fill(dst, byte, len, state)?,
            Op::Alloc { var, size, .. } => {
                let (ty, size) = (size.ty, self.expr(size, state)?);
                let size = self.as_number(ty, size);
                let address =
                    Term::apply("alloc", [state.allocations, size], self.mode.pointer(self.target()));
                self.outside(Type::Ptr, address);
                self.not_null(address);
                state.allocations = state.allocations.add(Term::int(1));
                state.set(*var, address);
            }
            // Whether the object may be freed is a property of its own; reading it afterwards is invalid.
            Op::Free { ptr } => {
                self.expr(ptr, state)?;
            }
            // Which objects live matters to checks of memory alone, which are not encoded.
            Op::Lifetime { .. } => {}
            Op::Call { dst, callee: Callee::Direct(callee), args } => {
                return self.call(*dst, *callee, args, state);
            }
            // Whatever it points to is a function of its arguments and of what it can reach.
            Op::Call { dst, callee: Callee::Indirect(pointer), args } => {
                let types: Vec<String> = args.iter().map(|e| e.ty.to_string()).collect();
                let result =
                    dst.map(|d| self.var_type(d)).transpose()?.map_or("void".to_owned(), |t| t.to_string());
                let mut values = vec![self.expr(pointer, state)?];
                for arg in args {
                    values.push(self.expr(arg, state)?);
                }
                self.unknown_code(&format!("pointer.{result}({})", types.join(",")), values, *dst, state)?;
            }
            Op::Return(value) => {
                return Ok(Step::Return(self.optional(value.as_ref(), state)?));
            }
            Op::Halt(code) => return Ok(Step::Halt(self.optional(code.as_ref(), state)?)),
            Op::Check { cond, .. } => {
                let cond = self.expr(cond, state)?;
                return Ok(Step::Checked { fails: cond.not() });
            }
        }
        Ok(Step::On(Term::bool(true)))
    }

    /// The type of a register variable.
    pub(crate) fn var_type(&self, var: Var) -> Result<Type, Unsupported> {
        let storage = match var {
            Var::Local(id) => self.program.function(self.function).local(id).storage,
            Var::Global(id) => self.program.global(id).storage,
        };
        match storage {
            Storage::Register(ty) => Ok(ty),
            Storage::Memory { .. } => Err(Unsupported("a memory variable used as a register".to_owned())),
        }
    }

    fn optional(&mut self, e: Option<&Expr>, state: &State) -> Result<Option<Term>, Unsupported> {
        e.map(|e| self.expr(e, state)).transpose()
    }

    /// A value as an integer, whatever the mode.
    fn as_number(&self, ty: Type, value: Term) -> Term {
        match self.mode {
            IntMode::Bv => value.bv_to_int(self.int_type(ty).is_some_and(|int| int.signed)),
            _ => value,
        }
    }

    fn havoc(&mut self, var: Var, kind: &HavocKind, state: &mut State) -> Result<(), Unsupported> {
        let ty = self.var_type(var)?;
        let sort = self.sort(ty)?;
        let value = match kind {
            _ if self.outside_code == Outside::Values => self.given(sort),
            HavocKind::Input(name) => {
                let value = Term::apply(&format!("input.{ty}"), [state.inputs], sort);
                self.ask(Who::Input(name.clone()), ty, value);
                state.inputs = state.inputs.add(Term::int(1));
                value
            }
            HavocKind::Uninit => {
                let name = match var {
                    Var::Local(id) => {
                        let function = self.program.function(self.function);
                        format!("{}.{}", function.name, function.local(id).name)
                    }
                    Var::Global(id) => self.program.global(id).name.to_string(),
                };
                // Each declaration that is passed gives a value of its own.
                let count = self.uninit.entry(var).or_default();
                *count += 1;
                match *count {
                    1 => Term::var(&format!("uninit.{name}"), sort),
                    n => Term::var(&format!("uninit.{name}#{n}"), sort),
                }
            }
            HavocKind::Asm => self.fresh("asm", sort),
        };
        let value = self.outside(ty, value);
        state.set(var, value);
        Ok(())
    }

    fn call(
        &mut self,
        dst: Option<Var>,
        callee: FuncId,
        args: &[Expr],
        state: &mut State,
    ) -> Result<Step, Unsupported> {
        let function = self.program.function(callee);
        if let Some((_, what)) = self.ignored.iter().find(|(name, _)| *name == &*function.name) {
            let args = args.iter().map(|e| self.expr(e, state)).collect::<Result<Vec<_>, _>>()?;
            if let Some(dst) = dst {
                let value = match (what, args.first()) {
                    (Ignored::FirstArgument, Some(first)) => *first,
                    _ => {
                        let ty = self.var_type(dst)?;
                        self.constant(ty, ty.as_int().map_or(1, |int| int.mask()))?
                    }
                };
                state.set(dst, value);
            }
            return Ok(Step::On(Term::bool(true)));
        }
        match &function.body {
            Body::Defined(_) => Ok(Step::Call),
            Body::Poisoned { reason, .. } => Err(Unsupported(format!("call of {}: {reason}", function.name))),
            Body::Extern if self.outside_code == Outside::Values => {
                for e in args {
                    self.expr(e, state)?;
                }
                if let Some(buffer) = args.first().filter(|_| writes_buffer(&function.name)) {
                    for region in self.regions.around(self.index, self.function, buffer) {
                        let sort = self.array(state, region)?.sort();
                        state.memory[region.0 as usize] = self.fresh("written", sort);
                    }
                }
                if function.havocs {
                    self.havoc_shared(state)?;
                }
                if let Some(dst) = dst {
                    let ty = self.var_type(dst)?;
                    let value = self.given(self.sort(ty)?);
                    let value = self.outside(ty, value);
                    state.set(dst, value);
                }
                Ok(Step::On(Term::bool(true)))
            }
            Body::Extern => {
                let mut name = format!("extern.{}", function.name);
                // A variadic function is another one for each list of extra arguments.
                if let Some(extra) = args.get(function.params as usize..).filter(|list| !list.is_empty()) {
                    let types: Vec<String> = extra.iter().map(|e| e.ty.to_string()).collect();
                    name = format!("{name}({})", types.join(","));
                }
                let args = args.iter().map(|e| self.expr(e, state)).collect::<Result<Vec<_>, _>>()?;
                self.unknown_code(&name, args, dst, state)?;
                if let Some((dst, value)) = dst.and_then(|dst| Some((dst, state.get(dst)?))) {
                    let ty = self.var_type(dst)?;
                    self.ask(Who::Function(function.name.clone()), ty, value);
                }
                Ok(Step::On(Term::bool(true)))
            }
        }
    }

    /// Everything that unknown code can reach has any value.
    fn havoc_shared(&mut self, state: &mut State) -> Result<(), Unsupported> {
        for k in 0..self.regions.list.len().min(state.memory.len()) {
            if self.regions.list[k].is_shared() {
                let sort = state.memory[k].sort();
                state.memory[k] = self.fresh("changed", sort);
            }
        }
        for id in (0..self.program.globals.len() as u32).map(GlobalId) {
            let global = self.program.global(id);
            if let Storage::Register(ty) = global.storage
                && global.is_shared()
            {
                let value = self.given(self.sort(ty)?);
                let value = self.outside(ty, value);
                state.set(Var::Global(id), value);
            }
        }
        Ok(())
    }

    /// Code that is a function of its arguments and of everything that it can reach: it can change all of
    /// that.
    fn unknown_code(
        &mut self,
        name: &str,
        mut args: Vec<Term>,
        dst: Option<Var>,
        state: &mut State,
    ) -> Result<(), Unsupported> {
        let writes = self.outside_code == Outside::Functions;
        let regions: Vec<usize> = (0..self.regions.list.len().min(state.memory.len()))
            .filter(|k| writes && self.regions.list[*k].is_shared())
            .collect();
        let mut globals: Vec<GlobalId> = (0..self.program.globals.len() as u32)
            .map(GlobalId)
            .filter(|id| {
                writes && !self.program.global(*id).constant && state.get(Var::Global(*id)).is_some()
            })
            .collect();
        // The same order in every version of a program, wherever it declares them.
        globals.sort_by_key(|id| &self.program.global(*id).name);
        args.extend(regions.iter().map(|k| state.memory[*k]));
        args.extend(globals.iter().filter_map(|id| state.get(Var::Global(*id))));
        args.push(state.world);
        for k in regions {
            let sort = state.memory[k].sort();
            state.memory[k] = Term::apply(&format!("{name}.memory.{k}"), args.iter().copied(), sort);
        }
        for id in globals {
            let ty = self.var_type(Var::Global(id))?;
            let name = format!("{name}.global.{}", self.program.global(id).name);
            let value = Term::apply(&name, args.iter().copied(), self.sort(ty)?);
            let value = self.outside(ty, value);
            state.set(Var::Global(id), value);
        }
        if let Some(dst) = dst {
            let ty = self.var_type(dst)?;
            let value = Term::apply(name, args.iter().copied(), self.sort(ty)?);
            let value = self.outside(ty, value);
            state.set(dst, value);
        }
        state.world = Term::apply(&format!("{name}.world"), args, Sort::Int);
        Ok(())
    }
}

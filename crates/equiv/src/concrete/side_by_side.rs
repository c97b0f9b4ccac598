//! Both versions once more, step by step, for people to read.
//!
//! A run with every location watched gives the values of all register variables before each step; what a step
//! did to variables is seen in the next state of the same activation. Temporaries of lowering are left out.
//! The result is data; how it looks is decided elsewhere.

use super::input::{Input, Value};
use super::machine::View;
use super::observe::{Describer, Ending};
use super::runner::Comparer;
use base::Budget;
use interp::{Snapshot, eval};
use ir::{
    BinOp, Edge, Expr, ExprDisplay, ExprKind, Function, LocalOrigin, Op, Pos, Program, Storage, Type, Var,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Something a reader of the source sees happen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    pub pos: Pos,
    pub function: Arc<str>,
    /// How many callers are active.
    pub depth: u32,
    pub what: What,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum What {
    /// A variable has a new value.
    Assign {
        name: Arc<str>,
        ty: Type,
        value: Value,
    },
    /// A write to memory: what was written, if it could be worked out, and where as text of the IR.
    Store {
        target: String,
        ty: Type,
        value: Option<Value>,
    },
    /// A decision: the condition as text of the IR.
    Branch {
        condition: String,
        holds: bool,
    },
    /// A call, of a function with or without a body; arguments where they are known.
    Call {
        name: Arc<str>,
        args: Vec<(Type, Value)>,
        result: Option<(Type, Value)>,
    },
    Return {
        value: Option<(Type, Value)>,
    },
    /// Anything else: text of the IR.
    Other {
        text: String,
    },
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Story {
    pub events: Vec<Event>,
    /// There was more than the limit allows.
    pub cut: bool,
    /// How it ended, if it did.
    pub ending: Option<Ending>,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SideBySide {
    pub old: Story,
    pub new: Story,
    /// The indices of the first events of the two versions that both would show and that are not the same:
    /// assignments of variables that both have, calls, returns.
    pub first_difference: Option<(usize, usize)>,
}

/// Runs both versions on `input` and tells what they did, `limit` events of each at most. None if the input
/// does not fit them.
pub fn side_by_side(
    comparer: &mut Comparer,
    input: &Input,
    limit: usize,
    budget: &Budget,
) -> Option<SideBySide> {
    let budget = budget.with_steps(Some(limit as u64 * 4));
    let mut stories = comparer.told(input, &budget, |view, outcome| story(view, outcome, limit))?.into_iter();
    let (old, new) = (stories.next()?, stories.next()?);
    let first_difference = first_difference(&old, &new);
    Some(SideBySide { old, new, first_difference })
}

fn story(view: &View, ended: bool, limit: usize) -> Story {
    let mut teller = Teller {
        view,
        describer: Describer::new(view),
        events: Vec::new(),
        deferred: BTreeMap::new(),
        extern_call: 0,
    };
    let run = &view.ran.run;
    let next = next_in_activation(&run.snapshots);
    let mut cut = !ended;
    for (i, (step, state)) in run.trace.iter().zip(&run.snapshots).enumerate() {
        for event in teller.deferred.remove(&i).unwrap_or_default() {
            teller.events.push(event);
        }
        if teller.events.len() >= limit {
            cut = true;
            break;
        }
        let function = view.program().function(step.function);
        if let Some(cfa) = function.cfa() {
            teller.step(cfa.edge(step.edge), function, i, state, next[i]);
        }
    }
    cut |= teller.events.len() > limit;
    let mut events = teller.events;
    events.truncate(limit);
    Story { events, cut, ending: ended.then(|| view.ran.ending.clone()) }
}

/// For each state, the next one of the same activation.
fn next_in_activation(states: &[Snapshot]) -> Vec<Option<usize>> {
    let mut next = vec![None; states.len()];
    let mut seen: Vec<Option<usize>> = Vec::new();
    for (i, state) in states.iter().enumerate().rev() {
        let depth = state.depth as usize;
        // What is deeper and comes later belongs to other activations.
        seen.resize(depth + 1, None);
        next[i] = seen[depth].replace(i);
    }
    next
}

struct Teller<'v, 'a, 'p> {
    view: &'v View<'a, 'p>,
    describer: Describer<'v, 'a, 'p>,
    events: Vec<Event>,
    /// Events to tell before a step: results of calls.
    deferred: BTreeMap<usize, Vec<Event>>,
    /// The next call in the record of those without a body.
    extern_call: usize,
}

impl Teller<'_, '_, '_> {
    fn step(&mut self, edge: &Edge, function: &Function, i: usize, state: &Snapshot, next: Option<usize>) {
        let event = |what| Event { pos: edge.pos, function: function.name.clone(), depth: state.depth, what };
        let program = self.view.program();
        match &edge.op {
            Op::Skip | Op::Havoc { .. } | Op::Assign { .. } | Op::Alloc { .. } => {}
            Op::Assume { cond, holds } => {
                let condition = text(program, function, cond);
                self.events.push(event(What::Branch { condition, holds: *holds }));
            }
            Op::Store { addr, value } => {
                let target = text(program, function, addr);
                let known = self.eval(state, value).map(|bits| self.describer.value(value.ty, bits));
                self.events.push(event(What::Store { target, ty: value.ty, value: known }));
            }
            Op::Call { .. } => {
                let what = self.call(edge, state, i);
                self.events.extend(what.map(event));
            }
            Op::Return(value) => {
                let known = value.as_ref().and_then(|e| Some((e.ty, self.eval(state, e)?)));
                let value = match (&self.view.ran.run.outcome, function.ret) {
                    (interp::Outcome::Returned(Some(bits)), Some(ty)) if state.depth == 0 => {
                        Some((ty, *bits))
                    }
                    _ => known,
                };
                let value = value.map(|(ty, bits)| (ty, self.describer.value(ty, bits)));
                self.events.push(event(What::Return { value }));
            }
            Op::Lifetime { .. } => {}
            op @ (Op::Copy { .. } | Op::Fill { .. } | Op::Free { .. } | Op::Check { .. } | Op::Halt(_)) => {
                let text = ir::OpDisplay { program, function, op }.to_string();
                self.events.push(event(What::Other { text }));
            }
        }
        if let Some(var) = edge.op.written()
            && let Some(next) = next
            && let Some((name, ty, bits)) = self.written(function, var, next)
        {
            let value = self.describer.value(ty, bits);
            let event = event(What::Assign { name, ty, value });
            if next == i + 1 {
                self.events.push(event)
            } else {
                self.deferred.entry(next).or_default().push(event)
            }
        }
    }

    /// The value of a variable in a later state, unless lowering made the variable.
    fn written(&self, function: &Function, var: Var, next: usize) -> Option<(Arc<str>, Type, u128)> {
        let state = self.view.ran.run.snapshots.get(next)?;
        let program = self.view.program();
        let (name, storage, bits) = match var {
            Var::Local(id) => {
                let local = function.locals.get(id.0 as usize).filter(|l| l.origin != LocalOrigin::Temp)?;
                (&local.name, local.storage, *state.locals.get(id.0 as usize)?)
            }
            Var::Global(id) => {
                let global = program.globals.get(id.0 as usize)?;
                (&global.name, global.storage, *state.globals.get(id.0 as usize)?)
            }
        };
        let Storage::Register(ty) = storage else { return None };
        Some((name.clone(), ty, bits?))
    }

    /// A call: the state after it is that of the callee's entry, or the record of calls has it.
    fn call(&mut self, edge: &Edge, state: &Snapshot, i: usize) -> Option<What> {
        let run = &self.view.ran.run;
        let program = self.view.program();
        if let Some(inside) = run.snapshots.get(i + 1).filter(|s| s.depth == state.depth + 1) {
            let callee = program.function(inside.function);
            let args = callee.param_types().zip(&inside.locals).filter_map(|(ty, bits)| Some((ty, (*bits)?)));
            let args = args.collect::<Vec<_>>();
            let args = args.into_iter().map(|(ty, bits)| (ty, self.describer.value(ty, bits))).collect();
            return Some(What::Call { name: callee.name.clone(), args, result: None });
        }
        let Op::Call { args, .. } = &edge.op else { return None };
        let step = run.trace.get(i)?;
        let call = run.calls.get(self.extern_call).filter(|call| call.edge == *step)?;
        self.extern_call += 1;
        let callee: &Function = program.function(call.function);
        let types: Vec<Type> = args.iter().map(|e| e.ty).collect();
        let values = types.into_iter().zip(&call.args);
        let args = values.map(|(ty, bits)| (ty, self.describer.value(ty, *bits))).collect();
        let result = call.result.zip(callee.ret).map(|(bits, ty)| (ty, self.describer.value(ty, bits)));
        Some(What::Call { name: callee.name.clone(), args, result })
    }

    /// The value of an expression that does not look into memory.
    fn eval(&self, state: &Snapshot, e: &Expr) -> Option<u128> {
        let target = &self.view.program().target;
        match &e.kind {
            ExprKind::Const(bits) => Some(*bits),
            ExprKind::Local(id) => *state.locals.get(id.0 as usize)?,
            ExprKind::Global(id) => *state.globals.get(id.0 as usize)?,
            ExprKind::AddrGlobal(id) => self.view.interp.global_address(*id).map(u128::from),
            ExprKind::AddrFunc(id) => Some(self.view.interp.function_address(*id).into()),
            ExprKind::Unary(op, a) => Some(eval::unary(*op, e.ty, self.eval(state, a)?)),
            ExprKind::Cast(a) => Some(eval::cast(target, a.ty, e.ty, self.eval(state, a)?)),
            ExprKind::Binary(op, a, b) => {
                let (x, y) = (self.eval(state, a)?, self.eval(state, b)?);
                // The offset may be of another width than pointers are.
                let ty = if *op == BinOp::PtrAdd { Type::Ptr } else { a.ty };
                eval::binary(target, *op, ty, x, y).ok()
            }
            ExprKind::Ite(list) => {
                let [cond, yes, no] = &**list;
                self.eval(state, if self.eval(state, cond)? != 0 { yes } else { no })
            }
            _ => None,
        }
    }
}

fn text(program: &Program, function: &Function, expr: &Expr) -> String {
    ExprDisplay { program, function: Some(function), expr }.to_string()
}

/// Compares what both stories would tell.
fn first_difference(old: &Story, new: &Story) -> Option<(usize, usize)> {
    let names = |story: &Story| -> BTreeSet<Arc<str>> {
        story
            .events
            .iter()
            .filter_map(|e| match &e.what {
                What::Assign { name, .. } => Some(name.clone()),
                _ => None,
            })
            .collect()
    };
    let common: BTreeSet<Arc<str>> = names(old).intersection(&names(new)).cloned().collect();
    let told = |story: &Story| -> Vec<usize> {
        let shown = |event: &Event| match &event.what {
            What::Assign { name, .. } => common.contains(name),
            What::Call { .. } | What::Return { .. } => true,
            What::Store { .. } | What::Branch { .. } | What::Other { .. } => false,
        };
        (0..story.events.len()).filter(|i| shown(&story.events[*i])).collect()
    };
    let (left, right) = (told(old), told(new));
    let differs = left.iter().zip(&right).find(|(i, j)| old.events[**i].what != new.events[**j].what);
    match differs {
        Some((i, j)) => Some((*i, *j)),
        None if left.len() == right.len() => None,
        // One goes on where the other has ended (or was cut).
        None => {
            let n = left.len().min(right.len());
            let at = |list: &[usize], story: &Story| list.get(n).copied().unwrap_or(story.events.len());
            Some((at(&left, old), at(&right, new)))
        }
    }
}

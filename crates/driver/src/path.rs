//! What happened in a run that failed a check: every step with its values.
//!
//! The interpreter records the edges taken and what their expressions evaluated to, as two flat lists; here
//! they are put together again. Activations of functions are numbered, so that a variable of one is not
//! mistaken for that of another.

use crate::confirm::{Limits, Violation, options};
use interp::{ConsumedInput, InputKind, Interp, Outcome, Pointee, Run};
use ir::{Body, Callee, EdgeId, ExprKind, FuncId, Op, Pos, Program, Type};
use std::ops::Range;

/// A run, step by step.
pub struct Path<'p> {
    pub program: &'p Program,
    pub run: Run,
    pub steps: Vec<Step>,
    /// The entry function is activation 0.
    pub activations: Vec<Activation>,
    interp: Interp<'p>,
}

/// An edge taken.
#[derive(Clone, Debug)]
pub struct Step {
    pub function: FuncId,
    pub edge: EdgeId,
    pub activation: u32,
    /// In [`Run::values`].
    values: Range<usize>,
    /// The variable that a havoc, an allocation or a call wrote.
    pub written: Option<u128>,
    /// What it asked for, in [`Run::inputs`].
    pub inputs: Range<usize>,
    /// The activation that a call began.
    pub begins: Option<u32>,
}

#[derive(Clone, Debug)]
pub struct Activation {
    pub function: FuncId,
    /// The step that called it.
    pub caller: Option<usize>,
    pub depth: u32,
    /// What was asked for at its entry; for the first one, before that too.
    pub inputs: Range<usize>,
}

/// What one expression of a step evaluated to.
pub struct Evaluated<'r> {
    /// The addresses of the loads in it, as [`ir::Expr::walk`] visits them.
    pub addresses: &'r [u128],
    pub value: u128,
}

/// A value, with what it points to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Value {
    pub ty: Type,
    pub bits: u128,
    pub pointee: Option<Pointee>,
}

/// Longer runs are not looked at step by step.
const MOST_STEPS: u64 = 300_000;

impl<'p> Path<'p> {
    /// Runs the violation again and records everything; None if that is too much, or not understood: no path
    /// is better than a wrong one.
    pub fn of(
        program: &'p Program,
        entry: FuncId,
        violation: &Violation,
        limits: &Limits,
    ) -> Option<Path<'p>> {
        if violation.run.steps > MOST_STEPS {
            return None;
        }
        let mut options = options(entry, &violation.counterexample, limits);
        options.record_inputs = true;
        options.record_trace = true;
        options.record_values = true;
        let mut interp = Interp::new(program, options).ok()?;
        let run = interp.run(&mut violation.counterexample.inputs.clone(), &limits.budget);
        let Outcome::CheckFailed { .. } = run.outcome else { return None };
        let mut path = Path { program, run, steps: Vec::new(), activations: Vec::new(), interp };
        path.read(entry).then_some(path)
    }

    pub fn op(&self, step: &Step) -> Option<&'p Op> {
        Some(&self.program.function(step.function).cfa()?.edges().get(step.edge.0 as usize)?.op)
    }

    pub fn pos(&self, step: &Step) -> Pos {
        let edge = |cfa: &ir::Cfa| cfa.edges().get(step.edge.0 as usize).map(|edge| edge.pos);
        self.program.function(step.function).cfa().and_then(edge).unwrap_or_default()
    }

    pub fn depth(&self, step: &Step) -> u32 {
        self.activations.get(step.activation as usize).map_or(0, |a| a.depth)
    }

    pub fn inputs(&self, range: &Range<usize>) -> &[ConsumedInput] {
        self.run.inputs.get(range.clone()).unwrap_or(&[])
    }

    /// What the expressions of a step evaluated to, in the order of [`Op::exprs`].
    pub fn evaluated(&self, step: &Step) -> Vec<Evaluated<'_>> {
        let mut values = self.run.values.get(step.values.clone()).unwrap_or(&[]);
        let mut list = Vec::new();
        for e in self.op(step).map(Op::exprs).unwrap_or_default() {
            let Some((addresses, rest)) = values.split_at_checked(loads(e)) else { break };
            let Some((value, rest)) = rest.split_first() else { break };
            list.push(Evaluated { addresses, value: *value });
            values = rest;
        }
        list
    }

    pub fn value(&self, ty: Type, bits: u128) -> Value {
        let pointee = (ty == Type::Ptr).then(|| self.interp.pointee(bits as u64));
        Value { ty, bits, pointee }
    }

    /// The function that a call leads to.
    pub fn callee(&self, step: &Step) -> Option<FuncId> {
        match self.op(step)? {
            Op::Call { callee: Callee::Direct(id), .. } => Some(*id),
            Op::Call { callee: Callee::Indirect(_), .. } => {
                let address = self.evaluated(step).first()?.value;
                match self.interp.pointee(address as u64) {
                    Pointee::Function(id) => Some(id),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Puts the lists together; false if something is left over.
    fn read(&mut self, entry: FuncId) -> bool {
        let trace = std::mem::take(&mut self.run.trace);
        let mut reader = Reader { values: 0, inputs: 0, active: Vec::new() };
        self.begin(&mut reader, entry, None);
        for taken in &trace {
            let Some(&activation) = reader.active.last() else { break };
            let Some(op) =
                self.op_of(taken.function, taken.edge).filter(|_| self.is_in(activation, taken.function))
            else {
                break;
            };
            let asked = self.asked(reader.inputs, taken.function, taken.edge, op);
            let wanted: usize = op.exprs().into_iter().map(|e| loads(e) + 1).sum();
            let step = Step {
                function: taken.function,
                edge: taken.edge,
                activation,
                values: reader.values..reader.values + wanted,
                written: None,
                inputs: reader.inputs..asked,
                begins: None,
            };
            (reader.values, reader.inputs) = (step.values.end, asked);
            let (index, callee) = (self.steps.len(), self.callee(&step));
            self.steps.push(step);
            match op {
                Op::Havoc { .. } | Op::Alloc { .. } => self.written(&mut reader, index, true),
                Op::Call { dst, .. } => match callee {
                    Some(id) if matches!(self.program.function(id).body, Body::Defined(_)) => {
                        self.begin(&mut reader, id, Some(index));
                    }
                    _ => self.written(&mut reader, index, dst.is_some()),
                },
                Op::Return(_) => {
                    reader.active.pop();
                    let caller = self.activations.get(activation as usize).and_then(|a| a.caller);
                    if let Some(caller) = caller {
                        let dst = self.steps.get(caller).and_then(|step| self.op(step)).and_then(Op::written);
                        self.written(&mut reader, caller, dst.is_some());
                    }
                }
                _ => {}
            }
        }
        let all = (trace.len(), self.run.values.len(), self.run.inputs.len());
        (self.steps.len(), reader.values, reader.inputs) == all
    }

    fn op_of(&self, function: FuncId, edge: EdgeId) -> Option<&'p Op> {
        Some(&self.program.functions.get(function.0 as usize)?.cfa()?.edges().get(edge.0 as usize)?.op)
    }

    fn is_in(&self, activation: u32, function: FuncId) -> bool {
        self.activations.get(activation as usize).is_some_and(|a| a.function == function)
    }

    fn begin(&mut self, reader: &mut Reader, function: FuncId, caller: Option<usize>) {
        let index = self.activations.len() as u32;
        let at_entry = |input: &&ConsumedInput| {
            let request = &input.request;
            request.edge.is_none() && request.function.is_none_or(|f| f == function)
        };
        let rest = self.run.inputs.get(reader.inputs..).unwrap_or(&[]);
        let end = reader.inputs + rest.iter().take_while(at_entry).count();
        let depth = caller.and_then(|step| self.steps.get(step)).map_or(0, |step| self.depth(step) + 1);
        self.activations.push(Activation { function, caller, depth, inputs: reader.inputs..end });
        if let Some(step) = caller.and_then(|step| self.steps.get_mut(step)) {
            step.begins = Some(index);
        }
        reader.inputs = end;
        reader.active.push(index);
    }

    fn written(&mut self, reader: &mut Reader, step: usize, wanted: bool) {
        if wanted
            && let Some(value) = self.run.values.get(reader.values)
            && let Some(step) = self.steps.get_mut(step)
        {
            step.written = Some(*value);
            reader.values += 1;
        }
    }

    /// Where the inputs of an edge end that begin at `from`.
    fn asked(&self, from: usize, function: FuncId, edge: EdgeId, op: &Op) -> usize {
        let node = |edge: EdgeId| {
            let cfa = self.program.functions.get(function.0 as usize)?.cfa()?;
            cfa.edges().get(edge.0 as usize).map(|edge| edge.from)
        };
        // A condition is asked about before it is known which of its edges is taken.
        let here = |input: &&ConsumedInput| {
            let request = &input.request;
            request.function == Some(function) && request.edge.is_some_and(|e| node(e) == node(edge))
        };
        let memory = |input: &&ConsumedInput| {
            matches!(input.request.kind, InputKind::Memory { .. } | InputKind::ExternGlobal { .. })
        };
        let rest = self.run.inputs.get(from..).unwrap_or(&[]);
        let loaded = rest.iter().take_while(|input| here(input) && memory(input)).count();
        // A call may change globals, all that are shared at once.
        let is_changed = |input: &&ConsumedInput| matches!(input.request.kind, InputKind::Changed { .. });
        let register = |g: &&ir::Global| g.is_shared() && matches!(g.storage, ir::Storage::Register(_));
        let most = self.program.globals.iter().filter(register).count();
        let changed = rest[loaded..].iter().take(most).take_while(|i| here(i) && is_changed(i)).count();
        let loaded = loaded + changed;
        // An operation asks for one value of its own at most; the same edge may come again at once.
        let own = matches!(op, Op::Havoc { .. } | Op::Call { .. })
            && rest.get(loaded).is_some_and(|input| here(&input) && !memory(&input));
        from + loaded + usize::from(own)
    }
}

/// How far the flat lists have been read.
struct Reader {
    values: usize,
    inputs: usize,
    /// Activations that have not returned.
    active: Vec<u32>,
}

fn loads(e: &ir::Expr) -> usize {
    let mut count = 0;
    e.walk(&mut |e| count += usize::from(matches!(e.kind, ExprKind::Load(_))));
    count
}

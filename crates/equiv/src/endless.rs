//! Runs that do not end, for certain: a loop comes back to the state that it was in.
//!
//! Only where the state is all there is: a function without calls of its own, without writes to memory and
//! without inputs, whose registers are the same at two visits of one loop head.

use crate::concrete::{Difference, DifferenceKind, Ending, Memory, NoEnd, Observation, Value};
use crate::shape::Shape;
use base::Budget;
use interp::{Interp, Options, Outcome, ZeroInputs};
use ir::{Body, Callee, LoopForest, Op, Program};

/// Steps until a repeated state must have shown.
const STEPS: u64 = 20_000;
/// Steps for the version that ends.
const END: u64 = 5_000_000;

/// The difference, if one version ends and the other provably does not.
pub fn confirm(shape: &Shape, no_end: &NoEnd) -> Option<Difference> {
    let ends = match (no_end.old_ended, no_end.new_ended) {
        (true, false) => 0,
        (false, true) => 1,
        _ => return None,
    };
    let args = [0, 1]
        .map(|side: usize| no_end.input.args[side].iter().map(Value::bits).collect::<Option<Vec<u128>>>());
    let [Some(old), Some(new)] = args else { return None };
    let args = [old, new];
    let other = 1 - ends;
    if !registers_are_all(&shape.programs[0], shape, 0) || !registers_are_all(&shape.programs[1], shape, 1) {
        return None;
    }
    let value = returned(shape, ends, &args[ends])?;
    if !repeats(shape, other, &args[other]) {
        return None;
    }
    let observation = |side: usize| Observation {
        ending: if side == ends { Ending::Returned } else { Ending::Never },
        value: if side == ends { value.clone() } else { None },
        calls: Vec::new(),
        stdout: Vec::new(),
        stderr: Vec::new(),
        memory: Memory::default(),
        steps: 0,
    };
    let (old, new) = (observation(0), observation(1));
    Some(Difference { input: no_end.input.clone(), kind: DifferenceKind::Ending, old, new })
}

fn registers_are_all(program: &Program, shape: &Shape, side: usize) -> bool {
    let Some(cfa) = program.function(shape.functions[side]).cfa() else { return false };
    cfa.edges().iter().all(|e| match &e.op {
        Op::Skip | Op::Assume { .. } | Op::Assign { .. } | Op::Return(_) | Op::Check { .. } | Op::Halt(_) => {
            true
        }
        Op::Call { callee: Callee::Direct(g), .. } => {
            let callee = program.function(*g);
            matches!(callee.body, Body::Extern) && crate::side::MARKS.contains(&&*callee.name)
        }
        _ => false,
    })
}

fn run(shape: &Shape, side: usize, args: &[u128], options: Options) -> Option<interp::Run> {
    let program = &shape.programs[side];
    let mut interp = Interp::new(program, options).ok()?;
    Some(interp.call(shape.functions[side], args, &mut Marks, &Budget::unlimited()))
}

fn returned(shape: &Shape, side: usize, args: &[u128]) -> Option<Option<(ir::Type, Value)>> {
    let function = shape.programs[side].function(shape.functions[side]);
    let options = Options { max_steps: END, ..Options::new(shape.functions[side]) };
    match run(shape, side, args, options)?.outcome {
        Outcome::Returned(bits) => Some(function.ret.zip(bits.map(Value::Bits))),
        _ => None,
    }
}

fn repeats(shape: &Shape, side: usize, args: &[u128]) -> bool {
    let function = shape.functions[side];
    let heads = shape.programs[side].function(function).cfa().map(LoopForest::of);
    let heads: Vec<_> = heads.iter().flat_map(|f| f.loops()).map(|l| (function, l.header)).collect();
    let options = Options { max_steps: STEPS, watch: heads, ..Options::new(function) };
    let Some(run) = run(shape, side, args, options) else { return false };
    if !matches!(run.outcome, Outcome::Stopped(_)) {
        return false;
    }
    // The last state seen must have been seen before.
    let Some((last, before)) = run.snapshots.split_last() else { return false };
    before.iter().rev().any(|s| s == last)
}

/// Marks are all ones; nothing else is asked.
struct Marks;

impl interp::Inputs for Marks {
    fn next(&mut self, request: &interp::InputRequest) -> Option<u128> {
        match request.kind {
            interp::InputKind::ExternReturn(_) => Some(u128::MAX),
            _ => ZeroInputs.next(request),
        }
    }
}

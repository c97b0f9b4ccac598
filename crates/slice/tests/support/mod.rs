//! The property of slices: a run of the original that fails a check has a counterpart in the slice that fails
//! the same one.

use base::Budget;
use interp::{InputKind, InputRequest, Inputs, Interp, Options, Outcome, RandomInputs, Run};
use ir::{Callee, EdgeId, FuncId, Op, Program};
use slice::Checks;
use std::collections::{HashMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};

/// How a comparison went.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Compared {
    /// The original failed a check, and so did the slice.
    Failed,
    /// The original did not fail a check.
    Passed,
}

/// Answers at random; what memory holds does not depend on when it is asked, nor on how many objects there
/// are.
struct First {
    seed: u64,
    random: RandomInputs,
}

impl Inputs for First {
    fn next(&mut self, request: &InputRequest) -> Option<u128> {
        steady(self.seed, request).or_else(|| self.random.next(request))
    }
}

/// Answers what the original was answered, by place, in the activations that the slice has, too.
struct Again {
    seed: u64,
    answers: HashMap<(FuncId, EdgeId), VecDeque<u128>>,
}

impl Inputs for Again {
    fn next(&mut self, request: &InputRequest) -> Option<u128> {
        let place = request.function.zip(request.edge);
        steady(self.seed, request).or_else(|| self.answers.get_mut(&place?)?.pop_front())
    }
}

/// The answer to a question that does not belong to a step.
fn steady(seed: u64, request: &InputRequest) -> Option<u128> {
    let hash = |what: &dyn Fn(&mut DefaultHasher)| {
        let mut hasher = DefaultHasher::new();
        seed.hash(&mut hasher);
        what(&mut hasher);
        hasher.finish()
    };
    let bytes = |kind: String, offset: u64| {
        // Small numbers, byte by byte: the same memory may be asked for in other pieces.
        let byte = |i: u64| match (offset + i) % 4 {
            0 => hash(&|h| (&kind, offset + i).hash(h)) as u8 % 8,
            _ => 0,
        };
        (0..16).rev().fold(0u128, |bits, i| bits << 8 | u128::from(byte(i)))
    };
    match &request.kind {
        _ if request.ty == ir::Type::Ptr => Some(0),
        InputKind::Memory { object, .. } => {
            object.as_ref().map(|id| bytes(format!("{:?}", id.kind), id.offset)).or(Some(0))
        }
        InputKind::ExternGlobal { global, offset } => Some(bytes(format!("{global:?}"), *offset)),
        InputKind::Param(i) => Some(bytes("parameter".into(), 4 * u64::from(*i))),
        InputKind::Uninit(local) if request.edge.is_none() => {
            Some(bytes(format!("{:?} {local:?}", request.function), 0))
        }
        _ => None,
    }
}

fn run(program: &Program, entry: FuncId, inputs: &mut dyn Inputs) -> Option<Run> {
    let mut options = Options::new(entry);
    options.max_steps = 10_000;
    options.max_memory = 1 << 24;
    options.max_depth = 500;
    options.record_trace = true;
    Some(Interp::new(program, options).ok()?.run(inputs, &Budget::unlimited()))
}

/// Runs the original, and if it fails one of these checks, the slice for them.
pub fn compare(
    original: &Program,
    slice: &Program,
    entry: FuncId,
    checks: &Checks,
    seed: u64,
) -> Result<Compared, String> {
    let mut first = First { seed, random: RandomInputs::new(seed) };
    let Some(before) = run(original, entry, &mut first) else { return Ok(Compared::Passed) };
    let Outcome::CheckFailed { function, edge, .. } = before.outcome else { return Ok(Compared::Passed) };
    if !checks.contains(function) {
        return Ok(Compared::Passed);
    }
    let mut again = Again { seed, answers: answers(original, slice, &before) };
    let after = run(slice, entry, &mut again).ok_or("the slice does not fit into memory")?;
    match after.outcome {
        Outcome::CheckFailed { function: f, edge: e, .. } if (f, e) == (function, edge) => {
            Ok(Compared::Failed)
        }
        other => Err(format!("{function:?} {edge:?} fails in the original; the slice: {other:?}")),
    }
}

/// Runs the slice, and if it fails a check, the original on the same inputs; the outcome of the original if
/// it is another one.
///
/// Inputs are matched by place and count, which is not exact where a function runs more often in the
/// original.
pub fn converse(
    original: &Program,
    slice: &Program,
    entry: FuncId,
    seed: u64,
) -> Option<(Compared, Outcome)> {
    let mut first = First { seed, random: RandomInputs::new(seed) };
    let found = run(slice, entry, &mut first)?;
    let Outcome::CheckFailed { function, edge, .. } = found.outcome else { return None };
    let mut again = Rest { answers: given(&found), first: First { seed, random: RandomInputs::new(!seed) } };
    let outcome = run(original, entry, &mut again)?.outcome;
    let same =
        matches!(&outcome, Outcome::CheckFailed { function: f, edge: e, .. } if (*f, *e) == (function, edge));
    Some((if same { Compared::Failed } else { Compared::Passed }, outcome))
}

/// Answers from a list, and at random where it has none.
struct Rest {
    answers: HashMap<(FuncId, EdgeId), VecDeque<u128>>,
    first: First,
}

impl Inputs for Rest {
    fn next(&mut self, request: &InputRequest) -> Option<u128> {
        let place = request.function.zip(request.edge);
        let answer = place.and_then(|place| self.answers.get_mut(&place)?.pop_front());
        steady(self.first.seed, request).or(answer).or_else(|| self.first.next(request))
    }
}

/// What was answered at steps, in order.
fn given(run: &Run) -> HashMap<(FuncId, EdgeId), VecDeque<u128>> {
    let mut given: HashMap<(FuncId, EdgeId), VecDeque<u128>> = HashMap::new();
    for input in run.inputs.iter().filter(|input| steady(0, &input.request).is_none()) {
        if let Some(place) = input.request.function.zip(input.request.edge) {
            given.entry(place).or_default().push_back(input.value);
        }
    }
    given
}

/// What was answered at steps of activations that the slice has.
fn answers(original: &Program, slice: &Program, run: &Run) -> HashMap<(FuncId, EdgeId), VecDeque<u128>> {
    let mut given = given(run);
    let mut answers: HashMap<(FuncId, EdgeId), VecDeque<u128>> = HashMap::new();
    // Whether each activation is in the slice, innermost last.
    let mut kept = vec![true];
    for (i, step) in run.trace.iter().enumerate() {
        let place = (step.function, step.edge);
        let op = |program: &Program| {
            program.function(step.function).cfa().map(|cfa| cfa.edge(step.edge).op.clone())
        };
        let now = *kept.last().unwrap_or(&true);
        let enters = run.trace.get(i + 1).is_some_and(|next| enters(original, next));
        match op(original) {
            Some(Op::Call { callee: Callee::Direct(g), .. }) if original.function(g).cfa().is_some() => {
                kept.push(now && matches!(op(slice), Some(Op::Call { .. })));
            }
            Some(Op::Call { callee: Callee::Indirect(_), .. }) if enters => {
                kept.push(now && matches!(op(slice), Some(Op::Call { .. })));
            }
            Some(Op::Return(_)) => {
                kept.pop();
            }
            _ => {
                let value = given.get_mut(&place).and_then(|list| list.pop_front());
                if let (Some(value), true) = (value, now) {
                    answers.entry(place).or_default().push_back(value);
                }
            }
        }
    }
    answers
}

fn enters(program: &Program, step: &interp::TraceStep) -> bool {
    program.function(step.function).cfa().is_some_and(|cfa| cfa.edge(step.edge).from == cfa.entry)
}

//! Executions that go beyond the bound: which loop they stay in, and whether they ever leave it.
//!
//! The solver has a model of one; the loop whose bound ended it is the one that needs more rounds. The
//! interpreter runs the model, and looks whether it comes back to the head of that loop in a state that it
//! was in before, with nothing from outside in between: then it stays there forever.

use crate::engine::DEEPENING;
use crate::exec::{Exec, Limits};
use crate::formula::{Failure, Formula};
use crate::input_vector;
use ::engine::{Beyond, Repeated, Task, UnknownReason};
use interp::{ConsumedInput, InputKind, Interp, Options};
use ir::loops::{LoopForest, LoopId};
use ir::{FuncId, NodeId, Program, Type};
use logic::Term;

/// With smaller bounds, a way out of the loop is usually just further away.
const FROM: u32 = 4;
/// So many steps are run to find a state that repeats.
const STEPS: u64 = 1_000_000;
/// Of one input function so many values are told.
const MOST_VALUES: usize = 16;

/// What the formula's last model, which goes beyond the bound, says about that.
pub fn find(
    task: &Task,
    exec: &Exec,
    limits: &Limits,
    formula: &mut Formula,
) -> Result<Option<Beyond>, Failure> {
    let guards: Vec<Term> = exec.ended.iter().map(|(guard, ..)| *guard).collect();
    let values = formula.values(&guards)?;
    let hit = exec.ended.iter().zip(values).find(|(_, value)| *value == 1);
    let Some(((_, function, id), _)) = hit else { return Ok(None) };
    let bound = limits.bounds.every;
    let next = DEEPENING.into_iter().find(|next| *next > bound).unwrap_or(bound.saturating_mul(2));
    let header = id.and_then(|id| header(exec.program, *function, id));
    // A slice was executed, in which loops may have other numbers.
    let number = |header: NodeId| {
        let forest = LoopForest::of(task.subject.program.function(*function).cfa()?);
        forest.headed_by(header).map(|id| id.0 + 1)
    };
    let repeated = Repeated::new(task.subject.program, *function, header.and_then(number));
    let endless = match header.filter(|_| bound >= FROM) {
        Some(header) => {
            let found = input_vector::input_vector(exec, formula, task.subject.program, task.subject.entry)?;
            endless(task, &found, (*function, header))
        }
        None => None,
    };
    Ok(Some(Beyond { bound, next, repeated, endless }))
}

/// The reason that holds at this bound: that a loop never ends stays true at deeper ones.
pub fn kept(before: Option<UnknownReason>, now: UnknownReason) -> UnknownReason {
    match (before, now) {
        (Some(UnknownReason::Beyond(before)), UnknownReason::Beyond(now))
            if before.endless.is_some() && now.endless.is_none() =>
        {
            UnknownReason::Beyond(Beyond { bound: now.bound, next: now.next, ..before })
        }
        (_, now) => now,
    }
}

fn header(program: &Program, function: FuncId, id: LoopId) -> Option<NodeId> {
    let cfa = program.function(function).cfa()?;
    let forest = LoopForest::of(cfa);
    ((id.0 as usize) < forest.loops().len()).then(|| forest.get(id).header)
}

/// What the run is given from outside, if it never leaves the loop with this head.
fn endless(
    task: &Task,
    found: &::engine::Counterexample,
    head: (FuncId, NodeId),
) -> Option<Vec<(String, String)>> {
    let mut options = Options::new(task.subject.entry);
    options.heap.clone_from(&found.heap);
    options.max_steps = STEPS;
    options.watch = vec![head];
    options.find_repetition = true;
    let run = Interp::new(task.subject.program, options).ok()?.run(&mut found.inputs.clone(), task.budget);
    (run.repeats == Some(head)).then(|| told(task, &run.inputs))
}

/// The values of each source, in order.
fn told(task: &Task, inputs: &[ConsumedInput]) -> Vec<(String, String)> {
    let mut list: Vec<(String, Vec<String>)> = Vec::new();
    for input in inputs {
        let Some(name) = name(task, input) else { continue };
        let value = value(input.request.ty, input.value);
        match list.iter_mut().find(|(known, _)| *known == name) {
            Some((_, values)) => values.push(value),
            None => list.push((name, vec![value])),
        }
    }
    let line = |values: Vec<String>| match values.len() > MOST_VALUES {
        true => format!("{}, ...", values[..MOST_VALUES].join(", ")),
        false => values.join(", "),
    };
    list.into_iter().map(|(name, values)| (name, line(values))).collect()
}

/// Of what a person can set; what memory happens to hold is left out.
fn name(task: &Task, input: &ConsumedInput) -> Option<String> {
    let program = task.subject.program;
    match &input.request.kind {
        InputKind::Input(name) => Some(format!("{name}()")),
        InputKind::ExternReturn(function) => Some(format!("{}()", program.function(*function).name)),
        InputKind::ExternGlobal { global, .. } => Some(program.global(*global).name.to_string()),
        InputKind::Param(i) => Some(format!("parameter {}", u64::from(*i) + 1)),
        InputKind::Uninit(_) | InputKind::Asm | InputKind::Memory { .. } | InputKind::Changed { .. } => None,
    }
}

fn value(ty: Type, bits: u128) -> String {
    match ty {
        Type::Int(int) if int.signed => int.value(bits).to_string(),
        Type::Int(_) | Type::Bool => bits.to_string(),
        Type::Float(_) | Type::Ptr => format!("{bits:#x}"),
    }
}

//! The engine: from a task to an answer.

use crate::exec::{Exec, Limits, Stop, Why};
use crate::formula::{Failure, Formula};
use crate::script;
use base::Budget;
use encode::Regions;
use engine::{Answer, Bounds, Counterexample, Figure, Task, UnknownReason, Unwind, Verdict};
use interp::{Interp, Options};
use ir::{FuncId, Program};
use logic::Term;
use std::time::Instant;

/// Counts and times of a run.
#[derive(Default)]
pub struct Figures {
    list: Vec<Figure>,
}

impl Figures {
    pub fn add(&mut self, name: &'static str, value: f64) {
        match self.list.iter_mut().find(|f| f.name == name) {
            Some(figure) => figure.value += value,
            None => self.list.push(Figure { name, value }),
        }
    }

    pub fn set(&mut self, name: &'static str, value: f64) {
        match self.list.iter_mut().find(|f| f.name == name) {
            Some(figure) => figure.value = value,
            None => self.list.push(Figure { name, value }),
        }
    }

    pub fn take(self) -> Vec<Figure> {
        self.list
    }
}

/// What one bound gave.
enum Step {
    Safe,
    Unsafe(Box<Counterexample>),
    /// Safe, as far as it goes.
    Deeper,
    Unknown(UnknownReason),
}

/// Decides a task from scratch, without cutting calls off.
pub fn verify(task: &Task) -> Answer {
    let mut figures = Figures::default();
    let mut assumptions = Vec::new();
    let verdict = decide(task, &mut figures, &mut assumptions);
    Answer { verdict, assumptions, decisions: Vec::new(), figures: figures.take(), calls: Vec::new() }
}

fn decide(task: &Task, figures: &mut Figures, assumptions: &mut Vec<String>) -> Verdict {
    let mut formula = Formula::new();
    let (bounds, most): (Vec<Bounds>, bool) = match &task.settings.unwind {
        Unwind::Fixed(bounds) => (vec![bounds.clone()], true),
        Unwind::Auto { most } => {
            let most = most.unwrap_or(u32::MAX);
            let mut list: Vec<u32> = DEEPENING.iter().copied().take_while(|k| *k < most).collect();
            list.push(most.min(1 << 20));
            (list.into_iter().map(Bounds::new).collect(), false)
        }
    };
    let mut safe_up_to = None;
    for bound in bounds {
        task.progress.note(&format!("unwinding up to {}", bound.every));
        let limits = Limits { bounds: bound.clone(), free: !most, cut: false };
        match step(task, limits, &mut formula, figures, assumptions) {
            Step::Safe => return Verdict::Safe,
            Step::Unsafe(found) => return Verdict::Unsafe(found),
            Step::Deeper => safe_up_to = Some(bound.every),
            Step::Unknown(UnknownReason::Stopped(_)) if safe_up_to.is_some() => break,
            Step::Unknown(reason) => return Verdict::Unknown(reason),
        }
        figures.set("bound", f64::from(bound.every));
    }
    Verdict::Unknown(UnknownReason::SafeUpTo(safe_up_to.unwrap_or(0)))
}

const DEEPENING: [u32; 14] = [1, 2, 4, 7, 12, 20, 35, 60, 100, 200, 400, 1000, 5000, 50000];

fn step(
    task: &Task,
    limits: Limits,
    formula: &mut Formula,
    figures: &mut Figures,
    assumptions: &mut Vec<String>,
) -> Step {
    let regions = Regions::default();
    let start = Instant::now();
    let mut exec = Exec::new(task.program, task.entry, limits, &regions, task.budget);
    let ran = exec.run(task.entry);
    figures.add("execution seconds", start.elapsed().as_secs_f64());
    figures.add("steps", exec.steps as f64);
    figures.set("calls", exec.calls.len() as f64);
    if let Err(Stop::Budget(stopped)) = ran {
        return Step::Unknown(UnknownReason::Stopped(stopped));
    }
    *assumptions = assumed(&exec);
    let start = Instant::now();
    let answer = ask(task, &exec, formula);
    figures.add("solving seconds", start.elapsed().as_secs_f64());
    figures.set("solver conflicts", formula.conflicts() as f64);
    figures.set("variables", f64::from(formula.variables()));
    match answer {
        Ok(step) => step,
        Err(Failure::Stopped(stopped)) => Step::Unknown(UnknownReason::Stopped(stopped)),
        Err(Failure::Refused(refused)) => {
            Step::Unknown(UnknownReason::Unsupported { what: refused.to_string(), pos: None })
        }
    }
}

fn ask(task: &Task, exec: &Exec, formula: &mut Formula) -> Result<Step, Failure> {
    let error = Term::any(exec.calls.first().map_or(&[][..], |call| &call.errors).iter().copied());
    if formula.possible(error, task.budget)? {
        let found = script::script(exec, formula, task.program, task.entry)?;
        return Ok(match confirm(task.program, task.entry, &found, task.budget) {
            Ok(()) => Step::Unsafe(Box::new(found)),
            Err(what) => Step::Unknown(UnknownReason::NotConfirmed(what)),
        });
    }
    let bound = Term::any(exec.gaps.iter().filter(|g| g.why == Why::Bound).map(|g| g.guard));
    let others: Vec<&crate::exec::Gap> = exec.gaps.iter().filter(|g| g.why != Why::Bound).collect();
    if formula.possible(bound, task.budget)? {
        return Ok(Step::Deeper);
    }
    let gap = Term::any(others.iter().map(|g| g.guard));
    if formula.possible(gap, task.budget)? {
        let guards: Vec<Term> = others.iter().map(|g| g.guard).collect();
        let values = formula.values(&guards)?;
        let hit = others.iter().zip(values).find(|(_, value)| *value == 1).map(|(gap, _)| &gap.why);
        let reason = match hit {
            Some(Why::Unsupported(what, pos)) => {
                UnknownReason::Unsupported { what: what.clone(), pos: Some(*pos) }
            }
            _ => UnknownReason::Unsupported { what: "an operation".to_owned(), pos: None },
        };
        return Ok(Step::Unknown(reason));
    }
    Ok(Step::Safe)
}

/// Runs a claimed violation.
pub fn confirm(
    program: &Program,
    entry: FuncId,
    found: &Counterexample,
    budget: &Budget,
) -> Result<(), String> {
    let mut options = Options::new(entry);
    options.heap.clone_from(&found.heap);
    options.record_inputs = false;
    options.max_steps = 100_000_000;
    let mut interp = Interp::new(program, options).map_err(|e| e.to_string())?;
    let run = interp.run(&mut found.script.clone(), budget);
    match run.outcome {
        interp::Outcome::CheckFailed { .. } => Ok(()),
        interp::Outcome::Returned(_) => Err("the run ends without a failed check".to_owned()),
        interp::Outcome::AssumeViolated { .. } => Err("the run violates an assumption".to_owned()),
        interp::Outcome::Undefined(what) => Err(format!("the run ends before: {}", what.kind)),
        other => Err(format!("the run ends differently: {other:?}")),
    }
}

fn assumed(exec: &Exec) -> Vec<String> {
    let mut list: Vec<String> = exec
        .assumed
        .keys()
        .filter(|id| !interp::is_modelled(exec.program, **id))
        .map(|id| exec.program.function(*id).name.to_string())
        .map(|name| format!("'{name}' has no body: it returns any value and changes nothing"))
        .collect();
    let outside = exec.objects.ids().filter(|id| exec.objects.get(*id).kind == crate::objects::Kind::Outside);
    let count = outside.count();
    if count > 0 {
        list.push(format!(
            "pointers that come from outside ({count}) lead to memory of their own, if they lead anywhere"
        ));
    }
    list
}

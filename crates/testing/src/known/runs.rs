//! The failing runs of a program, as far as small inputs lead there: all short sequences of them, and some
//! long ones.

use base::Budget;
use base::random::Random;
use interp::{Interp, Options, Outcome, Run, VecInputs};
use ir::{Callee, FuncId, LoopForest, LoopId, Op, Program};
use std::collections::{HashMap, VecDeque};

/// A run that fails a check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failing {
    pub inputs: Vec<i64>,
    /// The most often that it goes back to the head of a loop, from one entry of the loop to the next, and
    /// the most calls of a function that are inside of another one of it: the least bound within which it
    /// lies.
    pub needs: u32,
}

const DOMAIN: [i64; 4] = [1, 0, 2, -1];
const MOST_RUNS: usize = 700;
const LONG_RUNS: usize = 500;
const LONG: usize = 40;
const MOST_INPUTS: usize = 6;
const MOST_STEPS: u64 = 2000;

/// Of all failing runs that are found, the one that lies within the least bound.
pub fn failing(program: &Program) -> Option<Failing> {
    let mut options = Options::main(program)?;
    options.max_steps = MOST_STEPS;
    options.record_trace = true;
    let mut interp = Interp::new(program, options).ok()?;
    let mut queue: VecDeque<Vec<i64>> = VecDeque::from([Vec::new()]);
    let mut best: Option<Failing> = None;
    let mut random = Random::new(program.functions.len() as u64);
    for number in 0..MOST_RUNS + LONG_RUNS {
        let mut long = || (0..LONG).map(|_| random.pick(&DOMAIN)).collect();
        let next = if number < MOST_RUNS { queue.pop_front() } else { Some(long()) };
        let Some(inputs) = next else { continue };
        let values = inputs.iter().map(|value| *value as u128);
        let run = interp.run(&mut VecInputs::then_stop(values), &Budget::unlimited());
        match run.outcome {
            Outcome::InputsExhausted if inputs.len() < MOST_INPUTS && number < MOST_RUNS => {
                queue.extend(DOMAIN.iter().map(|next| inputs.iter().copied().chain([*next]).collect()));
            }
            Outcome::CheckFailed { .. } => {
                let needs = bound_of(program, &run);
                if best.as_ref().is_none_or(|best| needs < best.needs) {
                    best = Some(Failing { inputs, needs });
                }
            }
            _ => {}
        }
    }
    best
}

/// An activation: how often the loops around its place went back to their heads.
struct Active {
    function: FuncId,
    rounds: HashMap<LoopId, u32>,
}

/// The least bound on loops and recursion within which a run lies.
pub fn bound_of(program: &Program, run: &Run) -> u32 {
    let mut forests: HashMap<FuncId, LoopForest> = HashMap::new();
    let mut stack: Vec<Active> = Vec::new();
    let mut needs = 0;
    // The first step is one of the entry, and a step behind a call one of the callee, if it has a body.
    let mut entered = true;
    for step in &run.trace {
        let Some(cfa) = program.function(step.function).cfa() else { continue };
        if std::mem::take(&mut entered) {
            let above = stack.iter().filter(|active| active.function == step.function).count() as u32;
            needs = needs.max(above);
            stack.push(Active { function: step.function, rounds: HashMap::new() });
        }
        let forest = forests.entry(step.function).or_insert_with(|| LoopForest::of(cfa));
        let edge = cfa.edge(step.edge);
        if let Some(active) = stack.last_mut() {
            let mut around = forest.innermost(edge.to);
            while let Some(id) = around.filter(|id| !forest.contains(*id, edge.from)) {
                active.rounds.remove(&id);
                around = forest.get(id).parent;
            }
            if let Some(id) = forest.headed_by(edge.to).filter(|id| forest.contains(*id, edge.from)) {
                let rounds = active.rounds.entry(id).or_insert(0);
                *rounds += 1;
                needs = needs.max(*rounds);
            }
        }
        match &edge.op {
            Op::Call { callee: Callee::Direct(f), .. } => entered = program.function(*f).cfa().is_some(),
            Op::Return(_) => {
                stack.pop();
            }
            _ => {}
        }
    }
    needs
}

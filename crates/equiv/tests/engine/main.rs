//! The whole engine on random pairs of C functions (`tests/equiv` has those with known answers).

mod fuzz;
mod known;
mod mutate;
mod random_c;

use base::Budget;
use equiv::concrete::{ExternRule, Options};
use equiv::spec::Spec;
use equiv::{Integers, Member, Report, Request, Verdict, engine};
use ir::{FuncId, Program};
use std::time::{Duration, Instant};

/// The members that prove something about all inputs.
const PROVERS: [Member; 2] = [Member::Candidates, Member::Abstraction];

fn compared_function(program: &Program) -> FuncId {
    program.find_function("f").or(program.find_function("main")).expect("f or main")
}

fn within(time: Duration) -> Budget {
    Budget { deadline: Some(Instant::now() + time), ..Budget::unlimited() }
}

fn ask(
    programs: [&Program; 2],
    spec: &Spec,
    integers: Integers,
    members: &[Member],
    time: Duration,
) -> Report {
    let [old, new] = programs;
    let functions = [compared_function(old), compared_function(new)];
    let budget = within(time);
    let pair = change::Pair::new(old, new);
    let request = Request { pair: &pair, functions, spec, integers, budget: &budget, members };
    engine::compare(&request, &driver::certificate::confirm)
}

fn replay_options() -> Options {
    let rules = [("__mark", ExternRule::Constant(u128::MAX)), ("__inlineCall", ExternRule::Argument(0))];
    Options { externs: rules.map(|(n, r)| (n.to_string(), r)).into(), ..Options::default() }
}

/// Did a prover believe that the versions are equal, whatever became of it afterwards?
fn believed(report: &Report) -> bool {
    matches!(report.verdict, Verdict::Equivalent(_))
        || report.log.iter().any(|line| line.contains(": proved"))
}

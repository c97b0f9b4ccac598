//! Contracts and invariants: weaker, stronger, of other places, of other functions, gone, twice.

use super::terms::formula;
use encode::{IntMode, State, TransitionSystem};
use engine::Contract;
use ir::{FuncId, NodeId, Program};
use logic::Term;
use testing::Random;

pub fn edit(
    mode: &mut IntMode,
    contracts: &mut Vec<Contract>,
    program: &Program,
    random: &mut Random,
) -> String {
    let count = contracts.len();
    let at = random.below(count);
    let other = random.below(count);
    match random.below(16) {
        0 => {
            *mode = random.pick(&[IntMode::Bv, IntMode::Wrap, IntMode::Unbounded]);
            return format!("its integers are {mode}");
        }
        1 if count > 0 => {
            contracts.remove(at);
            return format!("contract {at} is gone");
        }
        2 if count > 0 => {
            contracts.extend_from_within(at..=at);
            return format!("contract {at} is there twice");
        }
        3 if count > 0 => {
            contracts[at].function = FuncId(random.below(program.functions.len() + 1) as u32);
            return format!("contract {at} is of function {}", contracts[at].function.0);
        }
        4 if count > 1 => {
            let requires = contracts[other].requires;
            contracts[at].requires = requires;
            return format!("contract {at} requires what {other} does");
        }
        _ => {}
    }
    let Some(contract) = contracts.get_mut(at) else { return "nothing".to_owned() };
    let name = format!("contract {at}");
    let vars = variables(program, contract.function, *mode);
    let formulas: Vec<Term> = [contract.requires, contract.ensures]
        .into_iter()
        .chain(contract.invariants.iter().map(|(_, term)| *term))
        .collect();
    let (one, two) = (random.below(contract.invariants.len()), random.below(contract.invariants.len()));
    match random.below(12) {
        0 => {
            let (term, what) = formula(contract.requires, &formulas, &vars, random);
            contract.requires = term;
            format!("{name}: what it requires, {what}")
        }
        1 | 2 => {
            let (term, what) = formula(contract.ensures, &formulas, &vars, random);
            contract.ensures = term;
            format!("{name}: what it ensures, {what}")
        }
        3 if !contract.invariants.is_empty() => {
            contract.invariants.remove(one);
            format!("{name}: invariant {one} is gone")
        }
        4 if one != two => {
            let moved = contract.invariants[one].1;
            contract.invariants[one].1 = contract.invariants[two].1;
            contract.invariants[two].1 = moved;
            format!("{name}: invariants {one} and {two} are swapped")
        }
        5 if !contract.invariants.is_empty() => {
            let nodes = program.functions.get(contract.function.0 as usize).and_then(|f| f.cfa());
            let nodes = nodes.map_or(0, |cfa| cfa.node_count()) as usize;
            contract.invariants[one].0 = NodeId(random.below(nodes + 2) as u32);
            format!("{name}: invariant {one} is of node {}", contract.invariants[one].0.0)
        }
        6 if !contract.invariants.is_empty() => {
            contract.invariants.extend_from_within(one..=one);
            format!("{name}: invariant {one} is there twice")
        }
        _ if !contract.invariants.is_empty() => {
            let (term, what) = formula(contract.invariants[one].1, &formulas, &vars, random);
            contract.invariants[one].1 = term;
            format!("{name}: invariant {one}, {what}")
        }
        _ => "nothing".to_owned(),
    }
}

/// What formulas about a function may mention, and some that they may not.
fn variables(program: &Program, function: FuncId, mode: IntMode) -> Vec<Term> {
    let entry = program.find_function("main");
    let system = entry.and_then(|entry| TransitionSystem::new(program, entry, mode).ok());
    let states = system.into_iter().filter(|s| (function.0 as usize) < s.program.functions.len());
    let states = states.flat_map(|system| {
        let of = |prefix: &str| system.variables(function, prefix).ok();
        [of(""), of("old.")].into_iter().flatten().collect::<Vec<State>>()
    });
    let terms = |state: State| state.locals.into_iter().chain(state.globals).flatten().chain(state.memory);
    states.flat_map(terms).collect()
}

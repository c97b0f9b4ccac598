//! What a proof says of states that runs come to: a formula that is false there cannot be part of a proof.
//!
//! Runs are those of what the proof is about, the program or its slice. Only registers are looked at: what a
//! formula says of memory, or of what was at a function's entry, stays open.

use crate::made::view;
use base::Budget;
use encode::{IntMode, TransitionSystem};
use engine::{Argument, Contract, Proof};
use interp::{Interp, Options, RandomInputs, Snapshot};
use ir::{FuncId, NodeId, Program, Storage, Type};
use logic::{IBig, Term, Value, eval};
use rustc_hash::FxHashMap;
use slice::Checks;

const RUNS: u64 = 24;
const STEPS: u64 = 300;

/// States at the cut points of a program, in its slices and in the whole.
pub struct Reached<'a> {
    program: &'a Program,
    /// Those of the first two are needed often.
    views: Vec<View>,
}

impl<'a> Reached<'a> {
    pub fn new(program: &'a Program) -> Reached<'a> {
        let slices = [None, Some(Checks::All)];
        Reached { program, views: slices.into_iter().map(|slice| View::of(program, slice)).collect() }
    }

    /// Something that the proof says and that is not so.
    pub fn lie(&self, proof: &Proof) -> Option<String> {
        let (mode, contracts) = match &proof.argument {
            Argument::Contracts { mode, contracts } => (mode, contracts),
            Argument::Parts(parts) => return parts.iter().find_map(|part| self.lie(part)),
            _ => return None,
        };
        let other;
        let view = match self.views.iter().find(|view| view.slice == proof.slice) {
            Some(view) => view,
            None => {
                other = View::of(self.program, proof.slice.clone());
                &other
            }
        };
        let system = TransitionSystem::new(&view.program, self.program.find_function("main")?, *mode).ok()?;
        contracts.iter().find_map(|contract| false_at(&system, contract, *mode, &view.states))
    }
}

/// What a proof can be about, and states that are reached there.
struct View {
    slice: Option<Checks>,
    program: Program,
    states: Vec<Snapshot>,
}

impl View {
    fn of(program: &Program, slice: Option<Checks>) -> View {
        let program = view(program, slice.as_ref());
        let states = states(&program);
        View { slice, program, states }
    }
}

fn states(program: &Program) -> Vec<Snapshot> {
    let mut watch: Vec<(FuncId, NodeId)> = Vec::new();
    for id in program.function_ids() {
        let cfa = program.function(id).cfa();
        watch.extend(cfa.into_iter().flat_map(|cfa| cfa.nodes()).map(|node| (id, node)));
    }
    let Some(options) = Options::main(program) else { return Vec::new() };
    let options = Options { max_steps: STEPS, watch, ..options };
    let mut found = Vec::new();
    for run in 0..RUNS {
        let Ok(mut interp) = Interp::new(program, options.clone()) else { continue };
        found.extend(interp.run(&mut RandomInputs::new(run), &Budget::unlimited()).snapshots);
    }
    found
}

fn false_at(
    system: &TransitionSystem,
    contract: &Contract,
    mode: IntMode,
    states: &[Snapshot],
) -> Option<String> {
    let function = system.program.functions.get(contract.function.0 as usize)?;
    let variables = system.variables(contract.function, "").ok()?;
    for state in states.iter().filter(|state| state.function == contract.function) {
        let said: Vec<Term> =
            contract.invariants.iter().filter(|(node, _)| *node == state.node).map(|(_, t)| *t).collect();
        if said.is_empty() {
            continue;
        }
        let mut known: FxHashMap<Term, Value> = FxHashMap::default();
        let locals = variables.locals.iter().zip(&function.locals).zip(&state.locals);
        let locals = locals.map(|((variable, local), bits)| (*variable, local.storage, *bits));
        let globals = variables.globals.iter().zip(system.program.globals.iter()).zip(state.globals.iter());
        let globals = globals.map(|((variable, global), bits)| (*variable, global.storage, *bits));
        for (variable, storage, bits) in locals.chain(globals) {
            if let (Some(variable), Storage::Register(ty), Some(bits)) = (variable, storage, bits) {
                known.extend(value(ty, mode, bits).map(|value| (variable, value)));
            }
        }
        let of = |t: Term| known.get(&t).cloned();
        let wrong = |t: &Term| eval(*t, &of).and_then(|value| value.as_bool()) == Some(false);
        let parts = said.iter().flat_map(|t| t.conjuncts());
        if let Some(part) = parts.into_iter().find(wrong) {
            return Some(format!("a run comes to node {} of {} without {part}", state.node.0, function.name));
        }
    }
    None
}

fn value(ty: Type, mode: IntMode, bits: u128) -> Option<Value> {
    let Type::Int(int) = ty else { return None };
    Some(match mode {
        IntMode::Bv => Value::bv(bits & int.mask(), u32::from(int.bits)),
        IntMode::Wrap | IntMode::Unbounded => Value::int(IBig::from(int.value(bits))),
    })
}

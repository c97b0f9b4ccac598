//! Random programs that use every form of the IR.

use crate::programs::{Ending, ending, evaluate, walk};
use crate::support::{MODES, cases};
use crate::world::{Answers, World};
use base::Budget;
use encode::memory::memory_sort;
use encode::{Encoder, IntMode, Layout, Regions, State};
use interp::{Interp, Options};
use ir::{Body, Expr, ExprKind, FuncId, Function, GlobalId, Program, Storage, Type};
use logic::{Sort, Term};
use proptest::prelude::*;
use std::cell::Cell;

/// A state whose registers and regions are variables; None if something in it has no sort.
fn any_state(program: &Program, function: &Function, mode: IntMode, regions: &Regions) -> Option<State> {
    let variable = |name: &str, storage: Storage| match storage {
        Storage::Register(ty) => mode.sort(ty, &program.target).ok().map(|sort| Some(Term::var(name, sort))),
        Storage::Memory { .. } => Some(None),
    };
    let array = |layout: Layout| Some(Term::var("m", memory_sort(mode, &program.target, layout).ok()?));
    Some(State {
        locals: function.locals.iter().map(|l| variable(&l.name, l.storage)).collect::<Option<_>>()?,
        globals: program.globals.iter().map(|g| variable(&g.name, g.storage)).collect::<Option<_>>()?,
        memory: regions.list.iter().map(|r| array(r.layout)).collect::<Option<_>>()?,
        world: Term::var("world", Sort::Int),
        allocations: Term::var("allocations", Sort::Int),
        inputs: Term::var("inputs", Sort::Int),
    })
}

/// Every operation is encoded, with terms of the right sorts, or is refused.
fn encodes(program: &Program) {
    let all: Vec<FuncId> = program.function_ids().collect();
    let regions = Regions::analyse(&[program], &[all]);
    for mode in MODES {
        for id in program.function_ids() {
            let function = program.function(id);
            let (Some(cfa), Some(state)) = (function.cfa(), any_state(program, function, mode, &regions))
            else {
                continue;
            };
            let mut encoder = Encoder::new(program, 0, id, mode, &regions, "");
            for edge in cfa.edges() {
                let mut after = state.clone();
                if encoder.op(&edge.op, &mut after).is_err() {
                    continue;
                }
                let sorts = |s: &State| -> Vec<Option<Sort>> {
                    let terms = s.locals.iter().chain(&s.globals).copied();
                    let tokens = [s.world, s.allocations, s.inputs];
                    terms
                        .chain(s.memory.iter().chain(&tokens).map(|t| Some(*t)))
                        .map(|t| t.map(Term::sort))
                        .collect()
                };
                assert_eq!(sorts(&after), sorts(&state), "{:?}", edge.op);
            }
            assert!(encoder.facts.iter().chain(&encoder.traps).all(|t| t.sort() == Sort::Bool));
        }
    }
}

/// Does an expression have this form somewhere?
fn mentions(program: &Program, form: impl Fn(&Expr) -> bool) -> bool {
    let edges = program.functions.iter().filter_map(|f| f.cfa()).flat_map(|cfa| cfa.edges());
    let mut found = false;
    edges.flat_map(|e| e.op.exprs()).for_each(|e| e.walk(&mut |e| found |= form(e)));
    found
}

/// The path that the interpreter takes ends in the same way. False if they cannot be compared: a run that goes wrong, calls,
/// addresses that the two choose differently.
fn agrees(program: &Program, args: &[u128], mode: IntMode) -> bool {
    let f = FuncId(0);
    let function = program.function(f);
    let local =
        |e: &Expr| matches!(e.kind, ExprKind::AddrLocal(_) | ExprKind::VarArgs | ExprKind::ObjectSize(_));
    let extended = function.ret == Some(Type::F80);
    if !matches!(function.body, Body::Defined(_)) || extended || mentions(program, local) {
        return false;
    }
    let mut options = Options::new(f);
    options.max_steps = 200;
    let mut interp = Interp::new(program, options).unwrap();
    let mut answers = Answers { list: &[], inputs: 0, calls: 0 };
    let outcome = interp.call(f, args, &mut answers, &Budget::unlimited()).outcome;
    let Some(expected) = ending(outcome, program, f, mode) else { return false };
    let regions = Regions::analyse(&[program], &[program.function_ids().collect()]);
    if any_state(program, function, mode, &regions).is_none() {
        return false;
    }
    let (mut world, state) = World::new(program, mode, &regions, function, args, &[]);
    let mut encoder = world.encoder(f);
    let pointer = |kind| Expr { ty: Type::Ptr, kind };
    let globals = (0..program.globals.len() as u32).map(GlobalId);
    let globals =
        globals.filter_map(|id| Some((pointer(ExprKind::AddrGlobal(id)), interp.global_address(id)?)));
    let functions =
        program.function_ids().map(|id| (pointer(ExprKind::AddrFunc(id)), interp.function_address(id)));
    for (e, address) in globals.chain(functions) {
        let term = encoder.expr(&e, &state).unwrap();
        world.place(term.var_name().unwrap(), address);
    }
    let Ok(walked) = walk(&world, &mut encoder, function.cfa().unwrap(), state) else { return false };
    let found = if walked.trapped { Ending::Trapped } else { evaluate(&world, &walked.ending) };
    // What no known function computes has no value.
    if let Ending::Returned(None) | Ending::Exited(None) = found
        && found != expected
    {
        return false;
    }
    assert_eq!(found, expected, "{mode}: {}", ir::print(program));
    for fact in &encoder.facts {
        assert_ne!(
            world.value(*fact).and_then(|v| v.as_bool()),
            Some(false),
            "{mode}: {fact}\n{}",
            ir::print(program)
        );
    }
    true
}

/// Memory that nobody wrote is zero in the world of these tests.
fn without_content(mut program: Program) -> Program {
    for global in &mut program.globals {
        if let (Storage::Memory { .. }, Some(init)) = (global.storage, &mut global.init) {
            init.items.clear();
        }
        // The value of a register may be an address.
        if let (Storage::Register(_), Some(init)) = (global.storage, &mut global.init) {
            init.items
                .retain(|item| matches!(&item.value, ir::InitValue::Scalar(e) if e.as_const().is_some()));
        }
    }
    program
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn every_program_encodes(program in ir::testing::program()) {
        encodes(&program);
    }
}

#[test]
fn random_programs_agree() {
    let compared = Cell::new(0u32);
    let config = cases(1500);
    let total = config.cases;
    proptest!(config, |(program in ir::testing::program(), args in prop::collection::vec(any::<u128>(), 4), small in 0u128..8)| {
        let program = without_content(program);
        for mode in [IntMode::Bv, IntMode::Wrap] {
            let args = if small < 5 { vec![small, 1, 0, u128::MAX] } else { args.clone() };
            let args: Vec<u128> = program.function(FuncId(0)).param_types().zip(args)
                .map(|(ty, a)| a & interp::eval::type_mask(&program.target, ty)).collect();
            compared.set(compared.get() + u32::from(agrees(&program, &args, mode)));
        }
    });
    assert!(compared.get() > total / 4, "only {} comparisons in {total} programs", compared.get());
}

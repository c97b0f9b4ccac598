//! Random programs that use every form of the IR.

use crate::programs::{Ending, NoCalls, assert_ending, ending, evaluate, walk};
use crate::support::{MODES, cases};
use crate::world::{Answers, World};
use base::Budget;
use encode::block::{Place, block};
use encode::memory::memory_sort;
use encode::{Encoder, IntMode, Layout, Regions, State};
use interp::{Interp, Options};
use ir::{Body, Expr, ExprKind, FuncId, Function, GlobalId, LoopForest, NodeId, Program, Storage, Type};
use logic::{Sort, Term};
use proptest::prelude::*;
use std::cell::Cell;
use std::collections::BTreeSet;

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

/// How the interpreter ends, and the world and the state that the encoding starts in. None if they cannot be
/// compared.
fn started<'p>(
    program: &'p Program,
    args: &[u128],
    mode: IntMode,
    regions: &'p Regions,
) -> Option<(Ending, World<'p>, State)> {
    let f = FuncId(0);
    let function = program.function(f);
    let local =
        |e: &Expr| matches!(e.kind, ExprKind::AddrLocal(_) | ExprKind::VarArgs | ExprKind::ObjectSize(_));
    let extended = function.ret == Some(Type::F80);
    if !matches!(function.body, Body::Defined(_)) || extended || mentions(program, local) {
        return None;
    }
    let mut options = Options::new(f);
    options.max_steps = 200;
    let mut interp = Interp::new(program, options).unwrap();
    let mut answers = Answers { list: &[], inputs: 0, calls: 0 };
    let outcome = interp.call(f, args, &mut answers, &Budget::unlimited()).outcome;
    let expected = ending(outcome, program, f, mode)?;
    any_state(program, function, mode, regions)?;
    let (mut world, state) = World::new(program, mode, regions, function, args, &[]);
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
    Some((expected, world, state))
}

/// The path that the interpreter takes ends in the same way. False if they cannot be compared: a run that
/// goes wrong, calls, addresses that the two choose differently.
fn agrees(program: &Program, args: &[u128], mode: IntMode) -> bool {
    let f = FuncId(0);
    let function = program.function(f);
    let regions = Regions::analyse(&[program], &[program.function_ids().collect()]);
    let Some((expected, world, state)) = started(program, args, mode, &regions) else { return false };
    let mut encoder = world.encoder(f);
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

/// The same from loop head to loop head, as `block` encodes what lies between: from any state, exactly one
/// segment is taken.
pub fn blocks_agree(program: &Program, args: &[u128], mode: IntMode) -> bool {
    let f = FuncId(0);
    let regions = Regions::analyse(&[program], &[program.function_ids().collect()]);
    let Some((expected, mut world, mut state)) = started(program, args, mode, &regions) else { return false };
    let cfa = program.function(f).cfa().unwrap();
    let cuts: BTreeSet<NodeId> = LoopForest::of(cfa).loops().iter().map(|l| l.header).collect();
    let mut encoder = world.encoder(f);
    let mut node = cfa.entry;
    let about = || format!("{mode} on {args:?}: {}", ir::print(program));
    for round in 0..200 {
        let Ok(block) = block(&mut encoder, cfa, &cuts, node, &state, &NoCalls) else { return false };
        let holds = |t: Term| world.value(t).and_then(|v| v.as_bool());
        assert_ne!(holds(block.facts), Some(false), "{}\n{}", block.facts, about());
        let guards: Option<Vec<bool>> = block.segments.iter().map(|s| holds(s.guard)).collect();
        let Some(guards) = guards else { return false };
        let taken: Vec<_> = block.segments.iter().zip(guards).filter(|(_, g)| *g).map(|(s, _)| s).collect();
        if expected == Ending::None && taken.is_empty() {
            return true;
        }
        let [segment] = taken[..] else { panic!("{} segments\n{}", taken.len(), about()) };
        match segment.place {
            Place::End => {
                let ending = segment.ending.as_ref().unwrap();
                // What no known function computes has no value.
                if [Some(ending.kind), ending.value, ending.code]
                    .iter()
                    .flatten()
                    .any(|t| world.value(*t).is_none())
                {
                    return false;
                }
                assert_ending(&world, ending, &expected, &about);
                // However it ended: everybody assumes that these are values of their types.
                let typed = [(program.function(f).ret, ending.value), (Some(Type::I32), ending.code)];
                for (ty, value) in typed.into_iter().filter_map(|(ty, value)| ty.zip(value)) {
                    let fact = mode.type_fact(ty, &program.target, value);
                    assert_ne!(holds(fact), Some(false), "{fact}\n{}", about());
                }
                return true;
            }
            Place::Node(next) => {
                let Some(after) = renamed(&mut world, &segment.state, round) else { return false };
                (state, node) = (after, next);
            }
        }
    }
    false
}

/// The state with a variable for each of its parts, so that the next block knows nothing but types.
fn renamed(world: &mut World, state: &State, round: u32) -> Option<State> {
    let mut count = 0;
    let mut new = |world: &mut World, t: Term| {
        count += 1;
        world.named(&format!("s{round}.{count}"), t)
    };
    let mut registers = |world: &mut World, list: &[Option<Term>]| -> Option<Vec<Option<Term>>> {
        let one = |t: &Option<Term>| match t {
            Some(t) => new(world, *t).map(Some),
            None => Some(None),
        };
        list.iter().map(one).collect()
    };
    let (locals, globals) = (registers(world, &state.locals)?, registers(world, &state.globals)?);
    let memory = state.memory.iter().map(|t| new(world, *t)).collect::<Option<Vec<_>>>()?;
    let mut token = |t: Term| new(world, t);
    let (w, a, i) = (token(state.world)?, token(state.allocations)?, token(state.inputs)?);
    Some(State { locals, globals, memory, world: w, allocations: a, inputs: i })
}

/// Memory that nobody wrote is zero in the world of these tests.
fn without_content(mut program: Program) -> Program {
    for global in program.globals_mut() {
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
    let (compared, blocks) = (Cell::new(0u32), Cell::new(0u32));
    let config = cases(1500);
    let total = config.cases;
    proptest!(config, |(program in ir::testing::program(), args in prop::collection::vec(any::<u128>(), 4), small in 0u128..8)| {
        let program = without_content(program);
        for mode in [IntMode::Bv, IntMode::Wrap] {
            let args = if small < 5 { vec![small, 1, 0, u128::MAX] } else { args.clone() };
            let args: Vec<u128> = program.function(FuncId(0)).param_types().zip(args)
                .map(|(ty, a)| a & interp::eval::type_mask(&program.target, ty)).collect();
            compared.set(compared.get() + u32::from(agrees(&program, &args, mode)));
            blocks.set(blocks.get() + u32::from(blocks_agree(&program, &args, mode)));
        }
    });
    for (what, count) in [("paths", compared.get()), ("blocks", blocks.get())] {
        assert!(count > total / 4, "{what}: only {count} comparisons in {total} programs");
    }
}

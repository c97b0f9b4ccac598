//! Transformed functions do what they did: same path (read through the origins), same inputs, same end, same
//! globals.

mod generate;

use base::Budget;
use interp::{InputKind, Interp, Options, Outcome, Pointee, RandomInputs, Run};
use ir::loops::LoopForest;
use ir::transform::{
    Again, Origin, TransformError, Transformed, inline, inline_with, normalize, peel, split, unroll,
    unset_locals,
};
use ir::{
    BinOp, Callee, EdgeId, Expr, ExprKind, FuncId, Function, GlobalId, LocalId, NodeId, Op, Program, Storage,
    Type, Var,
};
use proptest::prelude::*;

/// What can be seen of a run, in terms of the program before the transformation.
#[derive(PartialEq, Debug)]
struct Seen {
    end: End,
    path: Vec<(FuncId, EdgeId)>,
    inputs: Vec<(Type, &'static str, u128)>,
    stdout: Vec<u8>,
    globals: Vec<Value>,
}

#[derive(PartialEq, Debug)]
enum End {
    At(FuncId, Option<EdgeId>, String),
    Ended(Outcome),
    /// A limit of the interpreter, which counts steps and frames.
    Limit,
}

#[derive(PartialEq, Debug)]
enum Value {
    Bytes(Vec<Option<u8>>),
    Pointer(Option<(u64, u64, bool)>),
}

/// Where the functions of a program come from: one of them was transformed.
struct Origins<'a>(Option<(FuncId, &'a Transformed)>);

impl Origins<'_> {
    /// The edge before, unless it continues one that was seen already.
    fn edge(&self, function: FuncId, edge: EdgeId) -> Option<(FuncId, EdgeId)> {
        let Some((_, t)) = self.0.filter(|(id, _)| *id == function) else { return Some((function, edge)) };
        let from = t.function.cfa().expect("a body").edge(edge).from;
        match t.edges[edge.0 as usize] {
            _ if t.nodes[from.0 as usize] == Origin::Made => None,
            Origin::Own(edge) => Some((function, edge)),
            Origin::Callee(callee, edge) => Some((callee, edge)),
            Origin::Made => None,
        }
    }

    /// As `edge`, for the last one of a run.
    fn last(&self, function: FuncId, edge: EdgeId) -> (FuncId, Option<EdgeId>) {
        match self.0.filter(|(id, _)| *id == function).map(|(_, t)| t.edges[edge.0 as usize]) {
            None => (function, Some(edge)),
            Some(Origin::Own(edge)) => (function, Some(edge)),
            Some(Origin::Callee(callee, edge)) => (callee, Some(edge)),
            Some(Origin::Made) => (function, None),
        }
    }
}

fn see(program: &Program, entry: FuncId, inputs: Given, origins: &Origins) -> Seen {
    let mut options = Options::new(entry);
    options.max_steps = 30_000;
    options.max_memory = 1 << 24;
    options.max_depth = 400;
    options.record_trace = true;
    let mut interp = Interp::new(program, options).expect("small programs");
    let run = interp.call(entry, inputs.args, &mut RandomInputs::new(inputs.seed), &Budget::unlimited());
    let globals = (0..program.globals.len() as u32).map(GlobalId).map(|id| value(&interp, id)).collect();
    let Run { outcome, trace, inputs, stdout, .. } = run;
    let at = |function, edge: Option<EdgeId>, what: String| {
        let (function, edge) = edge.map_or((function, None), |edge| origins.last(function, edge));
        End::At(function, edge, what)
    };
    let end = match outcome {
        Outcome::CheckFailed { kind, function, edge, message, pos, .. } => {
            at(function, Some(edge), format!("{kind:?} {message:?} {pos:?}"))
        }
        Outcome::AssumeViolated { function, edge, .. } => at(function, Some(edge), "assume".into()),
        Outcome::Undefined(u) => at(u.function, u.edge, format!("{:?} {:?}", u.kind, u.pos)),
        Outcome::Stopped(_) | Outcome::StackOverflow | Outcome::OutOfMemory => End::Limit,
        other => End::Ended(other),
    };
    let path = trace.iter().filter_map(|step| origins.edge(step.function, step.edge)).collect();
    let inputs = inputs.iter().map(|i| (i.request.ty, kind(&i.request.kind), i.value)).collect();
    Seen { end, path, inputs, stdout, globals }
}

/// The first arguments, and the seed of all other values from outside.
#[derive(Clone, Copy)]
struct Given {
    args: &'static [u128],
    seed: u64,
}

fn kind(kind: &InputKind) -> &'static str {
    match kind {
        InputKind::Input(_) => "input",
        InputKind::Uninit(_) => "uninit",
        InputKind::Asm => "asm",
        InputKind::ExternReturn(_) => "extern",
        InputKind::ExternGlobal { .. } => "global",
        InputKind::Memory { .. } => "memory",
        InputKind::Changed { .. } => "changed",
        InputKind::Param(_) => "param",
    }
}

/// Pointers in registers by what they point to: where objects lie may change.
fn value(interp: &Interp, id: GlobalId) -> Value {
    match interp.program().global(id).storage {
        Storage::Register(Type::Ptr) => match interp.pointee(interp.global_bits(id).unwrap_or(0) as u64) {
            Pointee::Object { offset, size, live, .. } => Value::Pointer(Some((offset, size, live))),
            Pointee::Null | Pointee::Function(_) | Pointee::Nothing => Value::Pointer(None),
        },
        _ => Value::Bytes(interp.global_bytes(id).unwrap_or_default()),
    }
}

/// Runs the program from every function, before and after `id` was transformed.
fn compare(program: &Program, id: FuncId, transformed: &Transformed, given: Given, what: &str) {
    check_shape(program.function(id), transformed, what);
    let mut after = program.clone();
    after.functions[id.0 as usize] = transformed.function.clone().into();
    let show = || {
        let (a, b) = (ir::print_function(program, id), ir::print_function(&after, id));
        format!("{what}\n{}\n{a}\n{b}", ir::print(program))
    };
    if let Err(list) = ir::verify(&after) {
        panic!("{list:#?}\n{}", show());
    }
    // The interpreter asks at the entry for registers that some path reads unset; where the body of a callee
    // that never returns takes the place of a call, there may be fewer such paths.
    if unset_locals(program.function(id)) != unset_locals(&transformed.function) {
        return;
    }
    for entry in program.function_ids() {
        let a = see(program, entry, given, &Origins(None));
        let b = see(&after, entry, given, &Origins(Some((id, transformed))));
        if a.end == End::Limit || b.end == End::Limit {
            // One of them may have come further.
            let n = a.path.len().min(b.path.len());
            assert_eq!(a.path[..n], b.path[..n], "{}", show());
        } else {
            assert_eq!(a, b, "from {entry:?}: {}", show());
        }
    }
}

/// What the documentation says about ids and origins.
fn check_shape(before: &Function, t: &Transformed, what: &str) {
    let (old, new) = (before.cfa().expect("a body"), t.function.cfa().expect("a body"));
    assert_eq!(t.function.locals[..before.locals.len()], before.locals[..], "{what}: locals are only added");
    assert_eq!(t.locals.len(), t.function.locals.len());
    assert_eq!((t.nodes.len(), t.edges.len()), (new.node_count() as usize, new.edges().len()));
    assert!(new.edges().is_sorted_by_key(|e| e.from));
    assert_eq!(ir::transform::reverse_post_order(new), new.nodes().collect::<Vec<_>>(), "{what}");
    assert_eq!(t.nodes[new.exit.0 as usize], Origin::Own(old.exit));
    for (i, edge) in new.edges().iter().enumerate() {
        // A plain copy does the same between copies of the same nodes.
        if let (Origin::Own(id), Origin::Own(from)) = (t.edges[i], t.nodes[edge.from.0 as usize])
            && !matches!(old.edge(id).op, Op::Call { .. })
        {
            let original = old.edge(id);
            assert_eq!((&original.op, original.pos), (&edge.op, edge.pos), "{what}");
            assert_eq!(original.from, from, "{what}");
            assert_eq!(t.nodes[edge.to.0 as usize], Origin::Own(original.to), "{what}");
        }
    }
}

fn heads(function: &Function) -> Vec<NodeId> {
    function.cfa().map_or(Vec::new(), |cfa| LoopForest::of(cfa).loops().iter().map(|l| l.header).collect())
}

fn is_irreducible(function: &Function, head: NodeId) -> bool {
    let forest = LoopForest::of(function.cfa().expect("a body"));
    forest.headed_by(head).is_some_and(|id| forest.get(id).irreducible)
}

/// A transformed loop is still one with that many heads, and the heads are copies of the old one.
fn check_heads(t: &Transformed, head: NodeId, count: usize) {
    let forest = LoopForest::of(t.function.cfa().expect("a body"));
    assert_eq!(t.heads.len(), count);
    for &new in &t.heads {
        assert_eq!(t.nodes[new.0 as usize], Origin::Own(head));
        assert!(forest.headed_by(new).is_some_and(|id| !forest.get(id).irreducible));
    }
    assert_eq!(t.copies_of(head).filter(|&n| forest.headed_by(n).is_some()).collect::<Vec<_>>(), t.heads);
}

/// Conditions over the parameters and globals, which always have a value.
fn some_condition(program: &Program, function: &Function, n: u32) -> Option<Expr> {
    let mut list: Vec<Expr> = Vec::new();
    for (i, ty) in function.param_types().enumerate().filter(|(_, ty)| ty.is_int()) {
        list.push(Expr::var(Var::Local(LocalId(i as u32)), ty));
    }
    for (i, global) in program.globals.iter().enumerate() {
        if let Storage::Register(ty) = global.storage
            && ty.is_int()
        {
            list.push(Expr::var(Var::Global(GlobalId(i as u32)), ty));
        }
    }
    let e = list.get(n as usize % list.len().max(1))?.clone();
    let limit = Expr::int(e.ty, i128::from(n % 3));
    Some(if n.is_multiple_of(2) {
        Expr::binary(BinOp::Le, e, limit)
    } else {
        Expr::binary(BinOp::Ne, e, limit)
    })
}

fn transform_loops(program: &Program, given: Given, n: u32) {
    for id in program.function_ids() {
        let function = program.function(id);
        if let Ok(t) = normalize(function) {
            compare(program, id, &t, given, "normalize");
        }
        for head in heads(function) {
            if is_irreducible(function, head) {
                assert_eq!(unroll(function, head, 2), Err(TransformError::Irreducible(head)));
                assert_eq!(peel(function, head, 1), Err(TransformError::Irreducible(head)));
                assert_eq!(split(function, head, Expr::bool(true)), Err(TransformError::Irreducible(head)));
                assert!(matches!(normalize(function), Err(TransformError::Irreducible(_))));
                continue;
            }
            let (factor, times) = (1 + n % 4, n % 3);
            let unrolled = unroll(function, head, factor).expect("a natural loop");
            check_heads(&unrolled, head, 1);
            assert_eq!(unrolled.copies_of(head).count(), factor as usize);
            compare(program, id, &unrolled, given, &format!("unroll {head:?} {factor}"));
            let peeled = peel(function, head, times).expect("a natural loop");
            check_heads(&peeled, head, 1);
            assert_eq!(peeled.copies_of(head).count(), times as usize + 1);
            compare(program, id, &peeled, given, &format!("peel {head:?} {times}"));
            // One after the other: the origins lead all the way back.
            let both =
                peeled.then(unroll(&peeled.function, peeled.heads[0], factor).expect("a natural loop"));
            compare(program, id, &both, given, &format!("peel {head:?} {times}, unroll {factor}"));
            if let Some(cond) = some_condition(program, function, n) {
                let t = split(function, head, cond).expect("a natural loop, a pure condition");
                check_heads(&t, head, 2);
                compare(program, id, &t, given, &format!("split {head:?}"));
            }
        }
    }
}

fn calls(function: &Function) -> Vec<EdgeId> {
    let edges = function.cfa().map_or(&[][..], |cfa| cfa.edges());
    let direct = |op: &Op| matches!(op, Op::Call { callee: Callee::Direct(_), .. });
    (0..).map(EdgeId).zip(edges).filter(|(_, e)| direct(&e.op)).map(|(id, _)| id).collect()
}

fn inline_calls(program: &Program, given: Given) {
    for id in program.function_ids() {
        let function = program.function(id);
        for edge in calls(function) {
            let found = inline(program, function, edge);
            let Ok(t) = inline_with(program, function, edge, Again::Allocate) else {
                assert!(found.is_err());
                continue;
            };
            if let Ok(same) = &found {
                assert_eq!(&t, same, "nothing to allocate");
            }
            compare(program, id, &t, given, &format!("inline {edge:?}"));
            // And the first call of what came out of it.
            if let Some(&next) = calls(&t.function).first()
                && let Ok(more) = inline_with(program, &t.function, next, Again::Allocate)
            {
                compare(program, id, &t.then(more), given, &format!("inline {edge:?}, then {next:?}"));
            }
        }
    }
}

/// The remainder of wide floats is computed bit by bit: a loop of them would take minutes.
fn is_fast(program: &Program) -> bool {
    let mut fast = true;
    for edge in program.functions.iter().filter_map(|f| f.cfa()).flat_map(|cfa| cfa.edges()) {
        for e in edge.op.exprs() {
            e.walk(&mut |e| {
                fast &= !matches!(e.kind, ExprKind::Binary(BinOp::Rem, ..)) || e.ty.is_int();
            });
        }
    }
    fast
}

fn choices() -> impl Strategy<Value = Vec<u32>> {
    prop::collection::vec(any::<u32>(), 0..300)
}

/// Calls may nest this deep in structured programs.
const FUEL: &[u128] = &[3];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn loops_of_structured_programs(choices in choices(), seed: u64, n: u32) {
        let program = generate::program_from(&choices);
        if let Err(list) = ir::verify(&program) {
            panic!("{list:#?}\n{}", ir::print(&program));
        }
        transform_loops(&program, Given { args: FUEL, seed }, n);
    }

    #[test]
    fn loops_of_any_program(program in ir::testing::program(), seed: u64, n: u32) {
        prop_assume!(is_fast(&program));
        transform_loops(&program, Given { args: &[], seed }, n);
    }

    #[test]
    fn calls_in_structured_programs(choices in choices(), seed: u64) {
        inline_calls(&generate::program_from(&choices), Given { args: FUEL, seed });
    }

    #[test]
    fn calls_in_any_program(program in ir::testing::program(), seed: u64) {
        prop_assume!(is_fast(&program));
        inline_calls(&program, Given { args: &[], seed });
    }
}

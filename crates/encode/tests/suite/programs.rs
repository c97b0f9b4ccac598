//! Whole functions: the path that the interpreter takes, symbolically; and all paths of loop-free functions
//! at once.

use crate::support::value;
use crate::world::{Answers, World, register_globals};
use base::Budget;
use encode::block::{self, Calls, Place, Treatment, block, kind};
use encode::footprint::Footprint;
use encode::op::Step;
use encode::{Encoder, IntMode, Regions, State, Unsupported};
use interp::{Interp, Options, Outcome, UndefinedKind};
use ir::{Cfa, EdgeId, FuncId, Program, Target, Var};
use logic::{Term, Value};
use smt::{SatResult, Settings, Solver, Z3Solver};
use std::collections::BTreeSet;

/// How a run ended.
#[derive(Clone, PartialEq, Debug)]
pub enum Ending {
    Returned(Option<Value>),
    Exited(Option<Value>),
    Trapped,
    CheckFailed,
    /// A lone assume did not hold: no execution at all.
    None,
}

/// The C function `f` on these arguments, in a mode.
fn check(mode: IntMode, target: Target, source: &str, cases: &[(&[i64], &[u128])], solve: bool) {
    let options = cfront::Options { target, ..Default::default() };
    let output = cfront::compile_text("test.c", source, &options);
    let program = output.program.unwrap_or_else(|| panic!("{:?}", output.diagnostics));
    let f = program.find_function("f").unwrap();
    let regions = Regions::analyse(&[&program], &[vec![f]]);
    for (args, inputs) in cases {
        let args: Vec<u128> =
            program.function(f).param_types().zip(*args).map(|(ty, a)| bits(ty, *a)).collect();
        let (expected, globals) = run(&program, f, &args, inputs, mode);
        let (world, state) = World::new(&program, mode, &regions, program.function(f), &args, inputs);
        let about = || {
            format!("{mode}, {}: {source}\non {args:?} {inputs:?}\nregions {:?}", target.name, regions.list)
        };
        let cfa = program.function(f).cfa().unwrap();
        // One path.
        let mut encoder = world.encoder(f);
        let walked = walk(&world, &mut encoder, cfa, state.clone()).unwrap();
        let ending = if walked.trapped { Ending::Trapped } else { evaluate(&world, &walked.ending) };
        assert_eq!(ending, expected, "{}", about());
        for fact in &encoder.facts {
            assert!(world.holds(*fact), "{fact}\n{}", about());
        }
        for (id, bits) in &globals {
            let at_end = walked.state.get(Var::Global(*id)).unwrap();
            assert_eq!(world.value(at_end).as_ref(), Some(bits), "global {id:?}\n{}", about());
        }
        if solve {
            ask(&world, &encoder, &walked, &expected, &about());
        }
        // All paths.
        if !ir::LoopForest::of(cfa).loops().is_empty() {
            continue;
        }
        let mut encoder = world.encoder(f);
        let block = block(&mut encoder, cfa, &BTreeSet::new(), cfa.entry, &state, &NoCalls).unwrap();
        assert!(world.holds(block.facts), "{}\n{}", block.facts, about());
        let taken: Vec<_> = block.segments.iter().filter(|s| world.holds(s.guard)).collect();
        if expected == Ending::None {
            assert!(taken.is_empty(), "{}", about());
            continue;
        }
        let [segment] = taken[..] else { panic!("{} segments\n{}", taken.len(), about()) };
        assert_eq!(segment.place, Place::End);
        let ending = segment.ending.as_ref().unwrap();
        assert_ending(&world, ending, &expected, &about);
        for (id, bits) in &globals {
            let at_end = segment.state.get(Var::Global(*id)).unwrap();
            assert_eq!(world.value(at_end).as_ref(), Some(bits), "global {id:?}\n{}", about());
        }
    }
}

/// Is this how the interpreter ended?
pub fn assert_ending(world: &World, ending: &block::Ending, expected: &Ending, about: &dyn Fn() -> String) {
    let number = |kind: i32| world.value(ending.kind) == Some(Value::int(kind));
    match expected {
        Ending::Returned(result) => {
            assert!(number(kind::RETURN), "{}", about());
            if result.is_some() {
                assert_eq!(&ending.value.and_then(|v| world.value(v)), result, "{}", about());
            }
        }
        Ending::Exited(Some(code)) => {
            assert!(number(kind::EXIT), "{}", about());
            assert_eq!(ending.code.and_then(|c| world.value(c)).as_ref(), Some(code), "{}", about());
        }
        Ending::Exited(None) => assert!(number(kind::ABORT), "{}", about()),
        Ending::Trapped => assert!(number(kind::TRAP), "{}", about()),
        Ending::CheckFailed => assert!(number(kind::CHECK), "{}", about()),
        Ending::None => {}
    }
}

fn bits(ty: ir::Type, value: i64) -> u128 {
    match ty {
        ir::Type::Int(int) => int.wrap(value.into()),
        ir::Type::Float(f) => {
            interp::float::convert(ir::FloatType::F64, f, u128::from((value as f64 / 4.0).to_bits()))
        }
        other => panic!("{other}"),
    }
}

fn run(
    program: &Program,
    f: FuncId,
    args: &[u128],
    inputs: &[u128],
    mode: IntMode,
) -> (Ending, Vec<(ir::GlobalId, Value)>) {
    let mut interp = Interp::new(program, Options::new(f)).unwrap();
    let mut answers = Answers { list: inputs, inputs: 0, calls: 0 };
    let outcome = interp.call(f, args, &mut answers, &Budget::unlimited()).outcome;
    let value = |ty, bits| value(mode, &program.target, ty, bits);
    let ending = ending(outcome, program, f, mode).unwrap_or_else(|| panic!("no ending"));
    let globals = match ending {
        Ending::Returned(_) | Ending::Exited(_) => register_globals(program)
            .map(|(id, ty)| (id, value(ty, interp.global_bits(id).unwrap())))
            .collect(),
        _ => Vec::new(),
    };
    (ending, globals)
}

/// None for endings that have no counterpart here.
pub fn ending(outcome: Outcome, program: &Program, f: FuncId, mode: IntMode) -> Option<Ending> {
    let value = |ty, bits| value(mode, &program.target, ty, bits);
    Some(match outcome {
        Outcome::Returned(bits) => {
            Ending::Returned(bits.zip(program.function(f).ret).map(|(bits, ty)| value(ty, bits)))
        }
        Outcome::Exited(code) => Ending::Exited(Some(value(ir::Type::I32, u128::from(code as u32)))),
        Outcome::Aborted => Ending::Exited(None),
        Outcome::CheckFailed { .. } => Ending::CheckFailed,
        Outcome::AssumeViolated { .. } => Ending::None,
        Outcome::Undefined(u)
            if matches!(u.kind, UndefinedKind::DivisionByZero | UndefinedKind::DivisionOverflow) =>
        {
            Ending::Trapped
        }
        _ => return None,
    })
}

/// A path through a function, up to its end.
pub struct Walked {
    pub ending: Step,
    /// Conditions on the way.
    path: Vec<Term>,
    state: State,
    pub trapped: bool,
}

pub fn walk(
    world: &World,
    encoder: &mut Encoder,
    cfa: &Cfa,
    mut state: State,
) -> Result<Walked, Unsupported> {
    let (mut node, mut path) = (cfa.entry, Vec::new());
    for _ in 0..10_000 {
        let mut next = None;
        for edge in cfa.out(node) {
            let mut after = state.clone();
            let step = encoder.op(&edge.op, &mut after)?;
            let traps = Term::any(encoder.traps.drain(..));
            let holds = |t: Term| {
                world.value(t).and_then(|v| v.as_bool()).ok_or(Unsupported(format!("no value: {t}")))
            };
            if holds(traps)? {
                return Ok(Walked { ending: step, path, state, trapped: true });
            }
            path.push(traps.not());
            match step {
                Step::On(cond) if !holds(cond)? => {
                    path.push(cond.not());
                    continue;
                }
                Step::On(cond) => path.push(cond),
                Step::Checked { fails } if !holds(fails)? => path.push(fails.not()),
                Step::Call => return Err(Unsupported("a call".to_owned())),
                ending => return Ok(Walked { ending, path, state: after, trapped: false }),
            }
            next = Some((edge.to, after));
            break;
        }
        match next {
            Some((to, after)) => (node, state) = (to, after),
            None => return Ok(Walked { ending: Step::On(Term::bool(false)), path, state, trapped: false }),
        }
    }
    Err(Unsupported("it does not end".to_owned()))
}

pub fn evaluate(world: &World, walked: &Step) -> Ending {
    let value = |t: &Option<Term>| t.and_then(|t| world.value(t));
    match walked {
        Step::Return(result) => Ending::Returned(value(result)),
        Step::Halt(code) => Ending::Exited(value(code)),
        Step::Checked { .. } => Ending::CheckFailed,
        Step::On(_) => Ending::None,
        Step::Call => panic!("a call"),
    }
}

/// Where objects lie is left to the solver, within the facts: the result must be the same.
fn ask(world: &World, encoder: &Encoder, walked: &Walked, expected: &Ending, about: &str) {
    let (Step::Return(Some(result)), Ending::Returned(Some(value))) = (&walked.ending, expected) else {
        return;
    };
    let mut solver = Z3Solver::new(Settings::default()).unwrap();
    world.equations().iter().chain(&walked.path).chain(&encoder.facts).for_each(|t| solver.assert(*t));
    let right = result.equals(value.to_term());
    assert_eq!(solver.check(&[right.not()]), SatResult::Unsat, "{about}");
    assert_eq!(solver.check(&[right]), SatResult::Sat, "{about}");
}

pub struct NoCalls;

impl Calls for NoCalls {
    fn treat(&self, _site: EdgeId, _callee: FuncId) -> Treatment {
        Treatment::Refuse("a call".to_owned())
    }

    fn footprint(&self, _callee: FuncId) -> &Footprint {
        static NONE: std::sync::LazyLock<Footprint> = std::sync::LazyLock::new(Footprint::default);
        &NONE
    }
}

/// Programs on small numbers, which mean the same with unbounded integers.
const SMALL: &[&str] = &[
    // Control flow.
    "int f(int a, int b) { if (a < b) return a - b; int s = 0; for (int i = b; i < a; i++) s += i * b; return s; }",
    "int f(int a, int b) { switch (a & 3) { case 0: b++; case 1: return b; case 3: b = -b; break; } return b * 2; }",
    "int f(int a, int b) { return a / b + a % b; }",
    "int f(int a, int b) { if (b == 0) return 100; int q = a / b; return q * b + a % b == a; }",
    "void exit(int); void abort(void); int f(int a, int b) { if (a > b) exit(a); if (a < -3) abort(); return b; }",
    "int g = 4; int f(int a, int b) { g += a; if (g > 6) { g = b; return g + 1; } return g; }",
    // Inputs and assumptions.
    "int __VERIFIER_nondet_int(void); void __VERIFIER_assume(int); void reach_error(void);
     int f(int a, int b) { int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
       __VERIFIER_assume(x != a); if (x == b) reach_error(); return 2 * x - y; }",
    // Unknown functions.
    "int ext(int); int g; int f(int a, int b) { g = a; int x = ext(a) - ext(b); return x + g; }",
    "int ext(int *); int f(int a, int b) { int x = a, y = b; ext(&x); return x + ext(&y); }",
    // Arrays and pointers.
    "int f(int a, int b) { int x[8]; for (int i = 0; i < 8; i++) x[i] = i * a; x[b & 7] = b; int s = 0;
       for (int i = 0; i < 8; i++) s = s * 3 + x[i]; return s; }",
    "int f(int a, int b) { int x = a, y = b; int *p = a < b ? &x : &y; *p += 5; return x * 100 + y; }",
    "int f(int a, int b) { int x[4] = {1, 2, 3, 4}; int *p = x + (a & 3), *q = x + (b & 3); int t = *p; *p = *q; *q = t;
       return x[0] * 1000 + x[1] * 100 + x[2] * 10 + x[3] + (p - q); }",
    "int x[3][3]; int f(int a, int b) { int i = a & 1, j = b & 1; x[i][j + 1] = 4; x[j][i] = 7;
       return x[0][0] + 2 * x[0][1] + 4 * x[1][0] + 8 * x[1][2] + 16 * x[0][2]; }",
    // Structs, in registers and in memory.
    "struct S { int a; char c; long l; }; static void swap(struct S *s) { }
     int f(int a, int b) { struct S s[2]; s[0].a = a; s[0].c = 3; s[0].l = b; s[1] = s[0]; s[1].a++; struct S *p = &s[b & 1];
       p->l += 2; return s[0].a + 10 * s[0].c + 100 * s[0].l + 1000 * s[1].a + 10000 * s[1].l; }",
    "struct N { struct N *next; int v; };
     int f(int a, int b) { struct N x = {0, a}, y = {&x, b}, z = {&y, 3}; struct N *p = &z; int s = 0;
       while (p) { s = 10 * s + p->v; p = p->next; } y.next = &z; return s + z.next->next->v; }",
    // The heap.
    "void *malloc(unsigned long); void free(void *);
     int f(int a, int b) { int *p = malloc(8), *q = malloc(8); p[0] = a; q[0] = b; p[1] = 3; q[1] = 4; int r = p[0] * q[1];
       free(q); return r + p[1]; }",
    // Blocks.
    "void *memset(void *, int, unsigned long); void *memcpy(void *, const void *, unsigned long);
     int f(int a, int b) { int x[4], y[4]; memset(x, 0, sizeof x); x[a & 3] = b; memcpy(y, x, sizeof x); y[b & 3] += a;
       return x[0] + 2 * x[1] + 3 * x[2] + 4 * x[3] + 100 * (y[0] + 2 * y[1] + 3 * y[2] + 4 * y[3]); }",
];

/// Programs that wrap, look at bytes, or convert.
const EXACT: &[&str] = &[
    // What a path bounds is stored as it is, and read again: elsewhere it is out of range.
    "short m[2]; int f(int a, int t) { short s = 0; if (t >= 0 && t < 100) { m[0] = t; s = m[0]; } if (a > 3) s++; return (short)(t * 70000) + s; }",
    "int f(int a, int t) { short s = 0; if (t > -5 && t < 100) { s = t; a = s + 1; } return (short)(t * 70000) + (short)(t + 40000) + a; }",
    "unsigned f(unsigned a, int b) { unsigned h = 5381; for (int i = 0; i < 5; i++) h = h * 33 + (a ^ (b >> i)); return h; }",
    "int f(int a, int b) { signed char c = a; unsigned char d = b; unsigned short s = c * d; return c * 1000 + d + (s << 3); }",
    "long f(int a, long b) { unsigned long x = a; x = x << 7 | x >> 57; return (long)(x * 3) / (b | 1); }",
    "int f(int a, int b) { return (a | b) - (a & b) == (a ^ b) && (~a & 0xf0) == (0xf0 & (-1 - a)); }",
    // Bytes of integers.
    "int f(int a, int b) { unsigned char *p = (unsigned char *)&a; p[1] = b; p[3] ^= 0x81; return a + p[0]; }",
    "int f(int a, int b) { union { int i[2]; short s[4]; unsigned char c[8]; long l; } u; u.i[0] = a; u.i[1] = b; u.s[1] = u.s[2];
       u.c[b & 7] = 200; return (int)(u.l >> 20) ^ u.i[0] ^ u.s[3]; }",
    "void *memcpy(void *, const void *, unsigned long);
     int f(int a, int b) { char buf[12]; memcpy(buf + 1, &a, 4); memcpy(buf + 5, &b, 4); buf[4] = 7; int r; memcpy(&r, buf + 3, 4);
       return r; }",
    "void *memset(void *, int, unsigned long);
     int f(int a, int b) { short x[4]; memset(x, a, sizeof x); x[b & 3] = b; return x[0] + x[1] * 3 + x[2] * 5 + x[3] * 7; }",
    "void *memmove(void *, const void *, unsigned long);
     int f(int a, int b) { unsigned char x[8]; for (int i = 0; i < 8; i++) x[i] = a * i + b; memmove(x + 2, x, 5);
       int s = 0; for (int i = 0; i < 8; i++) s = s * 31 + x[i]; return s; }",
    "int f(int a, int b) { unsigned x[2]; int *p = (int *)x; p[0] = a; x[1] = b; return (x[0] > x[1]) * 2 + (p[0] > p[1]); }",
    "unsigned f(int a, int b) { char x[4]; x[0] = a; x[1] = b; x[2] = a >> 3; x[3] = -b; char *p = x + (a & 1); return p[0] * p[2]; }",
];

/// With floats.
const FLOATS: &[&str] = &[
    "double f(double a, float b) { double x[2]; x[0] = a; x[1] = b; x[(int)b & 1] *= 3; return x[0] - x[1] / 4; }",
    "int f(double a, float b) { return (int)a + (unsigned char)(int)b + (long)(a * b) % 7; }",
    "unsigned f(double a, float b) { union { float f; unsigned u; } x; x.f = b; x.u ^= 1u << 31; x.f += 1; return x.u; }",
    "double f(double a, float b) { struct { int i; double d; float f; } s[2]; s[0].i = (int)b; s[0].d = a; s[0].f = b; s[1] = s[0];
       s[1].d += s[1].i; return s[1].d + s[0].f; }",
    "float f(double a, float b) { float x = a; if (x < b) return x - b; return x == b ? (float)1e40 : -x; }",
];

const PAIRS: [[i64; 2]; 8] = [[0, 0], [1, 2], [5, 3], [-7, 2], [-4, -9], [3, 0], [10, 11], [2, -5]];
const LARGE: [[i64; 2]; 6] = [
    [0x1234_5678, -2],
    [i32::MIN as i64, -1],
    [i32::MAX as i64, 77],
    [-200, 255],
    [0x7fff, 0x8001],
    [-1, 31],
];

fn check_all(modes: &[IntMode], sources: &[&str], pairs: &[[i64; 2]], solve: bool) {
    let inputs: &[u128] = &[3, 5, 1, 0xffff_fffe];
    let cases: Vec<(&[i64], &[u128])> = pairs.iter().map(|p| (&p[..], inputs)).collect();
    for source in sources {
        for mode in modes {
            check(*mode, Target::LP64, source, &cases, solve);
            if !source.contains("long") && *mode != IntMode::Unbounded {
                check(*mode, Target::ILP32, source, &cases[..cases.len().min(3)], false);
            }
        }
    }
}

#[test]
fn programs_on_small_numbers() {
    check_all(&[IntMode::Bv, IntMode::Wrap, IntMode::Unbounded], SMALL, &PAIRS, false);
}

#[test]
fn programs_on_large_numbers() {
    let division = |s: &&&str| !s.contains('/');
    let sources: Vec<&str> = SMALL.iter().filter(division).copied().collect();
    // Loops are bounded by the numbers.
    check_all(&[IntMode::Bv, IntMode::Wrap], &sources[1..], &LARGE, false);
}

#[test]
fn exact_programs() {
    check_all(&[IntMode::Bv, IntMode::Wrap], EXACT, &[&PAIRS[..], &LARGE[..]].concat(), false);
}

#[test]
fn programs_with_floats() {
    check_all(&[IntMode::Bv, IntMode::Wrap], FLOATS, &PAIRS, false);
}

/// What comes from outside is unknown to the solver. Mixed bytes of symbolic objects take it seconds.
fn closed(list: &[&'static str]) -> Vec<&'static str> {
    let open = ["ext(", "nondet", "struct S", "union"];
    list.iter().copied().filter(|s| !open.iter().any(|word| s.contains(word))).collect()
}

#[test]
fn facts_about_addresses_suffice() {
    check_all(&[IntMode::Bv, IntMode::Unbounded], &closed(SMALL), &PAIRS[1..3], true);
    check_all(&[IntMode::Bv], &closed(EXACT), &PAIRS[2..3], true);
}

#[test]
#[ignore = "takes the solver minutes since sums wrap by remainder"]
fn facts_about_addresses_suffice_for_integers_that_wrap() {
    check_all(&[IntMode::Wrap], &closed(SMALL), &PAIRS[1..3], true);
    check_all(&[IntMode::Wrap], &closed(EXACT), &PAIRS[2..3], true);
}

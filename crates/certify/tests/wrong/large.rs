//! Proofs that would take long, or much memory, to look at: the checker gives up in time.

use crate::comparisons;
use crate::judge::{Judged, TIME, judge, most_memory};
use crate::made::compile;
use crate::versions::Versions;
use certify::format::{
    Answer, Change, Coupled, Encoding, Location, Moves, Place, Proof, Step, Verdict, Version,
};
use encode::IntMode;
use engine::{Argument, Bounds, Contract, Partition, Slot, Unwound, Widened};
use ir::{FuncId, GlobalId, Program};
use logic::{Sort, Term};
use std::time::Instant;

const MEMORY: u64 = 4 << 30;

/// Loops and calls that never end, and change something each time.
const ENDLESS: &str = "int g, a[64];
    int down(int n) { a[n & 63] = g++; return n ? down(n + 1) + down(n - 1) : g; }
    int main(void) {
        int n = __VERIFIER_nondet_int();
        while (n != 1) { a[g & 63] += n; g += a[n & 63] + __VERIFIER_nondet_int(); n = n * 3 + g; }
        if (a[down(n) & 63] == 77) __VERIFIER_error();
        return 0;
    }";

fn check(program: &Program, argument: Argument, what: &str) -> Judged {
    let start = Instant::now();
    let judged = judge(program, &engine::Proof { slice: None, argument });
    println!(
        "{what}: {judged:?}, {:?} of {TIME:?}, {:?} MiB",
        start.elapsed(),
        most_memory().map(|b| b >> 20)
    );
    judged.unwrap_or_else(|why| panic!("{what}: {why}"))
}

fn all() {
    let program = compile(ENDLESS, &[]);
    for free in [0, u64::MAX] {
        for pruned in [&[][..], &[5, 5, 0, u64::MAX]] {
            for widened in [Widened::Nothing, Widened::All] {
                let argument = Argument::Unwound(Unwound {
                    bounds: Bounds { recursion: Some(u32::MAX), ..Bounds::new(u32::MAX) },
                    free,
                    widened,
                    invariants: Vec::new(),
                    pruned: pruned.into(),
                    refutation: None,
                });
                assert_ne!(check(&program, argument, "no bound"), Judged::Accepted);
            }
        }
    }
    let argument = Argument::Unwinding { bound: u32::MAX };
    assert_ne!(check(&program, argument, "no bound, the other way"), Judged::Accepted);
    let many = |i: i128| (i * 2, i * 2 + 1);
    let intervals = (-200_000..200_000).map(many).collect();
    let partition = Partition { intervals: vec![(Slot::Global(GlobalId(0)), intervals)] };
    assert_ne!(check(&program, Argument::Explored(partition), "many cells"), Judged::Accepted);
    let main = program.find_function("main").expect("main");
    for (what, formula) in formulas() {
        let contract = |function: FuncId| Contract {
            function,
            requires: formula,
            ensures: formula,
            invariants: vec![(program.function(main).cfa().expect("a body").entry, formula)],
        };
        let argument = Argument::Contracts { mode: IntMode::Bv, contracts: vec![contract(main)] };
        assert_ne!(check(&program, argument, what), Judged::Accepted);
    }
    assert!(most_memory().is_none_or(|bytes| bytes < MEMORY), "{:?} bytes", most_memory());
}

/// Formulas that are small as graphs and large as trees, deep, or hard.
fn formulas() -> Vec<(&'static str, Term)> {
    let g = Term::var("g", Sort::Bv(32));
    // Not larger: Z3 may forget its limits.
    let mut shared = g;
    for i in 0..60u32 {
        shared = shared.bvand(shared.add(g)).bvor(shared.bvxor(Term::bv(i.into(), 32)));
    }
    let mut deep = g;
    for i in 0..5_000u32 {
        deep = deep.bvxor(Term::bv(u128::from(i | 1), 32)).add(g);
    }
    let mut choices = g;
    for i in 0..200u32 {
        choices = choices.ult(Term::bv(i.into(), 32)).ite(choices.bvnot(), choices.add(g));
    }
    let wide = Term::all((0..2_000u32).map(|i| g.differs(Term::bv(u128::from(i) + 1, 32))));
    let zero = Term::bv(0, 32);
    vec![
        ("shared", shared.differs(zero)),
        ("deep", deep.differs(zero)),
        ("choices", choices.differs(zero)),
        ("wide", wide),
    ]
}

/// Versions that are transformed until they are large.
fn transformed() {
    let [old, new] = [
        "static int g(int x) { return x + 1; } int f(int n) { int s = 0; while (n > 0) { s = g(g(s)); n--; } return s; }",
        "static int g(int x) { return x + 1; } int f(int n) { int s = 0; while (n > 0) { s = g(g(s)); --n; } return s; }",
    ];
    let versions = Versions::new([old.to_owned(), new.to_owned()], "f");
    let head =
        ir::LoopForest::of(versions.programs[0].function(versions.functions[0]).cfa().expect("a body"));
    let head = head.loops()[0].header.0;
    let step = |change: Change| Step { version: Version::Old, function: "f".to_owned(), change };
    let unroll = |factor: u32| step(Change::Unroll { head, factor });
    let peel = |times: u32| step(Change::Peel { head, times });
    let plans = [
        ("peeled", vec![peel(20_000)]),
        ("peeled as far as it goes", vec![peel(400)]),
        ("unrolled as far as it goes", vec![unroll(300)]),
        ("unrolled", vec![unroll(20_000)]),
        ("unrolled again and again", (0..20).map(|_| unroll(4)).collect()),
        ("too large", vec![peel(u32::MAX), unroll(u32::MAX)]),
    ];
    for (what, steps) in plans {
        let location = |place: Place, moves: Moves| Location {
            functions: [0, 1].map(|_| Some("f".to_owned())),
            places: [Some(place); 2],
            moves,
            formula: "true".to_owned(),
        };
        let coupled = Coupled {
            encoding: Encoding::Bitvectors,
            steps,
            transformed: Vec::new(),
            same: Vec::new(),
            matched: Vec::new(),
            functions: Default::default(),
            locations: vec![
                location(Place::Start, Moves::Both),
                location(Place::Node(head), Moves::Both),
                location(Place::End, Moves::Done),
            ],
        };
        let functions = [0, 1].map(|_| "f".to_owned());
        let answer = Answer { functions, verdict: Verdict::Equivalent(Proof::Coupled(Box::new(coupled))) };
        let start = Instant::now();
        let judged = comparisons::judge(&versions, &answer);
        let memory = most_memory().map(|b| b >> 20);
        println!("{what}: {judged:?}, {:?} of {TIME:?}, {memory:?} MiB", start.elapsed());
        assert!(matches!(judged, Ok((Judged::Wrong | Judged::Open | Judged::Malformed, _))), "{judged:?}");
    }
    assert!(most_memory().is_none_or(|bytes| bytes < MEMORY), "{:?} bytes", most_memory());
}

#[test]
fn transformations_are_limited() {
    cfront::with_stack(transformed).unwrap_or_else(|panic| std::panic::resume_unwind(panic));
}

#[test]
fn the_checker_gives_up_in_time() {
    cfront::with_stack(all).unwrap_or_else(|panic| std::panic::resume_unwind(panic));
}

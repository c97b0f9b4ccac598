//! Proofs that would take long, or much memory, to look at: the checker gives up in time.

use crate::judge::{Judged, TIME, judge, most_memory};
use crate::made::compile;
use encode::IntMode;
use engine::{Argument, Bounds, Contract, Partition, Proof, Slot, Unwound, Widened};
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
    let judged = judge(program, &Proof { slice: None, argument });
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
    let mut shared = g;
    for i in 0..2000u32 {
        shared = shared.mul(shared).add(shared.bvxor(Term::bv(i.into(), 32)));
    }
    let mut deep = g;
    for i in 0..200_000u32 {
        deep = deep.bvxor(Term::bv(u128::from(i | 1), 32)).add(g);
    }
    let mut choices = g;
    for i in 0..2000u32 {
        choices = choices.ult(Term::bv(i.into(), 32)).ite(choices.bvnot(), choices.add(g));
    }
    let wide = Term::all((0..20_000u32).map(|i| g.differs(Term::bv(u128::from(i) + 1, 32))));
    let zero = Term::bv(0, 32);
    vec![
        ("shared", shared.differs(zero)),
        ("deep", deep.differs(zero)),
        ("choices", choices.differs(zero)),
        ("wide", wide),
    ]
}

#[test]
fn the_checker_gives_up_in_time() {
    cfront::with_stack(all).unwrap_or_else(|panic| std::panic::resume_unwind(panic));
}

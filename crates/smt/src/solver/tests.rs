use super::*;
use crate::r#gen::{Gen, equation_or_formula};
use logic::{Sort, Value};
use proptest::prelude::{ProptestConfig, any, prop_assert, prop_assert_eq, proptest};
use std::time::Instant;

fn int(name: &str) -> Term {
    Term::var(name, Sort::Int)
}

fn solver() -> Z3Solver {
    Z3Solver::new(Settings::default()).unwrap()
}

/// Factoring a product of two primes, hopeless in any time.
fn hard() -> Term {
    let (x, y) = (Term::var("x", Sort::Bv(128)), Term::var("y", Sort::Bv(128)));
    let bound = Term::bv(1 << 64, 128);
    let product = 18446744073709551557u128 * 9223372036854775783;
    Term::all([x.mul(y).equals(Term::bv(product, 128)), x.ult(bound), y.ult(bound), Term::bv(1, 128).ult(x)])
}

#[test]
fn integers_have_a_model() {
    let (x, y) = (int("x"), int("y"));
    let mut s = solver();
    s.assert(x.add(y).equals(Term::int(10)));
    s.assert(x.sub(y).equals(Term::int(4)));
    assert!(s.model().is_none());
    assert_eq!(s.check(&[]), SatResult::Sat);
    let model = s.model().unwrap();
    assert_eq!(model.eval(x), Some(Value::int(7)));
    assert_eq!(model.eval(x.mul(y)), Some(Value::int(21)));
    assert_eq!(model.eval_bool(x.int_lt(y)), Some(false));
    s.assert(y.int_gt(x));
    assert!(s.model().is_none());
    assert_eq!(s.check(&[]), SatResult::Unsat);
    // The old model stays.
    assert_eq!(model.eval(y), Some(Value::int(3)));
}

#[test]
fn levels_come_and_go() {
    let x = int("x");
    let mut s = solver();
    s.assert(x.int_ge(Term::int(0)));
    s.push();
    s.assert(x.int_lt(Term::int(0)));
    assert_eq!(s.check(&[]), SatResult::Unsat);
    s.pop();
    assert_eq!(s.check(&[]), SatResult::Sat);
    s.pop();
    assert_eq!((s.check(&[]), s.level()), (SatResult::Sat, 0));
}

#[test]
fn any_formula_can_be_assumed() {
    let (x, p) = (int("x"), Term::var("p", Sort::Bool));
    let mut s = solver();
    s.assert(p.implies(x.int_lt(Term::int(5))));
    let big = x.int_gt(Term::int(7)).or(x.int_gt(Term::int(9)));
    let other = x.differs(Term::int(100));
    for _ in 0..2 {
        assert_eq!(s.check(&[other, p, big]), SatResult::Unsat);
        assert_eq!(s.unsat_core(), [p, big]);
        assert_eq!(s.check(&[other, p.not(), big]), SatResult::Sat);
        assert_eq!(s.unsat_core(), []);
    }
    assert_eq!(s.check(&[p, Term::bool(false)]), SatResult::Unsat);
    assert_eq!(s.unsat_core(), [Term::bool(false)]);
}

#[test]
fn assumptions_made_at_a_level_still_work_below_it() {
    let x = int("x");
    let mut s = solver();
    let assumption = x.int_gt(Term::int(3)).and(x.int_lt(Term::int(9)));
    s.push();
    assert_eq!(s.check(&[assumption]), SatResult::Sat);
    s.pop();
    s.assert(x.equals(Term::int(1)));
    assert_eq!(s.check(&[assumption]), SatResult::Unsat);
    assert_eq!(s.unsat_core(), [assumption]);
}

#[test]
fn time_is_limited() {
    let check = |settings: Settings| {
        let mut s = Z3Solver::new(settings).unwrap();
        s.assert(hard());
        let start = Instant::now();
        let result = s.check(&[]);
        // Much, for a machine that is busy with other things.
        assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
        // It can be used again.
        s.push();
        s.assert(Term::bool(false));
        (result, s.check(&[]))
    };
    let short = Duration::from_millis(100);
    let timeout = SatResult::Unknown(Why::Timeout);
    for strategy in [Strategy::Incremental, Strategy::Core, Strategy::Logic("QF_BV")] {
        let settings = Settings::default().strategy(strategy).timeout(short);
        assert_eq!(check(settings), (timeout.clone(), SatResult::Unsat), "{strategy:?}");
    }
    let late = Budget { deadline: Some(Instant::now() + short), ..Budget::unlimited() };
    assert_eq!(check(Settings::default().budget(&late)).0, timeout);
    assert_eq!(check(Settings::default().budget(&late)), (timeout.clone(), timeout.clone()));
    let few = Settings { resources: Some(100_000), ..Settings::default() };
    assert_eq!(check(few), (SatResult::Unknown(Why::Resources), SatResult::Unsat));
}

#[test]
fn time_is_limited_where_z3_does_not_listen() {
    let x = Term::var("x", Sort::Bv(128));
    let product = (0..500).fold(x, |p, i| p.bvxor(p.mul(x.add(Term::bv(i, 128)))));
    let mut s = solver();
    s.set_timeout(Some(Duration::from_secs(2)));
    s.assert(product.equals(Term::bv(1, 128)));
    for _ in 0..2 {
        assert_eq!(s.check(&[]), SatResult::Unknown(Why::Timeout));
    }
}

#[test]
fn other_threads_can_interrupt() {
    let mut s = solver();
    let interrupt = s.interrupt();
    s.assert(hard());
    let start = Instant::now();
    let result = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(50));
            interrupt.interrupt();
        });
        s.check(&[])
    });
    assert_eq!(result, SatResult::Unknown(Why::Interrupted));
    assert!(start.elapsed() < Duration::from_secs(10));
    assert_eq!(s.check(&[]), SatResult::Unknown(Why::Interrupted));
    interrupt.reset();
    assert_eq!(s.check(&[Term::bool(false)]), SatResult::Unsat);
    let budget = Budget::unlimited();
    let mut s = Z3Solver::new(Settings::default().budget(&budget)).unwrap();
    budget.cancelled.store(true, std::sync::atomic::Ordering::Relaxed);
    assert_eq!(s.check(&[]), SatResult::Unknown(Why::Interrupted));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: CASES, failure_persistence: None, ..Default::default() })]

    /// The simplifying solver, through levels and assumptions, against a plain one that sees each query
    /// alone.
    #[test]
    fn solvers_agree(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let mut g = Gen::new(&bytes);
        let settings = Settings { resources: Some(100_000), ..Settings::default() };
        let mut s = Z3Solver::new(settings.clone()).unwrap();
        let mut plain = Z3Solver::new(settings.strategy(Strategy::Core)).unwrap();
        let mut levels: Vec<Vec<Term>> = vec![vec![]]; let mut trace: Vec<String> = vec![];
        for _ in 0..12 {
            match g.pick(6) {
                0 | 1 => {
                    let t = equation_or_formula(&mut g);
                    s.assert(t); trace.push(format!("assert {t}"));
                    levels.last_mut().unwrap().push(t);
                }
                2 => { s.push(); trace.push("push".into()); levels.push(vec![]) }
                3 if levels.len() > 1 => { s.pop(); trace.push("pop".into()); levels.pop(); }
                _ => {
                    let assumed: Vec<Term> = (0..g.pick(3)).map(|_| equation_or_formula(&mut g)).collect();
                    let result = s.check(&assumed); trace.push(format!("check {assumed:?} = {result:?}"));
                    let asserted: Vec<Term> = levels.iter().flatten().copied().collect();
                    let used = match result {
                        SatResult::Unsat => s.unsat_core(),
                        _ => assumed.clone(),
                    };
                    plain.push();
                    for &t in asserted.iter().chain(&used) {
                        plain.assert(t);
                    }
                    let other = plain.check(&[]);
                    plain.pop();
                    let decided = |r: &SatResult| !matches!(r, SatResult::Unknown(_));
                    if decided(&result) && decided(&other) {
                        prop_assert_eq!(&result, &other, "{:?} with {:?} of {:?} trace {:#?}", asserted, used, assumed, trace);
                    }
                    if result == SatResult::Sat {
                        let model = s.model().unwrap();
                        for t in asserted.iter().chain(&assumed) {
                            // By our own evaluation where that is defined, not only by Z3's.
                            let ours = logic::eval(*t, &|v| model.eval(v));
                            prop_assert!(model.eval_bool(*t) == Some(true), "{} is not true in its model; trace {:#?} {:?}", t, trace, logic::free_vars(*t).into_iter().map(|v| (v, v.sort(), model.eval(v))).collect::<Vec<_>>());
                            prop_assert!(ours.is_none_or(|v| v == Value::Bool(true)), "{} is not true", t);
                        }
                    }
                }
            }
        }
    }
}

const CASES: u32 = 50;

#[test]
fn unknown_tactics_are_errors() {
    let check = |strategy| Z3Solver::new(Settings::default().strategy(strategy)).is_ok();
    assert!(check(Strategy::Tactics(&["simplify", "solve-eqs", "smt"])));
    assert!(!check(Strategy::Tactics(&["simplify", "no such tactic"])));
    assert!(!check(Strategy::Tactics(&[])));
}

#[test]
fn deep_terms_are_no_problem() {
    let (mut t, x) = (int("x"), int("x"));
    let array = Term::var("a", Sort::array(Sort::Int, Sort::Int));
    for i in 0..5_000 {
        t = array.select(t).int_lt(x).ite(t.add(Term::int(i)), x);
    }
    let mut s = solver();
    s.assert(t.equals(int("y")));
    s.assert(x.equals(int("y").add(Term::int(1))));
    s.set_timeout(Some(Duration::from_secs(2)));
    assert_ne!(s.check(&[x.equals(int("y"))]), SatResult::Sat);
}

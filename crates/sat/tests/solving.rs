//! The solver between calls: assumptions, cores, budgets, proofs after models.

use base::{Budget, Stopped};
use sat::interpolate::check;
use sat::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

fn lit(number: i32) -> Literal {
    Literal::from_dimacs(number).unwrap()
}

/// `x * y = product`, both factors larger than 1, `width` bits each.
fn factoring(product: u64, width: u32) -> (Aig, Lit) {
    let mut aig = Aig::new();
    let x: Vec<Lit> = (0..width).map(|i| aig.input(i)).collect();
    let y: Vec<Lit> = (0..width).map(|i| aig.input(width + i)).collect();
    let mut sum = vec![Lit::FALSE; 2 * width as usize];
    for (i, &a) in x.iter().enumerate() {
        let mut carry = Lit::FALSE;
        for (j, &b) in y.iter().enumerate() {
            let bit = aig.and(a, b);
            let half = aig.xor(sum[i + j], bit);
            let both = aig.and(sum[i + j], bit);
            let carried = aig.and(half, carry);
            sum[i + j] = aig.xor(half, carry);
            carry = aig.or(both, carried);
        }
        sum[i + width as usize] = carry;
    }
    let equal: Vec<Lit> =
        sum.iter().enumerate().map(|(i, &bit)| bit.flip_if(product >> i & 1 == 0)).collect();
    let (big_x, big_y) = (aig.or_all(x[1..].to_vec()), aig.or_all(y[1..].to_vec()));
    let all = aig.and_all(equal.into_iter().chain([big_x, big_y]));
    (aig, all)
}

#[test]
fn factors_are_found() {
    let (aig, root) = factoring(251 * 241, 8);
    let (mut solver, mut encoder) = (Solver::new(), Encoder::new());
    encoder.assert(&aig, root, &mut solver);
    assert_eq!(solver.solve(&[], &Budget::unlimited()), Ok(Answer::Sat));
    let mut number = |from: u32| -> u64 {
        (0..8).map(|i| u64::from(solver.value(encoder.input(from + i).unwrap()).unwrap()) << i).sum()
    };
    let mut factors = [number(0), number(8)];
    factors.sort();
    assert_eq!(factors, [241, 251]);

    let (aig, root) = factoring(40961, 8);
    let mut solver = Solver::new();
    Encoder::new().assert(&aig, root, &mut solver);
    assert_eq!(solver.solve(&[], &Budget::unlimited()), Ok(Answer::Unsat));
}

/// Too hard for seconds; each kind of limit ends it in time, for the plain solver and the recording one,
/// which can go on afterwards.
#[test]
fn budgets_stop_hard_instances() {
    let (aig, root) = factoring(1_000_000_007 * 1_200_000_041, 31);
    let cancelled = Arc::new(AtomicBool::new(false));
    let later = cancelled.clone();
    let soon = || Some(Instant::now() + Duration::from_millis(300));
    let budgets: [(&dyn Fn() -> Budget, Stopped); 3] = [
        (&|| Budget::steps(500), Stopped::Steps),
        (&|| Budget { deadline: soon(), ..Budget::unlimited() }, Stopped::Time),
        (&|| Budget { cancelled: cancelled.clone(), ..Budget::unlimited() }, Stopped::Cancelled),
    ];
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(1500));
        later.store(true, Ordering::Relaxed);
    });
    let (mut solver, mut encoder) = (Solver::new(), Encoder::new());
    encoder.assert(&aig, root, &mut solver);
    let mut recording = ProofSolver::new();
    Encoder::new().assert(&aig, root, &mut recording.partition(0));
    for (budget, stopped) in budgets {
        let start = Instant::now();
        assert_eq!(solver.solve(&[], &budget()), Err(stopped));
        assert!(solver.value(lit(1)).is_none() && solver.core().is_empty());
        let answer = recording.solve(&[], &budget()).map(|_| ());
        assert_eq!(answer, Err(ProofFailure::Stopped(stopped)));
        assert!(start.elapsed() < Duration::from_secs(20), "{stopped} after {:?}", start.elapsed());
    }
    let x = encoder.input(0).unwrap();
    solver.add_clause(&[x]);
    solver.add_clause(&[!x]);
    assert_eq!(solver.solve(&[], &Budget::unlimited()), Ok(Answer::Unsat));
}

#[test]
fn cores_name_what_was_needed() {
    let mut solver = Solver::new();
    let vars: Vec<Literal> = (0..6).map(|_| solver.new_var()).collect();
    solver.add_clause(&[!vars[0], vars[1]]);
    solver.add_clause(&[!vars[1], !vars[3]]);
    let assumptions = [vars[0], vars[2], vars[3], vars[4]];
    assert_eq!(solver.solve(&assumptions, &Budget::unlimited()), Ok(Answer::Unsat));
    assert_eq!(solver.core(), [vars[0], vars[3]]);
    assert!(solver.failed(vars[3]) && !solver.failed(vars[2]) && !solver.failed(vars[5]));
    assert_eq!(solver.solve(&[vars[0], vars[2]], &Budget::unlimited()), Ok(Answer::Sat));
    assert_eq!(solver.value(vars[3]), Some(false));
    assert_eq!(solver.value(!vars[3]), Some(true));
    assert!(!solver.failed(vars[0]) && solver.core().is_empty());
    solver.add_clause(&[vars[5]]);
    assert_eq!(solver.value(vars[3]), None, "the model is gone with the next clause");
}

/// Proofs in a solver that goes on: after models, under changing assumptions, over variables that were
/// eliminated and came back.
#[test]
fn proofs_are_incremental() {
    let (aig, root) = factoring(59 * 61, 6);
    let (mut solver, mut encoder) = (ProofSolver::new(), Encoder::new());
    let product = encoder.encode(&aig, root, &mut solver.partition(0));
    let inputs: Vec<Literal> = (0..12).map(|i| encoder.input(i).unwrap()).collect();
    let tree = Tree::new(vec![Some(1), Some(2), None]).unwrap();
    let mut answers = [0, 0];
    for x in (1..64u32).step_by(2) {
        let mut assumptions: Vec<(Literal, u32)> =
            (0..6).map(|i| (inputs[i].flip_if(x >> i & 1 == 0), 1)).collect();
        assumptions.push((product, 2));
        match solver.solve(&assumptions, &Budget::unlimited()).unwrap() {
            Outcome::Sat => {
                answers[0] += 1;
                assert!(x == 59 || x == 61);
            }
            Outcome::Unsat(proof) => {
                answers[1] += 1;
                let mut clauses = solver.clauses();
                clauses.extend(assumptions.iter().map(|&(literal, partition)| (partition, vec![literal])));
                for system in [System::Pudlak, System::McMillan] {
                    let interpolants = interpolate(&proof, &tree, system, &Budget::unlimited()).unwrap();
                    let faults = check(&clauses, &tree, &interpolants, &Budget::unlimited()).unwrap();
                    assert_eq!(faults, []);
                }
            }
        }
    }
    assert_eq!(answers, [2, 30]);
    let clash = [(inputs[0], 1), (inputs[3], 1), (!inputs[0], 2)];
    let Ok(Outcome::Unsat(proof)) = solver.solve(&clash, &Budget::unlimited()) else { panic!() };
    assert_eq!((proof.resolutions(), proof.partitions()), (1, vec![1, 2]));
}

/// Beyond its limit a recording solver still answers, but has no proof to show.
#[test]
fn proofs_may_be_too_large() {
    let (aig, root) = factoring(786_433, 10);
    let mut solver = ProofSolver::with_limit(10_000);
    Encoder::new().assert(&aig, root, &mut solver.partition(0));
    let answer = solver.solve(&[], &Budget::unlimited()).map(|_| ());
    assert_eq!(answer, Err(ProofFailure::TooLarge));
    assert!(solver.entries() < 11_000);
}

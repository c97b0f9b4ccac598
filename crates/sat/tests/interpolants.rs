//! Proofs and interpolants against a plain solver: random partitions of random clauses, and formulas that
//! need long proofs.

use base::Budget;
use proptest::prelude::*;
use sat::interpolate::{Fault, check as check_interpolants};
use sat::proof::Clause;
use sat::*;

type Cnf = Vec<(u32, Vec<i32>)>;

fn literals(clause: &[i32]) -> Vec<Literal> {
    clause.iter().filter_map(|&number| Literal::from_dimacs(number)).collect()
}

fn satisfies(cnf: &Cnf, mut value: impl FnMut(Literal) -> bool) -> bool {
    cnf.iter().all(|(_, clause)| literals(clause).into_iter().any(&mut value))
}

/// Resolves naively, on sets, what the proof claims.
fn check_proof(proof: &Proof, cnf: &Cnf) {
    use std::collections::BTreeSet;
    let mut clauses: Vec<BTreeSet<u32>> = Vec::new();
    for index in 0..proof.len() as u32 {
        clauses.push(match proof.clause(index) {
            Clause::Original { partition, codes } => {
                let set: BTreeSet<u32> = codes.iter().copied().collect();
                let known = cnf.iter().any(|(p, clause)| {
                    *p == partition
                        && set == clause.iter().map(|l| l.unsigned_abs() << 1 | u32::from(*l < 0)).collect()
                });
                assert!(known, "{set:?} is not a clause of partition {partition}");
                set
            }
            Clause::Derived { first, steps } => {
                let mut set = clauses[first as usize].clone();
                for step in steps.chunks_exact(2) {
                    let other = &clauses[step[0] as usize];
                    assert!(set.remove(&(step[1] ^ 1)) && other.contains(&step[1]));
                    set.extend(other.iter().filter(|&&code| code != step[1]));
                    assert!(set.iter().all(|code| !set.contains(&(code ^ 1))), "more than one pivot");
                }
                set
            }
        });
    }
    assert!(clauses.last().is_some_and(BTreeSet::is_empty));
}

/// Both solvers agree; a model is one; a proof is one; all interpolants of both systems are right. The last
/// part of the clauses may be given as assumptions instead. Says whether the clauses are satisfiable.
fn check(cnf: &Cnf, parents: &[Option<u32>], assumed: bool) -> bool {
    let tree = Tree::new(parents.to_vec()).unwrap();
    let (mut plain, mut recording) = (Solver::new(), ProofSolver::new());
    let mut assumptions = Vec::new();
    for (partition, clause) in cnf {
        plain.add_clause(&literals(clause));
        match clause[..] {
            [unit] if assumed => assumptions.push((Literal::from_dimacs(unit).unwrap(), *partition)),
            _ => recording.add_clause(*partition, &literals(clause)),
        }
    }
    let answer = plain.solve(&[], &Budget::unlimited()).unwrap();
    let proof = match recording.solve(&assumptions, &Budget::unlimited()).unwrap() {
        Outcome::Sat => {
            assert_eq!(answer, Answer::Sat);
            assert!(satisfies(cnf, |literal| recording.value(literal).unwrap()));
            assert!(satisfies(cnf, |literal| plain.value(literal).unwrap()));
            return true;
        }
        Outcome::Unsat(proof) => proof,
    };
    assert_eq!(answer, Answer::Unsat);
    assert_eq!(recording.value(Literal::from_dimacs(1).unwrap()), None);
    check_proof(&proof, cnf);
    let clauses: Vec<(u32, Vec<Literal>)> = cnf.iter().map(|(p, c)| (*p, literals(c))).collect();
    for system in [System::Pudlak, System::McMillan] {
        let interpolants = interpolate(&proof, &tree, system, &Budget::unlimited()).unwrap();
        let faults = check_interpolants(&clauses, &tree, &interpolants, &Budget::unlimited()).unwrap();
        assert_eq!(faults, [], "{system:?} of {cnf:?} in {parents:?}");
    }
    false
}

/// A tree in which the parents of nodes are arbitrary nodes before them; where `None`, another root.
fn trees(most: usize) -> impl Strategy<Value = Vec<Option<u32>>> {
    prop::collection::vec(prop::option::weighted(0.9, any::<prop::sample::Index>()), 1..=most).prop_map(
        |links| {
            let parent = |(node, link): (usize, &Option<prop::sample::Index>)| {
                link.filter(|_| node > 0).map(|link| link.index(node) as u32)
            };
            links.iter().enumerate().map(parent).collect()
        },
    )
}

fn formulas(vars: i32, clauses: usize) -> impl Strategy<Value = Cnf> {
    let literal = (1..=vars, any::<bool>()).prop_map(|(var, negative)| if negative { -var } else { var });
    let clause = prop::collection::vec(literal, 1..=4)
        .prop_filter("always holds", |clause| clause.iter().all(|literal| !clause.contains(&-literal)));
    prop::collection::vec((any::<u32>(), clause), 1..=clauses)
}

fn within(mut cnf: Cnf, parents: &[Option<u32>]) -> Cnf {
    cnf.iter_mut().for_each(|(partition, _)| *partition %= parents.len() as u32);
    cnf
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn random_clauses_in_random_trees(cnf in formulas(8, 70), parents in trees(7), assumed: bool) {
        check(&within(cnf, &parents), &parents, assumed);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4))]

    /// Ternary clauses near and above the threshold: these need search, many partitions share buckets of
    /// positions.
    #[test]
    fn hard_random_clauses(seed: u64, parents in trees(75)) {
        let mut state = seed | 1;
        let mut random = move |below: u64| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) % below
        };
        let cnf = (0..230).map(|_| {
            let mut vars = vec![];
            while vars.len() < 3 {
                let var = random(38) as i32 + 1;
                if !vars.contains(&var) {
                    vars.push(var);
                }
            }
            let clause = vars.into_iter().map(|var| if random(2) == 0 { var } else { -var }).collect();
            (random(parents.len() as u64) as u32, clause)
        });
        check(&cnf.collect(), &parents, false);
    }
}

/// `pigeons` in one hole less, each pigeon a partition.
fn pigeonhole(pigeons: i32) -> Cnf {
    let holes = pigeons - 1;
    let sits = |pigeon: i32, hole: i32| pigeon * holes + hole + 1;
    let mut cnf: Cnf = (0..pigeons).map(|p| (p as u32, (0..holes).map(|h| sits(p, h)).collect())).collect();
    for hole in 0..holes {
        for (a, b) in (0..pigeons).flat_map(|a| (0..a).map(move |b| (a, b))) {
            cnf.push((a as u32, vec![-sits(a, hole), -sits(b, hole)]));
        }
    }
    cnf
}

/// The exclusive or of `count` variables along two different chains, once even and once odd.
fn parity(count: i32) -> Cnf {
    let mut cnf = Cnf::new();
    let mut next = count;
    for (chain, step) in [(0, 1), (1, 7)] {
        let mut sum = 1;
        for i in 1..count {
            let var = i * step % count + 1;
            next += 1;
            for (a, b, c) in [(1, 1, -1), (1, -1, 1), (-1, 1, 1), (-1, -1, -1)] {
                cnf.push((2 * chain + (i * 2 / count) as u32, vec![a * sum, b * var, c * next]));
            }
            sum = next;
        }
        cnf.push((4, vec![if chain == 0 { sum } else { -sum }]));
    }
    cnf
}

#[test]
fn formulas_with_long_proofs() {
    let star = |n: u32| (0..n).map(|i| (i > 0).then_some(0)).collect::<Vec<_>>();
    let line = |n: u32| (0..n).map(|i| i.checked_sub(1)).collect::<Vec<_>>();
    assert!(!check(&pigeonhole(5), &star(5), false));
    assert!(!check(&pigeonhole(6), &line(6), false));
    assert!(!check(&parity(8), &[Some(4), Some(0), Some(4), Some(2), None], false));
    assert!(!check(&parity(8), &[None, Some(0), None, Some(2), None], true));
}

#[test]
fn small_formulas() {
    type Case = (&'static [(u32, &'static [i32])], bool);
    let cases: &[Case] = &[
        (&[(0, &[])], false),
        (&[(0, &[1]), (1, &[-1])], false),
        (&[(1, &[1]), (1, &[-1])], false),
        (&[(0, &[1, 1]), (1, &[-1, -1, -1])], false),
        (&[(0, &[1, 2]), (1, &[-1, 2]), (2, &[-2])], false),
        (&[(0, &[1, 2]), (1, &[-1, 2])], true),
        (&[], true),
    ];
    for (cnf, sat) in cases {
        let cnf: Cnf = cnf.iter().map(|&(p, clause)| (p, clause.to_vec())).collect();
        for assumed in [false, true] {
            assert_eq!(check(&cnf, &[None, Some(0), Some(1)], assumed), *sat, "{cnf:?}");
        }
    }
}

/// The check is not fooled by formulas that are no interpolants.
#[test]
fn wrong_interpolants_are_found() {
    let clauses =
        vec![(0, literals(&[1, 2])), (1, literals(&[-1])), (1, literals(&[-2, 3])), (2, literals(&[-3]))];
    let tree = Tree::new(vec![None, Some(0), Some(1)]).unwrap();
    let mut aig = Aig::new();
    let [one, two, three] = [1, 2, 3].map(|label| aig.input(label));
    let neither = aig.and(!one, !two);
    use Fault::*;
    let cases = [
        (vec![Lit::FALSE, neither, !three], vec![]),
        (vec![Lit::FALSE, !one, !three], vec![TreeProperty(0), NoContradiction(1)]),
        (vec![Lit::FALSE, Lit::TRUE, !three], vec![TreeProperty(0), NoContradiction(1)]),
        (vec![Lit::FALSE, Lit::FALSE, !three], vec![DoesNotFollow(1), TreeProperty(1)]),
        (vec![Lit::FALSE, neither, Lit::TRUE], vec![TreeProperty(1), NoContradiction(2)]),
        (vec![Lit::FALSE, neither, Lit::FALSE], vec![DoesNotFollow(2), TreeProperty(2)]),
        (vec![Lit::TRUE, neither, !three], vec![NoContradiction(0), Roots]),
        (vec![Lit::FALSE, neither, !two], vec![NotShared(2, 2), DoesNotFollow(2), TreeProperty(2)]),
        (vec![Lit::FALSE, Lit::FALSE], vec![Missing]),
    ];
    for (roots, expected) in cases {
        let interpolants = Interpolants { aig: aig.clone(), roots };
        let faults = check_interpolants(&clauses, &tree, &interpolants, &Budget::unlimited()).unwrap();
        assert_eq!(faults, expected, "{:?}", interpolants.roots);
    }
    let more = [&clauses[..], &[(3, vec![])]].concat();
    let interpolants = Interpolants { aig, roots: vec![Lit::FALSE; 3] };
    let faults = check_interpolants(&more, &tree, &interpolants, &Budget::unlimited()).unwrap();
    assert_eq!(faults, [NoSuchPartition(3)]);
}

#[test]
fn trees_are_checked() {
    for parents in [vec![Some(0)], vec![Some(1), Some(0)], vec![None, Some(7)], vec![None, Some(2), Some(1)]]
    {
        assert!(Tree::new(parents).is_err());
    }
    let tree = Tree::new(vec![Some(2), Some(2), None, Some(0), None]).unwrap();
    let inside: Vec<Vec<u32>> = (0..5).map(|a| (0..5).filter(|&b| tree.contains(a, b)).collect()).collect();
    assert_eq!(inside, [vec![0, 3], vec![1], vec![0, 1, 2, 3], vec![3], vec![4]]);
    assert!(!tree.contains(5, 0) && !tree.contains(0, 5) && tree.parent(5).is_none());
    let chain = Tree::chain(4);
    assert!((0..4).all(|a| (0..4).all(|b| chain.contains(a, b) == (b <= a))));
    let mut solver = ProofSolver::new();
    solver.add_clause(3, &[]);
    let Ok(Outcome::Unsat(proof)) = solver.solve(&[], &Budget::unlimited()) else { panic!() };
    let failed = interpolate(&proof, &Tree::chain(3), System::Pudlak, &Budget::unlimited()).err();
    assert_eq!(failed, Some(sat::interpolate::Failure::NoSuchPartition(3)));
}

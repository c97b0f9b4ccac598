use super::*;
use crate::r#gen::Gen;
use logic::Sort;
use std::time::Duration;

const WAYS: [Way; 3] = [Way::Spacer, Way::Forward, Way::Backward];

fn settings() -> Settings {
    Settings::default().timeout(Duration::from_secs(20))
}

fn var(name: &str, step: usize, sort: Sort) -> Term {
    Term::var(&format!("{name}{step}"), sort)
}

/// x and y count together from zero, `steps` times, and differ in the end.
fn counting(sort: Sort, steps: usize) -> Tree {
    let (zero, one) = (Term::number(sort, 0), Term::number(sort, 1));
    let at = |name: &str, i: usize| var(name, i, sort);
    let mut formulas = vec![at("x", 0).equals(zero).and(at("y", 0).equals(zero))];
    for i in 0..steps {
        let next = |name: &str| at(name, i + 1).equals(at(name, i).add(one));
        formulas.push(next("x").and(next("y")));
    }
    formulas.push(at("x", steps).differs(at("y", steps)));
    Tree::path(&formulas).unwrap()
}

#[test]
fn counting_loops_stay_equal() {
    for (sort, way) in [Sort::Int, Sort::Bv(32)].into_iter().flat_map(|s| WAYS.map(|w| (s, w))) {
        let tree = counting(sort, 5);
        let interpolants = interpolate(&tree, way, &settings()).unwrap();
        for (i, interpolant) in interpolants[..6].iter().enumerate() {
            let expected = var("x", i, sort).equals(var("y", i, sort));
            assert_eq!(*interpolant, expected, "{way:?}, {sort}, node {i}");
        }
    }
}

#[test]
fn long_paths_do_not_take_long() {
    // Spacer would need most of a minute.
    for way in [Way::Forward, Way::Backward] {
        assert!(interpolate(&counting(Sort::Int, 60), way, &settings()).is_ok());
    }
}

#[test]
fn calls_make_trees() {
    // Two calls of "result = argument + 1", and a caller that demands 7 of 5.
    for (sort, way) in [Sort::Int, Sort::Bv(16)].into_iter().flat_map(|s| WAYS.map(|w| (s, w))) {
        let [a, b, r, s, t] = ["a", "b", "r", "s", "t"].map(|n| Term::var(n, sort));
        let number = |n: i64| Term::number(sort, n);
        let nodes = [
            (t.equals(a).and(r.equals(t.add(number(1)))), Some(2)),
            (s.equals(b.add(number(1))), Some(2)),
            (Term::all([a.equals(number(5)), b.equals(r), s.differs(number(7))]), None),
        ];
        let tree = Tree::new(&nodes).unwrap();
        assert_eq!(*tree.shared(0), [a, r].into());
        let interpolants = interpolate(&tree, way, &settings()).unwrap();
        assert_eq!(check(&tree, &interpolants, &settings()), Ok(()));
    }
}

#[test]
fn arrays_are_written_and_read() {
    for (sort, way) in [Sort::Int, Sort::Bv(32)].into_iter().flat_map(|s| WAYS.map(|w| (s, w))) {
        let memory = |i| var("m", i, Sort::array(sort, sort));
        let [i, j, v] = ["i", "j", "v"].map(|n| Term::var(n, sort));
        let tree = Tree::path(&[
            memory(1).equals(memory(0).store(i, v)),
            memory(2).equals(memory(1).store(j, v)),
            memory(2).select(i).differs(v),
        ])
        .unwrap();
        // Spacer and the others may give up on arrays, but not lie; backward needs substitution only.
        match interpolate(&tree, way, &settings()) {
            Ok(interpolants) => assert_eq!(check(&tree, &interpolants, &settings()), Ok(())),
            Err(failure) => assert!(way != Way::Backward, "{way:?}, {sort}: {failure:?}"),
        }
    }
}

#[test]
fn what_is_not_needed_is_left_out() {
    let [x, y, z] = ["x", "y", "z"].map(|n| Term::var(n, Sort::Int));
    let tree = Tree::path(&[
        x.equals(Term::int(3)).and(z.int_gt(Term::int(8))),
        y.equals(z),
        x.int_lt(Term::int(1)),
    ]);
    let tree = tree.unwrap();
    for way in WAYS {
        let interpolants = interpolate(&tree, way, &settings()).unwrap();
        assert_eq!(free_vars(Term::all(interpolants[..2].iter().copied())), [x].into(), "{way:?}");
    }
}

#[test]
fn formulas_with_a_model_have_no_interpolants() {
    let x = Term::var("x", Sort::Int);
    let tree = Tree::path(&[x.int_lt(Term::int(3)), x.int_gt(Term::int(1))]).unwrap();
    for way in WAYS {
        assert_eq!(interpolate(&tree, way, &settings()), Err(Failure::Satisfiable));
    }
    assert_eq!(interpolate_by(&tree, &WAYS, &settings()).unwrap_err(), Failure::Satisfiable);
    let stopped = settings();
    stopped.interrupt.interrupt();
    assert_eq!(interpolate(&tree, Way::Backward, &stopped), Err(Failure::Unknown(Why::Interrupted)));
}

#[test]
fn wrong_interpolants_are_found() {
    let [x, y, z] = ["x", "y", "z"].map(|n| Term::var(n, Sort::Int));
    let no = Term::bool(false);
    let tree = Tree::path(&[x.equals(y).and(y.equals(z)), x.int_lt(z)]).unwrap();
    let expect = |interpolants: &[Term], flaw: Result<(), Flaw>| {
        assert_eq!(check(&tree, interpolants, &settings()), flaw, "{interpolants:?}");
    };
    expect(&[x.equals(z), no], Ok(()));
    expect(&[z.int_le(x), no], Ok(()));
    expect(&[x.equals(z)], Err(Flaw::Number));
    expect(&[x.equals(z), x.equals(z)], Err(Flaw::Root));
    expect(&[x.equals(y), no], Err(Flaw::Foreign { node: 0, variable: y }));
    expect(&[x.int_lt(z).not().and(x.int_gt(Term::int(0))), no], Err(Flaw::Weak { node: 0 }));
    expect(&[x.int_le(z), no], Err(Flaw::Weak { node: 1 }));
}

#[test]
fn trees_are_checked() {
    let t = Term::bool(true);
    assert!(Tree::new(&[]).is_err());
    assert!(Tree::new(&[(t, Some(1))]).is_err());
    assert!(Tree::new(&[(t, None), (t, None)]).is_err());
    assert!(Tree::new(&[(t, Some(0)), (t, None)]).is_err());
    assert!(Tree::new(&[(t, Some(2)), (t, Some(2)), (t, None)]).is_ok());
}

/// A random tree with a few conjuncts per node, about variables that neighbours share.
fn random_tree(g: &mut Gen, sort: Sort) -> Tree {
    let count = 2 + g.pick(4);
    let mut nodes = Vec::new();
    for n in 0..count {
        let parent = (n + 1 < count).then(|| n + 1 + g.pick((count - n - 1).min(2)));
        let conjuncts: Vec<Term> = (0..1 + g.pick(4)).map(|_| random_atom(g, sort, n)).collect();
        nodes.push((Term::all(conjuncts), parent));
    }
    Tree::new(&nodes).unwrap()
}

fn random_atom(g: &mut Gen, sort: Sort, node: usize) -> Term {
    let term = |g: &mut Gen| {
        let mut sum = Term::number(sort, g.pick(9) as i64 - 4);
        for _ in 0..1 + g.pick(2) {
            let v = var("v", node + g.pick(3), sort);
            sum = sum.add(v.scale(&logic::IBig::from([1, 1, 1, -1, 2, 3][g.pick(6)])));
        }
        sum
    };
    let (a, b) = (term(g), term(g));
    let int = sort == Sort::Int;
    match g.pick(6) {
        0..=2 => a.equals(b),
        3 if int => a.int_lt(b),
        3 => a.ult(b),
        4 if int => a.int_le(b).or(b.int_lt(term(g))),
        4 => a.sle(b).or(b.slt(term(g))),
        _ => a.differs(b),
    }
}

/// Interpolates random contradictions in every way; returns how many there were and how many of them each way
/// could do.
fn random_contradictions(sort: Sort, rounds: u64) -> (usize, [usize; 3]) {
    let settings = Settings { resources: Some(3_000_000), ..settings() };
    let (mut contradictions, mut done) = (0, [0; 3]);
    for seed in 0..rounds {
        let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let bytes: Vec<u8> = std::iter::repeat_with(|| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 32) as u8
        })
        .take(400)
        .collect();
        let tree = random_tree(&mut Gen::new(&bytes), sort);
        let all = Term::all((0..tree.len()).map(|n| tree.formula(n)));
        if all.is_false() || crate::one_shot(&[all], &settings).0 != SatResult::Unsat {
            continue;
        }
        contradictions += 1;
        for (way, count) in WAYS.into_iter().zip(&mut done) {
            match interpolate(&tree, way, &settings) {
                Ok(interpolants) => {
                    assert_eq!(check(&tree, &interpolants, &settings), Ok(()), "{way:?} on {tree:?}");
                    *count += 1;
                }
                Err(Failure::Satisfiable) => panic!("{way:?} finds a model of {tree:?}"),
                // A wrong interpolant is worse than none, even if it is caught.
                Err(Failure::GaveUp(reason)) if reason.contains("Weak") || reason.contains("Foreign") => {
                    panic!("{way:?}: {reason} on {tree:?}")
                }
                Err(_) => {}
            }
        }
    }
    (contradictions, done)
}

#[test]
fn random_integers() {
    let (contradictions, done) = random_contradictions(Sort::Int, 60);
    assert!(contradictions >= 15, "{contradictions}");
    assert!(done.iter().all(|d| d * 10 >= contradictions * 9), "{done:?} of {contradictions}");
}

#[test]
fn random_bit_vectors() {
    let (contradictions, done) = random_contradictions(Sort::Bv(8), 60);
    assert!(contradictions >= 15, "{contradictions}");
    // Projection of bit-vectors is exact only where equations define them.
    assert!(done.iter().all(|d| d * 10 >= contradictions * 5), "{done:?} of {contradictions}");
}

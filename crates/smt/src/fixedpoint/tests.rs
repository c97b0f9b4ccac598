use super::*;
use std::time::Duration;

fn query(predicates: &[(&str, &[Sort])], rules: Vec<Rule>) -> SpacerQuery {
    let formal = |i: usize, s: &Sort| Term::var(&format!("arg{i}"), *s);
    let predicates = predicates.iter().map(|(name, sorts)| Predicate {
        name: (*name).into(),
        formals: sorts.iter().enumerate().map(|(i, s)| formal(i, s)).collect(),
    });
    SpacerQuery { predicates: predicates.collect(), rules, query: 0 }
}

fn atom(predicate: usize, args: &[Term]) -> Atom {
    Atom { predicate, args: args.to_vec() }
}

fn rule(body: &[Atom], constraint: Term, head: Atom) -> Rule {
    Rule { body: body.to_vec(), constraint, head }
}

fn covers(q: &SpacerQuery) -> Vec<Term> {
    let result = q.solve(&Settings::default().timeout(Duration::from_secs(20)));
    let SpacerResult::Underivable(covers) = result else { panic!("{result:?}") };
    let covers: Vec<Term> = covers.into_iter().map(Option::unwrap).collect();
    assert_eq!(q.check(&covers, &Settings::default()), Ok(()), "{covers:?}");
    covers
}

/// Every step is an instance of its rule: checked by evaluation alone.
fn refutation(q: &SpacerQuery) -> Refutation {
    let result = q.solve(&Settings::default().timeout(Duration::from_secs(20)));
    let SpacerResult::Derivable(Some(refutation)) = result else { panic!("{result:?}") };
    for (i, step) in refutation.steps.iter().enumerate() {
        let rule = &q.rules[step.rule];
        let value = |t: Term| {
            let known = |v| step.values.iter().find(|(w, _)| *w == v).map(|(_, value)| value.clone());
            logic::eval(t, &known).unwrap()
        };
        assert_eq!(value(rule.constraint), Value::Bool(true));
        assert_eq!(rule.body.len(), step.premises.len());
        for (atom, &premise) in rule.body.iter().zip(&step.premises) {
            assert!(premise < i);
            assert_eq!(q.rules[refutation.steps[premise].rule].head.predicate, atom.predicate);
            let args: Vec<Value> = atom.args.iter().map(|t| value(*t)).collect();
            assert_eq!(args, refutation.steps[premise].fact);
        }
        let head: Vec<Value> = rule.head.args.iter().map(|t| value(*t)).collect();
        assert_eq!(head, step.fact);
    }
    let last = refutation.steps.last().unwrap();
    assert_eq!(q.rules[last.rule].head.predicate, q.query);
    refutation
}

#[test]
fn counting_together() {
    for sort in [Sort::Int, Sort::Bv(32)] {
        let (x, y) = (Term::var("x", sort), Term::var("y", sort));
        let (zero, one) = (Term::number(sort, 0), Term::number(sort, 1));
        let start = x.equals(zero).and(y.equals(zero));
        let q = query(
            &[("bad", &[]), ("loop", &[sort, sort])],
            vec![
                rule(&[], start, atom(1, &[x, y])),
                rule(&[atom(1, &[x, y])], Term::bool(true), atom(1, &[x.add(one), y.add(one)])),
                rule(&[atom(1, &[x, y])], x.differs(y), atom(0, &[])),
            ],
        );
        let covers = covers(&q);
        assert_eq!(covers[0], Term::bool(false));
        let [a, b] = q.predicates[1].formals[..] else { panic!() };
        assert_eq!(covers[1], a.equals(b), "{sort}");
    }
}

#[test]
fn a_tree_is_derived() {
    let [n, r, s] = ["n", "r", "s"].map(|v| Term::var(v, Sort::Int));
    let minus = |k: i64| n.sub(Term::int(k));
    let q = query(
        &[("bad", &[]), ("fib", &[Sort::Int, Sort::Int])],
        vec![
            rule(&[], n.int_le(Term::int(1)), atom(1, &[n, n])),
            rule(
                &[atom(1, &[minus(1), r]), atom(1, &[minus(2), s])],
                n.int_gt(Term::int(1)),
                atom(1, &[n, r.add(s)]),
            ),
            rule(&[atom(1, &[n, r])], n.equals(Term::int(5)).and(r.equals(Term::int(5))), atom(0, &[])),
        ],
    );
    let refutation = refutation(&q);
    let fact = |n: i64, r: i64| refutation.steps.iter().any(|s| s.fact == [Value::int(n), Value::int(r)]);
    assert!(fact(5, 5) && fact(4, 3) && fact(3, 2));
}

#[test]
fn arrays_and_truth_values_are_arguments() {
    let sort = Sort::array(Sort::Bv(32), Sort::Bv(32));
    let (a, i, p) = (Term::var("a", sort), Term::var("i", Sort::Bv(32)), Term::var("p", Sort::Bool));
    let seven = Term::bv(7, 32);
    let wrote = |bad: Term| {
        query(
            &[("bad", &[]), ("wrote", &[sort, Sort::Bv(32), Sort::Bool])],
            vec![
                rule(&[], i.ult(seven), atom(1, &[a.store(i, seven), i, p])),
                rule(&[atom(1, &[a, i, p])], bad, atom(0, &[])),
            ],
        )
    };
    covers(&wrote(a.select(i).differs(seven)));
    let refutation = refutation(&wrote(a.select(i).equals(seven).and(p)));
    assert_eq!(refutation.steps.len(), 2);
    assert_eq!(refutation.steps[0].fact[2], Value::Bool(true));
}

#[test]
fn what_cannot_take_part_has_a_cover() {
    let (x, sorts) = (Term::var("x", Sort::Int), [Sort::Int]);
    let q = query(
        &[("bad", &[]), ("from nothing", &sorts), ("for nothing", &sorts), ("useful", &sorts)],
        vec![
            rule(&[atom(1, &[x])], Term::bool(true), atom(1, &[x.add(Term::int(1))])),
            rule(&[atom(1, &[x])], Term::bool(true), atom(0, &[])),
            rule(&[], Term::bool(true), atom(2, &[x])),
            rule(&[], x.int_gt(Term::int(3)), atom(3, &[x])),
            rule(&[atom(3, &[x])], x.int_lt(Term::int(2)), atom(0, &[])),
        ],
    );
    let covers = covers(&q);
    assert_eq!(covers[..3], [Term::bool(false), Term::bool(false), Term::bool(true)]);
    let nothing = SpacerQuery { rules: Vec::new(), ..q.clone() };
    assert!(matches!(nothing.solve(&Settings::default()), SpacerResult::Underivable(_)));
}

#[test]
fn limits_and_limitations() {
    let [x, y] = ["x", "y"].map(|v| Term::var(v, Sort::Int));
    // Triangular numbers: no linear invariant is inductive.
    let next = atom(1, &[x.add(Term::int(1)), y.add(x)]);
    let endless = query(
        &[("bad", &[]), ("sum", &[Sort::Int, Sort::Int])],
        vec![
            rule(&[], x.equals(Term::int(0)).and(y.equals(Term::int(0))), atom(1, &[x, y])),
            rule(&[atom(1, &[x, y])], Term::bool(true), next),
            rule(&[atom(1, &[x, y])], y.equals(Term::int(2)), atom(0, &[])),
        ],
    );
    let settings = Settings::default().timeout(Duration::from_millis(200));
    assert!(matches!(endless.solve(&settings), SpacerResult::Unknown(Why::Timeout)));
    let settings = Settings::default();
    settings.interrupt.interrupt();
    assert!(matches!(endless.solve(&settings), SpacerResult::Unknown(Why::Interrupted)));
    let odd = |constraint| query(&[("bad", &[])], vec![rule(&[], constraint, atom(0, &[]))]);
    let refused =
        |q: SpacerQuery| matches!(q.solve(&Settings::default()), SpacerResult::Unknown(Why::Incomplete(_)));
    assert!(refused(odd(Term::apply("f", [x], Sort::Bool))));
    assert!(refused(odd(Term::forall(&[x], x.equals(y)))));
    assert!(refused(odd(Term::var("f", Sort::F32).equals(Term::float(0, Sort::F32)))));
    assert!(refused(query(&[("bad", &[Sort::Int])], vec![rule(&[], Term::bool(true), atom(0, &[]))])));
}

//! Reachable points, by evaluation alone: what each predicate must contain at the least.
//!
//! A clause with at most one body atom is a step: values for its variables, and the head's arguments can be
//! computed. Runs start from facts with small values chosen at random and take every step that applies.
//! Whatever is reached belongs to every solution, so a search may start from these points; for equations with
//! products of variables, whose models solvers find late or never, nearly all of the search is done by them.

use crate::system::{Clause, System};
use base::random::Random;
use logic::{Op, Sort, Term, Value, eval};
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};

/// Values of a predicate's parameters.
pub type Point = Vec<Value>;

/// Points by predicate.
pub type Points = Vec<Vec<Point>>;

/// Steps of one run.
const LONGEST: usize = 40;
/// Points kept for a predicate.
const MOST: usize = 300;
/// Choices for the variables of a fact until its constraint holds.
const TRIES: u64 = 20;

/// The points of `runs` runs; the same for the same system.
pub fn points(system: &System, runs: u64) -> Points {
    let mut points: Points = vec![Vec::new(); system.preds.len()];
    let facts: Vec<&Clause> =
        system.clauses.iter().filter(|c| c.body.is_empty() && c.head.is_some()).collect();
    for run in 0..runs {
        for fact in &facts {
            let start = (0..TRIES).find_map(|k| step(fact, &[], &mut Choice::new(run, k)));
            let (Some(mut at), Some(head)) = (start, &fact.head) else { continue };
            let mut pred = head.pred;
            for number in 0..LONGEST as u64 {
                let list = &mut points[pred.0 as usize];
                if list.len() < MOST && !list.contains(&at) {
                    list.push(at.clone());
                }
                let steps = system.clauses.iter().filter(|c| c.head.is_some() && c.body.len() == 1);
                let next = steps.filter(|c| c.body[0].pred == pred).find_map(|c| {
                    let point = step(c, &at, &mut Choice::new(run, TRIES + number))?;
                    Some((c.head.as_ref()?.pred, point))
                });
                match next {
                    Some(next) => (pred, at) = next,
                    None => break,
                }
            }
        }
    }
    points
}

/// The head's point if the body's atom is at `from`; none if the clause does not apply there, or cannot be
/// computed.
fn step(clause: &Clause, from: &[Value], choice: &mut Choice) -> Option<Point> {
    let mut known: FxHashMap<Term, Value> = FxHashMap::default();
    let atom = clause.body.first();
    for (arg, value) in atom.iter().flat_map(|a| &a.args).zip(from) {
        if arg.is_var() && known.get(arg).is_none_or(|old| old == value) {
            known.insert(*arg, value.clone());
        } else if Value::of(*arg).as_ref() != Some(value) {
            return None;
        }
    }
    for var in clause.vars() {
        known.entry(var).or_insert_with(|| choice.value(var.sort()));
    }
    let value = |t: Term| match t.op() {
        Op::Var(_) => known.get(&t).cloned(),
        Op::Apply(_) => Some(applied(t)),
        _ => None,
    };
    if eval(clause.constraint, &value) != Some(Value::Bool(true)) {
        return None;
    }
    clause.head.as_ref()?.args.iter().map(|&arg| eval(arg, &value)).collect()
}

/// Small values, the same for the same numbers.
struct Choice(Random);

impl Choice {
    fn new(run: u64, number: u64) -> Choice {
        Choice(Random(run.wrapping_mul(1_000_003).wrapping_add(number) | 1 << 60))
    }

    fn value(&mut self, sort: Sort) -> Value {
        let bits = self.0.number();
        match sort {
            Sort::Bool => Value::Bool(bits & 1 == 1),
            Sort::Int => Value::int(small(bits)),
            Sort::Bv(width) => Value::bv(small(bits) as i128 as u128, width),
            Sort::Array(parts) => {
                let default = self.value(parts.1);
                let entries: Vec<(Value, Value)> =
                    (0..4).map(|_| (self.value(parts.0), self.value(parts.1))).collect();
                Value::array(parts.0, default, entries)
            }
            other => Value::zero(other),
        }
    }
}

fn small(bits: u64) -> i64 {
    match bits % 8 {
        0 => -((bits >> 8) as i64 % 5),
        1..5 => (bits >> 8) as i64 % 8,
        _ => (bits >> 8) as i64 % 24,
    }
}

/// Some function.
fn applied(term: Term) -> Value {
    let mut hasher = FxHasher::default();
    term.hash(&mut hasher);
    Choice(Random(hasher.finish())).value(term.sort())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::from_smtlib;

    #[test]
    fn counters_and_sums() {
        let text = "(set-logic HORN)(declare-fun p (Int Int Int) Bool)
            (assert (forall ((n Int)) (=> (<= 0 n) (p n 0 0))))
            (assert (forall ((n Int) (i Int) (s Int)) (=> (and (p n i s) (< i n)) (p n (+ i 1) (+ s i 1)))))";
        let system = from_smtlib(text).unwrap();
        let points = points(&system, 20);
        assert!(points[0].len() > 40, "{}", points[0].len());
        for point in &points[0] {
            let number = |k: usize| i128::try_from(point[k].as_int().unwrap().clone()).unwrap();
            let (n, i, s) = (number(0), number(1), number(2));
            assert!(i <= n && 2 * s == i * (i + 1), "{point:?}");
        }
    }
}

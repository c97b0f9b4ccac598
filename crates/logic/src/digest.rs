//! Hashes of terms that are the same in every process: for those who remember what was shown of a formula.
//!
//! With names ([`Digests`]), or up to a renaming of variables ([`Shapes`]): what holds of formulas holds of
//! all that differ from them in the names of variables alone.

use crate::{Op, Term, bottom_up};
use rustc_hash::FxHashMap;

pub type Digest = [u8; 32];

/// Computes digests; each term once.
#[derive(Default)]
pub struct Digests {
    known: FxHashMap<Term, Digest>,
}

impl Digests {
    pub fn of(&mut self, term: Term) -> Digest {
        bottom_up(term, &mut self.known, |t, known| {
            let parts: Vec<Digest> = t.args().iter().map(|a| known[a]).collect();
            node(&operation(t), t, &parts)
        })
    }

    /// Of what formulas say together, whatever their order.
    pub fn of_all(&mut self, head: &str, formulas: &[Term]) -> Digest {
        let mut parts: Vec<Digest> = formulas.iter().map(|t| self.of(*t)).collect();
        parts.sort();
        parts.dedup();
        let mut hasher = blake3::Hasher::new();
        hasher.update(head.as_bytes());
        parts.iter().for_each(|part| {
            hasher.update(part);
        });
        *hasher.finalize().as_bytes()
    }
}

/// Digests up to the names of variables.
#[derive(Default)]
pub struct Shapes {
    /// Of terms whose variables are all alike: for an order that does not depend on names.
    blind: FxHashMap<Term, Digest>,
}

impl Shapes {
    /// A digest of lists of formulas. Lists with the same digest differ in a one-to-one renaming of
    /// variables, in the order within `facts`, and in that of operands where it does not matter; the formulas
    /// of `goals` correspond to each other one by one, in the order that is returned with it.
    pub fn of(&mut self, facts: &[Term], goals: &[Term]) -> (Digest, Vec<usize>) {
        let mut facts: Vec<(Digest, Term)> = facts.iter().map(|t| (self.blind(*t), *t)).collect();
        facts.sort();
        facts.dedup();
        let mut order: Vec<(Digest, Term, usize)> =
            goals.iter().enumerate().map(|(i, t)| (self.blind(*t), *t, i)).collect();
        order.sort();
        let mut named =
            Named { blind: &self.blind, numbers: FxHashMap::default(), known: FxHashMap::default() };
        let mut hasher = blake3::Hasher::new();
        for (_, fact) in &facts {
            hasher.update(&named.of(*fact));
        }
        hasher.update(b"goals");
        for (_, goal, _) in &order {
            hasher.update(&named.of(*goal));
        }
        (*hasher.finalize().as_bytes(), order.into_iter().map(|(_, _, i)| i).collect())
    }

    fn blind(&mut self, term: Term) -> Digest {
        bottom_up(term, &mut self.blind, |t, known| {
            let mut parts: Vec<Digest> = t.args().iter().map(|a| known[a]).collect();
            if is_commutative(t) {
                parts.sort();
            }
            let operation = if t.is_var() { "variable".to_owned() } else { operation(t) };
            node(&operation, t, &parts)
        })
    }
}

/// Digests in which variables have numbers, by first occurrence.
struct Named<'a> {
    blind: &'a FxHashMap<Term, Digest>,
    numbers: FxHashMap<Term, usize>,
    known: FxHashMap<Term, Digest>,
}

impl Named<'_> {
    fn of(&mut self, term: Term) -> Digest {
        let mut stack = vec![(term, false)];
        while let Some((t, ready)) = stack.pop() {
            if self.known.contains_key(&t) {
                continue;
            }
            let mut args: Vec<Term> = t.args().to_vec();
            if is_commutative(t) {
                // Of those that are alike, those come first that were seen first.
                args.sort_by_key(|a| (self.blind[a], self.numbers.get(a).copied().unwrap_or(usize::MAX)));
            }
            if !ready && !args.is_empty() {
                stack.push((t, true));
                stack.extend(args.iter().rev().map(|a| (*a, false)));
                continue;
            }
            let parts: Vec<Digest> = args.iter().map(|a| self.known[a]).collect();
            let operation = if t.is_var() {
                let next = self.numbers.len();
                format!("variable {}", self.numbers.entry(t).or_insert(next))
            } else {
                operation(t)
            };
            self.known.insert(t, node(&operation, t, &parts));
        }
        self.known[&term]
    }
}

/// May the operands be in another order?
fn is_commutative(t: Term) -> bool {
    use Op::{Add, And, BvAdd, BvAnd, BvMul, BvOr, Eq, Mul, Or};
    matches!(t.op(), And | Or | Eq | Add | Mul | BvAdd | BvMul | BvAnd | BvOr)
}

fn operation(t: Term) -> String {
    match t.op() {
        // Its debug text leaves digits out.
        Op::Int(value) => format!("Int {value}"),
        op => format!("{op:?}"),
    }
}

fn node(operation: &str, t: Term, parts: &[Digest]) -> Digest {
    let mut hasher = blake3::Hasher::new();
    for text in [operation, &t.sort().to_string()] {
        hasher.update(&(text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
    }
    for part in parts {
        hasher.update(part);
    }
    *hasher.finalize().as_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sort;

    #[test]
    fn digests_tell_terms_apart_and_know_them_again() {
        let x = |name: &str, sort: Sort| Term::var(name, sort);
        let big = |last: i64| Term::int(1i128 << 100).add(Term::int(i128::from(last)));
        let list = [
            x("a", Sort::Int),
            x("a", Sort::Bool),
            x("b", Sort::Int),
            x("a", Sort::Int).add(x("b", Sort::Int)),
            x("a", Sort::Int).int_le(x("b", Sort::Int)),
            x("b", Sort::Int).int_le(x("a", Sort::Int)),
            big(1),
            big(2),
            Term::bv(1, 8),
            Term::bv(1, 16),
        ];
        let digests: Vec<Digest> = list.iter().map(|t| Digests::default().of(*t)).collect();
        for (i, a) in digests.iter().enumerate() {
            for (j, b) in digests.iter().enumerate() {
                assert_eq!(a == b, i == j, "{} and {}", list[i], list[j]);
            }
        }
        let mut all = Digests::default();
        assert_eq!(all.of_all("h", &list[4..6]), all.of_all("h", &[list[5], list[4], list[5]]));
        assert_ne!(all.of_all("h", &list[4..5]), all.of_all("h", &list[5..6]));
        assert_ne!(all.of_all("h", &list[4..5]), all.of_all("g", &list[4..5]));
    }

    #[test]
    fn shapes_do_not_know_names() {
        let x = |name: &str| Term::var(name, Sort::Int);
        let facts =
            |a: Term, b: Term, c: Term| [a.int_le(b), b.add(c).add(c).int_le(a), c.int_le(Term::int(5))];
        let goals = |a: Term, b: Term| [a.int_le(Term::int(0)), b.int_le(Term::int(0))];
        let shape = |f: &[Term], g: &[Term]| Shapes::default().of(f, g);
        let (p, q, r) = (x("p"), x("q"), x("r"));
        let (digest, order) = shape(&facts(p, q, r), &goals(p, q));
        for [a, b, c] in [[x("a"), x("b"), x("c")], [q, p, r], [r, q, p], [x("z"), x("y"), x("x")]] {
            let (other, places) = shape(&facts(a, b, c), &goals(a, b));
            // What is alike but for names may be taken in another order; it is known again where the goals
            // are in the same.
            let same = places == order;
            assert!(other == digest || !same, "{a} {b} {c}");
            assert_ne!(shape(&facts(a, b, c), &goals(a, c)).0, digest, "{a} {b} {c}: other goals");
            assert_ne!(shape(&facts(a, b, b), &goals(a, b)).0, digest, "{a} {b}: two variables are one");
            assert_ne!(shape(&facts(a, b, c)[..2], &goals(a, b)).0, digest, "{a} {b} {c}: less is known");
        }
    }
}

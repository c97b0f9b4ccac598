//! Hashes of terms that are the same in every process: for those who remember what was shown of a formula.

use crate::{Op, Term};
use rustc_hash::FxHashMap;

pub type Digest = [u8; 32];

/// Computes digests; each term once.
#[derive(Default)]
pub struct Digests {
    known: FxHashMap<Term, Digest>,
}

impl Digests {
    pub fn of(&mut self, term: Term) -> Digest {
        let mut stack = vec![(term, false)];
        while let Some((t, ready)) = stack.pop() {
            if self.known.contains_key(&t) {
                continue;
            }
            if !ready && !t.args().is_empty() {
                stack.push((t, true));
                stack.extend(t.args().iter().map(|a| (*a, false)));
                continue;
            }
            let operation = match t.op() {
                // Its debug text leaves digits out.
                Op::Int(value) => format!("Int {value}"),
                op => format!("{op:?}"),
            };
            let mut hasher = blake3::Hasher::new();
            for text in [operation, t.sort().to_string()] {
                hasher.update(&(text.len() as u64).to_le_bytes());
                hasher.update(text.as_bytes());
            }
            for arg in t.args() {
                hasher.update(self.known.get(arg).unwrap_or(&[0; 32]));
            }
            self.known.insert(t, *hasher.finalize().as_bytes());
        }
        self.known.get(&term).copied().unwrap_or_default()
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
}

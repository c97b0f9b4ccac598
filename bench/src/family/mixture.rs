//! Parts of other families in one program.

use super::draft::Draft;
use super::shape::Shape;
use super::{Edit, Family};
use crate::rng::Rng;

/// Of each kind that is not itself put together, and differs from the others by more than its inputs.
const KINDS: [Family; 8] = [
    Family::Wide,
    Family::Chain,
    Family::Tree,
    Family::Diamond,
    Family::Globals,
    Family::Heap,
    Family::Nested,
    Family::Machine,
];

/// Parts of random kinds and sizes, with `n` functions together (and the callees of diamonds).
pub fn mixture(shape: &Shape, rng: &mut Rng) -> Draft {
    let parts = parts(shape.n, rng);
    let mut draft = Draft::default();
    for (i, (kind, size)) in parts.iter().enumerate() {
        // An edit of a function is one of a single part.
        let here = match shape.edit {
            Some(Edit::Leaf) => i == 0,
            Some(Edit::Middle | Edit::Broken | Edit::Renamed) => i == parts.len() / 2,
            _ => false,
        };
        let prefix = format!("{}p{i}_", shape.prefix);
        let part = Shape::new(*kind, *size, &prefix, shape.edit.filter(|_| here));
        draft.append(kind.draft(&part, rng));
    }
    draft
}

/// A part has at most a fifth of the functions, so that there are several in any program of some size.
fn parts(n: usize, rng: &mut Rng) -> Vec<(Family, usize)> {
    let mut parts = Vec::new();
    let mut left = n;
    while left > 0 {
        let kind = KINDS[rng.below(KINDS.len())];
        let size = (1 + rng.below(n.div_ceil(5))).min(left);
        parts.push((kind, size));
        left -= size;
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_have_all_functions() {
        for n in [1, 2, 10, 300] {
            for seed in 0..20 {
                let parts = parts(n, &mut Rng::new(seed));
                assert_eq!(parts.iter().map(|(_, size)| size).sum::<usize>(), n);
                assert!(parts.len() >= n.min(5), "{n} {seed}: {parts:?}");
            }
        }
    }

    #[test]
    fn all_kinds_are_there() {
        let all: Vec<(Family, usize)> = (0..20).flat_map(|seed| parts(30, &mut Rng::new(seed))).collect();
        assert!(KINDS.iter().all(|kind| all.iter().any(|(k, _)| k == kind)));
    }
}

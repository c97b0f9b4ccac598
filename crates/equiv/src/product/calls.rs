//! Which calls of the two sides belong together.

use encode::block::Call;
use ir::FuncId;
use std::collections::BTreeSet;

/// Calls of both sides in order, matched where both call functions that belong together.
pub fn match_calls<'c>(
    matched: &BTreeSet<(FuncId, FuncId)>,
    old: &'c [Call],
    new: &'c [Call],
) -> Vec<(Option<&'c Call>, Option<&'c Call>)> {
    // The longest common subsequence.
    let fits = |i: usize, j: usize| matched.contains(&(old[i].callee, new[j].callee));
    let mut best = vec![vec![0u32; new.len() + 1]; old.len() + 1];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            let skip = best[i + 1][j].max(best[i][j + 1]);
            best[i][j] = if fits(i, j) { skip.max(best[i + 1][j + 1] + 1) } else { skip };
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut pairs = Vec::new();
    while i < old.len() || j < new.len() {
        if i < old.len() && j < new.len() && fits(i, j) && best[i][j] == best[i + 1][j + 1] + 1 {
            pairs.push((Some(&old[i]), Some(&new[j])));
            (i, j) = (i + 1, j + 1);
        } else if j >= new.len() || i < old.len() && best[i + 1][j] >= best[i][j + 1] {
            pairs.push((Some(&old[i]), None));
            i += 1;
        } else {
            pairs.push((None, Some(&new[j])));
            j += 1;
        }
    }
    pairs
}

//! How much two fragments have in common: the share of their operations that occur in both, as multisets,
//! with locals known by type only. Cheap, blind to order, and good enough to recognise a function that was
//! renamed and edited at once.

use crate::matching::Version;
use ir::fingerprint::{Canonical, Symbol};
use ir::{Callee, Edge, Expr, ExprKind, FuncId, HavocKind, Op, Var};
use rustc_hash::{FxHashMap, FxHasher};
use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};

/// Hashes of a fragment's operations, sorted.
pub struct Bag(Vec<u64>);

/// The bag of a function; `token` gives matched symbols the same number in both versions.
pub fn function(version: &Version, id: FuncId, token: impl Fn(Symbol) -> Option<u32>) -> Bag {
    fragment(version, id, &version.forms.function(id).whole.canonical, token)
}

/// The bag of a function or of a loop in it.
pub fn fragment(
    version: &Version,
    owner: FuncId,
    canonical: &Canonical,
    token: impl Fn(Symbol) -> Option<u32>,
) -> Bag {
    let Some(cfa) = version.program.function(owner).cfa() else { return Bag(Vec::new()) };
    let names = Names { version, token: &token };
    let mut hashes: Vec<u64> = canonical.edges.iter().map(|e| names.edge(cfa.edge(*e))).collect();
    hashes.sort_unstable();
    Bag(hashes)
}

/// Twice the common part over the sum of both, in percent.
pub fn percent(a: &Bag, b: &Bag) -> u32 {
    let total = a.0.len() + b.0.len();
    if total == 0 {
        return 100;
    }
    let (mut i, mut j, mut common) = (0, 0, 0);
    while i < a.0.len() && j < b.0.len() {
        match a.0[i].cmp(&b.0[j]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                common += 1;
                i += 1;
                j += 1;
            }
        }
    }
    (200 * common / total) as u32
}

/// Indices of bags that are each other's only best partner, above the threshold.
pub fn pairs(old: &[Bag], new: &[Bag], threshold: u32) -> Vec<(usize, usize)> {
    let scores = candidates(old, new).into_iter().filter_map(|(a, b)| {
        let score = percent(&old[a], &new[b]);
        (score >= threshold).then_some((a, b, score))
    });
    let mut best_for_old = vec![Best::None; old.len()];
    let mut best_for_new = vec![Best::None; new.len()];
    for (a, b, score) in scores {
        best_for_old[a].offer(b, score);
        best_for_new[b].offer(a, score);
    }
    let mutual = |(a, best): (usize, &Best)| match *best {
        Best::One(b, _) if matches!(best_for_new[b], Best::One(back, _) if back == a) => Some((a, b)),
        _ => None,
    };
    best_for_old.iter().enumerate().filter_map(mutual).collect()
}

#[derive(Clone, Copy)]
enum Best {
    None,
    One(usize, u32),
    Several(u32),
}

impl Best {
    fn offer(&mut self, partner: usize, score: u32) {
        match *self {
            Best::One(_, best) | Best::Several(best) if score < best => {}
            Best::One(_, best) | Best::Several(best) if score == best => *self = Best::Several(best),
            _ => *self = Best::One(partner, score),
        }
    }
}

/// Pairs that share at least one operation that is not all over the place.
fn candidates(old: &[Bag], new: &[Bag]) -> BTreeSet<(usize, usize)> {
    const COMMON: usize = 32;
    let mut postings: FxHashMap<u64, [Vec<usize>; 2]> = FxHashMap::default();
    for (side, bags) in [old, new].into_iter().enumerate() {
        for (i, bag) in bags.iter().enumerate() {
            for hash in &bag.0 {
                let list = &mut postings.entry(*hash).or_default()[side];
                if list.last() != Some(&i) {
                    list.push(i);
                }
            }
        }
    }
    let few = postings.into_values().filter(|[a, b]| a.len() <= COMMON && b.len() <= COMMON);
    few.flat_map(|[a, b]| a.into_iter().flat_map(move |x| b.clone().into_iter().map(move |y| (x, y))))
        .collect()
}

struct Names<'a, 'v, F> {
    version: &'a Version<'v>,
    token: &'a F,
}

impl<F: Fn(Symbol) -> Option<u32>> Names<'_, '_, F> {
    fn edge(&self, edge: &Edge) -> u64 {
        let mut h = FxHasher::default();
        std::mem::discriminant(&edge.op).hash(&mut h);
        match &edge.op {
            Op::Assume { holds, .. } => holds.hash(&mut h),
            Op::Check { kind, .. } => kind.hash(&mut h),
            Op::Havoc { kind: HavocKind::Input(name), .. } => name.hash(&mut h),
            Op::Call { callee: Callee::Direct(id), args, .. } => {
                self.symbol(&mut h, Symbol::Function(*id));
                args.len().hash(&mut h);
            }
            _ => {}
        }
        if let Some(Var::Global(id)) = edge.op.written() {
            self.symbol(&mut h, Symbol::Global(id));
        }
        for expr in edge.op.exprs() {
            self.expr(&mut h, expr);
        }
        h.finish()
    }

    fn expr(&self, h: &mut FxHasher, expr: &Expr) {
        let mut stack = vec![expr];
        while let Some(e) = stack.pop() {
            e.ty.hash(h);
            std::mem::discriminant(&e.kind).hash(h);
            match &e.kind {
                ExprKind::Const(bits) => bits.hash(h),
                ExprKind::Unary(op, _) => op.hash(h),
                ExprKind::Binary(op, ..) => op.hash(h),
                ExprKind::Global(id) | ExprKind::AddrGlobal(id) => self.symbol(h, Symbol::Global(*id)),
                ExprKind::AddrFunc(id) => self.symbol(h, Symbol::Function(*id)),
                _ => {}
            }
            stack.extend(e.children());
        }
    }

    fn symbol(&self, h: &mut FxHasher, symbol: Symbol) {
        match symbol {
            Symbol::Global(id) if self.version.is_literal(id) => self.version.forms.global(id).init.hash(h),
            _ => (self.token)(symbol).hash(h),
        }
    }
}

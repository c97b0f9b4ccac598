//! Alignment: shapes in which loops of different speeds and phases, and recursions of different depths, run
//! together.
//!
//! Concrete runs tell how often each loop head is visited; where the counts of a coupled pair are in a small
//! ratio, both loops are unrolled to the same speed. Without such a ratio a few small unrollings and peelings
//! are tried. Paper 004 leaves this to the user.

use crate::differ::Differ;
use crate::prove::{Links, Pairing, couplings};
use crate::shape::Shape;
use ir::{CallGraph, NodeId};
use std::collections::BTreeSet;

/// Factors beyond this are not tried.
const LARGEST: u32 = 4;
const MOST_SHAPES: usize = 14;
/// Loops that were seen to run longer are not unwound completely.
const FARTHEST: u32 = 16;

/// Shapes worth trying after the plain one: those that something speaks for, and those that are just worth a
/// try.
pub fn shapes(base: &Shape, links: &Links, differ: &mut Differ) -> [Vec<Shape>; 2] {
    let mut shapes = Vec::new();
    let heads = [base.heads(0), base.heads(1)];
    let mut promising = unfoldings(base, links);
    let pairs: Vec<(NodeId, NodeId)> =
        couplings([&base.programs[0], &base.programs[1]], base.functions, Pairing::All).into_iter().collect();
    let visits = differ.visits(base, &heads);
    let mut fitting = Vec::new();
    for &(a, b) in &pairs {
        let (i, j) = (index(&heads[0], a), index(&heads[1], b));
        let counts: Vec<(u32, u32)> = visits.iter().map(|v| (v[0][i], v[1][j])).collect();
        fitting.extend(ratios(&counts).into_iter().map(|r| ((a, b), r)));
    }
    for (pair, (p, q)) in &fitting {
        promising.extend(sped(base, *pair, *p, *q));
    }
    shapes.extend(unwound(base, links, &heads, differ));
    if pairs.len() <= 2 {
        for &pair in &pairs {
            for (p, q) in [(2, 1), (1, 2), (3, 1), (1, 3), (4, 1), (1, 4), (3, 4), (4, 3), (2, 3), (3, 2)] {
                if !fitting.contains(&(pair, (p, q))) && shapes.len() < MOST_SHAPES {
                    shapes.extend(sped(base, pair, p, q));
                }
            }
            shapes.extend(base.peeled(0, pair.0, 1));
            shapes.extend(base.peeled(1, pair.1, 1));
        }
    }
    [promising, shapes]
}

/// Loops and recursions that never go far, unwound completely: then nothing is left to couple.
fn unwound(base: &Shape, links: &Links, heads: &[Vec<NodeId>; 2], differ: &mut Differ) -> Option<Shape> {
    let visits = differ.visits(base, heads);
    let most = visits.iter().flat_map(|v| v.iter().flatten()).copied().max().unwrap_or(0);
    let recursive = |side: usize| {
        let graph = CallGraph::of(&base.programs[side]);
        let reachable = graph.reachable(&[base.functions[side]]);
        let own =
            reachable.into_iter().filter(|f| graph.is_recursive(*f) && !links.same[side].contains_key(f));
        own.collect::<Vec<_>>()
    };
    let recursions = [recursive(0), recursive(1)];
    let loops = !heads.iter().all(|h| h.is_empty());
    if visits.is_empty() || most == 0 || most > FARTHEST || !loops && recursions.iter().all(|r| r.is_empty())
    {
        return None;
    }
    let mut shape = base.clone();
    for side in 0..2 {
        // Inner loops first; heads are found again each time, since numbers change.
        for depth in (0..heads[side].len()).rev() {
            let head = *shape.heads(side).get(depth)?;
            shape = shape.unrolled(side, head, most + 1)?;
        }
        for &f in &recursions[side] {
            for _ in 0..3 {
                shape = shape.unfolded(side, f)?;
            }
        }
    }
    shape.note = format!("unwound {} times", most + 1);
    Some(shape)
}

fn index(heads: &[NodeId], head: NodeId) -> usize {
    heads.iter().position(|h| *h == head).unwrap_or(0)
}

/// The old loop makes `p` iterations while the new one makes `q`.
fn sped(base: &Shape, pair: (NodeId, NodeId), p: u32, q: u32) -> Option<Shape> {
    let shape = if p > 1 { base.unrolled(0, pair.0, p)? } else { base.clone() };
    if q > 1 { shape.unrolled(1, pair.1, q) } else { Some(shape) }
}

/// The ratios of iterations, other than one to one, that fit all runs up to what is left over at the end;
/// small ones first.
fn ratios(visits: &[(u32, u32)]) -> Vec<(u32, u32)> {
    // The last visit of a head is no iteration.
    let iterations = visits.iter().map(|(a, b)| (i64::from(*a) - 1, i64::from(*b) - 1));
    let telling: Vec<(i64, i64)> = iterations.filter(|(a, b)| *a > 5 || *b > 5).collect();
    let fits = |p: u32, q: u32| {
        let (x, y) = (i64::from(p), i64::from(q));
        telling.iter().all(|(a, b)| (a * y - b * x).abs() <= x.max(y))
    };
    if telling.is_empty() || fits(1, 1) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for p in 1..=LARGEST {
        for q in 1..=LARGEST {
            if (p == 1 || q == 1 || p.abs_diff(q) == 1) && fits(p, q) {
                found.push((p, q));
            }
        }
    }
    found.sort_by_key(|(p, q)| p * q);
    found
}

/// Recursive functions unfolded on one side.
fn unfoldings(base: &Shape, links: &Links) -> Vec<Shape> {
    let mut shapes = Vec::new();
    for side in 0..2 {
        let graph = CallGraph::of(&base.programs[side]);
        let reachable = graph.reachable(&[base.functions[side]]);
        let own: BTreeSet<_> = reachable
            .into_iter()
            .filter(|f| graph.is_recursive(*f) && !links.same[side].contains_key(f))
            .collect();
        for f in own {
            if let Some(once) = base.unfolded(side, f) {
                shapes.push(once.clone());
                shapes.extend(once.unfolded(side, f));
            }
        }
    }
    shapes
}

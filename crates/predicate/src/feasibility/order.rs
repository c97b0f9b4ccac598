//! In which order a path is looked at.

use crate::formula::Tree;
use logic::{Term, free_vars};
use rustc_hash::FxHashMap;

/// The formulas of a path in the order of the execution, but what a call is given and what it returns before
/// what happens inside.
pub fn in_order(tree: &Tree) -> Vec<Term> {
    enum Todo {
        Up(usize),
        Step(usize),
    }
    let mut list = Vec::with_capacity(tree.nodes.len());
    let mut work: Vec<Todo> = tree.nodes.len().checked_sub(1).map(Todo::Up).into_iter().collect();
    while let Some(todo) = work.pop() {
        match todo {
            Todo::Up(end) => {
                let mut at = Some(end);
                while let Some(n) = at {
                    work.push(Todo::Step(n));
                    at = tree.nodes[n].previous;
                }
            }
            Todo::Step(n) => {
                list.push(tree.nodes[n].formula);
                work.extend(tree.nodes[n].callee.map(Todo::Up));
            }
        }
    }
    list
}

/// With more formulas, each where all that it speaks of is there.
pub fn placed(formulas: &[Term], more: Vec<Term>) -> Vec<Term> {
    let mut first: FxHashMap<Term, usize> = FxHashMap::default();
    for (n, formula) in formulas.iter().enumerate() {
        for v in free_vars(*formula) {
            first.entry(v).or_insert(n);
        }
    }
    let at = |t: Term| free_vars(t).iter().filter_map(|v| first.get(v)).max().copied().unwrap_or(0);
    let mut behind: Vec<Vec<Term>> = vec![Vec::new(); formulas.len()];
    let mut list = Vec::new();
    for t in more {
        behind.get_mut(at(t)).unwrap_or(&mut list).push(t);
    }
    for (formula, more) in formulas.iter().zip(behind) {
        list.push(*formula);
        list.extend(more);
    }
    list
}

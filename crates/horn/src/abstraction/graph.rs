//! Abstract reachability graphs: nodes are a symbol with facts, edges are clauses.
//!
//! Two ways to build one. Joined: every symbol has one node, with the facts that hold wherever it is derived;
//! cheap, and enough where a conjunction of predicates is a solution. Split: nodes stay apart, so that the
//! solution is a disjunction, and a violated query has a tree of clauses that leads to it. A node is dropped
//! when there is one with fewer facts. Seeds can be many, and most of them do not matter; so nodes that
//! differ in seeds only are joined as long as that leads to new predicates.

use super::facts::Facts;
use super::post::{Post, Predicates};
use crate::system::{PredId, Solution, System, Unknown};
use logic::Term;
use std::collections::VecDeque;

/// A tree of clauses, its root a query.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    pub(super) clause: usize,
    pub(super) children: Vec<Tree>,
}

pub(super) enum Outcome {
    Closed(Solution),
    /// The tree has at most [`LARGEST`] nodes.
    Violated(Tree),
}

const LARGEST: usize = 3_000;
const MOST_NODES: usize = 5_000;
const MOST_EDGES: usize = 200_000;

/// One node for each symbol; None if a query is violated.
pub(super) fn joined(
    system: &System,
    post: &mut Post,
    predicates: &Predicates,
) -> Result<Option<Solution>, Unknown> {
    let mut nodes: Vec<Option<Facts>> = vec![None; system.preds.len()];
    let mut queue: VecDeque<usize> = (0..system.clauses.len()).collect();
    let mut queued = vec![true; system.clauses.len()];
    while let Some(c) = queue.pop_front() {
        queued[c] = false;
        let clause = &system.clauses[c];
        let body: Option<Vec<&Facts>> =
            clause.body.iter().map(|a| nodes[a.pred.0 as usize].as_ref()).collect();
        let Some(body) = body else { continue };
        let Some(facts) = post.successor(c, &body, predicates)? else { continue };
        let Some(head) = &clause.head else { return Ok(None) };
        let node = &mut nodes[head.pred.0 as usize];
        let new = match node {
            None => facts,
            Some(old) if old.is_subset(&facts) => continue,
            Some(old) => old.intersection(&facts),
        };
        *node = Some(new);
        for (d, user) in system.clauses.iter().enumerate() {
            if !queued[d] && user.body.iter().any(|a| a.pred == head.pred) {
                queued[d] = true;
                queue.push_back(d);
            }
        }
    }
    let formula = |(p, facts): (usize, &Option<Facts>)| match facts {
        Some(facts) => predicates.formula(PredId(p as u32), facts),
        None => Term::bool(false),
    };
    Ok(Some(Solution { formulas: nodes.iter().enumerate().map(formula).collect() }))
}

/// A node for each set of facts; with `join_seeds`, for each set of facts that are no seeds.
pub(super) fn split(
    system: &System,
    post: &mut Post,
    predicates: &Predicates,
    join_seeds: bool,
) -> Result<Outcome, Unknown> {
    let apart = if join_seeds { predicates.seeds.clone() } else { vec![0; system.preds.len()] };
    let mut graph =
        Graph { system, apart, nodes: Vec::new(), queries: VecDeque::new(), others: VecDeque::new() };
    for c in (0..system.clauses.len()).filter(|&c| system.clauses[c].body.is_empty()) {
        graph.push(c, Vec::new());
    }
    while let Some((c, body)) = graph.queries.pop_front().or_else(|| graph.others.pop_front()) {
        if body.iter().any(|&n| !graph.nodes[n].live) {
            continue;
        }
        let facts: Vec<&Facts> = body.iter().map(|&n| &graph.nodes[n].facts).collect();
        let Some(facts) = post.successor(c, &facts, predicates)? else { continue };
        match &system.clauses[c].head {
            Some(head) => graph.add(head.pred, facts, c, body),
            None => {
                let mut room = LARGEST;
                let tree = graph.tree(c, &body, &mut room);
                return tree
                    .map(Outcome::Violated)
                    .ok_or_else(|| Unknown::GaveUp("a counterexample that is too large".into()));
            }
        }
        if graph.nodes.len() > MOST_NODES || graph.others.len() > MOST_EDGES {
            return Err(Unknown::GaveUp("an abstract graph that is too large".into()));
        }
    }
    let formula = |p: PredId| {
        let nodes = graph.nodes.iter().filter(|n| n.live && n.pred == p);
        Term::any(nodes.map(|n| predicates.formula(p, &n.facts)))
    };
    Ok(Outcome::Closed(Solution { formulas: system.pred_ids().map(formula).collect() }))
}

struct Node {
    pred: PredId,
    facts: Facts,
    /// How it was derived first.
    clause: usize,
    body: Vec<usize>,
    /// No other live node has fewer facts.
    live: bool,
}

struct Graph<'a> {
    system: &'a System,
    /// For each symbol, from which number on facts keep nodes apart.
    apart: Vec<usize>,
    nodes: Vec<Node>,
    /// Clauses with nodes for their bodies that are still to be looked at: queries first.
    queries: VecDeque<(usize, Vec<usize>)>,
    others: VecDeque<(usize, Vec<usize>)>,
}

impl Graph<'_> {
    fn push(&mut self, clause: usize, body: Vec<usize>) {
        let query = self.system.clauses[clause].head.is_none();
        if query { &mut self.queries } else { &mut self.others }.push_back((clause, body));
    }

    fn add(&mut self, pred: PredId, mut facts: Facts, clause: usize, body: Vec<usize>) {
        let first = self.apart[pred.0 as usize];
        if self.nodes.iter().any(|n| n.live && n.pred == pred && n.facts.is_subset(&facts)) {
            return;
        }
        if first > 0 {
            let like = |n: &&Node| n.live && n.pred == pred && n.facts.agrees_from(first, &facts);
            if let Some(old) = self.nodes.iter().find(like) {
                facts = old.facts.intersection(&facts);
            }
        }
        for node in self.nodes.iter_mut().filter(|n| n.pred == pred && facts.is_subset(&n.facts)) {
            node.live = false;
        }
        let new = self.nodes.len();
        self.nodes.push(Node { pred, facts, clause, body, live: true });
        for (c, user) in self.system.clauses.iter().enumerate() {
            for (i, _) in user.body.iter().enumerate().filter(|(_, a)| a.pred == pred) {
                self.combine(c, i, new);
            }
        }
    }

    /// All bodies of a clause with the new node in place `at`, and only older ones before it, so that none
    /// comes twice.
    fn combine(&mut self, clause: usize, at: usize, new: usize) {
        let mut bodies: Vec<Vec<usize>> = vec![Vec::new()];
        for (i, atom) in self.system.clauses[clause].body.iter().enumerate() {
            let fits = |n: &usize| match i.cmp(&at) {
                std::cmp::Ordering::Less => *n != new,
                std::cmp::Ordering::Equal => *n == new,
                std::cmp::Ordering::Greater => true,
            };
            let choices: Vec<usize> = (0..self.nodes.len())
                .filter(|&n| self.nodes[n].live && self.nodes[n].pred == atom.pred)
                .filter(fits)
                .collect();
            // One more than the limit is enough to notice it.
            bodies = bodies
                .iter()
                .flat_map(|b| choices.iter().map(move |&n| b.iter().copied().chain([n]).collect()))
                .take(MOST_EDGES + 1)
                .collect();
        }
        bodies.into_iter().for_each(|body| self.push(clause, body));
    }

    /// The way in which a clause's body was derived; None if it has more than `room` nodes.
    fn tree(&self, clause: usize, body: &[usize], room: &mut usize) -> Option<Tree> {
        *room = room.checked_sub(1)?;
        let children = body.iter().map(|&n| self.tree(self.nodes[n].clause, &self.nodes[n].body, room));
        Some(Tree { clause, children: children.collect::<Option<_>>()? })
    }
}

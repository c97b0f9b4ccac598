//! From the first state to a fixpoint, and a little way back.
//!
//! Three phases. *Up*: a worklist over all functions, callees before what follows their calls and nodes in
//! the order of control, joins until nothing changes; where cycles close (headers of loops, entries of
//! functions, returns of recursive ones) it widens. *Down*: a few rounds that compute every state anew from
//! its predecessors, which takes back what widening gave away. *Up* again, over everything: operations need
//! not be monotonic, so only this makes sure that the result is inductive; mostly it finds nothing to do.

use crate::post::{Context, Exit};
use crate::state::State;
use ir::{EdgeId, FuncId, NodeId, Op};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// How often the state at a place may grow before it is widened, and before it is widened without steps.
const JOINS: u32 = 3;
const STEPS: u32 = 30;
/// Rounds downwards.
const ROUNDS: usize = 3;

pub struct Solver<'c, 'p> {
    context: &'c Context<'p>,
    entry: FuncId,
    pub at: Vec<Vec<Option<State>>>,
    pub exits: Vec<Option<Exit>>,
    /// How often the state at a node, and at a function's returns, has grown.
    grown: Vec<Vec<u32>>,
    exits_grown: Vec<u32>,
    queued: Vec<Vec<bool>>,
    /// Component of the call graph, function, position in its order.
    queue: BinaryHeap<Reverse<(u32, u32, u32)>>,
}

impl<'c, 'p> Solver<'c, 'p> {
    pub fn new(context: &'c Context<'p>, entry: FuncId) -> Self {
        let nodes: Vec<usize> =
            context.shapes.iter().map(|s| s.as_ref().map_or(0, |s| s.position.len())).collect();
        let functions = nodes.len();
        Solver {
            context,
            entry,
            at: nodes.iter().map(|n| vec![None; *n]).collect(),
            exits: vec![None; functions],
            grown: nodes.iter().map(|n| vec![0; *n]).collect(),
            exits_grown: vec![0; functions],
            queued: nodes.iter().map(|n| vec![false; *n]).collect(),
            queue: BinaryHeap::new(),
        }
    }

    pub fn solve(&mut self) {
        let Some(entry) = self.entry_node(self.entry) else { return };
        let initial = self.context.initial(self.entry);
        self.reach(self.entry, entry, initial);
        self.up();
        let mut functions: Vec<FuncId> = Vec::new();
        for component in self.context.graph.components() {
            functions.extend(component.iter().filter(|f| self.context.shapes[f.0 as usize].is_some()));
        }
        for round in 0..ROUNDS {
            // What callers know comes down first, what callees return comes up next.
            let smaller = if round % 2 == 0 {
                functions.iter().rev().filter(|f| self.down(**f)).count()
            } else {
                functions.iter().filter(|f| self.down(**f)).count()
            };
            if smaller == 0 {
                break;
            }
        }
        for f in functions {
            self.grown[f.0 as usize].fill(0);
            self.exits_grown[f.0 as usize] = 0;
            let reached: Vec<NodeId> = self.reached(f).collect();
            reached.into_iter().for_each(|node| self.enqueue(f, node));
        }
        let initial = self.context.initial(self.entry);
        self.reach(self.entry, entry, initial);
        self.up();
    }

    fn entry_node(&self, f: FuncId) -> Option<NodeId> {
        self.context.shapes.get(f.0 as usize)?.as_ref()?;
        self.context.program.function(f).cfa().map(|cfa| cfa.entry)
    }

    fn reached(&self, f: FuncId) -> impl Iterator<Item = NodeId> + '_ {
        let states = self.at[f.0 as usize].iter().enumerate();
        states.filter(|(_, s)| s.is_some()).map(|(i, _)| NodeId(i as u32))
    }

    fn enqueue(&mut self, f: FuncId, node: NodeId) {
        let Some(shape) = &self.context.shapes[f.0 as usize] else { return };
        if !std::mem::replace(&mut self.queued[f.0 as usize][node.0 as usize], true) {
            let component = self.context.graph.component_of(f) as u32;
            self.queue.push(Reverse((component, f.0, shape.position[node.0 as usize])));
        }
    }

    fn up(&mut self) {
        while let Some(Reverse((_, f, position))) = self.queue.pop() {
            let f = FuncId(f);
            let Some(shape) = &self.context.shapes[f.0 as usize] else { continue };
            let Some(node) = shape.order.get(position as usize).copied() else { continue };
            self.queued[f.0 as usize][node.0 as usize] = false;
            let Some(state) = self.at[f.0 as usize][node.0 as usize].clone() else { continue };
            let Some(cfa) = self.context.program.function(f).cfa() else { continue };
            for (edge, id) in cfa.out(node).iter().zip(cfa.out_ids(node)) {
                self.enter_callees(f, id, &edge.op, &state);
                if let Some(exit) = self.context.exit(f, &edge.op, &state) {
                    self.leave(f, exit);
                }
                if let Some(after) = self.context.post(f, id, &state, &self.exits) {
                    self.reach(f, edge.to, after);
                }
            }
        }
    }

    fn enter_callees(&mut self, f: FuncId, edge: EdgeId, op: &Op, state: &State) {
        let (Op::Call { args, .. }, Some(site)) = (op, self.context.graph.site(f, edge)) else { return };
        for target in &site.targets {
            if let Some(node) = self.entry_node(*target) {
                let entered = self.context.entered(args, state, *target);
                self.reach(*target, node, entered);
            }
        }
    }

    /// Adds a state to those of a node.
    fn reach(&mut self, f: FuncId, node: NodeId, state: State) {
        let Some(shape) = &self.context.shapes[f.0 as usize] else { return };
        let (i, n) = (f.0 as usize, node.0 as usize);
        let new = match &self.at[i][n] {
            None => state,
            Some(old) if state.within(old) => return,
            Some(old) => {
                let is_entry = self.entry_node(f) == Some(node);
                let joins = JOINS + if is_entry { self.context.calls[i].len() as u32 } else { 0 };
                let grown = self.grown[i][n];
                let steps = if grown < joins + STEPS { &shape.steps[..] } else { &[] };
                match &shape.changing[n] {
                    _ if grown < joins => old.join(&state),
                    _ if is_entry => old.widen(&state, steps, |_| true),
                    Some(changing) => old.widen(&state, steps, |var| changing.contains(var)),
                    None => old.join(&state),
                }
            }
        };
        self.grown[i][n] += 1;
        self.at[i][n] = Some(new);
        self.enqueue(f, node);
    }

    /// Adds to what is known where a function returns.
    fn leave(&mut self, f: FuncId, exit: Exit) {
        let Some(shape) = &self.context.shapes[f.0 as usize] else { return };
        let i = f.0 as usize;
        let new = match &self.exits[i] {
            None => exit,
            Some(old) if exit.within(old) => return,
            Some(old) => {
                let grown = self.exits_grown[i];
                if !self.context.graph.is_recursive(f) || grown < JOINS {
                    old.join(&exit)
                } else {
                    old.widen(&exit, if grown < JOINS + STEPS { &shape.steps } else { &[] })
                }
            }
        };
        self.exits_grown[i] += 1;
        self.exits[i] = Some(new);
        for (caller, edge) in &self.context.calls[i] {
            let Some(cfa) = self.context.program.function(*caller).cfa() else { continue };
            let from = cfa.edge(*edge).from;
            if self.at[caller.0 as usize][from.0 as usize].is_some() {
                self.enqueue(*caller, from);
            }
        }
    }

    /// Computes the states of a function anew, each from what it has before it. Is any smaller now?
    fn down(&mut self, f: FuncId) -> bool {
        let mut any = false;
        let i = f.0 as usize;
        let (Some(shape), Some(cfa)) = (&self.context.shapes[i], self.context.program.function(f).cfa())
        else {
            return false;
        };
        for node in &shape.order {
            let n = node.0 as usize;
            if self.at[i][n].is_none() {
                continue;
            }
            let mut new: Option<State> = None;
            let mut add =
                |state: State| new = Some(new.as_ref().map_or(state.clone(), |new| new.join(&state)));
            if *node == cfa.entry {
                self.entered(f).into_iter().for_each(&mut add);
            }
            for id in &shape.into[n] {
                let from = cfa.edge(*id).from.0 as usize;
                if let Some(state) = &self.at[i][from]
                    && let Some(after) = self.context.post(f, *id, state, &self.exits)
                {
                    add(after);
                }
            }
            let smaller = match (&new, &self.at[i][n]) {
                (Some(new), Some(old)) => new.within(old) && !old.within(new),
                _ => true,
            };
            if smaller {
                self.at[i][n] = new;
                any = true;
            }
        }
        let mut exit: Option<Exit> = None;
        for id in &shape.into[cfa.exit.0 as usize] {
            let edge = cfa.edge(*id);
            if let Some(state) = &self.at[i][edge.from.0 as usize]
                && let Some(new) = self.context.exit(f, &edge.op, state)
            {
                exit = Some(exit.map_or(new.clone(), |exit| exit.join(&new)));
            }
        }
        let smaller = match (&exit, &self.exits[i]) {
            (Some(new), Some(old)) => new.within(old) && !old.within(new),
            (None, None) => false,
            _ => true,
        };
        if smaller {
            self.exits[i] = exit;
            any = true;
        }
        any
    }

    /// All states with which a function is entered.
    fn entered(&self, f: FuncId) -> Vec<State> {
        let mut list = Vec::new();
        if f == self.entry {
            list.push(self.context.initial(f));
        }
        for (caller, edge) in &self.context.calls[f.0 as usize] {
            let Some(cfa) = self.context.program.function(*caller).cfa() else { continue };
            let edge = cfa.edge(*edge);
            if let (Op::Call { args, .. }, Some(state)) =
                (&edge.op, &self.at[caller.0 as usize][edge.from.0 as usize])
            {
                list.push(self.context.entered(args, state, f));
            }
        }
        list
    }
}

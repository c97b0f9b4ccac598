//! Model validation: which abstract states are reachable under the precisions at hand?
//!
//! An *instance* is the analysis of one fragment from one abstract entry state; together with the exits it
//! found it is a summary (precision, entry, exits) of the paper's Definition 3. Activations are tabulated: a
//! call (or a loop that is entered) uses an instance whose entry covers its own, or starts a new one, and
//! is told of every exit that is found, now or later. So recursion needs no special care, and a summary that
//! was inherited from an earlier run is just an instance that is complete from the start: a *hole*
//! (Definition 7).
//!
//! A loop's exits are its states at the cut points where it can be left; the steps that leave it belong to
//! what is around it, and so do checks behind it that are reached without another cut point (they are seen in
//! the loop, too, if that is explored). What the loop cannot change stays known across it (`keep`), whether
//! the loop's precision speaks of it or not.

mod calls;
mod known;
mod loops;

use crate::assume_guarantee::AssumedSummary;
use crate::model::{Fragment, Model};
use crate::post::Post;
use crate::predicates::{PredicateId, Predicates};
use crate::recheck::Candidate;
use base::Stopped;
use biodivine_lib_bdd::Bdd;
use encode::Unsupported;
use encode::transition_system::To;
use ir::{FuncId, NodeId};
use logic::{Substitution, Term};
use rustc_hash::{FxHashMap, FxHashSet};

/// An index into [`ReachabilityGraph::instances`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct InstanceId(pub u32);

pub struct SummaryInstance {
    pub fragment: Fragment,
    pub entry: Bdd,
    /// Who asked for it first: an instance, its node there, and the step that calls.
    pub parent: Option<(InstanceId, usize, usize)>,
    pub nodes: Vec<Node>,
    pub exits: Vec<Exit>,
    /// The number of the inherited summary that this is, if it is one.
    pub hole: Option<usize>,
    /// The number of the summary that the function had before it changed.
    pub candidate: Option<usize>,
    by_cut: FxHashMap<(NodeId, Option<Fragment>), Vec<usize>>,
    waiters: Vec<Waiter>,
}

pub struct Node {
    pub cut: NodeId,
    pub state: Bdd,
    pub how: How,
    /// Set where an inner loop is being left: only steps out of it go on from here.
    pub leaves: Option<Fragment>,
}

/// How a node was reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum How {
    Root,
    Step {
        from: usize,
        step: usize,
    },
    /// By a call that returned.
    Return {
        from: usize,
        step: usize,
        callee: InstanceId,
        exit: usize,
    },
    /// Out of the loop that was entered at `from`.
    Left {
        from: usize,
        inner: InstanceId,
        exit: usize,
    },
}

/// Of a function: what is known when the step returns. Of a loop: the state at the node, from which steps
/// leave.
pub struct Exit {
    pub state: Bdd,
    pub cut: NodeId,
    /// Where it is in the instance; for a hole, nothing is there.
    pub node: usize,
    pub step: usize,
}

/// Who is told of exits, and what for.
#[derive(Clone, Copy)]
pub struct Waiter {
    pub instance: InstanceId,
    pub by: By,
}

#[derive(Clone, Copy)]
pub enum By {
    Call {
        node: usize,
        step: usize,
    },
    Loop {
        node: usize,
    },
    /// A summary that takes something for granted of a function: the number of that.
    Assumption(usize),
}

/// A summary from an earlier run.
pub struct Inherited {
    pub fragment: Fragment,
    pub entry: Bdd,
    /// With the cut point, for loops.
    pub exits: Vec<(NodeId, Bdd)>,
    /// What holds at the cut points inside.
    pub states: Vec<(NodeId, Bdd)>,
    /// The fragment's, when it was made.
    pub precision: Vec<PredicateId>,
    /// Replaced by the paths it stands for.
    pub expanded: bool,
    pub used: bool,
    /// It is not stored under what the function is now: that of an equivalent function, or of one that calls
    /// something that changed.
    pub carried: bool,
    /// What it rests on, if that is to be found out.
    pub assumed: Vec<AssumedSummary>,
    /// What it rests on as it is stored, if that is known.
    pub calls: Option<Vec<crate::knowledge::Called>>,
}

/// An error that abstract states reach.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    pub instance: InstanceId,
    pub node: usize,
    pub step: usize,
}

/// Why exploration ends early.
#[derive(Clone, Debug)]
pub enum Halt {
    Stopped(Stopped),
    Unsupported(Unsupported),
    Found(Found),
    /// A summary rests on something that is not so; it is not used any more.
    Refuted,
}

impl From<Stopped> for Halt {
    fn from(stopped: Stopped) -> Halt {
        Halt::Stopped(stopped)
    }
}

impl From<Unsupported> for Halt {
    fn from(unsupported: Unsupported) -> Halt {
        Halt::Unsupported(unsupported)
    }
}

pub type Precision = FxHashMap<Fragment, Vec<PredicateId>>;

pub struct ReachabilityGraph<'m> {
    pub model: &'m Model,
    pub predicates: Predicates,
    pub precision: Precision,
    pub post: Post,
    pub instances: Vec<SummaryInstance>,
    pub inherited: Vec<Inherited>,
    pub candidates: Vec<Candidate>,
    by_fragment: FxHashMap<Fragment, Vec<InstanceId>>,
    work: Vec<(InstanceId, usize)>,
    /// What is being explored.
    current: Option<(InstanceId, usize)>,
    /// Summaries of which not everything is asked for that they rest on.
    pub(crate) unfinished: Vec<InstanceId>,
}

impl<'m> ReachabilityGraph<'m> {
    pub fn new(model: &'m Model, post: Post) -> ReachabilityGraph<'m> {
        ReachabilityGraph {
            model,
            predicates: Predicates::new(),
            precision: FxHashMap::default(),
            post,
            instances: Vec::new(),
            inherited: Vec::new(),
            candidates: Vec::new(),
            by_fragment: FxHashMap::default(),
            work: Vec::new(),
            current: None,
            unfinished: Vec::new(),
        }
    }

    pub fn instance(&self, id: InstanceId) -> &SummaryInstance {
        &self.instances[id.0 as usize]
    }

    /// Adds to a precision; false if it was there.
    pub fn refine(&mut self, fragment: Fragment, id: PredicateId) -> bool {
        let list = self.precision.entry(fragment).or_default();
        let new = !list.contains(&id);
        if new {
            list.push(id);
        }
        new
    }

    /// The loops that were entered: by whom, at which node, and the instance that stands for it.
    pub fn loop_uses(&self) -> Vec<(InstanceId, usize, InstanceId)> {
        let all = self.instances.iter().zip(0..);
        all.flat_map(|(inner, i)| {
            inner.waiters.iter().filter_map(move |w| match w.by {
                By::Loop { node } => Some((w.instance, node, InstanceId(i))),
                _ => None,
            })
        })
        .collect()
    }

    /// The calls that were made: by whom, and the instance that stands for the callee.
    pub fn calls(&self) -> impl Iterator<Item = (InstanceId, InstanceId)> {
        let all = self.instances.iter().zip(0..);
        all.flat_map(|(callee, i)| {
            let calls = callee.waiters.iter().filter(|w| matches!(w.by, By::Call { .. }));
            calls.map(move |w| (w.instance, InstanceId(i)))
        })
    }

    /// The instances that nothing is missing of: all that they can reach was explored. Every one of them is
    /// a summary, whatever became of the rest.
    pub fn complete(&self) -> Vec<InstanceId> {
        let mut open: FxHashSet<InstanceId> = self.work.iter().map(|(id, _)| *id).collect();
        open.extend(self.current.map(|(id, _)| id));
        open.extend(&self.unfinished);
        let mut work: Vec<InstanceId> = open.iter().copied().collect();
        while let Some(id) = work.pop() {
            for waiter in &self.instance(id).waiters {
                if open.insert(waiter.instance) {
                    work.push(waiter.instance);
                }
            }
        }
        (0..self.instances.len() as u32).map(InstanceId).filter(|id| !open.contains(id)).collect()
    }

    /// Explores all that is reachable from the program's first states.
    pub fn explore(&mut self) -> Result<(), Halt> {
        loop {
            match self.explore_once() {
                Err(Halt::Refuted) => {}
                end => return end,
            }
        }
    }

    fn explore_once(&mut self) -> Result<(), Halt> {
        self.instances.clear();
        self.unfinished.clear();
        self.by_fragment.clear();
        self.work.clear();
        self.current = None;
        let main = self.model.system.entry;
        let initial = self.model.system.initial()?;
        let goals = self.entry_goals(main, &mut Substitution::default())?;
        let Some(entry) = self.successor(main, self.model.entry_node(main), vec![initial], &goals)? else {
            return Ok(());
        };
        self.start(Fragment::Function(main), entry, None)?;
        while let Some((instance, node)) = self.work.pop() {
            self.current = Some((instance, node));
            self.process(instance, node)?;
        }
        self.current = None;
        Ok(())
    }

    /// An instance that covers this entry.
    fn start(
        &mut self,
        fragment: Fragment,
        entry: Bdd,
        parent: Option<(InstanceId, usize, usize)>,
    ) -> Result<InstanceId, Halt> {
        for &id in self.by_fragment.get(&fragment).map_or(&[][..], |list| list) {
            if self.predicates.implies(&entry, &self.instance(id).entry) {
                return Ok(id);
            }
        }
        let hole = self.applicable(fragment, &entry);
        let candidate = if hole.is_none() { self.candidate(fragment, &entry) } else { None };
        let entry = candidate.map_or(entry, |number| self.candidates[number].entry.clone());
        // Before there is an instance: who is interrupted here must not leave one that seems to be
        // complete.
        let root = match (hole, fragment) {
            (Some(_), _) => None,
            (None, Fragment::Function(f)) => self.root(f, &entry)?,
            (None, Fragment::Loop(f, l)) => {
                let header =
                    self.model.system.loops[f.0 as usize].as_ref().map(|forest| forest.get(l).header);
                Some((header.unwrap_or(NodeId(0)), entry.clone()))
            }
        };
        let id = InstanceId(self.instances.len() as u32);
        self.by_fragment.entry(fragment).or_default().push(id);
        let mut instance = SummaryInstance {
            fragment,
            entry,
            parent,
            nodes: Vec::new(),
            exits: Vec::new(),
            hole,
            candidate,
            by_cut: FxHashMap::default(),
            waiters: Vec::new(),
        };
        if let Some(number) = hole {
            let inherited = &mut self.inherited[number];
            inherited.used = true;
            instance.entry = inherited.entry.clone();
            let exits = inherited.exits.iter();
            instance.exits = exits
                .map(|(cut, state)| Exit { state: state.clone(), cut: *cut, node: 0, step: 0 })
                .collect();
        }
        self.instances.push(instance);
        if let Some((cut, state)) = root {
            self.add(id, Node { cut, state, how: How::Root, leaves: None });
        }
        if let Some(number) = hole {
            self.assume(id, number)?;
        }
        Ok(id)
    }

    /// The same for a function that a summary calls.
    pub(crate) fn start_function(
        &mut self,
        callee: FuncId,
        entry: Bdd,
        by: InstanceId,
    ) -> Result<InstanceId, Halt> {
        self.start(Fragment::Function(callee), entry, Some((by, 0, 0)))
    }

    /// Where a function starts: everything is as it was at its entry. None if no state is like that.
    fn root(&mut self, f: FuncId, entry: &Bdd) -> Result<Option<(NodeId, Bdd)>, Halt> {
        let cut = self.model.entry_node(f);
        let same = Term::all(self.old_variables(f)?.into_iter().map(|(now, old)| old.equals(now)));
        let goals = self.goals_at(Fragment::Function(f), cut, &mut Substitution::default())?;
        let given = vec![self.predicates.formula(entry), same, self.model.ranges_at(f, cut)?];
        Ok(self.successor(f, cut, given, &goals)?.map(|state| (cut, state)))
    }

    /// An inherited summary that applies: computed with at least the predicates of now, from at least these
    /// states.
    fn applicable(&self, fragment: Fragment, entry: &Bdd) -> Option<usize> {
        self.inherited.iter().position(|s| {
            s.fragment == fragment
                && !s.expanded
                && self.predicates.implies(entry, &s.entry)
                && self.predicates_of(fragment).iter().all(|id| s.precision.contains(id))
        })
    }

    fn add(&mut self, id: InstanceId, node: Node) {
        let instance = &self.instances[id.0 as usize];
        let key = (node.cut, node.leaves);
        let others = instance.by_cut.get(&key).map_or(&[][..], |list| list);
        if others.iter().any(|&n| self.predicates.implies(&node.state, &instance.nodes[n].state)) {
            return;
        }
        let instance = &mut self.instances[id.0 as usize];
        let number = instance.nodes.len();
        instance.nodes.push(node);
        instance.by_cut.entry(key).or_default().push(number);
        self.work.push((id, number));
    }

    fn process(&mut self, id: InstanceId, node: usize) -> Result<(), Halt> {
        let fragment = self.instance(id).fragment;
        let f = fragment.function();
        let Node { cut, state, leaves, .. } = &self.instance(id).nodes[node];
        let (cut, state, leaves) = (*cut, state.clone(), *leaves);
        if leaves.is_none()
            && let Some(inner) = self.model.loop_towards(fragment, cut)
        {
            return self.enter_loop(id, node, inner, &state);
        }
        let steps = self.model.steps(f, cut)?;
        let before = [self.predicates.formula(&state), self.model.ranges_at(f, cut)?];
        for (number, step) in steps.iter().enumerate() {
            let stays = match &step.to {
                To::Cut(to) => leaves.is_none_or(|inner| !self.model.contains(inner, *to)),
                To::Return => true,
                To::Failure | To::Trap(_) => {
                    // What fails may lie behind the loop: whoever uses its summary has to look again.
                    if self.model.may_leave(fragment, cut) {
                        self.leave_loop(id, node, number, cut, &state)?;
                    }
                    leaves.is_none() || self.is_behind_hole(id, node)
                }
            };
            if !stays {
                continue;
            }
            let outside = match &step.to {
                To::Cut(to) => !self.model.contains(fragment, *to),
                To::Return => matches!(fragment, Fragment::Loop(..)),
                To::Failure | To::Trap(_) => false,
            };
            if outside {
                self.leave_loop(id, node, number, cut, &state)?;
                continue;
            }
            let mut given = before.to_vec();
            given.push(step.guard);
            match &step.to {
                To::Failure | To::Trap(_) => {
                    given.extend(self.background(f, cut, &given, &[])?);
                    if self.post.feasible(&self.predicates, &given)? {
                        return Err(Halt::Found(Found { instance: id, node, step: number }));
                    }
                }
                To::Return => self.returns(id, node, number, step, given)?,
                To::Cut(to) => match &step.call {
                    Some(_) => self.call(id, node, number, step, given)?,
                    None => {
                        let mut by = Substitution::new(step.changes.iter().copied());
                        let goals = self.goals_at(fragment, *to, &mut by)?;
                        if let Some(state) = self.successor(f, cut, given, &goals)? {
                            let how = How::Step { from: node, step: number };
                            self.add(id, Node { cut: *to, state, how, leaves: None });
                        }
                    }
                },
            }
        }
        Ok(())
    }
}

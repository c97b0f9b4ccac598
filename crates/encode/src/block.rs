//! Blocks: what happens between two cut points, as terms.
//!
//! From a cut point, the loop-free part of the automaton up to the next cut points is executed symbolically,
//! paths that meet again are merged, and the result is one [`Segment`] for each cut point that can be reached
//! next. A segment is a condition and a state, both over the variables of the state the block started in. All
//! endings (return, exit, trap, failed check) are one more place, [`Place::End`], where the kind of ending is
//! part of the state.
//!
//! Calls are treated as the [`Calls`] of the caller say: as an uninterpreted function, or as a [`Call`] whose
//! results are fresh variables, to be constrained by somebody else's summary. Paths that make different calls
//! of the second sort are not merged, so that a summary applies to a call that really happens.

use crate::expr::Encoder;
use crate::footprint::Footprint;
use crate::mode::Unsupported;
use crate::op::Step;
use crate::state::State;
use ir::graph::post_order_of;
use ir::{Callee, Cfa, EdgeId, FuncId, NodeId, Op};
use logic::{Sort, Term};
use std::collections::{BTreeMap, BTreeSet};

/// Where a segment leads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Place {
    Node(NodeId),
    End,
}

/// How executions end, as values of [`Ending::kind`].
pub mod kind {
    pub const RETURN: i32 = 0;
    /// `exit` and its relatives; the value is the code.
    pub const EXIT: i32 = 1;
    pub const ABORT: i32 = 2;
    /// Division by zero and the like.
    pub const TRAP: i32 = 3;
    pub const CHECK: i32 = 4;
}

#[derive(Clone, PartialEq, Debug)]
pub struct Ending {
    /// Sort Int, one of [`kind`].
    pub kind: Term,
    /// What is returned; zero for other endings, if there are any that return.
    pub value: Option<Term>,
    /// The exit code, if there is one; zero for other endings.
    pub code: Option<Term>,
}

/// A call that is left to a summary.
#[derive(Clone, PartialEq, Debug)]
pub struct Call {
    pub site: EdgeId,
    pub callee: FuncId,
    pub args: Vec<Term>,
    /// The states before and after; what the callee can change is fresh in the second.
    pub before: State,
    pub after: State,
    pub result: Option<Term>,
    /// How the callee ended (a fresh variable), if it may end the program.
    pub kind: Option<Term>,
    pub code: Option<Term>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Segment {
    pub place: Place,
    /// When this segment is taken.
    pub guard: Term,
    pub state: State,
    /// Only at [`Place::End`].
    pub ending: Option<Ending>,
    pub calls: Vec<Call>,
    /// The source edges that lead to this place by calls only; for messages.
    pub sites: Vec<EdgeId>,
}

/// All that can happen from one cut point.
#[derive(Clone, PartialEq, Debug)]
pub struct Block {
    pub segments: Vec<Segment>,
    /// What holds of the variables and applications that occur.
    pub facts: Term,
}

/// What a call of a defined function is taken for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Treatment {
    /// A function of its arguments and of all it can read, with this name.
    Uninterpreted(String),
    /// A [`Call`].
    Summary,
    Refuse(String),
}

pub trait Calls {
    fn treat(&self, site: EdgeId, callee: FuncId) -> Treatment;
    fn footprint(&self, callee: FuncId) -> &Footprint;
}

/// A path so far: what it assumed, where it is.
#[derive(Clone)]
pub(crate) struct Path {
    pub guard: BTreeSet<Term>,
    pub state: State,
    pub calls: Vec<Call>,
}

/// The paths that arrive at one place, by the calls they made.
pub(crate) type Paths = BTreeMap<Vec<EdgeId>, Path>;
/// The same for those that ended.
pub(crate) type Ends = BTreeMap<Vec<EdgeId>, (Path, Ending)>;

/// Executes from `start` (in the state `state`) to the next nodes of `cuts`, which contain every loop head.
pub fn block(
    encoder: &mut Encoder,
    cfa: &Cfa,
    cuts: &BTreeSet<NodeId>,
    start: NodeId,
    state: &State,
    calls: &dyn Calls,
) -> Result<Block, Unsupported> {
    let order = topological(cfa, cuts, start)?;
    encoder.start(state);
    let first = Path { guard: BTreeSet::new(), state: state.clone(), calls: Vec::new() };
    let mut arrived: BTreeMap<NodeId, Paths> = BTreeMap::new();
    arrived.entry(start).or_default().insert(Vec::new(), first);
    let mut ends = Ends::new();
    let mut segments = Vec::new();
    for node in order {
        let Some(paths) = arrived.remove(&node) else { continue };
        for (sites, path) in paths {
            for id in cfa.out_ids(node) {
                let next = step(encoder, cfa, id, path.clone(), sites.clone(), calls, &mut ends)?;
                if let Some((sites, path)) = next {
                    arrive(arrived.entry(cfa.edge(id).to).or_default(), sites, path);
                }
            }
        }
    }
    for (node, paths) in arrived {
        for (sites, path) in paths {
            let guard = Term::all(path.guard);
            if !guard.is_false() {
                let place = Place::Node(node);
                segments.push(Segment {
                    place,
                    guard,
                    state: path.state,
                    ending: None,
                    calls: path.calls,
                    sites,
                });
            }
        }
    }
    segments.extend(ended(ends));
    encoder.enter(&BTreeSet::new());
    let facts = Term::all(encoder.facts.drain(..));
    Ok(Block { segments, facts })
}

/// The segments of paths that ended.
pub(crate) fn ended(ends: Ends) -> impl Iterator<Item = Segment> {
    ends.into_iter().filter_map(|(sites, (path, ending))| {
        let guard = Term::all(path.guard);
        let segment = Segment {
            place: Place::End,
            guard,
            state: path.state,
            ending: Some(ending),
            calls: path.calls,
            sites,
        };
        (!guard.is_false()).then_some(segment)
    })
}

/// Takes an edge: what goes on behind it, unless nothing does.
pub(crate) fn step(
    encoder: &mut Encoder,
    cfa: &Cfa,
    id: EdgeId,
    mut path: Path,
    mut sites: Vec<EdgeId>,
    calls: &dyn Calls,
    ends: &mut Ends,
) -> Result<Option<(Vec<EdgeId>, Path)>, Unsupported> {
    let edge = cfa.edge(id);
    encoder.traps.clear();
    encoder.edge = Some(id);
    encoder.enter(&path.guard);
    let (before, before_sites) = (path.clone(), sites.clone());
    let step = encoder.op(&edge.op, &mut path.state)?;
    path = trap(encoder, before.clone(), before_sites.clone(), path, ends);
    match step {
        Step::On(cond) => path = path.assume(cond),
        Step::Checked { fails } => {
            end(ends, sites.clone(), path.clone().assume(fails), plain(kind::CHECK, None, None));
            path = path.assume(fails.not());
        }
        Step::Return(value) => {
            end(ends, sites, path, plain(kind::RETURN, value, None));
            return Ok(None);
        }
        Step::Halt(code) => {
            let which = if code.is_some() { kind::EXIT } else { kind::ABORT };
            end(ends, sites, path, plain(which, None, code));
            return Ok(None);
        }
        Step::Call => {
            let Op::Call { dst, callee, args } = &edge.op else {
                return Err(Unsupported("a call that is none".to_owned()));
            };
            let Callee::Direct(callee) = callee else {
                return Err(Unsupported("a call through a pointer".to_owned()));
            };
            match calls.treat(id, *callee) {
                Treatment::Refuse(reason) => return Err(Unsupported(reason)),
                Treatment::Uninterpreted(name) => {
                    let ended = encoder.uninterpreted_call(
                        &name,
                        (*callee, calls.footprint(*callee)),
                        *dst,
                        args,
                        &mut path.state,
                    )?;
                    // What the arguments trap on ends the execution before the callee can.
                    path = trap(encoder, before, before_sites, path, ends);
                    if let Some((kind, code)) = ended {
                        let returns = kind.equals(Term::int(kind::RETURN));
                        let ending = Ending { kind, value: None, code };
                        end(ends, sites.clone(), path.clone().assume(returns.not()), ending);
                        path = path.assume(returns);
                    }
                }
                Treatment::Summary => {
                    sites.push(id);
                    let call = encoder.summarised_call(
                        id,
                        (*callee, calls.footprint(*callee)),
                        *dst,
                        args,
                        &mut path.state,
                    )?;
                    path = trap(encoder, before, before_sites, path, ends);
                    if let Some(kind) = call.kind {
                        let returns = kind.equals(Term::int(kind::RETURN));
                        let ending = Ending { kind, value: None, code: call.code };
                        path.calls.push(call);
                        end(ends, sites.clone(), path.clone().assume(returns.not()), ending);
                        path = path.assume(returns);
                    } else {
                        path.calls.push(call);
                    }
                }
            }
        }
    }
    Ok((!path.guard.iter().any(|t| t.is_false())).then_some((sites, path)))
}

/// Merges a path with those that are there already.
pub(crate) fn arrive(here: &mut Paths, sites: Vec<EdgeId>, path: Path) {
    let path = match here.remove(&sites) {
        Some(other) => merge(other, path).0,
        None => path,
    };
    here.insert(sites, path);
}

/// The executions that the last operation ended; the others go on.
fn trap(encoder: &mut Encoder, before: Path, sites: Vec<EdgeId>, path: Path, ends: &mut Ends) -> Path {
    let traps = Term::any(encoder.traps.drain(..));
    if traps.is_false() {
        return path;
    }
    end(ends, sites, before.assume(traps), plain(kind::TRAP, None, None));
    path.assume(traps.not())
}

fn plain(kind: i32, value: Option<Term>, code: Option<Term>) -> Ending {
    Ending { kind: Term::int(kind), value, code }
}

fn end(ends: &mut Ends, sites: Vec<EdgeId>, path: Path, ending: Ending) {
    if path.guard.iter().any(|t| t.is_false()) {
        return;
    }
    match ends.remove(&sites) {
        Some((other, previous)) => {
            let (merged, cond) = merge(other, path);
            // An ending that has no value must not keep the other one's: of an execution that takes another
            // path, or that the operation ended, it can be out of the range that everybody assumes of it.
            let pick = |a: Option<Term>, b: Option<Term>| match (a, b) {
                (Some(a), Some(b)) => Some(cond.ite(a, b)),
                (Some(a), None) => Some(cond.ite(a, nothing(a.sort()))),
                (None, Some(b)) => Some(cond.ite(nothing(b.sort()), b)),
                (None, None) => None,
            };
            let ending = Ending {
                kind: cond.ite(previous.kind, ending.kind),
                value: pick(previous.value, ending.value),
                code: pick(previous.code, ending.code),
            };
            ends.insert(sites, (merged, ending));
        }
        None => {
            ends.insert(sites, (path, ending));
        }
    }
}

/// Stands for a value that an ending does not have: one that every type has.
fn nothing(sort: Sort) -> Term {
    match sort {
        Sort::Bool => Term::bool(false),
        Sort::Float(..) => Term::float(0, sort),
        sort => Term::number(sort, 0),
    }
}

impl Path {
    fn assume(mut self, cond: Term) -> Path {
        for c in cond.conjuncts() {
            if self.guard.contains(&c.not()) {
                self.guard.insert(Term::bool(false));
            }
            self.guard.insert(c);
        }
        self
    }
}

/// Two ways to one place (they exclude each other), and the condition that tells the first from the second.
fn merge(a: Path, b: Path) -> (Path, Term) {
    let common: BTreeSet<Term> = a.guard.intersection(&b.guard).copied().collect();
    let rest_a = Term::all(a.guard.difference(&common).copied());
    let rest_b = Term::all(b.guard.difference(&common).copied());
    let state = State::merge(rest_a, &a.state, &b.state);
    let calls = a.calls.iter().zip(&b.calls).map(|(x, y)| merge_call(rest_a, x, y)).collect();
    let mut guard = common;
    let either = if rest_a == rest_b.not() { Term::bool(true) } else { rest_a.or(rest_b) };
    guard.extend(either.conjuncts());
    (Path { guard, state, calls }, rest_a)
}

/// The same call made on two ways: after different arguments its results are different variables.
fn merge_call(cond: Term, a: &Call, b: &Call) -> Call {
    let pick = |x: Option<Term>, y: Option<Term>| match (x, y) {
        (Some(x), Some(y)) => Some(cond.ite(x, y)),
        (x, y) => x.or(y),
    };
    Call {
        site: a.site,
        callee: a.callee,
        args: a.args.iter().zip(&b.args).map(|(x, y)| cond.ite(*x, *y)).collect(),
        before: State::merge(cond, &a.before, &b.before),
        after: State::merge(cond, &a.after, &b.after),
        result: pick(a.result, b.result),
        kind: pick(a.kind, b.kind),
        code: pick(a.code, b.code),
    }
}

/// The nodes from `start` to before the next cuts, each after all its predecessors among them.
fn topological(cfa: &Cfa, cuts: &BTreeSet<NodeId>, start: NodeId) -> Result<Vec<NodeId>, Unsupported> {
    let inner = |to: &NodeId| !cuts.contains(to) && *to != cfa.exit;
    let successors = |node| cfa.out(node).iter().map(|edge| edge.to).filter(inner);
    let mut seen = BTreeSet::new();
    let mut order = post_order_of([start], successors, |node| seen.insert(node));
    order.reverse();
    let position: BTreeMap<NodeId, usize> = order.iter().copied().zip(0..).collect();
    match order.iter().any(|node| successors(*node).any(|to| position[&to] <= position[node])) {
        true => Err(Unsupported("a loop that is entered in several places".to_owned())),
        false => Ok(order),
    }
}

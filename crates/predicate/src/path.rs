//! Abstract counterexamples: from the error back to the start, calls and loops included.
//!
//! A path is a list of frames, one for each function that has not returned when the error happens; a call
//! that returned has the path through its callee, or is a hole. Loops are no frames: their steps are those of
//! the function.

use crate::model::{Fragment, Model, Step};
use crate::reachability::{Found, Halt, How, InstanceId, ReachabilityGraph};
use biodivine_lib_bdd::Bdd;
use ir::{FuncId, NodeId};
use std::rc::Rc;

pub struct Path {
    pub frames: Vec<Frame>,
}

pub struct Frame {
    pub function: FuncId,
    pub items: Vec<Item>,
}

/// A step of the program: which of those from its cut point.
#[derive(Clone)]
pub struct Taken {
    pub steps: Rc<Vec<Step>>,
    pub number: usize,
}

impl Taken {
    pub fn step(&self) -> &Step {
        &self.steps[self.number]
    }
}

pub enum Item {
    Step(Taken),
    /// A call that came back.
    Call(Taken, Body),
    /// A call that did not: the next frame.
    Enter(Taken),
    /// An inherited summary of a loop: from its head to this cut point, in this state.
    Skip {
        fragment: Fragment,
        hole: usize,
        cut: NodeId,
        state: Bdd,
    },
}

pub enum Body {
    Frame(Frame),
    /// An inherited summary, the callee's entry and the exit that was taken.
    Hole {
        hole: usize,
        state: Bdd,
    },
}

impl Path {
    pub fn to(reach: &ReachabilityGraph, found: &Found) -> Result<Path, Halt> {
        let mut frames = Vec::new();
        let (mut id, mut node) = (found.instance, found.node);
        let mut rest = vec![Item::Step(taken(reach, id, node, found.step)?)];
        loop {
            let mut items = items_to(reach, id, node)?;
            items.append(&mut rest);
            let instance = reach.instance(id);
            match (instance.fragment, instance.parent) {
                (Fragment::Function(function), parent) => {
                    frames.push(Frame { function, items });
                    let Some((caller, at, step)) = parent else { break };
                    rest = vec![Item::Enter(taken(reach, caller, at, step)?)];
                    (id, node) = (caller, at);
                }
                (Fragment::Loop(..), Some((outer, at, _))) => {
                    rest = items;
                    (id, node) = (outer, at);
                }
                (Fragment::Loop(..), None) => break,
            }
        }
        frames.reverse();
        Ok(Path { frames })
    }

    /// The inherited summaries on the path.
    pub fn holes(&self) -> Vec<usize> {
        let mut list = Vec::new();
        for frame in &self.frames {
            frame.holes(&mut list);
        }
        list
    }

    /// The same steps in another model of the program; None if it has others, or if there are holes.
    pub fn within(&self, model: &Model) -> Option<Path> {
        let frames = self.frames.iter().map(|frame| frame.within(model)).collect::<Option<_>>()?;
        Some(Path { frames })
    }

    /// How many steps there are, in all frames.
    pub fn len(&self) -> usize {
        self.frames.iter().map(Frame::len).sum()
    }
}

impl Frame {
    fn within(&self, model: &Model) -> Option<Frame> {
        let same = |taken: &Taken| {
            let steps = model.steps(self.function, taken.step().from).ok()?;
            let ends = |steps: &[Step]| steps.iter().map(|step| step.to.clone()).collect::<Vec<_>>();
            (ends(&steps) == ends(&taken.steps)).then_some(Taken { steps, number: taken.number })
        };
        let item = |item: &Item| {
            Some(match item {
                Item::Step(taken) => Item::Step(same(taken)?),
                Item::Enter(taken) => Item::Enter(same(taken)?),
                Item::Call(taken, Body::Frame(frame)) => {
                    Item::Call(same(taken)?, Body::Frame(frame.within(model)?))
                }
                Item::Call(_, Body::Hole { .. }) | Item::Skip { .. } => return None,
            })
        };
        let items = self.items.iter().map(item).collect::<Option<_>>()?;
        Some(Frame { function: self.function, items })
    }

    fn holes(&self, list: &mut Vec<usize>) {
        for item in &self.items {
            match item {
                Item::Skip { hole, .. } | Item::Call(_, Body::Hole { hole, .. }) => list.push(*hole),
                Item::Call(_, Body::Frame(frame)) => frame.holes(list),
                Item::Step(_) | Item::Enter(_) => {}
            }
        }
    }

    fn len(&self) -> usize {
        let inner = |item: &Item| match item {
            Item::Call(_, Body::Frame(frame)) => frame.len(),
            _ => 0,
        };
        self.items.iter().map(|item| 1 + inner(item)).sum()
    }
}

fn taken(reach: &ReachabilityGraph, id: InstanceId, node: usize, number: usize) -> Result<Taken, Halt> {
    let instance = reach.instance(id);
    let steps = reach.model.steps(instance.fragment.function(), instance.nodes[node].cut)?;
    Ok(Taken { steps, number })
}

/// From an instance's root to one of its nodes.
fn items_to(reach: &ReachabilityGraph, id: InstanceId, node: usize) -> Result<Vec<Item>, Halt> {
    // Backwards, in pieces that are each in order.
    let mut pieces: Vec<Vec<Item>> = Vec::new();
    let mut at = node;
    loop {
        match reach.instance(id).nodes[at].how {
            How::Root => break,
            How::Step { from, step } => {
                pieces.push(vec![Item::Step(taken(reach, id, from, step)?)]);
                at = from;
            }
            How::Return { from, step, callee, exit } => {
                let inner = reach.instance(callee);
                let leaving = &inner.exits[exit];
                let body = match inner.hole {
                    Some(hole) => Body::Hole { hole, state: leaving.state.clone() },
                    None => {
                        let mut items = items_to(reach, callee, leaving.node)?;
                        items.push(Item::Step(taken(reach, callee, leaving.node, leaving.step)?));
                        Body::Frame(Frame { function: inner.fragment.function(), items })
                    }
                };
                pieces.push(vec![Item::Call(taken(reach, id, from, step)?, body)]);
                at = from;
            }
            How::Left { from, inner, exit } => {
                let instance = reach.instance(inner);
                let leaving = &instance.exits[exit];
                pieces.push(match instance.hole {
                    Some(hole) => vec![Item::Skip {
                        fragment: instance.fragment,
                        hole,
                        cut: leaving.cut,
                        state: leaving.state.clone(),
                    }],
                    None => items_to(reach, inner, leaving.node)?,
                });
                at = from;
            }
        }
    }
    pieces.reverse();
    Ok(pieces.into_iter().flatten().collect())
}

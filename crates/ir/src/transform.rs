//! The same function in another shape: loops unrolled, peeled and split, calls replaced by bodies.
//!
//! Two versions of a program often do the same at different speeds or phases, or with the work cut into
//! functions in different ways. Here one side is brought into the shape of the other. Every transformation
//! keeps the meaning exactly (an execution of the result is one of the input, with the same values from
//! outside in the same order, and the other way round), and says where each node and edge comes from, so that
//! what is found out about the result can be told in terms of the input. Where the meaning would change,
//! there is a [`TransformError`] and nothing else.
//!
//! All functions here expect a function of a verified program (see [`crate::verify`]); what they return
//! verifies in its place. Ids of locals stay; new locals come after them. Nodes are in reverse post order,
//! and those that nothing reaches are gone.

mod escape;
mod graph;
mod inline;
mod loops;
mod rename;
mod unset;
mod written;

pub use graph::reverse_post_order;
pub use inline::{Again, inline, inline_with};
pub use loops::{normalize, peel, split, unroll};
pub use unset::unset_locals;

use crate::cfa::{EdgeId, NodeId};
use crate::program::{FuncId, Function, LocalId};
use std::fmt;
use std::sync::Arc;

/// How many nodes a result may have.
pub const MAX_NODES: u32 = 1_000_000;

/// Where a node, edge or local of the result comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Origin<Id> {
    /// It is (a copy of) this one of the input. An edge that passes an argument of an inlined call is one of
    /// the call.
    Own(Id),
    /// It is (a copy of) this one of a function that was inlined.
    Callee(FuncId, Id),
    /// Nothing in the source corresponds to it.
    Made,
}

impl<Id: Copy> Origin<Id> {
    /// The one of the input that this is a copy of.
    pub fn own(self) -> Option<Id> {
        match self {
            Origin::Own(id) => Some(id),
            _ => None,
        }
    }
}

/// A function in its new shape.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transformed {
    pub function: Function,
    /// By node. A node is reached in the result with the values that the input has at the node's origin.
    pub nodes: Vec<Origin<NodeId>>,
    /// By edge.
    pub edges: Vec<Origin<EdgeId>>,
    /// By local; those of the input have their old ids.
    pub locals: Vec<Origin<LocalId>>,
    /// The heads, in the result, of the loop that was transformed: two if it was split, none after inlining.
    pub heads: Vec<NodeId>,
}

impl Transformed {
    /// The function as it is, to begin with; none if it has no body.
    pub fn unchanged(function: &Function) -> Option<Transformed> {
        let cfa = function.cfa()?;
        Some(Transformed {
            function: function.clone(),
            nodes: cfa.nodes().map(Origin::Own).collect(),
            edges: (0..cfa.edges().len() as u32).map(|i| Origin::Own(EdgeId(i))).collect(),
            locals: (0..function.locals.len() as u32).map(|i| Origin::Own(LocalId(i))).collect(),
            heads: Vec::new(),
        })
    }

    /// The nodes that are copies of `node`, in the order in which executions first come to them.
    pub fn copies_of(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        (0..).map(NodeId).zip(&self.nodes).filter(move |(_, o)| **o == Origin::Own(node)).map(|(id, _)| id)
    }

    /// The edges that are copies of `edge`, by number.
    pub fn edges_of(&self, edge: EdgeId) -> impl Iterator<Item = EdgeId> + '_ {
        (0..).map(EdgeId).zip(&self.edges).filter(move |(_, o)| **o == Origin::Own(edge)).map(|(id, _)| id)
    }

    /// Both steps as one: `next` was made from this one's function.
    pub fn then(&self, next: Transformed) -> Transformed {
        Transformed {
            nodes: next.nodes.iter().map(|&o| through(o, |NodeId(i)| self.nodes.get(i as usize))).collect(),
            edges: next.edges.iter().map(|&o| through(o, |EdgeId(i)| self.edges.get(i as usize))).collect(),
            locals: next
                .locals
                .iter()
                .map(|&o| through(o, |LocalId(i)| self.locals.get(i as usize)))
                .collect(),
            ..next
        }
    }
}

fn through<'a, Id: Copy + 'a>(
    origin: Origin<Id>,
    before: impl Fn(Id) -> Option<&'a Origin<Id>>,
) -> Origin<Id> {
    match origin {
        Origin::Own(id) => before(id).copied().unwrap_or(Origin::Made),
        other => other,
    }
}

/// Why a function was not transformed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TransformError {
    /// The function has no body here.
    Undefined(Arc<str>),
    /// There is no such node, or no loop has it as its head.
    NoLoop(NodeId),
    /// The loop can be entered past its head.
    Irreducible(NodeId),
    /// A loop cannot be unrolled zero times.
    NoCopies,
    /// The result would have more than [`MAX_NODES`] nodes.
    TooLarge,
    /// The condition of a split is not Bool.
    NotACondition,
    /// The condition of a split may end the execution, or looks at more than registers.
    NotPure,
    /// The condition of a split mentions a local that does not exist here, or is something else.
    NotHere(LocalId),
    /// The condition of a split reads a register that may have no value yet at the loop's head.
    Unset(Arc<str>),
    /// There is no such edge, or it is not a direct call.
    NotACall(EdgeId),
    /// The callee reads, or is given, more arguments than it has parameters.
    Variadic(Arc<str>),
    /// Arguments or result do not have the types that the callee declares.
    Signature(Arc<str>),
    /// A memory object of the callee may be reached after the callee has returned.
    Escapes(Arc<str>),
    /// The callee may read memory objects of its own before it writes them, and the call may be made more
    /// than once.
    Repeated(Arc<str>),
}

impl fmt::Display for TransformError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            TransformError::Undefined(name) => write!(f, "{name} has no definition"),
            TransformError::NoLoop(node) => write!(f, "node {} is not the head of a loop", node.0),
            TransformError::Irreducible(node) => {
                write!(f, "the loop at node {} can be entered past its head", node.0)
            }
            TransformError::NoCopies => f.write_str("a loop cannot be unrolled zero times"),
            TransformError::TooLarge => write!(f, "the result would have more than {MAX_NODES} nodes"),
            TransformError::NotACondition => f.write_str("the value to split a loop by is not a condition"),
            TransformError::NotPure => {
                f.write_str("the condition to split a loop by looks at more than registers")
            }
            TransformError::NotHere(id) => write!(f, "local {} does not exist or is something else", id.0),
            TransformError::Unset(name) => write!(f, "{name} may have no value at the loop's head"),
            TransformError::NotACall(edge) => write!(f, "edge {} is not a direct call", edge.0),
            TransformError::Variadic(name) => write!(f, "{name} takes extra arguments"),
            TransformError::Signature(name) => write!(f, "the call does not fit the declaration of {name}"),
            TransformError::Escapes(name) => {
                write!(f, "{name} may leave a pointer to one of its own objects behind")
            }
            TransformError::Repeated(name) => {
                write!(f, "{name} needs new memory objects in each call, and is called in a loop")
            }
        }
    }
}

impl std::error::Error for TransformError {}

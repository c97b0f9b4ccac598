//! Which part of a proof fails, in words.

use super::Refused;
use crate::Flaw;
use encode::TransitionSystem;
use ir::{FuncId, NodeId, Pos, Program};
use std::fmt;

/// A part of a proof, and what was to be shown of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clause {
    pub function: String,
    /// The cut point, and where it is in the source, if that is known.
    pub node: Option<NodeId>,
    pub pos: Option<Pos>,
    pub what: What,
    /// The part of the formula that does not follow.
    pub formula: Option<String>,
}

/// What was to be shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum What {
    /// What the entry requires holds when the program starts.
    Initially,
    /// The invariant of a function's entry follows from what the function requires.
    Entry,
    /// The invariant of another cut point holds behind a transition; its line, if there is one.
    Preserved { to: NodeId, line: u32 },
    /// What a callee requires holds where it is called.
    Call(String),
    /// The invariant behind a call follows from what the callee ensures.
    Behind { callee: String, to: NodeId, line: u32 },
    /// What the function ensures holds where it returns.
    Returns,
    /// No check fails.
    Check,
    /// Nothing without meaning is done.
    Meaning(String),
    /// Loops and calls go no further than claimed.
    Bound(u32),
}

impl Clause {
    pub(super) fn at(system: &TransitionSystem, function: FuncId, node: NodeId, what: What) -> Clause {
        let pos = place(&system.program, function, node);
        Clause { function: name(system, function), node: Some(node), pos, what, formula: None }
    }

    pub(super) fn of(system: &TransitionSystem, function: FuncId, what: What) -> Clause {
        Clause { function: name(system, function), node: None, pos: None, what, formula: None }
    }

    pub(super) fn wrong(self) -> Refused {
        Refused { flaw: Flaw::Wrong(self.to_string()), clause: Some(Box::new(self)) }
    }

    pub(super) fn open(self, why: &str) -> Refused {
        Refused { flaw: Flaw::Open(format!("{self}: {why}")), clause: Some(Box::new(self)) }
    }
}

pub(super) fn name(system: &TransitionSystem, function: FuncId) -> String {
    system.program.function(function).name.to_string()
}

/// Where the operation behind a node is in the source.
pub(super) fn place(program: &Program, function: FuncId, node: NodeId) -> Option<Pos> {
    let cfa = program.function(function).cfa()?;
    (node.0 < cfa.node_count()).then(|| cfa.out(node))?.iter().map(|e| e.pos).find(|pos| pos.line > 0)
}

pub(super) fn line(system: &TransitionSystem, function: FuncId, node: NodeId) -> u32 {
    place(&system.program, function, node).map_or(0, |pos| pos.line)
}

impl fmt::Display for Clause {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "in {}", self.function)?;
        match (self.pos, self.node) {
            (Some(pos), _) => write!(f, ", line {}", pos.line)?,
            (None, Some(node)) => write!(f, ", node {}", node.0)?,
            (None, None) => {}
        }
        let point = |line: u32, node: NodeId| match line {
            0 => format!("node {}", node.0),
            line => format!("line {line}"),
        };
        match &self.what {
            What::Initially => write!(f, ": what it requires need not hold when the program starts"),
            What::Entry => write!(f, ": the invariant of its entry does not follow from what it requires"),
            What::Preserved { to, line } => {
                write!(f, ": the invariant of {} need not hold on the path there", point(*line, *to))
            }
            What::Call(callee) => write!(f, ": what {callee} requires need not hold where it is called"),
            What::Behind { callee, to, line } => {
                let point = point(*line, *to);
                write!(f, ": the invariant of {point} does not follow from what {callee} ensures")
            }
            What::Returns => write!(f, ": what it ensures need not hold when it returns"),
            What::Check => write!(f, ": a check behind it may fail"),
            What::Meaning(what) => write!(f, ": {what} is not excluded"),
            What::Bound(bound) => write!(f, ": more than {bound} rounds, or deeper calls, are possible"),
        }?;
        match &self.formula {
            Some(formula) => write!(f, ": {formula}"),
            None => Ok(()),
        }
    }
}

//! Why nobody knows, as data, and in words that say what to do about it.

use crate::versions::Undecided;
use base::Stopped;
use ir::{FuncId, LoopForest, Pos, Program};
use serde::Serialize;
use std::fmt;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UnknownReason {
    /// No check fails where loops run at most so often and recursion goes at most so deep.
    SafeUpTo(u32),
    /// The same, and what is known of executions that go further.
    Beyond(Beyond),
    Stopped(Stopped),
    /// More memory than allowed.
    Memory,
    /// Something that the engine cannot express; where, if it is one place.
    Unsupported {
        what: String,
        pos: Option<Pos>,
    },
    /// An execution does something that has no meaning, so that the program is not safe, and no check fails
    /// as far as is known.
    Undefined {
        what: String,
        pos: Option<Pos>,
    },
    /// A violation was claimed, and running it did not show it.
    NotConfirmed(String),
    /// A proof was claimed, and checking it did not succeed.
    NotCertified(String),
    /// This part of the tool panicked.
    Internal(String),
    /// Only comparisons of two versions have these.
    Undecided(Undecided),
}

/// There are executions beyond the bound.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Beyond {
    pub bound: u32,
    /// A bound that goes further.
    pub next: u32,
    /// What one of them goes through more often.
    pub repeated: Repeated,
    /// It never comes to an end: what it was given from outside, a name and a value each.
    pub endless: Option<Vec<(String, String)>>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Repeated {
    pub function: FuncId,
    pub pos: Pos,
    /// As `show fragments` numbers loops in their function, from 1; None: the function calls itself.
    pub number: Option<u32>,
}

impl Repeated {
    /// A loop by its number in its function, or the function if there is no such loop.
    pub fn new(program: &Program, function: FuncId, number: Option<u32>) -> Repeated {
        let body = program.function(function);
        let pos = number.zip(body.cfa()).and_then(|(number, cfa)| {
            let forest = LoopForest::of(cfa);
            let id = forest.ids().find(|id| id.0 + 1 == number)?;
            let edges = forest.body(id).iter().flat_map(|node| cfa.out(*node));
            edges.map(|edge| edge.pos).find(|pos| pos.line > 0)
        });
        Repeated { function, pos: pos.unwrap_or(body.pos), number }
    }
}

/// A reason for programs.
#[derive(Serialize, Debug)]
pub struct ReasonData<'a> {
    /// One word for the kind of reason.
    pub kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bound: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_bound: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub function: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loop_number: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<InputData<'a>>,
}

#[derive(Serialize, Debug)]
pub struct InputData<'a> {
    pub name: &'a str,
    pub value: &'a str,
}

/// More inputs than this help nobody on one line.
const MOST_INPUTS: usize = 8;

impl UnknownReason {
    /// Something that cannot be expressed, in no one place.
    pub fn unsupported(what: impl ToString) -> UnknownReason {
        UnknownReason::Unsupported { what: what.to_string(), pos: None }
    }

    /// Up to which bound no check fails, if that is what is known.
    pub fn safe_up_to(&self) -> Option<u32> {
        match self {
            UnknownReason::SafeUpTo(bound) | UnknownReason::Beyond(Beyond { bound, .. }) => Some(*bound),
            _ => None,
        }
    }

    /// How much it helps, to compare with others: what is known of the program first, then what would have
    /// helped.
    pub fn weight(&self) -> (u8, u32) {
        match self {
            UnknownReason::Undefined { .. } => (8, 0),
            UnknownReason::NotCertified(_) => (7, 0),
            UnknownReason::Beyond(Beyond { endless: Some(_), bound, .. }) => (6, *bound),
            UnknownReason::SafeUpTo(bound) if *bound > 0 => (5, *bound),
            UnknownReason::Beyond(Beyond { bound, .. }) => (5, *bound),
            UnknownReason::NotConfirmed(_) => (4, 0),
            UnknownReason::Memory => (3, 0),
            UnknownReason::Stopped(_) | UnknownReason::SafeUpTo(_) => (2, 0),
            UnknownReason::Unsupported { .. } | UnknownReason::Internal(_) | UnknownReason::Undecided(_) => {
                (1, 0)
            }
        }
    }

    /// No check fails up to here.
    pub fn bound(&self) -> Option<u32> {
        match self {
            UnknownReason::SafeUpTo(bound) | UnknownReason::Beyond(Beyond { bound, .. }) => Some(*bound),
            _ => None,
        }
    }

    /// Of a program of whose parts nobody knows, for these reasons, if there are any. A bound is one of the
    /// program only if all of them have one, and then it is the least.
    pub fn of_parts(reasons: Vec<Option<UnknownReason>>) -> Option<UnknownReason> {
        let bounded = reasons.iter().all(|reason| reason.as_ref().is_some_and(|r| r.bound().is_some()));
        let reasons = reasons.into_iter().flatten();
        match bounded {
            true => reasons.min_by_key(UnknownReason::bound),
            false => reasons.filter(|r| r.bound().is_none()).max_by_key(UnknownReason::weight),
        }
    }

    pub fn pos(&self) -> Option<Pos> {
        match self {
            UnknownReason::Unsupported { pos, .. } | UnknownReason::Undefined { pos, .. } => *pos,
            UnknownReason::Beyond(beyond) => Some(beyond.repeated.pos),
            _ => None,
        }
    }

    /// In words, on one line, with places in the sources of `program`.
    pub fn text(&self, program: &Program) -> String {
        let text = match self {
            UnknownReason::Beyond(beyond) => beyond.text(program),
            other => {
                let pos = other.pos().unwrap_or_default();
                let place = place(program, pos);
                let place = place.map(|(file, line)| format!(" at {file}:{line}:{}", pos.column));
                format!("{other}{}", place.unwrap_or_default())
            }
        };
        let text: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
        text.replace(char::is_control, "\u{fffd}")
    }

    /// One word for the kind of reason.
    pub fn kind(&self) -> &'static str {
        match self {
            UnknownReason::Beyond(Beyond { endless: Some(_), .. }) => "endless",
            UnknownReason::SafeUpTo(_) | UnknownReason::Beyond(_) => "bound",
            UnknownReason::Stopped(Stopped::Time) => "time",
            UnknownReason::Stopped(Stopped::Steps) => "steps",
            UnknownReason::Stopped(Stopped::Cancelled) => "interrupted",
            UnknownReason::Memory => "memory",
            UnknownReason::Unsupported { .. } => "unsupported",
            UnknownReason::Undefined { .. } => "undefined",
            UnknownReason::NotConfirmed(_) => "not confirmed",
            UnknownReason::NotCertified(_) => "not certified",
            UnknownReason::Internal(_) => "internal error",
            UnknownReason::Undecided(why) => why.kind(),
        }
    }

    pub fn data<'a>(&'a self, program: &'a Program) -> ReasonData<'a> {
        let place = self.pos().and_then(|pos| place(program, pos));
        let beyond = match self {
            UnknownReason::Beyond(beyond) => Some(beyond),
            _ => None,
        };
        let function = beyond.and_then(|beyond| program.functions.get(beyond.repeated.function.0 as usize));
        let inputs = match self {
            UnknownReason::Undecided(Undecided::MayNotEnd { arguments, .. }) => Some(arguments),
            _ => beyond.and_then(|beyond| beyond.endless.as_ref()),
        };
        ReasonData {
            kind: self.kind(),
            bound: self.safe_up_to(),
            next_bound: beyond.filter(|beyond| beyond.endless.is_none()).map(|beyond| beyond.next),
            function: function.map(|function| &*function.name),
            loop_number: beyond.and_then(|beyond| beyond.repeated.number),
            file: place.map(|(file, _)| file),
            line: place.map(|(_, line)| line),
            inputs: inputs.into_iter().flatten().map(|(name, value)| InputData { name, value }).collect(),
        }
    }
}

impl Beyond {
    fn text(&self, program: &Program) -> String {
        let Beyond { bound, next, repeated, endless } = self;
        let place = place(program, repeated.pos).map(|(file, line)| format!(" at {file}:{line}"));
        let place = place.unwrap_or_default();
        let name = program.functions.get(repeated.function.0 as usize).map_or("", |f| &*f.name);
        let what = match repeated.number {
            Some(_) if place.is_empty() => format!("a loop of '{name}'"),
            Some(_) => format!("the loop{place}"),
            None => format!("the recursion of '{name}'{place}"),
        };
        match endless {
            None => {
                let unit = if repeated.number.is_some() { "needs more rounds" } else { "goes deeper" };
                format!("safe up to {bound}: {what} {unit}; --unwind {next} goes further")
            }
            Some(inputs) => {
                let shown = inputs.iter().take(MOST_INPUTS).map(|(name, value)| format!("{name} = {value}"));
                let mut shown = shown.collect::<Vec<_>>().join(", ");
                if inputs.len() > MOST_INPUTS {
                    shown += ", ...";
                }
                let given = if shown.is_empty() { String::new() } else { format!(" for input {shown}") };
                format!("safe up to {bound}: {what} never ends{given}")
            }
        }
    }
}

fn place(program: &Program, pos: Pos) -> Option<(&str, u32)> {
    let file = program.files.get(pos.file as usize).filter(|_| pos.line > 0)?;
    Some((file, pos.line))
}

/// Without places, which need a program.
impl fmt::Display for UnknownReason {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            UnknownReason::SafeUpTo(bound) => write!(f, "safe up to {bound}"),
            UnknownReason::Beyond(beyond) => write!(f, "safe up to {}", beyond.bound),
            UnknownReason::Stopped(why) => why.fmt(f),
            UnknownReason::Memory => f.write_str("memory limit reached"),
            UnknownReason::Unsupported { what, .. } => f.write_str(what),
            UnknownReason::Undefined { what, .. } => write!(f, "undefined behaviour: {what}"),
            UnknownReason::NotConfirmed(what) => write!(f, "not confirmed: {what}"),
            UnknownReason::NotCertified(what) => write!(f, "safe, but not certified: {what}"),
            UnknownReason::Internal(part) => write!(f, "internal error in {part}"),
            UnknownReason::Undecided(why) => why.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_those_of_all_parts() {
        let (seven, three) = (UnknownReason::SafeUpTo(7), UnknownReason::SafeUpTo(3));
        let stopped = UnknownReason::Stopped(Stopped::Time);
        let check = |reasons: &[Option<&UnknownReason>], expected: Option<&UnknownReason>| {
            let found = UnknownReason::of_parts(reasons.iter().map(|r| r.cloned()).collect());
            assert_eq!(found.as_ref(), expected, "{reasons:?}");
        };
        check(&[Some(&seven), Some(&three)], Some(&three));
        check(&[Some(&seven), Some(&stopped)], Some(&stopped));
        check(&[Some(&seven), None], None);
        check(&[None, Some(&UnknownReason::Memory), Some(&stopped)], Some(&UnknownReason::Memory));
    }
}

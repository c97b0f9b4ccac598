//! What a comparison says, as data. Sentences are made of it by `Display`, documents by serde.

use ir::loops::LoopId;
use ir::{FuncId, GlobalId, Pos, Program};
use serde::Serialize;
use std::fmt;

/// A place in the user's source.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
pub struct Place {
    pub file: String,
    pub line: u32,
    pub column: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Function,
    Loop,
    Global,
}

/// A fragment (or global) in one of the two versions.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(bound = "")]
pub struct Side<Id> {
    pub name: String,
    pub place: Option<Place>,
    #[serde(skip)]
    pub id: Id,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case", tag = "state")]
pub enum State {
    /// Neither it nor anything it reaches by calls or nesting changed: all that was proved of it still holds.
    Unchanged,
    /// As `Unchanged`, under another name.
    Renamed {
        from: String,
    },
    /// The same text, but something it depends on changed.
    Affected,
    /// Another text.
    Changed,
    Added,
    Removed,
}

/// What became of one function, loop or global.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(bound = "")]
pub struct Change<Id> {
    pub kind: Kind,
    /// In the new version if it is there.
    pub name: String,
    #[serde(flatten)]
    pub state: State,
    /// The reasons, the most direct one first; empty exactly if unchanged.
    pub why: Vec<Why>,
    pub old: Option<Side<Id>>,
    pub new: Option<Side<Id>>,
}

/// A loop of a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct LoopRef {
    pub function: FuncId,
    pub id: LoopId,
}

pub type FunctionChange = Change<FuncId>;
pub type LoopChange = Change<LoopRef>;
pub type GlobalChange = Change<GlobalId>;

/// Source text (as the IR sees it) at a place.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Quote {
    pub place: Option<Place>,
    pub text: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Edit {
    Replaced,
    Inserted,
    Deleted,
}

/// How a callee is reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Through {
    Name,
    Pointer,
}

/// The ways in which a global can differ.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case", tag = "what")]
pub enum GlobalDifference {
    Type {
        old: String,
        new: String,
    },
    /// It became constant, or ceased to be.
    Constant {
        now: bool,
    },
    InitialValue,
    /// Defined in one version, only declared in the other.
    Defined {
        now: bool,
    },
    /// It is constant and points to another global that differs.
    PointsTo {
        global: String,
    },
}

/// Why a fragment is not unchanged.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case", tag = "why")]
pub enum Why {
    /// The first operation that differs. For an insertion, `old` is what the new text stands before, and for
    /// a deletion `new` is what the old text stood before.
    Operation {
        edit: Edit,
        old: Quote,
        new: Quote,
    },
    /// The operations agree as far as they correspond, but lead to different places.
    ControlFlow {
        old: Option<Place>,
        new: Option<Place>,
    },
    Signature {
        old: String,
        new: String,
    },
    Local {
        name: String,
        old: String,
        new: String,
    },
    /// Whether there is a body, and whether it could be translated.
    Body {
        old: String,
        new: String,
    },
    /// Neither version could be translated, so nothing is known.
    Untranslated {
        reason: String,
    },
    Callee {
        name: String,
        changed: bool,
        through: Through,
    },
    /// A call through a pointer can reach a function that it could not reach before, or the other way round.
    Target {
        name: String,
        added: bool,
    },
    Global {
        name: String,
        difference: GlobalDifference,
    },
    /// The program starts in another state.
    InitialState {
        global: String,
    },
    /// Two equal string literals were one object in one version and are two in the other.
    Literal,
    Machine {
        old: String,
        new: String,
    },
    Renamed {
        from: String,
    },
    Added,
    Removed,
}

impl Place {
    /// None if the position is unknown.
    pub fn of(program: &Program, pos: Pos) -> Option<Place> {
        let file = program.files.get(pos.file as usize)?;
        (pos.line > 0).then(|| Place { file: file.to_string(), line: pos.line, column: pos.column })
    }
}

impl State {
    /// Do old proofs of this fragment still hold?
    pub fn is_same(&self) -> bool {
        matches!(self, State::Unchanged | State::Renamed { .. })
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Kind::Function => "function",
            Kind::Loop => "loop",
            Kind::Global => "global",
        })
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            State::Unchanged => "unchanged",
            State::Renamed { .. } => "renamed",
            State::Affected => "affected",
            State::Changed => "changed",
            State::Added => "added",
            State::Removed => "removed",
        })
    }
}

/// ` at foo.c:12`, or nothing if the place is unknown.
struct At<'a>(&'a Option<Place>);

impl fmt::Display for At<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.0.as_ref().map_or(Ok(()), |place| write!(f, " at {place}"))
    }
}

impl fmt::Display for GlobalDifference {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            GlobalDifference::Type { old, new } => write!(f, "changed its type from `{old}` to `{new}`"),
            GlobalDifference::Constant { now: true } => f.write_str("became constant"),
            GlobalDifference::Constant { now: false } => f.write_str("is no longer constant"),
            GlobalDifference::InitialValue => f.write_str("changed its initial value"),
            GlobalDifference::Defined { now: true } => f.write_str("is now defined"),
            GlobalDifference::Defined { now: false } => f.write_str("is no longer defined"),
            GlobalDifference::PointsTo { global } => write!(f, "points to `{global}`, which changed"),
        }
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Why::Operation { edit: Edit::Replaced, old, new } if old.place == new.place => {
                write!(f, "differs{}: `{}` became `{}`", At(&new.place), old.text, new.text)
            }
            Why::Operation { edit: Edit::Replaced, old, new } => {
                write!(f, "differs{}: `{}` became `{}`", At(&new.place), old.text, new.text)?;
                old.place.as_ref().map_or(Ok(()), |place| write!(f, " (was at {place})"))
            }
            Why::Operation { edit: Edit::Inserted, new, .. } => {
                write!(f, "`{}` was added{}", new.text, At(&new.place))
            }
            Why::Operation { edit: Edit::Deleted, old, .. } => {
                write!(f, "`{}`{} was removed", old.text, At(&old.place))
            }
            Why::ControlFlow { old, new } => {
                write!(f, "the control flow differs{}", At(new))?;
                old.as_ref().map_or(Ok(()), |place| write!(f, " (was at {place})"))
            }
            Why::Signature { old, new } => write!(f, "its type was `{old}` and is `{new}`"),
            Why::Local { name, old, new } => write!(f, "variable `{name}` was {old} and is {new}"),
            Why::Body { old, new } => write!(f, "it was {old} and is {new}"),
            Why::Untranslated { reason } => {
                write!(f, "it could not be translated ({reason}), so it may have changed")
            }
            Why::Callee { name, changed, through } => {
                let verb = if *through == Through::Name { "calls" } else { "may call through a pointer" };
                let what = if *changed { "changed" } else { "is affected" };
                write!(f, "{verb} `{name}`, which {what}")
            }
            Why::Target { name, added: true } => write!(f, "may now call `{name}` through a pointer"),
            Why::Target { name, added: false } => write!(f, "can no longer call `{name}` through a pointer"),
            Why::Global { name, difference } => write!(f, "global `{name}` {difference}"),
            Why::InitialState { global } => {
                write!(f, "starts with another initial value of global `{global}`")
            }
            Why::Literal => f.write_str("equal string literals are shared in a different way"),
            Why::Machine { old, new } => write!(f, "the target was {old} and is {new}"),
            Why::Renamed { from } => write!(f, "was `{from}`"),
            Why::Added => f.write_str("is new"),
            Why::Removed => f.write_str("is gone"),
        }
    }
}

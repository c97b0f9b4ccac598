//! What a run is asked to do, and what it gives back.

use crate::access::Access;
use crate::inputs::ConsumedInput;
use base::Stopped;
use ir::{CheckKind, EdgeId, FuncId, NodeId, Pos, Program};
use std::fmt;
use std::sync::Arc;

#[derive(Clone, Debug)]
pub struct Options {
    /// The function that `run` starts.
    pub entry: FuncId,
    /// A step is an edge taken; bulk memory operations count one more for every 64 bytes.
    pub max_steps: u64,
    /// Everything that grows with the run: memory objects, the stack, records.
    pub max_memory: u64,
    pub max_depth: u32,
    /// Record every edge taken.
    pub record_trace: bool,
    /// Record what expressions evaluate to ([`Run::values`]). Expressions are evaluated once more for this.
    pub record_values: bool,
    /// Record what was asked and answered.
    pub record_inputs: bool,
    /// Record calls of functions without a body, with their arguments.
    pub record_calls: bool,
    /// Bytes of standard output (and of standard error) to keep; the rest is counted and dropped.
    pub output_limit: usize,
    /// Compute what the C library's output functions write and return; otherwise they are functions without a
    /// body.
    pub model_output: bool,
    pub detect: Detect,
    /// Record the values of all register variables whenever one of these locations is reached.
    pub watch: Vec<(FuncId, NodeId)>,
    /// Instead, end the run when it reaches one of them in a state that it was in there before
    /// ([`Run::repeats`]).
    pub find_repetition: bool,
    /// Heap objects of these sizes exist before anything else, never written; their addresses depend on this
    /// list and on the target only.
    pub heap: Vec<u64>,
}

/// Undefined behaviour that does not end a run unless asked for: by default integers wrap, as the IR says,
/// and memory that was never written holds any value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Detect {
    /// On `Add`, `Sub`, `Mul` and `Neg` of signed types.
    pub signed_overflow: bool,
    /// Shift counts out of range; left shifts of negative values or out of a signed type's range.
    pub shift: bool,
    pub uninitialised_load: bool,
    /// Loads and stores of numbers and pointers at addresses that are no multiples of their sizes.
    pub misaligned_access: bool,
}

impl Options {
    pub fn new(entry: FuncId) -> Self {
        Options {
            entry,
            max_steps: u64::MAX,
            max_memory: 1 << 30,
            max_depth: 200_000,
            record_trace: false,
            record_values: false,
            record_inputs: true,
            record_calls: false,
            output_limit: 1 << 20,
            model_output: true,
            detect: Detect::default(),
            watch: Vec::new(),
            find_repetition: false,
            heap: Vec::new(),
        }
    }

    /// Options for the function `main`, if there is one.
    pub fn main(program: &Program) -> Option<Self> {
        program.find_function("main").map(Options::new)
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The entry function returned this value.
    Returned(Option<u128>),
    Exited(i32),
    Aborted,
    CheckFailed {
        kind: CheckKind,
        function: FuncId,
        edge: EdgeId,
        pos: Pos,
        message: Option<Arc<str>>,
        /// What was accessed, if the check is about memory.
        access: Option<Access>,
    },
    /// A lone assume failed: what ran is not an execution of the program.
    AssumeViolated {
        function: FuncId,
        edge: EdgeId,
        pos: Pos,
    },
    Undefined(UndefinedBehaviour),
    /// The program does something that has no meaning here, as calling a function the front end could not
    /// translate.
    Unsupported {
        reason: Arc<str>,
        pos: Pos,
    },
    InputsExhausted,
    Stopped(Stopped),
    StackOverflow,
    OutOfMemory,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UndefinedBehaviour {
    pub kind: UndefinedKind,
    pub function: FuncId,
    pub edge: Option<EdgeId>,
    pub pos: Pos,
    pub detail: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum UndefinedKind {
    NullDereference,
    OutOfBounds,
    UseAfterFree,
    /// An access to a local of a function that returned.
    UseAfterReturn,
    DoubleFree,
    InvalidFree,
    WriteToConstant,
    DivisionByZero,
    DivisionOverflow,
    /// A call through a pointer that is not a function of the expected type.
    BadCall,
    SignedOverflow,
    ShiftRange,
    UninitialisedLoad,
    MisalignedAccess,
}

impl fmt::Display for UndefinedKind {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            UndefinedKind::NullDereference => "null pointer dereference",
            UndefinedKind::OutOfBounds => "access out of bounds",
            UndefinedKind::UseAfterFree => "use after free",
            UndefinedKind::UseAfterReturn => "use of a local after its function returned",
            UndefinedKind::DoubleFree => "double free",
            UndefinedKind::InvalidFree => "invalid free",
            UndefinedKind::WriteToConstant => "write to constant memory",
            UndefinedKind::DivisionByZero => "division by zero",
            UndefinedKind::DivisionOverflow => "division overflow",
            UndefinedKind::BadCall => "call through a bad function pointer",
            UndefinedKind::SignedOverflow => "signed overflow",
            UndefinedKind::ShiftRange => "shift out of range",
            UndefinedKind::UninitialisedLoad => "read of uninitialised memory",
            UndefinedKind::MisalignedAccess => "misaligned access",
        })
    }
}

/// Everything a run leaves behind, besides the final memory (ask the interpreter for that).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    pub outcome: Outcome,
    /// Edges taken, the last one included, however far it came.
    pub steps: u64,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    /// All values from outside, in order, unless nobody wanted to know.
    pub inputs: Vec<ConsumedInput>,
    /// Only if asked for.
    pub trace: Vec<TraceStep>,
    /// Only if asked for. For each edge taken, in order: for each of its expressions ([`ir::Op::exprs`]) the
    /// addresses of all loads in it (as [`ir::Expr::walk`] visits them), then its value; then, when a havoc,
    /// an allocation or a call is over, the variable that it wrote. What a callee does comes before its
    /// caller's variable.
    pub values: Vec<u128>,
    /// Only if asked for.
    pub calls: Vec<ExternCall>,
    /// Only if asked for, in the order they were seen.
    pub snapshots: Vec<Snapshot>,
    /// Only if asked for: the watched location that it would reach again and again. The outcome is then that
    /// it was stopped.
    pub repeats: Option<(FuncId, NodeId)>,
    /// Functions without a body that were called and not modelled: their results, and that they have no
    /// other effect, are assumptions.
    pub assumed: Vec<FuncId>,
    /// The active functions when the run ended, innermost first, each with the edge it was at (at its
    /// entry: the first one). At most 100.
    pub backtrace: Vec<TraceStep>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TraceStep {
    pub function: FuncId,
    pub edge: EdgeId,
}

/// The register variables at a watched location. A local that has not been set yet on this path has any
/// value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Snapshot {
    pub function: FuncId,
    pub node: NodeId,
    /// How many callers are active.
    pub depth: u32,
    /// By [`ir::LocalId`]; None for memory variables.
    pub locals: Vec<Option<u128>>,
    /// By [`ir::GlobalId`]; None for memory variables.
    pub globals: Vec<Option<u128>>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExternCall {
    pub function: FuncId,
    pub edge: TraceStep,
    pub args: Vec<u128>,
    pub result: Option<u128>,
}

/// Why no interpreter could be made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SetupError {
    NoSuchFunction(FuncId),
    /// Globals and functions do not fit the address space or the memory limit.
    TooLarge,
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            SetupError::NoSuchFunction(id) => write!(f, "there is no function {}", id.0),
            SetupError::TooLarge => f.write_str("the program's globals do not fit into memory"),
        }
    }
}

impl std::error::Error for SetupError {}

//! What a verdict rests on besides the program, or besides both versions.
//!
//! All of it can be read off the programs ([`assumptions`]), so it does not depend on who decided, nor on what
//! a slice left of them.

mod scan;

pub use scan::{asks_for_memory, assumptions};

use crate::versions::Side;
use ir::CheckKind;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Assumption {
    /// Nothing of this kind happens before a check.
    Undefined(Undefined),
    /// Functions without a body that return any value and do nothing else.
    Pure(Vec<Arc<str>>),
    /// Functions without a body that may write what they can reach.
    Havoc(Vec<Arc<str>>),
    /// Pointers that come from outside lead to memory outside of the program.
    OutsideMemory,
    /// `main` gets at most so many arguments, of so many characters.
    Arguments { count: u64, length: u64 },
    /// Arrays that are defined elsewhere, and have so many bytes.
    Extent { bytes: u64, names: Vec<Arc<str>> },
    /// These volatile objects change only where the program changes them.
    Volatile(Vec<Arc<str>>),
    /// Addresses are used as numbers.
    Addresses,
    /// Pointers are compared for equality. What was freed may be given out again, and what lies behind the end of
    /// one object may be the beginning of another.
    Equality,
    /// `malloc` and its relatives always succeed.
    Allocation,
    /// Inline assembly changes its outputs only.
    Assembly,
    /// Functions in which an order of evaluation matters that C leaves open.
    Order(Vec<Arc<str>>),
    /// Functions of the library that give one of the answers that C allows.
    OneAnswer(Vec<Arc<str>>),
    /// Weak symbols are used, in these functions.
    Weak(Vec<Arc<str>>),

    // Comparisons of two versions rest on these.
    /// This function without a body does the same in both versions.
    SameOutside(Arc<str>),
    /// The user says so of these, of the old and the new version.
    SameFunctions([Arc<str>; 2]),
    /// Pointers that come from outside do not lead to these globals.
    NotPointedTo(Vec<Arc<str>>),
    /// Both versions end.
    BothEnd,
    /// It does not matter what is freed.
    Frees,
    /// It does not matter how a program that ends at once does that.
    EndsAtOnce,
    /// It does not matter when volatile objects are accessed.
    VolatileAccesses,
    /// Nobody needs these, which only one version has.
    OnlyIn(Side, Vec<Arc<str>>),
    /// Nobody calls these but functions of the same files that do.
    CalledInside(Vec<Arc<str>>),
    /// Integers are mathematical ones.
    UnboundedIntegers,
}

/// Undefined behaviour that is not a check of the program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Undefined {
    Memory,
    Division,
    Overflow,
    Shift,
    Unreachable,
    /// A call through a pointer to something else than a function that fits.
    Call,
    /// A floating number that is converted to an integer type that cannot hold it (C11 6.3.1.4).
    Conversion,
    /// Variable arguments that are read as another type than that of what was passed.
    Variadic,
    /// Pointers that leave their object, or are compared with or subtracted from those of another one.
    Pointer,
    /// Pointers that are not aligned as their types demand.
    Alignment,
}

impl Undefined {
    /// The check that looks for it.
    pub fn check(self) -> Option<CheckKind> {
        match self {
            Undefined::Memory => Some(CheckKind::Memory),
            Undefined::Division => Some(CheckKind::Div),
            Undefined::Overflow => Some(CheckKind::Overflow),
            Undefined::Shift => Some(CheckKind::Shift),
            Undefined::Unreachable => Some(CheckKind::Unreachable),
            Undefined::Call
            | Undefined::Conversion
            | Undefined::Variadic
            | Undefined::Pointer
            | Undefined::Alignment => None,
        }
    }
}

/// So many names are shown where not all are wanted.
const MOST_NAMES: usize = 8;
/// So many globals, which are only examples.
const MOST_GLOBALS: usize = 4;

impl Assumption {
    /// Does one of these checks look for it? A program that was compiled with them has none where lowering saw
    /// that none can fail.
    pub fn is_checked(&self, checks: impl Fn(CheckKind) -> bool) -> bool {
        matches!(self, Assumption::Undefined(what) if what.check().is_some_and(checks))
    }

    /// In words; with all names, or only the first of many.
    pub fn text(&self, all: bool) -> String {
        let some = |list: &[Arc<str>], most: usize, others: &str| {
            let most = if all { list.len() } else { most };
            let shown: Vec<&str> = list.iter().take(most).map(|name| &**name).collect();
            let more = list.len().saturating_sub(most);
            shown.join(", ") + &if more > 0 { format!(" and {more} {others}") } else { String::new() }
        };
        let names = |list: &[Arc<str>]| some(list, MOST_NAMES, "more");
        match self {
            Assumption::Undefined(what) => match what {
                Undefined::Memory => "memory is accessed only where that is valid (--check memory)".to_owned(),
                Undefined::Division => "no division by zero, and none that overflows (--check div)".to_owned(),
                Undefined::Overflow => "signed arithmetic that overflows wraps (--check overflow)".to_owned(),
                Undefined::Shift => {
                    "shift counts are smaller than the width, and signed values that are shifted left fit (--check shift)"
                        .to_owned()
                }
                Undefined::Unreachable => {
                    "__builtin_unreachable is not reached (--check unreachable)".to_owned()
                }
                Undefined::Call => "calls reach functions of the type with which they are called".to_owned(),
                Undefined::Conversion => {
                    "floating numbers that are converted to integers fit the integers' types".to_owned()
                }
                Undefined::Variadic => {
                    "variable arguments are read with the types with which they were passed".to_owned()
                }
                Undefined::Pointer => {
                    "pointers are computed, compared and subtracted only within one object".to_owned()
                }
                Undefined::Alignment => "pointers are aligned as their types demand".to_owned(),
            },
            Assumption::Pure(list) => {
                format!("no body, returns any value, changes nothing: {}", names(list))
            }
            Assumption::Havoc(list) => format!(
                "no body, may write what it can reach, frees nothing, calls nothing back: {}",
                names(list)
            ),
            Assumption::OutsideMemory => {
                "pointers from outside lead to no object of the program, and different ones to different memory"
                    .to_owned()
            }
            Assumption::Arguments { count, length } => {
                format!("main gets 1 to {count} arguments (its own name is the first) of at most {length} characters each")
            }
            Assumption::Extent { bytes, names: list } => {
                format!("defined elsewhere with a size that is not known, taken for {bytes} bytes: {}", names(list))
            }
            Assumption::Volatile(list) => {
                format!("volatile objects change only as the program changes them: {}", names(list))
            }
            Assumption::Addresses => {
                "addresses, where they are used as numbers, are those of one layout: aligned to 64 bytes, far apart".to_owned()
            }
            Assumption::Equality => {
                "pointers that are compared with == lead to objects that still exist, not behind their end".to_owned()
            }
            Assumption::Order(list) => format!(
                "operands and arguments are evaluated from left to right where C leaves that open and it matters: in {}",
                names(list)
            ),
            Assumption::OneAnswer(list) => format!(
                "where C leaves the answer open, these give one of those allowed, in one way: {}",
                names(list)
            ),
            Assumption::Weak(list) => {
                format!("weak symbols are there, and those that are defined are not replaced: in {}", names(list))
            }
            Assumption::Allocation => "memory allocation always succeeds".to_owned(),
            Assumption::Assembly => {
                "inline assembly gives its outputs any value and changes nothing else".to_owned()
            }
            Assumption::SameOutside(name) => format!(
                "{name} has no body: with the same arguments in the same state it does the same in both versions"
            ),
            Assumption::SameFunctions([old, new]) => format!("{old} and {new} do the same"),
            Assumption::NotPointedTo(list) => format!(
                "no pointer from outside points to {}: the program does not take such an address",
                some(list, MOST_GLOBALS, "others")
            ),
            Assumption::BothEnd => "both versions end: whether they do is not compared".to_owned(),
            Assumption::Frees => "what is freed is not compared".to_owned(),
            Assumption::EndsAtOnce => {
                "what is in the library's buffers at _exit is written, and a trap ends like abort".to_owned()
            }
            Assumption::VolatileAccesses => "accesses to volatile objects are not compared".to_owned(),
            Assumption::OnlyIn(version, list) => {
                format!("nobody needs what only the {} version has: {}", version.name(), names(list))
            }
            Assumption::CalledInside(list) => format!(
                "functions that others in these files call are called by those alone (--function compares one by itself): {}",
                names(list)
            ),
            Assumption::UnboundedIntegers => "integers have no limits".to_owned(),
        }
    }
}

//! Regions of memory: what can overlap is in one region.

use ir::{Expr, FuncId, Program, Type};

/// An index into [`Regions::list`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct RegionId(pub u32);

/// How the content of a region is stored.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Layout {
    /// All accesses are of this type's size and aligned to it, so the array holds a whole value at its address.
    Cells(Type),
    /// One byte at each address.
    Bytes,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Region {
    pub layout: Layout,
    /// Can functions without a body, and the caller of the compared function, reach it?
    pub escapes: bool,
    /// Holds only constant objects and is never written.
    pub constant: bool,
    /// For messages: a variable or parameter that points into it.
    pub name: String,
}

/// The division of the memory of one or two programs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Regions {
    pub list: Vec<Region>,
}

impl Regions {
    /// The region that an address expression of a function points into.
    pub fn of(&self, _program: usize, _function: FuncId, _address: &Expr) -> RegionId {
        RegionId(0)
    }

    /// Regions for programs that are compared (or one that is verified): `roots[i]` are functions of `programs[i]` that
    /// unknown code calls.
    pub fn analyse(_programs: &[&Program], _roots: &[Vec<FuncId>]) -> Regions {
        Regions {
            list: vec![Region {
                layout: Layout::Bytes,
                escapes: true,
                constant: false,
                name: "memory".to_owned(),
            }],
        }
    }
}

//! What is wrong with an access to memory, as data: for people who have to find out why.

use crate::address::NULL_PAGE;
use crate::memory::{Memory, ObjectKind};

/// An access that must not be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Access {
    pub kind: AccessKind,
    pub address: u64,
    /// How many bytes; none for a `free`.
    pub bytes: u64,
    pub fault: AccessFault,
    /// The object that the address belongs to, or lies next to.
    pub object: Option<Accessed>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AccessKind {
    Read,
    Write,
    Free,
    /// None at all: the program ends, and the object is still there.
    End,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AccessFault {
    Null,
    /// The address belongs to no object.
    NoObject,
    PastEnd,
    BeforeStart,
    /// The object was freed.
    Freed,
    /// The object was a local of a function that returned.
    Ended,
    Constant,
    /// A `free` of what `malloc` did not make.
    NotAllocated,
    /// A `free` of something in the middle of an allocation.
    NotStart,
    /// Nothing leads to it any more where the program ends.
    Leaked,
    /// It was not freed before the program ended.
    NotFreed,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Accessed {
    pub kind: ObjectKind,
    pub base: u64,
    pub size: u64,
    /// From its start to the address.
    pub offset: i64,
}

/// Addresses that are further from an object than this are not taken to be meant for it.
const NEAR: u64 = 4096;

impl Memory {
    /// What is wrong with an access, if something is.
    pub fn explain(&self, kind: AccessKind, address: u64, bytes: u64) -> Option<Access> {
        let access = |fault, object| Some(Access { kind, address, bytes, fault, object });
        let allowed = match kind {
            AccessKind::Free => self.freeable(address),
            AccessKind::Read | AccessKind::Write => self.valid(address, bytes, kind == AccessKind::Write),
            AccessKind::End => true,
        };
        if allowed {
            return None;
        }
        if address < NULL_PAGE {
            return access(AccessFault::Null, None);
        }
        let Some((object, live)) = self.nearest(address, NEAR) else {
            return access(AccessFault::NoObject, None);
        };
        let Accessed { kind: of, offset, size, .. } = object;
        let fault = match (kind, of) {
            _ if !live && matches!(of, ObjectKind::Heap | ObjectKind::Outside) => AccessFault::Freed,
            _ if !live => AccessFault::Ended,
            (AccessKind::Free, ObjectKind::Heap) => AccessFault::NotStart,
            (AccessKind::Free, _) => AccessFault::NotAllocated,
            _ if offset < 0 => AccessFault::BeforeStart,
            _ if (offset as u64).saturating_add(bytes) > size => AccessFault::PastEnd,
            _ => AccessFault::Constant,
        };
        access(fault, Some(object))
    }
}

//! Claimed violations, in a form that the interpreter can run.
//!
//! A run is determined by the answers to the interpreter's questions. An engine knows them by where they are asked: the results of input
//! functions, of functions without a body and the like in the order in which each place asks, and the content of memory that was never
//! written by object and offset. Objects are known by their kind and by how many of that kind were made before; the first of the heap are those
//! that exist from the start ([`Counterexample::heap`]).

use interp::{InputKind, InputRequest, Inputs, ObjectKind};
use ir::{EdgeId, FuncId, GlobalId, LocalId, Type};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

#[derive(Clone, Debug)]
pub struct Counterexample {
    /// Sizes of objects that lie outside of the program and that it reaches through pointers it is given
    /// (`interp::Options::heap`).
    pub heap: Vec<u64>,
    pub script: Script,
}

/// Where a question comes from.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Site {
    /// An edge that asks: an input function, a variable without a value, a function without a body.
    Edge(FuncId, EdgeId),
    /// A local that may be read before it is set, at its function's entry.
    Entry(FuncId, LocalId),
    Param(u32),
    ExternGlobal(GlobalId),
}

/// Answers to questions; what nobody determined is zero, but for pointers if there is an object to spare.
#[derive(Clone, Debug, Default)]
pub struct Script {
    pub answers: FxHashMap<Site, VecDeque<u128>>,
    /// Bytes of memory that was never written, by object (kind, number) and offset.
    pub memory: FxHashMap<(ObjectKind, u32, u64), u8>,
    /// The same for globals that are defined elsewhere.
    pub globals: FxHashMap<(GlobalId, u64), u8>,
    /// Where pointers point that nobody determined.
    pub spare: Option<u64>,
}

impl Script {
    pub fn answer(&mut self, site: Site, value: u128) {
        self.answers.entry(site).or_default().push_back(value);
    }

    fn bytes(&self, ty: Type, size: u64, byte: impl Fn(u64) -> Option<u8>) -> u128 {
        if ty == Type::Ptr && byte(0).is_none() {
            return self.undetermined(ty);
        }
        (0..size.min(16)).fold(0, |all, i| all | u128::from(byte(i).unwrap_or(0)) << (8 * i))
    }
}

impl Script {
    fn undetermined(&self, ty: Type) -> u128 {
        self.spare.filter(|_| ty == Type::Ptr).map_or(0, u128::from)
    }
}

impl Inputs for Script {
    fn next(&mut self, request: &InputRequest) -> Option<u128> {
        // As wide as any value; what the type does not need is ignored.
        let size = 16;
        let site = match (&request.kind, request.function, request.edge) {
            (InputKind::Memory { object, .. }, ..) => {
                let Some((kind, nth, offset)) = object else { return Some(self.undetermined(request.ty)) };
                let at = |i| self.memory.get(&(*kind, *nth, offset.wrapping_add(i))).copied();
                return Some(self.bytes(request.ty, size, at));
            }
            (InputKind::ExternGlobal { global, offset }, ..) => {
                let site = Site::ExternGlobal(*global);
                if let Some(value) = self.answers.get_mut(&site).and_then(VecDeque::pop_front) {
                    return Some(value);
                }
                let at = |i| self.globals.get(&(*global, offset.wrapping_add(i))).copied();
                return Some(self.bytes(request.ty, size, at));
            }
            (InputKind::Param(i), ..) => Site::Param(*i),
            (InputKind::Uninit(Some(local)), Some(function), None) => Site::Entry(function, *local),
            (_, Some(function), Some(edge)) => Site::Edge(function, edge),
            _ => return Some(self.undetermined(request.ty)),
        };
        let answer = self.answers.get_mut(&site).and_then(VecDeque::pop_front);
        Some(answer.unwrap_or_else(|| self.undetermined(request.ty)))
    }
}

//! Claimed violations, in a form that the interpreter can run.
//!
//! A run is determined by the answers to the interpreter's questions. An engine knows them by where they are
//! asked: the results of input functions, of functions without a body and the like in the order in which each
//! place asks, and the content of memory that was never written by object and offset. Objects are known by
//! their kind and by how many of that kind were made before; the first of the heap are those that exist from
//! the start ([`Counterexample::heap`]).

use interp::{ByteId, ConsumedInput, InputKind, InputRequest, Inputs};
use ir::{EdgeId, FuncId, GlobalId, LocalId, Target, Type};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

#[derive(Clone, Debug)]
pub struct Counterexample {
    /// Sizes of objects that lie outside of the program and that it reaches through pointers it is given
    /// (`interp::Options::heap`).
    pub heap: Vec<u64>,
    pub inputs: InputVector,
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
    /// What a call at this edge makes of a register global, if the callee has no body and may change it.
    Changed(FuncId, EdgeId, GlobalId),
}

/// Answers to questions; what nobody determined is zero, but for pointers if there is an object to spare.
#[derive(Clone, Debug, Default)]
pub struct InputVector {
    pub answers: FxHashMap<Site, VecDeque<u128>>,
    /// Bytes of memory that was never written, or changed from outside.
    pub memory: FxHashMap<ByteId, u8>,
    /// The same for globals that are defined elsewhere.
    pub globals: FxHashMap<(GlobalId, u64), u8>,
    /// Where pointers point that nobody determined.
    pub spare: Option<u64>,
}

/// An answer to [`InputKind::Changed`] for a pointer: it is what it was. No pointer has so many bits.
pub const UNCHANGED: u128 = u128::MAX;

impl InputVector {
    pub fn answer(&mut self, site: Site, value: u128) {
        self.answers.entry(site).or_default().push_back(value);
    }

    /// An input vector that gives the answers that a run was given.
    pub fn of(inputs: &[ConsumedInput], target: &Target, spare: Option<u64>) -> InputVector {
        let mut vector = InputVector { spare, ..InputVector::default() };
        for ConsumedInput { request, value } in inputs {
            let bytes = (0..request.ty.access_size(target)).map(|i| (i, (value >> (8 * i)) as u8));
            match &request.kind {
                InputKind::Memory { object, .. } => {
                    let Some(first) = object else { continue };
                    vector.memory.extend(bytes.map(|(i, byte)| (behind(*first, i), byte)));
                }
                InputKind::ExternGlobal { global, offset } => {
                    vector.globals.extend(bytes.map(|(i, byte)| ((*global, offset.wrapping_add(i)), byte)));
                }
                _ => {
                    if let Some(site) = Site::of(request) {
                        vector.answer(site, *value);
                    }
                }
            }
        }
        vector
    }

    /// The answer where nobody determined one.
    pub fn undetermined(&self, ty: Type) -> u128 {
        self.spare.filter(|_| ty == Type::Ptr).map_or(0, u128::from)
    }

    fn bytes(&self, ty: Type, before: Option<u128>, byte: impl Fn(u64) -> Option<u8>) -> u128 {
        if ty == Type::Ptr && byte(0).is_none() {
            return before.unwrap_or_else(|| self.undetermined(ty));
        }
        let kept = |i: u64| (before.unwrap_or(0) >> (8 * i)) as u8;
        // As wide as any value; what the type does not need is ignored.
        (0..16).fold(0, |all, i| all | u128::from(byte(i).unwrap_or_else(|| kept(i))) << (8 * i))
    }
}

/// The byte so many behind another one.
fn behind(byte: ByteId, count: u64) -> ByteId {
    ByteId { offset: byte.offset.wrapping_add(count), ..byte }
}

impl Site {
    /// None for memory, and where nobody could say which question it is.
    fn of(request: &InputRequest) -> Option<Site> {
        match (&request.kind, request.function, request.edge) {
            (InputKind::Memory { .. }, ..) => None,
            (InputKind::ExternGlobal { global, .. }, ..) => Some(Site::ExternGlobal(*global)),
            (InputKind::Changed { global, .. }, Some(function), Some(edge)) => {
                Some(Site::Changed(function, edge, *global))
            }
            (InputKind::Param(i), ..) => Some(Site::Param(*i)),
            (InputKind::Uninit(Some(local)), Some(function), None) => Some(Site::Entry(function, *local)),
            (_, Some(function), Some(edge)) => Some(Site::Edge(function, edge)),
            _ => None,
        }
    }
}

impl Inputs for InputVector {
    fn next(&mut self, request: &InputRequest) -> Option<u128> {
        let site = Site::of(request);
        if let Some(answer) = site.and_then(|site| self.answers.get_mut(&site)?.pop_front()) {
            return Some(match request.kind {
                InputKind::Changed { before, .. } if request.ty == Type::Ptr && answer == UNCHANGED => before,
                _ => answer,
            });
        }
        Some(match &request.kind {
            InputKind::Memory { object: Some(first), before, .. } => {
                self.bytes(request.ty, *before, |i| self.memory.get(&behind(*first, i)).copied())
            }
            // Where nothing says otherwise, nothing was changed.
            InputKind::Changed { before, .. } => *before,
            InputKind::ExternGlobal { global, offset } => self
                .bytes(request.ty, None, |i| self.globals.get(&(*global, offset.wrapping_add(i))).copied()),
            _ => self.undetermined(request.ty),
        })
    }
}
